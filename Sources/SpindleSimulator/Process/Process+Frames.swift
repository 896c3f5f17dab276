import SpindleModel

/// Frames of the program's blocks, closures, and the keys of what happens in them.
extension Process {
  static let overflowMessage =
    "stack overflow: the frames of this thread need more than its stack"
  static let releasesOverflowMessage =
    "stack overflow: what is let go of here holds the next and so on, and releases within each other need more than "
    + "this thread's stack"

  /// Counts a frame; what to say where the thread's stack is too small for it, and nil where it is not.
  ///
  /// A frame is taken to need 256 bytes of stack: an assumption that bounds recursion. Those of asynchronous code are
  /// in the memory of its task. Source: swift:stdlib/public/Concurrency/TaskAlloc.cpp.
  func overflow(_ thread: ThreadID, in frame: FrameIndex) -> String? {
    if thread.isNone { return nil }
    let record = kernel.threads.at(thread)
    record.countFrame()
    let (depth, most) = (
      Int64(record.pointee.depth), record.pointee.stackSize / StackUse.frame
    )
    if depth <= most { return nil }
    if !isAsync(frame, within: most) { return Self.overflowMessage }
    return depth <= kernel.machine.memory.rawValue / StackUse.frame
      ? nil : "out of memory: the frames of this task need more than the machine has"
  }

  /// Whether one of the innermost frames belongs to asynchronous code, which has the stack for itself from there.
  func isAsync(_ frame: FrameIndex, within most: Int64) -> Bool {
    var (next, left) = (frame, most)
    while !next.isNone && left > 0 {
      if !frames.isNative(next) && blocks[Int(frames.block(next))].isAsync { return true }
      next = frames.parent(next)
      left -= 1
    }
    return false
  }

  /// What a closure has for a caller until a call takes it over; then it has none, as an activity that
  /// has not begun.
  static let untaken = FrameIndex(-2)

  /// Makes a closure: a frame with its captured values in place, which has not been entered.
  ///
  /// It is `untaken`, unless whoever makes it takes it at once and says so by the caller -1.
  @inline(__always)
  mutating func makeClosure(
    _ block: BlockID, from values: UnsafeMutablePointer<Int64>, key: UInt64 = 0,
    parent: FrameIndex = untaken
  ) -> FrameIndex {
    let captured = Int(blocks[Int(block.index)].captureCount)
    if captured == 0 { return makeFrame(block.index, parent: parent, key: key) }
    let source = values - frames.words
    let made = makeFrame(block.index, parent: parent, key: key)
    frames.unchecked.registers(made).update(from: frames.words + source, count: captured)
    if counts { retainCaptures(made) }
    return made
  }

  /// The closure that a register holds.
  ///
  /// Stops unless it is one that no call has taken over.
  func closure(_ value: Int64) -> FrameIndex {
    let frame = FrameIndex(register: value)
    let block = Int(frames.block(frame))
    demand(
      blocks.indices.contains(block) && frames.parent(frame) == Process.untaken
        && frames.isFrame(frame, registers: blocks[block].registerCount),
      "\(value) is no closure, or one that a call has taken")
    return frame
  }

  /// What stands for the frame of an item that captures nothing and whose frame needs no key: of many
  /// that wait, each would take memory and not say more than its block.
  @inline(__always)
  static func frameToMake(_ block: Int32) -> FrameIndex { FrameIndex(-2 - block) }

  /// The frame of an item that begins, made now when only its block was known.
  @inline(__always)
  mutating func makeFrame(of item: FrameIndex) -> FrameIndex {
    item.raw < -1 ? makeKeylessFrame(-2 - item.raw) : item
  }

  @inline(__always)
  private mutating func makeKeylessFrame(_ block: Int32) -> FrameIndex {
    makeFrame(block, parent: .none, key: 0)
  }

  /// The frame of an item that begins where another one has ended in `ended`: the same, when both are
  /// of one block.
  @inline(__always)
  mutating func makeFrame(of item: FrameIndex, from ended: FrameIndex) -> FrameIndex {
    let block = frames.unchecked.block(ended)
    if item == Process.frameToMake(block) {
      frames.unchecked.setCounter(ended, blocks[Int(block)].entry)
      return ended
    }
    frames.release(ended)
    return makeFrame(of: item)
  }

  /// Makes a frame that begins with a block's first instruction.
  @inline(__always)
  mutating func makeFrame(_ block: Int32, parent: FrameIndex, key: UInt64) -> FrameIndex {
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

/// Frames on top of what a thread does.
extension Process {
  /// Pushes a frame of the simulator's own on top of what a thread does.
  @discardableResult
  mutating func push(_ activity: Activity, registers: Int32, on thread: ThreadID) -> FrameIndex {
    let frame = frames.allocate(
      activity, registers: registers, parent: kernel.threads[thread].frame)
    kernel.threads.at(thread).enter(frame)
    return frame
  }

  /// Takes the innermost frame, one of the simulator's own, off; its caller goes on with `result`.
  ///
  /// A caller that is code of the program gets it as the result of the call of the vocabulary that
  /// pushed the frame.
  mutating func leave(_ frame: FrameIndex, _ thread: ThreadID, result: Int64) {
    let parent = frames.parent(frame)
    frames.release(frame)
    kernel.threads.at(thread).leave(to: parent)
    if parent.isNone { return }
    if frames.isNative(parent) {
      worldResult = result
      return
    }
    let counter = frames.counter(parent)
    if case .perform(_, let base, _) = code[Int(counter)], result != noResult {
      frames.registers(parent)[base] = result
    }
    frames.setCounter(parent, counter + 1)
  }

  /// Takes the innermost frame, one of the simulator's own that no call has pushed, off; the one below goes on as it
  /// would have.
  mutating func takeOff(_ frame: FrameIndex, _ thread: ThreadID) {
    let below = frames.parent(frame)
    frames.release(frame)
    kernel.threads.at(thread).leave(to: below)
  }

  /// Pushes what a handler does on top of what a thread does.
  ///
  /// Arguments that the closure does not take are dropped.
  mutating func enter(_ handler: inout Handler, on thread: ThreadID, argument: Int64 = noValue) {
    let frame = activate(&handler, parent: kernel.threads[thread].frame, argument: argument)
    kernel.threads.at(thread).enter(frame)
  }

  /// A frame for the next run of a handler.
  mutating func activate(
    _ handler: inout Handler, parent: FrameIndex, argument: Int64 = noValue
  ) -> FrameIndex {
    let block = frames.block(handler.closure)
    let key = RandomStreams.key(handler.key, salt: 0, ordinal: handler.runs)
    handler.runs &+= 1
    let frame = makeFrame(block, parent: parent, key: key)
    let captured = Int(blocks[Int(block)].captureCount)
    frames.copy(captured, from: handler.closure, to: frame)
    if counts { retainCaptures(frame) }
    if blocks[Int(block)].parameterCount > 0 { frames.registers(frame)[captured] = argument }
    return frame
  }

  /// A frame that runs a closure which stays, and holds what that took.
  mutating func copy(ofClosure closure: FrameIndex) -> FrameIndex {
    let block = frames.block(closure)
    let frame = makeFrame(block, parent: .none, key: frames.key(closure))
    frames.copy(Int(blocks[Int(block)].captureCount), from: closure, to: frame)
    if counts { retainCaptures(frame) }
    return frame
  }

  /// Gives a frame that has not begun what a parameter is; dropped where it does not take so many.
  mutating func give(_ value: Int64, toParameter number: Int, of frame: FrameIndex) {
    let block = blocks[Int(frames.block(frame))]
    if block.parameterCount <= number { return }
    frames.registers(frame)[Int(block.captureCount) + number] = value
  }
}

/// Leaves the register of a call of the vocabulary as it is.
///
/// No program has this value: the words for nil within optionals are next to that for nil, and fewer.
let noResult = Int64.min + 4_096
