import SpindleLanguage
import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

/// Instructions that do several at once are there, and do just what those would.
@Suite struct JoiningTests {
  /// What busy programs do: items in a loop and from outside, draws and work.
  static let text = """
    trace "joined" { seed: 7; until: 1s }
    machine { platform: .ideal; cores: 2; costs: .zero; policy: .fifo }
    let pool = ThreadPool(width: 2)
    main {
        for i in 0 ..< 5 { pool.async(name: "fixed") { work(2ms) } }
        for i in 0 ..< 3 { work(exponential(1ms)); io(exponential(1ms)) }
        pool.async { work(exponential(3ms)); work(1ms) }
    }
    arrivals(every: exponential(2ms), count: 6) { _ in pool.async(name: "job") { work(1ms) } }
    arrivals(every: 3ms, count: 4) { i in pool.async(name: "job") { work(1ms * i) } }
    """

  @Test func areThere() throws {
    let program = try #require(TestRun(Self.text).program)
    var found: Set<String> = []
    for instruction in program.instructions {
      switch instruction {
      case .workConstant: found.insert("work")
      case .drawConstant: found.insert("draw")
      case .nextRound: found.insert("round")
      case .submit: found.insert("submit")
      default: break
      }
    }
    #expect(found == ["work", "draw", "round", "submit"])
  }

  /// However many steps there are, the run ends at the same one.
  @Test(arguments: 1...180)
  func countTheirSteps(steps: Int64) {
    var limits = RunLimits()
    limits.steps = steps
    let joined = TestRun(Self.text, limits: limits)
    let single = TestRun(Self.text, limits: limits, joined: false)
    #expect(joined.messages == [])
    #expect(joined.log == single.log)
    #expect(joined.record?.steps == single.record?.steps)
    #expect(joined.record?.makespan == single.record?.makespan)
  }

  /// Whoever looks ahead takes as many steps for an instruction as it stands for, so that it gives up at the same one.
  @Test(arguments: [900, 4_000, 9_000, 150_000]) func lookingAheadTakesAsManySteps(steps: Int64) {
    let text = """
      machine { platform: .ideal; cores: 1; policy: .shortestRemainingTime; costs: .linux }
      let pool = ThreadPool(width: 2)
      arrivals(every: 10us, count: 200) { pool.async { } }
      main { for _ in 0 ..< 200 { pool.async { } } }
      """
    var limits = RunLimits()
    limits.steps = steps
    let (joined, single) = (
      TestRun(text, limits: limits), TestRun(text, limits: limits, joined: false)
    )
    #expect(joined.record?.steps == single.record?.steps)
    #expect(joined.digest == single.digest)
  }

  /// The run ends at the same step when the system has no thread left for an item.
  @Test(arguments: [
    "arrivals(every: 1ms, count: 5) { _ in each.async(name: \"job\") { io(1s) } }",
    "at(1ms) { for i in 0 ..< 5 { each.async { io(1s) } } }",
  ])
  func endWithoutThreads(submission: String) {
    let text = """
      machine { platform: .ideal; cores: 1; costs: .zero; threadLimit: 3 }
      let each = ThreadPerTask()
      main { }
      \(submission)
      """
    let joined = TestRun(text)
    let single = TestRun(text, joined: false)
    #expect(joined.messages == [])
    #expect(joined.record?.outcome.kind == .crashed)
    #expect(joined.log == single.log)
    #expect(joined.record?.steps == single.record?.steps)
  }

  /// An executor that is not one of the simulator's own takes items the long way.
  @Test(arguments: [
    "DispatchQueue(label: \"q\", attributes: .concurrent)", "OperationQueue()",
    "ThreadPerTask()", "ThreadPool(width: 3)",
  ])
  func workOnAnyExecutor(_ executor: String) {
    for costs in ["zero", "linux"] {
      var overrides = Overrides()
      overrides.costs = costs
      overrides.replacements = [Overrides.Assignment(name: "pool", value: executor)]
      let joined = TestRun(Self.text, overrides: overrides)
      let single = TestRun(Self.text, overrides: overrides, joined: false)
      #expect(joined.messages == [])
      #expect(joined.log == single.log)
      #expect(joined.record?.steps == single.record?.steps)
    }
  }
}
