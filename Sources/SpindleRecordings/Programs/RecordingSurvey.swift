/// What a recording holds, read once from its start to its end.
package struct RecordingSurvey: Sendable {
  /// Its format.
  package let format: RecordingFormat
  /// Its threads, in the order in which they appeared.
  package let threads: [RecordedThread]
  /// Its processes.
  package let processes: [RecordedProcess]
  /// What was counted.
  package let counts: RecordingCounts
  /// What the probes in it took.
  let probes: ProbeCosts

  /// Whether a thread is the first one of a process: Linux gives it the number of the process, Instruments
  /// a name.
  func isMain(_ thread: RecordedThread, of process: Int32) -> Bool {
    format == .instruments
      ? thread.isMain && thread.process == process : thread.number == process
  }

  /// Reads a recording; memory grows with its threads only.
  package init(_ bytes: any RecordingBytes) throws {
    format = try RecordingFormat.of(bytes)
    var states = ThreadStates(ProbeObserver())
    try format.read(bytes, into: &states)
    states.finish()
    (threads, counts, probes) = (states.threads, states.counts, states.observer.meter.costs)
    processes = RecordedProcess.all(threads, names: states.processNames)
    guard counts.switches > 0 else {
      if let mistake = counts.firstUnread { throw mistake }
      throw RecordingMistake(
        .whole,
        format == .instruments
          ? "no thread runs in the table 'thread-state': record all processes with 'System Trace'"
          : "no switch between threads is in it: record 'sched_switch' and 'sched_waking'")
    }
  }
}

/// An observer of probes only.
private struct ProbeObserver: ThreadObserver {
  private(set) var meter = ProbeCosts.Meter()

  func ran(_ thread: Int, on core: Int32, from start: Int64, to end: Int64) {}
  mutating func waited(_ thread: Int, from start: Int64, to end: Int64, waker: Int?) {
    meter.moved(thread)
  }
  func made(_ thread: Int, by parent: Int, at time: Int64) {}
  func appeared(_ thread: Int, at time: Int64, waits: Bool) {}
  func waitsForCore(_ thread: Int, at time: Int64) {}
  func core(_ core: Int32, isIdle: Bool, at time: Int64) {}
  mutating func came(_ thread: Int, at time: Int64, ready: Int64) { meter.moved(thread) }
  mutating func probed(_ thread: Int, _ probe: DispatchProbe, at time: Int64) {
    meter.probed(thread, probe, at: time)
  }
}
