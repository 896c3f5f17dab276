public import SpindleModel

/// A run as speedscope opens it: for each thread what it was about, and inside of that for what it waited.
///
/// What a thread is about is called after its kind, so that all items of a kind are summed up. What takes
/// no time is left out. The format wants all events of a thread side by side, so those of threads that
/// live are kept until they end: the only export whose memory is not that of the live state.
/// Source of the form: jlfwong/speedscope:src/lib/file-format-spec.ts.
public final class SpeedscopeExport: TimelineExport {
  private let write: (ArraySlice<UInt8>) -> Void
  private var lines = LogLines()
  private var names = ExportNames { $0 }
  private var program: Program?
  private var threads: OpenTable<Profile> = OpenTable()
  private var profileCount = 0
  /// The place of the main thread among the profiles.
  private var mainProfile = 0
  /// What stands in stacks, by what it is called and where.
  private var frames: [Frame: Int32] = [:]
  private var frameTexts: [Frame] = []
  /// By number of an item that has begun and not ended: its frame.
  private var items: [Int32: Int32] = [:]

  private struct Frame: Hashable {
    var name: String
    var place: Int32
  }

  /// A thread that lives; a class, since its events grow in place.
  final class Profile {
    let name: String
    let isMain: Bool
    /// Its events so far, as JSON.
    var events = ""
    /// The frames of what it is about, the innermost last.
    var stack: [Int32] = []
    /// Its state.
    var slice: ThreadSlice?
    /// What its state is called in the stack, and since when; nil for nothing.
    var leaf: String?
    var leafStart: Int64 = 0

    init(name: String, isMain: Bool) { (self.name, self.isMain) = (name, isMain) }
  }

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) { self.write = write }

  public func begin(_ run: RunDescription) {
    names.begin(run)
    program = run.program
    let title = JSONValue.string(run.program.title).text
    lines.write("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n")
    lines.write(text: "\"exporter\": \"spindle\",\n\"name\": \(title),\n\"profiles\": [\n")
  }

  public func threadBegan(_ thread: ThreadFacts) {
    threads[Int64(thread.thread.raw)] = Profile(
      name: names.text(thread), isMain: thread.origin == .main)
  }

  public func stateBegan(_ slice: ThreadSlice) {
    change(slice.thread, at: slice.start) { $0.slice = slice }
  }

  public func stateEnded(_ slice: ThreadSlice) {
    guard slice.ended == .ended || slice.ended == .killed else { return }
    finish(slice.thread, at: slice.end)
  }

  public func spanBegan(_ span: SpanSlice) {
    let frame = frame(of: span)
    change(span.thread, at: span.start) { $0.open(frame, at: span.start.nanoseconds) }
  }

  public func spanEnded(_ span: SpanSlice) {
    change(span.thread, at: span.end) { $0.close(Int(span.depth), at: span.end.nanoseconds) }
  }

  public func end(_ record: RunRecord) {
    for key in threads.sortedKeys { finish(ThreadIndex(Int32(key)), at: record.end) }
    if profileCount == 0 { add(Profile(name: "main", isMain: true), at: record.end) }
    lines.write(text: "\n],\n\"activeProfileIndex\": \(mainProfile),\n\"shared\": {\"frames\": [\n")
    for (index, frame) in frameTexts.enumerated() {
      lines.write(text: index == 0 ? "" : ",\n")
      lines.write(text: "{\"name\": \(JSONValue.string(frame.name).text)\(place(frame.place))}")
      flushIfFull()
    }
    lines.write("\n]}}\n")
    write(lines.take()[...])
  }

  // MARK: Stacks

  /// Changes what a thread is about, or its state, at a moment.
  private func change(_ thread: ThreadIndex, at time: Instant, _ body: (Profile) -> Void) {
    guard let profile = threads[Int64(thread.raw)] else { return }
    closeLeaf(of: profile, at: time.nanoseconds)
    body(profile)
    (profile.leaf, profile.leafStart) = (leaf(of: profile), time.nanoseconds)
  }

  /// What the state of a thread is called in its stack; nil where it runs what it is about, or idles.
  private func leaf(of profile: Profile) -> String? {
    guard let slice = profile.slice else { return nil }
    switch slice.state {
    case .ready: return "without a core"
    case .running: return profile.stack.isEmpty ? "code of its own" : nil
    case .waiting:
      guard let reason = slice.reason else { return "waits" }
      let isIdle = reason == .runLoop || reason == .idleWorker
      return isIdle && profile.stack.isEmpty ? nil : names.text(reason, slice.name)
    }
  }

  /// Writes what the state was until now, if that took time.
  private func closeLeaf(of profile: Profile, at time: Int64) {
    guard let leaf = profile.leaf, time > profile.leafStart else { return }
    let frame = frame(leaf, -1)
    profile.add("O", frame, profile.leafStart)
    profile.add("C", frame, time)
  }

  private func frame(of span: SpanSlice) -> Int32 {
    guard span.kind == .item else { return frame(names.text(span), span.place) }
    guard let item = items[span.item.raw] else {
      return frame(names.text(span.name) ?? "item", span.place)
    }
    return item
  }

  private func frame(_ name: String, _ place: Int32) -> Int32 {
    let key = Frame(name: name, place: place)
    if let known = frames[key] { return known }
    let number = Int32(frameTexts.count)
    frames[key] = number
    frameTexts.append(key)
    return number
  }

  public func itemStarted(_ item: ItemSlice) {
    guard let program, !item.needsNoThread else { return }
    let kind = Int(item.kind)
    let isKnown = kind >= 0 && kind < program.kinds.count
    let name = isKnown ? program.kinds[kind].pattern : names.text(item.name) ?? "item"
    items[item.item.raw] = frame(name, item.place)
  }

  public func itemEnded(_ item: ItemSlice) { items[item.item.raw] = nil }

  // MARK: Writing

  /// `, "file": "a.trace", "line": 3, "col": 5`; empty for no place.
  private func place(_ place: Int32) -> String {
    guard let program, let position = names.position(place) else { return "" }
    let parts = position.split(separator: ":")
    guard parts.count == 2 else { return "" }
    let file = JSONValue.string(program.source.name).text
    return ", \"file\": \(file), \"line\": \(parts[0]), \"col\": \(parts[1])"
  }

  /// Writes all of a thread, which has ended, or the run has.
  private func finish(_ thread: ThreadIndex, at time: Instant) {
    guard let profile = threads[Int64(thread.raw)] else { return }
    threads[Int64(thread.raw)] = nil
    closeLeaf(of: profile, at: time.nanoseconds)
    while !profile.stack.isEmpty { profile.close(profile.stack.count - 1, at: time.nanoseconds) }
    if !profile.events.isEmpty { add(profile, at: time) }
  }

  private func add(_ profile: Profile, at time: Instant) {
    if profile.isMain { mainProfile = profileCount }
    lines.write(text: profileCount == 0 ? "" : ",\n")
    profileCount += 1
    let name = JSONValue.string(profile.name).text
    lines.write(
      text: "{\"type\": \"evented\", \"name\": \(name), \"unit\": \"nanoseconds\", "
        + "\"startValue\": 0, \"endValue\": \(time.nanoseconds), \"events\": [\n")
    lines.write(text: profile.events)
    lines.write("\n]}")
    flushIfFull()
  }

  private func flushIfFull() {
    if lines.count >= LogLines.chunkSize { write(lines.take()[...]) }
  }
}

extension SpeedscopeExport.Profile {
  fileprivate func add(_ type: Character, _ frame: Int32, _ time: Int64) {
    if !events.isEmpty { events += ",\n" }
    events += "{\"type\": \"\(type)\", \"frame\": \(frame), \"at\": \(time)}"
  }

  fileprivate func open(_ frame: Int32, at time: Int64) {
    add("O", frame, time)
    stack.append(frame)
  }

  /// Ends what stands at a depth of the stack; what stands in it goes on.
  fileprivate func close(_ depth: Int, at time: Int64) {
    guard depth >= 0 && depth < stack.count else { return }
    for frame in stack[depth...].reversed() { add("C", frame, time) }
    let above = Array(stack[(depth + 1)...])
    stack.removeSubrange(depth...)
    for frame in above { open(frame, at: time) }
  }
}
