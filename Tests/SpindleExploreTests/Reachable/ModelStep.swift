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
  /// Wakes the thread that has slept longest, or all.
  case wake(all: Bool)
  /// Puts another thread, which is an item, or itself at the end of a queue.
  case enqueue(queue: Int, thread: Int?, isBarrier: Bool)
  /// Waits until the queue lets it begin, and ends what it has begun.
  case begin(queue: Int)
  case end(queue: Int)
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
  /// Who sleeps at the condition, in order, and who was woken and wants the lock back.
  var sleeping: [Int] = []
  var woken: Set<Int> = []
  var queues: [ModelQueue]

  /// The state after the next step of a thread; nil where the thread has to wait.
  func after(_ step: ModelStep, of thread: Int) -> ModelState? {
    var state = self
    var distance = 1
    switch step {
    case .read(let variable, let register):
      state.registers[thread][register] = variables[variable]
    case .write(let variable, let number, let adds):
      state.variables[variable] = number + (adds ? registers[thread][0] : 0)
    case .lock(let lock):
      if !locks[lock].contains(thread) {
        state.locks[lock].append(thread)
        distance = 0
      } else if locks[lock].first != thread {
        return nil
      }
    case .unlock(let lock): state.locks[lock].removeFirst()
    case .tryLock(let lock, let skips):
      if locks[lock].isEmpty { state.locks[lock] = [thread] } else { distance = skips }
    case .wait(let semaphore):
      if semaphores[semaphore] == 0 { return nil }
      state.semaphores[semaphore] -= 1
    case .signal(let semaphore): state.semaphores[semaphore] += 1
    case .enter: state.members += 1
    case .leave: state.members -= 1
    case .waitForGroup: if members > 0 { return nil }
    case .sleep:
      if sleeping.contains(thread) { return nil }
      if !woken.contains(thread) {
        state.locks[ModelProgram.conditionLock].removeFirst()
        state.sleeping.append(thread)
        distance = 0
      } else if locks[ModelProgram.conditionLock].first == thread {
        state.woken.remove(thread)
      } else {
        return nil
      }
    case .wake(let all):
      for _ in 0..<(all ? sleeping.count : min(1, sleeping.count)) {
        let other = state.sleeping.removeFirst()
        state.woken.insert(other)
        state.locks[ModelProgram.conditionLock].append(other)
      }
    case .enqueue(let queue, let item, let isBarrier):
      state.queues[queue].waiting.append(
        ModelQueue.Entry(thread: item ?? thread, isBarrier: isBarrier))
      if let item { state.next[item] = 0 }
    case .begin(let queue):
      guard queues[queue].lets(thread) else { return nil }
      state.queues[queue].running.append(state.queues[queue].waiting.removeFirst())
    case .end(let queue): state.queues[queue].running.removeAll { $0.thread == thread }
    case .jump(let by): distance = by
    case .jumpUnlessAbove(let by):
      if registers[thread][0] <= registers[thread][1] { distance = by }
    case .jumpUnlessZero(let by): if registers[thread][0] != 0 { distance = by }
    }
    state.next[thread] = state.next[thread].map { $0 + distance }
    return state
  }
}

/// A queue: who waits for it, in order, and who runs.
struct ModelQueue: Hashable {
  struct Entry: Hashable {
    let thread: Int
    let isBarrier: Bool
  }
  let isConcurrent: Bool
  var waiting: [Entry] = []
  var running: [Entry] = []

  /// Whether a thread is the first that waits, and may run beside those that do.
  func lets(_ thread: Int) -> Bool {
    guard let first = waiting.first, first.thread == thread else { return false }
    if running.isEmpty { return true }
    return isConcurrent && !first.isBarrier && !running.contains { $0.isBarrier }
  }
}
