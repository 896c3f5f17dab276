import SpindleModel

/// What could be known ahead of threads that do jobs, held against what they did.
extension Interpreter {
  /// The report on the run's jobs; nil when its policy has no test, or not all real-time threads do jobs.
  func realtimeReport() -> RealtimeReport? {
    if let policy = process.kernel.policy.bandwidth { return bandwidthReport(policy) }
    guard let policy = process.kernel.policy.realtime, !process.kernel.hasOtherRealtime else {
      return nil
    }
    var report = RealtimeReport(threads: [], tests: [])
    var tasks: [RealtimeLoad] = []
    var isExact = policy.isExact && !process.kernel.hasCosts && !process.kernel.hold.wasOn
    for thread in process.kernel.threads.ids
    where process.kernel.threads[thread].role == .jobs {
      guard let seen = process.kernel.realtime[thread], let job = threads.jobs[thread] else {
        return nil
      }
      let core = policy.lines.core(of: thread)
      var row = RealtimeReport.Thread(
        name: process.kernel.name(of: thread), core: core, period: seen.claim.period,
        computation: seen.claim.computation, deadline: seen.claim.constraint)
      (row.seen, row.jobs, row.missed) = (Nanoseconds(seen.longest), seen.jobs, seen.missed)
      let task = RealtimeLoad(
        computation: process.kernel.time(for: seen.claim.computation, on: core),
        deadline: seen.claim.constraint.rawValue, period: seen.claim.period.rawValue,
        jitter: job.jitter)
      if seen.mostWork > task.computation || seen.hasWaited { isExact = false }
      report.threads.append(row)
      tasks.append(task)
    }
    if tasks.isEmpty { return nil }
    addTests(to: &report, tasks, policy)
    if isExact { checkReport(report) }
    return report
  }

  private func addTests(
    to report: inout RealtimeReport, _ tasks: [RealtimeLoad], _ policy: any RealtimePolicy
  ) {
    demand(report.threads.count == tasks.count, "\(tasks.count) tasks of other threads")
    for core in Set(report.threads.map { $0.core ?? -1 }).sorted() {
      let members = tasks.indices.filter { (report.threads[$0].core ?? -1) == core }
      let own = members.map { tasks[$0] }
      let cores = core < 0 ? process.kernel.cores.count : 1
      let used = RealtimeAnalysis.utilization(own)?.millionths(up: true) ?? Int64.max
      let bound = Self.enough(own, policy.order, cores: cores)
      var test = RealtimeReport.Test(
        core: core < 0 ? nil : core, utilization: used, enough: bound?.limit,
        source: bound?.source ?? "", isInTime: nil)
      if cores == 1 {
        test.isInTime = RealtimeAnalysis.fits(own, policy.order)
        for (place, member) in members.enumerated() where policy.order != .deadline {
          let response = RealtimeAnalysis.response(of: place, own, policy.order)
          report.threads[member].bound =
            response.flatMap { $0 == Int64.max ? nil : Nanoseconds($0) }
        }
      } else if process.kernel.coresAreAlike, let limit = bound?.limit, used <= limit {
        test.isInTime = true
      }
      report.tests.append(test)
    }
  }

  /// Up to how much of so many cores such a set may use for certain.
  private static func enough(
    _ tasks: [RealtimeLoad], _ order: RealtimeAnalysis.Order, cores: Int
  ) -> (limit: Int64, source: String)? {
    if tasks.contains(where: { $0.deadline < $0.period || $0.jitter > 0 }) { return nil }
    if order == .constraint && tasks.contains(where: { $0.deadline != $0.period }) { return nil }
    let largest =
      tasks.map { RealtimeAnalysis.utilization([$0])?.millionths(up: true) ?? Int64.max }
      .max() ?? 0
    switch order {
    case .deadline:
      if cores == 1 { return (1_000_000, "Liu, Layland 1973") }
      return (
        RealtimeBounds.byDeadline(cores: cores, largest: largest), "Goossens, Funk, Baruah 2003"
      )
    case .period, .constraint:
      if cores == 1 { return (RealtimeBounds.byPeriod(tasks.count), "Liu, Layland 1973") }
      return RealtimeBounds.byPeriod(cores: cores, largest: largest).map {
        ($0, "Andersson, Baruah, Jonsson 2001")
      }
    }
  }

  /// Stops when a run shows what was found to be impossible: then either is wrong.
  private func checkReport(_ report: RealtimeReport) {
    for thread in report.threads {
      demand(
        thread.bound.map { thread.seen <= $0 } ?? true,
        "a job of thread '\(thread.name)' took \(thread.seen), and at most \(thread.bound ?? .zero) was found"
      )
      let test = report.tests.first { $0.core == thread.core }
      demand(
        thread.missed == 0 || test?.isInTime != true,
        "thread '\(thread.name)' was late \(thread.missed) times, and all were found to be in time")
    }
  }
}
