import SpindleModel

/// What threads leave in caches, and what it costs to fill others.
///
/// Each core has caches of its own, and each cluster a last-level cache that its cores share. A thread finds
/// what it had there when it goes on on its core and nobody else ran there since, or when it comes back
/// within `CostProfile.cacheWarmth`; otherwise it pays `coldCache`, and `clusterMigration` besides where
/// the core is of another cluster.
///
/// Source: that what has run on a core within 500 us is taken to be in its cache: Linux, kernel/sched/fair.c,
/// task_hot and sysctl_sched_migration_cost. Departures: caches have no sizes and threads no working sets, so
/// that who is cold pays the whole cost and who is warm nothing, and a last-level cache forgets nobody.
extension Kernel {
  /// Charges a thread that has run before with what the caches of the core that it gets have lost of it, or
  /// never had; returns that, at speed 1.
  @inline(never)
  mutating func fillCaches(
    of core: CoreID, for thread: ThreadID, _ flags: inout DispatchFlags
  ) -> Int64 {
    let record = threads.writable.unchecked(thread)
    demand(record.pointee.lastCore >= 0, "thread \(thread.index) has left nothing in any cache")
    var cost: Int64 = 0
    if flags.contains(.migration)
      && cores[core].sharedCache != cores[CoreID(record.pointee.lastCore)].sharedCache
    {
      flags.insert(.clusterMigration)
      cost = costs.clusterMigration.rawValue
    }
    if costs.coldCache > .zero && (flags.contains(.migration) || isCold(thread, flags)) {
      cost &+= costs.coldCache.rawValue
    }
    assert(cost >= 0, "thread \(thread.index) pays \(cost) for caches")
    record.pointee.charge(cost)
    return cost
  }

  /// Whether others have had the core of a thread that comes back to it, and it was away for long.
  private func isCold(_ thread: ThreadID, _ flags: DispatchFlags) -> Bool {
    flags.contains(.contextSwitch) && now &- leavings[thread.index] >= costs.cacheWarmth.rawValue
  }

  /// Notes that a thread leaves its core now.
  @inline(never)
  mutating func noteLeaving(_ thread: ThreadID) {
    assert(hasCaches && !thread.isNone, "thread \(thread.index) leaves a core that has no caches")
    if costs.coldCache == .zero { return }
    while leavings.count <= Int(thread.index) { leavings.append(0) }
    leavings[thread.index] = now
  }

  /// The idle core that a thread gets whose own core is not free: one of its cluster, where one is as fast
  /// as the one that would be given out.
  ///
  /// Source: Linux looks for an idle core among those that share the last-level cache
  /// (kernel/sched/fair.c, select_idle_sibling), XNU in the processor set (osfmk/kern/sched_prim.c,
  /// choose_processor).
  @inline(never)
  mutating func near(_ last: CoreID, insteadOf first: CoreID) -> CoreID {
    if last.isNone || cores[last].sharedCache == cores[first].sharedCache { return first }
    var rank = cores[first].rank
    while let next = idleCores.first(from: rank &+ 1) {
      let core = coreOrder[next]
      if cores[core].speedNumerator * cores[first].speedDenominator
        != cores[first].speedNumerator * cores[core].speedDenominator
      {
        return first
      }
      if cores[core].sharedCache == cores[last].sharedCache { return core }
      rank = next
    }
    return first
  }
}
