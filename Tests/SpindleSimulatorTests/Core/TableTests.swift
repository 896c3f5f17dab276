import SpindleHost
import SpindleModel
import Testing

@testable import SpindleSimulator

/// Tables and frames keep what was put into them, whatever they do to grow.
@Suite struct TableTests {
  /// A pointer to a record is not used behind the growth of its table: in debug builds that stops the process.
  @Test(.enabled(if: WatchedBuffer.isOn), arguments: [false, true])
  func aPointerThatIsHeldTooLongStops(writes: Bool) async {
    if writes {
      await #expect(processExitsWith: .failure) { TableTests.hold { $0.pointee = 1 } }
    } else {
      await #expect(processExitsWith: .failure) {
        TableTests.hold { precondition($0.pointee >= 0) }
      }
    }
  }

  /// The same, where the table does not grow meanwhile.
  @Test func aPointerThatIsHeldShortlyWorks() {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    var table = Table<Int64>(.items, storage)
    table.append(5)
    let held = table.at(0)
    table.append(6)
    #expect(held.pointee == 5)
  }

  private static func hold(_ use: (UnsafeMutablePointer<Int64>) -> Void) {
    let storage = Storage(limit: Int.max, movesTables: true)
    var table = Table<Int64>(.items, storage)
    table.append(5)
    let held = table.at(0)
    table.append(6)
    use(held)
  }

  @Test func aTableDoesWhatAnArrayDoes() {
    var generator = Draws(seed: 0)
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    for _ in 0..<160 {
      var table = Table<Int64>(.items, storage)
      var array: [Int64] = []
      for step in 0..<300 {
        let value = Int64(step)
        switch generator.next(10) {
        case 0..<5:
          #expect(table.append(value) == Int32(array.count))
          array.append(value)
        case 5:
          table[table.appendAny()] = value
          array.append(value)
        case 6, 7: if !array.isEmpty { #expect(table.removeLast() == array.removeLast()) }
        case 8:
          if array.isEmpty { continue }
          let index = generator.next(array.count)
          table.at(Int32(index)).pointee = -value
          array[index] = -value
        default:
          if generator.next(20) > 0 { continue }
          table.removeAll()
          array.removeAll()
        }
        #expect(table.count == array.count)
      }
      #expect(array.indices.allSatisfy { table[Int32($0)] == array[$0] })
    }
  }

  /// Frames of all sizes are made and given back in any order; each keeps its words, and no two that
  /// live share any.
  @Test("frames keep their words", arguments: [8, 9, 20, 64, 1 << 14])
  func framesKeepTheirWords(room: Int) {
    var generator = Draws(seed: UInt64(room))
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    var arena = FrameArena(storage, room: room)
    var live: [(frame: FrameIndex, registers: Int, stamp: Int64)] = []
    for step in 0..<4_000 {
      if live.isEmpty || generator.next(20) < (step < 2_000 ? 13 : 8) {
        let registers = generator.next(generator.next(10) == 0 ? 700 : 20)
        let stamp = Int64(step) << 20
        let frame = arena.allocate(
          block: Int32(step), entry: Int32(step) + 1, registers: Int32(registers),
          parent: FrameIndex(Int32(step) + 2), key: UInt64(step) + 3)
        for index in 0..<registers { arena.registers(frame)[index] = stamp + Int64(index) }
        live.append((frame, registers, stamp))
      } else {
        let (frame, registers, stamp) = live.remove(at: generator.next(live.count))
        let step = Int32(stamp >> 20)
        #expect(arena.block(frame) == step && arena.counter(frame) == step + 1)
        #expect(arena.parent(frame).raw == step + 2 && arena.key(frame) == UInt64(step) + 3)
        let isKept = (0..<registers).allSatisfy {
          arena.registers(frame)[$0] == stamp + Int64($0)
        }
        #expect(isKept, "step \(step)")
        arena.release(frame)
      }
    }
    #expect(Set(live.map(\.frame)).count == live.count)
  }

  /// Entries reach every consumer, in order and once, however many are handed on at once.
  @Test(arguments: [1, 2, 3, 7, 512])
  func entriesAreHandedOnInOrder(chunk: Int) {
    let (first, second) = (CollectedEntries(), CollectedEntries())
    var recorder = Recorder(consumers: [first, second], chunk: chunk)
    for number in 0..<1_000 {
      recorder.record(LogEntry(time: Int64(number), event: .threadRuns, thread: 0))
      if number % 97 == 0 { recorder.flush() }
    }
    recorder.flush()
    #expect(first.times == (0..<1_000).map { Int64($0) } && second.times == first.times)
    #expect(recorder.total == 1_000)
  }
}

/// Keeps the times of what it receives.
private final class CollectedEntries: LogConsumer {
  var times: [Int64] = []
  func begin(_ run: RunDescription) {}
  func receive(_ entries: UnsafeBufferPointer<LogEntry>) { times += entries.map(\.time) }
  func end(_ record: RunRecord) {}
}
