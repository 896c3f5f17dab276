/// Semaphores.
@usableFromInline
package enum SemaphorePrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, value (integer) → semaphore.
  case make
  /// semaphore, deadline → symbol `success` or `timedOut`.
  case wait
  /// semaphore → integer: not 0 when it woke a thread.
  case signal
}
