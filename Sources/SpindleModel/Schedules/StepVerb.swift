/// What a visible step of a thread does, in the words of the log.
///
/// A step is visible where another thread can notice whether it has been done: it uses a lock, a queue, a shared
/// variable or the like.
package enum StepVerb: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// Reads or writes a shared variable.
  case reads, writes
  /// Takes a lock, gives it back, or only tries to take it.
  case locks, unlocks, tries
  /// Begins to wait for a condition; waits for a group, a work item or an operation.
  case waits
  /// Signals a condition or a semaphore, or all who wait for a condition.
  case signals, broadcasts
  /// Passes a semaphore.
  case passes
  /// Enters or leaves a group.
  case enters, leaves
  /// Asks for an item when a group is empty or a work item is done.
  case notifies
  /// Enqueues an item, or plans to.
  case submits, plans
  /// The deadline of a planned item has come, and it is enqueued.
  case fires
  /// Runs on a queue while the caller waits.
  case syncs
  /// Holds a queue or source back, and lets it go on.
  case suspends, resumes, activates
  /// Asks for an end, and asks whether that was asked for.
  case cancels, asks
  /// Runs what is run once.
  case initialises
  /// Changes a property of a queue, an operation or a thread.
  case changes
  /// Feeds a dispatch source or a pipe.
  case merges, sends
  /// An item begins.
  case begins
  /// A task goes to an actor.
  case hops
  /// A stream is given an element, ends, or is asked for the next element.
  case yields, finishes, takes
  /// Wakes or stops a run loop.
  case wakes, stops

  /// Its place among all, as they are declared.
  ///
  /// The words are looked at nowhere but in texts: to hash one for each step would take most of its time.
  package var place: UInt8 { unsafeBitCast(self, to: UInt8.self) }

  package func hash(into hasher: inout Hasher) { hasher.combine(place) }
}
