import SpindleHost
import SpindleModel

/// The memory that a long program will soon go to, for another thread to get it from the system: a
/// page that is touched for the first time costs as much as lowering two lines does.
struct RoomAhead {
  /// How many instructions there may be for whose memory has been asked, and how many bytes of the
  /// arrays are there already.
  private var readyCode = 0
  private var ready = [0, 0]
  /// How many instructions and how many bytes are asked for at a time.
  private static let instructions = 1 << 15
  private static let step = 1 << 20

  /// What is wanted next: the room that has been reserved, a little ahead of what is in use.
  mutating func next(_ program: Program, _ code: CodeStack) -> [LargeBuffer.Range] {
    var ranges: [LargeBuffer.Range] = []
    if code.count + RoomAhead.instructions / 2 > readyCode {
      ranges = code.roomAhead(RoomAhead.instructions)
      readyCode = code.count + RoomAhead.instructions
    }
    add(program.blocks, 0, &ranges)
    add(program.sites, 1, &ranges)
    return ranges
  }

  private mutating func add<Record>(
    _ array: [Record], _ index: Int, _ ranges: inout [LargeBuffer.Range]
  ) {
    let used = array.count * MemoryLayout<Record>.stride
    let start = max(used, ready[index])
    let end = min(start + RoomAhead.step, array.capacity * MemoryLayout<Record>.stride)
    guard used + RoomAhead.step / 2 > ready[index], end > start else { return }
    ready[index] = end
    ranges.append(LargeBuffer.Range(of: array, from: start, to: end))
  }
}
