/// Every kind of log entry.
///
/// Each case says when it is recorded and what the entry's fields hold; a field that is not
/// mentioned is -1, 0 for `value` and `detail`.
@usableFromInline package enum LogEvent: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  // MARK: Threads

  /// A thread exists from now on. `thread` it, `object` its name, `other` the thread that made it,
  /// `subject` the name of the executor that made it, `value` its reserved stack in bytes,
  /// `detail` a `ThreadOrigin`. A thread without a name of its own (`object` is -1) is called after
  /// its executor and its ordinal among all that this executor has made, from 1: `background-7`.
  case threadCreated
  /// It may run from now on. `thread`, `other` the thread that woke it.
  case threadReady
  /// It gets a core. `thread`, `core`, `detail` a set of `DispatchFlags`, `value` what filling the core's
  /// caches anew costs it, in nanoseconds at speed 1.
  case threadRuns
  /// It loses its core and stays ready. `thread`, `core`, `detail` a `PreemptionReason`, `value` the
  /// nanoseconds of its own work since it got the core; what is missing to the whole is overhead.
  case threadPreempted
  /// It waits. `thread`, `core`, `detail` a `WaitReason`, `object` the name of what it waits for,
  /// `subject` its number, `other` a thread that has it, `value` as above.
  case threadBlocked
  /// It has ended. `thread`, `core`, `value` as above.
  case threadEnded
  /// It was killed, since the process ended. `thread`, `core` where it held one, `value` as above.
  case threadKilled
  /// It was asked to end. `thread` who asked, `other` the one that is asked, `detail` a
  /// `ThreadMention`.
  case threadCancelled

  // MARK: Work

  /// An item of work was handed over. `thread` by whom, `object` its name, `subject` its kind,
  /// `other` what takes it: the name of an executor; `value` a `Submission`, `detail` its
  /// `Submission.Flags`.
  case itemSubmitted
  /// It begins. `thread` where, `object`, `subject`, `other` its number, `value` the nanoseconds since
  /// it was submitted, `detail` a set of `ItemFlags`.
  case itemStarted
  /// It has ended. `thread`, `object`, `subject`, `other` its number, `value` the nanoseconds since it
  /// was submitted, `detail` as above.
  case itemEnded

  // MARK: Notes of the trace

  /// `mark("…")`. `thread`, `object` the text.
  case mark
  /// `print("…")`. `thread`, `object` the text.
  case print
  /// `record("key", value)`. `thread`, `object` the key, `value`, of a thread its name, `detail` a
  /// `ValueFormat`.
  case record
  /// A `var` at the top was read. `thread`, `object` its name, `value` what it holds, of an object its
  /// name, `detail` a `ValueFormat`.
  case sharedRead
  /// A `var` at the top was written. Fields as above.
  case sharedWritten

  // MARK: Locks, semaphores, groups
  // In these `subject` is the number of the lock, semaphore or group.

  /// A lock was taken. `thread`, `object` its name, `detail` a `LockSharing`, `place` where the thread
  /// asked for it.
  case lockAcquired
  /// A lock was not free, and the thread does not wait (any more). `thread`, `object`.
  case lockRefused
  /// A lock was given back. `thread`, `object`.
  case lockReleased
  /// A condition was signalled. `thread`, `object`, `value` how many threads it woke.
  case conditionSignalled
  /// A condition was broadcast. `thread`, `object`, `value` how many threads it woke.
  case conditionBroadcast
  /// A semaphore let a thread pass. `thread`, `object`, `value` the count that is left.
  case semaphorePassed
  /// A semaphore was signalled. `thread`, `object`, `value` the count after it.
  case semaphoreSignalled
  /// A group was entered. `thread`, `object`, `value` the count after it.
  case groupEntered
  /// A group was left. `thread`, `object`, `value` the count after it.
  case groupLeft
  /// A wait with a limit reached it. `thread`, `object`, `subject`, `detail` a `WaitReason`.
  case waitTimedOut

  // MARK: Memory

  /// `allocate(size)`. `thread`, `value` the bytes.
  case memoryAllocated
  /// `free(size)`. `thread`, `value` the bytes.
  case memoryFreed
  /// `autorelease(size)`. `thread`, `value` the bytes.
  case memoryAutoreleased
  /// An autorelease pool was drained. `thread`, `value` the bytes that it gave back.
  case poolDrained
  /// The memory in use has changed. `value` the bytes in use now; comes last of its instant's cause.
  case memoryChanged

  // MARK: The world and the run

  /// The world outside acts: `at`, `every`, `arrivals`. `value` the ordinal, `place` where.
  case arrival
  /// Something went wrong, or will. `thread`, `value` the index in `RunRecord.findings`.
  case finding
  /// The run ends. `detail` the raw value of an `Outcome.Kind`, `value` of a `RunEnding`.
  case runEnded

  // The cases below came later: the raw values above are part of recorded digests.

  // MARK: Cancelled work

  /// An item did not run: it was cancelled, or it is an operation that reported its end before its
  /// turn came. `thread`, `object`, `subject`, `other` its number, `value` the nanoseconds since it
  /// was submitted, `detail` a set of `ItemFlags`.
  case itemSkipped
  /// A work item was cancelled. `thread`, `object` its name.
  case itemCancelled

  // MARK: Dispatch queues

  // In these `subject` is the number of the queue or source.

  /// The block of a `sync` begins. `thread` where it runs, `object` the queue's name, `detail` a
  /// `SyncKind`.
  case queueSyncBegan
  /// It has ended. `thread`, `object`, `detail` as above.
  case queueSyncEnded
  /// A queue or source was suspended. `thread`, `object` its name, `value` how often by now, `detail`
  /// a `DispatchObject`.
  case queueSuspended
  /// A queue or source was resumed. `thread`, `object` its name, `value` how often it is still
  /// suspended, `detail` as above.
  case queueResumed
  /// A queue or source that was made inactive was activated. `thread`, `object` its name,
  /// `detail` as above.
  case queueActivated
  /// A `concurrentPerform` begins. `thread`, `value` the number of iterations.
  case applyBegan
  /// It has ended. `thread`, `value` the number of iterations.
  case applyEnded

  // MARK: Dispatch sources

  /// A source's event handler is called. `thread`, `object` the source's name, `subject` its number,
  /// `value` its data, `detail` a `SourceHandler`.
  case sourceFired
  /// A source was cancelled. `thread` who did it, `object` its name, `subject` its number.
  case sourceCancelled
  /// A signal was sent to the process. `thread`, `object` the signal's name.
  case signalRaised

  // MARK: The app and the machine

  /// The app's life takes a turn. `thread` who asked for it, `detail` an `AppTurn`.
  case appTurned
  /// The machine sleeps. `thread` who asked for it, `value` the nanoseconds.
  case machineSlept
  /// The machine wakes.
  case machineWoke

  // MARK: Real-time threads

  /// A thread is real-time from now on, or ordinary again. `thread`, `value` its constraint in
  /// nanoseconds, 0 when it is ordinary, `detail` a `RealtimeStart`, `other` who made it so.
  case realtimeChanged
  /// A real-time thread waits or ends, or the run is cut off, and its deadline is past. `thread`,
  /// `place`, `value` the nanoseconds since its deadline.
  case deadlineMissed

  // MARK: Run loops

  /// A thread begins to run its loop. `thread`, `object` the mode.
  case runLoopEntered
  /// The run ends. `thread`, `object` the mode, `detail` a `RunLoopEnding`.
  case runLoopLeft
  /// `CFRunLoopStop`. `thread` who, `other` whose loop.
  case runLoopStopped
  /// `CFRunLoopWakeUp`. `thread` who, `other` whose loop, `detail` a `ThreadMention`.
  case runLoopWoken
  /// An observer is called. `thread`, `object` the activity.
  case observerCalled
  /// A timer's handler is called. `thread`, `object` its name, -1 for a delayed perform, `value` how
  /// many nanoseconds after its date, `detail` a `TimerCause`.
  case timerFired
  /// A source was signalled. `thread` who, `object` its name.
  case sourceSignalled
  /// A source's handler is called. `thread`, `object` its name.
  case sourcePerformed
  /// A block of a run loop is called. `thread`.
  case blockPerformed
  /// A thread is asked to perform something. `thread` who asks, `other` whom, `detail` a
  /// `ThreadMention`.
  case performAsked
  /// It begins to. `thread`.
  case performBegun
  /// A message was sent to a port. `thread` who, `object` the port's name.
  case messageSent
  /// A port's handler is called with a message. `thread`, `object` the port's name.
  case messageReceived
  /// An input or output that calls back has ended: its answer waits for a run loop.
  case answerCame
  /// The answer's block is called. `thread`.
  case answerReceived
  /// A finger is down that the main loop follows. `value` for how many nanoseconds.
  case trackingBegan
  /// It is lifted.
  case trackingEnded

  // MARK: Observed objects

  /// An object told who observes it what a value of it is now. `thread`, `object` the name of the
  /// object, `other` the number of the key, `value` 0 or 1.
  case valueAnnounced

  // MARK: What is in run loops

  /// Something was added to a mode of a run loop. `thread` who, `object` its name, `subject` the
  /// mode, `other` whose loop, `detail` a `ThreadMention`.
  case runLoopItemAdded
  /// It was taken out of the mode. Fields as above.
  case runLoopItemRemoved
  /// A mode is one of the common ones from now on. `object` the mode, the rest as above.
  case commonModeAdded
  /// A run that the program began goes on after a sleep. `thread`, `object` the mode, `detail` a
  /// `RunLoopAwakening`.
  case runLoopAwoke

  // MARK: Objects

  /// An object was made. `thread` by whom, `detail` the raw value of its `HandleClass`, `object` its
  /// name, `other` its number in its class, `subject` the name of its quality of service or priority,
  /// `value` by its class: what a semaphore or condition lock begins with, the width of a pool, the
  /// limit of an operation queue (-1 for none), the interval of a timer; of a queue 1 when it is
  /// concurrent, 2 when it is inactive, 3 when it is both.
  case objectMade
  /// An operation queue's limit is another one. `thread`, `object` its name, `subject` its number,
  /// `value` the limit, -1 for none.
  case limitChanged
  /// An operation depends on another one from now on, or no longer. `thread`, `object` its name, `subject` its
  /// number, `other` the number of the other one and `value` its name; `detail` a
  /// `DependencyChange`.
  case dependencyChanged
  /// A queue or source has a target: where what it has runs. `thread`, `object` its name, `subject` its
  /// number, `other` the number of the target and `value` its name; `detail` a `DispatchObject`.
  case targetSet
  /// An item will be handed over later. `thread`, `object` its name, `other` the name of the queue,
  /// `value` the moment.
  case itemPlanned

  // MARK: More of threads and handlers

  /// The wait that a thread has just begun ends by itself, by then. `thread`, `value` the moment.
  case waitLimited
  /// A thread's priority is another one. `thread`, `value` the priority, `object` the name of its
  /// quality of service.
  case priorityChanged
  /// The handler that was called last on a thread, and is still open, has returned. `thread`.
  case handlerEnded
  /// An iteration of a `concurrentPerform` begins. `thread`, `value` its number, from 0.
  case iterationBegan
  /// It has ended. `thread`, `value`.
  case iterationEnded

  // MARK: Tasks

  // In these `object` is the name of the item that the task is, `subject` its kind, `other` its number.

  /// A task leaves its thread and waits. `thread`, `detail` a `TaskWait`, `value` the number of the task's
  /// item that it waits for, 0 for none.
  case taskSuspended
  /// It goes on. `thread`, `value` the nanoseconds since it was ready to.
  case taskResumed
  /// It was cancelled. `thread` by whom.
  case taskCancelled
  /// It is on an actor from now on. `thread`, `object` the actor's name, -1 for the main actor, `detail` its
  /// priority, `value` the nanoseconds that it stood in line.
  case actorEntered
  /// It leaves that actor. `thread`, `object`, `value` the nanoseconds that it was on it.
  case actorLeft
  /// Its priority is another one. `thread` who raised it, `value` a `TaskPriority`.
  case taskRaised

  // MARK: Accelerators

  // In these `thread` is the one that waits for the answer, `object` the accelerator's name, `subject` its
  // number.

  /// An accelerator begins what a thread has asked for. `value` the nanoseconds that it takes, with its
  /// launch and the transfer.
  case acceleratorBegan
  /// It has done it. `value` the nanoseconds since the thread asked.
  case acceleratorEnded

  // MARK: Rounds

  /// What was recorded last came again and again, each time later by the same: rounds of a loop that waits for
  /// something. `other` how many entries before this one were a round, `value` how many more rounds there were; the
  /// time is that of the last entry of the last one. Behind it comes one more round, in full; a variable's value that
  /// is another one there has grown by the same in each round. `thread` whose rounds they were, -1 for those of several.
  case roundsRepeated

  // MARK: Samples

  /// `sample("key", value)`. `thread`, `object` the key, `value`, `detail` a `ValueFormat`.
  case sampled
}

/// What the value of an `itemSubmitted` says.
@usableFromInline package struct Submission: Hashable, Sendable {
  /// The item's number among all of the run, from 1; the lower half of the value.
  @usableFromInline package var item: Int32
  /// The number of the executor or queue that takes it, or of the operation that it is; -1 for none.
  @usableFromInline package var object: Int32

  /// Splits a value.
  @inlinable
  package init(_ value: Int64) {
    item = Int32(truncatingIfNeeded: value)
    object = Int32(truncatingIfNeeded: value >> 32) &- 1
  }

  /// The value for an item.
  @inlinable
  package static func value(item: Int32, object: Int32 = -1) -> Int64 {
    Int64(object &+ 1) << 32 | Int64(UInt32(bitPattern: item))
  }

  /// What the `detail` says: whether the item is a barrier, and what `object` numbers.
  @usableFromInline package struct Flags: OptionSet, Hashable, Sendable {
    @usableFromInline package let rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It runs alone in its queue.
    @inlinable package static var barrier: Flags { Flags(rawValue: 1) }
    /// The executor that takes it.
    @inlinable package static var toExecutor: Flags { Flags(rawValue: 2) }
    /// The queue that takes it.
    @inlinable package static var toQueue: Flags { Flags(rawValue: 4) }
    /// The operation that it is.
    @inlinable package static var isOperation: Flags { Flags(rawValue: 8) }
  }
}

/// Why a run came to its end.
@usableFromInline package enum RunEnding: Int64, Hashable, Sendable {
  /// What the outcome says.
  case asTheOutcomeSays
  /// Nothing can happen any more.
  case nothingLeft
  /// The stated `until` was reached.
  case until
  /// The main function of a tool has ended.
  case mainEnded
  /// The process called `exit`.
  case exit
}

/// What happens in an app's life.
@usableFromInline package enum AppTurn: UInt8, Hashable, Sendable {
  case enteredBackground, enteredForeground, suspended, resumed
  case taskBegan, taskEnded, timeExpired
}

/// Why a thread was made.
@usableFromInline package enum ThreadOrigin: UInt8, Hashable, Sendable {
  case main, thread, detached, threadPerTask, threadPool, worker
}

/// What getting a core meant for a thread and for the core.
@usableFromInline package struct DispatchFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The core last ran another thread: a context switch.
  @inlinable package static var contextSwitch: DispatchFlags { DispatchFlags(rawValue: 1) }
  /// The thread last ran on another core: a migration.
  @inlinable package static var migration: DispatchFlags { DispatchFlags(rawValue: 2) }
  /// And that core is of another cluster: it has another last-level cache.
  @inlinable package static var clusterMigration: DispatchFlags { DispatchFlags(rawValue: 4) }
}

/// Why a thread lost its core.
@usableFromInline package enum PreemptionReason: UInt8, Hashable, Sendable {
  /// Its quantum was used up.
  case quantum
  /// A thread that is more urgent got ready.
  case priority
  /// It gave the core up itself.
  case yield
}
