package import SpindleModel

/// The program of a recording: what each of its threads does, and on which machine it did so.
package struct RecordedProgram: Sendable {
  /// A thread as it was recorded.
  package struct Row: Hashable, Sendable {
    /// What the trace calls it.
    package var name: String
    /// Whether it is the main thread.
    package var isMain: Bool
    /// Whether it is the sum of all workers of the pool.
    package var isPool = false
    /// What it did.
    package var activity: ThreadActivity
  }

  /// The survey of the whole recording.
  package let survey: RecordingSurvey
  /// Which threads are the program.
  package let choice: ProgramChoice
  /// How the waits of its threads ended.
  package let waits: RecordedWaits
  /// From when to when it was recorded, in nanoseconds from the recording's start.
  package let start: Nanoseconds
  package let end: Nanoseconds
  /// How many cores it used, and how many of them are slower than the others.
  package let cores: Int
  let efficiencyCores: Int
  /// Whether it ends before the recording does, since it was too much.
  package let isCut: Bool
  /// Whether the others take part.
  package let takesOthers: Bool
  let threads: [ThreadOperations]
  /// Its queues and what was submitted to them; none where it is taken as threads.
  let queues: RecordedQueues
  let kinds: ItemKinds
  /// The main thread among them; nil for none.
  let main: Int?
  /// Whether the main thread ended, and with it the process.
  let hasEnded: Bool
  let names: TraceNames
  /// Where others take part: for how long they had its cores, and for how long its own threads were ready while one
  /// of its cores was idle.
  package let othersTime: Nanoseconds
  package let heldTime: Nanoseconds
  /// What probes took of its threads, which is not in their work.
  package let probes: Nanoseconds

  /// How long the program took.
  package var span: Nanoseconds { Nanoseconds(end.rawValue - start.rawValue) }

  /// Its threads, the main one first, and the workers of its pool as one.
  package var rows: [Row] {
    let own = threads.indices.filter { threads[$0].isProgram && !threads[$0].dispatch.isWorker }
    let rows = (own.filter { $0 == main } + own.filter { $0 != main }).map { place in
      Row(name: names.shown[place], isMain: place == main, activity: threads[place].activity)
    }
    let workers = threads.filter { $0.isProgram && $0.dispatch.isWorker }
    guard !workers.isEmpty else { return rows }
    var pool = workers.reduce(into: ThreadActivity()) { $0.add($1.activity) }
    pool.ran -= unused.rawValue
    return rows + [Row(name: "workers", isMain: false, isPool: true, activity: pool)]
  }

  /// What the other threads are called that take part.
  package var others: [String] {
    threads.indices.filter { !threads[$0].isProgram }.map { names.shown[$0] }
  }

  /// What workers computed without ever running an item.
  var unused: Nanoseconds {
    Nanoseconds(threads.reduce(0) { $0 + ($1.dispatch.isWorker ? $1.pending : 0) })
  }

  /// Reads the recording again, and takes the program out of it.
  package init(
    _ survey: RecordingSurvey, of bytes: any RecordingBytes, _ wanted: RecordingChoice
  ) throws {
    let choice = try ProgramChoice.make(wanted.process, survey.threads, survey.processes)
    var window = try Self.window(survey, choice, wanted)
    if wanted.takesQueues && survey.counts.calls > 0 {
      window.workers = survey.threads.indices.map { place in
        let thread = survey.threads[place]
        let isWorker = thread.isWorker || RecordedQueues.isWorker(thread.name)
        return window.isProgram[place] && isWorker ? thread.name : nil
      }
    }
    if !wanted.keepsProbes { window.probes = survey.probes }
    var states = ThreadStates(OperationRecorder(window))
    try survey.format.read(bytes, into: &states)
    states.finish()
    var recorder = states.observer
    let place = recorder.threads.firstIndex {
      $0.isProgram && survey.isMain(survey.threads[$0.thread], of: choice.process)
    }
    let hasEnded =
      place.map { place in
        let thread = survey.threads[recorder.threads[place].thread]
        return thread.hasEnded && thread.last < recorder.window.end
      } ?? false
    recorder.finish(main: hasEnded ? place : nil)
    var kept = recorder.threads
    queues = recorder.queues
    kinds = ItemKinds(queues.items)
    for place in kept.indices { kept[place].operations = kinds.numbered(kept[place].operations) }
    (main, self.hasEnded) = (place, hasEnded)
    (self.survey, self.choice, waits) = (survey, choice, recorder.waits)
    (isCut, takesOthers, threads) = (recorder.isFull, wanted.takesOthers, kept)
    (othersTime, heldTime) = (Nanoseconds(recorder.othersTime), Nanoseconds(recorder.heldTime))
    probes = Nanoseconds(kept.reduce(0) { $0 + $1.probesTook })
    cores = max(1, window.cores.nonzeroBitCount)
    efficiencyCores = (window.cores & survey.counts.efficiencyCores).nonzeroBitCount
    start = Nanoseconds(window.start - survey.counts.first)
    let last = kept.filter(\.isProgram).map(\.activity.last).max() ?? window.start
    end = Nanoseconds(max(window.start, min(last, recorder.window.end)) - survey.counts.first)
    names = TraceNames(
      kept.map { (survey.threads[$0.thread].name, survey.threads[$0.thread].number) })
    guard kept.contains(where: { $0.isProgram && $0.activity.ran > 0 }) else {
      throw RecordingMistake(.whole, "the program does nothing in that time")
    }
  }

  /// A moment of the recording; the last that there is where it is too late.
  private static func moment(_ first: Int64, _ length: Nanoseconds) -> Int64 {
    let (sum, overflow) = first.addingReportingOverflow(length.rawValue)
    return overflow ? .max - 1 : sum
  }

  private static func window(
    _ survey: RecordingSurvey, _ choice: ProgramChoice, _ wanted: RecordingChoice
  ) throws -> RecordedWindow {
    var isProgram = Array(repeating: false, count: survey.threads.count)
    var (cores, start, end): (UInt64, Int64, Int64) = (0, .max, .min)
    for place in choice.threads {
      let thread = survey.threads[place]
      isProgram[place] = true
      cores |= thread.cores
      (start, end) = (min(start, thread.first), max(end, thread.last))
    }
    let first = survey.counts.first
    if let from = wanted.from { start = max(start, moment(first, from)) }
    if let to = wanted.to { end = min(end, moment(first, to)) }
    guard start < end else {
      throw RecordingMistake(.whole, "the program does nothing in that time")
    }
    // The program's last moment is its own too.
    let isWhole = wanted.to.map { end < moment(first, $0) } ?? true
    return RecordedWindow(
      isProgram: isProgram, workers: [], takesOthers: wanted.takesOthers, cores: cores,
      start: start,
      end: isWhole ? end + 1 : end)
  }
}
