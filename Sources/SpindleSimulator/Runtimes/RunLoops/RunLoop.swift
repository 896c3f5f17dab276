import SpindleModel

/// The run loop of one thread: its modes, and what waits in it for any mode.
///
/// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c.
struct RunLoop {
  /// Whose it is.
  let thread: Int32
  /// The modes that anything was added to, in the order in which they were named.
  var modes: [RunLoopMode]
  /// The index of each mode by its name; not of the first.
  private var modeIndices: [Int32: Int32] = [:]
  /// The indices of the common modes, in order.
  private(set) var commonModes: [Int32] = []
  /// What was added to the common modes, in order.
  var commonItems = ItemList<RunLoopItem>()
  /// Its timers that are delayed performs.
  var delayedPerforms = ItemList<Int32>()
  /// Its sources that were signalled while a loop slept on them, the latest first; and some that have
  /// been performed.
  var signals = ItemHeap()
  /// Blocks that wait, first in, first out.
  var blocks: [RunLoopBlock] = []
  /// What other threads asked this one to perform, first in, first out.
  var performs = RunLoopPerforms()
  /// Whether a message lies in the wake-up port, which holds one.
  var isWakeUpPending = false
  /// Whether the innermost run was stopped.
  var isStopped = false
  /// Whether the innermost run ignores wake-ups: it is awake, and has not begun its next pass.
  var ignoresWakeUps = false
  /// The frame of the innermost run; -1 when it does not run.
  var run: Int32 = -1
  /// The index of the mode in which it runs; -1 when it does not run.
  var mode: Int32 = -1
  /// Whether its thread sleeps in it.
  var sleeps = false
  /// The kind of port that the next pass asks first, by its place in the order of `ReadyPort`.
  var nextKind = 0
  /// How many runs in a row did nothing, without a wait or much work between them.
  var idleRuns = 0
  /// How often its thread had waited, and how long it had worked, when the last of them ended.
  var waitsBefore: UInt32 = 0
  var workBefore: Int64 = 0

  /// The loop of a thread, with its default mode, which is a common one; -1 for none, without modes.
  init(thread: Int32) {
    (self.thread, modes) = (thread, [])
    if thread >= 0 { _ = addMode(WellKnownName.default.id.index, isCommon: true) }
  }

  /// The index of the mode with this name; nil when nothing was ever added to it.
  func index(ofMode name: Int32) -> Int32? {
    modes.first?.name == name ? 0 : modeIndices[name]
  }

  /// Adds a mode; returns its index.
  mutating func addMode(_ name: Int32, isCommon: Bool) -> Int32 {
    let index = Int32(modes.count)
    modes.append(RunLoopMode(name: name))
    if index > 0 { modeIndices[name] = index }
    if isCommon { makeCommon(index) }
    return index
  }

  /// Makes a mode one of the common modes.
  mutating func makeCommon(_ index: Int32) {
    modes[Int(index)].isCommon = true
    commonModes.append(index)
    // They are gone through in the order in which they were named.
    if commonModes.count > 1 && commonModes[commonModes.count - 2] > index { commonModes.sort() }
  }
}

/// A mode of a run loop: the only things that a run in it looks at.
struct RunLoopMode {
  /// Its name's number.
  let name: Int32
  /// Whether it is one of the common modes.
  fileprivate(set) var isCommon = false
  /// How many timers, sources, ports and observers are in it.
  var itemCount = 0
  var timers = RunLoopTimers()
  var sources = ItemList<Int32>()
  /// Those of them that are signalled, by their order and then by their signals.
  var signalled = ItemHeap()
  var ports = ItemList<Int32>()
  /// Those of them that have a message, by when their first one came.
  var readyPorts = ItemHeap()
  /// For each activity those that ask for it.
  var observers: [RunLoopObservers] = []
  /// Whether the thread's source for performs is in it: from the first one on.
  var takesPerforms = false
  /// How many runs in it go on.
  var runs = 0
  /// The ticket of the end of the last one; -1 when there was none.
  var lastRun: Int64 = -1

  /// Whether a run in it has seen, or sees, what has been there since `ticket`.
  func wasRun(since ticket: Int64) -> Bool { runs > 0 || lastRun >= ticket }
}

/// The timers of a mode, by the moment at which they fire and then in the order in which they got there.
struct RunLoopTimers {
  /// Those whose handlers do not run, by when they may fire.
  private(set) var waiting = ItemHeap()
  /// The same by when they must, from the first one on that has a tolerance.
  private var limits: ItemHeap?
  /// Those whose handlers run.
  private(set) var firing = ItemHeap()

  /// Whether there is none.
  var isEmpty: Bool { waiting.isEmpty && firing.isEmpty }

  /// Whether a timer is there.
  func contains(_ timer: Int32) -> Bool { waiting.contains(timer) || firing.contains(timer) }

  /// All of them with the moments at which they fire, in order.
  var all: [ItemHeap.Entry] {
    if firing.isEmpty { return waiting.all }
    return (waiting.all + firing.all).sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// When the first one fires; nil when there is none.
  var nextDate: Int64? {
    guard let first = waiting.first?.first else { return firing.first?.first }
    return min(first, firing.first?.first ?? first)
  }

  /// The earliest moment at which one may fire whose handler does not run, and the latest at which one
  /// must.
  var moments: (earliest: Int64, latest: Int64) {
    guard let earliest = waiting.first?.first else { return (Int64.max, Int64.max) }
    return (earliest, limits?.first?.first ?? earliest)
  }

  /// Adds a timer that is not there, with the number of its turn among those of its moment.
  mutating func insert(_ timer: Int32, in timers: [RunLoopTimer], turn: Int64) {
    let entry = ItemHeap.Entry(first: timers[Int(timer)].fire, second: turn, item: timer)
    if timers[Int(timer)].isFiring {
      firing.insert(entry)
      return
    }
    waiting.insert(entry)
    if limits == nil && timers[Int(timer)].tolerance > 0 {
      var all = ItemHeap()
      for other in waiting.all where other.item != timer { all.insert(other) }
      limits = all
    }
    limits?.insert(
      ItemHeap.Entry(first: timers[Int(timer)].limit, second: turn, item: timer))
  }

  /// Takes a timer out; nil when it was not there.
  @discardableResult
  mutating func remove(_ timer: Int32) -> ItemHeap.Entry? {
    if let entry = firing.remove(timer) { return entry }
    limits?.remove(timer)
    return waiting.remove(timer)
  }

  /// A timer's handler begins or ends, or its tolerance is another one: it keeps its turn.
  mutating func change(_ timer: Int32, in timers: [RunLoopTimer]) {
    if let entry = remove(timer) { insert(timer, in: timers, turn: entry.second) }
  }

  /// All timers may have other dates, in the order that they had.
  mutating func refresh(_ timers: [RunLoopTimer]) {
    waiting.rekey { timers[Int($0.item)].fire }
    limits?.rekey { timers[Int($0.item)].limit }
    firing.rekey { timers[Int($0.item)].fire }
  }
}

/// The observers of a mode that ask for one activity.
struct RunLoopObservers {
  private var items = ItemList<Int32>()
  private var isSorted = true
  private var lastOrder = Int64.min

  /// Whether an observer is there.
  func contains(_ observer: Int32) -> Bool { items.contains(observer) }

  /// Adds one.
  mutating func append(_ observer: Int32, order: Int64) {
    if order < lastOrder { isSorted = false }
    lastOrder = order
    items.append(observer)
  }

  /// Takes one out.
  mutating func remove(_ observer: Int32) { items.remove(observer) }

  /// All of them by their order, and then in the order in which they got there.
  mutating func inOrder(_ observers: [RunLoopObserver]) -> ItemList<Int32> {
    if !isSorted {
      items.sort { observers[Int($0)].order }
      isSorted = true
      lastOrder = Int64.min
      for item in items { lastOrder = observers[Int(item)].order }
    }
    return items
  }

  /// All of them, in any order.
  var all: ItemList<Int32> { items }
}

/// A mode of a loop.
struct RunLoopPlace: Hashable {
  var loop: Int32
  var mode: Int32
}

/// What can be added to a mode.
enum RunLoopItem: Hashable {
  case timer(Int32), source(Int32), port(Int32), observer(Int32)
  /// The thread's own source for what it is asked to perform.
  case performs
}

/// A block that waits for a pass in one of its modes.
struct RunLoopBlock {
  /// The closure, ready to be entered.
  var frame: Int32
  var modes: [Int32]
  /// Where it was handed over.
  var place: Int32
  var ticket: Int64
}

/// Something that a thread is asked to perform.
struct RunLoopPerform {
  /// The closure, ready to be entered.
  var frame: Int32
  var modes: [Int32]
  /// The thread that waits until it is done; -1 for none.
  var waiter: Int32
  /// Where it was asked for.
  var place: Int32
  var ticket: Int64
}

/// Things in order of which the first is taken.
struct RunLoopBacklog<Element> {
  private var elements: [Element?] = []
  private var head = 0

  /// How many there are.
  var count: Int { elements.count - head }
  /// Whether there is none.
  var isEmpty: Bool { head == elements.count }
  /// The first one; nil when there is none.
  var first: Element? { isEmpty ? nil : elements[head] }

  /// Adds one at the end.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the first one out; nil when there is none.
  mutating func removeFirst() -> Element? {
    if isEmpty { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head > 64 && head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
