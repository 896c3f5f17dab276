public import SpindleModel

/// A run as the JSON of Chrome's trace viewer, which most viewers open.
///
/// The cores are a process of their own beside the program's, each with slices of who ran on it. States
/// of threads are events of phase `T`, which older viewers pass over.
///
/// Source: the Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
public final class ChromeExport: TimelineExport {
  private let write: (ArraySlice<UInt8>) -> Void
  private var lines = LogLines()
  private var names = ExportNames { JSONValue.string($0).text }
  private var isFirst = true
  private var waiting: ContiguousArray<Int64> = []
  private var liveThreads: Int64 = 0

  /// The number of the process that stands for the cores.
  private static let machine: Int64 = 1
  /// The program's.
  private static let process: Int64 = 1_000
  /// The number of the thread that stands for the world outside.
  private static let outside: Int64 = 999

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) { self.write = write }

  public func begin(_ run: RunDescription) {
    names.begin(run)
    (isFirst, waiting, liveThreads) = (true, [], 0)
    lines.write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [")
    name("process_name", ChromeExport.machine, 0, names.text("Cores"))
    for core in run.machine.cores.indices {
      name("thread_name", ChromeExport.machine, Int64(core) + 1, names.text("core \(core)"))
    }
    name("process_name", ChromeExport.process, 0, names.text(run.program.title))
    name(
      "thread_name", ChromeExport.process, ChromeExport.outside, names.text("world outside"))
  }

  public func threadBegan(_ thread: ThreadFacts) {
    let number = LiveThread.number(thread.thread)
    threadNames[Int64(thread.thread.raw)] = names.text(thread)
    name("thread_name", ChromeExport.process, number, threadNames[Int64(thread.thread.raw)] ?? "")
    liveThreads += 1
    count("\"live threads\"", liveThreads, thread.time)
  }

  private var threadNames: OpenTable<String> = OpenTable()

  public func laneBegan(_ lane: LaneFacts) {
    names.add(lane)
    waiting.append(0)
  }

  public func stateBegan(_ slice: ThreadSlice) {
    guard let reason = slice.reason, reason.isShown else { return }
    event("B", slice.start, LiveThread.number(slice.thread), names.text(reason, slice.name))
    lines.write(", \"cat\": \"wait\"")
    arguments(place: slice.place)
    close()
  }

  public func stateEnded(_ slice: ThreadSlice) {
    let number = LiveThread.number(slice.thread)
    if slice.reason?.isShown ?? false { end(number, slice.end) }
    state(slice, number)
    if slice.state == .running && slice.core.index >= 0 {
      let name = threadNames[Int64(slice.thread.raw)] ?? "\"\""
      event(
        "X", slice.start, Int64(slice.core.index) + 1, name, process: ChromeExport.machine)
      lines.write(", \"dur\": ")
      lines.write(microseconds: slice.length.rawValue)
      close()
    }
    guard slice.ended == .ended || slice.ended == .killed else { return }
    threadNames[Int64(slice.thread.raw)] = nil
    liveThreads -= 1
    count("\"live threads\"", liveThreads, slice.end)
  }

  private func state(_ slice: ThreadSlice, _ number: Int64) {
    let name: String
    switch slice.state {
    case .ready: name = "\"R\""
    case .running: name = "\"Running\""
    case .waiting: name = slice.reason == .io ? "\"D\"" : "\"S\""
    }
    event("T", slice.start, number, name)
    lines.write(", \"dur\": ")
    lines.write(microseconds: slice.length.rawValue)
    if slice.state == .running {
      lines.write(", \"args\": {\"cpu\": ")
      lines.write(Int64(slice.core.index))
      lines.write("}")
    }
    close()
  }

  public func itemSubmitted(_ item: ItemSlice) {
    let number = item.submitter.isNone ? ChromeExport.outside : LiveThread.number(item.submitter)
    let name = names.text(item)
    event("B", item.submitted, number, name)
    lines.write(", \"cat\": \"submit\"")
    arguments(place: item.place)
    close()
    flow("s", item, item.submitted, number)
    end(number, item.submitted)
    changeWaiting(item.lane, 1, item.submitted)
  }

  public func itemStarted(_ item: ItemSlice) {
    changeWaiting(item.lane, -1, item.started)
    startedItem = item
    if item.needsNoThread { async("b", item, item.started) }
  }

  private var startedItem: ItemSlice?

  public func itemEnded(_ item: ItemSlice) {
    if !item.hasStarted { changeWaiting(item.lane, -1, item.ended) }
    if item.hasStarted && item.needsNoThread { async("e", item, item.ended) }
  }

  public func spanBegan(_ span: SpanSlice) {
    let number = LiveThread.number(span.thread)
    if span.kind == .item, let item = startedItem, item.item == span.item {
      // A task that goes on later has its arrow already.
      startedItem = nil
      event("B", span.start, number, names.text(item))
      lines.write(", \"cat\": \"item\"")
      arguments(place: item.place)
      close()
      flow("f", item, span.start, number)
    } else {
      event("B", span.start, number, names.text(span))
      lines.write(", \"cat\": \"span\"")
      arguments(place: span.place)
      close()
    }
  }

  public func spanEnded(_ span: SpanSlice) { end(LiveThread.number(span.thread), span.end) }

  public func noted(_ note: TimelineNote) {
    let number = note.thread.isNone ? ChromeExport.outside : LiveThread.number(note.thread)
    switch note.kind {
    case .memory: count("\"memory in use\"", note.value, note.time)
    case .mark:
      event("i", note.time, number, names.text(note.name) ?? "\"\"")
      lines.write(", \"cat\": \"mark\", \"s\": \"t\"")
      close()
    case .finding, .machineSlept, .machineWoke: break
    }
  }

  public func end(_ record: RunRecord) {
    for finding in record.findings {
      event("i", finding.time, ChromeExport.outside, names.text(finding.kind.rawValue))
      lines.write(", \"cat\": \"finding\", \"s\": \"g\", \"args\": {\"explanation\": ")
      lines.write(text: names.text(finding.explanation))
      lines.write("}")
      close()
    }
    lines.write("\n]}\n")
    write(lines.take()[...])
  }

  // MARK: Events

  /// Begins an event; `close` ends it.
  private func event(
    _ phase: StaticString, _ time: Instant, _ thread: Int64, _ name: String,
    process: Int64 = ChromeExport.process
  ) {
    open(phase, process, thread)
    lines.write(", \"ts\": ")
    lines.write(microseconds: time.nanoseconds)
    lines.write(", \"name\": ")
    lines.write(text: name)
  }

  private func open(_ phase: StaticString, _ process: Int64, _ thread: Int64) {
    lines.write(isFirst ? "\n{\"ph\": \"" : ",\n{\"ph\": \"")
    isFirst = false
    lines.write(phase)
    lines.write("\", \"pid\": ")
    lines.write(process)
    lines.write(", \"tid\": ")
    lines.write(thread)
  }

  private func close() {
    lines.write("}")
    if lines.count >= LogLines.chunkSize { write(lines.take()[...]) }
  }

  private func end(_ thread: Int64, _ time: Instant) {
    open("E", ChromeExport.process, thread)
    lines.write(", \"ts\": ")
    lines.write(microseconds: time.nanoseconds)
    close()
  }

  private func name(_ what: StaticString, _ process: Int64, _ thread: Int64, _ name: String) {
    open("M", process, thread)
    lines.write(", \"name\": \"")
    lines.write(what)
    lines.write("\", \"args\": {\"name\": ")
    lines.write(text: name)
    lines.write("}")
    close()
  }

  private func arguments(place: Int32) {
    guard let position = names.position(place) else { return }
    lines.write(", \"args\": {\"place\": \"")
    lines.write(text: position)
    lines.write("\"}")
  }

  private func flow(_ phase: StaticString, _ item: ItemSlice, _ time: Instant, _ thread: Int64) {
    event(phase, time, thread, "\"submitted\"")
    lines.write(", \"cat\": \"submit\", \"bp\": \"e\", \"id\": ")
    lines.write(Int64(item.item.raw))
    close()
  }

  private func async(_ phase: StaticString, _ item: ItemSlice, _ time: Instant) {
    event(phase, time, ChromeExport.outside, names.text(item))
    lines.write(", \"cat\": \"without a thread\", \"id\": ")
    lines.write(Int64(item.item.raw))
    close()
  }

  private func count(_ name: String, _ value: Int64, _ time: Instant) {
    event("C", time, 0, name)
    lines.write(", \"args\": {\"value\": ")
    lines.write(value)
    lines.write("}")
    close()
  }

  private func changeWaiting(_ lane: LaneIndex, _ change: Int64, _ time: Instant) {
    guard !lane.isNone && Int(lane.raw) < waiting.count else { return }
    waiting[Int(lane.raw)] += change
    let name = names.text(lane) ?? "\"\""
    count("\"waiting: " + name.dropFirst(), waiting[Int(lane.raw)], time)
  }
}
