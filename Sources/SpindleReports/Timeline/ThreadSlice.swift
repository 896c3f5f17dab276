public import SpindleModel

/// What a thread does with a core, or without one.
public enum ThreadState: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// It could run and has no core.
  case ready
  /// It has a core.
  case running
  /// It can't continue.
  case waiting
}

/// Why a thread goes from one state to another.
public enum ThreadChange: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// It was started: now it could run.
  case started
  /// What it waited for has come.
  case woken
  /// It waited as long as it wanted to wait at most.
  case timedOut
  /// It got a core.
  case gotCore
  /// Its quantum was used up.
  case quantumEnded
  /// A more urgent thread took its core, or one without a core could.
  case preempted
  /// It gave its core up itself.
  case yielded
  /// It began to wait.
  case blocked
  /// It ended.
  case ended
  /// It was killed, since the process ended.
  case killed
  /// The run ended, and it was in this state still.
  case runEnded
}

/// A stretch of time in which a thread was in one state; all of one thread are its whole life.
public struct ThreadSlice: Hashable, Sendable, BitwiseCopyable {
  /// The thread.
  public var thread: ThreadIndex
  /// When it began.
  public var start: Instant
  /// When it ended; of one that has just begun the start.
  public var end: Instant
  /// The state.
  public var state: ThreadState
  /// Why it began.
  public var began: ThreadChange
  /// Why it ended; of one that has just begun the same as `began`.
  public var ended: ThreadChange
  /// Of one that waits: why.
  public var reason: WaitReason?
  /// The core of one that runs, or the one that it lost when it became ready.
  public var core: CoreID
  /// Of one that runs: what that meant for thread and core.
  package var dispatch: DispatchFlags = []
  /// Of one that runs: what filling the core's caches anew costs it, in time of a core of speed 1.
  package var refill = Nanoseconds.zero
  /// The thread that did it: the one that started or woke a runnable thread, or got its core; the owner of
  /// what a blocked one waits for when it began to wait.
  public var agent: ThreadIndex = .none
  /// Of one that waits: the lane of what it waits for.
  public var lane: LaneIndex = .none
  /// Of one that waits: the name of what it waits for, or of the run loop's mode.
  public var name: NameID = .none
  /// The index of the instruction at which the thread was when it lost its core; of a running one, where it
  /// ended; -1 where the log has none.
  package var place: Int32 = -1
  /// Of one that runs: the name of the thread's quality of service; none where it has none.
  package var quality: NameID = .none
  /// Of one that runs: the thread's own work in it.
  public var work = Nanoseconds.zero
  /// Of one that runs: time in it in which the machine slept.
  package var slept = Nanoseconds.zero
  /// Of one that waits: when the wait ends by itself, at the latest; `Instant(Int64.max)` for never.
  package var limit = Instant(Int64.max)

  /// How many states of threads had begun before it: what comes first of those that begin at one moment.
  package var order: Int64 = 0

  /// How long it lasted.
  public var length: Nanoseconds { Nanoseconds(end.nanoseconds - start.nanoseconds) }

  /// Of one that runs: whether its core last ran another thread.
  public var isContextSwitch: Bool { dispatch.contains(.contextSwitch) }

  /// Of one that runs: whether it last ran on another core.
  public var isMigration: Bool { dispatch.contains(.migration) }

  /// Of one that runs: the time that costs took.
  package var overhead: Nanoseconds {
    Nanoseconds(length.rawValue - work.rawValue - slept.rawValue)
  }
}

/// The properties of a thread when it is started.
public struct ThreadFacts: Hashable, Sendable {
  /// The thread.
  public var thread: ThreadIndex
  /// The number that log entries have for it.
  package var slot: Int32
  /// When it was started.
  public var time: Instant
  /// Why it was made.
  package var origin: ThreadOrigin
  /// The thread that started it.
  public var maker: ThreadIndex
  /// What its stack reserves.
  package var stack: ByteCount
  /// The index of the instruction that made it; -1 for none.
  package var place: Int32
  /// What it is called, without which one of its name it is.
  var label: ThreadLabel
  /// Which one of its name it is, from 1.
  package var ordinal: Int32

  /// What it is called, as in the log: the second one of a name ends with `#2`.
  public func name(in names: NameTable) -> String {
    let text = label.text(names) ?? "thread \(thread.raw)"
    return ordinal > 1 ? "\(text)#\(ordinal)" : text
  }
}
