import SpindleHost
import SpindleModel

/// The memory that a long program will soon go to, for another thread to get it from the system: a
/// page that is touched for the first time costs as much as lowering two lines does.
struct RoomAhead {
  /// How many bytes of each array are there already.
  private var ready = [0, 0, 0, 0]
  /// The same of instructions on the stack.
  private var readyOnStack = 0
  /// How many bytes are asked for at a time, and how many instructions on the stack.
  private static let step = 1 << 20
  private static let instructions = 1 << 15

  /// What is wanted next: the room that the arrays have reserved, a little ahead of their ends, and
  /// that of the stack.
  mutating func next(_ program: Program, _ code: CodeStack) -> [LargeBuffer.Range] {
    var ranges: [LargeBuffer.Range] = []
    if code.count + RoomAhead.instructions / 2 > readyOnStack {
      ranges = code.roomAhead(RoomAhead.instructions)
      readyOnStack = code.count + RoomAhead.instructions
    }
    add(program.instructions, 0, &ranges)
    add(program.places, 1, &ranges)
    add(program.blocks, 2, &ranges)
    add(program.sites, 3, &ranges)
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
