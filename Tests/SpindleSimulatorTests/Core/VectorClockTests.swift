import Testing

@testable import SpindleSimulator

/// Clocks that share their lists say what plain ones say, whatever is done to them in whatever order.
@Suite struct VectorClockTests {
  @Test(arguments: 1...40) func agreesWithTable(seed: UInt64) {
    var draws = Draws(seed: seed)
    let strands = 1 + draws.next(6)
    var clocks = Array(repeating: VectorClock(), count: 4)
    var tables = Array(repeating: Array(repeating: Int32(0), count: strands), count: 4)
    for _ in 0..<200 {
      let (one, other) = (draws.next(4), draws.next(4))
      let strand = draws.next(strands)
      switch draws.next(3) {
      case 0:
        let time = tables[one][strand] + 1 + Int32(draws.next(3))
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
}
