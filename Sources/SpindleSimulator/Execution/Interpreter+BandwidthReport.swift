import SpindleModel

/// What servers guarantee the threads that do jobs, held against what these did.
///
/// A server gives its thread its budget within each period, whatever other threads do: a job that computes no
/// longer than the budget, and comes no sooner than a period after the one before, is done within a period from
/// its arrival. On one core that holds where the shares of all servers are no more than the core; on
/// several, where they are no more than m − (m − 1) u, with u the largest. With reclaiming it holds on one core.
/// Shares are rounded up as the servers' own are, in parts of 720,720,000.
///
/// Source: Abeni, Buttazzo, "Integrating Multimedia Applications in Hard Real-Time Systems", 1998, the isolation
/// of servers; Lipari, Baruah, "Greedy Reclamation of Unused Bandwidth in Constant-Bandwidth Servers",
/// 2000; Goossens, Funk, Baruah, "Priority-Driven Scheduling of Periodic Task Systems on Multiprocessors",
/// 2003, whose bound holds for what servers hand out, too: a piece of a budget could be computed at the server's
/// own rate before its deadline.
extension Interpreter {
  /// The report on the run's jobs under servers; nil when not all real-time threads do jobs.
  func bandwidthReport(_ policy: ConstantBandwidth) -> RealtimeReport? {
    if process.kernel.hasOtherRealtime { return nil }
    var report = RealtimeReport(threads: [], tests: [])
    var loads: [RealtimeLoad] = []
    var (shares, largest, isJittery) = (Int128(0), Int64(0), false)
    for thread in process.kernel.threads.ids
    where process.kernel.threads[thread].role == .jobs {
      guard let seen = process.kernel.realtime[thread], let job = threads.jobs[thread] else {
        return nil
      }
      var row = RealtimeReport.Thread(
        name: process.kernel.name(of: thread), core: nil, period: seen.claim.period,
        computation: seen.claim.computation, deadline: seen.claim.constraint)
      (row.seen, row.jobs, row.missed) = (Nanoseconds(seen.longest), seen.jobs, seen.missed)
      // Who computes for longer than its budget, or waits in between, has what its server gives and no more.
      row.keepsItsWord =
        seen.mostWork <= seen.claim.computation.rawValue && !seen.hasWaited
        && !(policy.isHard && seen.hasYielded) && job.jitter == 0
      if job.jitter > 0 { isJittery = true }
      let share = BandwidthServers.share(seen.claim)
      (shares, largest) = (shares + Int128(share), max(largest, share))
      report.threads.append(row)
      loads.append(
        RealtimeLoad(
          computation: seen.claim.computation.rawValue, deadline: seen.claim.constraint.rawValue,
          period: seen.claim.period.rawValue, jitter: job.jitter))
    }
    if loads.isEmpty { return nil }
    let cores = process.kernel.cores.count
    let used = RealtimeAnalysis.utilization(loads)?.millionths(up: true) ?? Int64.max
    var test = RealtimeReport.Test(
      core: nil, utilization: used, enough: nil, source: "", isInTime: nil)
    test.isIsolated = true
    if used > Int64(cores) * 1_000_000 { test.isInTime = false }
    if cores == 1 || !policy.isReclaiming {
      let whole = Int128(BandwidthServers.whole)
      let room = Int128(cores) * whole - Int128(cores - 1) * Int128(largest)
      test.enough = Int64(room * 1_000_000 / whole)
      test.source = Self.source(policy, cores)
      if shares <= room {
        for place in report.threads.indices where loads[place].jitter == 0 {
          report.threads[place].bound = report.threads[place].period
        }
        if !isJittery && loads.allSatisfy({ $0.deadline >= $0.period }) { test.isInTime = true }
      }
    }
    report.tests = [test]
    if !process.kernel.hasCosts && !process.kernel.hold.wasOn {
      checkGuarantees(report, policy.isReclaiming)
    }
    return report
  }

  private static func source(_ policy: ConstantBandwidth, _ cores: Int) -> String {
    if cores > 1 { return "Goossens, Funk, Baruah 2003" }
    return policy.isReclaiming ? "Lipari, Baruah 2000" : "Abeni, Buttazzo 1998"
  }

  /// Stops when a thread that computes as it says was late in spite of its server: then either is wrong.
  ///
  /// With reclaiming turns are rounded up to nanoseconds, so that each server may take one too much of others.
  private func checkGuarantees(_ report: RealtimeReport, _ isReclaiming: Bool) {
    let rounding = Nanoseconds(isReclaiming ? Int64(report.threads.count) : 0)
    for thread in report.threads where thread.keepsItsWord {
      guard let bound = thread.bound else { continue }
      demand(
        thread.seen <= bound + rounding,
        "a job of thread '\(thread.name)' took \(thread.seen), and its server gives what it needs in \(bound)"
      )
      demand(
        thread.missed == 0 || bound + rounding > thread.deadline,
        "thread '\(thread.name)' was late \(thread.missed) times, and its server gives what it needs in \(bound)"
      )
    }
  }
}
