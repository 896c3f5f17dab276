import SpindleModel

/// A timer of a run loop; one that was made for a delayed perform has no name.
struct RunLoopTimer {
  typealias Index = TableIndex<RunLoopTimer>

  var handler = Handler()
  var name = NameID.none
  /// How long until the next fire; 0 for one that fires once.
  var interval: Int64 = 0
  /// When it fires next.
  var fire: Int64 = 0
  /// Which of the dates of one moment is its: the one that was set first comes first.
  var rank: Int64 = 0
  /// How much later it may fire.
  var tolerance: Int64 = 0
  /// The loop that it was added to, which is one at a time; none before.
  var loop = RunLoop.Index.none
  /// Its modes there.
  var modes = ItemList<RunLoopMode.Index>()
  var isValid = true
  var isFiring = false
  /// Whether it was given a date since its handler was called.
  var wasMoved = false
  var wasAdded = false
  var wasFired = false
  /// Whether it is a delayed perform.
  var isPerform = false
  /// Where it was made.
  var place: Int32 = -1
  /// When it was added.
  var ticket: Int64 = 0

  /// When it must fire.
  var limit: Int64 {
    let (end, overflow) = fire.addingReportingOverflow(tolerance)
    return overflow ? Int64.max : end
  }
}

/// A source of the first kind: signalled by hand, and performed by the next pass.
struct RunLoopSource {
  typealias Index = TableIndex<RunLoopSource>

  var handler = Handler()
  var name: NameID
  var order: Int64
  /// The modes that have it.
  var places = ItemList<RunLoopPlace>()
  var isValid = true
  var isSignalled = false
  /// Where it was signalled last.
  var place: Int32 = -1
  /// When it was signalled first since it was performed.
  var ticket: Int64 = 0
  /// Since when it is signalled in a sleeping loop that nobody has woken for it; -1 when it is not.
  var sleptOnSince: Int64 = -1
}

/// A source of the second kind: a port with its messages.
struct RunLoopPort {
  typealias Index = TableIndex<RunLoopPort>

  var handler = Handler()
  var name: NameID
  /// The modes that have it.
  var places = ItemList<RunLoopPlace>()
  var isValid = true
  /// Whether it is for one answer of an input or output, and is gone then.
  var isAnswer = false
  var messages = RunLoopBacklog<Message>()
  /// Where it was made.
  var place: Int32 = -1
  /// When it was made.
  var ticket: Int64 = 0

  struct Message {
    var value: Int64
    /// Where it was sent.
    var place: Int32
    var ticket: Int64
  }
}

/// An observer of a run loop.
struct RunLoopObserver {
  typealias Index = TableIndex<RunLoopObserver>

  var handler = Handler()
  /// The bits of what it wants to see.
  var activities: Int64
  var repeats: Bool
  var order: Int64
  /// The loop that it was added to; none before.
  var loop = RunLoop.Index.none
  /// Its modes there.
  var modes = ItemList<RunLoopMode.Index>()
  var isValid = true
  var isFiring = false
  /// Where it was made.
  var place: Int32
}

/// What a run loop tells its observers, in the order of a pass.
enum RunLoopActivity: Int64, CaseIterable {
  case entry, beforeTimers, beforeSources, beforeWaiting, afterWaiting, exit

  /// Its place among the lists of a mode's observers.
  var place: Int { Int(rawValue) }

  /// Its bit in a set of activities.
  var bit: Int64 { 1 << rawValue }

  /// Its name in the trace language.
  var name: String {
    switch self {
    case .entry: "entry"
    case .beforeTimers: "beforeTimers"
    case .beforeSources: "beforeSources"
    case .beforeWaiting: "beforeWaiting"
    case .afterWaiting: "afterWaiting"
    case .exit: "exit"
    }
  }
}

/// How a run ended, with the number that Core Foundation gives it.
enum RunLoopResult: Int64 {
  case finished = 1, stopped, timedOut, handledSource

  /// Its name in the trace language.
  var name: String {
    switch self {
    case .finished: "finished"
    case .stopped: "stopped"
    case .timedOut: "timedOut"
    case .handledSource: "handledSource"
    }
  }

  /// What the log says of it.
  var ending: RunLoopEnding {
    switch self {
    case .finished: .finished
    case .stopped: .stopped
    case .timedOut: .timedOut
    case .handledSource: .handledSource
    }
  }
}

/// What a run goes through while its handlers may change the lists.
struct RunLoopSnapshot {
  typealias Index = TableIndex<RunLoopSnapshot>

  /// Observers of an activity.
  var observers: [RunLoopObserver.Index] = []
  /// Sources that were signalled.
  var signals: [RunLoopSignal] = []
  /// Timers that are due.
  var timers: [RunLoopTimer.Index] = []
  /// Blocks that have been taken out of the loop.
  var blocks: [RunLoopBlock] = []
  /// Those of them that are for other modes.
  var kept: [RunLoopBlock] = []
  /// The place of the next one in the list that is gone through.
  var next = 0

  /// The next observer; nil when all have had their turn.
  mutating func takeObserver() -> RunLoopObserver.Index? {
    takePlace(of: observers.count).map { observers[$0] }
  }

  /// The next thing to perform; nil when all have had their turn.
  mutating func takeSignal() -> RunLoopSignal? {
    takePlace(of: signals.count).map { signals[$0] }
  }

  /// The next timer; nil when all have had their turn.
  mutating func takeTimer() -> RunLoopTimer.Index? {
    takePlace(of: timers.count).map { timers[$0] }
  }

  /// The next block; nil when all have had their turn.
  mutating func takeBlock() -> RunLoopBlock? { takePlace(of: blocks.count).map { blocks[$0] } }

  private mutating func takePlace(of count: Int) -> Int? {
    if next >= count { return nil }
    assert(next >= 0, "a list is gone through from place \(next)")
    next += 1
    return next - 1
  }
}

/// What a pass performs: a source that was signalled, or what other threads asked for.
enum RunLoopSignal {
  case source(RunLoopSource.Index), performs
}

extension Array {
  /// Takes all out of a list that a run goes through and that most often is empty; its room is kept.
  mutating func empty() {
    if !isEmpty { removeAll(keepingCapacity: true) }
  }
}
