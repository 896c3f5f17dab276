/// Dispatch sources, and what feeds them: pipes, signals, processes, messages.
@usableFromInline
package enum DispatchSourcePrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// class (the raw value of a `DispatchSourceClass`), name, handle or `noValue` (a pipe, a process,
  /// the symbol of a signal), queue or `noValue` → source. For a process a fifth register has the
  /// events (bits of `ProcessEvent`), of which there is only `exit`.
  case make
  /// source, closure.
  case setEventHandler
  /// source, closure.
  case setCancelHandler
  /// source → integer: what the handler is told.
  case data
  /// source, integer.
  case merge
  /// source, deadline, interval (duration or `noValue`), leeway (duration or `noValue`).
  case schedule
  /// source.
  case resume
  /// source.
  case activate
  /// source.
  case suspend
  /// source.
  case cancel
  /// source → boolean.
  case isCancelled
  /// name → pipe.
  case pipeMake
  /// pipe, size.
  case pipeWrite
  /// pipe, size → size: how much was there to be read, up to that.
  case pipeRead
  /// symbol: sends a signal to the process itself.
  case raiseSignal
  /// name, duration → process: another process, which ends after that time.
  case processMake
  /// source, integer: sends a message to the port of a Mach receive source.
  case send
}
