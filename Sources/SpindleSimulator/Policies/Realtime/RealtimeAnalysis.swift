/// Whether a set of real-time threads meets all deadlines on one core, found without running it.
///
/// Each test is exact for threads that compute as long as they say, come no sooner than they say, and
/// wait for nothing else, when switching costs nothing. What takes too many steps to find gives nil.
package enum RealtimeAnalysis {
  /// In which order jobs run.
  package enum Order: Hashable, Sendable {
    /// The shortest period first.
    case period
    /// The shortest time from arrival to deadline first.
    case constraint
    /// The earliest deadline first, or whatever is as good on one core.
    case deadline
  }

  /// How many steps an analysis may take before it gives up.
  private static let stepLimit = 20_000

  /// Whether all deadlines are met; nil when that could not be found.
  static func fits(_ tasks: [RealtimeLoad], _ order: Order) -> Bool? {
    switch order {
    case .deadline: return meetsDemand(tasks)
    case .period, .constraint:
      for index in tasks.indices {
        guard let response = response(of: index, tasks, order) else { return nil }
        if response > tasks[index].deadline { return false }
      }
      return true
    }
  }

  /// The sum of the shares of a core that tasks need; nil when it can't be held exactly.
  static func utilization(_ tasks: [RealtimeLoad]) -> ExactFraction? {
    var sum: ExactFraction? = ExactFraction(0)
    for task in tasks {
      sum = sum?.adding(ExactFraction(Int128(task.computation), Int128(task.period)))
    }
    return sum
  }

  // MARK: Fixed priorities

  /// The longest time from the arrival of a job of `tasks[index]` to its end, under fixed priorities.
  ///
  /// Equals are counted as if they came first. `Int64.max` when there is no longest, nil when too many
  /// steps would be needed. Source: Joseph, Pandya, "Finding Response Times in a Real-Time System", 1986;
  /// Lehoczky, "Fixed Priority Scheduling of Periodic Task Sets with Arbitrary Deadlines", 1990; with
  /// jitter Tindell, Burns, Wellings, "An Extendible Approach for Analysing Fixed Priority Hard Real-Time
  /// Tasks", 1994.
  static func response(of index: Int, _ tasks: [RealtimeLoad], _ order: Order) -> Int64? {
    let own = tasks[index]
    let others = tasks.indices.filter {
      $0 != index && rank(tasks[$0], order) <= rank(own, order)
    }.map { tasks[$0] }
    guard let load = utilization(others + [own])?.isAtMost(ExactFraction(1)) else { return nil }
    if !load { return Int64.max }
    var (longest, jobs, end, steps) = (0 as Int64, 0 as Int64, 0 as Int64, 0)
    while true {
      jobs += 1
      end = max(end, 1)
      while true {
        steps += 1
        if steps > stepLimit { return nil }
        guard let next = demand(of: others, within: end, and: own.computation, times: jobs) else {
          return nil
        }
        if next <= end { break }
        end = next
      }
      let arrival = (jobs - 1) * own.period
      longest = max(longest, end - arrival + own.jitter)
      if end + own.jitter <= arrival + own.period { return longest }
    }
  }

  /// What is more urgent has a lesser rank.
  private static func rank(_ task: RealtimeLoad, _ order: Order) -> Int64 {
    switch order {
    case .period: task.period
    case .constraint, .deadline: task.deadline
    }
  }

  /// How much is to be computed within a time by jobs that all come at its beginning, nil when that is
  /// too much to hold.
  private static func demand(
    of tasks: [RealtimeLoad], within time: Int64, and own: Int64, times: Int64
  ) -> Int64? {
    var sum = Int128(own) * Int128(times)
    for task in tasks {
      let jobs =
        (Int128(time) + Int128(task.jitter) + Int128(task.period) - 1) / Int128(task.period)
      sum += jobs * Int128(task.computation)
    }
    return sum > Int128(Int64.max / 4) ? nil : Int64(sum)
  }

  // MARK: The earliest deadline

  /// Whether within no time more is to be done than can be.
  ///
  /// Source: Baruah, Rosier, Howell, "Algorithms and Complexity Concerning the Preemptive Scheduling of
  /// Periodic, Real-Time Tasks on One Processor", 1990, the processor demand; in the order of Zhang, Burns,
  /// "Schedulability Analysis for Real-Time Systems with EDF Scheduling", 2009.
  static func meetsDemand(_ tasks: [RealtimeLoad]) -> Bool? {
    guard let load = utilization(tasks)?.isAtMost(ExactFraction(1)) else { return nil }
    if !load { return false }
    if tasks.contains(where: { $0.deadline - $0.jitter < $0.computation }) { return false }
    if tasks.allSatisfy({ $0.deadline - $0.jitter >= $0.period }) { return true }
    guard let busy = busyPeriod(tasks) else { return nil }
    let earliest = tasks.map { $0.deadline - $0.jitter }.min() ?? 0
    var (time, steps) = (lastDeadline(tasks, before: busy), 0)
    while let moment = time {
      steps += 1
      if steps > stepLimit { return nil }
      let demand = demandBound(tasks, moment)
      if demand > moment { return false }
      if demand <= earliest { return true }
      time = demand < moment ? demand : lastDeadline(tasks, before: moment)
    }
    return true
  }

  /// How much has to be done of jobs that come and must be done within a time; `Int64.max` at most.
  static func demandBound(_ tasks: [RealtimeLoad], _ time: Int64) -> Int64 {
    var sum: Int128 = 0
    for task in tasks {
      let span = Int128(time) + Int128(task.period) + Int128(task.jitter) - Int128(task.deadline)
      if span >= Int128(task.period) {
        sum += span / Int128(task.period) * Int128(task.computation)
      }
    }
    return Int64(clamping: sum)
  }

  /// How long a core has something to do without a break when all tasks come at once.
  private static func busyPeriod(_ tasks: [RealtimeLoad]) -> Int64? {
    var (length, steps) = (1 as Int64, 0)
    while true {
      steps += 1
      guard steps <= stepLimit, let next = demand(of: tasks, within: length, and: 0, times: 0)
      else {
        return nil
      }
      if next <= length { return length }
      length = next
    }
  }

  /// The last deadline before a moment, of jobs that come as early as they can; nil when there is none.
  private static func lastDeadline(_ tasks: [RealtimeLoad], before time: Int64) -> Int64? {
    var last: Int64?
    for task in tasks {
      let first = task.deadline - task.jitter
      if first >= time { continue }
      let deadline = first + (time - 1 - first) / task.period * task.period
      last = max(last ?? deadline, deadline)
    }
    return last
  }
}
