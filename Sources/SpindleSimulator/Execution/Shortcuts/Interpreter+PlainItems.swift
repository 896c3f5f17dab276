import SpindleModel

/// Handing an item to an executor of the simulator's own without a call: `ShortcutSet.plainItems`, and
/// `.laterFrames` for items that wait without a frame.
extension Interpreter {
  /// Whether a value is an executor of the simulator's own, to which an item comes at no cost.
  @inline(__always)
  func isPlain(_ executor: Int64) -> Bool { takesPlainItems && executor >> 48 == 0 }

  /// Does what `.submit` at `head` stands for, with the key of its site, for the instruction loop.
  ///
  /// Returns false when the run has ended.
  @inline(never)
  mutating func submitInLoop(
    _ head: UnsafePointer<Instruction>, _ block: BlockID,
    _ captured: UnsafeMutablePointer<Int64>, _ key: UInt64, to executor: Int64, by thread: ThreadID
  ) -> Bool {
    submit(head, block, captured, key, to: executor, by: thread)
  }

  /// Does what `.submit` at `head` stands for, with the key of its site.
  ///
  /// Returns false when the run has ended.
  @inline(always)
  mutating func submit(
    _ head: UnsafePointer<Instruction>, _ block: BlockID,
    _ captured: UnsafeMutablePointer<Int64>, _ key: UInt64, to executor: Int64, by thread: ThreadID
  ) -> Bool {
    guard case .constant(let name, _) = head[1], case .constant(let kind, _) = head[2] else {
      fatalError("an item has a name and a kind")
    }
    let place = Int32(
      truncatingIfNeeded: index(head, process.code.baseAddress.unsafelyUnwrapped) &+ 5)
    process.kernel.breakWork()
    if !thread.isNone { process.kernel.threads.unchecked(thread).setPlace(place) }
    let shape = process.blocks.baseAddress.unsafelyUnwrapped + Int(block.index)
    let frame =
      shape.pointee.captureCount == 0 && !shape.pointee.usesKey
        && makesFramesLater
      ? Process.frameToMake(block.index)
      : process.makeClosure(block, from: captured, key: key, parent: .none)
    let item = ExecutorRuntime.Item(
      frame: frame, name: name == noValue ? -1 : Int32(truncatingIfNeeded: name),
      kind: Int32(truncatingIfNeeded: kind), group: .none, submitted: process.kernel.now,
      number: process.kernel.nextItem())
    let isTaken = executors.submit(
      item, to: .init(register: executor), by: thread, madeAt: place, &process.kernel)
    if process.kernel.storage.mustEnd {
      endEarly(thread, at: place)
      return false
    }
    if isTaken && !process.kernel.memory.isExceeded { return true }
    guard case .perform(_, let base, let site) = head[5] else { fatalError("it is handed over") }
    let call = Call(thread: thread, frame: .none, base: base, counter: Int(place), site: site)
    if case .stopped = isTaken ? process.checkMemory(call) : process.tooManyThreads(call) {
      return false
    }
    return true
  }
}
