import SpindleModel

/// Making, starting, waking and ending threads.
extension Kernel {
  /// Whether the process may start one more thread.
  var mayStartThread: Bool { liveCount < machine.threadLimit }

  /// Makes a thread, which does not run yet and does not count against the limit; `fill` says what
  /// it is like.
  ///
  /// The record is written where it stays: a copy of what has just been written in pieces is slow.
  @inline(__always)
  mutating func createThread(_ fill: (UnsafeMutablePointer<ThreadRecord>) -> Void) -> ThreadID {
    let thread: ThreadID
    var generation: Int32 = 0
    if freeThreads.count > 0 {
      thread = freeThreads.removeLast()
      generation = threads.writable.unchecked(thread).pointee.generation &+ 1
    } else {
      thread = ThreadID(threads.writable.appendAny())
      if thread.index >= ScheduledEvent.maximumIndex { storage.exceed(.threads) }
    }
    let record = threads.writable.unchecked(thread)
    record.initialize(to: ThreadRecord())
    fill(record)
    record.pointee.generation = generation
    record.pointee.since = now
    if policy.usesThreadAttributes { policy.admit(thread, claim(of: thread)) }
    return thread
  }

  /// Starts a thread: it takes memory, and is ready.
  mutating func start(
    _ thread: ThreadID, origin: ThreadOrigin, executorName: Int32, by other: ThreadID
  ) {
    start(
      thread, origin: origin, executorName: executorName, by: other, name: threads[thread].name,
      stackSize: threads[thread].stackSize)
  }

  /// Starts a thread with this name and this size of its stack.
  @inline(always)
  mutating func start(
    _ thread: ThreadID, origin: ThreadOrigin, executorName: Int32, by other: ThreadID, name: Int32,
    stackSize: Int64
  ) {
    liveCount &+= 1
    if countsStacks { takeStack(for: thread, by: other) }
    let fresh = threads.writable.unchecked(thread)
    assert(
      fresh.pointee.state == .created && !fresh.pointee.flags.contains(.started),
      "thread \(thread.index) is \(fresh.pointee.state) and is started")
    fresh.pointee.flags.insert(.started)
    record(
      .threadCreated, thread: thread, detail: origin.rawValue, object: name, other: other.index,
      subject: executorName, place: fresh.pointee.madeAt, value: stackSize)
    if !fresh.pointee.flags.contains(.untouched) { recordPriority(thread) }
    if hasCosts { changeMemory(by: footprint(of: thread)) }
    if fresh.pointee.role == .jobs {
      awaitFirstJob(thread)
    } else {
      if fresh.pointee.flags.contains(.realtime) { startRealtime(thread) }
      makeReady(thread, .started, by: other)
    }
    if liveCount > explosion { noteExplosion(thread) }
  }

  @inline(never)
  private mutating func noteExplosion(_ thread: ThreadID) {
    if hasTold(.threadExplosion) { return }
    report(
      .threadExplosion, thread: thread, places: [threads[thread].madeAt],
      FindingText.threadExplosion(threads: liveCount, cores: machine.cores.count))
  }

  /// When a thread wakes that waits until a moment, which may have come while its timer is still late.
  ///
  /// No limit is so late that the sum overflows: `schedule` takes what is later than any run.
  @inline(__always)
  func alarm(for deadline: Int64) -> Int64 {
    max(now, min(deadline, Self.latestLimit) + costs.timerSlack.rawValue)
  }

  /// The latest moment at which a wait's limit is watched, far behind the end of any run.
  static let latestLimit = Int64(1) << 61

  /// A thread that is started takes a stack that one left which has ended; else its maker maps one, and pays
  /// behind what it does, and the thread is the first to touch it.
  ///
  /// The threads library keeps up to 40 MB of stacks for new threads. Source: glibc,
  /// nptl/allocatestack.c, stack_cache_maxsize.
  @inline(never)
  private mutating func takeStack(for thread: ThreadID, by maker: ThreadID) {
    if threads[thread].role == .main { return }
    let isMade = !maker.isNone && threads[maker].state == .running
    let mapper = isMade ? maker : thread
    needStackList(mapper)
    if keptStacks > 0 {
      keptStacks -= 1
      return
    }
    if costs.freshStack == .zero { return }
    mapStack(mapper)
    touchStack(thread)
  }

  /// Whether anything costs something that depends on which stacks are kept.
  @inline(__always)
  var countsStacks: Bool { costs.freshStack > .zero || costs.stackFree > .zero }

  /// How many stacks the threads library keeps, of those that threads have when they ask for no size.
  @inline(__always)
  var stackRoom: Int {
    Int(ByteCount.megabytes(40).rawValue / max(1, machine.threadStack.rawValue))
  }

  /// The bytes that a thread touches by being alive.
  @inline(__always)
  func footprint(of thread: ThreadID) -> Int64 {
    costs.threadStructures.rawValue
      + min(costs.stackTouched.rawValue, threads[thread].stackSize)
  }

  /// Takes a thread that has left its core, or never had one, out of the world.
  @inline(__always)
  mutating func retire(_ thread: ThreadID) {
    let record = threads.writable.unchecked(thread)
    assert(record.pointee.core < 0, "thread \(thread.index) ends with core \(record.pointee.core)")
    record.pointee.state = .finished
    liveCount &-= 1
    if countsStacks { keptStacks = min(keptStacks + 1, stackRoom) }
    demand(liveCount >= 0, "thread \(thread.index) ends, and none was alive")
    if hasCosts { changeMemory(by: -footprint(of: thread)) }
    if record.pointee.flags.contains(.realtime) && record.pointee.role != .jobs {
      realtime[thread] = nil
    }
    if record.pointee.flags.contains(.scheduled) { scheduling[thread] = nil }
    if !record.pointee.flags.contains(.named) { freeThreads.append(thread) }
  }

  /// The threads that are alive, by number: rows behind the last of them, which may be many, are not looked at.
  var liveThreads: [ThreadID] {
    var found: [ThreadID] = []
    for thread in threads.ids {
      if found.count == liveCount { break }
      if threads[thread].isAlive { found.append(thread) }
    }
    demand(found.count == liveCount, "\(liveCount) threads are alive, and \(found.count) are found")
    return found
  }

  /// What a thread asks of the policy.
  func claim(of thread: ThreadID) -> ThreadClaim {
    var claim = ownClaim(of: thread)
    if threads.writable.unchecked(thread).pointee.flags.contains(.scheduled),
      let own = scheduling[thread]
    {
      claim.nice = own.nice ?? claim.nice
      claim.posix = own.posix
      if own.posix != nil { claim.priority = ThreadClaim.realtimePriority }
    }
    return claim
  }

  private func ownClaim(of thread: ThreadID) -> ThreadClaim {
    let record = threads.writable.unchecked(thread)
    if record.pointee.flags.contains(.realtime) {
      return ThreadClaim(
        priority: ThreadClaim.realtimePriority, isBackground: false,
        realtime: realtime[thread]?.claim)
    }
    if !machine.honoursPriorities && record.pointee.role != .queueWorker {
      return ThreadClaim(priority: 31, isBackground: false)
    }
    return ThreadClaim(
      priority: Int(record.pointee.priority), isBackground: record.pointee.isBackground,
      tickets: record.pointee.tickets)
  }

  /// A thread asks for something of Linux's scheduler.
  mutating func changeScheduling(_ thread: ThreadID, _ change: (inout LinuxClaim) -> Void) {
    demand(
      threads[thread].state != .finished,
      "thread \(thread.index) has ended, and asks to be scheduled")
    change(&scheduling[thread, default: LinuxClaim()])
    threads.writable[thread].flags.insert(.scheduled)
    claimChanged(thread)
  }

  /// Tells the log what a thread's priority is, unless it knows.
  mutating func recordPriority(_ thread: ThreadID) {
    let record = threads.writable.at(thread)
    let priority = record.pointee.priority
    if priority == record.pointee.toldPriority { return }
    record.pointee.toldPriority = priority
    recordDetail(
      .priorityChanged, thread: thread, object: record.pointee.quality, value: Int64(priority))
  }

  /// A thread could run from now on.
  @inline(__always)
  mutating func makeReady(_ thread: ThreadID, _ cause: ReadyCause, by other: ThreadID) {
    let fresh = threads.writable.unchecked(thread)
    assert(
      fresh.pointee.core < 0 && fresh.pointee.state != .ready && fresh.pointee.state != .finished,
      "thread \(thread.index) is \(fresh.pointee.state), on core \(fresh.pointee.core), and becomes ready"
    )
    fresh.pointee.state = .ready
    fresh.pointee.since = now
    schedulingEvents &+= 1
    let standsInLine = costs.spread > .zero && standsInLine(thread, cause, by: other)
    if interruptsCost && !other.isNone && readyCount < idleCount && !standsInLine {
      interrupt(thread, by: other)
    }
    if recorder.isComplete || fresh.pointee.role == .main
      || fresh.pointee.flags.contains(.realtime)
    {
      record(.threadReady, thread: thread, other: other.index)
    } else {
      recorder.skip()
    }
    if !standsInLine { enqueue(thread, cause, by: other) }
  }

  /// Gives a ready thread to the policy.
  @inline(__always)
  mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, by other: ThreadID) {
    if !unwatched.isEmpty { watchQuanta() }
    assert(threads[thread].state == .ready, "thread \(thread.index) is enqueued and not ready")
    readyCount &+= 1
    if policy.canPreempt { preemptionIsDue = true }
    policy.enqueue(thread, cause, by: other, at: Instant(now))
  }

  /// An idle core is told that a thread is ready, which takes the running thread that made it so a while.
  ///
  /// It pays afterwards: meanwhile the interrupt is on its way, and the other core leaves idle. Source: Linux, kernel/sched/core.c,
  /// ttwu_queue_wakelist and resched_curr; the interrupt is sent on the way out of the wake-up.
  @inline(never)
  private func interrupt(_ thread: ThreadID, by other: ThreadID) {
    let waker = threads.writable.unchecked(other)
    if waker.pointee.state != .running { return }
    waker.pointee.charge(costs.interrupt.rawValue)
    threads.writable.unchecked(thread).pointee.charge(costs.interruptDelay.rawValue)
  }

  /// Ends a thread's wait.
  mutating func wake(_ thread: ThreadID, _ result: WakeResult, by other: ThreadID) {
    let record = threads.writable.unchecked(thread)
    demand(
      record.pointee.state == .waiting,
      "thread \(thread.index) is \(record.pointee.state) and is woken with '\(result)'")
    if record.pointee.role == .main { noteMainWait(thread) }
    record.pointee.wakeResult = result
    record.pointee.timer = 0
    record.pointee.waitObject = -1
    record.pointee.longestReady = 0
    if !record.pointee.turnstile.isNone { leaveTurnstile(thread) }
    if record.pointee.flags.contains(.watched) { workerWaits.append(thread.index << 1) }
    if record.pointee.flags.contains(.realtime) { beginDeadline(thread) }
    makeReady(thread, .woken, by: other)
  }

  /// The running thread waits from now on, until `wake`; its core is free.
  mutating func block(
    _ thread: ThreadID, _ reason: WaitReason, on object: Int32 = -1, name: Int32 = -1,
    number: Int32? = nil, holder: ThreadID = .none, until deadline: Int64? = nil
  ) {
    demand(
      threads[thread].state == .running,
      "thread \(thread.index) is \(threads[thread].state) and blocks")
    let runSinceDispatch = leaveCore(thread)
    let waiter = threads.writable.unchecked(thread)
    if waiter.pointee.flags.contains(.realtime) { pauseDeadline(thread, reason) }
    waiter.pointee.flags.remove(.untouched)
    waiter.pointee.state = .waiting
    waiter.pointee.reason = reason
    if waiter.pointee.role == .main { (mainWaitName, mainWaitLine) = (name, MainWaitLine()) }
    waiter.pointee.waits &+= 1
    waiter.pointee.waitObject = object
    waiter.pointee.wakeResult = .none
    waiter.pointee.since = now
    if waiter.pointee.flags.contains(.watched) { workerWaits.append(thread.index << 1 | 1) }
    record(
      .threadBlocked, thread: thread, detail: reason.rawValue, core: waiter.pointee.lastCore,
      object: name, other: holder.index, subject: number ?? object, place: waiter.pointee.place,
      value: runSinceDispatch)
    if let deadline, deadline < Int64.max {
      recordDetail(.waitLimited, thread: thread, value: max(now, deadline))
      if reason == .io {
        countInput(max(now, deadline) - now)
        waiter.pointee.timer = schedule(.device, index: thread.index, at: max(now, deadline))
      } else {
        waiter.pointee.timer = schedule(
          .threadTimer, index: thread.index, at: alarm(for: max(now, deadline)))
      }
    }
  }

  /// The running thread gives its core up and stays ready.
  mutating func yield(_ thread: ThreadID) {
    demand(
      threads[thread].state == .running,
      "thread \(thread.index) is \(threads[thread].state) and yields")
    if threads[thread].flags.contains(.realtime) { realtime[thread]?.hasYielded = true }
    let runSinceDispatch = leaveCore(thread)
    record(
      .threadPreempted, thread: thread, detail: PreemptionReason.yield.rawValue,
      core: threads[thread].lastCore, place: threads[thread].place, value: runSinceDispatch)
    makeReady(thread, .yielded, by: thread)
  }

  // MARK: Lists of waiting threads

  /// Puts a thread at the end of a list; on Linux a real-time thread before all that are not.
  ///
  /// There all threads wait in futexes, which look at who is real-time when it begins to wait. Source:
  /// Linux, kernel/futex/core.c, __futex_queue.
  mutating func append(_ thread: ThreadID, to list: inout WaitList) {
    var before = list.lastThread
    if threads[thread].flags.contains(.realtime) && machine.platform == .linux {
      var behind = list.firstThread
      before = .none
      while !behind.isNone && threads[behind].flags.contains(.realtime) {
        (before, behind) = (behind, threads[behind].next)
      }
    }
    list.insert(thread, after: before, in: threads.writable)
  }

  /// Puts a thread at the front of a list.
  mutating func prepend(_ thread: ThreadID, to list: inout WaitList) {
    list.insert(thread, after: .none, in: threads.writable)
  }

  /// Takes a thread out of the list that it is in.
  mutating func remove(_ thread: ThreadID, from list: inout WaitList) {
    list.remove(thread, in: threads.writable)
  }

  /// Ends the wait of all threads in a list, the first one first.
  mutating func wakeAll(_ list: inout WaitList, by other: ThreadID) {
    while !list.isEmpty {
      let thread = removeFirst(from: &list)
      wake(thread, .granted, by: other)
    }
  }

  /// Takes the first thread out of a list; none when it is empty.
  mutating func removeFirst(from list: inout WaitList) -> ThreadID {
    ThreadID(list.removeFirst(in: threads.writable))
  }
}
