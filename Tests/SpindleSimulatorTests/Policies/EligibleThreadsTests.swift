import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleSimulator

/// `eevdf` and the rest of Linux's scheduler.
@Suite struct EligibleThreadsTests {
  /// Stoica, Abdel-Wahab, theorem 1: while all compute, nobody is further from its share than one request.
  @Test(arguments: [
    [1_024, 1_024, 1_024], [1_024, 335], [9_548, 1_024, 110, 15], [820, 1_277, 1_024],
  ])
  func nobodyIsFurtherFromItsShareThanARequest(weights: [Int64]) {
    let slice: Int64 = 3_000_000
    var threads = EligibleThreads(slice: slice)
    for (thread, weight) in weights.enumerated() {
      threads.admit(ThreadID(thread), weight: weight)
      threads.enqueue(ThreadID(thread), .started)
    }
    var served = [Int64](repeating: 0, count: weights.count)
    var now: Int64 = 0
    let load = weights.reduce(0, +)
    for _ in 0..<4_000 {
      guard let thread = threads.popBest(at: now) else {
        Issue.record("nobody is given out at \(now)")
        return
      }
      let turn = threads.rest(of: thread)
      #expect(turn > 0 && turn <= slice + 1)
      now += turn
      served[Int(thread.index)] += turn
      threads.settle(now)
      threads.leaves(thread)
      threads.enqueue(thread, .quantumExpired)
      for (index, weight) in weights.enumerated() {
        let share = Int64(Int128(now) * Int128(weight) / Int128(load))
        #expect(abs(share - served[index]) <= slice + 4_000, "thread \(index) at \(now)")
      }
    }
  }

  /// A nice value decides the share, wherever the thread runs; one that no scheduler knows is moved to the next.
  @Test func niceValuesAreShares() {
    for policy in ["eevdf", "fairShare"] {
      let run = TestRun(
        """
        trace "Nice" { until: 10s }
        machine { platform: .ideal; cores: 1; policy: .\(policy) }
        let a = Thread(name: "a") { work(1h) }
        let b = Thread(name: "b") { Thread.current.niceValue = 50; work(1h) }
        var seen = 0
        main { a.niceValue = 15; a.start(); b.start(); sleep(1s); seen = b.niceValue }
        // 36 and 15 of 51 parts, but for a slice.
        expect {
            value(seen) == 19
            cpu(of: b) >= 2935ms
            cpu(of: b) <= 2948ms
        }
        """)
      #expect(run.verdicts.allSatisfy { $0.holds }, "\(run.messages)")
    }
  }

  @Test func aClassHasItsPriorities() {
    for (call, ending) in [
      (".fifo, priority: 0", "'fifo' has no priority 0"),
      (".roundRobin, priority: 100", "'roundRobin' has no priority 100"),
      (".other, priority: 1", "'other' has no priority 1"),
    ] {
      let run = TestRun("main { Thread.current.setScheduling(\(call)) }")
      let message = run.record?.outcome.message ?? ""
      #expect(message.contains(ending), "\(run.messages)")
    }
  }
}
