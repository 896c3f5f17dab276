import SpindleModel

/// The names that an export in text writes, each made ready for its format once.
struct ExportNames {
  private var names = NameTable([])
  private var program: Program?
  private let prepare: (String) -> String
  /// By number of a name and 1; nil before it was asked for.
  private var known: ContiguousArray<String?> = []
  private var lanes: ContiguousArray<String> = []
  /// By number of a place; nil before it was asked for.
  private var positions: ContiguousArray<String?> = []

  /// Creates names that `prepare` makes ready.
  init(_ prepare: @escaping (String) -> String) { self.prepare = prepare }

  /// Learns the texts of a run.
  mutating func begin(_ run: RunDescription) {
    (names, program) = (run.names, run.program)
    (known, lanes) = ([], [])
    positions = ContiguousArray(repeating: nil, count: run.program.places.count)
  }

  /// A text that is made ready each time.
  func text(_ text: String) -> String { prepare(text) }

  /// A name; nil for none.
  mutating func text(_ name: NameID) -> String? {
    let index = Int(name.index)
    if index < 0 { return nil }
    if index < known.count, let text = known[index] { return text }
    if index >= known.count {
      known.append(contentsOf: repeatElement(nil, count: index + 1 - known.count))
    }
    let text = prepare(names.text(name))
    known[index] = text
    return text
  }

  /// What an item is called, or what it is where it has no name.
  mutating func text(_ item: ItemSlice) -> String {
    if let text = text(item.name) { return text }
    let kind = Int(item.kind)
    guard let program, kind >= 0 && kind < program.kinds.count else { return prepare("item") }
    return prepare(program.kinds[kind].pattern)
  }

  /// What a span is called that is no item.
  mutating func text(_ span: SpanSlice) -> String {
    span.name.index < 0 ? prepare(span.kind.word) : text(span.kind.word, span.name)
  }

  /// For what a thread waits.
  mutating func text(_ reason: WaitReason, _ name: NameID) -> String {
    name.index < 0 ? prepare("\(reason.facts.word)") : text("\(reason.facts.word)", name)
  }

  /// A word with the name of what it is about.
  private func text(_ word: String, _ name: NameID) -> String {
    prepare("\(word) '\(names.text(name))'")
  }

  /// What a thread is called.
  func text(_ thread: ThreadFacts) -> String { prepare(thread.name(in: names)) }

  /// Adds the next lane.
  mutating func add(_ lane: LaneFacts) { lanes.append(prepare(lane.name(in: names))) }

  /// What a lane is called; nil for none.
  func text(_ lane: LaneIndex) -> String? {
    lane.isNone || Int(lane.raw) >= lanes.count ? nil : lanes[Int(lane.raw)]
  }

  /// Line and column of a place in the trace; nil for none.
  mutating func position(_ place: Int32) -> String? {
    guard let program, place >= 0 && Int(place) < positions.count else { return nil }
    if let known = positions[Int(place)] { return known }
    let text = program.source.position(of: program.places[Int(place)])
    positions[Int(place)] = text
    return text
  }
}

extension LogLines {
  /// Appends microseconds with three digits behind the point, which are exact.
  mutating func write(microseconds time: Int64) {
    let (whole, rest) = time.quotientAndRemainder(dividingBy: 1_000)
    write(whole)
    write(".")
    write(Int64(rest / 100))
    write(Int64(rest / 10 % 10))
    write(Int64(rest % 10))
  }
}
