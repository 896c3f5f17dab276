/// Observers of run loops.
@usableFromInline
package enum ObserverPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// observer.
  case invalidate
  /// observer → boolean.
  case isValid
}
