import SpindleModel

/// A job of a real-time thread: what it computes between two waits.
package struct RealtimeJob: Hashable, Sendable {
  /// What its thread asks for.
  var claim: RealtimeClaim
  /// When it has to be done, in nanoseconds; `Int64.max` before the first one of a thread.
  var deadline = Int64.max
  /// How long it has had a core.
  var used: Int64 = 0

  /// When it has to go on at the latest, if it computes what it says and nothing comes between.
  var latestStart: Int64 {
    if deadline == Int64.max { return deadline }
    return deadline - max(0, claim.computation.rawValue - used)
  }
}

/// The threads of a real-time policy: those that are real-time by a rank, the least first, in one line for all
/// cores or in one for each; all others behind them in the order in which they became ready.
package struct RealtimeLines: Sendable {
  private struct Member {
    /// Its job; nil for a thread that is not real-time.
    var job: RealtimeJob?
    /// The line it belongs to; -1 as long as it has none.
    var line: Int32 = -1
  }

  /// Whether each core has a line of its own.
  let isPartitioned: Bool
  private var cores: RealtimeCores
  private var members: ContiguousArray<Member> = []
  private var lines: [ThreadHeap<Int64>] = []
  private var ordinary = ThreadHeap<Int64>()

  /// The lines for the placement that a machine gives.
  init(_ values: PolicyValues, _ order: RealtimeAnalysis.Order) {
    let choice = values.choice(RealtimePlacement.parameter)
    let placements = RealtimePlacement.allCases
    demand(placements.indices.contains(choice), "no placement has the number \(choice)")
    let placement = placements[choice]
    isPartitioned = placement != .global
    cores = RealtimeCores(placement, order)
  }

  /// The core that a thread has been placed on; nil where it may have any.
  func core(of thread: ThreadID) -> Int? {
    guard isPartitioned, Int(thread.index) < members.count else { return nil }
    let line = Int(members[Int(thread.index)].line)
    return line < 0 ? nil : line
  }

  /// The job of a real-time thread; nil for others.
  func job(of thread: ThreadID) -> RealtimeJob? { members[Int(thread.index)].job }

  /// How many real-time threads are ready.
  var realtimeCount: Int { lines.reduce(0) { $0 + $1.count } }

  mutating func begin(_ descriptions: [CoreDescription]) {
    cores.begin(descriptions)
    lines = Array(repeating: ThreadHeap(), count: isPartitioned ? descriptions.count : 1)
  }

  private func check(_ thread: ThreadID, _ what: @autoclosure () -> String) {
    demand(
      thread.index >= 0 && Int(thread.index) < members.count,
      "thread \(thread.index) \(what()) and was not admitted")
  }

  /// A thread exists.
  mutating func admit(_ thread: ThreadID, _ claim: RealtimeClaim?) {
    demand(!isReady(thread), "thread \(thread.index) is ready, and admitted")
    while members.count <= Int(thread.index) { members.append(Member()) }
    leaveCore(Int(thread.index))
    members[Int(thread.index)] = Member(job: claim.map { RealtimeJob(claim: $0) })
  }

  /// A thread asks for something else; one that is ready is ranked anew by `rank`.
  mutating func change(
    _ thread: ThreadID, _ claim: RealtimeClaim?, rank: (RealtimeJob) -> Int64
  ) {
    check(thread, "has a new claim")
    let index = Int(thread.index)
    if members[index].job?.claim == claim { return }
    let wasReady = remove(thread)
    leaveCore(index)
    members[index].job = claim.map { claim in
      RealtimeJob(claim: claim, used: members[index].job?.used ?? 0)
    }
    if wasReady { enqueue(thread, atFront: false, rank: rank) }
  }

  private mutating func leaveCore(_ index: Int) {
    if isPartitioned && members[index].line >= 0 {
      cores.remove(ThreadID(index), from: Int(members[index].line))
    }
    members[index].line = -1
  }

  /// A job of a real-time thread begins.
  mutating func begin(_ thread: ThreadID, deadline: Int64) {
    check(thread, "begins a job")
    members[Int(thread.index)].job?.deadline = deadline
    members[Int(thread.index)].job?.used = 0
  }

  /// A thread has had a core.
  mutating func ran(_ thread: ThreadID, for ran: Int64) {
    check(thread, "ran")
    demand(ran >= 0, "thread \(thread.index) ran for \(ran)ns")
    members[Int(thread.index)].job?.used += ran
  }

  private func isReady(_ thread: ThreadID) -> Bool {
    ordinary.contains(thread) || lines.contains { $0.contains(thread) }
  }

  private mutating func remove(_ thread: ThreadID) -> Bool {
    if ordinary.remove(thread) { return true }
    for line in lines.indices where lines[line].remove(thread) { return true }
    return false
  }

  /// Takes in a thread that is ready, behind its equals or before them.
  mutating func enqueue(_ thread: ThreadID, atFront: Bool, rank: (RealtimeJob) -> Int64) {
    check(thread, "becomes ready")
    let index = Int(thread.index)
    guard let job = members[index].job else {
      return ordinary.insert(thread, key: 0, atFront: atFront)
    }
    if members[index].line < 0 {
      members[index].line = isPartitioned ? Int32(cores.place(thread, job.claim)) : 0
    }
    // One without a deadline comes before all that are not real-time.
    let key = min(rank(job), Int64.max - 1)
    lines[Int(members[index].line)].insert(thread, key: key, atFront: atFront)
  }

  /// Gives out the first thread for a core.
  mutating func dequeue(for core: CoreID) -> ThreadID? {
    let line = isPartitioned ? Int(core.index) : 0
    demand(lines.indices.contains(line), "core \(core.index) asks for a thread")
    return lines[line].popFirst() ?? ordinary.popFirst()
  }

  /// The core whose thread has a greater rank than one that is ready for it: of one line for all
  /// cores that with the greatest rank, else the first; of equals that with the lowest number.
  func victim(
    among running: RunningThreads, at now: Instant, rank: (RealtimeJob) -> Int64
  ) -> CoreID? {
    var (victim, most) = (-1, lines[0].leastKey ?? Int64.max)
    for core in 0..<running.count where running[core] != .none {
      if isPartitioned { most = lines[core].leastKey ?? Int64.max }
      let own = self.rank(of: running[core], after: (now - running.since(core)).rawValue, rank)
      if own <= most { continue }
      if isPartitioned { return CoreID(core) }
      (victim, most) = (core, own)
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  private func rank(
    of thread: ThreadID, after ran: Int64, _ rank: (RealtimeJob) -> Int64
  ) -> Int64 {
    check(thread, "runs")
    guard var job = members[Int(thread.index)].job else { return Int64.max }
    job.used += ran
    return min(rank(job), Int64.max - 1)
  }
}
