/// Continuations.
@usableFromInline
package enum ContinuationPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// boolean: whether its use is checked → continuation.
  case make
  /// continuation → what it is resumed with; throws what it is resumed with. Suspends until then.
  case await
  /// continuation, value.
  case resume
  /// continuation, message.
  case resumeThrowing
}
