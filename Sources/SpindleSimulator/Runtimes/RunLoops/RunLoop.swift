import SpindleModel

/// The run loop of one thread: its modes, and what waits in it for any mode.
///
/// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c.
struct RunLoop {
  /// Whose it is.
  let thread: Int32
  /// The modes that anything was added to, in the order in which they were named.
  var modes: [RunLoopMode]
  /// What was added to the common modes, in order.
  var commonItems: [RunLoopItem] = []
  /// Blocks that wait, first in, first out.
  var blocks: [RunLoopBlock] = []
  /// What other threads asked this one to perform, first in, first out.
  var performs = RunLoopBacklog<RunLoopPerform>()
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

  /// The index of the mode with this name; nil when nothing was ever added to it.
  func index(ofMode name: Int32) -> Int32? {
    modes.firstIndex { $0.name == name }.map { Int32($0) }
  }
}

/// A mode of a run loop: the only things that a run in it looks at.
struct RunLoopMode {
  /// Its name's number.
  let name: Int32
  /// Whether it is one of the common modes.
  var isCommon: Bool
  /// By the moment at which they fire, and then in the order in which they got there.
  var timers: [Int32] = []
  var sources: [Int32] = []
  var ports: [Int32] = []
  /// By their order.
  var observers: [Int32] = []
  /// The bits of all activities that an observer ever asked for.
  var activities: Int64 = 0
  /// Whether the thread's source for performs is in it: from the first one on.
  var takesPerforms = false
  /// How many runs in it go on.
  var runs = 0
  /// The ticket of the end of the last one; -1 when there was none.
  var lastRun: Int64 = -1

  /// Whether a run in it has seen, or sees, what has been there since `ticket`.
  func wasRun(since ticket: Int64) -> Bool { runs > 0 || lastRun >= ticket }
}

/// What can be added to a mode.
enum RunLoopItem: Equatable {
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

/// Things in order of which mostly the first is taken.
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

  /// Where the first one is that fits.
  func firstIndex(where fits: (Element) -> Bool) -> Int? {
    for index in head..<elements.count {
      if let element = elements[index], fits(element) { return index }
    }
    return nil
  }

  /// The one at an index that `firstIndex(where:)` found.
  subscript(index: Int) -> Element? { elements[index] }

  /// All of them, in order.
  var all: [Element] { elements[head...].compactMap { $0 } }

  /// Takes the one out that `firstIndex(where:)` found.
  mutating func remove(at index: Int) -> Element? {
    let element = elements[index]
    if index > head {
      elements.remove(at: index)
      return element
    }
    elements[head] = nil
    head += 1
    if head > 64 && head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Takes the first one out; nil when there is none.
  mutating func removeFirst() -> Element? { isEmpty ? nil : remove(at: head) }
}
