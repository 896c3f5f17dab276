import SpindleModel

/// Writes the events of `ChromeExport`, straight into bytes.
struct ChromeWriter: ~Copyable {
  private let hand: (ArraySlice<UInt8>) -> Void
  private var lines = LogLines()
  private var names = ExportNames { JSONValue.string($0).text }
  private var threads = ExportThreads()
  private var isFirst = true
  private var startedItem: ItemSlice?
  /// A thread that has just been woken, whose wait has not ended in the file.
  private var woken = ThreadIndex.none
  /// The number of arrows from wakers to woken threads so far.
  private var wakes: Int64 = 0
  private var lanes: ContiguousArray<Lane> = []
  private var liveThreads: Int64 = 0

  /// The state of an executor that takes items.
  private struct Lane {
    /// How many items wait.
    var waiting: Int64 = 0
    /// What the counter of that is called.
    var counter: ExportText
  }

  /// The processes of the cores and of the program, as events name them.
  private enum Process {
    case machine
    case program
  }

  /// The number of the thread for the outside world.
  private static let outside: Int64 = 999

  init(hand: @escaping (ArraySlice<UInt8>) -> Void) { self.hand = hand }

  mutating func begin(_ run: RunDescription) {
    names.begin(run)
    threads = ExportThreads()
    (isFirst, lanes, liveThreads, startedItem) = (true, [], 0, nil)
    (woken, wakes) = (.none, 0)
    lines.write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [")
    name("process_name", .machine, 0, "Cores")
    for core in run.machine.cores.indices {
      name("thread_name", .machine, Int64(core) + 1, "core \(core)")
    }
    name("process_name", .program, 0, run.program.title)
    name("thread_name", .program, ChromeWriter.outside, "world outside")
  }

  mutating func threadBegan(_ thread: ThreadFacts) {
    let text = names.text(thread)
    threads.add(thread.thread, text)
    beginName("thread_name", .program, LiveThread.number(thread.thread))
    lines.write(text: text)
    endName()
    liveThreads += 1
    countLiveThreads(thread.time)
  }

  mutating func laneBegan(_ lane: LaneFacts) {
    names.add(lane)
    let name = String(decoding: names.utf8(names.text(lane.lane)).dropFirst(), as: UTF8.self)
    lanes.append(Lane(counter: names.keep("\"waiting: " + name)))
  }

  mutating func stateBegan(_ slice: ThreadSlice) {
    if slice.began == .woken { endWait(slice) }
    guard let reason = slice.reason, reason.isShown else { return }
    event("B", slice.start, LiveThread.number(slice.thread))
    write(names.text(reason, slice.name))
    lines.write(", \"cat\": \"wait\"")
    arguments(place: slice.place)
    close()
  }

  mutating func stateEnded(_ slice: ThreadSlice) {
    let number = LiveThread.number(slice.thread)
    if slice.reason?.isShown ?? false {
      // The waker is written next, and the arrow ends in its wait.
      if slice.ended == .woken { woken = slice.thread } else { end(number, slice.end) }
    }
    state(slice, number)
    if slice.state == .running && slice.core.index >= 0 {
      event("X", slice.start, Int64(slice.core.index) + 1, .machine)
      if let name = threads.utf8(slice.thread) {
        lines.write(bytes: name)
      } else {
        lines.write("\"\"")
      }
      duration(slice)
      close()
    }
    guard slice.ended == .ended || slice.ended == .killed else { return }
    threads.drop(slice.thread)
    liveThreads -= 1
    countLiveThreads(slice.end)
  }

  /// Ends the wait of a woken thread, with an arrow from its waker; the waker has a slice of no length for
  /// it, since an arrow begins in a slice.
  private mutating func endWait(_ slice: ThreadSlice) {
    guard woken == slice.thread else { return }
    woken = .none
    let number = LiveThread.number(slice.thread)
    if !slice.agent.isNone && slice.agent != slice.thread {
      let waker = LiveThread.number(slice.agent)
      event("B", slice.start, waker)
      lines.write("\"wakes\", \"cat\": \"wake\", \"args\": {\"thread\": ")
      if let name = threads.utf8(slice.thread) { lines.write(bytes: name) }
      lines.write("}")
      close()
      wakeFlow("s", slice.start, waker)
      end(waker, slice.start)
      wakeFlow("f", slice.start, number)
      wakes += 1
    }
    end(number, slice.start)
  }

  private mutating func wakeFlow(_ phase: StaticString, _ time: Instant, _ thread: Int64) {
    event(phase, time, thread)
    lines.write("\"woken\", \"cat\": \"wake\", \"bp\": \"e\", \"id\": ")
    lines.write(wakes)
    close()
  }

  // MARK: What is held

  mutating func holdBegan(_ hold: HoldSlice) { self.hold("b", hold, hold.start) }

  mutating func holdEnded(_ hold: HoldSlice) { self.hold("e", hold, hold.end) }

  /// A hold is a slice of its own beside the threads, since holds overlap; its arguments name the owner.
  private mutating func hold(_ phase: StaticString, _ hold: HoldSlice, _ time: Instant) {
    let holder = hold.thread.isNone ? ChromeWriter.outside : LiveThread.number(hold.thread)
    event(phase, time, holder)
    let name = names.text(hold.lane)
    if name.isNone { lines.write("\"\"") } else { write(name) }
    // Of one lock several readers may have it, and of one name there may be several actors.
    var number = Int64(max(0, hold.lane.raw))
    switch hold.kind {
    case .exclusive: lines.write(", \"cat\": \"held\", \"id\": ")
    case .shared:
      lines.write(", \"cat\": \"held by readers\", \"id\": ")
      number |= Int64(max(0, hold.thread.raw)) << 24
    case .suspended: lines.write(", \"cat\": \"suspended\", \"id\": ")
    case .inactive: lines.write(", \"cat\": \"inactive\", \"id\": ")
    case .actor:
      lines.write(", \"cat\": \"actor\", \"id\": ")
      number = Int64(hold.item.raw)
    }
    lines.write(number)
    lines.write(", \"args\": {\"by\": ")
    if let thread = threads.utf8(hold.thread) {
      lines.write(bytes: thread)
    } else {
      lines.write("\"\"")
    }
    let position = names.position(hold.place)
    if !position.isNone {
      lines.write(", \"place\": \"")
      write(position)
      lines.write("\"")
    }
    lines.write("}")
    close()
  }

  private mutating func state(_ slice: ThreadSlice, _ number: Int64) {
    event("T", slice.start, number)
    switch slice.state {
    case .ready: lines.write("\"R\"")
    case .running: lines.write("\"Running\"")
    case .waiting: lines.write(slice.reason == .io ? "\"D\"" : "\"S\"")
    }
    duration(slice)
    if slice.state == .running {
      lines.write(", \"args\": {\"cpu\": ")
      lines.write(Int64(slice.core.index))
      lines.write("}")
    }
    close()
  }

  private mutating func duration(_ slice: ThreadSlice) {
    lines.write(", \"dur\": ")
    lines.write(microseconds: slice.length.rawValue)
  }

  mutating func itemSubmitted(_ item: ItemSlice) {
    let number = item.submitter.isNone ? ChromeWriter.outside : LiveThread.number(item.submitter)
    event("B", item.submitted, number)
    write(names.text(item))
    lines.write(", \"cat\": \"submit\"")
    arguments(place: item.place)
    close()
    flow("s", item, item.submitted, number)
    end(number, item.submitted)
    changeWaiting(item.lane, 1, item.submitted)
  }

  mutating func itemStarted(_ item: ItemSlice) {
    changeWaiting(item.lane, -1, item.started)
    startedItem = item
    if item.needsNoThread { async("b", item, item.started) }
  }

  mutating func itemEnded(_ item: ItemSlice) {
    if !item.hasStarted { changeWaiting(item.lane, -1, item.ended) }
    if item.hasStarted && item.needsNoThread { async("e", item, item.ended) }
  }

  mutating func spanBegan(_ span: SpanSlice) {
    let number = LiveThread.number(span.thread)
    event("B", span.start, number)
    if span.kind == .item, let item = startedItem, item.item == span.item {
      // A task that resumes later has its arrow already.
      startedItem = nil
      write(names.text(item))
      lines.write(", \"cat\": \"item\"")
      arguments(place: item.place)
      close()
      flow("f", item, span.start, number)
    } else {
      write(names.text(span))
      lines.write(", \"cat\": \"span\"")
      arguments(place: span.place)
      close()
    }
  }

  mutating func spanEnded(_ span: SpanSlice) { end(LiveThread.number(span.thread), span.end) }

  mutating func noted(_ note: TimelineNote) {
    switch note.kind {
    case .memory:
      event("C", note.time, 0)
      lines.write("\"memory in use\"")
      value(note.value)
    case .mark:
      event(
        "i", note.time,
        note.thread.isNone ? ChromeWriter.outside : LiveThread.number(note.thread))
      let name = names.text(note.name)
      if name.isNone { lines.write("\"\"") } else { write(name) }
      lines.write(", \"cat\": \"mark\", \"s\": \"t\"")
      close()
    case .finding, .machineSlept, .machineWoke: break
    }
  }

  mutating func end(_ record: RunRecord) {
    for finding in record.findings {
      event("i", finding.time, ChromeWriter.outside)
      lines.write(text: names.ready(finding.kind.rawValue))
      lines.write(", \"cat\": \"finding\", \"s\": \"g\", \"args\": {\"explanation\": ")
      lines.write(text: names.ready(finding.explanation))
      lines.write("}")
      close()
    }
    lines.write("\n]}\n")
    hand(lines.take()[...])
  }

  // MARK: Events

  /// Begins an event; its name comes next, and `close` ends it.
  @inline(__always)
  private mutating func event(
    _ phase: StaticString, _ time: Instant, _ thread: Int64, _ process: Process = .program
  ) {
    open(phase, process, thread)
    lines.write(", \"ts\": ")
    lines.write(microseconds: time.nanoseconds)
    lines.write(", \"name\": ")
  }

  @inline(__always)
  private mutating func open(_ phase: StaticString, _ process: Process, _ thread: Int64) {
    lines.write(isFirst ? "\n{\"ph\": \"" : ",\n{\"ph\": \"")
    isFirst = false
    lines.write(phase)
    switch process {
    case .machine: lines.write("\", \"pid\": 1, \"tid\": ")
    case .program: lines.write("\", \"pid\": 1000, \"tid\": ")
    }
    lines.write(thread)
  }

  @inline(__always)
  private mutating func write(_ text: ExportText) { lines.write(bytes: names.utf8(text)) }

  @inline(__always)
  private mutating func close() {
    lines.write("}")
    if lines.count >= LogLines.chunkSize { hand(lines.take()[...]) }
  }

  private mutating func end(_ thread: Int64, _ time: Instant) {
    open("E", .program, thread)
    lines.write(", \"ts\": ")
    lines.write(microseconds: time.nanoseconds)
    close()
  }

  private mutating func name(
    _ what: StaticString, _ process: Process, _ thread: Int64, _ name: String
  ) {
    beginName(what, process, thread)
    lines.write(text: names.ready(name))
    endName()
  }

  private mutating func beginName(_ what: StaticString, _ process: Process, _ thread: Int64) {
    open("M", process, thread)
    lines.write(", \"name\": \"")
    lines.write(what)
    lines.write("\", \"args\": {\"name\": ")
  }

  private mutating func endName() {
    lines.write("}")
    close()
  }

  private mutating func arguments(place: Int32) {
    let position = names.position(place)
    if position.isNone { return }
    lines.write(", \"args\": {\"place\": \"")
    write(position)
    lines.write("\"}")
  }

  @inline(__always)
  private mutating func flow(
    _ phase: StaticString, _ item: ItemSlice, _ time: Instant, _ thread: Int64
  ) {
    event(phase, time, thread)
    lines.write("\"submitted\", \"cat\": \"submit\", \"bp\": \"e\", \"id\": ")
    lines.write(Int64(item.item.raw))
    close()
  }

  private mutating func async(_ phase: StaticString, _ item: ItemSlice, _ time: Instant) {
    event(phase, time, ChromeWriter.outside)
    write(names.text(item))
    lines.write(", \"cat\": \"without a thread\", \"id\": ")
    lines.write(Int64(item.item.raw))
    close()
  }

  /// Writes what a counter is, and ends its event.
  @inline(__always)
  private mutating func value(_ value: Int64) {
    lines.write(", \"args\": {\"value\": ")
    lines.write(value)
    lines.write("}")
    close()
  }

  private mutating func countLiveThreads(_ time: Instant) {
    event("C", time, 0)
    lines.write("\"live threads\"")
    value(liveThreads)
  }

  private mutating func changeWaiting(_ lane: LaneIndex, _ change: Int64, _ time: Instant) {
    guard !lane.isNone && Int(lane.raw) < lanes.count else { return }
    lanes[Int(lane.raw)].waiting += change
    let known = lanes[Int(lane.raw)]
    event("C", time, 0)
    write(known.counter)
    value(known.waiting)
  }
}
