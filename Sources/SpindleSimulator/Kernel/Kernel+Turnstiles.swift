import SpindleModel

/// Priorities that threads inherit: each has its own or, where that is higher, the highest that anything
/// it has is wanted with.
///
/// Whatever changes a priority, a waiter or an owner is told here, and the change goes along the chain
/// of owners as far as it makes a difference. Among threads that wait for each other in a cycle a
/// priority stays until the cycle is broken: none of them runs before.
extension Kernel {
  /// How many threads that wait a change goes through after the first.
  ///
  /// Source: xnu:osfmk/kern/turnstile.h, TURNSTILE_MAX_HOP_DEFAULT; turnstile.c,
  /// thread_update_waiting_turnstile_priority_chain.
  private static let maximumHops = 10

  /// Makes a turnstile.
  mutating func makeTurnstile() -> Turnstile.Index { turnstiles.writable.add(Turnstile()) }

  // MARK: What changes

  /// A waiting thread waits at a turnstile, if it is one.
  mutating func wait(_ thread: ThreadID, at turnstile: Turnstile.Index) {
    if turnstile.isNone { return }
    demand(
      threads[thread].turnstile.isNone,
      "thread \(thread.index) waits at turnstile \(threads[thread].turnstile), and then at \(turnstile)"
    )
    threads.writable[thread].turnstile = turnstile
    stand(thread)
    settle(turnstile, from: -1, to: threads[thread].priority)
  }

  /// A thread does not wait at its turnstile any more, if it did.
  mutating func leaveTurnstile(_ thread: ThreadID) {
    let turnstile = threads[thread].turnstile
    if turnstile.isNone { return }
    stepOut(thread)
    threads.writable[thread].turnstile = .none
    settle(turnstile, from: threads[thread].priority, to: -1)
  }

  /// Gives a turnstile to a thread, or, when it waits for one itself, to the turnstile where it does;
  /// no thread takes it from both.
  @inline(__always)
  mutating func setOwner(
    of turnstile: Turnstile.Index, to thread: ThreadID, outer: Turnstile.Index = .none
  ) {
    if turnstile.isNone { return }
    let record = turnstiles.writable.at(turnstile)
    assert(
      thread.isNone || outer.isNone,
      "turnstile \(turnstile) gets thread \(thread.index) and turnstile \(outer)"
    )
    assert(outer != turnstile, "turnstile \(turnstile) waits at itself")
    if record.pointee.urgency >= 0 { return pass(turnstile, to: thread, outer: outer) }
    (record.pointee.owner, record.pointee.outer) = (thread, outer)
  }

  @inline(never)
  private mutating func pass(
    _ turnstile: Turnstile.Index, to thread: ThreadID, outer: Turnstile.Index
  ) {
    assert(
      turnstiles[turnstile].urgency >= 0, "turnstile \(turnstile), which nobody wants, is passed on"
    )
    let before = turnstiles[turnstile]
    unlink(turnstile)
    settleHeir(of: before, from: before.urgency, to: -1)
    let heir = turnstiles.writable.at(turnstile)
    (heir.pointee.owner, heir.pointee.outer) = (thread, outer)
    link(turnstile)
    settleHeir(of: turnstiles[turnstile], from: -1, to: before.urgency)
  }

  private mutating func settleHeir(of turnstile: Turnstile, from old: Int16, to new: Int16) {
    assert(
      turnstile.owner.isNone || turnstile.outer.isNone,
      "thread \(turnstile.owner.index) and turnstile \(turnstile.outer) inherit from one turnstile")
    if turnstile.owner.isNone {
      settle(turnstile.outer, from: old, to: new)
    } else {
      let before = threads[turnstile.owner].priority
      if inherit(turnstile.owner, from: old, to: new) {
        let owner = threads[turnstile.owner]
        settle(owner.turnstile, from: before, to: owner.priority, hops: 1)
      }
    }
  }

  /// Sets a floor on the donated priority of a turnstile; -1 removes it.
  mutating func setFloor(of turnstile: Turnstile.Index, to floor: Int16) {
    if turnstile.isNone { return }
    demand(
      floor >= -1 && floor < PriorityQueues.levels,
      "turnstile \(turnstile) is wanted with priority \(floor)")
    let before = turnstiles[turnstile].floor
    turnstiles.writable[turnstile].floor = floor
    if floor != before { settle(turnstile, from: before, to: floor) }
  }

  /// Tells all concerned that a thread's own priority or quality of service is another one.
  mutating func claimChanged(_ thread: ThreadID) {
    if threads[thread].state == .finished { return }
    tellPolicy(thread)
    if threads[thread].turnstile.isNone { return }
    standAnew(thread)
    settle(
      threads[thread].turnstile, from: Int16.max, to: threads[thread].priority, hops: 1)
  }

  private mutating func tellPolicy(_ thread: ThreadID) {
    if threads[thread].state == .finished { return }
    if threads[thread].state != .created { recordPriority(thread) }
    if !policy.heedsClaims { return }
    if !unwatched.isEmpty { watchQuanta() }
    policy.claimChanged(thread, claim(of: thread), at: Instant(now))
    if policy.canPreempt { preemptionIsDue = true }
    if policy.movesRunningThreads { expectMove() }
  }

  // MARK: The chain

  /// Something at a turnstile wanted it with one priority and wants it with another: lets those
  /// know who inherit, one after the other.
  private mutating func settle(
    _ first: Turnstile.Index, from old: Int16, to new: Int16, hops before: Int = 0
  ) {
    var (turnstile, old, new, hops) = (first, old, new, before)
    while !turnstile.isNone {
      let record = turnstiles[turnstile]
      let urgency = most(record, record.urgency, from: old, to: new)
      if urgency == record.urgency { return }
      turnstiles.writable[turnstile].urgency = urgency
      if record.urgency < 0 { link(turnstile) } else if urgency < 0 { unlink(turnstile) }
      (old, new, turnstile) = (record.urgency, urgency, record.outer)
      if record.owner.isNone { continue }
      let before = threads[record.owner].priority
      if !inherit(record.owner, from: old, to: new) { return }
      (old, new) = (before, threads[record.owner].priority)
      turnstile = threads[record.owner].turnstile
      if !turnstile.isNone && hops > Self.maximumHops {
        inheritanceWasCut = true
        return
      }
      hops += 1
    }
  }

  /// The highest of what wants a turnstile, when one of these has changed; looks at all only where
  /// that one was the highest.
  private func most(
    _ record: Turnstile, _ present: Int16, from old: Int16, to new: Int16
  ) -> Int16 {
    if new >= present { return new }
    if old < present { return present }
    var most = record.floor
    if !record.waiters.isEmpty { most = max(most, threads[record.waiters.firstThread].priority) }
    assert(
      record.waiters.isEmpty
        || threads[record.waiters.firstThread].priority
          >= threads[record.waiters.lastThread].priority,
      "the line at a turnstile begins with thread \(record.waiters.firstThread.index), not the most urgent"
    )
    return highest(from: record.inner.first, atLeast: most, atMost: present)
  }

  /// The highest urgency in a list of turnstiles, of which none is above a bound.
  private func highest(from first: Turnstile.Index, atLeast least: Int16, atMost bound: Int16)
    -> Int16
  {
    var (most, turnstile) = (least, first)
    while !turnstile.isNone && most < bound {
      most = max(most, turnstiles[turnstile].urgency)
      assert(turnstiles[turnstile].urgency >= 0, "turnstile \(turnstile) is listed, and not wanted")
      turnstile = turnstiles[turnstile].neighbours.next
    }
    return most
  }

  /// One of a thread's turnstiles was wanted with one priority and is with another; whether the
  /// thread's own priority is another one for that.
  private mutating func inherit(_ thread: ThreadID, from old: Int16, to new: Int16) -> Bool {
    let record = threads[thread]
    var most = new
    assert(new >= -1 && new < PriorityQueues.levels, "thread \(thread.index) is wanted with \(new)")
    if new < record.inherited {
      if old < record.inherited { return false }
      most = highest(from: record.turnstiles.first, atLeast: -1, atMost: record.inherited)
    }
    threads.writable[thread].inherited = most
    if threads[thread].priority == record.priority { return false }
    tellPolicy(thread)
    if !record.turnstile.isNone { standAnew(thread) }
    return true
  }

  // MARK: Lists

  /// Enters a turnstile that is wanted into the list of those of its owner, or of its outer one.
  private func link(_ turnstile: Turnstile.Index) {
    let record = turnstiles[turnstile]
    assert(record.urgency >= 0, "turnstile \(turnstile) is listed, and not wanted")
    if !record.owner.isNone {
      threads.writable[record.owner].turnstiles.push(turnstile, in: turnstiles.writable)
    } else if !record.outer.isNone {
      turnstiles.writable[record.outer].inner.push(turnstile, in: turnstiles.writable)
    }
  }

  private func unlink(_ turnstile: Turnstile.Index) {
    let record = turnstiles[turnstile]
    if !record.owner.isNone {
      threads.writable[record.owner].turnstiles.remove(turnstile, in: turnstiles.writable)
    } else if !record.outer.isNone {
      turnstiles.writable[record.outer].inner.remove(turnstile, in: turnstiles.writable)
    }
  }

  /// Puts a thread among those who wait at its turnstile, behind its equals.
  private func stand(_ thread: ThreadID) {
    let (turnstile, mine) = (threads[thread].turnstile, threads[thread].priority)
    assert(
      threads[thread].state == .waiting, "thread \(thread.index) stands at a turnstile and runs")
    let list = turnstiles[turnstile].waiters
    let isFirst = !list.isEmpty && threads[list.firstThread].priority < mine
    var after = isFirst ? .none : list.lastThread
    while !after.isNone && threads[after].priority < mine { after = threads[after].moreUrgent }
    turnstiles.writable[turnstile].waiters.insert(thread, after: after, in: threads.writable)
  }

  private func stepOut(_ thread: ThreadID) {
    assert(
      !threads[thread].turnstile.isNone, "thread \(thread.index) leaves a turnstile and is at none")
    turnstiles.writable[threads[thread].turnstile].waiters.remove(thread, in: threads.writable)
  }

  /// Moves a waiting thread to where its priority belongs, behind its equals there.
  ///
  /// Source: xnu:osfmk/kern/turnstile.c, turnstile_update_thread_promotion_locked. Among equals XNU
  /// promises no order; this one is ours.
  private func standAnew(_ thread: ThreadID) {
    let record = threads[thread]
    let isInOrder =
      (record.moreUrgent.isNone || threads[record.moreUrgent].priority >= record.priority)
      && (record.lessUrgent.isNone || threads[record.lessUrgent].priority <= record.priority)
    if isInOrder { return }
    stepOut(thread)
    stand(thread)
  }
}
