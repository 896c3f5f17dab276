/// Something in a run that a developer should know, with its explanation.
public struct Finding: Hashable, Sendable {
  /// Which kind.
  public var kind: Kind
  /// When it was found.
  public var time: Instant
  /// The places in the trace that it is about, the most telling one first.
  public var places: [SourceRange]
  /// What it says: names, amounts, waits and the words between them.
  package var statement: FindingStatement
  /// One or more sentences: who, what, why.
  public var explanation: String { statement.text }

  /// Creates a finding.
  package init(kind: Kind, time: Instant, places: [SourceRange], statement: FindingStatement) {
    (self.kind, self.time, self.places, self.statement) = (kind, time, places, statement)
  }

  /// How much it matters.
  public enum Severity: UInt8, Hashable, Sendable, Comparable {
    /// Good to know.
    case note
    /// Surely not meant.
    case warning
    /// The program can't go on.
    case error

    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }

    /// The word for it.
    package var name: String {
      switch self {
      case .note: "note"
      case .warning: "warning"
      case .error: "error"
      }
    }
  }

  /// The kinds of findings; the raw value is the stable name in traces and exports.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Threads wait for each other in a cycle, or for something that nobody will do.
    case deadlock
    /// A thread waits for itself: a lock that it has, its own end, what stands behind it in its queue.
    case selfDeadlock
    /// Threads took locks in orders in which, at another time, they wait for each other in a cycle.
    case lockOrderInversion
    /// A thread ended while it had a lock.
    case lockHeldByEndedWork
    /// A condition was signalled when nobody waited, and then somebody waited for ever.
    case lostWakeup
    /// An urgent thread waited for a lock whose owner could not run for less urgent work.
    case priorityInversion
    /// The main thread could not answer for 250 ms or more.
    case mainThreadHang
    /// A ready thread got no core for 10 s or more.
    case starvation
    /// More work arrived from outside than could be served.
    case overload
    /// There were far more threads than cores could use.
    case threadExplosion
    /// The process reached its limit of threads.
    case threadLimit
    /// A thread was still at work, was ready or waited when the process ended, and was killed.
    case killedAtExit
    /// A stack size that the real library does not take was ignored or changed.
    case stackSizeIgnored
    /// Something was unlocked by a thread that does not have it.
    case unlockByOther
    /// More memory is in use than the machine has.
    case memoryPressure
    /// The limit of steps was reached while virtual time stood still.
    case livelock
    /// A thread object was made and never started.
    case neverStarted
    /// A group was entered more often than left when the run ended.
    case unbalancedGroup
    /// A group was left more often than entered.
    case unbalancedLeave
    /// `sync` was called on a queue by the item that the queue runs.
    case syncOnOwnQueue
    /// Threads wait in `sync` for queues of each other, which the real library never notices.
    case syncCycle
    /// Every worker of the pool waits for work that needs a worker.
    case poolExhaustion
    /// No worker of a global queue could run until libdispatch's monitor added one.
    case poolAtRest
    /// A barrier was asked for on a global queue, where it means nothing.
    case barrierOnGlobalQueue
    /// A source or queue was suspended, inactive or could start nothing at the end, and something waited
    /// for it.
    case neverResumed
    /// A queue or source was resumed more often than suspended.
    case overResume
    /// An urgent thread waited for a signal of work that is less urgent: a semaphore has no owner.
    case semaphoreInversion
    /// Items were handed to the main queue and nobody drains it.
    case mainQueueNotDrained
    /// A thread asked to be real-time in a way that the real system refuses.
    case realtimeRefused
    /// A real-time thread was not done within its constraint after a wake.
    case deadlineMissed
    /// A timer, a message or something that a thread was asked for can never come.
    case neverFires
    /// A source was signalled, or a block handed over, and its sleeping loop was never woken.
    case signalledNotWoken
    /// A thread runs its loop again and again, and each run returns at once.
    case spinningRunLoop
    /// A run loop was asked for something that the real one takes without a word, and does not do.
    case ignoredByRunLoop
    /// Operations depend on each other in a cycle, so that none of them ever starts.
    case circularDependency
    /// An operation that reports for itself never reported that it has finished.
    case neverFinishes
    /// An operation waits for its own queue, whose places are taken by those who wait.
    case waitOnOwnQueue
    /// An operation was made, and neither added to a queue nor started.
    case neverAdded
    /// A variable was used from two sides, one of which changed it, and nothing orders them.
    case dataRace
    /// Instances hold each other, nothing else holds them, and they are there for ever.
    case neverReleased
    /// A readiness of an operation's own turned true, and nobody was told.
    case readinessNotAnnounced
    /// An operation was added or started when it could not be, or its queue given what it can't take.
    case operationMisuse

    /// Every thread of the pool that tasks run in waits, and tasks that are ready wait for one.
    case poolStarved
    /// A task holds its thread while it waits.
    case blockingInTask
    /// A continuation was never resumed, and its task waits for ever.
    case continuationNeverResumed
    /// A continuation was resumed again.
    case continuationResumedTwice
    /// Tasks wait for each other's end in a cycle.
    case circularAwait
    /// Very many tasks stood in line for the main actor.
    case mainActorFlood
    /// A task was still at work when the async main ended the process.
    case taskOutlivesScope
    /// A cancelled child never asked, and its scope had to wait for it.
    case cancellationIgnored
    /// A task threw an error, and nobody asked for its value.
    case errorNobodyAwaits
    /// Very many tasks were alive at once.
    case unboundedTaskCreation
    /// A member of an actor was changed behind the back of a call that waited, and goes on from what it saw.
    case actorReentrancy
    /// An urgent task stood in line for an actor that a less urgent one had.
    case priorityInversionOnActor
    /// Tasks that were made one after another came to an actor in another order.
    case orderNotKept
    /// Several loops read one stream, and each got a part of its elements.
    case competingReaders
    /// A producer went on feeding a stream that had ended.
    case yieldAfterTermination

    /// How much a finding of this kind matters.
    public var severity: Severity {
      switch self {
      case .deadlock, .selfDeadlock, .livelock, .threadLimit, .unbalancedLeave, .syncOnOwnQueue,
        .syncCycle, .poolExhaustion, .overResume,
        .circularDependency, .waitOnOwnQueue, .operationMisuse, .poolStarved,
        .continuationResumedTwice, .circularAwait:
        .error
      case .lockHeldByEndedWork, .lockOrderInversion, .lostWakeup, .priorityInversion,
        .mainThreadHang, .starvation, .overload,
        .threadExplosion, .stackSizeIgnored, .unlockByOther, .memoryPressure, .unbalancedGroup,
        .poolAtRest, .barrierOnGlobalQueue, .neverResumed, .semaphoreInversion,
        .mainQueueNotDrained,
        .neverFires, .signalledNotWoken, .spinningRunLoop, .ignoredByRunLoop,
        .realtimeRefused, .deadlineMissed, .neverFinishes, .neverAdded, .neverReleased,
        .dataRace,
        .readinessNotAnnounced,
        .blockingInTask, .continuationNeverResumed, .mainActorFlood, .cancellationIgnored,
        .errorNobodyAwaits, .unboundedTaskCreation, .actorReentrancy, .priorityInversionOnActor,
        .orderNotKept, .competingReaders, .yieldAfterTermination:
        .warning
      case .killedAtExit, .neverStarted, .taskOutlivesScope: .note
      }
    }
  }
}
