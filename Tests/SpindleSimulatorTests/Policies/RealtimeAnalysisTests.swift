import Testing

@testable import SpindleSimulator

/// What is found ahead of real-time threads, against the numbers of the papers and against a core that is gone
/// through unit by unit.
@Suite struct RealtimeAnalysisTests {
  static func task(_ computation: Int64, _ deadline: Int64, _ period: Int64) -> RealtimeLoad {
    RealtimeLoad(computation: computation, deadline: deadline, period: period)
  }

  /// Liu and Layland, 1973: 1, 0.828427, 0.779763, 0.756828, and towards ln 2 = 0.693147.
  @Test func boundsAreThoseOfThePaper() {
    #expect(
      [1, 2, 3, 4].map { RealtimeBounds.byPeriod($0) } == [1_000_000, 828_427, 779_763, 756_828])
    #expect(RealtimeBounds.byPeriod(10_000) == 693_171)
    #expect(RealtimeBounds.byDeadline(cores: 4, largest: 500_000) == 2_500_000)
    #expect(RealtimeBounds.byPeriod(cores: 2, largest: 500_000) == 1_000_000)
    #expect(RealtimeBounds.byPeriod(cores: 2, largest: 500_001) == nil)
  }

  /// Burns, Wellings: 3, 6 and 20; Lehoczky, 1990, with deadlines behind the next arrival: the fifth job of
  /// the second thread takes the longest, 118.
  @Test func responsesAreThoseOfThePapers() {
    let book = [Self.task(3, 7, 7), Self.task(3, 12, 12), Self.task(5, 20, 20)]
    #expect(book.indices.map { RealtimeAnalysis.response(of: $0, book, .period) } == [3, 6, 20])
    let late = [Self.task(26, 70, 70), Self.task(62, 118, 100)]
    #expect(late.indices.map { RealtimeAnalysis.response(of: $0, late, .period) } == [26, 118])
    #expect(RealtimeAnalysis.fits(late, .period) == true)
    let over = [Self.task(2, 4, 4), Self.task(3, 5, 5)]
    #expect(RealtimeAnalysis.response(of: 1, over, .period) == Int64.max)
  }

  /// A job of the first thread that is released 2 late stands right before the next one, so the second is held up
  /// by two of them.
  @Test func jitterDelaysOthers() {
    var tasks = [Self.task(2, 5, 5), Self.task(3, 20, 20)]
    #expect(RealtimeAnalysis.response(of: 1, tasks, .period) == 5)
    tasks[0].jitter = 1
    #expect(RealtimeAnalysis.response(of: 1, tasks, .period) == 7)
    #expect(RealtimeAnalysis.response(of: 0, tasks, .period) == 3)
  }

  @Test func whatCannotBeHeldIsNotKnown() {
    let primes: [Int64] = [9_999_991, 9_999_973, 9_999_971, 9_999_943, 9_999_937, 9_999_931]
    let tasks = primes.map { Self.task(1, $0, $0) }
    #expect(RealtimeAnalysis.utilization(tasks) == nil)
    #expect(RealtimeAnalysis.fits(tasks, .deadline) == nil)
    #expect(RealtimeAnalysis.fits([Self.task(1, Int64.max, Int64.max)], .period) == true)
  }

  /// Small sets of threads, the same in each run.
  private static func sets() -> [[RealtimeLoad]] {
    var state: UInt64 = 7
    func below(_ bound: UInt64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((state >> 33) % bound)
    }
    return (0..<400).map { _ in
      (0...below(3)).map { _ in
        let period = [2, 3, 4, 6, 8, 12][Int(below(6))] as Int64
        let computation = 1 + below(UInt64(max(1, period / 2)))
        return Self.task(computation, computation + below(UInt64(period)), period)
      }
    }
  }

  /// What becomes of threads that all come at once, unit by unit, for two rounds of all their periods; nil
  /// where they ask for more than the core has.
  private static func responses(
    _ tasks: [RealtimeLoad], _ rank: (RealtimeLoad, _ arrival: Int64) -> Int64
  ) -> [Int64]? {
    if tasks.reduce(0, { $0 + 24 / $1.period * $1.computation }) > 24 { return nil }
    var jobs: [(task: Int, arrival: Int64, left: Int64)] = []
    var longest = [Int64](repeating: 0, count: tasks.count)
    for time in 0..<Int64(72) {
      for (index, task) in tasks.enumerated() where time % task.period == 0 && time < 48 {
        jobs.append((index, time, task.computation))
      }
      // Equals in the order of their threads, turned round: the last is held up by all.
      let next = jobs.indices.min {
        let (a, b) = (jobs[$0], jobs[$1])
        let (left, right) = (rank(tasks[a.task], a.arrival), rank(tasks[b.task], b.arrival))
        return left != right ? left < right : (a.task, a.arrival) < (b.task, b.arrival)
      }
      guard let next else { continue }
      jobs[next].left -= 1
      if jobs[next].left == 0 {
        let job = jobs.remove(at: next)
        longest[job.task] = max(longest[job.task], time + 1 - job.arrival)
      }
    }
    return longest
  }

  /// With fixed priorities the longest response is that of threads that come at once.
  @Test func responsesAreWhatACoreShows() throws {
    var (checked, unequal) = (0, 0)
    for tasks in Self.sets() {
      guard let seen = Self.responses(tasks, { task, _ in task.period }) else { continue }
      for index in tasks.indices {
        let bound = try #require(RealtimeAnalysis.response(of: index, tasks, .period))
        let isAlone = tasks.indices.allSatisfy {
          $0 == index || tasks[$0].period != tasks[index].period
        }
        #expect(isAlone ? seen[index] == bound : seen[index] <= bound, "\(tasks)")
        checked += 1
        unequal += isAlone ? 0 : 1
      }
    }
    #expect(checked > 300 && unequal > 30 && checked - unequal > 100)
  }

  /// All meet their deadlines by the processor demand just when they do on a core.
  @Test func demandIsWhatACoreShows() {
    var counts = [0, 0]
    for tasks in Self.sets() {
      guard let seen = Self.responses(tasks, { task, arrival in arrival + task.deadline }) else {
        #expect(RealtimeAnalysis.meetsDemand(tasks) == false)
        continue
      }
      let isInTime = tasks.indices.allSatisfy { seen[$0] <= tasks[$0].deadline }
      #expect(RealtimeAnalysis.meetsDemand(tasks) == isInTime, "\(tasks)")
      counts[isInTime ? 0 : 1] += 1
    }
    #expect(counts.allSatisfy { $0 > 40 }, "\(counts)")
  }
}
