import SpindleModel

/// The run loop of one thread: its modes, and what waits in it for any mode.
///
/// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c.
struct RunLoop {
  typealias Index = TableIndex<RunLoop>

  /// Whose it is.
  let thread: ThreadID
  /// The modes that anything was added to, in the order in which they were named.
  var modes: [RunLoopMode]
  /// The index of each mode by its name; not of the first.
  private var modeIndices: [NameID: RunLoopMode.Index] = [:]
  /// The indices of the common modes, in order.
  private(set) var commonModes: [RunLoopMode.Index] = []
  /// What was added to the common modes, in order.
  var commonItems = ItemList<RunLoopItem>()
  /// Its timers that are delayed performs.
  var delayedPerforms = ItemList<RunLoopTimer.Index>()
  /// Its sources that were signalled while a loop slept on them, the latest first; and some that have
  /// been performed.
  var signals = RunLoopHeap<RunLoopSource>()
  /// Blocks that wait, first in, first out.
  var blocks: [RunLoopBlock] = []
  /// What other threads asked this one to perform, first in, first out.
  var performs = RunLoopPerforms()
  /// Whether a message lies in the wake-up port, which holds one.
  var isWakeUpPending = false
  /// Whether the innermost run was stopped.
  var isStopped = false
  /// Where it was stopped while it did not run, which is lost, unless the next run ends by itself; -1 for nowhere.
  var lostStop: Int32 = -1
  /// Whether the innermost run ignores wake-ups: it is awake, and has not begun its next pass.
  var ignoresWakeUps = false
  /// The frame of the innermost run; -1 when it does not run.
  var run = FrameIndex.none
  /// The mode in which it runs; none when it does not run.
  var mode = RunLoopMode.Index.none
  /// Whether its thread sleeps in it.
  var sleeps = false
  /// The kind of port that the next pass asks first.
  var nextKind = RunLoopReadyPort.Kind.wakeUp
  /// How many runs in a row did nothing, without a wait or much work between them.
  var idleRuns = 0
  /// How often its thread had waited, and how long it had worked, when the last of them ended.
  var waitsBefore: UInt32 = 0
  var workBefore: Int64 = 0

  /// The loop of a thread, with its default mode, which is a common one; of no thread, without modes.
  init(thread: ThreadID) {
    (self.thread, modes) = (thread, [])
    if !thread.isNone { _ = addMode(WellKnownName.default.id, isCommon: true) }
  }

  /// The mode that every loop has from the start.
  static let defaultMode = RunLoopMode.Index(0)

  /// The mode with this name; nil when nothing was ever added to it.
  func index(ofMode name: NameID) -> RunLoopMode.Index? {
    modes.first?.name == name ? RunLoop.defaultMode : modeIndices[name]
  }

  /// Adds a mode; returns its index.
  mutating func addMode(_ name: NameID, isCommon: Bool) -> RunLoopMode.Index {
    assert(self.index(ofMode: name) == nil, "mode \(name.index) is made twice")
    let index = RunLoopMode.Index(Int32(modes.count))
    modes.append(RunLoopMode(name: name))
    if index != RunLoop.defaultMode { modeIndices[name] = index }
    if isCommon { makeCommon(index) }
    return index
  }

  /// Makes a mode one of the common modes.
  mutating func makeCommon(_ index: RunLoopMode.Index) {
    assert(!modes[index].isCommon, "mode \(index.raw) becomes common twice")
    modes[index].isCommon = true
    commonModes.append(index)
    // They are gone through in the order in which they were named.
    if commonModes.count > 1 && commonModes[commonModes.count - 2].raw > index.raw {
      commonModes.sort { $0.raw < $1.raw }
    }
  }
}

/// A mode of a run loop: the only things that a run in it looks at.
struct RunLoopMode {
  typealias Index = TableIndex<RunLoopMode>

  /// Its name's number.
  let name: NameID
  /// Whether it is one of the common modes.
  fileprivate(set) var isCommon = false
  /// How many timers, sources, ports and observers are in it.
  var itemCount = 0
  var timers = RunLoopTimers()
  var sources = ItemList<RunLoopSource.Index>()
  /// Those of them that are signalled, by their order and then by their signals.
  var signalled = RunLoopHeap<RunLoopSource>()
  var ports = ItemList<RunLoopPort.Index>()
  /// Those of them that have a message, by when their first one came.
  var readyPorts = RunLoopHeap<RunLoopPort>()
  /// For each activity those that ask for it.
  var observers: [RunLoopObservers] = []
  /// Whether the thread's source for performs is in it: from the first one on.
  var takesPerforms = false
  /// How many runs in it go on.
  var runs = 0
  /// The ticket of the end of the last one; -1 when there was none.
  var lastRun: Int64 = -1

  /// Whether anything is in it that a run could wait for.
  var hasItems: Bool {
    !timers.isEmpty || !sources.isEmpty || !ports.isEmpty || takesPerforms
  }

  /// Whether a run in it has seen, or sees, what has been there since `ticket`.
  func wasRun(since ticket: Int64) -> Bool { runs > 0 || lastRun >= ticket }
}

/// The timers of a mode, by the moment at which they fire and then in the order in which they got there.
struct RunLoopTimers {
  /// Those whose handlers do not run, by when they may fire.
  private(set) var waiting = RunLoopHeap<RunLoopTimer>()
  /// The same by when they must, from the first one on that has a tolerance.
  private var limits: RunLoopHeap<RunLoopTimer>?
  /// Those whose handlers run.
  private(set) var firing = RunLoopHeap<RunLoopTimer>()

  /// Whether there is none.
  var isEmpty: Bool { waiting.isEmpty && firing.isEmpty }

  /// Whether a timer is there.
  func contains(_ timer: RunLoopTimer.Index) -> Bool {
    waiting.contains(timer) || firing.contains(timer)
  }

  /// All of them with the moments at which they fire, in order.
  var all: [RunLoopHeap<RunLoopTimer>.Entry] {
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
  mutating func insert(
    _ timer: RunLoopTimer.Index, in timers: borrowing RunLoopRecords<RunLoopTimer>, turn: Int64
  ) {
    assert(!contains(timer), "timer \(timer.raw) is added to a mode that has it")
    let entry = RunLoopHeap.Entry(first: timers[timer].fire, second: turn, item: timer)
    if timers[timer].isFiring {
      firing.insert(entry)
      return
    }
    waiting.insert(entry)
    if limits == nil && timers[timer].tolerance > 0 {
      var all = RunLoopHeap<RunLoopTimer>()
      for other in waiting.all where other.item != timer { all.insert(other) }
      limits = all
    }
    limits?.insert(
      RunLoopHeap.Entry(first: timers[timer].limit, second: turn, item: timer))
  }

  /// Takes a timer out; nil when it was not there.
  @discardableResult
  mutating func remove(_ timer: RunLoopTimer.Index) -> RunLoopHeap<RunLoopTimer>.Entry? {
    if let entry = firing.remove(timer) { return entry }
    limits?.remove(timer)
    return waiting.remove(timer)
  }

  /// A timer's handler begins or ends, or its tolerance is another one: it keeps its turn.
  mutating func change(
    _ timer: RunLoopTimer.Index, in timers: borrowing RunLoopRecords<RunLoopTimer>
  ) {
    assert(contains(timer), "timer \(timer.raw) is changed in a mode without it")
    if let entry = remove(timer) { insert(timer, in: timers, turn: entry.second) }
  }

  /// All timers may have other dates, in the order that they had.
  mutating func refresh(_ timers: borrowing RunLoopRecords<RunLoopTimer>) {
    waiting.rekey { timers[$0].fire }
    limits?.rekey { timers[$0].limit }
    firing.rekey { timers[$0].fire }
  }
}

/// The observers of a mode that ask for one activity.
struct RunLoopObservers {
  private var items = ItemList<RunLoopObserver.Index>()
  private var isSorted = true
  private var lastOrder = Int64.min

  /// Whether an observer is there.
  func contains(_ observer: RunLoopObserver.Index) -> Bool { items.contains(observer) }

  /// Adds one.
  mutating func append(_ observer: RunLoopObserver.Index, order: Int64) {
    if order < lastOrder { isSorted = false }
    lastOrder = order
    items.append(observer)
  }

  /// Takes one out.
  mutating func remove(_ observer: RunLoopObserver.Index) { items.remove(observer) }

  /// All of them by their order, and then in the order in which they got there.
  mutating func inOrder(
    _ observers: borrowing RunLoopRecords<RunLoopObserver>
  ) -> ItemList<RunLoopObserver.Index> {
    if !isSorted {
      items.sort { observers[$0].order }
      isSorted = true
      lastOrder = Int64.min
      for item in items { lastOrder = observers[item].order }
    }
    return items
  }

  /// All of them, in any order.
  var all: ItemList<RunLoopObserver.Index> { items }
}

/// A mode of a loop.
struct RunLoopPlace: Hashable {
  var loop: RunLoop.Index
  var mode: RunLoopMode.Index
}

/// What can be added to a mode.
enum RunLoopItem: Hashable {
  case timer(RunLoopTimer.Index), source(RunLoopSource.Index), port(RunLoopPort.Index)
  case observer(RunLoopObserver.Index)
  /// The thread's own source for what it is asked to perform.
  case performs
}

/// A block that waits for a pass in one of its modes.
struct RunLoopBlock {
  /// The closure, ready to be entered.
  var frame: FrameIndex
  var modes: [NameID]
  /// Where it was handed over.
  var place: Int32
  var ticket: Int64
}

/// Something that a thread is asked to perform.
struct RunLoopPerform {
  /// The closure, ready to be entered.
  var frame: FrameIndex
  var modes: [NameID]
  /// The thread that waits until it is done, or none.
  var waiter: ThreadID
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
    assert(elements[head] != nil, "what is first of \(count) was taken before")
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
