// What the `detail` of an entry holds, and some values: written by the simulator, read by reports.

/// How a run of a run loop ended; the `detail` of a `runLoopLeft`.
///
/// The numbers are those that Core Foundation gives, and 0.
@usableFromInline package enum RunLoopEnding: UInt8, Hashable, Sendable, CaseIterable {
  /// It did not begin: nothing is in the mode.
  case nothingInMode
  /// Nothing is left in the mode.
  case finished
  /// It was stopped.
  case stopped
  /// Its limit was reached.
  case timedOut
  /// A source was handled, and the run was asked to return after one.
  case handledSource
}

/// What woke a run of a run loop; the `detail` of a `runLoopAwoke`.
@usableFromInline package enum RunLoopAwakening: UInt8, Hashable, Sendable, CaseIterable {
  /// Its limit was reached.
  case limit
  /// `CFRunLoopWakeUp`, or what does the same.
  case wakeUp
  /// A timer is due.
  case timer
  /// The main queue has work.
  case mainQueue
  /// A message has come to a port.
  case message
}

/// What an entry says of the other thread that it is about; the `detail` of `threadCancelled`,
/// `runLoopWoken`, `performAsked`, `runLoopItemAdded`, `runLoopItemRemoved` and `commonModeAdded`.
@usableFromInline package struct ThreadMention: OptionSet, Hashable, Sendable {
  @usableFromInline package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Of a `runLoopWoken`: the loop is awake and ignores it.
  @inlinable package static var ignoresWakeUp: ThreadMention { ThreadMention(rawValue: 1) }
  /// Of a `performAsked`: who asks waits until it is done.
  @inlinable package static var asksAndWaits: ThreadMention { ThreadMention(rawValue: 1) }
  /// It was not started, so the log does not know it: `value` is its name.
  @inlinable package static var notStarted: ThreadMention { ThreadMention(rawValue: 2) }
}

/// What an item of work is besides; the `detail` of `itemStarted`, `itemEnded` and `itemSkipped`.
@usableFromInline package struct ItemFlags: OptionSet, Hashable, Sendable {
  @usableFromInline package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It needs no thread until it reports its end.
  @inlinable package static var needsNoThread: ItemFlags { ItemFlags(rawValue: 1) }
  /// It is a task, which leaves its thread where it waits and goes on on another one.
  @inlinable package static var isTask: ItemFlags { ItemFlags(rawValue: 4) }
  /// Of a skipped one: it was not cancelled, but is an operation that reported its end before its
  /// turn came.
  @inlinable package static var reportedItsEnd: ItemFlags { ItemFlags(rawValue: 2) }
  /// Of a skipped one: it was not cancelled, but is a job that was left out since another one was late.
  @inlinable package static var isLeftOut: ItemFlags { ItemFlags(rawValue: 8) }
}

/// How a lock was taken; the `detail` of a `lockAcquired`.
@usableFromInline package enum LockSharing: UInt8, Hashable, Sendable, CaseIterable {
  /// By one thread.
  case exclusive
  /// By readers.
  case shared
}

/// What an entry about being held back, or about a target, is of; the `detail` of `queueSuspended`,
/// `queueResumed`, `queueActivated` and `targetSet`.
@usableFromInline package enum DispatchObject: UInt8, Hashable, Sendable, CaseIterable {
  /// A dispatch queue.
  case queue
  /// A dispatch source.
  case source
}

/// What the block of a `sync` is; the `detail` of `queueSyncBegan` and `queueSyncEnded`.
@usableFromInline package enum SyncKind: UInt8, Hashable, Sendable, CaseIterable {
  /// One among others.
  case plain
  /// One that runs alone in its queue.
  case barrier
}

/// Which handler of a dispatch source is called; the `detail` of a `sourceFired`.
@usableFromInline package enum SourceHandler: UInt8, Hashable, Sendable, CaseIterable {
  /// The one for its events.
  case event
  /// The one for its end.
  case cancel
}

/// Why a timer fires; the `detail` of a `timerFired`.
@usableFromInline package enum TimerCause: UInt8, Hashable, Sendable, CaseIterable {
  /// Its date has come.
  case date
  /// `fire()`.
  case byHand
}

/// From when on a thread has its real-time constraint; the `detail` of a `realtimeChanged`.
@usableFromInline package enum RealtimeStart: UInt8, Hashable, Sendable, CaseIterable {
  /// At once.
  case now
  /// From its next wake or its start.
  case nextWake
  /// From the arrival of each of its jobs.
  case eachJob
}

/// What became of a dependency; the `detail` of a `dependencyChanged`.
@usableFromInline package enum DependencyChange: UInt8, Hashable, Sendable, CaseIterable {
  /// An operation depends on another one from now on.
  case added
  /// It no longer does.
  case removed
}
