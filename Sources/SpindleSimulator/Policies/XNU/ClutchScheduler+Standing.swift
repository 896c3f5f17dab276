import SpindleModel

/// By what it prefers one thread to another.
extension ClutchScheduler {
  /// Where a thread that is ready or runs stands: real-time threads by deadline, others by class and priority.
  func standing(of thread: Int) -> [PolicyStanding] {
    let share = threads[thread]
    if share.isAbove && !share.isDepressed {
      return [
        PolicyStanding(.realtime, 1), PolicyStanding(.deadline, realtime.deadline(thread)),
      ]
    }
    var priority = share.isDepressed ? 0 : Int(share.priority)
    if separatesGroups { priority += groups.lastScore(thread, share.queue) }
    return [
      PolicyStanding(.realtime, 0),
      PolicyStanding(.threadClass, Int64(share.queue.rawValue)),
      PolicyStanding(.priority, Int64(priority)),
    ]
  }

  /// Whether a ready thread is for the cluster of a core.
  func isCandidate(_ thread: Int, for core: Int) -> Bool {
    threads[thread].isAbove || Int(threads[thread].cluster) == cores[core].cluster
  }
}
