import SpindleModel

/// The clock of XNU's timesharing, and many turns at once.
///
/// Ticks stand at whole multiples of 125 ms. At each, what use costs is settled for the groups that have threads
/// waiting, and these see the tick; those that run see it when their quantum ends, when they leave their core
/// or would have to; those that wait for something when they get ready. Source:
/// xnu:osfmk/kern/sched_clutch.c, sched_clutch_thread_update_scan.
extension ClutchScheduler {
  private static func ticks(before time: Int64) -> Int64 {
    max(0, time - 1) / ClutchThread.tickInterval
  }

  /// Counts the ticks before a moment at which nobody waited for a core.
  mutating func catchUp(before now: Int64) { tick = max(tick, Self.ticks(before: now)) }

  /// When the next tick or the end of a yield comes; nil when nobody waits.
  func nextTick(after now: Int64) -> Int64? {
    if isEmpty { return nil }
    let next = (now / ClutchThread.tickInterval + 1) * ClutchThread.tickInterval
    guard let first = depressed.first else { return next }
    return min(next, max(now + 1, threads[Int(first)].depressedUntil))
  }

  /// Does what is due: threads that yielded are what they were, and a tick changes priorities.
  mutating func tick(at now: Instant) {
    let time = now.nanoseconds
    while let first = depressed.first {
      let thread = Int(first)
      if threads[thread].isDepressed && threads[thread].depressedUntil > time { break }
      _ = depressed.popFirst()
      if threads[thread].isDepressed && threads[thread].place == .queue {
        takeOut(thread, at: time)
        threads[thread].isDepressed = false
        queueUp(thread, isRebalanced: false, at: time)
        checks.append(first)
      }
    }
    catchUp(before: time)
    if time % ClutchThread.tickInterval != 0 { return }
    tick = time / ClutchThread.tickInterval
    if !separatesGroups {
      for bucket in ClutchBucket.allCases where groupLoad[bucket.rawValue] > 0 {
        groups.settle(0, bucket, tick: tick, cores: cores.count)
        _ = groups.score(0, bucket, load: groupLoad[bucket.rawValue], at: time)
      }
    }
    var next = aging.first(0)
    let last = lastAging()
    while let thread = next {
      next = thread == last ? nil : aging.next(thread)
      look(at: thread, at: now)
    }
  }

  /// The last of the threads that a tick looks at: those that it puts behind are not looked at again.
  private mutating func lastAging() -> Int {
    var last = aging.first(0) ?? -1
    while last >= 0, let next = aging.next(last) { last = next }
    return last
  }

  /// A thread that waits for a core sees a tick.
  private mutating func look(at thread: Int, at now: Instant) {
    let time = now.nanoseconds
    let group = group(thread)
    if separatesGroups {
      groups.settle(group, threads[thread].queue, tick: tick, cores: cores.count)
    }
    seeTick(thread)
    if threads[thread].isRealtime && !threads[thread].isAbove
      && realtime.release(thread, at: now)
    {
      takeOut(thread, at: time)
      groups.stop(group, threads[thread].bucket, at: time)
      threads[thread].setRealtime(isDemoted: false)
      queueUp(thread, isRebalanced: false, at: time)
      return
    }
    let bucket = threads[thread].queue
    let score =
      separatesGroups
      ? groups.score(group, bucket, load: groupLoad[bucket.rawValue], at: time) : 0
    let rank = rank(thread, score: score)
    if rank != queues.rank(thread) {
      queues.remove(thread)
      queues.insert(thread, Int(threads[thread].cluster), bucket, rank: rank, atFront: false)
    } else if !separatesGroups && !threads[thread].isAging {
      aging.remove(thread)
    }
  }

  /// Charges and ages the use of a thread that has not seen the last tick; whether it had not.
  @discardableResult
  mutating func seeTick(_ thread: Int, upTo last: Int64? = nil) -> Bool {
    let present = last ?? tick
    if threads[thread].tick >= present { return false }
    charge(thread)
    let bucket = threads[thread].bucket
    threads[thread].age(to: present, cost: groups.shift(group(thread), bucket))
    return true
  }

  /// Charges a thread and its group for what it has used.
  mutating func charge(_ thread: Int) {
    let bucket = threads[thread].bucket
    groups.charge(group(thread), bucket, threads[thread].charge())
  }

  // MARK: Many turns at once

  /// Whether one quantum of a thread that is alone is like the next: not that of a real-time thread; with
  /// two clusters each is an occasion to look at the load, and with cores of unlike speed to go to a faster one
  /// that has become idle.
  func repeatsQuanta(_ thread: Int) -> Bool {
    clusters.count == 1 && coresAreAlike && !threads[thread].isRealtime
  }

  /// A thread that nobody wanted the core of has had quanta one after the other, the last until `end`.
  ///
  /// They are charged and age as if each had been told; those that end between two ticks are alike. After some ticks
  /// the use goes through the same values again and again, where it costs something: then whole rounds are passed over.
  mutating func repeated(
    _ thread: Int, _ quantum: Int64, times count: Int64, until end: Int64
  ) {
    demand(quantum > 0 && count > 0, "\(name): \(count) quanta of \(quantum)ns at once")
    let (group, bucket) = (group(thread), threads[thread].bucket)
    groups.charge(group, bucket, threads[thread].charge() + count * quantum)
    let cost = groups.shift(group, bucket)
    // Quanta and ticks stand to each other as before after so many of both.
    let common = quantum.greatestCommonDivisor(with: ClutchThread.tickInterval)
    let (quanta, ticks) = (ClutchThread.tickInterval / common, quantum / common)
    var left = count
    var (roundLeft, roundUsage) = (left, Int64(-1))
    while left > 0 && (threads[thread].usage > 0 || threads[thread].shift >= 0) {
      if left <= roundLeft - quanta {
        if left == roundLeft - quanta && threads[thread].usage == roundUsage {
          let rounds = left / quanta
          left -= rounds * quanta
          threads[thread].tick += rounds * ticks
          if left == 0 { break }
        }
        (roundLeft, roundUsage) = (left, threads[thread].usage)
      }
      let next = end - (left - 1) * quantum
      let tick = Self.ticks(before: next)
      if threads[thread].shift >= 0 { threads[thread].usage += quantum }
      if tick > threads[thread].tick { threads[thread].age(to: tick, cost: cost) }
      let alike = min(left - 1, ((tick + 1) * ClutchThread.tickInterval - next) / quantum)
      if threads[thread].shift >= 0 { threads[thread].usage += alike * quantum }
      left -= 1 + alike
    }
    let last = Self.ticks(before: end)
    if last > threads[thread].tick { threads[thread].age(to: last, cost: cost) }
    threads[thread].computePriority()
    threads[thread].startPriority = threads[thread].priority
  }
}

extension Int64 {
  /// The greatest number that divides both, which are more than 0 (Euclid).
  fileprivate func greatestCommonDivisor(with other: Int64) -> Int64 {
    demand(self > 0 && other > 0, "\(self) and \(other) have no common divisor")
    var (a, b) = (self, other)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
