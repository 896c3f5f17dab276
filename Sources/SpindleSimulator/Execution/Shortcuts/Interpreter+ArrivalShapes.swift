import SpindleModel

/// Arrivals that need no frame: `ShortcutSet.arrivalShapes`.
extension Interpreter {
  /// What the block of an interval is like: what most traces have is computed without a frame.
  enum IntervalShape: BitwiseCopyable {
    /// It gives a constant, in two steps.
    case constant(Int64)
    /// It gives one exponential draw at the site with this salt, in three steps; see `Sampler` for
    /// the factor.
    case exponential(factor: UInt64, salt: UInt32)
    /// A schedule has the moments.
    case scheduled
    /// It has to be run.
    case other
  }

  /// How the moments of an arrival are found.
  func shape(of arrival: Arrival) -> IntervalShape {
    arrival.schedule == nil ? shape(of: arrival.interval) : .scheduled
  }

  /// What the block of an interval is like.
  private func shape(of block: BlockID) -> IntervalShape {
    if !process.kernel.shortcuts.contains(.arrivalShapes) { return .other }
    let start = Int(process.blocks[Int(block.index)].entry)
    if start + 1 >= Int(process.blocks[Int(block.index)].end) { return .other }
    switch (process.code[start], process.code[start + 1]) {
    case (.constant(let value, let register), .finishWith(let result)) where result == register:
      return .constant(value)
    case (.drawConstant(let mean, let register), .draw(_, let site, _, _)):
      guard case .finishWith(register) = process.code[start + 2],
        process.sites[Int(site.index)].counter < 0
      else {
        return .other
      }
      let factor = Sampler.timesLogarithmOfTwo(UInt64(max(0, mean)))
      return .exponential(factor: factor, salt: process.sites[Int(site.index)].salt)
    default: return .other
    }
  }

  /// The `.submit` that is all that a block does, when its item captures nothing; -1 for others.
  ///
  /// Nothing of such a block needs a frame.
  func submission(of body: BlockID) -> Int32 {
    if !process.kernel.shortcuts.contains(.arrivalShapes) { return -1 }
    let place = Int(process.blocks[Int(body.index)].entry)
    guard case .submit(_, let block, _) = process.code[place],
      case .finish = process.code[place + 6],
      case .perform(_, _, let site) = process.code[place + 5],
      process.blocks[Int(block.index)].captureCount == 0, process.sites[Int(site.index)].counter < 0
    else { return -1 }
    return Int32(place)
  }

  /// Does what a block of the world does that only hands an executor an item; false, and nothing is
  /// done, when that is not so or the executor is not one of the simulator's own.
  @inline(__always)
  mutating func submitsOnly(_ arrival: UnsafeMutablePointer<ArrivalState>) -> Bool {
    if arrival.pointee.submission < 0 || process.stepsLeft <= 6 { return false }
    let head = process.code.baseAddress.unsafelyUnwrapped + Int(arrival.pointee.submission)
    guard case .submit(let global, let block, _) = head.pointee,
      case .perform(_, _, let site) = head[5], isPlain(globals[Int(global.index)])
    else { return false }
    process.stepsLeft &-= 7
    process.makespan = process.kernel.now
    var key: UInt64 = 0
    if process.blocks[Int(block.index)].usesKey {
      let body = RandomStreams.key(arrival.pointee.key, salt: 2, ordinal: arrival.pointee.ordinal)
      key = RandomStreams.key(body, salt: process.sites[Int(site.index)].salt, ordinal: 0)
    }
    if !submit(head, block, process.frames.words, key, to: globals[Int(global.index)], by: .none) {
      // The run ended before the block did.
      process.stepsLeft &+= 1
    }
    return true
  }
}
