/// Continuations.
@usableFromInline
package enum ContinuationPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// boolean: whether its use is checked, text: the function in which it is made → continuation.
  case make
  /// continuation → what it is resumed with; throws what it is resumed with. Suspends until then.
  case await
  /// continuation, value → boolean: whether it was resumed before, and its use is checked.
  case resume
  /// continuation, message.
  case resumeThrowing
  /// continuation, text: what it is resumed with. Crashes, since it was resumed before.
  case resumedTwice
}
