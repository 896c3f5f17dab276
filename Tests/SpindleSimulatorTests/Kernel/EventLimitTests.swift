import SpindleModel
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
