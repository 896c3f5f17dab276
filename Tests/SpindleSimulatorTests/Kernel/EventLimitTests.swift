import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleSimulator

/// What an event's key has no room for is noticed, and does not run into its other parts.
@Suite struct EventLimitTests {
  static let kinds = DueKind.allCases

  @Test func everyKindHasItsPlace() {
    ScheduledEvent.checkLayout()
    #expect(Set(Self.kinds.map(\.rawValue)).count == Self.kinds.count)
  }

  /// The parts of a key, at the ends of what there is room for.
  @Test(arguments: kinds, [false, true])
  func partsStayApart(kind: DueKind, isLast: Bool) {
    let indices: [Int32] = [0, 1, 1 << 23 - 1]
    for index in indices {
      let sequence: UInt64 = isLast ? 1 << 36 - 1 : 1
      let event = ScheduledEvent(time: 7, kind: kind, index: index, sequence: sequence)
      #expect(event.rawKind == kind.rawValue)
      #expect(event.phase == kind.phase)
      #expect(event.index == index)
      #expect(event.sequence == sequence)
    }
  }

  @Test func tooManyEventsAreNoticed() async {
    SmallKernel.with {
      $0.sequence = ScheduledEvent.sequenceEnd - 2
      _ = $0.schedule(.plan, index: 0, at: 5)
      #expect($0.queue.pop()?.sequence == ScheduledEvent.sequenceEnd - 1)
    }
    await #expect(processExitsWith: .failure) {
      SmallKernel.with {
        $0.sequence = ScheduledEvent.sequenceEnd - 1
        _ = $0.schedule(.plan, index: 0, at: 5)
        _ = $0.queue.pop()
      }
    }
  }

  /// A run whose counter of events is jumped: nothing of it changes, up to the last number, where it ends in order.
  @Test func aRunEndsWithTheNumbersOfEvents() throws {
    // Few events and many steps, since looks come after so many steps.
    let text = """
      machine { platform: .ideal; cores: 2 }
      main {
          Thread.detachNewThread { while true { work(1us) } }
          while true {
              for i in 0 ..< 2000 { }
              sleep(1us)
          }
      }
      """
    let program = try #require(TestRun(text, limits: RunLimits(stepLimit: 10)).program)
    func run(from sequence: UInt64, for horizon: Int64) -> (RunRecord, String) {
      var limits = RunLimits(stepLimit: .max)
      limits.horizon = Instant(horizon)
      var simulation = Simulation(program, limits: limits)
      simulation.eventsBefore = sequence
      let digest = LogDigest()
      let record = simulation.run(consumers: [digest])
      return (record, digest.text)
    }
    let (first, digest) = run(from: 0, for: 500_000)
    #expect(first.outcome.kind == .timeLimit && first.schedulingEvents > 900)
    let (late, lateDigest) = run(from: ScheduledEvent.lastLook - 100_000, for: 500_000)
    #expect(late.end == first.end && late.steps == first.steps && lateDigest == digest)
    let (last, _) = run(from: ScheduledEvent.lastLook - 1_000, for: .max / 2)
    #expect(last.outcome.kind == .stepLimit)
    #expect(last.steps < 3 * Process.mostStepsBetweenLooks)
  }

  @Test func tooManyArrivalsCrashTheProgram() {
    SmallKernel.with {
      let last = ScheduledEvent.maximumIndex - 1
      #expect($0.schedule(.arrival, index: last, at: 5) != 0)
      #expect(!$0.storage.isExceeded && $0.queue.count == 1)
      #expect($0.schedule(.arrival, index: last + 1, at: 5) == 0)
      #expect($0.queue.count == 1)
      #expect($0.storage.isExceeded)
      #expect(
        $0.storage.complaint
          == "a simulated program has at most 4194304 things that the world outside does")
    }
  }

  @Test func aPastMomentIsNoticed() async {
    await #expect(processExitsWith: .failure) {
      SmallKernel.with {
        $0.advance(to: 2)
        $0.advance(to: 1)
      }
    }
  }
}

extension RunLimits {
  /// The standard limits but for the number of steps.
  fileprivate init(stepLimit: Int64) {
    self.init()
    steps = stepLimit
  }
}
