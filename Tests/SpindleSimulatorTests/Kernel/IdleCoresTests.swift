import Testing

@testable import SpindleSimulator

/// The set of idle cores finds the lowest rank, however many cores there are.
@Suite struct IdleCoresTests {
  @Test(arguments: [1, 2, 63, 64, 65, 128, 200])
  func findsTheLowest(count: Int) {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    let cores = IdleCores(count: count, storage)
    var idle = Set(0..<Int32(count))
    // A walk through all ranks in an order that is not theirs: 37 divides no count here.
    for step in 0..<2 * count {
      let rank = Int32(step * 37 % count)
      if idle.remove(rank) == nil {
        idle.insert(rank)
        cores.insert(rank)
      } else {
        cores.remove(rank)
      }
      #expect(cores.contains(rank) == idle.contains(rank))
      for from in [0, rank, Int32(count - 1), Int32(count)] {
        #expect(cores.first(from: from) == idle.filter { $0 >= from }.min())
      }
    }
  }
}
