import SpindleModel

/// The instructions.
extension Interpreter {
  /// Runs a thread's instructions until it needs time, leaves its core or ends.
  @inline(__always)
  mutating func interpret(_ thread: Int32) -> Pause {
    while true {
      let frame = kernel.threads.at(thread).pointee.frame
      if frame < 0 { return .finished }
      if !frames.isNative(frame) {
        makespan = kernel.now
        if finishes(frame, thread) { return .finished }
        let pause = run(frame, thread)
        if pause != .switched { return pause }
      } else {
        switch resume(frame, thread) {
        case .goOn: break
        case .computing: return .computing
        case .left: return .left
        case .stopped: return .stopped
        }
      }
    }
  }

  /// Ends an activity whose work was the last that it had to do, as most items do.
  ///
  /// The loop would do the same; entering it costs more than that.
  @inline(__always)
  private mutating func finishes(_ frame: Int32, _ thread: Int32) -> Bool {
    guard case .finish = code[Int(frames.counter(frame))], frames.parent(frame) < 0, stepsLeft > 0
    else { return false }
    stepsLeft &-= 1
    worldResult = noValue
    frames.release(frame)
    kernel.threads.at(thread).pointee.frame = -1
    return true
  }

  /// Runs a block on no thread, at no cost, to its end; its result is in `worldResult`.
  @inline(__always)
  mutating func runWorld(_ block: BlockID, key: UInt64, argument: Int64?) {
    let shape = blocks.baseAddress.unsafelyUnwrapped + Int(block.index)
    let frame = frames.allocate(
      block: block.index, registers: shape.pointee.registerCount, parent: -1, key: key)
    frames.setCounter(frame, shape.pointee.entry)
    if let argument, shape.pointee.parameterCount > 0 {
      frames.registers(frame)[Int(shape.pointee.captureCount)] = argument
    }
    worldResult = noValue
    makespan = kernel.now
    let pause = run(frame, -1)
    demand(pause == .finished || pause == .stopped, "what the world does can't wait")
  }

  /// Runs a frame that has been made ready on no thread, at no cost, to its end; gives its result.
  ///
  /// Also while code of the program runs: an operation is asked whether it is ready.
  mutating func runWorld(frame: Int32) -> Int64 {
    let pause = run(frame, -1)
    demand(pause == .finished || pause == .stopped, "what is only asked can't wait")
    return worldResult
  }

  /// Runs the instructions of `frame` and of what it calls; `thread` is -1 for the world outside.
  ///
  /// One switch over the instructions of busy code, since that is what an interpreter's speed depends
  /// on; the others are done elsewhere, so that they take no registers of the machine from these.
  private mutating func run(_ start: Int32, _ thread: Int32) -> Pause {
    let code = code.baseAddress.unsafelyUnwrapped
    var frame = start
    var registers = frames.registers(frame)
    var next = code + Int(frames.counter(frame))
    var steps = stepsLeft
    defer { stepsLeft = steps }
    while true {
      steps &-= 1
      if steps < 0 { return stepsAreOver(next - code) }
      switch next.pointee {
      case .constant(let value, let to):
        registers[to] = value
      case .copy(let to, let from):
        registers[to] = registers[from]
      case .loadGlobal(let to, let global):
        registers[to] = globals[Int(global.index)]
      case .now(let to):
        registers[to] = kernel.now

      case .add(let to, let a, let b):
        let (value, overflow) = registers[a].addingReportingOverflow(registers[b])
        if overflow { return overflowed(thread, next - code) }
        registers[to] = value
      case .subtract(let to, let a, let b):
        let (value, overflow) = registers[a].subtractingReportingOverflow(registers[b])
        if overflow { return overflowed(thread, next - code) }
        registers[to] = value
      case .multiply(let to, let a, let b):
        let (value, overflow) = registers[a].multipliedReportingOverflow(by: registers[b])
        if overflow { return overflowed(thread, next - code) }
        registers[to] = value

      case .equal(let to, let a, let b):
        registers[to] = registers[a] == registers[b] ? 1 : 0
      case .notEqual(let to, let a, let b):
        registers[to] = registers[a] != registers[b] ? 1 : 0
      case .less(let to, let a, let b):
        registers[to] = registers[a] < registers[b] ? 1 : 0
      case .lessOrEqual(let to, let a, let b):
        registers[to] = registers[a] <= registers[b] ? 1 : 0
      case .not(let to, let a):
        registers[to] = registers[a] == 0 ? 1 : 0

      case .jump(let target):
        next = code + Int(target)
        continue
      case .jumpIf(let a, let target):
        if registers[a] != 0 {
          next = code + Int(target)
          continue
        }
      case .jumpUnless(let a, let target):
        if registers[a] == 0 {
          next = code + Int(target)
          continue
        }
      case .jumpUnlessLess(let a, let b, let target):
        if registers[a] >= registers[b] {
          next = code + Int(target)
          continue
        }
      case .increment(let a):
        registers[a] &+= 1

      case .call, .callClosure:
        guard let callee = enter(next.pointee, caller: frame, thread, next - code) else {
          return .stopped
        }
        frame = callee
        registers = frames.registers(frame)
        next = code + Int(frames.counter(frame))
        continue
      case .finish, .finishWith:
        var result = noValue
        if case .finishWith(let from) = next.pointee { result = registers[from] }
        let parent = frames.parent(frame)
        frames.release(frame)
        if parent < 0 {
          worldResult = result
          if thread >= 0 { kernel.threads.at(thread).pointee.frame = -1 }
          return .finished
        }
        if thread >= 0 { kernel.threads.at(thread).pointee.depth -= 1 }
        if frames.isNative(parent) {
          worldResult = result
          kernel.threads.at(thread).pointee.frame = parent
          return .switched
        }
        frame = parent
        registers = frames.registers(frame)
        next = code + Int(frames.counter(frame))
        giveResult(result, registers, next.pointee)
      case .raise(let from):
        let message = registers[from]
        guard let caught = unwind(frame, next - code, message, thread) else { return .stopped }
        frame = caught
        registers = frames.registers(frame)
        next = code + Int(frames.counter(frame))
        continue

      case .closure(let to, let block, let base):
        let made = makeClosure(block, from: registers + Int(base.index))
        registers = frames.registers(frame)
        registers[to] = Int64(made)
      case .freeClosure(let a):
        frames.release(Int32(truncatingIfNeeded: registers[a]))

      case .draw(let base, let site, let count, let distribution):
        let key = key(at: site, frames.key(frame), registers)
        registers[base] = draw(distribution, key, registers + Int(base.index), Int(count))

      case .perform(.work, let base, _):
        let work = registers[base]
        if work > 0 {
          let record = kernel.threads.at(thread)
          record.pointee.work = kernel.memory.slowed(work)
          record.pointee.place = Int32(truncatingIfNeeded: next - code)
          record.pointee.frame = frame
          frames.setCounter(frame, Int32(truncatingIfNeeded: next - code &+ 1))
          return .computing
        }
        if work < 0 {
          return stop("work needs a duration that is not negative", thread, next - code)
        }
      case .perform(.executorAsync, let base, let site)
      where !kernel.hasCosts && registers[base] >> 48 == 0:
        // An executor's own neither waits nor enters a frame, and nobody pays: without detour.
        let place = Int32(truncatingIfNeeded: next - code)
        if thread >= 0 { kernel.threads.at(thread).pointee.place = place }
        let call = Call(thread: thread, frame: frame, base: base, counter: Int(place), site: site)
        if case .stopped = submit(call) { return .stopped }
        registers = frames.registers(frame)
      case .perform(let primitive, let base, let site):
        let place = Int32(truncatingIfNeeded: next - code)
        frames.setCounter(frame, place)
        if thread >= 0 {
          kernel.threads.at(thread).pointee.frame = frame
          kernel.threads.at(thread).pointee.place = place
        }
        switch perform(primitive, base, site, frame, thread, Int(place)) {
        case .next: break
        case .again: return .computing
        case .left, .unwound: return .left
        case .leftAndDone:
          frames.setCounter(frame, place &+ 1)
          return .left
        case .entered: return .switched
        case .stopped: return .stopped
        }
        registers = frames.registers(frame)

      case .storeGlobal, .readShared, .writeShared, .divide, .remainder, .negate, .scale, .unscale,
        .ratio, .advance, .textBegin, .textLiteral, .textValue, .textEnd, .arrayMake, .arrayCopy,
        .arrayAppend, .arrayGet, .arraySet, .arrayCount:
        if !runSeldom(next.pointee, registers, thread, next - code) { return .stopped }
      }
      next += 1
    }
  }

  // MARK: Calls

  static let overflowMessage =
    "stack overflow: the frames of this thread need more than its stack"

  /// Enters what `.call` or `.callClosure` calls; returns its frame, nil when the stack is too small.
  @inline(never)
  private mutating func enter(
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
    return callee
  }

  /// Makes the frame of a call, with its arguments and what a closure captured.
  private mutating func enter(
    _ block: BlockID, caller: Int32, _ counter: Int, _ base: Register, _ site: SiteID,
    closure: Int32 = -1
  ) -> Int32 {
    frames.setCounter(caller, Int32(truncatingIfNeeded: counter))
    let key = key(at: site, frames.key(caller), frames.registers(caller))
    let callee = frames.allocate(
      block: block.index, registers: blocks[Int(block.index)].registerCount, parent: caller,
      key: key)
    frames.setCounter(callee, blocks[Int(block.index)].entry)
    let target = frames.registers(callee)
    let captured = Int(blocks[Int(block.index)].captureCount)
    if closure >= 0 { frames.copy(captured, from: closure, to: callee) }
    (target + captured).update(
      from: frames.registers(caller) + Int(base.index),
      count: Int(blocks[Int(block.index)].parameterCount))
    return callee
  }

  /// Counts a frame; whether the thread's stack is too small for it.
  ///
  /// A frame is taken to need 256 bytes of stack: an assumption that bounds recursion.
  private func isTooDeep(_ thread: Int32) -> Bool {
    if thread < 0 { return false }
    kernel.threads[thread].depth += 1
    return Int64(kernel.threads[thread].depth) * 256 > kernel.threads[thread].stackSize
  }

  /// Puts the result of a call where the caller expects it.
  @inline(__always)
  private func giveResult(
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
  private mutating func makeClosure(
    _ block: BlockID, from values: UnsafeMutablePointer<Int64>
  ) -> Int32 {
    let source = values - frames.words
    let shape = blocks.baseAddress.unsafelyUnwrapped + Int(block.index)
    let made = frames.allocate(
      block: block.index, registers: shape.pointee.registerCount, parent: -1, key: 0)
    let captured = Int(shape.pointee.captureCount)
    if captured > 0 { frames.registers(made).update(from: frames.words + source, count: captured) }
    frames.setCounter(made, shape.pointee.entry)
    return made
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

extension UnsafeMutablePointer<Int64> {
  /// The value of a register.
  @inline(__always)
  subscript(register: Register) -> Int64 {
    get { self[Int(register.index)] }
    nonmutating set { self[Int(register.index)] = newValue }
  }
}
