import SpindleModel
import Testing

@testable import SpindleSimulator

/// Records of run loops are in raw memory, and hold lists: nothing may be lost as they grow, and what they
/// hold must go when they do.
@Suite struct RunLoopRecordsTests {
  /// Is gone when no record holds it any more.
  private final class Held {}

  /// Who was held, without holding it.
  private struct Seen {
    weak var held: Held?
  }

  @Test func recordsKeepWhatTheyHoldAndLetItGo() {
    // Room for ten records and not for eleven: an index that is used again takes nothing.
    let storage = Storage(limit: 10 * 8)
    defer { storage.deallocate() }
    var seen: [Seen] = []
    do {
      var records = RunLoopRecords<[Held]>(.timers, bytesEach: 8, storage)
      #expect(records.count == 0 && Array(records.indices) == [])
      for number in 0..<10 {
        let held = Held()
        seen.append(Seen(held: held))
        let index = records.add([held])
        #expect(index.raw == number)
      }
      for (number, index) in records.indices.enumerated() {
        #expect(records[index].first === seen[number].held && records[index].count == 1)
      }

      let third = TableIndex<[Held]>(3)
      records.free(third, leaving: [])
      #expect(seen.indices.filter { seen[$0].held == nil } == [3])
      let another = Held()
      let index = records.add([another])
      #expect(index == third && records.count == 10 && records[third].first === another)
      #expect(!storage.isExceeded)

      records[third].append(Held())
      #expect(records[third].count == 2)
      let last = records.add([])
      #expect(last.raw == 10)
      #expect(storage.isExceeded)
    }
    #expect(seen.allSatisfy { $0.held == nil })
  }

  /// What waits counts 160 bytes, and 8 for each of its modes.
  @Test func whatWaitsForAPassHasASize() {
    var loop = RunLoop(thread: .none)
    #expect(RunLoopSize.waiting(in: loop) == 0)
    let modes = [WellKnownName.default.id, WellKnownName.default.id]
    loop.blocks.append(RunLoopBlock(frame: FrameIndex(0), modes: modes, place: 0, ticket: 0))
    #expect(RunLoopSize.waiting(in: loop) == 176)
    loop.performs.append(
      RunLoopPerform(frame: FrameIndex(0), modes: [modes[0]], waiter: .none, place: 0, ticket: 0))
    #expect(RunLoopSize.waiting(in: loop) == 176 + 168)
  }
}
