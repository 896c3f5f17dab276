import SpindleModel

/// A timer of a run loop; one that was made for a delayed perform has no name.
struct RunLoopTimer {
  var handler = Handler()
  var name: Int32 = -1
  /// How long until the next fire; 0 for one that fires once.
  var interval: Int64 = 0
  /// When it fires next.
  var fire: Int64 = 0
  /// Which of the dates of one moment is its: the one that was set first comes first.
  var rank: Int64 = 0
  /// How much later it may fire.
  var tolerance: Int64 = 0
  /// The loop that it was added to, which is one at a time; -1 for none.
  var loop: Int32 = -1
  /// The indices of its modes there.
  var modes = ItemList<Int32>()
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
  var handler = Handler()
  var name: Int32
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
  var handler = Handler()
  var name: Int32
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
  var handler = Handler()
  /// The bits of what it wants to see.
  var activities: Int64
  var repeats: Bool
  var order: Int64
  /// The loop that it was added to; -1 for none.
  var loop: Int32 = -1
  /// The indices of its modes there.
  var modes = ItemList<Int32>()
  var isValid = true
  var isFiring = false
  /// Where it was made.
  var place: Int32
}

/// What a run loop tells its observers, in the order of a pass.
enum RunLoopActivity: Int64, CaseIterable {
  case entry, beforeTimers, beforeSources, beforeWaiting, afterWaiting, exit

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
  /// Observers, sources or timers.
  var items: [Int32] = []
  /// Blocks that have been taken out of the loop.
  var blocks: [RunLoopBlock] = []
  /// Those of them that are for other modes.
  var kept: [RunLoopBlock] = []
  /// The next one.
  var next = 0
}
