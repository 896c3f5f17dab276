import SpindleModel

/// Turns log entries into lines.
struct LogWriter: ~Copyable {
  /// The lines that have not been taken yet.
  var lines = LogLines()
  /// How many lines there are between top and end, written or not.
  private(set) var lineCount = 0
  /// The texts of the run.
  private(set) var names = NameTable([])
  private var limit = Int.max
  private var memoryPeak: Int64 = 0
  /// By thread slot: what it is called, and how that stands in its column.
  private var threads: ContiguousArray<Thread> = []
  private var labels = ThreadLabels()
  /// The moment of the last line, and the 16 bytes that its time and core took.
  private var moment: (time: Int64, columns: (UInt64, UInt64)) = (-1, (0, 0))
  /// By the name's number: how the value of a shared variable of this name is written.
  private var formats: [Int32: ValueFormat] = [:]

  private static let timeWidth = 12

  private struct Thread {
    var label = ThreadLabel()
    /// When it was made or preempted; that it is ready at that moment needs no line.
    var readySince: Int64 = -1
    /// The core that it has, or -1.
    var core: Int16 = -1
    /// The name, filled up with spaces to 16 bytes; nil when it is longer or not made yet.
    var column: (UInt64, UInt64)?
  }

  /// A writer for no run.
  init() {}

  /// Creates a writer that stops after `limit` lines, and writes what stands at the top.
  init(_ run: RunDescription, limit: Int) {
    names = run.names
    self.limit = limit
    for global in run.program.globals where global.isVariable {
      var name = global.name
      if let number = name.withUTF8({ run.names.find($0) }) {
        formats[number.index] = global.format
      }
    }
    writeHeader(run)
  }

  /// Whether there is enough text to be taken.
  var isFull: Bool { lines.count >= LogLines.chunkSize }

  /// Hands out the text that has not been taken yet.
  mutating func take() -> [UInt8] { lines.take() }

  /// Writes entries until there is enough to be taken; the index of the first that is left.
  mutating func write(_ entries: UnsafeBufferPointer<LogEntry>, from start: Int) -> Int {
    var index = start
    while index < entries.count {
      let entry = entries[index]
      index &+= 1
      if !hasLine(entry) { continue }
      lineCount &+= 1
      guard lineCount <= limit else { continue }
      writeLine(entry)
      if isFull { break }
    }
    return index
  }

  /// Writes what stands at the top.
  private mutating func writeHeader(_ run: RunDescription) {
    let machine = run.machine
    lines.write("# spindle log 1\n# ")
    lines.write(name: Array(run.program.title.utf8)[...], quoted: false)
    lines.write(
      text: "\n# \(machine.platform.rawValue), \(Int64(machine.cores.count).counted("core"))")
    lines.write(text: ", \(machine.memory), \(machine.costs), \(machine.policy)")
    lines.write(text: ", seed \(run.program.seed)\n")
    for parameter in run.program.parameters {
      lines.write(text: "# \(parameter.name) = \(parameter.value)\n")
    }
  }

  /// Writes what stands at the end.
  mutating func writeFooter(_ record: RunRecord, _ fingerprint: Fingerprint) {
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
    lines.write(text: "# entries \(fingerprint.entryCount), memory peak \(ByteCount(memoryPeak)), ")
    lines.write(text: "digest \(fingerprint.text)\n")
  }

  /// Notes what later lines need of the entry; whether it has a line of its own.
  private mutating func hasLine(_ entry: LogEntry) -> Bool {
    let slot = Int(entry.thread)
    switch entry.event {
    case .threadCreated: note(entry)
    case .threadPreempted:
      if slot >= 0 && slot < threads.count { threads[slot].readySince = entry.time }
    case .threadReady:
      return slot < 0 || slot >= threads.count || threads[slot].readySince != entry.time
    case .memoryChanged:
      memoryPeak = Swift.max(memoryPeak, entry.value)
      return false
    default: break
    }
    return true
  }

  private mutating func note(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    while slot >= threads.count { threads.append(Thread()) }
    threads[slot] = Thread(label: labels.label(entry), readySince: entry.time)
  }

  private mutating func writeLine(_ entry: LogEntry) {
    lines.beginLine()
    let before = lines.count
    if entry.time == moment.time {
      lines.write(moment.columns, size: LogWriter.timeWidth)
    } else {
      lines.write(Nanoseconds(entry.time), width: LogWriter.timeWidth)
    }
    let slot = Int(entry.thread)
    let isKnown = slot >= 0 && slot < threads.count
    let core = entry.core < 0 && isKnown ? threads[slot].core : entry.core
    if core >= 0 { lines.write(Int64(core), width: 4) } else { lines.write("    ") }
    if entry.time != moment.time && lines.count - before == 16 {
      moment = (entry.time, lines.last16)
    }
    lines.write("  ")
    writeColumn(entry.thread)
    writeWhat(entry)
    lines.endLine()
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
      lines.write(column, size: 16)
      return
    }
    let before = lines.count
    let width = writeThread(slot)
    lines.pad(Swift.max(2, 16 - width))
    if index >= 0 && index < threads.count && lines.count - before == 16 {
      threads[index].column = lines.last16
    }
  }

  /// Writes a thread's name; how many columns it took.
  @discardableResult
  mutating func writeThread(_ slot: Int32) -> Int {
    guard slot >= 0 else {
      lines.write("world")
      return 5
    }
    if Int(slot) < threads.count, let name = threads[Int(slot)].label.text(names), !name.isEmpty {
      return lines.write(name: Array(name.utf8)[...], quoted: false)
    }
    let before = lines.count
    lines.write("thread ")
    lines.write(Int64(slot))
    return lines.count - before
  }

  /// Writes a space and a name in quotes; nothing when there is none.
  mutating func writeName(_ name: Int32) {
    guard name >= 0 else { return }
    lines.write(" ")
    lines.write(name: names.utf8(NameID(Int(name))), quoted: true)
  }

  /// How the value of a shared variable is written.
  func format(of name: Int32) -> ValueFormat {
    formats[name] ?? .integer
  }
}
