import SpindleModel

/// Writes a timeline as rows: each slice once, when it has ended, as a line of CSV or an object of JSON.
///
/// One piece of code for both, which writes bytes directly, since the columns have one order.
struct IntervalWriter: ~Copyable {
  /// What a row is.
  enum Form {
    /// A line of a table, whose first line has the names of the columns.
    ///
    /// Source: RFC 4180, with line feeds alone.
    case csv
    /// An object of JSON, in which a member that has no value is left out.
    case json
  }

  private let isJSON: Bool
  private let hand: (ArraySlice<UInt8>) -> Void
  private var lines = LogLines()
  private var names: ExportNames
  /// The threads that live, and those that have ended and are named by a row to come.
  private var threads = ExportThreads()
  /// The values of the columns `began` and `ended`, encoded once.
  private var changes: ContiguousArray<ExportText> = []
  private var outcomes: ContiguousArray<ExportText> = []
  private var holdKinds: ContiguousArray<ExportText> = []
  private var submitted = ExportText.none
  private var spanEnds = (whole: ExportText.none, cut: ExportText.none)
  /// Threads that have ended at this moment, at which they may still wake others.
  private var dying: ContiguousArray<ThreadIndex> = []
  private var lastEnd = Instant.start
  /// By core: the thread that lost it last, and when; the row of that thread names its successor.
  private var victims = TallyTable<Victim>()

  /// A thread that has lost its core; not private, as the element of such a table can't be.
  struct Victim {
    var thread = ThreadIndex.none
    var time = Instant.start
  }

  init(_ form: Form, hand: @escaping (ArraySlice<UInt8>) -> Void) {
    (isJSON, self.hand) = (form == .json, hand)
    switch form {
    case .csv: names = ExportNames(CSVText.quoted)
    case .json: names = ExportNames { JSONValue.string($0).text }
    }
  }

  mutating func begin(_ run: RunDescription) {
    names.begin(run)
    threads = ExportThreads()
    victims = TallyTable()
    dying = []
    changes = []
    for change in ThreadChange.allCases { changes.append(names.text("\(change)")) }
    outcomes = []
    for outcome in ItemOutcome.allCases { outcomes.append(names.text("\(outcome)")) }
    holdKinds = []
    for kind in HoldKind.allCases { holdKinds.append(names.text("\(kind)")) }
    submitted = names.text("submitted")
    spanEnds = (names.text("ended"), names.text("cut"))
    if !isJSON {
      lines.write("sort,name,thread,core,state,began,ended,from_ns,to_ns,by,item,queue,place\n")
    }
  }

  mutating func threadBegan(_ thread: ThreadFacts) {
    threads.add(thread.thread, names.text(thread))
  }

  mutating func laneBegan(_ lane: LaneFacts) { names.add(lane) }

  // MARK: Names that are kept

  mutating func stateBegan(_ slice: ThreadSlice) {
    if !dying.isEmpty && slice.start > lastEnd {
      for thread in dying { threads.drop(thread) }
      dying.removeAll(keepingCapacity: true)
    }
    threads.keep(slice.agent)
    let core = Int(slice.core.index)
    guard core >= 0 else { return }
    victims.reach(core, filledWith: Victim())
    let victim = victims[core]
    if slice.state == .ready {
      victim.pointee = Victim(thread: slice.thread, time: slice.start)
    } else if !victim.pointee.thread.isNone {
      if victim.pointee.time == slice.start && victim.pointee.thread != slice.thread {
        threads.keep(slice.thread)
      }
      victim.pointee.thread = .none
    }
  }

  mutating func itemSubmitted(_ item: ItemSlice) { threads.keep(item.submitter) }
  mutating func itemStarted(_ item: ItemSlice) { threads.keep(item.thread) }
  mutating func holdBegan(_ hold: HoldSlice) { threads.keep(hold.thread) }

  // MARK: Rows

  mutating func stateEnded(_ slice: ThreadSlice) {
    if isJSON { lines.write("{\"sort\": \"state\"") } else { lines.write("state") }
    text(", \"name\": ", slice.reason.map { names.text($0, slice.name) } ?? .none)
    thread(", \"thread\": ", slice.thread)
    number(", \"core\": ", slice.core.index < 0 ? nil : Int64(slice.core.index))
    switch slice.state {
    case .ready: word(", \"state\": \"ready\"", ",ready")
    case .running: word(", \"state\": \"running\"", ",running")
    case .waiting: word(", \"state\": \"waiting\"", ",waiting")
    }
    text(", \"began\": ", changes[Int(slice.began.rawValue)])
    text(", \"ended\": ", changes[Int(slice.ended.rawValue)])
    number(", \"from_ns\": ", slice.start.nanoseconds)
    number(", \"to_ns\": ", slice.end.nanoseconds)
    thread(", \"by\": ", slice.agent)
    number(", \"item\": ", nil)
    text(", \"queue\": ", names.text(slice.lane))
    endRow(slice.place)
    threads.drop(slice.agent)
    if slice.ended == .ended || slice.ended == .killed {
      dying.append(slice.thread)
      lastEnd = slice.end
    }
  }

  mutating func itemEnded(_ item: ItemSlice) {
    if isJSON { lines.write("{\"sort\": \"item\"") } else { lines.write("item") }
    text(", \"name\": ", names.text(item))
    thread(", \"thread\": ", item.thread)
    number(", \"core\": ", nil)
    if item.hasStarted {
      word(", \"state\": \"started\"", ",started")
    } else {
      word(", \"state\": \"waited\"", ",waited")
    }
    text(", \"began\": ", submitted)
    text(", \"ended\": ", outcomes[Int(item.outcome.rawValue)])
    number(", \"from_ns\": ", item.submitted.nanoseconds)
    number(", \"to_ns\": ", item.ended.nanoseconds)
    thread(", \"by\": ", item.submitter)
    number(", \"item\": ", Int64(item.item.raw))
    text(", \"queue\": ", names.text(item.lane))
    endRow(item.place)
    threads.drop(item.submitter)
    if item.hasStarted { threads.drop(item.thread) }
  }

  mutating func spanEnded(_ span: SpanSlice) {
    if isJSON { lines.write("{\"sort\": \"span\"") } else { lines.write("span") }
    text(", \"name\": ", span.kind == .item ? names.text(span.name) : names.text(span))
    thread(", \"thread\": ", span.thread)
    number(", \"core\": ", nil)
    word("", ",")
    text(", \"began\": ", .none)
    text(", \"ended\": ", span.isComplete ? spanEnds.whole : spanEnds.cut)
    number(", \"from_ns\": ", span.start.nanoseconds)
    number(", \"to_ns\": ", span.end.nanoseconds)
    thread(", \"by\": ", .none)
    number(", \"item\": ", span.item.isNone ? nil : Int64(span.item.raw))
    text(", \"queue\": ", names.text(span.lane))
    endRow(span.place)
  }

  mutating func holdEnded(_ hold: HoldSlice) {
    if isJSON { lines.write("{\"sort\": \"hold\"") } else { lines.write("hold") }
    text(", \"name\": ", names.text(hold.lane))
    thread(", \"thread\": ", hold.thread)
    number(", \"core\": ", nil)
    word("", ",")
    text(", \"began\": ", holdKinds[Int(hold.kind.rawValue)])
    text(", \"ended\": ", .none)
    number(", \"from_ns\": ", hold.start.nanoseconds)
    number(", \"to_ns\": ", hold.end.nanoseconds)
    thread(", \"by\": ", .none)
    number(", \"item\": ", hold.item.isNone ? nil : Int64(hold.item.raw))
    text(", \"queue\": ", .none)
    endRow(hold.place)
    threads.drop(hold.thread)
  }

  mutating func end() { hand(lines.take()[...]) }

  // MARK: Fields

  // Each takes its key as JSON writes it. What has no value is empty in CSV, and left out in JSON.

  @inline(__always)
  private mutating func text(_ key: StaticString, _ text: ExportText) {
    if isJSON {
      if text.isNone { return }
      lines.write(key)
    } else {
      lines.write(",")
    }
    lines.write(bytes: names.utf8(text))
  }

  @inline(__always)
  private mutating func thread(_ key: StaticString, _ thread: ThreadIndex) {
    let name = threads.utf8(thread)
    if isJSON {
      if name == nil { return }
      lines.write(key)
    } else {
      lines.write(",")
    }
    if let name { lines.write(bytes: name) }
  }

  @inline(__always)
  private mutating func number(_ key: StaticString, _ number: Int64?) {
    if isJSON {
      if number == nil { return }
      lines.write(key)
    } else {
      lines.write(",")
    }
    if let number { lines.write(number) }
  }

  @inline(__always)
  private mutating func word(_ json: StaticString, _ csv: StaticString) {
    if isJSON { lines.write(json) } else { lines.write(csv) }
  }

  /// Writes the place, which is the last field, and ends the row.
  @inline(__always)
  private mutating func endRow(_ place: Int32) {
    let position = names.position(place)
    if !isJSON {
      lines.write(",")
      lines.write(bytes: names.utf8(position))
      lines.write("\n")
    } else if position.isNone {
      lines.write("}\n")
    } else {
      lines.write(", \"place\": \"")
      lines.write(bytes: names.utf8(position))
      lines.write("\"}\n")
    }
    if lines.count >= LogLines.chunkSize { hand(lines.take()[...]) }
  }
}
