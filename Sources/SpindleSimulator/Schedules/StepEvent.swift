import SpindleModel

/// What does steps on no thread, and can be held as a thread can.
enum StepEvent: Equatable {
  /// An arrival from outside, by its place among those of the program.
  case arrival(Int32)
  /// A planned dispatch item, whose deadline has come.
  case item(Int32)

  /// The thread number that represents the event: below that of no thread.
  var thread: ThreadID {
    switch self {
    case .arrival(let index): ThreadID(-2 - 2 * Int(index))
    case .item(let index): ThreadID(-3 - 2 * Int(index))
    }
  }

  /// The event that a thread number represents; nil for the number of a thread.
  init?(_ thread: ThreadID) {
    if thread.index > -2 { return nil }
    let number = -2 - thread.index
    self = number % 2 == 0 ? .arrival(number / 2) : .item(number / 2)
  }
}

/// The events that keep their order: one that is due waits until an earlier one that is held has happened.
///
/// What arrives from outside comes in the order that the trace states. Timers of dispatch expire in the order of their
/// deadlines. Source: swift-corelibs-libdispatch:src/event/event.c, _dispatch_timers_run.
struct EventOrder {
  /// What has an order of its own.
  enum Lane: Int, CaseIterable {
    case arrivals, timers
  }

  private var waiting: [[ThreadID]] = Array(repeating: [], count: Lane.allCases.count)
  /// The event that was held, and now happens.
  private var next: [ThreadID] = Array(repeating: .none, count: Lane.allCases.count)
  /// The items whose moment no timer of dispatch decides.
  private var free: Set<Int32> = []

  mutating func reset() { self = EventOrder() }

  /// The moment of an item is that of input or output.
  mutating func plan(_ item: Int32, isWorld: Bool) {
    if isWorld { free.insert(item) } else { free.remove(item) }
  }

  /// Whether the moment of an item is that of input or output.
  func isWorld(_ item: Int32) -> Bool { free.contains(item) }

  /// The order to which an event belongs; nil for none.
  func lane(of event: StepEvent) -> Lane? {
    switch event {
    case .arrival: .arrivals
    case .item(let item): free.contains(item) ? nil : .timers
    }
  }

  /// Whether an event that is due waits for an earlier one.
  ///
  /// `isHeld` is whether one of its order is held.
  mutating func waits(_ event: StepEvent, isHeld: Bool) -> Bool {
    guard let lane = lane(of: event)?.rawValue else { return false }
    if next[lane] == event.thread {
      next[lane] = .none
      return false
    }
    if next[lane].isNone && !isHeld { return false }
    waiting[lane].append(event.thread)
    return true
  }

  /// An event that was held happens next.
  mutating func release(_ event: StepEvent) {
    guard let lane = lane(of: event)?.rawValue else { return }
    next[lane] = event.thread
  }

  /// An event happens; gives the one that has waited for it.
  mutating func happens(_ event: StepEvent) -> [ThreadID] {
    guard let lane = lane(of: event)?.rawValue, !waiting[lane].isEmpty else { return [] }
    next[lane] = waiting[lane].removeFirst()
    return [next[lane]]
  }

  /// All that wait.
  var all: [ThreadID] { waiting.flatMap { $0 } }
}
