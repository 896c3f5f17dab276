/// Asynchronous streams.
@usableFromInline
package enum AsyncStreamPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, `StreamBuffering`, limit, `LifeKind` of the elements or 0, boolean: whether it may throw → stream.
  case make
  /// name, closure that gives the next element or nothing, closure or nothing: what cancelling calls → stream.
  case makeUnfolding
  /// stream, value → symbol `enqueued`, `dropped` or `terminated`.
  case yield
  /// → for `enqueued` how many elements there is room for, for `dropped` the element, of the last `yield` of this code.
  case yieldDetail
  /// stream.
  case finish
  /// stream, message.
  case finishThrowing
  /// stream, closure of one argument or nothing.
  case setOnTermination
  /// stream → its next element, or nothing behind the last; throws what it ended with. Suspends.
  case next
}

/// What a stream keeps that nobody has read; its place is its number.
@usableFromInline
package enum StreamBuffering: Int64, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// All.
  case unbounded
  /// The newest ones.
  case newest
  /// The oldest ones.
  case oldest
}
