import SpindleModel

/// Turns log entries into lines, in the form that `LogFormat` describes.
struct LogWriter: ~Copyable {
  /// The lines that have not been taken yet.
  var lines: LogLines
  /// From how many bytes on they should be taken.
  private let chunk: Int
  /// How many lines there are between top and end, written or not.
  private(set) var lineCount = 0
  /// The texts of the run.
  private(set) var names = NameTable([])
  private var limit = Int.max
  private var timeWidth = LogWriter.usualTimeWidth
  private var memoryPeak: Int64 = 0
  /// By thread slot: its name, and how that is written in its column.
  private var threads: ContiguousArray<Thread> = []
  private var labels = ThreadLabels()
  /// By the kind's number: its pattern.
  private(set) var kinds: [[UInt8]] = []
  /// Which one of its name each thread, item and object is.
  var ordinals = LogOrdinals()
  /// The moment of the last line, and the 16 bytes that it took.
  private var moment: (time: Int64, columns: (UInt64, UInt64)) = (-1, (0, 0))
  /// The entry whose line has no end yet, so that attributes can follow; nil for none.
  private var open: LogEntry?

  /// Wide enough for a run of a day.
  private static let usualTimeWidth = 16
  /// Wide enough for every run.
  private static let greatestTimeWidth = 24

  private struct Thread {
    var label = ThreadLabel()
    /// Which one of its name it is, from 1.
    var ordinal: Int32 = 1
    /// Whether it was just made or preempted: that it is ready needs no line.
    var isReady = false
    /// The core that it has, or -1.
    var core: Int16 = -1
    /// The name, filled up with spaces to 16 bytes; nil when it is longer or not made yet.
    var column: (UInt64, UInt64)?
  }

  /// A writer for no run.
  init() {
    chunk = 1
    lines = LogLines(chunk: 1)
  }

  /// Creates a writer that stops after `limit` lines, and writes the header.
  init(_ run: RunDescription, limit: Int, chunk: Int) {
    self.chunk = chunk
    lines = LogLines(chunk: chunk)
    names = run.names
    self.limit = limit
    kinds = run.program.kinds.map { Array($0.pattern.utf8) }
    if let until = run.program.until, until.nanoseconds >= 86_400_000_000_000 {
      timeWidth = LogWriter.greatestTimeWidth
    }
    writeHeader(run)
  }

  /// Whether there is enough text to be taken.
  var isFull: Bool { lines.count >= chunk }

  /// Returns the text that has not been taken yet.
  mutating func take() -> [UInt8] { lines.take() }

  /// Writes entries until there is enough to be taken; the index of the first that is left.
  mutating func write(_ entries: UnsafeBufferPointer<LogEntry>, from start: Int) -> Int {
    var index = start
    while index < entries.count {
      let entry = entries[index]
      index &+= 1
      if !hasLine(entry) { continue }
      lineCount &+= 1
      guard lineCount <= limit else {
        closeLine()
        continue
      }
      writeLine(entry)
      if isFull { break }
    }
    return index
  }

  /// Notes what later entries need of one; where it is wanted and has a line, who does it and what.
  mutating func words(
    of entry: LogEntry, isWanted: Bool
  ) -> (thread: String, step: String)? {
    guard hasLine(entry) && isWanted else { return nil }
    _ = lines.take()
    writeThread(entry.thread, quoted: false)
    let thread = String(decoding: lines.take(), as: UTF8.self)
    writeWhat(entry)
    return (thread, String(decoding: lines.take(), as: UTF8.self))
  }

  /// Writes the header.
  private mutating func writeHeader(_ run: RunDescription) {
    let machine = run.machine
    lines.write("# spindle log 2\n# ")
    lines.write(name: Array(run.program.title.utf8)[...], quoted: false)
    lines.write(
      text: "\n# \(machine.platform.rawValue), \(Int64(machine.cores.count).counted("core"))")
    lines.write(text: ", \(machine.memory), \(machine.costs), \(machine.policy)")
    lines.write(text: ", seed \(run.program.seed)\n")
    for parameter in run.program.parameters {
      lines.write(text: "# \(parameter.name) = \(parameter.value)\n")
    }
  }

  /// Writes the footer.
  mutating func writeFooter(_ record: RunRecord, _ logDigest: LogDigest) {
    closeLine()
    if lineCount > limit {
      lines.write(text: "# \(Int64(lineCount - limit).counted("more line"))\n")
    }
    for (index, finding) in record.findings.enumerated() {
      lines.write(
        text: "# finding \(index + 1): \(finding.kind.severity.name) \(finding.kind.rawValue): ")
      lines.write(name: Array(finding.explanation.utf8)[...], quoted: false)
      lines.endLine()
    }
    lines.write(text: "# \(record.outcome.kind.name)")
    if !record.outcome.message.isEmpty {
      lines.write(" ")
      lines.write(name: Array(record.outcome.message.utf8)[...], quoted: true)
    }
    if let code = record.outcome.exitCode { lines.write(text: ", exit \(code)") }
    lines.write(text: " at \(record.end), makespan \(record.makespan)\n")
    lines.write(text: "# entries \(logDigest.entryCount), memory peak \(ByteCount(memoryPeak)), ")
    lines.write(text: "digest \(logDigest.text)\n")
  }

  // MARK: Lines

  /// Notes what later lines need of the entry; whether it has a line of its own.
  ///
  /// What belongs to the line before is written behind it.
  private mutating func hasLine(_ entry: LogEntry) -> Bool {
    let slot = Int(entry.thread)
    let isKnown = slot >= 0 && slot < threads.count
    switch entry.event {
    case .threadCreated: note(entry)
    case .threadPreempted: if isKnown { threads[slot].isReady = true }
    case .threadReady:
      guard isKnown && threads[slot].isReady else { return true }
      threads[slot].isReady = false
      return false
    case .objectMade: ordinals.made(entry)
    case .itemSubmitted: ordinals.submitted(entry)
    case .memoryChanged:
      memoryPeak = Swift.max(memoryPeak, entry.value)
      guard let open, open.time == entry.time, !LogWriter.endsWithValue(open) else { return true }
      lines.write(", memory ")
      writeSize(entry.value)
      return false
    case .waitLimited, .priorityChanged:
      let owner: LogEvent = entry.event == .waitLimited ? .threadBlocked : .threadCreated
      guard let open, open.event == owner, open.thread == entry.thread, open.time == entry.time
      else {
        return entry.event == .priorityChanged
      }
      lines.write(", ")
      writeAttribute(entry)
      return false
    default: break
    }
    return true
  }

  /// Whether a line ends with a value, which nothing can follow.
  private static func endsWithValue(_ entry: LogEntry) -> Bool {
    switch entry.event {
    case .record, .sampled, .sharedRead, .sharedWritten, .valueAnnounced: true
    default: false
    }
  }

  private mutating func note(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    while slot >= threads.count { threads.append(Thread()) }
    let label = labels.label(entry)
    threads[slot] = Thread(
      label: label, ordinal: ordinals.threadMade(label, names), isReady: true)
  }

  /// Ends the line that has no end yet.
  private mutating func closeLine() {
    if open == nil { return }
    open = nil
    lines.endLine()
  }

  private mutating func writeLine(_ entry: LogEntry) {
    closeLine()
    let before = lines.count
    if entry.time == moment.time {
      lines.write(moment.columns)
    } else {
      lines.write(Nanoseconds(entry.time), width: timeWidth)
      if lines.count - before == 16 { moment = (entry.time, lines.last16) }
    }
    let slot = Int(entry.thread)
    let isKnown = slot >= 0 && slot < threads.count
    let core = entry.core < 0 && isKnown ? threads[slot].core : entry.core
    if core >= 0 { lines.write(Int64(core), width: 4) } else { lines.write("    ") }
    lines.write("  ")
    writeColumn(entry.thread)
    writeWhat(entry)
    open = entry
    guard isKnown else { return }
    switch entry.event {
    case .threadRuns: threads[slot].core = entry.core
    case .threadPreempted, .threadBlocked, .threadEnded, .threadKilled: threads[slot].core = -1
    default: break
    }
  }

  /// Writes the column of the thread, which is made once for each thread.
  private mutating func writeColumn(_ slot: Int32) {
    let index = Int(slot)
    if index >= 0 && index < threads.count, let column = threads[index].column {
      lines.write(column)
      return
    }
    let before = lines.count
    let width = writeThread(slot, quoted: false)
    lines.pad(Swift.max(2, 16 - width))
    if index >= 0 && index < threads.count && lines.count - before == 16 {
      threads[index].column = lines.last16
    }
  }

  // MARK: Names

  /// Writes a thread's name; returns the number of columns.
  ///
  /// In its own column it has no quotes where that is unambiguous.
  @discardableResult
  mutating func writeThread(_ slot: Int32, quoted: Bool = true) -> Int {
    guard slot >= 0 else {
      lines.write("world")
      return 5
    }
    let isKnown = Int(slot) < threads.count
    let name =
      (isKnown ? threads[Int(slot)].label.text(names) : nil) ?? "thread \(slot)"
    let utf8 = Array(name.utf8)
    let isBare = !quoted && LogWriter.isPlain(utf8)
    return lines.write(name: utf8[...], quoted: !isBare)
      + writeOrdinal(isKnown ? threads[Int(slot)].ordinal : 1)
  }

  /// Whether a name needs no quotes: no space, comma, number sign, quote, or character that is escaped.
  private static func isPlain(_ name: [UInt8]) -> Bool {
    if name.isEmpty || name.elementsEqual("world".utf8) { return false }
    return name.allSatisfy {
      $0 > 0x20 && $0 != 0x7F && $0 != 0x22 && $0 != 0x23 && $0 != 0x2C && $0 != 0x5C
    }
  }

  /// Writes which one of its name something is, unless it is the first; how many columns it took.
  @discardableResult
  mutating func writeOrdinal(_ ordinal: Int32) -> Int {
    if ordinal <= 1 { return 0 }
    let before = lines.count
    lines.write("#")
    lines.write(Int64(ordinal))
    return lines.count - before
  }

  /// Writes a space and a name in quotes; nothing without a name.
  mutating func writeName(_ name: Int32) {
    guard name >= 0 else { return }
    lines.write(" ")
    lines.write(name: names.utf8(NameID(Int(name))), quoted: true)
  }

  /// Writes a space and the name of an object of a family; nothing when it has none.
  mutating func writeObject(_ name: Int32, _ family: ObjectFamily, _ number: Int32) {
    guard name >= 0 else { return }
    writeName(name)
    writeOrdinal(ordinals.ordinal(family, number))
  }
}
