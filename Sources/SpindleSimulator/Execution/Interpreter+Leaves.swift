import SpindleModel

/// Who would leave a group, by the code of what still waits in queues.
///
/// `leave()` may stand in any code. Where nothing can happen any more, an item that would call it and can't begin is what
/// those wait for who wait for the group, as an item of the group is.
extension Interpreter {
  /// How deep the calls of an item are looked at.
  private static let knownCalls = 8
  private static let knownArguments = 16

  /// The threads that have the queues in which items wait that leave a group; nil where there are none, or where
  /// something may still happen.
  func leavers(of group: Int32) -> [WaitGraph.Holder]? {
    if !process.isQuiescent { return nil }
    var found: [WaitGraph.Holder] = []
    for queue in dispatch.queues.indices {
      var index = dispatch.queues[queue].items.first
      while !index.isNone {
        let item = dispatch.items[index]
        index = item.next
        guard let frame = code(of: item), leaves(group, closure: frame) else { continue }
        for thread in dispatch.blockers(of: queue, process) {
          found.append(
            WaitGraph.Holder(thread: thread, takenAt: item.place, queue: queue.raw))
        }
      }
    }
    return found.isEmpty ? nil : found
  }

  /// The frame with the code of the trace that an item is to run; nil for none.
  private func code(of item: DispatchItem) -> Int32? {
    let frame =
      switch item.kind {
      case .block: item.frame
      case .workItem: dispatch.workItems[item.workItem].handler.closure
      case .lane, .operation, .apply, .sync, .source, .expiration, .job: Int32(-1)
      }
    return frame < 0 || process.frames.isNative(frame) ? nil : frame
  }

  private func leaves(_ group: Int32, closure frame: Int32) -> Bool {
    let block = process.frames.block(frame)
    assert(Int(block) < process.blocks.count, "frame \(frame) is of block \(block)")
    var known: [Register: Int64] = [:]
    for register in 0..<process.blocks[Int(block)].captureCount {
      let register = Register(Int(register))
      known[register] = process.frames.registers(frame)[register]
    }
    return leaves(group, block, known, Self.knownCalls)
  }

  /// Whether code leaves a group, as far as that is seen from what its registers are known to have.
  private func leaves(
    _ group: Int32, _ block: Int32, _ given: [Register: Int64], _ depth: Int
  ) -> Bool {
    var known = given
    let code = process.program.blocks[Int(block)]
    for instruction in process.program.instructions[Int(code.entry)..<Int(code.end)] {
      if case .perform(.group(.leave), let base, _) = instruction, known[base] == Int64(group) {
        return true
      }
      if case .call(let called, let base, _) = instruction, depth > 0 {
        var arguments: [Register: Int64] = [:]
        for ordinal in 0..<Self.knownArguments {
          arguments[Register(ordinal)] = known[Register(Int(base.index) + ordinal)]
        }
        if leaves(group, called.index, arguments, depth - 1) { return true }
      }
      note(instruction, &known)
    }
    return false
  }

  /// What a register has behind an instruction, where that is known.
  private func note(_ instruction: Instruction, _ known: inout [Register: Int64]) {
    if case .constant(let value, let to) = instruction { known[to] = value }
    if case .copy(let to, let from) = instruction { known[to] = known[from] }
    if case .retain(let to, let from, _) = instruction { known[to] = known[from] }
    if case .hold(let to, let from, _) = instruction { known[to] = known[from] }
    if case .loadGlobal(let to, let global) = instruction { known[to] = globals[Int(global.index)] }
    if case .readShared(let to, let global) = instruction { known[to] = globals[Int(global.index)] }
  }
}
