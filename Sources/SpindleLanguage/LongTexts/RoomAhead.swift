import SpindleHost

/// The memory that a long program's instructions will soon go to, for another thread to get it from the
/// system: a page that is touched for the first time costs as much as lowering two lines does.
struct RoomAhead {
  /// How many instructions there may be for whose memory has been asked.
  private var ready = 0
  /// How many instructions are asked for at a time.
  private static let step = 1 << 15

  /// What is wanted next: the room that has been reserved, a little ahead of what is in use.
  mutating func next(_ code: CodeStack) -> [LargeBuffer.Range] {
    guard code.count + RoomAhead.step / 2 > ready else { return [] }
    ready = code.count + RoomAhead.step
    return code.roomAhead(RoomAhead.step)
  }
}
