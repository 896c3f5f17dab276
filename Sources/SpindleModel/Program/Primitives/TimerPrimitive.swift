/// Timers of run loops.
@usableFromInline
package enum TimerPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, instant or `noValue`, interval (duration), repeats (boolean), tolerance (duration or
  /// `noValue`), scheduled (0 or 1), closure (is given the timer) → timer.
  case make
  /// timer: calls its closure at once.
  case fire
  /// timer.
  case invalidate
  /// timer → boolean.
  case isValid
  /// timer → instant.
  case fireDate
  /// timer, instant.
  case setFireDate
  /// timer → duration.
  case interval
  /// timer → duration.
  case tolerance
  /// timer, duration.
  case setTolerance
}
