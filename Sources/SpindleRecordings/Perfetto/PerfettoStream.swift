/// One core's bundles of one data source, of which one at a time is in memory.
struct PerfettoStream {
  /// Whose bundles they are: each data source writes packets of its own sequence.
  struct Key: Hashable, Sendable {
    var sequence: UInt32
    var core: Int32
  }

  /// The position of a bundle in the recording, and the time of its first event.
  struct Bundle {
    var offset: Int
    var count: Int
    var start: Int64
  }

  let key: Key
  var bundles: [Bundle] = []
  var next = 0
  var events: [RecordedEvent] = []
  var position = 0
  var state = PerfettoBundle.State()

  init(_ key: Key) { self.key = key }

  /// Puts its bundles in the order of time; those of the same time stay in theirs.
  mutating func sort() {
    var order = Array(bundles.indices)
    order.sort { (bundles[$0].start, $0) < (bundles[$1].start, $1) }
    bundles = order.map { bundles[$0] }
  }

  /// Whether the bundle that comes next is not read yet.
  var isToBeRead: Bool { position == events.count }

  /// Its place in the order of all: by the time of what comes next, where that is read also wakes before
  /// switches, and then the lower core; nil behind the last.
  var turn: PerfettoTurn? {
    assert(
      position <= events.count && next <= bundles.count,
      "event \(position) of \(events.count), bundle \(next) of \(bundles.count)")
    if position < events.count {
      let event = events[position]
      return PerfettoTurn(
        time: event.time, isSwitch: event.isSwitch ? 1 : 0, core: key.core, sequence: key.sequence)
    }
    guard next < bundles.count else { return nil }
    return PerfettoTurn(
      time: bundles[next].start, isSwitch: -1, core: key.core, sequence: key.sequence)
  }
}

/// When it is a stream's turn.
struct PerfettoTurn: Comparable {
  var time: Int64
  /// 1 for a switch, 0 for another event, -1 for a bundle that is to be read before it is known.
  var isSwitch: Int
  var core: Int32
  var sequence: UInt32

  static func < (one: PerfettoTurn, other: PerfettoTurn) -> Bool {
    (one.time, one.isSwitch, one.core, one.sequence)
      < (other.time, other.isSwitch, other.core, other.sequence)
  }
}

/// Streams by their turns: a heap, since there may be as many as bundles where a recording is damaged.
struct PerfettoTurns {
  private var heap: [(turn: PerfettoTurn, stream: Int)] = []

  /// The stream with the next event.
  var first: Int? { heap.first?.stream }

  /// A stream waits for its turn.
  mutating func add(_ stream: Int, at turn: PerfettoTurn) {
    heap.append((turn, stream))
    var place = heap.count - 1
    while place > 0, heap[place].turn < heap[(place - 1) / 2].turn {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// The first stream has another turn; none is left where that is nil.
  mutating func changeFirst(to turn: PerfettoTurn?) {
    precondition(!heap.isEmpty, "no stream waits whose turn changes")
    if let turn {
      heap[0].turn = turn
    } else {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    var place = 0
    while 2 * place + 1 < heap.count {
      var least = 2 * place + 1
      if least + 1 < heap.count, heap[least + 1].turn < heap[least].turn { least += 1 }
      guard heap[least].turn < heap[place].turn else { return }
      heap.swapAt(least, place)
      place = least
    }
  }
}

/// Finds the events that several data sources recorded: each of them has its own copy.
struct PerfettoTwins {
  /// How many events of one moment and one core are remembered.
  private static let most = 64

  private var cores: [Int32: (time: Int64, events: [(event: RecordedEvent, sequence: UInt32)])] =
    [:]

  /// Whether another sequence had the event already.
  mutating func has(_ event: RecordedEvent, of sequence: UInt32) -> Bool {
    var now = cores[event.core] ?? (event.time, [])
    if now.time != event.time { now = (event.time, []) }
    if now.events.contains(where: { $0.sequence != sequence && Self.areTwins($0.event, event) }) {
      return true
    }
    if now.events.count < Self.most { now.events.append((event, sequence)) }
    cores[event.core] = now
    return false
  }

  /// Whether two events of one moment and one core are one: the previous thread of the core, and the flags,
  /// are not in every copy.
  private static func areTwins(_ one: RecordedEvent, _ other: RecordedEvent) -> Bool {
    switch (one.kind, other.kind) {
    case (.switched(_, _, _, let to, _), .switched(_, _, _, let also, _)): to == also
    case (.woken(let thread, _), .woken(let also, _)): thread == also
    case (.readied(let thread, _), .readied(let also, _)): thread == also
    case (.other, _), (_, .other): false
    default: one.kind == other.kind
    }
  }
}
