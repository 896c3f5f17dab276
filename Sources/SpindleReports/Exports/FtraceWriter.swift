import SpindleModel

/// Writes the lines of `FtraceExport`, straight into bytes.
struct FtraceWriter: ~Copyable {
  private let hand: (ArraySlice<UInt8>) -> Void
  private var lines = LogLines()
  private var kernel = KernelTally(byCore: false)
  private var names = ExportNames(FtraceWriter.word)
  private var startedItem: ItemSlice?

  /// All times are a second later, since tools take 0 for unknown.
  private static let origin: Int64 = 1_000_000_000

  init(hand: @escaping (ArraySlice<UInt8>) -> Void) { self.hand = hand }

  /// A text without spaces and lines, which would end it.
  private static func word(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x7C }) { return text }
    return String(text.map { $0.isWhitespace || $0.isNewline || $0 == "|" ? "_" : $0 })
  }

  mutating func begin(_ run: RunDescription) {
    names.begin(run)
    lines.write("# tracer: nop\n#\n# times are virtual, and a second later than the run's own\n#\n")
    lines.write("#           TASK-PID     TGID   CPU#  FLAGS    TIMESTAMP  FUNCTION\n")
  }

  mutating func threadBegan(_ thread: ThreadFacts) {
    // A name without control characters, so that each line copies it as it is.
    var name = LogLines(capacity: 64)
    name.write(name: Array(names.text(thread).utf8)[...], quoted: false)
    kernel.began(thread, String(decoding: name.take(), as: UTF8.self))
  }

  mutating func laneBegan(_ lane: LaneFacts) { names.add(lane) }

  mutating func stateBegan(_ slice: ThreadSlice) {
    kernel.stateBegan(slice)
    writeEvents()
  }

  mutating func stateEnded(_ slice: ThreadSlice) {
    kernel.stateEnded(slice)
    writeEvents()
  }

  mutating func itemStarted(_ item: ItemSlice) { startedItem = item }

  mutating func spanBegan(_ span: SpanSlice) {
    startMark(span.thread, span.start)
    lines.write("B|1000|")
    if span.kind == .item, let item = startedItem {
      lines.write(bytes: names.utf8(names.text(item)))
    } else {
      lines.write(bytes: names.utf8(names.text(span)))
    }
    finish()
  }

  mutating func spanEnded(_ span: SpanSlice) {
    startMark(span.thread, span.end)
    lines.write("E|1000")
    finish()
  }

  mutating func noted(_ note: TimelineNote) {
    guard note.kind == .memory else { return }
    startMark(note.thread, note.time)
    lines.write("C|1000|memory_in_use|")
    lines.write(note.value)
    finish()
  }

  mutating func end(_ record: RunRecord) {
    kernel.advance(to: record.end.nanoseconds + 1)
    writeEvents()
    hand(lines.take()[...])
  }

  /// Begins the line in which a thread tells something of itself.
  private mutating func startMark(_ thread: ThreadIndex, _ time: Instant) {
    kernel.advance(to: time.nanoseconds)
    writeEvents()
    let core = kernel.threads.find(thread).map { max(0, $0.pointee.lastCore) } ?? 0
    start(thread, core, time.nanoseconds)
    lines.write("tracing_mark_write: ")
  }

  private mutating func writeEvents() {
    if kernel.events.isEmpty { return }
    for index in kernel.events.indices {
      let event = kernel.events[index]
      start(event.first, event.core, event.time)
      if event.isWaking {
        lines.write("sched_waking: comm=")
        name(event.second, event.core)
        lines.write(" pid=")
        lines.write(LiveThread.number(event.second))
        lines.write(" prio=120 target_cpu=")
        lines.write(Int64(event.core), digits: 3)
      } else {
        lines.write("sched_switch: prev_comm=")
        name(event.first, event.core)
        lines.write(" prev_pid=")
        lines.write(FtraceWriter.number(event.first))
        lines.write(" prev_prio=120 prev_state=")
        lines.write(event.state.letter)
        lines.write(" ==> next_comm=")
        name(event.second, event.core)
        lines.write(" next_pid=")
        lines.write(FtraceWriter.number(event.second))
        lines.write(" next_prio=120")
      }
      finish()
    }
    kernel.events.removeAll(keepingCapacity: true)
  }

  /// Writes what each line begins with.
  private mutating func start(_ thread: ThreadIndex, _ core: Int32, _ time: Int64) {
    lines.write(" ")
    name(thread, core)
    lines.write("-")
    lines.write(FtraceWriter.number(thread))
    lines.write(thread.isNone ? " (-----) [" : " (1000) [")
    lines.write(Int64(core), digits: 3)
    lines.write("] d..2. ")
    let (seconds, rest) = (time + FtraceWriter.origin).quotientAndRemainder(
      dividingBy: 1_000_000_000)
    lines.write(seconds)
    lines.write(".")
    lines.write(rest, digits: 9)
    lines.write(": ")
  }

  private mutating func finish() {
    lines.endLine()
    if lines.count >= LogLines.chunkSize { hand(lines.take()[...]) }
  }

  private static func number(_ thread: ThreadIndex) -> Int64 {
    thread.isNone ? 0 : LiveThread.number(thread)
  }

  private mutating func name(_ thread: ThreadIndex, _ core: Int32) {
    if let live = kernel.threads.find(thread) {
      live.pointee.name.withUnsafeBufferPointer { lines.write(bytes: $0) }
    } else if thread.isNone {
      lines.write("swapper/")
      lines.write(Int64(core))
    } else {
      lines.write("ended")
    }
  }
}
