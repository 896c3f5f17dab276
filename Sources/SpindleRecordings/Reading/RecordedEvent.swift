/// One event of a recording.
package struct RecordedEvent: Hashable, Sendable {
  /// When, in nanoseconds of the recording's own clock.
  package var time: Int64
  /// The core; -1 where unknown.
  package var core: Int32
  /// The number of the thread that had the core: 0 if the core was idle, -1 if the thread is unknown.
  package var thread: Int32
  /// Whether that thread did it.
  package var context: Context
  /// What happened.
  package var kind: Kind

  /// Whether a core went from one thread to another.
  var isSwitch: Bool {
    if case .switched = kind { return true }
    return false
  }

  /// What did it.
  package enum Context: Hashable, Sendable {
    /// The thread that had the core.
    case thread
    /// An interrupt, which only has the name of whom it interrupted.
    case interrupt
    /// The recording does not distinguish the two.
    case unknown
  }

  /// What happened.
  package enum Kind: Hashable, Sendable {
    /// The core went from one thread to another.
    case switched(from: Int32, left: Leaving, priority: Int32, to: Int32, nextPriority: Int32)
    /// A blocked thread is made runnable, reported by its waker.
    case woken(Int32, priority: Int32)
    /// A thread is runnable, reported where it will run: `woken` may have reported it before.
    case readied(Int32, priority: Int32)
    /// A new thread is ready for the first time.
    case begun(Int32, priority: Int32)
    /// The thread that had the core made another.
    case forked(parent: Int32, child: Int32)
    /// A thread became another program.
    case executed(Int32)
    /// A thread ends.
    case exited(Int32)
    /// The thread that had the core came to a probe in libdispatch.
    case probed(DispatchProbe)
    /// An event that does not concern running threads.
    case other
  }

  /// In which state a thread left a core.
  package enum Leaving: Hashable, Sendable {
    /// It could have gone on.
    case ready
    /// It waits.
    case waiting
    /// It has ended.
    case ended
  }
}

/// Something that a recording states once, of a thread or of all.
package enum RecordedFact: Hashable, Sendable {
  /// What a thread is called from now on.
  case name(Int32, String)
  /// Of which process a thread is.
  case process(Int32, Int32)
  /// What a process is called.
  case processName(Int32, String)
  /// A thread is the first one of its process, where its number does not show it.
  case main(Int32)
  /// A core is one of the slower ones.
  case efficiencyCore(Int32)
  /// How many cores the machine has.
  case cores(Int)
  /// How many events were lost.
  case lost(Int)
  /// Something can't be read, and is passed over.
  case unread(RecordingMistake)
}

/// Receives the content of a recording, in the order of time.
package protocol RecordingReceiver {
  /// Takes an event.
  mutating func receive(_ event: RecordedEvent)
  /// Takes a fact.
  mutating func receive(_ fact: RecordedFact)
}
