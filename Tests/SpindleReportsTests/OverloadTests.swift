import SpindleModel
import TestSupport
import Testing

@testable import SpindleReports

/// Work that arrives faster than it is served is told, with the rate that can be sustained.
struct OverloadTests {
  private static func arrivals(_ every: String, count: Int, width: Int, seed: Int = 1)
    -> ArrivalMetrics?
  {
    let run = TestRun(
      """
      trace "Arrivals" { seed: \(seed) }
      machine { platform: .ideal; cores: 8; costs: .zero }
      let pool = ThreadPool(width: \(width))
      main { }
      arrivals(every: \(every), count: \(count)) { i in pool.async(name: "r\\(i)") { work(4ms) } }
      """)
    #expect(run.messages == [])
    return run.metrics?.kinds.first?.arrivals
  }

  /// One server takes 4 ms for each, so that it serves 250 in a second; two serve 500.
  @Test(arguments: [(1, "2500us", 400, 250), (2, "1ms", 1_000, 500), (4, "500us", 2_000, 1_000)])
  func tooManyArrive(width: Int, every: String, rate: Int, served: Int) throws {
    let count = 2_000
    let found = try #require(Self.arrivals(every, count: count, width: width))
    #expect(found.isOverload)
    #expect(Int(found.rate.rounded()) == rate)
    // Those that run at the last arrival are not served yet, in less than five seconds.
    #expect(abs(found.servedRate - Double(served)) < Double(width) + 1)
    // What waits at the end is what came in excess.
    let excess = Double(count * (rate - served)) / Double(rate)
    #expect(abs(Double(found.waiting) - excess) < Double(width) + 2)
  }

  /// Before the overload there was less than could be served: that time does not count.
  @Test func onlyTheTimeOfTheOverloadCounts() throws {
    let found = try #require(
      Self.arrivals("now < 1s ? 10ms : 2500us", count: 500, width: 1))
    #expect(found.isOverload)
    #expect(abs(found.rate - 400) < 2)
    #expect(abs(found.servedRate - 250) < 2)
  }

  /// At nine tenths of what can be served, many wait at times, and no more with time.
  @Test(arguments: 1...12)
  func aStableQueueIsNoOverload(seed: Int) throws {
    let random = try #require(
      Self.arrivals("exponential(4444us)", count: 4_000, width: 1, seed: seed))
    #expect(!random.isOverload, "\(random)")
  }

  @Test func whatIsServedInTimeIsNoOverload() throws {
    #expect(try #require(Self.arrivals("4ms", count: 1_000, width: 1)).isOverload == false)
    // A burst of few tells nothing.
    #expect(try #require(Self.arrivals("1us", count: 40, width: 1)).isOverload == false)
    #expect(Self.arrivals("1us", count: 1, width: 1) == nil)
  }

  /// Taps hand their work on to a pool: one server takes 4 ms for each, and 400 in a second come.
  @Test func workThatIsHandedOnIsALoad() throws {
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 4; costs: .zero }
      let pool = ThreadPool(width: 1)
      main { RunLoop.main.run() }
      arrivals(every: 2500us, count: 1000) { i in
        DispatchQueue.main.async(name: "tap\\(i)") { pool.async(name: "r\\(i)") { work(4ms) } }
      }
      """)
    let finding = try #require(run.record?.findings.first)
    #expect(run.record?.findings.count == 1)
    #expect(
      finding.explanation == "'r*' is handed on at 400/s and is served at 250/s by 'pool': "
        + "no more than 250/s can be sustained, and 375 wait at the last arrival")
    // The same where the log of the run is read.
    let metrics = Metrics()
    try LogReader(Array(run.log.utf8)).replay(to: [metrics])
    #expect(metrics.result.findings.map(\.explanation) == [finding.explanation])
  }

  /// Ten taps a second hand 40 items of 4 ms each on to two servers, which are done in time for the next ones.
  @Test func whatOneItemHandsOnComesAtOnce() {
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 4; costs: .zero }
      let pool = ThreadPool(width: 2)
      main { RunLoop.main.run() }
      arrivals(every: 100ms, count: 80) { i in
        DispatchQueue.main.async(name: "tap\\(i)") {
          for k in 0 ..< 40 { pool.async(name: "part \\(k)") { work(4ms) } }
        }
      }
      """)
    #expect(run.record?.findings == [])
    let parts = run.metrics?.kinds.first { $0.pattern == "part *" }?.arrivals
    #expect(parts?.count == 3_200 && parts?.samples == 80 && parts?.isHandedOn == true)
  }

  /// A task that waits leaves its thread and continues: what it hands on then is its own.
  @Test func workBehindAnAwaitIsHandedOn() throws {
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 4; costs: .zero }
      let pool = ThreadPool(width: 1)
      main { }
      arrivals(every: 10ms, count: 100) { i in
        Task(name: "request \\(i)") { await io(1ms); pool.async(name: "reply \\(i)") { work(12ms) } }
      }
      """)
    let finding = try #require(run.record?.findings.first)
    #expect(run.record?.findings.count == 1)
    #expect(
      finding.explanation == "'reply *' is handed on at 100/s and is served at 83/s by 'pool': "
        + "no more than 83/s can be sustained, and 17 wait at the last arrival")
  }

  /// Two cores serve 500 tasks of 4 ms each in a second, though most are half done when the last one arrives.
  @Test func whatIsHalfDoneIsServed() throws {
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 2; costs: .zero }
      main { }
      arrivals(every: 1ms, count: 1000) { i in
        Task.detached(name: "r\\(i)") { work(2ms); await io(5ms); work(2ms) }
      }
      """)
    let found = try #require(run.metrics?.kinds.first?.arrivals)
    #expect(found.isOverload && abs(found.servedRate - 500) < 10, "\(found.servedRate)")
  }

  /// What has begun waits for a lock or an actor, which serve 250 in a second of 3 to 4 ms each, of 400 that come.
  @Test(arguments: [
    "let lock = NSLock(); let pool = ThreadPerTask()|pool.async(name: \"r\\(i)\") { lock.lock(); work(4ms); lock.unlock() }|lock 'lock'",
    "actor A { func serve() { work(4ms) } }; let a = A()|Task.detached(name: \"r\\(i)\") { await a.serve() }|actor 'a'",
  ])
  func whatWaitsForALockIsAnOverload(program: String) throws {
    let parts = program.split(separator: "|")
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 4; costs: .zero }
      \(parts[0])
      main { }
      arrivals(every: 2500us, count: 1000) { i in \(parts[1]) }
      """)
    #expect(run.messages == [])
    let found = try #require(run.metrics?.kinds.first?.arrivals)
    #expect(
      found.isOverload && found.bottleneck != nil && abs(found.servedRate - 250) < 2, "\(found)")
    let finding = try #require(run.record?.findings.first { $0.kind == .overload })
    #expect(finding.explanation.contains("is served at 250/s by \(parts[2]): no more than"))
    #expect(finding.explanation.hasSuffix(" are under way at the last arrival"))
  }

  /// Downloads that take 5 s each are all under way after 2 s, and none waits for another one: also where every second
  /// one is there at once, and where their lengths are random.
  @Test(arguments: ["5s", "i % 2 == 0 ? 0s : 5s", "exponential(3s)", "i < 100 ? 10ms : 2s"])
  func whatTakesLongIsNoOverload(length: String) throws {
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 4; costs: .zero }
      main { }
      arrivals(every: 10ms, count: 200) { i in Task.detached(name: "r\\(i)") { await io(\(length)) } }
      """)
    #expect(run.messages == [])
    #expect(try #require(run.metrics?.kinds.first?.arrivals).isOverload == false)
  }

  /// A hundred taps a second run for 3 ms on the core of speed 1, and a hundred exports of 2 ms for 4 ms on that of 0.5.
  @Test func eachKindOfCoreHasItsLoad() throws {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: [.performance(1), .efficiency(2, speed: 0.5)]; costs: .zero }
      main { }
      every(10ms, count: 100) { i in
        DispatchQueue.main.async(name: "tap\\(i)") { work(3ms) }
        Task.detached(name: "export\\(i)", priority: .utility) { work(1ms); await io(2ms); work(1ms) }
      }
      """)
    let loads = try #require(run.metrics?.coreLoads)
    #expect(loads.map(\.cores) == [1, 2])
    #expect(abs(loads[0].offered - 0.3) < 0.001 && abs(loads[1].offered - 0.4) < 0.001, "\(loads)")
    #expect(
      run.metrics.map { PoolLoad.lines($0) }?.last
        == "performance: 0.3 of 1 core on average, efficiency at speed 0.5: 0.4 of 2")
    #expect(Self.arrivals("4ms", count: 100, width: 1)?.isOverload == false)
  }

  /// What the program submits itself is a batch, and no load from outside.
  @Test func aBatchIsNoLoad() {
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 2; costs: .zero }
      let pool = ThreadPool(width: 1)
      main { for i in 0 ..< 500 { pool.async(name: "r\\(i)") { work(4ms) }; work(1us) } }
      """)
    #expect(run.metrics?.kinds.first?.arrivals == nil)
    #expect(run.record?.findings == [])
    #expect(run.metrics.map { PoolLoad.lines($0) } == [])
  }

  @Test func theFindingTellsTheRates() throws {
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 2; costs: .zero }
      let pool = ThreadPool(width: 1)
      main { }
      arrivals(every: 2500us, count: 1000) { i in pool.async(name: "r\\(i)") { work(4ms) } }
      """)
    // In 2,497.5 ms 624 are served, one runs, and 375 wait.
    let finding = try #require(run.record?.findings.first)
    #expect(run.record?.findings.count == 1 && finding.kind == .overload)
    #expect(
      finding.explanation == "'r*' arrives at 400/s and is served at 250/s by 'pool': "
        + "no more than 250/s can be sustained, and 375 wait at the last arrival")
    #expect(finding.time == .start + .milliseconds(2_500))
    #expect(finding.places.map { run.program?.source.position(of: $0) } == ["4:45"])
    // 400 in a second, each of which has a thread for 4 ms.
    #expect(
      run.metrics.map { PoolLoad.lines($0) } == [
        "pool: 1.6 threads on average for r* (400/s of 4ms); at most 1 ran at once"
      ])
  }

  /// No digest depends on what is found in the numbers.
  @Test func theLogDoesNotHaveIt() {
    let text = """
      machine { platform: .ideal; cores: 2; costs: .zero }
      let pool = ThreadPool(width: 1)
      main { }
      arrivals(every: 2500us, count: 100) { i in pool.async(name: "r\\(i)") { work(4ms) } }
      """
    let run = TestRun(text)
    #expect(run.record?.findings.map(\.kind) == [.overload])
    #expect(!run.log.contains("overload"))
  }

  @Test(arguments: [
    (400.0, "400/s"), (9.96, "10/s"), (9.9, "9.9/s"), (0.95, "1/s"), (2.5, "2.5/s"),
    (0.2, "12/min"),
  ])
  func ratesHaveTwoDigits(perSecond: Double, text: String) {
    let rate = FixedDecimal(billionths: Int64(perSecond * 1e9))
    #expect(Finding.Amount.Value.rate(rate).text == text)
  }
}
