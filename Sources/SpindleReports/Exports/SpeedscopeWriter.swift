import SpindleModel

/// Writes the profiles of `SpeedscopeExport`, straight into bytes.
struct SpeedscopeWriter: ~Copyable {
  private let hand: (ArraySlice<UInt8>) -> Void
  private var lines = LogLines()
  private var names = ExportNames { $0 }
  private var program: Program?
  private var profiles = TallyTable<SpeedscopeProfile>()
  /// By number of a thread that lives: its place among the profiles.
  private var threads = OpenTable<Int32>()
  private var free: ContiguousArray<Int32> = []
  private var profileCount = 0
  /// The place of the main thread among the profiles that are written.
  private var mainProfile = 0
  private var frames = SpeedscopeFrames()
  /// By number of an item that has begun and not ended: its frame.
  private var items = OpenTable<Int32>()

  init(hand: @escaping (ArraySlice<UInt8>) -> Void) { self.hand = hand }

  mutating func begin(_ run: RunDescription) {
    names.begin(run)
    program = run.program
    let title = JSONValue.string(run.program.title).text
    lines.write("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n")
    lines.write(text: "\"exporter\": \"spindle\",\n\"name\": \(title),\n\"profiles\": [\n")
  }

  mutating func threadBegan(_ thread: ThreadFacts) {
    let place = free.popLast() ?? Int32(profiles.count)
    if Int(place) == profiles.count { profiles.append(SpeedscopeProfile()) }
    profiles[Int(place)].pointee.begin(names.text(thread), isMain: thread.origin == .main)
    threads[Int64(thread.thread.raw)] = place
  }

  mutating func stateBegan(_ slice: ThreadSlice) {
    guard let place = threads[Int64(slice.thread.raw)] else { return }
    closeLeaf(of: place, at: slice.start.nanoseconds)
    let profile = profiles[Int(place)]
    profile.pointee.state = slice.state
    (profile.pointee.reason, profile.pointee.name) = (slice.reason, slice.name)
    profile.pointee.openLeaf(at: slice.start.nanoseconds)
  }

  mutating func stateEnded(_ slice: ThreadSlice) {
    guard slice.ended == .ended || slice.ended == .killed else { return }
    finish(slice.thread, at: slice.end)
  }

  mutating func spanBegan(_ span: SpanSlice) {
    let frame = frame(of: span)
    guard let place = threads[Int64(span.thread.raw)] else { return }
    closeLeaf(of: place, at: span.start.nanoseconds)
    let profile = profiles[Int(place)]
    profile.pointee.open(frame, at: span.start.nanoseconds)
    profile.pointee.openLeaf(at: span.start.nanoseconds)
  }

  mutating func spanEnded(_ span: SpanSlice) {
    guard let place = threads[Int64(span.thread.raw)] else { return }
    closeLeaf(of: place, at: span.end.nanoseconds)
    let profile = profiles[Int(place)]
    profile.pointee.close(Int(span.depth), at: span.end.nanoseconds)
    profile.pointee.openLeaf(at: span.end.nanoseconds)
  }

  mutating func itemStarted(_ item: ItemSlice) {
    guard let program, !item.needsNoThread else { return }
    let kind = Int(item.kind)
    let isKnown = kind >= 0 && kind < program.kinds.count
    let text = isKnown ? names.text(kind: item.kind) : names.text(item)
    items[Int64(item.item.raw)] = frames.frame(text, item.place, names)
  }

  mutating func itemEnded(_ item: ItemSlice) { items[Int64(item.item.raw)] = nil }

  mutating func end(_ record: RunRecord) {
    for key in threads.sortedKeys { finish(ThreadIndex(Int32(key)), at: record.end) }
    if profileCount == 0 {
      var profile = SpeedscopeProfile()
      profile.begin("main", isMain: true)
      add(&profile, at: record.end)
    }
    lines.write(text: "\n],\n\"activeProfileIndex\": \(mainProfile),\n\"shared\": {\"frames\": [\n")
    for (index, frame) in frames.all.enumerated() {
      lines.write(text: index == 0 ? "" : ",\n")
      lines.write(text: "{\"name\": \(JSONValue.string(frame.name).text)\(place(frame.place))}")
      flushIfFull()
    }
    lines.write("\n]}}\n")
    hand(lines.take()[...])
  }

  // MARK: Stacks

  /// Writes what the state was until now, if that took time.
  @inline(__always)
  private mutating func closeLeaf(of place: Int32, at time: Int64) {
    let profile = profiles[Int(place)]
    guard profile.pointee.hasLeaf, time > profile.pointee.leafStart else { return }
    let text: ExportText
    switch profile.pointee.state {
    case .ready: text = frames.ready(&names)
    case .running: text = frames.running(&names)
    case .waiting:
      text =
        profile.pointee.reason.map { names.text($0, profile.pointee.name) }
        ?? frames.waiting(&names)
    }
    let frame = frames.frame(text, -1, names)
    profile.pointee.add("{\"type\": \"O\", \"frame\": ", frame, profile.pointee.leafStart)
    profile.pointee.add("{\"type\": \"C\", \"frame\": ", frame, time)
  }

  private mutating func frame(of span: SpanSlice) -> Int32 {
    if span.kind != .item { return frames.frame(names.text(span), span.place, names) }
    if let item = items[Int64(span.item.raw)] { return item }
    let text = span.name.index < 0 ? names.text(kind: -1) : names.text(span.name)
    return frames.frame(text, span.place, names)
  }

  // MARK: Writing

  /// `, "file": "a.trace", "line": 3, "col": 5`; empty for no place.
  private func place(_ place: Int32) -> String {
    guard let program, let position = names.positionText(place) else { return "" }
    let parts = position.split(separator: ":")
    guard parts.count == 2 else { return "" }
    let file = JSONValue.string(program.source.name).text
    return ", \"file\": \(file), \"line\": \(parts[0]), \"col\": \(parts[1])"
  }

  /// Writes all of a thread, which has ended, or the run has.
  private mutating func finish(_ thread: ThreadIndex, at time: Instant) {
    guard let place = threads[Int64(thread.raw)] else { return }
    threads[Int64(thread.raw)] = nil
    closeLeaf(of: place, at: time.nanoseconds)
    let profile = profiles[Int(place)]
    profile.pointee.closeAll(at: time.nanoseconds)
    if profile.pointee.events.count > 0 { add(&profile.pointee, at: time) }
    free.append(place)
  }

  private mutating func add(_ profile: inout SpeedscopeProfile, at time: Instant) {
    if profile.isMain { mainProfile = profileCount }
    lines.write(text: profileCount == 0 ? "" : ",\n")
    profileCount += 1
    let name = JSONValue.string(profile.title).text
    lines.write(
      text: "{\"type\": \"evented\", \"name\": \(name), \"unit\": \"nanoseconds\", "
        + "\"startValue\": 0, \"endValue\": \(time.nanoseconds), \"events\": [\n")
    flushIfFull()
    let events = profile.events.take()
    hand(lines.take()[...])
    hand(events[...])
    lines.write("\n]}")
  }

  private mutating func flushIfFull() {
    if lines.count >= LogLines.chunkSize { hand(lines.take()[...]) }
  }
}

/// A thread that lives, in a file for speedscope: its events grow in place.
struct SpeedscopeProfile: ~Copyable {
  private(set) var title = ""
  private(set) var isMain = false
  /// Its events so far, as JSON.
  var events = LogLines(capacity: 256)
  /// The frames of what it is about, the innermost last.
  private var stack: [Int32] = []
  /// Its state; nil before it has one.
  var state = ThreadState.ready
  var reason: WaitReason?
  var name = NameID.none
  /// Whether its state stands in the stack, and since when.
  private(set) var hasLeaf = false
  private(set) var leafStart: Int64 = 0

  init() {}

  mutating func begin(_ title: String, isMain: Bool) {
    (self.title, self.isMain) = (title, isMain)
    events = LogLines(capacity: 256)
    stack.removeAll(keepingCapacity: true)
    hasLeaf = false
  }

  /// Notes whether the state stands in the stack from now on: not where the thread runs what it is about,
  /// or idles.
  mutating func openLeaf(at time: Int64) {
    switch state {
    case .ready: hasLeaf = true
    case .running: hasLeaf = stack.isEmpty
    case .waiting:
      let isIdle = reason == .runLoop || reason == .idleWorker
      hasLeaf = !isIdle || !stack.isEmpty
    }
    leafStart = time
  }

  @inline(__always)
  mutating func add(_ start: StaticString, _ frame: Int32, _ time: Int64) {
    if events.count > 0 { events.write(",\n") }
    events.write(start)
    events.write(Int64(frame))
    events.write(", \"at\": ")
    events.write(time)
    events.write("}")
  }

  mutating func open(_ frame: Int32, at time: Int64) {
    add("{\"type\": \"O\", \"frame\": ", frame, time)
    stack.append(frame)
  }

  /// Ends what stands at a depth of the stack; what stands in it goes on.
  mutating func close(_ depth: Int, at time: Int64) {
    guard depth >= 0 && depth < stack.count else { return }
    for index in stride(from: stack.count - 1, through: depth, by: -1) {
      add("{\"type\": \"C\", \"frame\": ", stack[index], time)
    }
    stack.remove(at: depth)
    for index in depth..<stack.count {
      add("{\"type\": \"O\", \"frame\": ", stack[index], time)
    }
  }

  /// Ends all that is in the stack, the innermost first.
  mutating func closeAll(at time: Int64) {
    while !stack.isEmpty { close(stack.count - 1, at: time) }
  }
}

/// What stands in the stacks of a file for speedscope, by what it is called and where.
struct SpeedscopeFrames: ~Copyable {
  /// What stands in stacks, in order.
  private(set) var all: [Frame] = []
  private var numbers: [Frame: Int32] = [:]
  /// By where the bytes of the name stand, and the place: two names that stand at two places may be one.
  private var known = OpenTable<Int32>()
  private var states = (ready: ExportText.none, running: ExportText.none, waiting: ExportText.none)

  /// One of them.
  struct Frame: Hashable {
    var name: String
    var place: Int32
  }

  init() {}

  /// The number of a frame.
  @inline(__always)
  mutating func frame(_ text: ExportText, _ place: Int32, _ names: borrowing ExportNames) -> Int32 {
    let key = Int64(text.start) << 32 | Int64(place + 1)
    return known[key] ?? add(key, text, place, names)
  }

  @inline(never)
  private mutating func add(
    _ key: Int64, _ text: ExportText, _ place: Int32, _ names: borrowing ExportNames
  ) -> Int32 {
    let frame = Frame(name: String(decoding: names.utf8(text), as: UTF8.self), place: place)
    let number = numbers[frame] ?? Int32(all.count)
    if Int(number) == all.count {
      all.append(frame)
      numbers[frame] = number
    }
    known[key] = number
    return number
  }

  /// What a thread is called that could run and has no core.
  mutating func ready(_ names: inout ExportNames) -> ExportText {
    if states.ready.isNone { states.ready = names.text("without a core") }
    return states.ready
  }

  /// What a thread is called that runs and is about nothing.
  mutating func running(_ names: inout ExportNames) -> ExportText {
    if states.running.isNone { states.running = names.text("code of its own") }
    return states.running
  }

  /// What a thread is called that waits, and the log does not say for what.
  mutating func waiting(_ names: inout ExportNames) -> ExportText {
    if states.waiting.isNone { states.waiting = names.text("waits") }
    return states.waiting
  }
}
