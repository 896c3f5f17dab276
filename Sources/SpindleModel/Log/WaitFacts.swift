/// What is known of a reason to wait, whoever waits for whatever.
package struct WaitFacts {
  /// What a wait is spent on, as pictures colour it.
  package enum Family: Hashable {
    /// Nobody asks the thread for anything.
    case idle
    /// A device or a clock.
    case device
    /// Another thread.
    case other
  }

  /// Whom a sentence about a wait names, behind what it was for.
  package enum Culprit {
    /// Nobody.
    case none
    /// Who had the lock, and what they did.
    case holders
    /// What ran on the queue.
    case occupants
    /// The thread that is waited for, and what it did.
    case thread
    /// Who ended the wait, by what it did.
    case waker(StaticString)
  }

  /// What the log says of a thread that begins to wait.
  package let word: StaticString
  /// What it says when the wait comes to its limit; nil for a wait that has none, or is for a thread.
  package let timeOut: StaticString?
  /// The class of what is waited for; nil where it has no number of its own.
  package let object: HandleClass?
  /// Whether a thread that waits like this when nothing can happen any more is stuck.
  package let canDeadlock: Bool
  /// Whether who waits lends its priority to who has what it waits for.
  package let lends: Bool
  /// The letter of a column of a lane that shows it.
  package let letter: Unicode.Scalar
  /// What the letter means, for the legend.
  package let meaning: StaticString
  /// What it is spent on.
  package let family: Family
  /// What a sentence says behind the wait's length, with `%` for the name of what is waited for.
  package let phrase: StaticString
  /// Whom the sentence names.
  package let culprit: Culprit

  init(
    _ word: StaticString, timeOut: StaticString? = nil, object: HandleClass? = nil,
    canDeadlock: Bool = true, lends: Bool = false, letter: Unicode.Scalar, _ meaning: StaticString,
    family: Family = .other, phrase: StaticString, culprit: Culprit = .none
  ) {
    (self.word, self.timeOut, self.object) = (word, timeOut, object)
    (self.canDeadlock, self.lends) = (canDeadlock, lends)
    (self.letter, self.meaning, self.family) = (letter, meaning, family)
    (self.phrase, self.culprit) = (phrase, culprit)
  }
}

extension WaitReason {
  /// What is known of this reason; each has its line here, and what else must know a new one is the
  /// simulator's list of who is waited for.
  package var facts: WaitFacts {
    switch self {
    case .io:
      WaitFacts(
        "waits for io", canDeadlock: false, letter: "i", "io", family: .device, phrase: "for io")
    case .sleep:
      WaitFacts(
        "sleeps", canDeadlock: false, letter: "z", "sleeps", family: .device, phrase: "asleep")
    case .lock:
      WaitFacts(
        "waits for lock", timeOut: "times out at lock", object: .mutex, lends: true, letter: "L",
        "waits for a lock", phrase: "for lock '%'", culprit: .holders)
    case .condition:
      WaitFacts(
        "waits for condition", timeOut: "times out at condition", object: .condition, letter: "c",
        "condition", phrase: "for condition '%'", culprit: .waker("signalled it"))
    case .semaphore:
      WaitFacts(
        "waits for semaphore", timeOut: "times out at semaphore", object: .semaphore, letter: "s",
        "semaphore", phrase: "for semaphore '%'", culprit: .waker("signalled it"))
    case .group:
      WaitFacts(
        "waits for group", timeOut: "times out at group", object: .group, letter: "g", "group",
        phrase: "for group '%'", culprit: .waker("left it"))
    case .join:
      WaitFacts(
        "joins", letter: "j", "joins a thread", phrase: "for thread '%' to end", culprit: .thread)
    case .runLoop:
      WaitFacts(
        "idles in its run loop", canDeadlock: false, letter: ".", "idle", family: .idle,
        phrase: "in its run loop, mode '%'")
    case .idleWorker:
      WaitFacts(
        "is idle", object: .threadPool, canDeadlock: false, letter: ".", "idle", family: .idle,
        phrase: "idle")
    case .sync:
      WaitFacts(
        "waits in sync for queue", object: .queue, lends: true, letter: "S", "in sync for a queue",
        phrase: "in sync for queue '%'", culprit: .occupants)
    case .workItem:
      WaitFacts(
        "waits for work item", timeOut: "times out at work item", letter: "w",
        "work item", phrase: "for work item '%'", culprit: .waker("ended it"))
    case .apply:
      WaitFacts(
        "waits for the other iterations", letter: "a", "other iterations",
        phrase: "for the other iterations")
    case .once:
      WaitFacts(
        "waits for once", lends: true, letter: "1", "once", phrase: "for a once",
        culprit: .waker("ended it"))
    case .perform:
      WaitFacts(
        "waits for a perform of", letter: "p", "a perform", phrase: "for a perform",
        culprit: .waker("did it"))
    case .operation:
      WaitFacts(
        "waits for operation", object: .operation, letter: "o", "an operation",
        phrase: "for operation '%'", culprit: .waker("ended it"))
    case .operations:
      WaitFacts(
        "waits for the operations of", object: .operationQueue, letter: "O",
        "all operations of a queue", phrase: "for the operations of '%'",
        culprit: .waker("ended the last"))
    case .job:
      WaitFacts(
        "waits for its next job", canDeadlock: false, letter: ".", "idle", family: .idle,
        phrase: "for its next job")
    case .accelerator:
      WaitFacts(
        "waits for accelerator", object: .accelerator, canDeadlock: false, letter: "A",
        "accelerator", family: .device, phrase: "for accelerator '%'", culprit: .holders)
    case .addressSpace:
      WaitFacts(
        "waits for the address space", canDeadlock: false, letter: "M", "address space",
        phrase: "for the address space", culprit: .waker("was done with it"))
    case .stackList:
      WaitFacts(
        "waits for the list of stacks", canDeadlock: false, letter: "K", "list of stacks",
        phrase: "for the list of stacks", culprit: .waker("was done with it"))
    case .taskStatus:
      WaitFacts(
        "waits for the status of task", letter: "T", "status of a task",
        phrase: "for the status of task '%'", culprit: .waker("was done with it"))
    case .held:
      WaitFacts(
        "is held before", canDeadlock: false, letter: "h", "held by the schedule",
        phrase: "held before '%'")
    }
  }
}
