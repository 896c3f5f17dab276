import SpindleModel

/// Which calls that end waits stand in code, and in what it calls and makes: looked at, not run.
///
/// Conditions are not decided: what stands in a branch may be called. Values are known as far as they follow from what
/// registers, captured values, shared variables and properties hold when nothing can happen any more.
struct CodeReach {
  /// What registers may hold, as far as that is known.
  private typealias Known = [Register: [Int64]]

  /// How deep calls are followed, and how many instructions are looked at in one piece of work.
  private static let mostCalls = 12
  private static let mostInstructions = 4_000
  /// How many arguments of a call, and how many elements of an array, are followed.
  private static let mostArguments = 16
  private static let mostElements = 64

  /// What was found.
  private(set) var calls: Set<EndingCall> = []
  /// The instructions that make the calls, in the order in which they were met.
  private(set) var sites: [EndingSite] = []
  /// Whether some of the code was not looked at, or calls a closure that is not known.
  private(set) var isPartial = false
  private var left = CodeReach.mostInstructions

  /// Looks at a closure that was not entered: a frame, or the block of one that is still to be made.
  mutating func add(closure: FrameIndex, _ interpreter: borrowing Interpreter) {
    if closure.raw < -1 { return look(-2 - closure.raw, [:], Self.mostCalls, interpreter) }
    guard !closure.isNone, !interpreter.process.frames.isNative(closure) else { return }
    let block = interpreter.process.frames.block(closure)
    look(block, captured(closure, block, interpreter), Self.mostCalls, interpreter)
  }

  /// Looks at the `deinit` of an instance.
  mutating func add(
    deinit block: BlockID, of instance: Int64, _ interpreter: borrowing Interpreter
  ) {
    look(block.index, [Register(0): [instance]], Self.mostCalls, interpreter)
  }

  /// Looks at a block that needs nothing from outside.
  mutating func add(block: BlockID, _ interpreter: borrowing Interpreter) {
    look(block.index, [:], Self.mostCalls, interpreter)
  }

  /// Looks at what is left of code that waits in a call: of its frame and of those that it returns to, up to `last`.
  mutating func add(
    restFrom frame: FrameIndex, upTo last: FrameIndex = .none, _ interpreter: borrowing Interpreter
  ) {
    add(frame, upTo: last, isWhole: false, interpreter)
  }

  /// The same from the beginning on: also what is past, and what was skipped.
  ///
  /// What a register held then is taken for what it holds now, where the code does not say it.
  mutating func add(
    wholeOf frame: FrameIndex, upTo last: FrameIndex = .none, _ interpreter: borrowing Interpreter
  ) {
    add(frame, upTo: last, isWhole: true, interpreter)
  }

  private mutating func add(
    _ frame: FrameIndex, upTo last: FrameIndex, isWhole: Bool, _ interpreter: borrowing Interpreter
  ) {
    var next = frame
    if next.raw < -1 { return add(closure: next, interpreter) }
    while !next.isNone && next != last {
      if !interpreter.process.frames.isNative(next) {
        let block = interpreter.process.frames.block(next)
        let shape = interpreter.process.blocks[Int(block)]
        let counter = interpreter.process.frames.counter(next)
        // Another frame than the innermost stands in a call.
        let begin = next == frame ? counter : counter + 1
        var known: Known = [:]
        for register in 0..<Int(shape.registerCount) {
          let value = interpreter.process.frames.registers(next)[register]
          known[Register(register)] = [value]
        }
        let start = isWhole ? shape.entry : firstReached(from: begin, to: shape.end, interpreter)
        let kept = isWhole ? constant(known, in: shape, interpreter) : [:]
        look(from: start, to: shape.end, &known, kept, Self.mostCalls, interpreter)
      }
      next = interpreter.process.frames.parent(next)
    }
  }

  /// Where code begins that comes behind an instruction: a loop leads back.
  private func firstReached(
    from begin: Int32, to end: Int32, _ interpreter: borrowing Interpreter
  ) -> Int32 {
    var first = begin
    for place in begin..<max(begin, end) {
      switch interpreter.process.code[Int(place)] {
      case .jump(let target), .jumpIf(_, let target), .jumpUnless(_, let target),
        .jumpUnlessLess(_, _, let target), .nextRound(_, _, let target):
        first = min(first, target)
      default: break
      }
    }
    return first
  }

  /// The values of registers that one instruction alone writes: they held what they hold, once they held something.
  private func constant(_ known: Known, in block: Block, _ interpreter: borrowing Interpreter)
    -> Known
  {
    var writes: [Register: Int] = [:]
    for place in block.entry..<max(block.entry, block.end) {
      for register in interpreter.process.code[Int(place)].written {
        writes[register, default: 0] += 1
      }
    }
    return known.filter { (writes[$0.key] ?? 0) <= 1 }
  }

  private func captured(_ closure: FrameIndex, _ block: Int32, _ interpreter: borrowing Interpreter)
    -> Known
  {
    var known: Known = [:]
    for register in 0..<Int(interpreter.process.blocks[Int(block)].captureCount) {
      let value = interpreter.process.frames.registers(closure)[register]
      known[Register(register)] = [value]
    }
    return known
  }

  // MARK: Code

  private mutating func look(
    _ block: Int32, _ given: Known, _ depth: Int, _ interpreter: borrowing Interpreter
  ) {
    if depth == 0 || left <= 0 { return isPartial = true }
    var known = given
    let shape = interpreter.process.blocks[Int(block)]
    look(from: shape.entry, to: shape.end, &known, [:], depth, interpreter)
  }

  /// Looks at instructions; what one writes that is not known is what is `kept` of its register.
  private mutating func look(
    from begin: Int32, to end: Int32, _ known: inout Known, _ kept: Known, _ depth: Int,
    _ interpreter: borrowing Interpreter
  ) {
    for place in begin..<max(begin, end) {
      left -= 1
      if left <= 0 { return isPartial = true }
      let instruction = interpreter.process.code[Int(place)]
      switch instruction {
      case .perform(let primitive, let base, _): note(primitive, base, place, known)
      case .call(let called, let base, _):
        look(called.index, window(base, Self.mostArguments, known), depth - 1, interpreter)
      case .callClosure(let register, let base, _):
        follow(known[register], window(base, Self.mostArguments, known), depth, interpreter)
      case .closure(_, let block, let base), .submit(_, let block, let base):
        let count = Int(interpreter.process.blocks[Int(block.index)].captureCount)
        look(block.index, window(base, count, known), depth - 1, interpreter)
      default: break
      }
      pass(instruction, &known, kept, interpreter)
    }
  }

  /// Looks at a closure that is called; one that the code has made itself was looked at then.
  private mutating func follow(
    _ closure: [Int64]?, _ arguments: Known, _ depth: Int,
    _ interpreter: borrowing Interpreter
  ) {
    guard let closure else { return isPartial = true }
    for value in closure where value > 0 && value <= Int64(Int32.max) {
      let frame = FrameIndex(register: value)
      guard interpreter.process.frames.contains(frame) else { continue }
      let block = interpreter.process.frames.block(frame)
      guard block >= 0, Int(block) < interpreter.process.blocks.count,
        interpreter.process.frames.parent(frame) == Process.untaken
      else { continue }
      var known = captured(frame, block, interpreter)
      let count = Int(interpreter.process.blocks[Int(block)].captureCount)
      for (register, value) in arguments { known[Register(Int(register.index) + count)] = value }
      look(block, known, depth - 1, interpreter)
    }
  }

  private mutating func note(
    _ primitive: Primitive, _ base: Register, _ place: Int32, _ known: Known
  ) {
    guard let form = EndingCall.form(of: primitive) else { return }
    guard let object = known[Register(Int(base.index) + form.argument)] else {
      calls.insert(EndingCall(verb: form.verb, object: -1))
      return
    }
    for value in object where value != noValue {
      let call = EndingCall(verb: form.verb, object: Process.index(value))
      calls.insert(call)
      sites.append(EndingSite(call: call, place: place))
    }
  }

  /// What registers from one on hold, numbered from 0.
  private func window(_ base: Register, _ count: Int, _ known: Known)
    -> Known
  {
    var found: Known = [:]
    for ordinal in 0..<count {
      found[Register(ordinal)] = known[Register(Int(base.index) + ordinal)]
    }
    return found
  }

  // MARK: Values

  /// What registers hold behind an instruction, where that is known.
  private func pass(
    _ instruction: Instruction, _ known: inout Known, _ kept: Known,
    _ interpreter: borrowing Interpreter
  ) {
    var (result, to): ([Int64]?, Register?) = (nil, nil)
    switch instruction {
    case .constant(let value, let register): (result, to) = ([value], register)
    case .copy(let register, let from), .retain(let register, let from, _),
      .hold(let register, let from, _), .loadWeak(let register, let from):
      (result, to) = (known[from], register)
    case .loadGlobal(let register, let global), .readShared(let register, let global),
      .readToChange(let register, let global):
      (result, to) = ([interpreter.globals[Int(global.index)]], register)
    case .fieldLoad(let register, let instance, let field),
      .fieldRead(let register, let instance, let field),
      .fieldReadToChange(let register, let instance, let field):
      (result, to) = (self.field(field, of: known[instance], interpreter), register)
    case .arrayCopy(let register, let from): (result, to) = (known[from], register)
    case .arrayGet(let register, let array, _), .arrayRemove(let register, let array, _),
      .entryGet(let register, let array, _), .entryRemove(let register, let array, _):
      (result, to) = (elements(of: known[array], interpreter), register)
    // It was looked at when it was made.
    case .closure(let register, _, _): (result, to) = ([], register)
    default: break
    }
    for register in instruction.written { known[register] = kept[register] }
    if let to { known[to] = result ?? kept[to] }
  }

  private func field(
    _ number: Int32, of instance: [Int64]?, _ interpreter: borrowing Interpreter
  ) -> [Int64]? {
    guard let instance else { return nil }
    var found: [Int64] = []
    for value in instance
    where value != noValue && InstanceTable.index(value) >= 0
      && Int(InstanceTable.index(value)) < interpreter.process.instances.count
      && interpreter.process.instances.isThere(value)
    {
      let type = Int(interpreter.process.instances.instance(value).type)
      let count = interpreter.process.program.classes[type].fields.count
      if Int(number) >= count { continue }
      found.append(
        interpreter.process.instances.field(number, of: value, count).pointee.value)
    }
    return found.isEmpty ? nil : found
  }

  private func elements(of array: [Int64]?, _ interpreter: borrowing Interpreter) -> [Int64]? {
    guard let array else { return nil }
    var found: [Int64] = []
    for value in array
    where value >= 0 && value < Int64(interpreter.process.arrays.count) {
      found += interpreter.process.arrays[Int(value)].prefix(Self.mostElements)
    }
    return found.isEmpty ? nil : found
  }
}
