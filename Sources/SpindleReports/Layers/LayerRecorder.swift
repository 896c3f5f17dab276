package import SpindleModel

/// Digests a run in layers, in memory that does not grow with its length: the steps in order, their times,
/// the totals of each thread, and the numbers of the end.
///
/// A class, since the simulator gets it and the caller reads it.
package final class LayerRecorder: LogConsumer {
  private var state = State()

  private struct State {
    var words = StepWords()
    var intervals = RunIntervals()
    var threads = ThreadLayers()
    var count: Int64 = 0

    mutating func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
      words.takeNames()
      for entry in entries {
        if entry.event == .threadCreated { words.made(entry) }
        let step = words.step(entry)
        intervals.add(step, at: entry.time)
        threads.add(entry, step, words)
      }
      count += Int64(entries.count)
    }
  }

  /// Creates a recorder for one run.
  package init() {}

  package func begin(_ run: RunDescription) {
    state = State()
    state.words = StepWords(run.names)
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) { state.receive(entries) }

  package func end(_ record: RunRecord) { state.threads.finish(state.words) }

  /// The layers of the run, which has ended and whose numbers are `metrics`.
  package func layers(_ metrics: RunMetrics) -> RunLayers {
    RunLayers(
      count: state.count, intervals: state.intervals.all,
      threads: state.threads.threads.map(\.digests),
      names: state.threads.threads.map(\.name), threadCount: state.threads.count,
      totals: state.threads.totals, totalsSketch: state.threads.totalsSketch,
      stepsSketch: state.threads.stepsSketch, end: EndText.digest(metrics))
  }
}

/// The layers of a run that has ended.
package struct RunLayers: Sendable {
  /// How many entries the log has.
  let count: Int64
  /// Its stretches, as finely as they are known.
  let intervals: [RunInterval]
  /// The first of its threads.
  let threads: [ThreadLayers.Digests]
  /// What they are called.
  let names: [String]
  /// How many threads there were.
  let threadCount: Int
  /// What each thread did in all.
  let totals: UInt64
  let totalsSketch: ThreadSketch
  let stepsSketch: ThreadSketch
  /// The numbers of the end.
  let end: UInt64

  /// The run as one stretch.
  var whole: RunInterval {
    var whole = RunInterval()
    for interval in intervals { whole.append(interval) }
    return whole
  }
}
