import SpindleModel

/// Frames of the program's blocks: calls, closures, and the keys of what happens in them.
extension Interpreter {
  static let overflowMessage =
    "stack overflow: the frames of this thread need more than its stack"

  /// Enters what `.call` or `.callClosure` calls; returns its frame, nil when the stack is too small.
  @inline(never)
  mutating func enter(
    _ instruction: Instruction, caller: Int32, _ thread: Int32, _ counter: Int
  ) -> Int32? {
    let callee: Int32
    switch instruction {
    case .call(let block, let base, let site):
      callee = enter(block, caller: caller, counter, base, site)
    case .callClosure(let register, let base, let site):
      let closure = Int32(truncatingIfNeeded: frames.registers(caller)[register])
      let block = BlockID(Int(frames.block(closure)))
      callee = enter(block, caller: caller, counter, base, site, closure: closure)
    default: fatalError("\(instruction) calls nothing")
    }
    if isTooDeep(thread) {
      _ = stop(Self.overflowMessage, thread, counter)
      return nil
    }
    if kernel.storage.isExceeded {
      holdsTooMuch(thread, at: Int32(truncatingIfNeeded: counter))
      return nil
    }
    return callee
  }

  /// Makes the frame of a call, with its arguments and what a closure captured.
  mutating func enter(
    _ block: BlockID, caller: Int32, _ counter: Int, _ base: Register, _ site: SiteID,
    closure: Int32 = -1
  ) -> Int32 {
    frames.unchecked.setCounter(caller, Int32(truncatingIfNeeded: counter))
    let key = key(at: site, frames.unchecked.key(caller), frames.unchecked.registers(caller))
    let callee = makeFrame(block.index, parent: caller, key: key)
    let target = frames.unchecked.registers(callee)
    let captured = Int(blocks[Int(block.index)].captureCount)
    if closure >= 0 { frames.copy(captured, from: closure, to: callee) }
    (target + captured).update(
      from: frames.unchecked.registers(caller) + Int(base.index),
      count: Int(blocks[Int(block.index)].parameterCount))
    return callee
  }

  /// Counts a frame; whether the thread's stack is too small for it.
  ///
  /// A frame is taken to need 256 bytes of stack: an assumption that bounds recursion.
  func isTooDeep(_ thread: Int32) -> Bool {
    if thread < 0 { return false }
    kernel.threads[thread].depth += 1
    return Int64(kernel.threads[thread].depth) * 256 > kernel.threads[thread].stackSize
  }

  /// Puts the result of a call where the caller expects it.
  @inline(__always)
  func giveResult(
    _ result: Int64, _ registers: UnsafeMutablePointer<Int64>, _ instruction: Instruction
  ) {
    switch instruction {
    case .call(_, let base, _): registers[base] = result
    case .callClosure(_, let base, _): registers[base] = result
    case .perform: break
    default: fatalError("a frame returns to an instruction that is no call")
    }
  }

  /// Makes a closure: a frame with its captured values in place, which has not been entered.
  @inline(__always)
  mutating func makeClosure(
    _ block: BlockID, from values: UnsafeMutablePointer<Int64>, key: UInt64 = 0
  ) -> Int32 {
    let captured = Int(blocks[Int(block.index)].captureCount)
    if captured == 0 { return makeFrame(block.index, parent: -1, key: key) }
    let source = values - frames.words
    let made = makeFrame(block.index, parent: -1, key: key)
    frames.unchecked.registers(made).update(from: frames.words + source, count: captured)
    return made
  }

  /// What stands for the frame of an item that captures nothing and whose frame needs no key: of many
  /// that wait, each would take memory and not say more than its block.
  @inline(__always)
  static func frameToMake(_ block: Int32) -> Int32 { -2 - block }

  /// The frame of an item that begins, made now when only its block was known.
  @inline(__always)
  mutating func makeFrame(of item: Int32) -> Int32 {
    item < -1 ? makeKeylessFrame(-2 - item) : item
  }

  @inline(never)
  private mutating func makeKeylessFrame(_ block: Int32) -> Int32 {
    makeFrame(block, parent: -1, key: 0)
  }

  /// The frame of an item that begins where another one has ended in `ended`: the same, when both are
  /// of one block.
  @inline(__always)
  mutating func makeFrame(of item: Int32, from ended: Int32) -> Int32 {
    let block = frames.unchecked.block(ended)
    if item == Interpreter.frameToMake(block) {
      frames.unchecked.setCounter(ended, blocks[Int(block)].entry)
      return ended
    }
    frames.release(ended)
    return makeFrame(of: item)
  }

  /// Makes a frame that begins with a block's first instruction.
  @inline(__always)
  mutating func makeFrame(_ block: Int32, parent: Int32, key: UInt64) -> Int32 {
    let shape = blocks.baseAddress.unsafelyUnwrapped + Int(block)
    return frames.allocate(
      block: block, entry: shape.pointee.entry, registers: shape.pointee.registerCount,
      parent: parent, key: key)
  }

  /// The key of what happens at a site of a frame; counts the visit.
  @inline(__always)
  func key(at site: SiteID, _ frame: UInt64, _ registers: UnsafeMutablePointer<Int64>) -> UInt64 {
    let place = sites[Int(site.index)]
    if place.counter < 0 { return RandomStreams.key(frame, salt: place.salt, ordinal: 0) }
    let ordinal = registers[Int(place.counter)]
    registers[Int(place.counter)] = ordinal &+ 1
    return RandomStreams.key(frame, salt: place.salt, ordinal: ordinal)
  }
}
