/// Observers of run loops.
package enum ObserverPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// observer.
  case invalidate
  /// observer → boolean.
  case isValid
}
