import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// Rules that were once wrong, each as the smallest trace that shows it.
@Suite struct ReviewedRulesTests {
  @Test func joinersOfAThreadThatWasCancelledBeforeItsStartGoOn() {
    let run = TestRun(
      """
      machine { platform: .linux; costs: .zero }
      let a = Thread(name: "a") { }
      main {
          Thread.detachNewThread(name: "j") { a.join(); mark("joined") }
          sleep(1ms)
          a.cancel()
          a.start()
      }
      expect { timeline == [1ms: "joined"] }
      """)
    #expect(run.messages == [])
    #expect(!run.verdicts.contains { !$0.holds })
  }

  @Test func aPolicysTickIsHousekeeping() {
    // The third thread waits for ever from 2 ms on; nothing else is left to happen.
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let never = DispatchSemaphore(value: 0)
      main {
          for i in 0 ..< 3 { Thread.detachNewThread { work(1ms); if i == 2 { never.wait() } } }
      }
      """)
    #expect(run.record?.outcome.kind == .deadlock)
    #expect(run.record?.end.nanoseconds == 2_000_000)
  }

  @Test func aLivelockAtTimeZeroIsNamedWithItsPlace() {
    var limits = RunLimits()
    limits.steps = 10_000
    let run = TestRun(
      """
      machine { platform: .linux; costs: .zero }
      main { while true { } }
      """, limits: limits)
    #expect(run.record?.outcome.kind == .stepLimit)
    #expect(run.record?.findings.map(\.kind) == [.livelock])
    #expect(run.record?.findings.first?.places.isEmpty == false)
  }

  /// The run ends in the midst of an item's beginning, while another thread waits for its queue.
  @Test func aCrashAtTheBeginOfAnItemIsTold() {
    let run = TestRun(
      """
      machine { platform: .linux; cores: 2; costs: .zero }
      main {
          let queue = DispatchQueue(label: "queue")
          let item = DispatchWorkItem { }
          item.perform()
          queue.async(execute: item)
          item.wait()
          queue.sync { }
      }
      """)
    #expect(run.record?.outcome.kind == .crashed)
    #expect(run.record?.outcome.message.hasPrefix("BUG IN CLIENT OF LIBDISPATCH") == true)
  }

  @Test func theFastestIdleCoreComesFirst() {
    let run = TestRun(
      """
      machine {
          platform: .ideal
          cores: [.efficiency(2, speed: 0.5), .performance(1)]
      }
      main { work(10ms) }
      """)
    #expect(run.record?.makespan.nanoseconds == 10_000_000)
  }

  @Test func workThatAStatedEndCutsOffCounts() {
    let run = TestRun(
      """
      trace "cut" { until: 5ms }
      machine { platform: .ideal; cores: 2 }
      main { work(1s) }
      """)
    #expect(run.record?.makespan.nanoseconds == 5_000_000)
    #expect(run.record?.cores.map(\.busy.rawValue) == [5_000_000, 0])
    #expect(run.metrics?.utilization.hundredths == 5_000)
  }

  @Test func aThreadThatWakesTakesTheCoreFromAnEqualPastItsFirstTurn() {
    // The hog goes on at 20 ms since nobody waits, so at 25 ms it loses the tie.
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 1; costs: .zero; policy: .timeshare }
      main {
          Thread.detachNewThread(name: "hog") { work(100ms) }
          Thread.detachNewThread(name: "u") { sleep(15ms); mark("u"); work(1ms) }
      }
      expect { timeline == [25ms: "u"] }
      """)
    #expect(!run.verdicts.contains { !$0.holds })
  }

  @Test(arguments: [("[\"A\", \"B\"]", true), ("[\"B\", \"A\"]", false), ("[]", false)])
  func anArrayAtTheTopIsComparedWithAList(list: String, holds: Bool) {
    let run = TestRun(
      """
      var order: [String] = []
      main {
          order.append("A")
          order.append("B")
      }
      expect { value(order) == \(list) }
      """)
    #expect(run.messages == [])
    #expect(!run.verdicts.contains { !$0.holds } == holds)
  }

  @Test(arguments: [
    ("var s = \"a\"", "s = s + s"), ("var a = [1]", "a.append(1)"),
  ])
  func aTraceCannotTakeAllMemory(declaration: String, statement: String) {
    var limits = RunLimits()
    limits.storage = .megabytes(1)
    let run = TestRun("\(declaration)\nmain { while true { \(statement) } }", limits: limits)
    #expect(run.messages == [])
    #expect(run.record?.outcome.kind == .crashed)
    #expect(
      run.record?.outcome.message.hasPrefix("Fatal error: a simulated program holds at most 1MB")
        == true)
  }
}
