import SpindleModel
import Testing

@testable import SpindleSimulator

/// Tables that are emptied for one run after another give what a dictionary gives.
@Suite struct RunTableTests {
  @Test func countsOfSteps() {
    var draws = Draws(seed: 1)
    var table = StepTable()
    for _ in 0..<50 {
      var expected: [StepKey: Int32] = [:]
      for _ in 0..<draws.next(400) {
        let key = StepKey(
          actor: Int32(draws.next(20)) - 1,
          verb: StepVerb.allCases[draws.next(StepVerb.allCases.count)],
          object: Int32(draws.next(20)))
        #expect(table[key] == expected[key, default: 0])
        table[key] += 1
        expected[key, default: 0] += 1
      }
      table.removeAll()
    }
  }

  @Test func whatIsKnownAtObjects() {
    var draws = Draws(seed: 2)
    var table = SyncTable()
    for _ in 0..<50 {
      var expected: [SyncObject: VectorClock] = [:]
      for _ in 0..<draws.next(400) {
        let object = SyncObject(
          kind: draws.next(2) == 0 ? .lock : .item, number: Int32(draws.next(60)) - 1)
        #expect(Self.times(table[object]) == Self.times(expected[object]))
        var clock = VectorClock()
        clock[Int32(draws.next(4))] = Int32(draws.next(100)) + 1
        switch draws.next(4) {
        case 0: (table[object], expected[object]) = (clock, clock)
        case 1: (table[object], expected[object]) = (nil, nil)
        case 2:
          let taken = table.take(object)
          #expect(Self.times(taken) == Self.times(expected.removeValue(forKey: object)))
        default:
          table.join(clock, at: object)
          expected[object, default: VectorClock()].join(clock)
        }
      }
      table.removeAll()
    }
  }

  private static func times(_ clock: VectorClock?) -> [Int32]? {
    clock.map { clock in (0..<4).map { clock[$0] } }
  }
}
