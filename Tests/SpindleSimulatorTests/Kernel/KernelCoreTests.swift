import SpindleModel
import Testing

@testable import SpindleSimulator

/// The kernel's verbs for cores, events and plans, each alone.
@Suite struct KernelCoreTests {
  private static let half = Speed(numerator: 1, denominator: 2)

  private static func roundRobin(_ milliseconds: Int64) -> Configuration {
    Configuration(
      name: "roundRobin", arguments: [.init(label: "quantum", value: milliseconds * 1_000_000)])
  }

  @Test func theFastestIdleCoreIsGivenOutFirst() {
    let bench = KernelBench(speeds: [Self.half, .one, Self.half])
    let threads = [bench.start(), bench.start(), bench.start(), bench.start()]
    #expect(bench.assign() == [1, 0, 2])
    #expect([1, 0, 2].map { bench.running($0) } == Array(threads.prefix(3)))
    #expect(bench.state(threads[3]) == .ready)
    #expect(bench.kernel.idleCount == 0 && bench.kernel.readyCount == 1)
  }

  @Test func whoComesBackGoesToItsLastCore() {
    let bench = KernelBench(speeds: [.one, .one])
    let (first, second) = (bench.start(), bench.start())
    #expect(bench.assign() == [0, 1])
    bench.kernel.block(first, .sleep)
    bench.kernel.block(second, .sleep)
    bench.kernel.wake(second, .granted, by: .none)
    #expect(bench.assign() == [1])
    #expect(bench.running(1) == second)
  }

  @Test func workTakesLongerOnASlowCore() {
    let bench = KernelBench(speeds: [Self.half])
    let thread = bench.start(work: 10)
    #expect(bench.assign() == [0])
    bench.kernel.beginBurst(on: CoreID(0), of: bench.kernel.threads.at(thread))
    #expect(bench.nextEvent() == 20)
    bench.advance(to: 20)
    let goesOn = bench.kernel.burstEnded(on: CoreID(0), of: bench.kernel.threads.at(thread))
    #expect(goesOn)
    #expect(bench.kernel.threads[thread].remaining == 0)
    #expect(bench.kernel.cores[0].busy == 20_000_000)
  }

  /// Of 12 ms, 7 are done when another takes the core.
  @Test func whoIsPreemptedKeepsTheRest() {
    let bench = KernelBench()
    let thread = bench.start(work: 12)
    #expect(bench.assign() == [0])
    bench.kernel.beginBurst(on: CoreID(0), of: bench.kernel.threads.at(thread))
    bench.advance(to: 7)
    bench.kernel.preempt(core: CoreID(0), .priority)
    #expect(bench.kernel.threads[thread].remaining == 5_000_000)
    #expect(bench.kernel.threads[thread].cpu == 7_000_000)
    #expect(bench.state(thread) == .ready)
    let entry = bench.log().last { $0.event == .threadPreempted }
    #expect(entry?.detail == PreemptionReason.priority.rawValue && entry?.value == 7_000_000)
  }

  @Test(arguments: [true, false])
  func aQuantumEndsForWhoIsNotAlone(isAlone: Bool) {
    let bench = KernelBench(policy: Self.roundRobin(10))
    let first = bench.start(work: 25)
    let other = isAlone ? .none : bench.start(work: 25)
    #expect(bench.assign() == [0])
    bench.kernel.beginBurst(on: CoreID(0), of: bench.kernel.threads.at(first))
    #expect(bench.nextEvent() == 10)
    bench.advance(to: 10)
    let goesOn = bench.kernel.burstEnded(on: CoreID(0), of: bench.kernel.threads.at(first))
    #expect(!goesOn)
    #expect(bench.running() == (isAlone ? first : .none))
    #expect(bench.assign() == (isAlone ? [] : [0]))
    #expect(bench.running() == (isAlone ? first : other))
  }

  /// What a thread has to pay for getting its core each time.
  @Test func switchesAndMigrationsCost() {
    let bench = KernelBench(
      speeds: [.one, .one], platform: .macOS, costs: Configuration(name: "apple"),
      policy: Configuration(name: "fifo"))
    let (a, b) = (bench.start(), bench.start())
    #expect(bench.assign() == [0, 1])
    let (change, move) = (bench.kernel.costs.contextSwitch, bench.kernel.costs.migration)
    #expect(change > .zero && move > .zero)
    #expect(bench.kernel.threads[b].overhead == change.rawValue)
    func owed(_ thread: ThreadID, _ bench: KernelBench) -> Int64 {
      bench.kernel.threads.writable[thread].overhead = 0
      bench.kernel.wake(thread, .granted, by: .none)
      _ = bench.assign()
      return bench.kernel.threads[thread].overhead
    }
    bench.kernel.block(b, .sleep)
    #expect(owed(b, bench) == 0, "the same thread on the same core")
    bench.kernel.block(a, .sleep)
    _ = bench.start()
    #expect(bench.assign() == [0], "where the first thread was")
    bench.kernel.block(b, .sleep)
    #expect(owed(a, bench) == change.rawValue + move.rawValue)
    bench.kernel.block(a, .sleep)
    #expect(owed(b, bench) == change.rawValue)
  }

  /// Who comes back warm pays less than who comes back cold, and within a cluster less than between two.
  @Test func coldCachesCost() {
    var costs = Configuration(name: "zero")
    costs.arguments = [
      .init(label: "migration", value: 1), .init(label: "clusterMigration", value: 100),
      .init(label: "coldCache", value: 10), .init(label: "cacheWarmth", value: 5_000_000),
    ]
    /// What a thread pays that leaves core 0 and comes back so many milliseconds later; meanwhile another
    /// one runs there, and stays or not.
    func owed(after time: Int64, other: Other, caches: [Int] = [0, 0]) -> Int64 {
      let bench = KernelBench(
        speeds: [.one, .one], costs: costs, policy: Configuration(name: "fifo"), caches: caches)
      let first = bench.start()
      _ = bench.assign()
      bench.kernel.block(first, .sleep)
      if other != .none {
        let second = bench.start()
        _ = bench.assign()
        if other == .leaves { bench.kernel.block(second, .sleep) }
      }
      bench.advance(to: time)
      bench.kernel.wake(first, .granted, by: .none)
      _ = bench.assign()
      return bench.kernel.threads[first].overhead
    }
    #expect(owed(after: 100, other: .none) == 0, "alone")
    #expect(owed(after: 4, other: .leaves) == 0, "back within the time")
    #expect(owed(after: 5, other: .leaves) == 10, "back when it is over")
    #expect(owed(after: 4, other: .stays) == 11, "another core")
    #expect(owed(after: 4, other: .stays, caches: [0, 1]) == 111, "another cluster")
  }

  private enum Other { case none, leaves, stays }

  // MARK: Events

  /// What becomes due in a class that has been handled waits for the next round of the instant.
  @Test func aPastClassMakesANewRound() {
    let bench = KernelBench()
    bench.kernel.presentPhase = DueKind.quantum.phase
    _ = bench.kernel.schedule(.arrival, index: 0, at: 0)
    #expect(bench.nextEvent() == nil)
    #expect(bench.kernel.nextRound.count == 1)
    _ = bench.kernel.schedule(.quantum, index: 0, at: 0)
    _ = bench.kernel.schedule(.arrival, index: 0, at: 1_000_000)
    #expect(bench.kernel.queue.count == 2)
  }

  @Test func ofOneInstantWorkTheWorldTimersAndDecisions() {
    let bench = KernelBench()
    let kinds: [DueKind] = [.quantum, .plan, .threadTimer, .arrival, .worldPlan, .core]
    for kind in kinds { _ = bench.kernel.schedule(kind, index: 0, at: 1) }
    var seen: [UInt8] = []
    while let event = bench.takeEvent() { seen.append(event.rawKind) }
    let expected: [DueKind] = [.core, .arrival, .worldPlan, .plan, .threadTimer, .quantum]
    #expect(seen == expected.map(\.rawValue))
  }

  @Test func aPlanIsTakenOnceOrTakenBack() {
    let bench = KernelBench()
    let first = bench.kernel.plan(.submitItem, 3, value: 4, at: 7_000_000)
    let second = bench.kernel.plan(.answer, 5, at: 8_000_000)
    #expect(first != second)
    bench.kernel.cancel(plan: first)
    let event = bench.takeEvent()
    #expect(event.map { bench.kernel.isOpen(plan: .init($0.index), for: $0.sequence) } == false)
    let third = bench.kernel.plan(.answer, 6, at: 9_000_000)
    #expect(third == first, "its number is free again")
    bench.kernel.presentPhase = 2
    let plan = bench.kernel.takePlan(second)
    #expect(plan.kind == .answer && plan.object == 5)
  }

  @Test func choresAreTakenInTheOrderOfTheirMoments() {
    let bench = KernelBench()
    bench.kernel.addChore(.monitorPools, 1, at: 2_000_000)
    let dropped = bench.kernel.addChore(.monitorPools, 2, at: 1_000_000)
    bench.kernel.addChore(.monitorPools, 3, at: 1_000_000)
    bench.kernel.addChore(.monitorPools, 4, at: 1_000_000)
    bench.kernel.cancel(chore: dropped)
    let early = bench.kernel.takeChore()
    #expect(early == nil)
    bench.advance(to: 2)
    var objects: [Int32] = []
    while let chore = bench.kernel.takeChore() { objects.append(chore.object) }
    #expect(objects == [3, 4, 1])
  }

  // MARK: Findings

  @Test func ofEachKindAHundredFindingsAreNoted() {
    let bench = KernelBench()
    for index in 0..<150 {
      bench.kernel.report(
        .deadlineMissed, thread: .none, places: [0, 1, 0, -1], "number \(words: "\(index)")")
    }
    bench.kernel.report(.starvation, thread: .none, places: [], "another kind")
    #expect(bench.kernel.findings.count == 101)
    #expect(bench.kernel.findings[0].places == [SourceRange(0, 1), SourceRange(2, 3)])
    let told = [Finding.Kind.starvation, .livelock].map { bench.kernel.hasTold($0) }
    #expect(told == [true, false])
    let toldAt = [Int32(0), 1, -1].map { bench.kernel.hasTold(.deadlineMissed, at: $0) }
    #expect(toldAt == [true, false, false], "only a finding's first place counts")
    #expect(bench.events().count == 101)
  }

  @Test(arguments: [(9_999, false), (10_000, true)])
  func whoIsReadyForTenSecondsStarves(milliseconds: Int64, isFound: Bool) {
    let bench = KernelBench()
    let first = bench.start()
    _ = bench.start()
    #expect(bench.assign() == [0])
    bench.advance(to: milliseconds)
    bench.kernel.block(first, .sleep)
    #expect(bench.assign() == [0])
    #expect(bench.kernel.findings.map(\.kind) == (isFound ? [.starvation] : []))
  }
}
