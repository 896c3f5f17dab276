public import SpindleModel

/// A run as the text of the kernel's tracer, for tools that read traces of Linux.
///
/// Times have nine digits behind the point, so that nothing is lost; most readers take them.
///
/// Source: torvalds/linux:Documentation/trace/ftrace.rst, and include/trace/events/sched.h for the
/// events' fields.
public final class FtraceExport: TimelineExport {
  private let write: (ArraySlice<UInt8>) -> Void
  private var lines = LogLines()
  private var kernel = KernelTally(byCore: false)
  private var names = ExportNames(FtraceExport.word)
  private var startedItem: ItemSlice?

  /// All times are a second later, since tools take 0 for unknown.
  private static let origin: Int64 = 1_000_000_000

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) { self.write = write }

  /// A text without spaces and lines, which would end it.
  private static func word(_ text: String) -> String {
    String(text.map { $0.isWhitespace || $0.isNewline || $0 == "|" ? "_" : $0 })
  }

  public func begin(_ run: RunDescription) {
    names.begin(run)
    lines.write("# tracer: nop\n#\n# times are virtual, and a second later than the run's own\n#\n")
    lines.write("#           TASK-PID     TGID   CPU#  FLAGS    TIMESTAMP  FUNCTION\n")
  }

  public func threadBegan(_ thread: ThreadFacts) { kernel.began(thread, names.text(thread)) }

  public func laneBegan(_ lane: LaneFacts) { names.add(lane) }

  public func stateBegan(_ slice: ThreadSlice) {
    kernel.stateBegan(slice)
    writeEvents()
  }

  public func stateEnded(_ slice: ThreadSlice) {
    kernel.stateEnded(slice)
    writeEvents()
  }

  public func itemStarted(_ item: ItemSlice) { startedItem = item }

  public func spanBegan(_ span: SpanSlice) {
    let name: String
    if span.kind == .item, let item = startedItem {
      name = names.text(item)
    } else {
      name = names.text(span)
    }
    mark(span.thread, span.start) { lines in
      lines.write("B|1000|")
      lines.write(text: name)
    }
  }

  public func spanEnded(_ span: SpanSlice) {
    mark(span.thread, span.end) { $0.write("E|1000") }
  }

  public func noted(_ note: TimelineNote) {
    guard note.kind == .memory else { return }
    mark(note.thread, note.time) { lines in
      lines.write("C|1000|memory_in_use|")
      lines.write(note.value)
    }
  }

  public func end(_ record: RunRecord) {
    kernel.advance(to: record.end.nanoseconds + 1)
    writeEvents()
    write(lines.take()[...])
  }

  /// Writes what a thread tells of itself.
  private func mark(
    _ thread: ThreadIndex, _ time: Instant, _ body: (inout LogLines) -> Void
  ) {
    kernel.advance(to: time.nanoseconds)
    writeEvents()
    let core = kernel.threads.find(thread).map { max(0, $0.pointee.lastCore) } ?? 0
    start(thread, core, time.nanoseconds)
    lines.write("tracing_mark_write: ")
    body(&lines)
    finish()
  }

  private func writeEvents() {
    for event in kernel.events {
      start(event.first, event.core, event.time)
      if event.isWaking {
        lines.write("sched_waking: comm=")
        name(event.second, event.core)
        lines.write(" pid=")
        lines.write(LiveThread.number(event.second))
        lines.write(" prio=120 target_cpu=")
        digits(Int64(event.core), 3)
      } else {
        lines.write("sched_switch: prev_comm=")
        name(event.first, event.core)
        lines.write(" prev_pid=")
        lines.write(FtraceExport.number(event.first))
        lines.write(" prev_prio=120 prev_state=")
        lines.write(event.state.letter)
        lines.write(" ==> next_comm=")
        name(event.second, event.core)
        lines.write(" next_pid=")
        lines.write(FtraceExport.number(event.second))
        lines.write(" next_prio=120")
      }
      finish()
    }
    kernel.events.removeAll(keepingCapacity: true)
  }

  /// Writes what each line begins with.
  private func start(_ thread: ThreadIndex, _ core: Int32, _ time: Int64) {
    lines.write(" ")
    name(thread, core)
    lines.write("-")
    lines.write(FtraceExport.number(thread))
    lines.write(thread.isNone ? " (-----) [" : " (1000) [")
    digits(Int64(core), 3)
    lines.write("] d..2. ")
    let (seconds, rest) = (time + FtraceExport.origin).quotientAndRemainder(
      dividingBy: 1_000_000_000)
    lines.write(seconds)
    lines.write(".")
    digits(rest, 9)
    lines.write(": ")
  }

  private func finish() {
    lines.endLine()
    if lines.count >= LogLines.chunkSize { write(lines.take()[...]) }
  }

  private static func number(_ thread: ThreadIndex) -> Int64 {
    thread.isNone ? 0 : LiveThread.number(thread)
  }

  private func name(_ thread: ThreadIndex, _ core: Int32) {
    if let live = kernel.threads.find(thread) {
      lines.write(name: live.pointee.name[...], quoted: false)
    } else if thread.isNone {
      lines.write("swapper/")
      lines.write(Int64(core))
    } else {
      lines.write("ended")
    }
  }

  /// Writes a number with leading zeros.
  private func digits(_ number: Int64, _ count: Int) {
    var (limit, digits) = (Int64(10), 1)
    while digits < count {
      if number < limit { lines.write("0") }
      limit *= 10
      digits += 1
    }
    lines.write(number)
  }
}
