import SpindleModel

/// Which cluster a thread is for: XNU's *edge*.
///
/// - A class is recommended to a kind of cores: the lower ones to the efficiency cores, the others to the
///   performance cores, and real-time threads too.
/// - A thread goes to the cluster of its kind unless that has at least as many threads of its class and above
///   as cores; then to the other one, if that is not so loaded, or if there it would wait for 64 us less.
/// - What is recommended to efficiency cores never goes to performance cores.
///
/// Source: xnu:osfmk/kern/sched_clutch.c, sched_edge_migrate_candidate, sched_edge_migration_check,
/// sched_edge_cpu_init_completed (the edges), sched_edge_amp_rebalance_pset.
extension ClutchScheduler {
  /// By how much less a thread must wait at the other kind of cores to go there, in the load's unit.
  ///
  /// Source: sched_clutch.c, sched_edge_cpu_init_completed: from performance to efficiency.
  private static let edgeWeight: Int64 = 64

  /// Whether the threads of a class are recommended to the efficiency cores.
  func isFrugal(_ bucket: ClutchBucket) -> Bool {
    bucket == .background || (savesUtility && bucket == .utility)
  }

  /// The cluster that a thread is recommended to.
  func recommended(_ thread: Int) -> Int {
    if clusters.count == 1 { return 0 }
    let share = threads[thread]
    return isFrugal(share.bucket) && !share.isAbove ? 1 : 0
  }

  /// Whether a core is not of the kind that an ordinary thread is recommended to.
  func isForeign(_ thread: Int, on core: Int) -> Bool {
    clusters.count > 1 && core >= 0 && !threads[thread].isAbove
      && cores[core].cluster != recommended(thread)
  }

  /// The cluster in whose queue a ready thread goes; one whose turn at a foreign core is over is taken in.
  mutating func cluster(for thread: Int, isRebalanced: Bool) -> Int {
    let home = recommended(thread)
    if clusters.count == 1 { return home }
    let bucket = threads[thread].bucket
    let latency = clusters[home].load.latency(bucket)
    if latency == 0 || isRebalanced || clusters[home].isEfficient { return home }
    let other = 1 - home
    let otherLatency = clusters[other].load.latency(bucket)
    if otherLatency == 0 { return other }
    return latency - otherLatency >= Self.edgeWeight ? other : home
  }

  // MARK: The load

  /// Looks at the load of a cluster, something about which has changed.
  mutating func updateLoad(_ cluster: Int, at now: Int64) {
    if clusters.count == 1 { return }
    clusters[cluster].idleSince = -1
    var counts = clusters[cluster].running
    for bucket in ClutchBucket.allCases {
      counts[bucket.rawValue] += queues.count(cluster, bucket)
    }
    let urgent = clusters[cluster].urgent + (cluster == 0 ? realtime.count : 0)
    clusters[cluster].load.update(
      counts, urgent: urgent, cores: clusters[cluster].cores.count, at: now)
  }

  /// Looks at the load of clusters whose cores have become idle since; not for a thread that goes on there.
  mutating func settleIdle(exceptOf thread: Int, before now: Int64 = .max) {
    if clusters.count == 1 { return }
    let kept = thread < 0 ? -1 : cores[Int(threads[thread].core)].cluster
    for cluster in clusters.indices where cluster != kept {
      let since = clusters[cluster].idleSince
      if since >= 0 && since < now { updateLoad(cluster, at: since) }
    }
  }

  // MARK: Idle cores

  /// The thread of another cluster that an idle core runs when its own has none; nil for none.
  ///
  /// First one that waits at a kind of cores that it is not recommended to; else, unless such a one runs
  /// there, which is to come over, one of a class that has more threads than the other cluster has cores.
  /// Source: sched_edge_processor_idle, sched_edge_steal_possible.
  mutating func steal(for core: Int, at now: Int64) -> Int? {
    if clusters.count == 1 { return nil }
    let (own, other) = (cores[core].cluster, 1 - cores[core].cluster)
    var (found, best) = (-1, -1)
    for bucket in ClutchBucket.allCases where isFrugal(bucket) == clusters[own].isEfficient {
      guard let rank = queues.highest(other, bucket), let first = queues.first(other, bucket)
      else { continue }
      let score = separatesGroups ? 0 : groups.lastScore(0, bucket)
      if rank + score > best { (found, best) = (first, rank + score) }
    }
    if found < 0 && checks.isEmpty && clusters[own].isEfficient {
      let limit = Int64(clusters[other].cores.count)
      let bucket = ClutchBucket.allCases.first {
        queues.count(other, $0) > 0 && clusters[other].load.depth($0) > limit
      }
      found = bucket.flatMap { queues.first(other, $0) } ?? -1
    }
    if found < 0 { return nil }
    takeOut(found, at: now)
    updateLoad(other, at: now)
    return found
  }

  /// A core whose thread is recommended to the other kind, one of which is idle; nil for none.
  ///
  /// Source: sched_edge_foreign_running_thread_available, sched_edge_balance: XNU asks all such cores to
  /// choose again, of which the first one's thread gets the idle core.
  func coreWithForeignThread() -> Int? {
    if clusters.count == 1 { return nil }
    for own in 0...1 where clusters[own].waiting == 0 && hasIdleCore(own) {
      for core in clusters[1 - own].cores {
        let thread = cores[core].thread
        if thread >= 0 && isForeign(thread, on: core) { return core }
      }
    }
    return nil
  }

  private func hasIdleCore(_ cluster: Int) -> Bool {
    if cluster == 0 && realtime.count > 0 { return false }
    return clusters[cluster].cores.contains { cores[$0].isIdle }
  }

  /// Whether some core runs a thread that is recommended to the other kind, or may get one at this instant: those
  /// that wait now are given cores before it is looked who should move.
  var hasForeignThread: Bool {
    if clusters.count == 1 { return false }
    return clusters.contains { cluster in
      cluster.waiting > 0
        || ClutchBucket.allCases.contains {
          cluster.running[$0.rawValue] > 0 && isFrugal($0) != cluster.isEfficient
        }
    }
  }
}
