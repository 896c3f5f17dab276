/// Threads: their life and their properties.
@usableFromInline
package enum ThreadPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, kind, stackSize (size), threadPriority (decimal), qualityOfService (symbol),
  /// joinable (boolean), closure → thread.
  case make
  /// name, kind, closure: makes a detached thread and starts it.
  case detach
  /// thread.
  case start
  /// thread, deadline → symbol `success` or `timedOut`.
  case join
  /// thread.
  case cancel
  /// thread → boolean.
  case isCancelled
  /// thread → boolean.
  case isExecuting
  /// thread → boolean.
  case isFinished
  /// → thread: the one that runs this.
  case current
  /// → boolean: whether the main thread runs this.
  case isMainThread
  /// Ends the thread that runs this.
  case exit
  /// thread, key (string) → value or `noValue`.
  case dictionaryGet
  /// thread, key (string), value or `noValue`.
  case dictionarySet
  /// thread → string.
  case name
  /// thread, string.
  case setName
  /// thread → size.
  case stackSize
  /// thread, size: what the real library would not take is ignored, with a finding.
  case setStackSize
  /// thread → decimal.
  case priority
  /// thread, decimal from 0.0 to 1.0.
  case setPriority
  /// thread → symbol.
  case qualityOfService
  /// thread, symbol.
  case setQualityOfService
  /// thread, period (duration), computation (duration), constraint (duration): makes it a real-time
  /// thread; what the real call refuses is ignored, with a finding.
  case realtime
  /// name, kind, period, computation, deadline (durations; the last or `noValue`), offset, jitter (durations
  /// or `noValue`), late (symbol or `noValue`), jobs (integer or `noValue`), joinable (boolean), whether others
  /// release its jobs (boolean), closure → thread.
  case makeJobs
  /// thread: one whose jobs others release.
  case releaseJob
  /// thread → integer.
  case niceValue
  /// thread, integer.
  case setNiceValue
  /// thread, class (symbol), priority (integer or `noValue`).
  case setScheduling
}
