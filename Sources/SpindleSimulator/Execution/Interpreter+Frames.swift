import SpindleModel

/// Frames of the program's blocks: calls, closures, and the keys of what happens in them.
extension Interpreter {
  /// Enters what `.call` or `.callClosure` calls; returns its frame, nil when the stack is too small.
  @inline(never)
  mutating func enter(
    _ instruction: Instruction, caller: FrameIndex, _ thread: ThreadID, _ counter: Int
  ) -> FrameIndex? {
    let callee: FrameIndex
    switch instruction {
    case .call(let block, let base, let site):
      callee = enter(block, caller: caller, counter, base, site)
    case .callClosure(let register, let base, let site):
      let closure = process.closure(process.frames.registers(caller)[register])
      let block = BlockID(Int(process.frames.block(closure)))
      let room = process.blocks[Int(process.frames.block(caller))].registerCount - base.index
      demand(
        process.blocks[Int(block.index)].parameterCount <= room,
        "the closure that instruction \(counter) calls takes more than the \(room) registers from there"
      )
      callee = enter(block, caller: caller, counter, base, site, closure: closure)
    default: fatalError("\(instruction) calls nothing")
    }
    if let message = process.overflow(thread, in: callee) {
      _ = stop(message, thread, counter)
      return nil
    }
    if process.kernel.storage.mustEnd {
      endEarly(thread, at: Int32(truncatingIfNeeded: counter))
      return nil
    }
    return callee
  }

  /// Makes the frame of a call, with its arguments and what a closure captured.
  mutating func enter(
    _ block: BlockID, caller: FrameIndex, _ counter: Int, _ base: Register, _ site: SiteID,
    closure: FrameIndex = .none
  ) -> FrameIndex {
    process.frames.unchecked.setCounter(caller, Int32(truncatingIfNeeded: counter))
    let key = process.key(
      at: site, process.frames.unchecked.key(caller), process.frames.unchecked.registers(caller))
    let callee = process.makeFrame(block.index, parent: caller, key: key)
    let target = process.frames.unchecked.registers(callee)
    let captured = Int(process.blocks[Int(block.index)].captureCount)
    if !closure.isNone {
      process.frames.copy(captured, from: closure, to: callee)
      process.retainCaptures(callee)
    }
    (target + captured).update(
      from: process.frames.unchecked.registers(caller) + Int(base.index),
      count: Int(process.blocks[Int(block.index)].parameterCount))
    return callee
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
}
