/// Receives what each thread did, in the order of time.
protocol ThreadObserver {
  /// A thread had a core from one moment to another; runs without anything between may come in parts.
  mutating func ran(_ thread: Int, on core: Int32, from start: Int64, to end: Int64)
  /// A thread waited from one moment to another, and was made runnable by `waker`, a thread that was reported
  /// before, or by something else.
  mutating func waited(_ thread: Int, from start: Int64, to end: Int64, waker: Int?)
  /// A thread made another, which is ready from now on.
  mutating func made(_ thread: Int, by parent: Int, at time: Int64)
  /// A thread has a core, had it before or waits, when nothing had been known of it.
  mutating func appeared(_ thread: Int, at time: Int64, waits: Bool)
  /// A thread could run from now on, and has no core.
  mutating func waitsForCore(_ thread: Int, at time: Int64)
  /// A core has nothing to run from now on, or has something again.
  mutating func core(_ core: Int32, isIdle: Bool, at time: Int64)
  /// A thread got a core, after it had been ready since `ready`.
  mutating func came(_ thread: Int, at time: Int64, ready: Int64)
  /// A thread that has a core came to a probe in libdispatch.
  mutating func probed(_ thread: Int, _ probe: DispatchProbe, at time: Int64)
}
