import SpindleModel

/// A stretch of time of a run, as tables of intervals have it; a text that is nil is not there.
struct IntervalRow {
  /// What the columns are called, in order.
  static let columns: [StaticString] = [
    "sort", "name", "thread", "core", "state", "began", "ended", "from_ns", "to_ns", "by", "item",
    "queue", "place",
  ]

  /// `state`, `item`, `span` or `hold`.
  var sort: StaticString
  var name: String?
  var thread: String?
  var core: Int64?
  var state: StaticString?
  var began: String?
  var ended: String?
  var from: Int64
  var to: Int64
  var by: String?
  var item: Int64?
  var queue: String?
  var place: String?
}

/// Makes rows of a timeline: each slice once, when it has ended.
struct IntervalTally {
  var names: ExportNames
  /// The threads that live, and those that have ended and are named by a row to come.
  private var threads: OpenTable<Known> = OpenTable()
  private let words: Words
  /// Threads that have ended at this moment, at which they may still wake others.
  private var dying: ContiguousArray<ThreadIndex> = []
  private var lastEnd = Instant.start
  /// By core: who lost it last, and when; who gets it then is named by the row of that.
  private var victims: OpenTable<Victim> = OpenTable()

  /// A thread that has lost its core; not private, as what stands in such a table can't be.
  struct Victim {
    var thread: ThreadIndex
    var time: Instant
  }

  /// A thread whose name is kept.
  struct Known {
    var name: String
    /// For how many rows to come it is kept; its own life is one.
    var uses: Int32 = 1
  }

  /// What the columns `began` and `ended` say, made ready once.
  private struct Words {
    let changes: [String]
    let outcomes: [String]
    let holds: [String]
    let submitted: String
    let spanEnds: (whole: String, cut: String)

    init(_ prepare: (String) -> String) {
      changes = ThreadChange.allCases.map { prepare("\($0)") }
      outcomes = ItemOutcome.allCases.map { prepare("\($0)") }
      holds = HoldKind.allCases.map { prepare("\($0)") }
      submitted = prepare("submitted")
      spanEnds = (prepare("ended"), prepare("cut"))
    }
  }

  init(_ prepare: @escaping (String) -> String) {
    (names, words) = (ExportNames(prepare), Words(prepare))
  }

  mutating func begin(_ run: RunDescription) {
    names.begin(run)
    (threads, victims, dying) = (OpenTable(), OpenTable(), [])
  }

  mutating func threadBegan(_ thread: ThreadFacts) {
    threads[Int64(thread.thread.raw)] = Known(name: names.text(thread))
  }

  private func name(_ thread: ThreadIndex) -> String? {
    thread.isNone ? nil : threads[Int64(thread.raw)]?.name
  }

  // MARK: Names that are kept

  /// A row to come names a thread.
  private mutating func keep(_ thread: ThreadIndex) {
    guard !thread.isNone, var known = threads[Int64(thread.raw)] else { return }
    known.uses += 1
    threads[Int64(thread.raw)] = known
  }

  /// A row that names a thread has been made.
  private mutating func drop(_ thread: ThreadIndex) {
    guard !thread.isNone, var known = threads[Int64(thread.raw)] else { return }
    known.uses -= 1
    threads[Int64(thread.raw)] = known.uses > 0 ? known : nil
  }

  mutating func stateBegan(_ slice: ThreadSlice) {
    if !dying.isEmpty && slice.start > lastEnd {
      for thread in dying { drop(thread) }
      dying.removeAll(keepingCapacity: true)
    }
    keep(slice.agent)
    let core = Int64(slice.core.index)
    guard core >= 0 else { return }
    if slice.state == .ready {
      victims[core] = Victim(thread: slice.thread, time: slice.start)
    } else if let victim = victims[core] {
      victims[core] = nil
      if victim.time == slice.start && victim.thread != slice.thread { keep(slice.thread) }
    }
  }

  mutating func itemSubmitted(_ item: ItemSlice) { keep(item.submitter) }
  mutating func itemStarted(_ item: ItemSlice) { keep(item.thread) }
  mutating func holdBegan(_ hold: HoldSlice) { keep(hold.thread) }

  // MARK: Rows

  mutating func row(_ slice: ThreadSlice) -> IntervalRow {
    var row = IntervalRow(
      sort: "state", from: slice.start.nanoseconds, to: slice.end.nanoseconds)
    row.thread = name(slice.thread)
    row.core = slice.core.index < 0 ? nil : Int64(slice.core.index)
    switch slice.state {
    case .ready: row.state = "ready"
    case .running: row.state = "running"
    case .waiting: row.state = "waiting"
    }
    row.name = slice.reason.map { names.text($0, slice.name) }
    row.began = words.changes[Int(slice.began.rawValue)]
    row.ended = words.changes[Int(slice.ended.rawValue)]
    row.by = name(slice.agent)
    row.queue = names.text(slice.lane)
    row.place = names.position(slice.place)
    drop(slice.agent)
    if slice.ended == .ended || slice.ended == .killed {
      dying.append(slice.thread)
      lastEnd = slice.end
    }
    return row
  }

  mutating func row(_ item: ItemSlice) -> IntervalRow {
    var row = IntervalRow(
      sort: "item", from: item.submitted.nanoseconds, to: item.ended.nanoseconds)
    row.name = names.text(item)
    row.thread = name(item.thread)
    row.state = item.hasStarted ? "started" : "waited"
    row.began = words.submitted
    row.ended = words.outcomes[Int(item.outcome.rawValue)]
    row.by = name(item.submitter)
    row.item = Int64(item.item.raw)
    row.queue = names.text(item.lane)
    row.place = names.position(item.place)
    drop(item.submitter)
    if item.hasStarted { drop(item.thread) }
    return row
  }

  mutating func row(_ span: SpanSlice) -> IntervalRow {
    var row = IntervalRow(sort: "span", from: span.start.nanoseconds, to: span.end.nanoseconds)
    row.name = span.kind == .item ? names.text(span.name) : names.text(span)
    row.thread = name(span.thread)
    row.ended = span.isComplete ? words.spanEnds.whole : words.spanEnds.cut
    row.item = span.item.isNone ? nil : Int64(span.item.raw)
    row.queue = names.text(span.lane)
    row.place = names.position(span.place)
    return row
  }

  mutating func row(_ hold: HoldSlice) -> IntervalRow {
    var row = IntervalRow(sort: "hold", from: hold.start.nanoseconds, to: hold.end.nanoseconds)
    row.name = names.text(hold.lane)
    row.thread = name(hold.thread)
    row.began = words.holds[Int(hold.kind.rawValue)]
    row.item = hold.item.isNone ? nil : Int64(hold.item.raw)
    row.place = names.position(hold.place)
    drop(hold.thread)
    return row
  }
}
