import Testing

@testable import SpindleSimulator

/// Clocks that share their lists say what plain ones say, whatever is done to them in whatever order.
@Suite struct VectorClockTests {
  @Test(arguments: 1...40) func agreesWithTable(seed: UInt64) {
    var draws: UInt64 = seed << 32
    func draw(below limit: Int) -> Int {
      draws += 1
      return Int(RandomStreams.mix(draws) % UInt64(limit))
    }
    let strands = 1 + draw(below: 6)
    var clocks = Array(repeating: VectorClock(), count: 4)
    var tables = Array(repeating: Array(repeating: Int32(0), count: strands), count: 4)
    for _ in 0..<200 {
      let (one, other) = (draw(below: 4), draw(below: 4))
      let strand = draw(below: strands)
      switch draw(below: 3) {
      case 0:
        let time = tables[one][strand] + 1 + Int32(draw(below: 3))
        clocks[one][Int32(strand)] = time
        tables[one][strand] = time
      case 1:
        clocks[one].join(clocks[other])
        tables[one] = zip(tables[one], tables[other]).map { max($0, $1) }
      default:
        clocks[one] = clocks[other]
        tables[one] = tables[other]
      }
      for index in 0..<4 {
        let times = (0..<strands).map { clocks[index][Int32($0)] }
        #expect(times == tables[index])
      }
    }
  }

  /// Items of a serial queue come one after another, which is known when they have begun: a thousand of them need the
  /// numbers of what is side by side, so that clocks do not get longer with each.
  @Test(arguments: [false, true]) func itemsOfASerialQueueShareANumber(isConcurrent: Bool) {
    let races = RaceDetector()
    for thread: Int32 in 0...1 { races.begin(thread, servesAll: thread == 1, by: -1) }
    for number: Int32 in 0..<1_000 {
      let item = SyncObject(kind: .item, number: number)
      races.release(item, by: 0, isAlone: true)
      races.replace(on: 1, with: item)
      if !isConcurrent { races.acquire(.init(kind: .queue, number: 0), by: 1) }
      if number % 3 != 0 { _ = races.access(.write, by: 1, at: number, threadName: "") }
      races.release(.init(kind: .queue, number: 0), by: 1)
      // What comes behind the queue's order, as that it leaves a group, is no access.
      races.release(.init(kind: .group, number: 0), by: 1)
    }
    // Those of a concurrent queue have no order, so that each that has an access needs a number.
    let count = races.lastTimes.count
    #expect(isConcurrent ? count > 600 : count <= 3)
  }
}
