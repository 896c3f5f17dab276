import SpindleModel

/// Where errors go that are thrown in a block.
extension Frame {
  /// Lets what is thrown from `start` up to `end` come to the next instruction, with the error in a register, and what threw
  /// it in another where it is to be thrown again.
  ///
  /// Where nothing was reached, nothing stands there that throws, and nothing comes here either.
  mutating func catchHere(start: Int, end: Int, error: Register, origin: Register? = nil) {
    guard end > start else { return }
    handlers.append(
      Block.Handler(
        start: Int32(start), end: Int32(end), target: Int32(code.count), error: error,
        origin: origin))
    isReachable = true
  }

  /// Notes that an error can come out of the instruction that was made last.
  mutating func noteThrow() { throwing += 1 }
}
