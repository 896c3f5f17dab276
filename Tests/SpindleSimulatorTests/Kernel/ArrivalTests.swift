import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// An interval that is computed without a frame is the one that its block would give.
@Suite struct ArrivalTests {
  private static func text(every interval: String) -> String {
    """
    trace "Arrivals" { seed: 3; until: 2s }
    machine { platform: .ideal; cores: 2 }
    let pool = ThreadPool(width: 2)
    let mean = 3ms
    main { }
    arrivals(every: \(interval), count: 300) { i in pool.async { work(exponential(mean)) } }
    every(100ms) { mark("tick") }
    """
  }

  /// A `let` is read by an instruction of its own, so the second form is run as a block.
  @Test(arguments: [("exponential(3ms)", "exponential(mean)"), ("3ms", "mean")])
  func bothFormsGiveTheSameRun(direct: String, run: String) {
    let first = TestRun(Self.text(every: direct))
    let second = TestRun(Self.text(every: run))
    #expect(first.messages == [] && second.messages == [])
    #expect(first.record?.outcome.kind == .finished)
    #expect(first.log == second.log)
    #expect(first.digest == second.digest)
    #expect(first.record?.steps == second.record?.steps)
  }

  /// 300 constant intervals of 3 ms end at 900 ms.
  @Test func aConstantIntervalIsKept() {
    let run = TestRun(Self.text(every: "3ms"))
    let arrivals = run.log.split(separator: "\n").filter { $0.contains("submits") }
    #expect(arrivals.count == 300)
    #expect(arrivals.last?.contains("900ms") == true)
  }
}
