import SpindleModel

/// What a thread will compute until it next may wait: its code is run ahead on copies of its frames.
///
/// Nothing of the run changes: draws are the same when they are made, since they depend on keys only. Constants of
/// the trace are known, be they captured, elements of arrays and dictionaries, `let` properties of instances or
/// properties of values. What others can change until then is not known: shared variables, the time, answers of the
/// system. It may be kept and shown, but when a jump or the length of work depends on it, so does the burst.
struct BurstPrediction {
  /// Why the looking ahead came to an end.
  enum End {
    /// The thread may wait here, or ends.
    case burst
    /// It computes for longer than the run lasts.
    case endless
    /// What it does here is not known yet.
    case unknown
    /// The limit of steps is reached.
    case steps
  }

  private enum Step {
    case next
    case end(End)
  }

  /// A copy of a frame; a register whose value is not known is nil.
  private struct Frame {
    var registers: [Int64?]
    var counter: Int32
    let key: UInt64?
    /// The frame of the run to which it returns; -1 for none.
    let parent: FrameIndex
  }

  /// The work until there, at speed 1.
  private(set) var work: Int64
  /// The instruction to which it has come.
  private(set) var place: Int32 = -1
  private var frames: [Frame] = []
  /// What is made and changed on the way.
  private var objects = ForeseenObjects()

  /// Begins with what is left of the work that the thread is at.
  init(work: Int64) { self.work = work }

  /// Looks ahead from a frame of the run, or a block that is to be entered, to the end of the burst, or until
  /// it is longer than `longest`.
  mutating func look(
    from frame: FrameIndex, pastCall: Bool, longest: Int64, steps: inout Int64,
    _ interpreter: borrowing Interpreter
  ) -> End {
    if frame.raw < -1 {
      let block = -2 - frame.raw
      let shape = interpreter.process.blocks[Int(block)]
      frames = [
        Frame(
          registers: Array(repeating: nil, count: Int(shape.registerCount)),
          counter: shape.entry, key: 0, parent: .none)
      ]
    } else {
      push(copyOf: frame, interpreter)
    }
    if pastCall, case .perform(_, let base, _) = interpreter.process.code[Int(frames[0].counter)] {
      frames[0].counter += 1
      self[base] = nil
    }
    while true {
      if work > longest { return .endless }
      steps -= 1
      if steps < 0 { return .steps }
      place = frames[frames.count - 1].counter
      frames[frames.count - 1].counter += 1
      let instruction = interpreter.process.code[Int(place)]
      if case .submit = instruction {
        // It stands for six instructions.
        steps -= 5
        if steps < 0 { return .steps }
      }
      if case .end(let end) = step(instruction, interpreter) { return end }
    }
  }

  // MARK: Registers

  private subscript(_ register: Register) -> Int64? {
    get { frames[frames.count - 1].registers[Int(register.index)] }
    set { frames[frames.count - 1].registers[Int(register.index)] = newValue }
  }

  private mutating func push(copyOf frame: FrameIndex, _ interpreter: borrowing Interpreter) {
    let arena = interpreter.process.frames.unchecked
    demand(!arena.isNative(frame), "frame \(frame) of the simulator's own is looked into")
    let shape = interpreter.process.blocks[Int(arena.block(frame))]
    let values = UnsafeBufferPointer(
      start: arena.registers(frame), count: Int(shape.registerCount))
    frames.append(
      Frame(
        registers: values.map { $0 }, counter: arena.counter(frame), key: arena.key(frame),
        parent: arena.parent(frame)))
  }

  /// The values that stand from a register on.
  private func values(from base: Register, _ count: Int) -> [Int64?] {
    Array(frames[frames.count - 1].registers[Int(base.index)...].prefix(count))
  }

  // MARK: Instructions

  private mutating func step(
    _ instruction: Instruction, _ interpreter: borrowing Interpreter
  ) -> Step {
    switch instruction {
    case .constant(let value, let to), .workConstant(let value, let to),
      .drawConstant(let value, let to):
      self[to] = value
    case .copy(let to, let from): self[to] = self[from]
    case .loadGlobal(let to, let global):
      self[to] = interpreter.globals[Int(global.index)]
    case .readShared(let to, _), .readToChange(let to, _), .now(let to), .textEnd(let to):
      self[to] = nil
    case .storeGlobal, .writeShared, .textBegin, .textLiteral, .textValue, .freeClosure, .actorUse,
      .keep, .releaseOwned, .checkUnowned, .countElements, .adoptElements, .disownElements:
      break
    case .closure(let to, let block, let base):
      let count = interpreter.process.blocks[Int(block.index)].captureCount
      self[to] = objects.makeClosure(block.index, values(from: base, Int(count)))
    case .instanceMake(let to, let type, _):
      self[to] = objects.makeInstance(type.index, interpreter)
    case .instanceIs(let to, let instance, let type):
      self[to] = objects.type(of: self[instance], interpreter).map { $0 == type.index ? 1 : 0 }
    case .fieldLoad(let to, let instance, let field):
      self[to] = objects.field(field, of: self[instance], isShared: false, interpreter)
    case .fieldRead(let to, let instance, let field),
      .fieldReadToChange(let to, let instance, let field):
      self[to] = objects.field(field, of: self[instance], isShared: true, interpreter)
    case .fieldStore(let instance, let field, let from),
      .fieldWrite(let instance, let field, let from):
      objects.setField(field, of: self[instance], to: self[from])
    case .hold(let to, let from, _), .retain(let to, let from, _): self[to] = self[from]
    case .loadWeak(let to, _): self[to] = nil
    case .release(let to, _): self[to] = noValue
    case .instanceEnd: return .end(.unknown)
    case .add, .subtract, .multiply, .divide, .remainder, .shiftLeft, .shiftRight, .bitAnd, .bitOr,
      .bitXor, .wrap, .negate, .scale, .unscale, .ratio,
      .advance:
      compute(instruction)
    case .equal, .notEqual, .less, .lessOrEqual, .not: compare(instruction)
    case .jump, .jumpIf, .jumpUnless, .jumpUnlessLess, .increment, .nextRound:
      return jump(instruction)
    case .call, .callClosure: return enter(instruction, interpreter)
    case .finish: return leave(with: noValue, interpreter)
    case .finishWith(let from): return leave(with: self[from], interpreter)
    case .raise, .rethrow: return .end(.unknown)
    case .arrayMake, .arrayCopy, .arrayAppend, .arrayGet, .arraySet, .arrayCount, .arrayInsert,
      .arrayRemove, .entryGet, .entrySet, .entryRemove, .entryKeys:
      useArray(instruction, interpreter)
    case .draw(let base, let site, let count, let distribution):
      self[base] = drawn(distribution, site, base, Int(count), interpreter)
    case .perform(let primitive, let base, _): return perform(primitive, base, interpreter)
    case .submit:
      // It hands an item over and goes on behind the six instructions that it stands for.
      frames[frames.count - 1].counter = place + 6
    }
    return .next
  }

  private mutating func compute(_ instruction: Instruction) {
    switch instruction {
    case .add(let to, let a, let b): apply(to, a, b) { $0.addingReportingOverflow($1) }
    case .subtract(let to, let a, let b): apply(to, a, b) { $0.subtractingReportingOverflow($1) }
    case .multiply(let to, let a, let b):
      apply(to, a, b) { $0.multipliedReportingOverflow(by: $1) }
    case .divide(let to, let a, let b): apply(to, a, b) { $0.dividedReportingOverflow(by: $1) }
    case .remainder(let to, let a, let b):
      apply(to, a, b) { $0.remainderReportingOverflow(dividingBy: $1) }
    case .shiftLeft(let to, let a, let b): apply(to, a, b) { BurstPrediction.fitting($0 << $1) }
    case .shiftRight(let to, let a, let b): apply(to, a, b) { BurstPrediction.fitting($0 >> $1) }
    case .bitAnd(let to, let a, let b): apply(to, a, b) { BurstPrediction.fitting($0 & $1) }
    case .bitOr(let to, let a, let b): apply(to, a, b) { BurstPrediction.fitting($0 | $1) }
    case .bitXor(let to, let a, let b): apply(to, a, b) { BurstPrediction.fitting($0 ^ $1) }
    case .wrap(let to, let a, let b, let operation):
      apply(to, a, b) { BurstPrediction.fitting(operation($0, $1)) }
    case .negate(let to, let a): self[to] = self[a].flatMap { $0 == Int64.min ? nil : -$0 }
    case .scale(let to, let a, let b):
      self[to] = both(a, b).flatMap { Arithmetic.scaled($0.0, by: $0.1) }
    case .unscale(let to, let a, let b), .ratio(let to, let a, let b):
      self[to] = both(a, b).flatMap { $0.1 == 0 ? nil : Arithmetic.ratio($0.0, $0.1) }
    case .advance(let to, _, _): self[to] = nil
    default: fatalError("\(instruction) computes nothing")
    }
  }

  /// A number, and whether it is the one that stands for none.
  private static func fitting(_ value: Int64) -> (Int64, Bool) { (value, value == noValue) }

  private func both(_ a: Register, _ b: Register) -> (Int64, Int64)? {
    guard let left = self[a], let right = self[b] else { return nil }
    return (left, right)
  }

  /// What overflows is not known: the program ends there.
  private mutating func apply(
    _ to: Register, _ a: Register, _ b: Register,
    _ body: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) {
    guard let (left, right) = both(a, b) else { return self[to] = nil }
    let (value, overflow) = body(left, right)
    self[to] = overflow || value == noValue ? nil : value
  }

  private mutating func compare(_ instruction: Instruction) {
    switch instruction {
    case .equal(let to, let a, let b): self[to] = both(a, b).map { $0.0 == $0.1 ? 1 : 0 }
    case .notEqual(let to, let a, let b): self[to] = both(a, b).map { $0.0 != $0.1 ? 1 : 0 }
    case .less(let to, let a, let b): self[to] = both(a, b).map { $0.0 < $0.1 ? 1 : 0 }
    case .lessOrEqual(let to, let a, let b): self[to] = both(a, b).map { $0.0 <= $0.1 ? 1 : 0 }
    case .not(let to, let a): self[to] = self[a].map { $0 == 0 ? 1 : 0 }
    default: fatalError("\(instruction) compares nothing")
    }
  }

  private mutating func jump(_ instruction: Instruction) -> Step {
    var (goesTo, isTaken): (Int32, Bool?) = (place + 1, true)
    switch instruction {
    case .jump(let target): goesTo = target
    case .jumpIf(let a, let target): (goesTo, isTaken) = (target, self[a].map { $0 != 0 })
    case .jumpUnless(let a, let target): (goesTo, isTaken) = (target, self[a].map { $0 == 0 })
    case .jumpUnlessLess(let a, let b, let target):
      (goesTo, isTaken) = (target, both(a, b).map { $0.0 >= $0.1 })
    case .increment(let a), .nextRound(let a, _, _): self[a] = self[a].map { $0 &+ 1 }
    default: fatalError("\(instruction) does not jump")
    }
    guard let isTaken else { return .end(.unknown) }
    if isTaken { frames[frames.count - 1].counter = goesTo }
    return .next
  }

  // MARK: Calls

  private mutating func enter(
    _ instruction: Instruction, _ interpreter: borrowing Interpreter
  ) -> Step {
    let arena = interpreter.process.frames.unchecked
    let (block, base, site): (Int32, Register, SiteID)
    var captured: [Int64?] = []
    switch instruction {
    case .call(let callee, let from, let at): (block, base, site) = (callee.index, from, at)
    case .callClosure(let register, let from, let at):
      guard let closure = self[register], closure != noValue else { return .end(.unknown) }
      (base, site) = (from, at)
      if let made = objects.closure(closure) {
        (block, captured) = (made.block, made.captured)
      } else {
        let frame = interpreter.process.closure(closure)
        block = arena.block(frame)
        let count = Int(interpreter.process.blocks[Int(block)].captureCount)
        captured = UnsafeBufferPointer(start: arena.registers(frame), count: count).map { $0 }
      }
    default: fatalError("\(instruction) calls nothing")
    }
    let shape = interpreter.process.blocks[Int(block)]
    var registers = captured + values(from: base, Int(shape.parameterCount))
    demand(
      registers.count <= Int(shape.registerCount),
      "block \(block) has \(shape.registerCount) registers, and is given \(registers.count)")
    registers += Array(repeating: nil, count: Int(shape.registerCount) - registers.count)
    let key = key(at: site, interpreter)
    frames.append(Frame(registers: registers, counter: shape.entry, key: key, parent: .none))
    return .next
  }

  private mutating func leave(with result: Int64?, _ interpreter: borrowing Interpreter) -> Step {
    let ended = frames.removeLast()
    if frames.isEmpty {
      if ended.parent.isNone || interpreter.process.frames.unchecked.isNative(ended.parent) {
        return .end(.burst)
      }
      push(copyOf: ended.parent, interpreter)
      frames[0].counter += 1
    }
    let call = interpreter.process.code[Int(frames[frames.count - 1].counter) - 1]
    if case .call(_, let base, _) = call { self[base] = result }
    if case .callClosure(_, let base, _) = call { self[base] = result }
    return .next
  }

  /// The key of what happens at a site; counts the visit.
  private mutating func key(at site: SiteID, _ interpreter: borrowing Interpreter) -> UInt64? {
    let place = interpreter.process.sites[Int(site.index)]
    guard let frame = frames[frames.count - 1].key else { return nil }
    if place.counter < 0 { return RandomStreams.key(frame, salt: place.salt, ordinal: 0) }
    let counter = Register(Int(place.counter))
    guard let ordinal = self[counter] else { return nil }
    self[counter] = ordinal &+ 1
    return RandomStreams.key(frame, salt: place.salt, ordinal: ordinal)
  }

  private mutating func drawn(
    _ distribution: Distribution, _ site: SiteID, _ base: Register, _ count: Int,
    _ interpreter: borrowing Interpreter
  ) -> Int64? {
    guard let key = key(at: site, interpreter) else { return nil }
    var given: [Int64] = []
    for index in 0..<count {
      guard let value = self[Register(Int(base.index) + index)] else { return nil }
      given.append(value)
    }
    return given.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return nil }
      return interpreter.draw(distribution, key, first, count)
    }
  }

  // MARK: Arrays

  private mutating func useArray(
    _ instruction: Instruction, _ interpreter: borrowing Interpreter
  ) {
    switch instruction {
    case .arrayMake(let to, let base, let count):
      self[to] = objects.makeArray(values(from: base, Int(count)))
    case .arrayCopy(let to, let from): self[to] = objects.copy(ofArray: self[from], interpreter)
    case .arrayAppend(let array, let value):
      objects.append(self[value], to: self[array], interpreter)
    case .arraySet(let array, let index, let value):
      objects.set(self[index], of: self[array], to: self[value], interpreter)
    case .arrayInsert(let array, let index, let value):
      objects.insert(self[value], at: self[index], of: self[array], interpreter)
    case .arrayRemove(let to, let array, let index):
      self[to] = objects.remove(at: self[index], of: self[array], interpreter)
    case .arrayCount(let to, let array): self[to] = objects.count(of: self[array], interpreter)
    case .arrayGet(let to, let array, let index):
      self[to] = objects.element(at: self[index], of: self[array], interpreter)
    case .entryGet(let to, let dictionary, let key):
      self[to] = objects.entry(self[key], of: self[dictionary], interpreter)
    case .entrySet(let dictionary, let key, let value):
      objects.setEntry(self[key], of: self[dictionary], to: self[value], interpreter)
    case .entryRemove(let to, let dictionary, let key):
      self[to] = objects.removeEntry(self[key], of: self[dictionary], interpreter)
    case .entryKeys(let to, let dictionary):
      self[to] = objects.keys(of: self[dictionary], interpreter)
    default: fatalError("\(instruction) has no array")
    }
  }

  // MARK: The vocabulary

  private mutating func perform(
    _ primitive: Primitive, _ base: Register, _ interpreter: borrowing Interpreter
  ) -> Step {
    if case .doing(.work) = primitive {
      guard let length = self[base] else { return .end(.unknown) }
      if Arithmetic.fault(ofDuration: length) != nil { return .end(.burst) }
      work = min(work + interpreter.process.kernel.memory.slowed(length), Memory.mostWork)
      return .next
    }
    let isPause = primitive == .doing(.io) || primitive == .doing(.sleep)
    if !Self.neverWaits(primitive) && !(isPause && self[base] == 0) { return .end(.burst) }
    self[base] = nil
    return .next
  }

  /// Whether a call neither makes its thread wait nor takes its core from it.
  private static func neverWaits(_ primitive: Primitive) -> Bool {
    switch primitive {
    case .doing(.print), .doing(.printPart), .doing(.textIsBefore), .doing(.textHasPrefix),
      .doing(.textHasSuffix), .doing(.textContains), .doing(.textCount), .doing(.textUppercased),
      .doing(.textCapitalized), .doing(.textLowercased), .doing(.textNumber), .doing(.textPart),
      .doing(.textTraits), .doing(.textByte), .doing(.textScalar), .doing(.mark),
      .doing(.record), .doing(.sample),
      .doing(.allocate), .doing(.free),
      .doing(.autorelease), .doing(.autoreleasePoolPush), .doing(.autoreleasePoolPop),
      .lock(.make), .lock(.tryLock), .lock(.unlock), .lock(.signal), .lock(.broadcast),
      .semaphore(.make), .accelerator(.make), .semaphore(.signal), .group(.make), .group(.enter),
      .group(.leave),
      .executor, .continuation(.make), .taskGroup(.make), .taskGroup(.isEmpty),
      .taskGroup(.isCancelled), .asyncStream(.make):
      return true
    case .thread(let primitive): return primitive != .join && primitive != .exit
    case .doing, .object, .lock, .semaphore, .group, .queue, .once, .workItem, .dispatchSource,
      .app, .accelerator, .runLoop, .timer, .runLoopSource, .port, .observer, .operation,
      .operationQueue,
      .task, .taskGroup, .continuation, .asyncStream:
      return false
    }
  }
}
