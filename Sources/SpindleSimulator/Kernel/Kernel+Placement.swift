import SpindleModel

/// Where threads that become ready stand, on a machine whose scheduler has a line of threads at each core.
///
/// A thread that is woken stands in line at the core that it had, though another core may be idle: it runs
/// there when the thread that has the core waits or ends, which is often the very one that woke it. That is so on
/// virtual cores: one that sleeps counts as taken away by its host, and is not chosen. A new thread stands in line at
/// its maker's core when nobody does so yet and the maker has only just come there, and else goes to another one: an
/// idle core, or the core with the fewest in line. Cores that are idle take up to half of a line when the
/// scheduler balances, which it does again and again after `CostProfile.spread`.
///
/// Source: Linux, kernel/sched/fair.c, select_task_rq_fair, select_idle_sibling, sched_balance_find_dst_cpu and
/// sched_balance_rq; available_idle_cpu and arch/x86/kernel/kvm.c, vcpu_is_preempted. Departures: a thread whose core
/// is idle does not choose another one, and nobody is preempted by who joins a line. What has run on a core within
/// 500 us is taken from its line like any other, where the real balance leaves it twice (task_hot, cache_nice_tries): so
/// four threads that meet in a `sync` come out at 12% below the real run, and else at 26%. Threads whose slice has
/// ended stand in one line for all.
extension Kernel {
  /// Lets a thread that is ready stand in the line of a core; false where it need not.
  @inline(never)
  mutating func standsInLine(_ thread: ThreadID, _ cause: ReadyCause, by other: ThreadID) -> Bool {
    let record = threads.writable.at(thread)
    assert(!record.pointee.flags.contains(.inLine), "thread \(thread.index) stands in a line twice")
    if record.pointee.flags.contains(.realtime) { return false }
    let core: CoreID
    switch cause {
    case .started: core = lineForNew(maker: other)
    case .woken: core = CoreID(record.pointee.lastCore)
    case .quantumExpired, .preempted, .yielded: return false
    }
    if core.isNone || cores[core].thread.isNone { return false }
    record.pointee.lastCore = Int16(truncatingIfNeeded: core.index)
    record.pointee.flags.insert(.inLine)
    record.pointee.timer = schedule(.threadTimer, index: thread.index, at: nextBalance)
    let place = cores.writable.at(core)
    place.pointee.line.append(thread.index, in: threads.writable)
    place.pointee.lineCount &+= 1
    return true
  }

  /// Whether a maker of threads has had its core for only a short time.
  ///
  /// Then the scheduler does not take the core for busy. The main thread has loaded its program before a trace
  /// begins.
  private func hasJustCome(_ maker: ThreadID, _ core: CoreID) -> Bool {
    let isLoading = threads[maker].role == .main && threads[maker].waits == 0
    return !isLoading && now - cores[core].came < Self.shortRun
  }

  /// In nanoseconds: ten threads in turn whose maker waits for each stay on its core, and one that is made after
  /// a millisecond does not.
  private static let shortRun: Int64 = 50_000

  /// When idle cores look at the lines of others next: at each multiple of `spread`, as ticks are.
  private var nextBalance: Int64 {
    let period = costs.spread.rawValue
    return (min(now, Self.latestLimit) / period + 1) * period
  }

  /// The core in whose line a new thread stands; none for that of an idle one, which takes it at once.
  private func lineForNew(maker: ThreadID) -> CoreID {
    let own = !maker.isNone ? CoreID(threads[maker].core) : .none
    if own.isNone { return .none }
    if cores[own].lineCount == 0 && hasJustCome(maker, own) { return own }
    if readyCount < idleCount { return .none }
    if cores[own].lineCount == 0 { return own }
    var best = own
    for core in cores.ids
    where core != own && (best == own || cores[core].lineCount < cores[best].lineCount) {
      best = core
    }
    return best
  }

  /// The thread that a core ran has left it: the first of its line may have it.
  @inline(never)
  mutating func callFirstInLine(of core: CoreID) {
    let first = cores.writable.at(core).pointee.line.firstThread
    demand(!first.isNone, "no thread waits in the run queue of core \(core.index)")
    goOn(first)
  }

  /// Whether another thread could go on at the core of one that yields.
  func isWanted(coreOf thread: ThreadID) -> Bool {
    let core = CoreID(threads[thread].core)
    demand(!core.isNone, "thread \(thread.index) yields, and has no core")
    return readyCount > 0 || cores[core].lineCount > 0
  }

  /// A thread stands in line while the scheduler balances: an idle core may have it.
  ///
  /// Half of a line may go. Where no core is idle it stays, but no longer than a turn: the line shares its core with who runs there.
  ///
  /// Source: Linux, kernel/sched/fair.c, calculate_imbalance: half of the difference is moved.
  mutating func lineIsBalanced(_ thread: ThreadID) {
    let line = cores[CoreID(threads[thread].lastCore)].lineCount
    let isWanted = idleCount > 0 && (readyCount < idleCount || readyCount < line)
    if isWanted || now - threads[thread].since >= Self.turn { return goOn(thread) }
    threads.writable.at(thread).pointee.timer = schedule(
      .threadTimer, index: thread.index, at: nextBalance)
  }

  /// How long who runs on a core leaves who stands in its line waiting, at most, in nanoseconds: `fairShare`'s slice.
  private static let turn: Int64 = 3_000_000

  /// A thread in a line is given to the policy.
  private mutating func goOn(_ thread: ThreadID) {
    leaveLine(thread)
    enqueue(thread, threads[thread].flags.contains(.begun) ? .woken : .started, by: .none)
  }

  /// A thread stands in no line any more.
  mutating func leaveLine(_ thread: ThreadID) {
    let record = threads.writable.at(thread)
    demand(record.pointee.flags.contains(.inLine), "thread \(thread.index) stands in no line")
    record.pointee.flags.remove(.inLine)
    record.pointee.timer = 0
    let place = cores.writable.at(CoreID(record.pointee.lastCore))
    place.pointee.line.remove(thread, in: threads.writable)
    place.pointee.lineCount &-= 1
    assert(place.pointee.lineCount >= 0, "a line has less than nobody")
  }
}
