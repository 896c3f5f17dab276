import SpindleModel

/// Locks and queues that are taken in both orders.
extension Kernel {
  /// Whether anybody looks for them.
  @inline(__always) var watchesLockOrder: Bool { recorder.lockOrder.isOn }

  /// A thread has taken a lock, at the place where it is.
  @inline(__always)
  mutating func takes(lock: Int32, name: Int32, by thread: ThreadID, isShared: Bool = false) {
    if !watchesLockOrder { return }
    take(
      .init(
        object: .init(kind: .lock, number: lock), name: name, isShared: isShared,
        place: threads[thread].place),
      by: thread)
  }

  /// A thread has given a lock back.
  @inline(__always)
  mutating func gives(lock: Int32, by thread: ThreadID) {
    if watchesLockOrder { recorder.lockOrder.give(.init(kind: .lock, number: lock), by: thread) }
  }

  /// A thread has taken the status lock of a task.
  mutating func takes(statusOf task: Int32, name: Int32, by thread: ThreadID) {
    if !watchesLockOrder || thread.isNone { return }
    take(
      .init(
        object: .init(kind: .taskStatus, number: task), name: name, isShared: false,
        place: threads[thread].place),
      by: thread)
  }

  /// A thread has given the status lock of a task back.
  mutating func gives(statusOf task: Int32, by thread: ThreadID) {
    if !watchesLockOrder || thread.isNone { return }
    recorder.lockOrder.give(.init(kind: .taskStatus, number: task), by: thread)
  }

  /// A thread has passed a semaphore that began with 1: a lock by another name, while who took it gives it back.
  @inline(__always)
  mutating func takes(semaphore: Int32, name: Int32, by thread: ThreadID, waits: Bool) {
    if watchesLockOrder { take(semaphore: semaphore, name, thread, waits: waits) }
  }

  @inline(never)
  private mutating func take(
    semaphore: Int32, _ name: Int32, _ thread: ThreadID, waits: Bool
  ) {
    let hold = LockOrder.Hold(
      object: .init(kind: .semaphore, number: semaphore), name: name, place: threads[thread].place)
    if recorder.lockOrder.isSignal(hold.object) { return }
    if waits { take(hold, by: thread) } else { have(hold, by: thread) }
  }

  /// A thread has signalled a semaphore that began with 1: where it did not take it, that is no lock.
  @inline(__always)
  mutating func gives(semaphore: Int32, by thread: ThreadID) {
    if watchesLockOrder {
      recorder.lockOrder.signal(.init(kind: .semaphore, number: semaphore), by: thread)
    }
  }

  /// A thread takes something that it may have to wait for.
  @inline(never)
  mutating func take(_ hold: LockOrder.Hold, by thread: ThreadID) {
    recorder.catchUp()
    let cycle = recorder.lockOrder.take(
      hold, by: thread, threads[thread].generation, threadName(of: thread))
    if let cycle { tell(cycle) }
  }

  /// A thread has something for which it did not wait.
  @inline(never)
  mutating func have(_ hold: LockOrder.Hold, by thread: ThreadID) {
    recorder.lockOrder.have(hold, thread, threads[thread].generation)
  }

  /// Tells that the steps of a cycle may come at once, though they did not.
  private mutating func tell(_ cycle: [LockOrder.Step]) {
    demand(cycle.count > 1, "a cycle of locks has \(cycle.count) steps")
    recorder.driver?.predict(cycle)
    let steps = cycle.map { step in
      let (thread, item) = (text(step.threadName), text(step.moment.item))
      return (
        who: FindingText.thread(thread, runs: item.isEmpty || item == thread ? nil : item),
        from: text(step.from.name), isFromQueue: step.from.object.kind == .queue,
        to: text(step.taken.name), isToQueue: step.taken.object.kind == .queue
      )
    }
    report(
      .lockOrderInversion, thread: cycle[0].moment.thread,
      places: cycle.flatMap { [$0.taken.place, $0.from.place] },
      FindingText.lockOrderInversion(steps))
  }
}
