/// Observers of run loops.
public enum ObserverPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// observer.
  case invalidate
  /// observer → boolean.
  case isValid
}
