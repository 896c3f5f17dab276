package import SpindleModel

/// Who wrote the variables of a run, and what was recorded: each with time, value, place and calls.
///
/// A class, since the simulator is handed it and the caller reads it.
package final class ValueHistory: LogConsumer {
  /// One write of a variable, or one `record`.
  package struct Write: Hashable, Sendable {
    /// The variable, or the key of the `record`.
    package var name: String
    /// The value, as the log has it.
    package var value: String
    /// Whether it was recorded.
    package var isRecord: Bool
    /// When.
    package var time: Instant
    /// By which thread, `world` for none, and in which item that it ran.
    package var thread: String
    package var item: String?
    /// Where in the trace; nil where that is not known.
    package var place: SourceRange?
    /// The calls that were going on, innermost first; empty where they are not known.
    package var calls: [ActiveCall] = []
    /// Which one it is of all writes and records of the log.
    fileprivate var ordinal: Int
    /// Which one it is of the run.
    fileprivate var moment: Moment
  }

  /// Which write it is of a run, of which the log may leave out others.
  fileprivate struct Moment: Hashable {
    var time: Int64
    var instruction: Int32
    /// How many there were before it by that instruction at that time.
    var number = 0
  }

  /// How many writes of one variable are kept.
  private static let kept = 10_000
  /// How many of the last reads of a thread may be those of one `record`.
  private static let keptReads = 16

  private let pattern: [UInt8]
  private var program = Program()
  private var writer = LogWriter()
  /// The writes and records whose names match, in order.
  private var found: [Write] = []
  /// The last write of each variable.
  private var last: [String: Write] = [:]
  /// What each thread has read since it last wrote or recorded something.
  private var readsByThread: [Int32: [(name: String, place: SourceRange)]] = [:]
  /// The items that each thread runs, innermost last.
  private var items: [Int32: [String]] = [:]
  /// Of each `record`, the last writes of the variables that were read for it.
  private var sources: [Int: [Write]] = [:]
  /// The calls at each write and record; known when the run has ended.
  private var calls: [Moment: [ActiveCall]] = [:]
  /// How many writes there were at the present time by each instruction.
  private var present: (time: Int64, counts: [Int32: Int]) = (-1, [:])
  /// How many writes and records there were, of any name.
  private var count = 0
  /// The names of all that was written, read or recorded, each once, in order.
  package private(set) var names: [String] = []
  private var known: Set<String> = []
  /// How often what matches was written or recorded, and how often it was read.
  package private(set) var writeCount: Int64 = 0
  package private(set) var readCount: Int64 = 0

  /// Creates a history of what has a name, in which each `*` stands for any characters.
  package init(of name: String) { pattern = Array(name.utf8) }

  package var needsEveryEntry: Bool { false }

  /// The writes and records whose names match, in order; of very many the first ones.
  package var writes: [Write] { found.map(completed) }

  /// The last write of a variable; nil when there was none.
  package func lastWrite(of name: String) -> Write? { last[name].map(completed) }

  /// The last writes, before a `record`, of the variables that were read for it.
  package func sources(of record: Write) -> [Write] {
    (sources[record.ordinal] ?? []).map(completed)
  }

  package func begin(_ run: RunDescription) {
    program = run.program
    writer = LogWriter(run, limit: .max, chunk: LogLines.chunkSize)
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for (index, entry) in entries.enumerated() {
      noteItem(entry)
      switch entry.event {
      case .roundsRepeated:
        noteRounds(entries[max(0, index - Int(max(0, entry.other)))..<index], times: entry.value)
        _ = writer.words(of: entry, isWanted: false)
      case .sharedRead, .sharedWritten, .record: note(entry)
      default: _ = writer.words(of: entry, isWanted: false)
      }
    }
  }

  package func end(_ record: RunRecord) {
    present = (-1, [:])
    for write in record.tracedWrites {
      calls[moment(write.time, write.instruction)] = write.calls
    }
  }

  /// The next write by an instruction.
  private func moment(_ time: Int64, _ instruction: Int32) -> Moment {
    if present.time != time { present = (time, [:]) }
    let number = present.counts[instruction, default: 0]
    present.counts[instruction] = number + 1
    return Moment(time: time, instruction: instruction, number: number)
  }

  /// A write with the calls that were going on at it.
  private func completed(_ write: Write) -> Write {
    var write = write
    if let known = calls[write.moment] { write.calls = known }
    return write
  }

  private func note(_ entry: LogEntry) {
    let name = entry.object >= 0 ? writer.names.text(NameID(Int(entry.object))) : ""
    if known.insert(name).inserted { names.append(name) }
    let place = entry.place >= 0 ? program.places[Int(entry.place)] : nil
    let isWanted = NamePattern.matches(Array(name.utf8)[...], pattern)
    if entry.event == .sharedRead {
      _ = writer.words(of: entry, isWanted: false)
      if isWanted { readCount += 1 }
      if let place { noteRead(name, at: place, entry.thread) }
      return
    }
    guard let words = writer.words(of: entry, isWanted: true) else { return }
    // Behind the name in quotes, within which each quote has a backslash.
    let value = words.step.firstRange(of: "\" = ").map { words.step[$0.upperBound...] } ?? ""
    let write = Write(
      name: name, value: String(value), isRecord: entry.event == .record,
      time: Instant(entry.time), thread: words.thread, item: items[entry.thread]?.last,
      place: place, ordinal: count, moment: moment(entry.time, entry.place))
    count += 1
    if write.isRecord, let place { noteSources(of: write, at: place, entry.thread) }
    if !write.isRecord { last[name] = write }
    readsByThread[entry.thread] = nil
    guard isWanted else { return }
    writeCount += 1
    if found.count < Self.kept { found.append(write) }
  }

  /// The log leaves out rounds of a loop, each of which leaves the same as some entries.
  private func noteRounds(
    _ round: Slice<UnsafeBufferPointer<LogEntry>>, times: Int64
  ) {
    for entry in round where entry.object >= 0 {
      let name = writer.names.text(NameID(Int(entry.object)))
      guard NamePattern.matches(Array(name.utf8)[...], pattern) else { continue }
      switch entry.event {
      case .sharedRead: readCount += times
      case .sharedWritten: writeCount += times
      default: break
      }
    }
  }

  private func noteRead(_ name: String, at place: SourceRange, _ thread: Int32) {
    if (readsByThread[thread]?.count ?? 0) >= Self.keptReads {
      readsByThread[thread]?.removeFirst()
    }
    readsByThread[thread, default: []].append((name, place))
  }

  /// What a `record` notes was read within its own text.
  private func noteSources(of record: Write, at place: SourceRange, _ thread: Int32) {
    var names: [String] = []
    let candidates = readsByThread[thread] ?? []
    for read in candidates
    where place.lowerBound <= read.place.lowerBound && read.place.upperBound <= place.upperBound
      && !names.contains(read.name)
    {
      names.append(read.name)
    }
    sources[record.ordinal] = names.compactMap { last[$0] }
  }

  /// Keeps which items each thread runs.
  private func noteItem(_ entry: LogEntry) {
    switch entry.event {
    case .itemStarted, .taskResumed: items[entry.thread, default: []].append(itemName(entry))
    case .itemEnded, .taskSuspended: _ = items[entry.thread]?.popLast()
    default: break
    }
  }

  private func itemName(_ entry: LogEntry) -> String {
    if entry.object >= 0 { return writer.names.text(NameID(Int(entry.object))) }
    let kind = Int(entry.subject)
    return program.kinds.indices.contains(kind) ? program.kinds[kind].pattern : ""
  }
}
