package import SpindleModel

/// Queues of falling priority: a thread begins in the highest and sinks as it uses the core.
///
/// The rules of OSTEP:
/// 1. A thread of a higher level runs before one of a lower, and takes its core at once.
/// 2. Those of one level take turns of that level's quantum.
/// 3. A thread begins at the highest level.
/// 4. One that has used up its allotment at a level goes one level down, however often it gave the core up
///    meanwhile. With `remembers: false` the older rules 4a and 4b hold: only what it had without a wait
///    counts, so a thread that waits just before its allotment ends stays where it is.
/// 5. Every `boost` all threads go to the highest level and begin a new allotment.
///
/// Parameters: `levels`; `quantum` of the highest level, which each level below multiplies by `growth`;
/// `allotment` at a level, in its quanta; `boost`, with `0s` for never; `remembers`; and `endless`, with which
/// the lowest level is first come, first served, without quanta (as in Silberschatz's example of 8 ms, 16
/// ms and first come, first served).
///
/// Ties: a thread that starts, wakes or has had its turn goes behind those of its level; one that had to give
/// way goes before them with the rest of its turn. Of several threads that could give way it is that of
/// the lowest level, on the core with the lowest number. A boost puts the threads of higher levels before
/// those of lower ones.
///
/// One queue for all cores. Each step costs O(1), a boost O(ready threads), a preemption O(cores).
///
/// Source: Arpaci-Dusseau, *Operating Systems: Three Easy Pieces*, chapter 8; Corbató, Merwin-Daggett, Daley,
/// "An Experimental Time-Sharing System", 1962; Silberschatz, Galvin, Gagne, *Operating System Concepts*,
/// chapter 5, "Multilevel Feedback Queue Scheduling". Not: the table of Solaris, the decay of 4.4BSD (see
/// `timeshare`); what threads ask for (their priorities) is not looked at.
package struct MultilevelFeedback: CataloguedPolicy, SteadyPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "multilevelFeedback",
    summary: "CPU time lowers the level of a thread; a boost raises it again",
    parameters: [levels, quantum, growth, allotment, boost, remembers, endless])
  private static let levels = MachineCatalogue.Parameter.integer("levels", 3, 1...16)
  private static let quantum = MachineCatalogue.Parameter.duration("quantum", .milliseconds(10))
  private static let growth = MachineCatalogue.Parameter.integer("growth", 1, 1...16)
  private static let allotment = MachineCatalogue.Parameter.integer("allotment", 1, 1...1_000)
  private static let boost = MachineCatalogue.Parameter.duration(
    "boost", .seconds(1), atLeast: .zero)
  private static let remembers = MachineCatalogue.Parameter.truth("remembers", true)
  private static let endless = MachineCatalogue.Parameter.truth("endless", false)

  private struct Standing {
    var level = 0
    /// How much of its allotment at that level is used.
    var used: Int64 = 0
    /// What is left of its turn; 0 for a whole one.
    var left: Int64 = 0
    /// The number of the last boost that it has had.
    var boost: Int64 = 0
  }

  /// The quanta by level; 0 for none.
  private let quanta: [Int64]
  /// The allotments by level.
  private let allotments: [Int64]
  private let boostEvery: Int64
  private let remembersAll: Bool
  private var ready = PriorityQueues()
  private var threads: ContiguousArray<Standing> = []

  package var heedsClaims: Bool { false }

  package init(_ values: PolicyValues) {
    let count = Int(values.integer(Self.levels))
    var (quanta, allotments): ([Int64], [Int64]) = ([], [])
    var quantum = values.duration(Self.quantum).rawValue
    for level in 0..<count {
      let isEndless = level == count - 1 && values.isOn(Self.endless)
      quanta.append(isEndless ? 0 : quantum)
      allotments.append(Self.product(quantum, values.integer(Self.allotment)))
      quantum = Self.product(quantum, values.integer(Self.growth))
    }
    (self.quanta, self.allotments) = (quanta, allotments)
    boostEvery = values.duration(Self.boost).rawValue
    remembersAll = values.isOn(Self.remembers)
  }

  /// A product that stays within the longest duration.
  private static func product(_ length: Int64, _ factor: Int64) -> Int64 {
    let (value, overflow) = length.multipliedReportingOverflow(by: factor)
    return overflow ? Nanoseconds.longest.rawValue : min(value, Nanoseconds.longest.rawValue)
  }

  /// Where a thread stands, with the boosts until now.
  private mutating func lookUp(_ thread: ThreadID, at now: Instant) -> Int {
    let index = Int(thread.index)
    demand(
      index >= 0 && index < threads.count,
      "\(name): thread \(index) is scheduled and was not admitted")
    let boost = boosts(until: now)
    if threads[index].boost < boost { threads[index] = Standing(boost: boost) }
    return index
  }

  /// How many boosts there have been.
  private func boosts(until now: Instant) -> Int64 {
    boostEvery == 0 ? 0 : now.nanoseconds / boostEvery
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(!ready.contains(thread), "\(name): thread \(thread.index) is ready, and admitted")
    while threads.count <= Int(thread.index) { threads.append(Standing()) }
    threads[Int(thread.index)] = Standing()
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    demand(ran >= .zero, "\(name): thread \(thread.index) ran for \(ran)")
    let before = Int(thread.index) < threads.count ? threads[Int(thread.index)].boost : 0
    let index = lookUp(thread, at: now)
    var time = ran.rawValue
    // What it had before a boost is forgotten.
    if threads[index].boost > before { time = min(time, now.nanoseconds % boostEvery) }
    threads[index].used += time
    if threads[index].used >= allotments[threads[index].level] {
      threads[index].level = min(threads[index].level + 1, quanta.count - 1)
      (threads[index].used, threads[index].left) = (0, 0)
    }
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    let index = lookUp(thread, at: now)
    var atFront = false
    threads[index].left = 0
    switch cause {
    case .started, .quantumExpired, .yielded: break
    case .woken:
      if !remembersAll { threads[index].used = 0 }
    case .preempted(let left):
      demand(
        left.map { $0 > .zero } ?? true,
        "\(name): thread \(index) was preempted at the end of its quantum")
      atFront = true
      threads[index].left = left?.rawValue ?? 0
    }
    ready.insert(thread, priority: Self.priority(threads[index].level), atFront: atFront)
  }

  /// The highest level has the highest priority.
  private static func priority(_ level: Int) -> Int { PriorityQueues.levels - 1 - level }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    return ready.popHighest()
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    let standing = threads[Int(thread.index)]
    let whole = quanta[standing.level]
    if whole == 0 { return nil }
    let turn = standing.left > 0 ? standing.left : whole
    let isLowest = standing.level == quanta.count - 1
    let rest = isLowest ? turn : min(turn, allotments[standing.level] - standing.used)
    demand(rest > 0, "\(name): thread \(thread.index) has no time left at level \(standing.level)")
    return Nanoseconds(rest)
  }

  package func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    guard let highest = ready.highest else { return nil }
    let best = PriorityQueues.levels - 1 - highest
    var (victim, lowest) = (-1, best)
    for core in 0..<running.count where running[core] != .none {
      let standing = threads[Int(running[core].index)]
      let level = standing.boost < boosts(until: now) ? 0 : standing.level
      if level > lowest { (victim, lowest) = (core, level) }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  package func nextTick(after now: Instant) -> Instant? {
    if boostEvery == 0 || ready.count == 0 { return nil }
    let (next, overflow) = ((boosts(until: now) + 1)).multipliedReportingOverflow(by: boostEvery)
    return overflow ? nil : Instant(next)
  }

  package mutating func tick(running: RunningThreads, at now: Instant) {
    for thread in ready.all {
      let index = lookUp(thread, at: now)
      ready.remove(thread)
      ready.insert(thread, priority: Self.priority(threads[index].level))
    }
  }

  // At the lowest level one turn is like the other, up to the first that ends behind a boost.
  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 {
    let standing = threads[Int(thread.index)]
    let turn = quanta[standing.level]
    if standing.level < quanta.count - 1 || standing.left > 0 || turn == 0 { return 1 }
    if boostEvery == 0 { return Int64.max }
    let left = boostEvery - now.nanoseconds % boostEvery
    return (left - 1) / turn + 1
  }
  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    demand(
      threads[Int(thread.index)].level == quanta.count - 1,
      "\(name): thread \(thread.index) has turns that are alike above the lowest level")
  }

  package func keepsCoreUntil(_ thread: ThreadID, at now: Instant) -> Instant? { nil }
  // Where a thread stands, and how long ago the last boost was.
  package func phase(of thread: ThreadID, at now: Instant) -> SIMD8<Int64>? {
    let standing = threads[Int(thread.index)]
    if boostEvery == 0 || standing.boost < boosts(until: now) { return nil }
    let sinceBoost = now.nanoseconds % boostEvery
    return [sinceBoost, Int64(standing.level), standing.used, standing.left, 0, 0, 0, 0]
  }
  package mutating func cyclesPassed(
    _ thread: ThreadID, for time: Nanoseconds, at now: Instant
  ) { threads[Int(thread.index)].boost = boosts(until: now) }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    let own = threads[Int(thread.index)]
    return [PolicyStanding(.level, own.boost < boosts(until: now) ? 0 : Int64(own.level))]
  }
}
