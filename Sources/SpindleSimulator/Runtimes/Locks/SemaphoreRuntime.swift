import SpindleModel

/// `DispatchSemaphore`: a count with waiting threads in order; it has no owner, so nobody inherits.
///
/// Source: swift-corelibs-libdispatch:src/semaphore.c.
struct SemaphoreRuntime: ~Copyable {
  /// One semaphore.
  struct Record: BitwiseCopyable {
    var name: Int32
    var value: Int64
    /// The value that it was made with.
    var initial: Int64
    /// The thread that passed it last, and where, of one that was free at first.
    var taker = ThreadID.none
    var takenAt: Int32 = -1
    var waiters = WaitList()
  }

  /// The index of one.
  typealias Index = TableIndex<Record>

  var semaphores: Table<Record>

  /// Creates it without semaphores; a report keeps up to 512 bytes for each.
  init(_ storage: Storage) { semaphores = Table(.semaphores, storage, beside: 512) }

  /// Makes a semaphore; nil for a negative value, which the real library refuses.
  mutating func make(name: Int32, value: Int64) -> Index? {
    value < 0 ? nil : semaphores.add(Record(name: name, value: value, initial: value))
  }

  /// `wait()` and `wait(timeout:)`; the result is `.timedOut` when the limit was reached.
  mutating func wait(
    _ semaphore: Index, _ thread: ThreadID, deadline: Int64?, _ kernel: inout Kernel
  ) -> RuntimeResult {
    switch kernel.threads[thread].wakeResult {
    case .granted:
      kernel.record(
        .semaphorePassed, thread: thread, object: semaphores[semaphore].name,
        subject: semaphore.raw, place: kernel.presentPlace(of: thread),
        value: semaphores[semaphore].value)
      noteTaking(semaphore, by: thread, waits: deadline == nil, &kernel)
      return .done
    case .timedOut: return .done
    case .none: break
    }
    assert(semaphores[semaphore].value >= 0, "semaphore \(semaphore.raw) is below zero")
    if semaphores[semaphore].value > 0 {
      semaphores[semaphore].value -= 1
      kernel.record(
        .semaphorePassed, thread: thread, object: semaphores[semaphore].name,
        subject: semaphore.raw, place: kernel.presentPlace(of: thread),
        value: semaphores[semaphore].value)
      noteTaking(semaphore, by: thread, waits: deadline == nil, &kernel)
      return .done
    }
    if let deadline, deadline <= kernel.now {
      kernel.threads.at(thread).setResult(.timedOut)
      kernel.record(
        .waitTimedOut, thread: thread, detail: WaitReason.semaphore.rawValue,
        object: semaphores[semaphore].name, subject: semaphore.raw)
      return .done
    }
    kernel.append(thread, to: &semaphores[semaphore].waiters)
    kernel.block(
      thread, .semaphore, on: semaphore.raw, name: semaphores[semaphore].name, until: deadline)
    return .blocked
  }

  /// A thread has passed a semaphore: one that began with 1 may be a lock.
  @inline(__always)
  private mutating func noteTaking(
    _ semaphore: Index, by thread: ThreadID, waits: Bool, _ kernel: inout Kernel
  ) {
    if semaphores[semaphore].initial == 0 { return }
    semaphores[semaphore].taker = thread
    semaphores[semaphore].takenAt = kernel.presentPlace(of: thread)
    if semaphores[semaphore].initial != 1 { return }
    kernel.takes(
      semaphore: semaphore.raw, name: semaphores[semaphore].name, by: thread, waits: waits)
  }

  /// The limit of a thread that waits is reached.
  mutating func timeOut(_ semaphore: Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    demand(!semaphores[semaphore].waiters.isEmpty, "nobody waits for semaphore \(semaphore.raw)")
    kernel.remove(thread, from: &semaphores[semaphore].waiters)
    kernel.record(
      .waitTimedOut, thread: thread, detail: WaitReason.semaphore.rawValue,
      object: semaphores[semaphore].name, subject: semaphore.raw)
    kernel.wake(thread, .timedOut, by: .none)
  }

  /// `signal()`: wakes who waits longest, or counts.
  ///
  /// Returns how many threads it woke.
  mutating func signal(_ semaphore: Index, _ thread: ThreadID, _ kernel: inout Kernel) -> Int64 {
    let next = kernel.removeFirst(from: &semaphores[semaphore].waiters)
    demand(
      next.isNone || semaphores[semaphore].value == 0,
      "thread \(next.index) waits for semaphore \(semaphore.raw) at \(semaphores[semaphore].value)")
    if next.isNone { semaphores[semaphore].value += 1 }
    kernel.record(
      .semaphoreSignalled, thread: thread, object: semaphores[semaphore].name,
      subject: semaphore.raw, place: kernel.presentPlace(of: thread),
      value: semaphores[semaphore].value)
    if semaphores[semaphore].initial == 1 {
      semaphores[semaphore].taker = .none
      kernel.gives(semaphore: semaphore.raw, by: thread)
    }
    if !next.isNone { kernel.wake(next, .granted, by: thread) }
    return next.isNone ? 0 : 1
  }
}
