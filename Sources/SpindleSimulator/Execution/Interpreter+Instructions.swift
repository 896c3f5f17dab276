import SpindleModel

/// The instructions.
extension Interpreter {
  /// Runs a thread's instructions until it needs time, leaves its core or ends.
  mutating func interpret(_ thread: Int32) -> Pause {
    while true {
      let frame = kernel.threads[thread].frame
      if frame < 0 { return .finished }
      if !frames.isNative(frame) {
        makespan = kernel.now
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

  /// Runs a block on no thread, at no cost, to its end; its result is in `worldResult`.
  mutating func runWorld(_ block: BlockID, key: UInt64, argument: Int64?) {
    let frame = frames.allocate(
      block: block.index, registers: blocks[Int(block.index)].registerCount, parent: -1, key: key)
    frames.setCounter(frame, blocks[Int(block.index)].entry)
    if let argument, blocks[Int(block.index)].parameterCount > 0 {
      frames.registers(frame)[Int(blocks[Int(block.index)].captureCount)] = argument
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
  /// One switch over all instructions, since that is what an interpreter's speed depends on.
  private mutating func run(_ start: Int32, _ thread: Int32) -> Pause {
    var frame = start
    var registers = frames.registers(frame)
    var counter = Int(frames.counter(frame))
    var steps = stepsLeft
    defer { stepsLeft = steps }
    while true {
      steps &-= 1
      if steps < 0 {
        outcome = Outcome(.stepLimit, place: program.places[counter])
        lastPlace = Int32(truncatingIfNeeded: counter)
        return .stopped
      }
      switch code[counter] {
      case .constant(let value, let to):
        registers[to] = value
      case .copy(let to, let from):
        registers[to] = registers[from]
      case .loadGlobal(let to, let global):
        registers[to] = globals[Int(global.index)]
      case .storeGlobal(let global, let from):
        globals[Int(global.index)] = registers[from]
      case .readShared(let to, let global):
        registers[to] = globals[Int(global.index)]
        noteShared(.sharedRead, global, thread, counter)
      case .writeShared(let global, let from):
        globals[Int(global.index)] = registers[from]
        noteShared(.sharedWritten, global, thread, counter)
      case .now(let to):
        registers[to] = kernel.now

      case .add(let to, let a, let b):
        let (value, overflow) = registers[a].addingReportingOverflow(registers[b])
        if overflow { return overflowed(thread, counter) }
        registers[to] = value
      case .subtract(let to, let a, let b):
        let (value, overflow) = registers[a].subtractingReportingOverflow(registers[b])
        if overflow { return overflowed(thread, counter) }
        registers[to] = value
      case .multiply(let to, let a, let b):
        let (value, overflow) = registers[a].multipliedReportingOverflow(by: registers[b])
        if overflow { return overflowed(thread, counter) }
        registers[to] = value
      case .divide(let to, let a, let b):
        if registers[b] == 0 { return stop("Division by zero", thread, counter) }
        let (value, overflow) = registers[a].dividedReportingOverflow(by: registers[b])
        if overflow { return overflowed(thread, counter) }
        registers[to] = value
      case .remainder(let to, let a, let b):
        if registers[b] == 0 {
          return stop("Division by zero in remainder operation", thread, counter)
        }
        registers[to] =
          registers[a].remainderReportingOverflow(dividingBy: registers[b]).partialValue
      case .negate(let to, let a):
        let (value, overflow) = Int64(0).subtractingReportingOverflow(registers[a])
        if overflow { return overflowed(thread, counter) }
        registers[to] = value
      case .scale(let to, let a, let b):
        guard let value = Arithmetic.scaled(registers[a], by: registers[b]) else {
          return overflowed(thread, counter)
        }
        registers[to] = value
      case .unscale(let to, let a, let b):
        if registers[b] == 0 { return stop("Division by zero", thread, counter) }
        guard let value = Arithmetic.ratio(registers[a], registers[b]) else {
          return overflowed(thread, counter)
        }
        registers[to] = value
      case .ratio(let to, let a, let b):
        if registers[b] == 0 { return stop("Division by zero", thread, counter) }
        guard let value = Arithmetic.ratio(registers[a], registers[b]) else {
          return overflowed(thread, counter)
        }
        registers[to] = value
      case .advance(let to, let a, let b):
        let moment = Instant(registers[a])
        let isDistant = moment == .distantFuture || moment == .distantPast
        registers[to] =
          isDistant ? moment.nanoseconds : (moment + Nanoseconds(registers[b])).nanoseconds

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
        counter = Int(target)
        continue
      case .jumpIf(let a, let target):
        if registers[a] != 0 {
          counter = Int(target)
          continue
        }
      case .jumpUnless(let a, let target):
        if registers[a] == 0 {
          counter = Int(target)
          continue
        }
      case .jumpUnlessLess(let a, let b, let target):
        if registers[a] >= registers[b] {
          counter = Int(target)
          continue
        }
      case .increment(let a):
        registers[a] &+= 1

      case .call(let block, let base, let site):
        let callee = enter(block, caller: frame, counter, base, site)
        if isTooDeep(thread) { return stop(Self.overflowMessage, thread, counter) }
        frame = callee
        registers = frames.registers(frame)
        counter = Int(blocks[Int(block.index)].entry)
        continue
      case .callClosure(let closure, let base, let site):
        let block = BlockID(Int(frames.block(Int32(truncatingIfNeeded: registers[closure]))))
        let captured = Int32(truncatingIfNeeded: registers[closure])
        let callee = enter(block, caller: frame, counter, base, site, closure: captured)
        if isTooDeep(thread) { return stop(Self.overflowMessage, thread, counter) }
        frame = callee
        registers = frames.registers(frame)
        counter = Int(blocks[Int(block.index)].entry)
        continue
      case .finish, .finishWith:
        var result = noValue
        if case .finishWith(let from) = code[counter] { result = registers[from] }
        let parent = frames.parent(frame)
        frames.release(frame)
        if parent < 0 {
          worldResult = result
          if thread >= 0 { kernel.threads[thread].frame = -1 }
          return .finished
        }
        if thread >= 0 { kernel.threads[thread].depth -= 1 }
        if frames.isNative(parent) {
          worldResult = result
          kernel.threads[thread].frame = parent
          return .switched
        }
        frame = parent
        registers = frames.registers(frame)
        counter = Int(frames.counter(frame))
        giveResult(result, registers, counter)
      case .raise(let from):
        let message = registers[from]
        guard let caught = unwind(frame, counter, message, thread) else { return .stopped }
        (frame, counter) = caught
        registers = frames.registers(frame)
        continue

      case .closure(let to, let block, let base):
        let made = makeClosure(block, from: registers + Int(base.index))
        registers = frames.registers(frame)
        registers[to] = Int64(made)
      case .freeClosure(let a):
        frames.release(Int32(truncatingIfNeeded: registers[a]))

      case .textBegin:
        text.removeAll(keepingCapacity: true)
      case .textLiteral(let name):
        text.append(contentsOf: kernel.names.utf8(name))
      case .textValue(let a, let format):
        appendText(registers[a], format)
      case .textEnd(let to):
        let known = kernel.names.count
        let name = text.withUnsafeBufferPointer { kernel.names.intern($0) }
        if kernel.names.count > known && !holds(text.count / 8) {
          return stop(Self.fullMessage, thread, counter)
        }
        registers[to] = Int64(name.index)

      case .arrayMake(let to, let base, let count):
        if !holds(Int(count)) { return stop(Self.fullMessage, thread, counter) }
        let first = registers + Int(base.index)
        arrays.append(Array(UnsafeBufferPointer(start: first, count: Int(count))))
        registers[to] = Int64(arrays.count - 1)
      case .arrayCopy(let to, let from):
        if !holds(arrays[Int(registers[from])].count) {
          return stop(Self.fullMessage, thread, counter)
        }
        arrays.append(arrays[Int(registers[from])])
        registers[to] = Int64(arrays.count - 1)
      case .arrayAppend(let array, let value):
        if !holds(1) { return stop(Self.fullMessage, thread, counter) }
        arrays[Int(registers[array])].append(registers[value])
      case .arrayGet(let to, let array, let index):
        let position = registers[index]
        if position < 0 || position >= arrays[Int(registers[array])].count {
          return stop("Index out of range", thread, counter)
        }
        registers[to] = arrays[Int(registers[array])][Int(position)]
      case .arraySet(let array, let index, let value):
        let position = registers[index]
        if position < 0 || position >= arrays[Int(registers[array])].count {
          return stop("Index out of range", thread, counter)
        }
        arrays[Int(registers[array])][Int(position)] = registers[value]
      case .arrayCount(let to, let array):
        registers[to] = Int64(arrays[Int(registers[array])].count)

      case .draw(let base, let site, let count, let distribution):
        let key = key(at: site, frames.key(frame), registers)
        registers[base] = draw(distribution, key, registers + Int(base.index), Int(count))

      case .perform(.work, let base, _):
        let work = registers[base]
        if work < 0 { return stop("work needs a duration that is not negative", thread, counter) }
        if work > 0 {
          kernel.threads[thread].work = kernel.memory.slowed(work)
          kernel.threads[thread].place = Int32(truncatingIfNeeded: counter)
          frames.setCounter(frame, Int32(truncatingIfNeeded: counter &+ 1))
          kernel.threads[thread].frame = frame
          return .computing
        }
      case .perform(let primitive, let base, let site):
        frames.setCounter(frame, Int32(truncatingIfNeeded: counter))
        if thread >= 0 {
          kernel.threads[thread].frame = frame
          kernel.threads[thread].place = Int32(truncatingIfNeeded: counter)
        }
        let advance = perform(primitive, base, site, frame, thread, counter)
        switch advance {
        case .next: break
        case .again: return .computing
        case .left: return .left
        case .leftAndDone:
          frames.setCounter(frame, Int32(truncatingIfNeeded: counter &+ 1))
          return .left
        case .unwound: return .left
        case .entered: return .switched
        case .stopped: return .stopped
        }
        registers = frames.registers(frame)
      }
      counter &+= 1
    }
  }

  // MARK: Calls

  /// What the simulated process crashes with when it holds too much.
  static let fullMessage =
    "the texts and arrays of a simulated program take more than they may"

  /// Counts words that texts and arrays take for good; whether there is room for them.
  ///
  /// They are never given back, so this bounds what a trace can make the simulator hold.
  @inline(__always)
  mutating func holds(_ words: Int) -> Bool {
    wordsHeld &+= words &+ 2
    return wordsHeld <= wordLimit
  }

  static let overflowMessage =
    "stack overflow: the frames of this thread need more than its stack"

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
    let target = frames.registers(callee)
    let captured = Int(blocks[Int(block.index)].captureCount)
    if closure >= 0 { target.update(from: frames.registers(closure), count: captured) }
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
    _ result: Int64, _ registers: UnsafeMutablePointer<Int64>, _ counter: Int
  ) {
    switch code[counter] {
    case .call(_, let base, _): registers[base] = result
    case .callClosure(_, let base, _): registers[base] = result
    case .perform: break
    default: fatalError("a frame returns to an instruction that is no call")
    }
  }

  /// Makes a closure: a frame with its captured values in place, which has not been entered.
  private mutating func makeClosure(
    _ block: BlockID, from values: UnsafeMutablePointer<Int64>
  ) -> Int32 {
    let source = values - frames.words
    let made = frames.allocate(
      block: block.index, registers: blocks[Int(block.index)].registerCount, parent: -1, key: 0)
    frames.registers(made).update(
      from: frames.words + source, count: Int(blocks[Int(block.index)].captureCount))
    frames.setCounter(made, blocks[Int(block.index)].entry)
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
