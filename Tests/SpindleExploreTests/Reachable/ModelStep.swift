/// What one thread does at once in a model program.
enum ModelStep: Hashable {
  /// A register of the thread gets the value of a variable.
  case read(Int, into: Int)
  /// A variable gets a number, which is added to register 0 where `adds` says so.
  case write(Int, Int, adds: Bool)
  case lock(Int)
  case unlock(Int)
  /// Takes a lock, or goes on so many steps further where another thread has it.
  case tryLock(Int, skips: Int)
  case wait(semaphore: Int)
  case signal(semaphore: Int)
  case enter
  case leave
  /// Waits until the group is empty.
  case waitForGroup
  /// Leaves the lock of the condition, sleeps until it is woken, and takes the lock again.
  case sleep
  /// Wakes one of the threads that sleep, or all.
  case wake(all: Bool)
  /// Enqueues an item on a queue when the group is empty: at once, or when the last one leaves.
  case follow(queue: Int, thread: Int)
  /// Puts another thread, which is an item, or itself at the end of a queue.
  case enqueue(queue: Int, thread: Int?, isBarrier: Bool)
  /// The same for an item that is in the group until it ends.
  case enqueueInGroup(queue: Int, thread: Int)
  /// Waits until the queue lets it begin, and ends what it has begun, which may be in the group.
  case begin(queue: Int)
  case end(queue: Int, leaves: Bool = false)
  /// Goes on so many steps further, back or ahead: always, where register 0 is not above register 1, or where it is not 0.
  case jump(Int)
  case jumpUnlessAbove(Int)
  case jumpUnlessZero(Int)
}

/// Everything that is known at one moment of a model program.
///
/// Each step is what the contract of the call says, in the plainest words; there are no times, cores or pools.
struct ModelState: Hashable {
  /// The next step of each thread; nil for an item that nobody has enqueued.
  var next: [Int?]
  var registers: [[Int]]
  var variables: [Int]
  /// Who has come to each lock, in order: the first one has it.
  var locks: [[Int]]
  var semaphores: [Int]
  /// How many have entered the group.
  var members = 0
  /// The items that follow when the group is empty, with their queues, in order.
  var followers: [ModelQueue.Follower] = []
  /// Who sleeps at the condition, in order, and who was woken and wants the lock back.
  var sleeping: [Int] = []
  var woken: Set<Int> = []
  var queues: [ModelQueue]

  /// The states that may come after the next step of a thread; none where the thread has to wait.
  func after(_ step: ModelStep, of thread: Int) -> [ModelState] {
    if case .wake(all: false) = step, sleeping.count > 1 {
      return sleeping.map { other in
        var state = self
        state.wake(other)
        state.advance(thread, by: 1)
        return state
      }
    }
    var state = self
    guard let distance = state.take(step, thread) else { return [] }
    state.advance(thread, by: distance)
    return [state]
  }

  private mutating func advance(_ thread: Int, by distance: Int) {
    next[thread] = next[thread].map { $0 + distance }
  }

  private mutating func wake(_ thread: Int) {
    sleeping.removeAll { $0 == thread }
    woken.insert(thread)
  }

  private mutating func enqueue(_ queue: Int, _ thread: Int, isBarrier: Bool = false) {
    queues[queue].waiting.append(ModelQueue.Entry(thread: thread, isBarrier: isBarrier))
    // A queue with a target stands there as one item, as long as it has any.
    if queue == ModelQueue.lower && !queues[ModelQueue.upper].hasLower {
      queues[ModelQueue.upper].waiting.append(ModelQueue.lowerEntry)
    }
  }

  private mutating func leave() {
    members -= 1
    if members > 0 { return }
    for follower in followers { follow(follower) }
    followers = []
  }

  private mutating func follow(_ follower: ModelQueue.Follower) {
    next[follower.thread] = 0
    enqueue(follower.queue, follower.thread)
  }

  /// Does a step; gives how many steps further the thread is then, nil where it has to wait.
  private mutating func take(_ step: ModelStep, _ thread: Int) -> Int? {
    switch step {
    case .read(let variable, let register): registers[thread][register] = variables[variable]
    case .write(let variable, let number, let adds):
      variables[variable] = number + (adds ? registers[thread][0] : 0)
    case .lock(let lock):
      if !locks[lock].contains(thread) {
        locks[lock].append(thread)
        return 0
      }
      if locks[lock].first != thread { return nil }
    case .unlock(let lock): locks[lock].removeFirst()
    case .tryLock(let lock, let skips):
      if !locks[lock].isEmpty { return skips }
      locks[lock] = [thread]
    case .wait(let semaphore):
      if semaphores[semaphore] == 0 { return nil }
      semaphores[semaphore] -= 1
    case .signal(let semaphore): semaphores[semaphore] += 1
    case .enter: members += 1
    case .leave: leave()
    case .waitForGroup: if members > 0 { return nil }
    case .follow(let queue, let item):
      let follower = ModelQueue.Follower(queue: queue, thread: item)
      if members == 0 { follow(follower) } else { followers.append(follower) }
    case .sleep: return sleep(thread)
    case .wake: for other in sleeping { wake(other) }
    case .enqueueInGroup(let queue, let item):
      members += 1
      next[item] = 0
      enqueue(queue, item)
    case .enqueue(let queue, let item, let isBarrier):
      enqueue(queue, item ?? thread, isBarrier: isBarrier)
      if let item { next[item] = 0 }
    case .begin(let queue): return begin(queue, thread)
    case .end(let queue, let leaves): end(queue, thread, leaves: leaves)
    case .jump(let by): return by
    case .jumpUnlessAbove(let by): if registers[thread][0] <= registers[thread][1] { return by }
    case .jumpUnlessZero(let by): if registers[thread][0] != 0 { return by }
    }
    return 1
  }

  /// A thread leaves the lock and sleeps; when it is woken it comes to the lock again, behind those that have come before.
  private mutating func sleep(_ thread: Int) -> Int? {
    let lock = ModelProgram.conditionLock
    if sleeping.contains(thread) { return nil }
    if !woken.contains(thread) {
      locks[lock].removeFirst()
      sleeping.append(thread)
      return 0
    }
    if !locks[lock].contains(thread) {
      locks[lock].append(thread)
      return 0
    }
    if locks[lock].first != thread { return nil }
    woken.remove(thread)
    return 1
  }

  private mutating func begin(_ queue: Int, _ thread: Int) -> Int? {
    if queue == ModelQueue.lower {
      guard queues[queue].lets(thread) else { return nil }
      if queues[ModelQueue.upper].running != [ModelQueue.lowerEntry] {
        guard queues[ModelQueue.upper].lets(ModelQueue.lowerEntry.thread) else { return nil }
        queues[ModelQueue.upper].startFirst()
      }
    } else if !queues[queue].lets(thread) {
      return nil
    }
    queues[queue].startFirst()
    return 1
  }

  private mutating func end(_ queue: Int, _ thread: Int, leaves: Bool) {
    if leaves { leave() }
    queues[queue].running.removeAll { $0.thread == thread }
    if queue == ModelQueue.lower && queues[queue].waiting.isEmpty {
      queues[ModelQueue.upper].running = []
    }
  }
}

/// A queue: who waits for it, in order, and who runs.
struct ModelQueue: Hashable {
  struct Entry: Hashable {
    let thread: Int
    let isBarrier: Bool
  }

  /// An item that is enqueued when the group is empty.
  struct Follower: Hashable {
    let queue: Int
    let thread: Int
  }

  /// The queue that has another one as its target, that target, and the state of the first queue in the second.
  static let (upper, lower) = (0, 2)
  static let lowerEntry = Entry(thread: -1, isBarrier: false)

  let isConcurrent: Bool
  var waiting: [Entry] = []
  var running: [Entry] = []

  /// Whether the lower queue is enqueued in this one, or is drained.
  var hasLower: Bool { waiting.contains(Self.lowerEntry) || running.contains(Self.lowerEntry) }

  /// The first that waits begins.
  mutating func startFirst() { running.append(waiting.removeFirst()) }

  /// Whether a thread is the first that waits, and may run beside those that do.
  func lets(_ thread: Int) -> Bool {
    guard let first = waiting.first, first.thread == thread else { return false }
    if running.isEmpty { return true }
    return isConcurrent && !first.isBarrier && !running.contains { $0.isBarrier }
  }
}
