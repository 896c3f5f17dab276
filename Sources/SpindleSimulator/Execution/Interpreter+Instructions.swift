import SpindleModel

/// The instructions.
extension Interpreter {
  /// Runs a thread's instructions until it needs time, leaves its core or ends.
  @inline(__always)
  mutating func interpret(_ thread: ThreadID) -> Pause {
    process.lives.thread = thread
    while true {
      let record = process.kernel.threads.unchecked(thread)
      var frame = record.pointee.frame
      if frame.isNone { return .finished }
      if process.lives.hasDying {
        guard let callee = enterDeinit(caller: frame, thread, -1) else {
          if process.outcome != nil { return .stopped }
          continue
        }
        record.setFrame(callee)
        frame = callee
      }
      if !process.frames.unchecked.isNative(frame) {
        process.makespan = process.kernel.now
        if let pause = tryShortcut(frame, thread, record) { return pause }
        let pause = run(frame, thread)
        if pause != .switched { return pause }
      } else {
        // What the simulator does itself on a thread counts too: a loop may go round without code.
        process.stepsLeft &-= 1
        if process.stepsLeft < 0 && !goesOn() {
          _ = stepsRanOut(at: record.pointee.place)
          return .stopped
        }
        switch resume(frame, thread) {
        case .goOn: break
        case .computing: return .computing
        case .left: return .left
        case .stopped, .begins, .endedSource, .endedJob, .raises: return .stopped
        }
      }
    }
  }

  /// Runs a block on no thread, at no cost, to its end; its result is in `worldResult`.
  @inline(__always)
  mutating func runWorld(_ block: BlockID, key: UInt64, argument: Int64?) {
    let shape = process.blocks.baseAddress.unsafelyUnwrapped + Int(block.index)
    let frame = process.makeFrame(block.index, parent: .none, key: key)
    if let argument, shape.pointee.parameterCount > 0 {
      process.frames.unchecked.registers(frame)[Int(shape.pointee.captureCount)] = argument
    }
    process.worldResult = noValue
    process.lives.thread = .none
    process.makespan = process.kernel.now
    let pause = run(frame, .none)
    demand(pause == .finished || pause == .stopped, "what the world does can't wait")
  }

  /// Runs a frame that has been made ready on no thread, at no cost, to its end, also while code of the program
  /// runs, as where an operation is asked whether it is ready; gives its result.
  mutating func runWorld(frame: FrameIndex) -> Int64 {
    let (thread, outside, asker) = (process.lives.thread, process.outside, process.asker)
    (process.lives.thread, process.outside) = (.none, .question)
    if !thread.isNone { process.asker = thread }
    let pause = run(frame, .none)
    (process.lives.thread, process.outside, process.asker) = (thread, outside, asker)
    demand(pause == .finished || pause == .stopped, "what is only asked can't wait")
    return process.worldResult
  }

  /// Runs the instructions of `frame` and of what it calls; `thread` is none for the world outside.
  ///
  /// One switch over the instructions of busy code, since that is what an interpreter's speed depends
  /// on; the others are done elsewhere, so that they take no registers of the machine from these.
  private mutating func run(_ start: FrameIndex, _ thread: ThreadID) -> Pause {
    let code = process.code.baseAddress.unsafelyUnwrapped
    var frame = start
    var registers = process.frames.unchecked.registers(frame)
    var next = code + Int(process.frames.unchecked.counter(frame))
    var steps = process.stepsLeft
    defer { leaveCode(of: frame, stepsLeft: steps) }
    while true {
      steps &-= 1
      if steps < 0 {
        steps = look(steps, at: index(next, code), frame, thread)
        if steps < 0 { return stepsAreOver(index(next, code)) }
      }
      switch next.pointee {
      case .constant(let value, let to):
        registers[to] = value
      case .copy(let to, let from):
        registers[to] = registers[from]
      case .loadGlobal(let to, let global):
        registers[to] = globals[Int(global.index)]
      case .now(let to):
        registers[to] = process.kernel.now

      case .add(let to, let a, let b):
        let (value, overflow) = registers[a].addingReportingOverflow(registers[b])
        if overflow || value == noValue { return overflowed(thread, index(next, code)) }
        registers[to] = value
      case .subtract(let to, let a, let b):
        let (value, overflow) = registers[a].subtractingReportingOverflow(registers[b])
        if overflow || value == noValue { return overflowed(thread, index(next, code)) }
        registers[to] = value
      case .multiply(let to, let a, let b):
        let (value, overflow) = registers[a].multipliedReportingOverflow(by: registers[b])
        if overflow || value == noValue { return overflowed(thread, index(next, code)) }
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
        guard let callee = enter(next.pointee, caller: frame, thread, index(next, code)) else {
          return .stopped
        }
        frame = callee
        registers = process.frames.unchecked.registers(frame)
        next = code + Int(process.frames.unchecked.counter(frame))
        continue
      case .finish, .finishWith:
        var result = noValue
        if case .finishWith(let from) = next.pointee { result = registers[from] }
        let parent = process.frames.unchecked.parent(frame)
        process.frames.release(frame)
        if parent.isNone {
          process.worldResult = result
          if !thread.isNone { process.kernel.threads.unchecked(thread).setFrame(.none) }
          return .finished
        }
        if !thread.isNone { process.kernel.threads.unchecked(thread).dropFrame() }
        if process.frames.unchecked.isNative(parent) {
          process.worldResult = result
          process.kernel.threads.unchecked(thread).setFrame(parent)
          return .switched
        }
        frame = parent
        registers = process.frames.unchecked.registers(frame)
        next = code + Int(process.frames.unchecked.counter(frame))
        giveResult(result, registers, next.pointee)
      case .raise(let from), .rethrow(let from, from: _):
        let place = index(next, code)
        let origin = thrower(next.pointee, registers, place)
        guard let caught = unwind(frame, place, registers[from], thread, from: origin) else {
          return process.outcome == nil ? .switched : .stopped
        }
        frame = caught
        registers = process.frames.unchecked.registers(frame)
        next = code + Int(process.frames.unchecked.counter(frame))
        continue

      case .closure(let to, let block, let base):
        let made = process.makeClosure(block, from: registers + Int(base.index))
        if process.kernel.storage.mustEnd {
          return endEarly(thread, at: Int32(truncatingIfNeeded: index(next, code)))
        }
        registers = process.frames.unchecked.registers(frame)
        registers[to] = made.register
      case .freeClosure(let a):
        process.frames.release(process.closure(registers[a]))

      case .draw(let base, let site, let count, let distribution):
        let key = process.key(at: site, process.frames.unchecked.key(frame), registers)
        registers[base] = draw(distribution, key, registers + Int(base.index), Int(count))

      case .perform(.doing(.work), let base, _):
        let work = registers[base]
        if thread.isNone { return refuseWork(index(next, code)) }
        if work > 0 && work <= Nanoseconds.longest.rawValue {
          beginWork(work, frame, process.kernel.threads.unchecked(thread), at: index(next, code))
          return .computing
        }
        if let fault = Arithmetic.fault(ofDuration: work) {
          return stop("work \(fault)", thread, index(next, code))
        }
      case .perform(.executor(.async), let base, let site)
      where isPlain(registers[base]):
        // An executor's own neither waits nor enters a frame, and nobody pays: without detour.
        let place = Int32(truncatingIfNeeded: index(next, code))
        if !thread.isNone { process.kernel.threads.unchecked(thread).setPlace(place) }
        let call = Call(thread: thread, frame: frame, base: base, counter: Int(place), site: site)
        if case .stopped = executors.submit(
          call, &operations, &concurrency, &dispatch, &process)
        {
          return .stopped
        }
        if process.kernel.storage.mustEnd { return endEarly(thread, at: place) }
        registers = process.frames.unchecked.registers(frame)
      case .perform(let primitive, let base, let site):
        let place = Int32(truncatingIfNeeded: index(next, code))
        process.frames.unchecked.setCounter(frame, place)
        if !thread.isNone {
          process.kernel.threads.unchecked(thread).setFrame(frame)
          process.kernel.threads.unchecked(thread).setPlace(place)
          process.kernel.threads.unchecked(thread).remove(.untouched)
        }
        // What is called may run code of the program itself.
        process.stepsLeft = steps
        let advance = perform(primitive, base, site, frame, thread, Int(place))
        steps = process.stepsLeft
        if process.kernel.storage.mustEnd { return endEarly(thread, at: place) }
        switch advance {
        case .next: break
        case .again: return .computing
        case .paysAfter:
          process.frames.unchecked.setCounter(frame, place &+ 1)
          return .computing
        case .left, .unwound: return .left
        case .leftAndDone:
          process.frames.unchecked.setCounter(frame, place &+ 1)
          return .left
        case .entered: return .switched
        case .raises:
          let message = process.thrown
          process.thrown = noValue
          guard let caught = unwind(frame, Int(place), message, thread, from: Int(place)) else {
            return process.outcome == nil ? .switched : .stopped
          }
          frame = caught
          registers = process.frames.unchecked.registers(frame)
          next = code + Int(process.frames.unchecked.counter(frame))
          continue
        case .stopped, .exits: return .stopped
        }
        if process.lives.hasDying {
          guard let callee = enterDeinit(caller: frame, thread, index(next, code) &+ 1) else {
            return process.outcome == nil ? .switched : .stopped
          }
          frame = callee
          registers = process.frames.unchecked.registers(frame)
          next = code + Int(process.frames.unchecked.counter(frame))
          continue
        }
        registers = process.frames.unchecked.registers(frame)

      case .workConstant(let work, let register):
        registers[register] = work
        if work > 0 && steps > 0 && !thread.isNone {
          steps &-= 1
          beginWork(
            work, frame, process.kernel.threads.unchecked(thread), at: index(next, code) &+ 1)
          return .computing
        }
      case .drawConstant(let mean, let register):
        registers[register] = mean
        if case .draw(_, let site, _, _) = next[1], steps > 1 {
          let key = process.key(at: site, process.frames.unchecked.key(frame), registers)
          let drawn = sampler.exponential(key, mean: mean)
          registers[register] = drawn
          if case .perform(.doing(.work), register, _) = next[2], drawn > 0, !thread.isNone {
            steps &-= 2
            beginWork(
              drawn, frame, process.kernel.threads.unchecked(thread), at: index(next, code) &+ 2)
            return .computing
          }
          steps &-= 1
          next += 2
          continue
        }
      case .nextRound(let counter, let limit, let head):
        let count = registers[counter] &+ 1
        registers[counter] = count
        if steps > 1 {
          let goesOn = count < registers[limit]
          steps &-= goesOn ? 2 : 1
          next = code + (Int(head) &+ (goesOn ? 1 : 0))
          continue
        }
      case .submit(let global, let block, let captured):
        let executor = globals[Int(global.index)]
        guard case .perform(_, _, let site) = next[5], steps > 4,
          isPlain(executor)
        else {
          if case .constant(_, let name) = next[1] { registers[Int(name.index) &- 1] = executor }
          break
        }
        // Nothing else counts the visits of the site.
        let key =
          process.blocks[Int(block.index)].usesKey
          ? process.key(at: site, process.frames.unchecked.key(frame), registers) : 0
        steps &-= 5
        let isTaken = submitInLoop(
          next, block, registers + Int(captured.index), key, to: executor, by: thread)
        if !isTaken { return .stopped }
        registers = process.frames.unchecked.registers(frame)
        next += 6
        continue

      case .storeGlobal, .readShared, .readToChange, .writeShared, .divide, .remainder, .shiftLeft,
        .shiftRight, .bitAnd, .bitOr, .bitXor, .wrap, .negate,
        .scale, .unscale, .ratio, .advance, .textBegin, .textLiteral, .textValue, .textEnd,
        .arrayMake, .arrayCopy, .arrayAppend, .arrayGet, .arraySet, .arrayCount, .arrayInsert,
        .arrayRemove, .entryGet, .entrySet, .entryRemove, .entryKeys, .instanceMake, .instanceIs,
        .fieldLoad, .fieldStore, .fieldRead, .fieldReadToChange, .fieldWrite, .actorUse, .hold,
        .retain, .keep, .release, .loadWeak, .checkUnowned, .countElements, .adoptElements,
        .disownElements:
        if !runSeldom(next.pointee, registers, thread, index(next, code)) {
          return leave(frame, thread, at: index(next, code))
        }
        if process.lives.hasDying {
          guard let callee = enterDeinit(caller: frame, thread, index(next, code) &+ 1) else {
            return process.outcome == nil ? .switched : .stopped
          }
          frame = callee
          registers = process.frames.unchecked.registers(frame)
          next = code + Int(process.frames.unchecked.counter(frame))
          continue
        }
      case .releaseOwned:
        if process.releaseOwned(frame, stopsAtDeath: true) {
          let (owner, here) = (frame, index(next, code))
          let callee = enterDeinit(caller: frame, thread, here &+ 1)
          // It lets go of the next one when this one is gone, with all that it held.
          process.frames.unchecked.setCounter(owner, Int32(truncatingIfNeeded: here))
          guard let callee else { return process.outcome == nil ? .switched : .stopped }
          frame = callee
          registers = process.frames.unchecked.registers(frame)
          next = code + Int(process.frames.unchecked.counter(frame))
          continue
        }
      case .instanceEnd(let instance):
        guard let back = leaveDeinit(of: registers[instance], frame, thread, index(next, code))
        else {
          return process.outcome == nil ? .switched : .stopped
        }
        if back.isNone { return .finished }
        frame = back
        registers = process.frames.unchecked.registers(frame)
        next = code + Int(process.frames.unchecked.counter(frame))
        continue
      }
      next += 1
    }
  }

  /// A running thread begins to work, at an instruction behind which it goes on.
  @inline(__always)
  func beginWork(
    _ work: Int64, _ frame: FrameIndex, _ record: ThreadPointer, at place: Int
  ) {
    record.beginWork(process.kernel.memory.slowed(work))
    rest(frame, record, at: place)
  }

  /// A running thread stays at an instruction for a while, behind which it goes on.
  @inline(__always)
  func rest(
    _ frame: FrameIndex, _ record: ThreadPointer, at place: Int
  ) {
    record.setPlace(Int32(truncatingIfNeeded: place))
    record.setFrame(frame)
    process.frames.unchecked.setCounter(frame, Int32(truncatingIfNeeded: place &+ 1))
  }

  /// The index of an instruction; without the sign that the difference of pointers may have.
  @inline(__always)
  func index(
    _ next: UnsafePointer<Instruction>, _ first: UnsafePointer<Instruction>
  ) -> Int {
    Int(
      (UInt(bitPattern: next) &- UInt(bitPattern: first)) / UInt(MemoryLayout<Instruction>.stride))
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
