import SpindleModel

/// A text that is ready for a format: the position of its bytes in `ExportNames`.
struct ExportText: BitwiseCopyable {
  var start: Int
  /// How many bytes it has; -1 for no text.
  var count: Int

  /// No text.
  static let none = ExportText(start: 0, count: -1)

  var isNone: Bool { count < 0 }
}

/// The names that an export in text writes, each encoded for its format once.
///
/// Their bytes are consecutive in memory of its own, so that a name is written by copying it: with strings, a
/// row of a table cost four times as much.
struct ExportNames: ~Copyable {
  private var names = NameTable([])
  private var program: Program?
  private let prepare: (String) -> String
  private var bytes = LogLines(capacity: 4_096)
  /// By number of a name; none before it was asked for.
  private var known: ContiguousArray<ExportText> = []
  /// By kind of an item; the last is for none.
  private var kinds: ContiguousArray<ExportText> = []
  /// A word with a name: by the word's number and the name's.
  private var compounds = OpenTable<ExportText>()
  private var lanes: ContiguousArray<ExportText> = []
  /// By number of a place; none before it was asked for.
  private var positions: ContiguousArray<ExportText> = []

  /// Creates names that `prepare` makes ready.
  init(_ prepare: @escaping (String) -> String) { self.prepare = prepare }

  /// Learns the texts of a run.
  mutating func begin(_ run: RunDescription) {
    (names, program) = (run.names, run.program)
    bytes = LogLines(capacity: 4_096)
    (known, lanes, compounds) = ([], [], OpenTable())
    kinds = ContiguousArray(repeating: .none, count: run.program.kinds.count + 1)
    positions = ContiguousArray(repeating: .none, count: run.program.places.count)
  }

  /// The bytes of a text; valid until another one is made ready.
  @inline(__always)
  func utf8(_ text: ExportText) -> UnsafeBufferPointer<UInt8> {
    if text.isNone { return UnsafeBufferPointer(start: nil, count: 0) }
    return bytes.bytes(from: text.start, count: text.count)
  }

  /// A text made ready, which the caller keeps.
  func ready(_ text: String) -> String { prepare(text) }

  /// Keeps a text as it is.
  mutating func keep(_ text: String) -> ExportText {
    let start = bytes.count
    bytes.write(text: text)
    let kept = ExportText(start: start, count: bytes.count - start)
    // No two texts begin at one place, an empty one included.
    if kept.count == 0 { bytes.write(" ") }
    return kept
  }

  /// Makes a text ready and keeps it.
  mutating func text(_ text: String) -> ExportText { keep(prepare(text)) }

  /// A name; none for none.
  mutating func text(_ name: NameID) -> ExportText {
    let index = Int(name.index)
    if index < 0 { return .none }
    if index < known.count && !known[index].isNone { return known[index] }
    if index >= known.count {
      let missing = max(index + 1 - known.count, known.count)
      known.append(contentsOf: repeatElement(.none, count: missing))
    }
    known[index] = text(names.text(name))
    return known[index]
  }

  /// What an item is called, or what it is where it has no name.
  mutating func text(_ item: ItemSlice) -> ExportText {
    item.name.index >= 0 ? text(item.name) : text(kind: item.kind)
  }

  /// What items of a kind are called.
  mutating func text(kind: Int32) -> ExportText {
    let last = kinds.count - 1
    let index = kind >= 0 && Int(kind) < last ? Int(kind) : last
    if last < 0 { return text("item") }
    if kinds[index].isNone {
      kinds[index] = text(index < last ? program?.kinds[index].pattern ?? "item" : "item")
    }
    return kinds[index]
  }

  /// The name of a span that is not an item.
  mutating func text(_ span: SpanSlice) -> ExportText {
    let key = Int64(span.name.index + 1) << 8 | Int64(span.kind.rawValue)
    return compounds[key] ?? compound(key, span.kind.word, span.name)
  }

  /// For what a thread waits.
  mutating func text(_ reason: WaitReason, _ name: NameID) -> ExportText {
    let key = Int64(name.index + 1) << 8 | Int64(reason.rawValue) | 128
    return compounds[key] ?? compound(key, "\(reason.facts.word)", name)
  }

  /// A word with the name of what it is about.
  private mutating func compound(_ key: Int64, _ word: String, _ name: NameID) -> ExportText {
    let made = text(name.index < 0 ? word : "\(word) '\(names.text(name))'")
    compounds[key] = made
    return made
  }

  /// What a thread is called, made ready.
  func text(_ thread: ThreadFacts) -> String { prepare(thread.name(in: names)) }

  /// Adds the next lane.
  mutating func add(_ lane: LaneFacts) { lanes.append(text(lane.name(in: names))) }

  /// What a lane is called; none for none.
  func text(_ lane: LaneIndex) -> ExportText {
    lane.isNone || Int(lane.raw) >= lanes.count ? .none : lanes[Int(lane.raw)]
  }

  /// Line and column of a place in the trace; none for none.
  mutating func position(_ place: Int32) -> ExportText {
    guard place >= 0 && Int(place) < positions.count else { return .none }
    if positions[Int(place)].isNone, let text = positionText(place) {
      positions[Int(place)] = keep(text)
    }
    return positions[Int(place)]
  }

  /// Line and column of a place in the trace; nil for none.
  func positionText(_ place: Int32) -> String? {
    guard let program, place >= 0 && Int(place) < program.places.count else { return nil }
    return program.source.position(of: program.places[Int(place)])
  }
}

/// The names of threads that a row to come may name.
///
/// A name's room is used again by a later thread, so that threads which come and go take the memory of
/// those that live.
struct ExportThreads: ~Copyable {
  private var table = TallyTable<Named>()
  private var places = OpenTable<Int32>()
  private var free: ContiguousArray<Int32> = []
  private var bytes = LogLines(capacity: 4_096)

  /// A thread whose name is kept; not private, as the element of such a table can't be.
  struct Named {
    var start = 0
    var count = 0
    var room = 0
    /// For how many rows to come it is kept; its own life is one.
    var uses: Int32 = 1
  }

  init() {}

  /// Keeps the name of a thread that begins.
  mutating func add(_ thread: ThreadIndex, _ name: String) {
    let place = free.popLast() ?? Int32(table.count)
    if Int(place) == table.count { table.append(Named()) }
    places[Int64(thread.raw)] = place
    let named = table[Int(place)]
    var name = name
    name.withUTF8 { utf8 in
      if utf8.count > named.pointee.room {
        (named.pointee.start, named.pointee.room) = (bytes.count, (utf8.count + 15) / 16 * 16)
        bytes.pad(named.pointee.room)
      }
      bytes.replace(from: named.pointee.start, with: utf8)
      (named.pointee.count, named.pointee.uses) = (utf8.count, 1)
    }
  }

  /// The bytes of a thread's name; nil for one that is not kept.
  @inline(__always)
  func utf8(_ thread: ThreadIndex) -> UnsafeBufferPointer<UInt8>? {
    guard !thread.isNone, let place = places[Int64(thread.raw)] else { return nil }
    let named = table[Int(place)]
    return bytes.bytes(from: named.pointee.start, count: named.pointee.count)
  }

  /// A row to come names a thread.
  @inline(__always)
  mutating func keep(_ thread: ThreadIndex) {
    guard !thread.isNone, let place = places[Int64(thread.raw)] else { return }
    table[Int(place)].pointee.uses += 1
  }

  /// A row that names a thread has been made, or its life has ended.
  @inline(__always)
  mutating func drop(_ thread: ThreadIndex) {
    guard !thread.isNone, let place = places[Int64(thread.raw)] else { return }
    let named = table[Int(place)]
    named.pointee.uses -= 1
    guard named.pointee.uses <= 0 else { return }
    places[Int64(thread.raw)] = nil
    free.append(place)
  }
}
