/// Something that a thread of the program does.
struct ThreadOperation: Hashable, Sendable {
  /// What it does.
  enum Kind: UInt8, Hashable, Sendable {
    /// Computes, for `length`.
    case work
    /// Waits for something outside the program, for `length`.
    case io
    /// Waits until a thread of the program wakes it.
    case wait
    /// Wakes the thread `target`.
    case signal
    /// Starts the thread `target`.
    case start
    /// Sleeps until the moment `length`.
    case sleep
    /// Submits the item `target`, which once it is of a kind is number `length` of that.
    case submit
    /// Submits the item `target` and waits for it.
    case sync
    /// Waits for the semaphore `target`, or signals it.
    case waitSemaphore, signalSemaphore
    /// Waits for the group `target`, enters it, or leaves it.
    case waitGroup, enter, leave
    /// Wakes a worker of the pool: `target` has the result.
    case poke

    /// Whether its length is a number and not a time.
    var isNumbered: Bool { self == .submit || self == .sync }
  }

  var kind: Kind
  var target: Int32 = -1
  var length: Int64 = 0
}

/// What a thread did, in numbers.
package struct ThreadActivity: Hashable, Sendable {
  /// How long it had a core.
  package var ran: Int64 = 0
  /// How long it could have run and had none.
  package var waited: Int64 = 0
  /// How often it got a core.
  package var switches: Int64 = 0
  /// How often a wait of it ended.
  package var wakes: Int64 = 0
  /// The first and the last moment at which it was ready or ran.
  package var first: Int64 = .max
  package var last: Int64 = .min

  /// Nothing.
  package init() {}

  /// From the first moment to the last.
  package var span: Int64 { last > first ? last - first : 0 }

  /// Takes another's numbers to its own.
  package mutating func add(_ other: ThreadActivity) {
    ran += other.ran
    waited += other.waited
    switches += other.switches
    wakes += other.wakes
    (first, last) = (min(first, other.first), max(last, other.last))
  }

  /// It was ready or ran at a moment.
  package mutating func see(_ time: Int64) { (first, last) = (min(first, time), max(last, time)) }
}

/// What a thread does from its start to its end.
struct ThreadOperations: Sendable {
  /// Its place in the list of all threads.
  let thread: Int
  /// Whether it is one of the program's; the others only take cores away.
  let isProgram: Bool
  /// What it does.
  var operations: [ThreadOperation] = []
  /// Which thread starts it; nil where it was there before.
  var parent: Int?
  /// What it did, in numbers.
  var activity = ThreadActivity()
  /// Which thread ended its last wait; nil where none did.
  var lastWaker: Int?
  /// What it has computed since the last operation.
  var pending: Int64 = 0
  /// What probes that it came to took and take yet, and took before.
  var probeTakes: Int64 = 0
  private(set) var probesTook: Int64 = 0
  /// What it does for queues.
  var dispatch = DispatchCalls()

  init(_ thread: Int, isProgram: Bool) { (self.thread, self.isProgram) = (thread, isProgram) }

  /// How much of what it computed next was a probe's.
  mutating func leavesOut(_ length: Int64) -> Int64 {
    let share = min(length, probeTakes)
    probeTakes -= share
    probesTook += share
    return share
  }

  /// How long the work behind the last signal may be that is put before it.
  private static let shortTail: Int64 = 100_000

  /// Whether all that it does at last is to wait and to compute for a short time.
  var endsAwoken: Bool {
    let tail = operations.suffix(2)
    guard let last = tail.last else { return false }
    if last.kind == .wait { return true }
    return last.kind == .work && last.length <= Self.shortTail && tail.first?.kind == .wait
  }

  /// Leaves out its last wait: what it computes behind it, it computes before.
  mutating func dropLastWait() {
    guard let place = operations.lastIndex(where: { $0.kind == .wait }) else { return }
    remove(at: place)
  }

  /// Leaves out the last signal for a thread, where no wait follows; false without one.
  mutating func dropLastSignal(to thread: Int) -> Bool {
    for place in operations.indices.reversed() {
      let operation = operations[place]
      if operation.kind == .wait || operation.kind == .io { return false }
      guard operation.kind == .signal, operation.target == Int32(thread) else { continue }
      remove(at: place)
      return true
    }
    return false
  }

  /// Removes an operation; work on both sides of it becomes one.
  private mutating func remove(at place: Int) {
    operations.remove(at: place)
    if place > 0, place < operations.count, operations[place - 1].kind == .work,
      operations[place].kind == .work
    {
      operations[place - 1].length += operations[place].length
      operations.remove(at: place)
    }
  }

  /// Moves a short rest of work behind the last signal in front of it: a process that ends when it is
  /// signalled would cut it off, which it did not.
  mutating func closeTail() {
    guard operations.count >= 2, let last = operations.last, last.kind == .work,
      last.length <= Self.shortTail, operations[operations.count - 2].kind == .signal
    else { return }
    operations.swapAt(operations.count - 2, operations.count - 1)
    let place = operations.count - 2
    if place > 0, operations[place - 1].kind == .work {
      operations[place - 1].length += operations[place].length
      operations.remove(at: place)
    }
  }
}
