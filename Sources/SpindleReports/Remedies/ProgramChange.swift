package import SpindleModel

/// Makes a program of another one in which a remedy is taken.
package struct ProgramChange {
  private var program: Program
  /// By block: its copy, in which work takes less time.
  private var copies: [Int32: Int32] = [:]

  /// The program with the remedy; nil where it can't be applied, since the code can't be separated.
  ///
  /// No instruction of `program` may be a joined one. The result is as sound as the program was.
  package static func program(_ program: Program, with change: Remedy.Change) -> Program? {
    var changed = ProgramChange(program)
    let isTaken =
      switch change {
      case .faster(let places): changed.hasten(places)
      case .withoutLock(let places): changed.removeLock(places)
      }
    return isTaken && changed.program.fault() == nil ? changed.program : nil
  }

  private init(_ program: Program) { self.program = program }

  // MARK: Faster work

  /// Replaces the closure that is submitted at the first of `places` that submits one by a faster one.
  private mutating func hasten(_ places: [Int32]) -> Bool {
    for place in places {
      guard let index = closure(before: Int(place)),
        case .closure(let register, let block, let base) = program.instructions[index]
      else { continue }
      let blocks = reached(from: block.index)
      guard let blocks, blocks.contains(where: { hasWork($0) }) else { continue }
      for (offset, each) in blocks.enumerated() {
        copies[each] = Int32(program.blocks.count + offset)
      }
      for each in blocks where !copy(each) { return false }
      program.instructions[index] = .closure(
        register, BlockID(Int(copies[block.index] ?? block.index)), base: base)
      return true
    }
    return false
  }

  /// The instruction that creates the closure which is submitted at `place`: the nearest before it in its
  /// block.
  private func closure(before place: Int) -> Int? {
    guard let block = program.blocks.first(where: { Int($0.entry)..<Int($0.end) ~= place }) else {
      return nil
    }
    for index in (Int(block.entry)...place).reversed() {
      if case .closure = program.instructions[index] { return index }
    }
    return nil
  }

  /// The instructions of a block.
  private func code(of block: Int32) -> Range<Int> {
    Int(program.blocks[Int(block)].entry)..<Int(program.blocks[Int(block)].end)
  }

  private func hasWork(_ block: Int32) -> Bool {
    code(of: block).contains { program.instructions[$0].isWork }
  }

  /// A block, the functions that it calls, and the closures that it makes and calls in place.
  private func reached(from block: Int32) -> [Int32]? {
    var (found, next) = ([block], 0)
    while next < found.count {
      let code = code(of: found[next])
      next += 1
      let called = Set(
        code.compactMap { index -> Register? in
          guard case .callClosure(let register, _, _) = program.instructions[index] else {
            return nil
          }
          return register
        })
      for index in code {
        var inner: BlockID?
        switch program.instructions[index] {
        case .call(let callee, _, _): inner = callee
        case .closure(let register, let made, _) where called.contains(register): inner = made
        case .workConstant, .drawConstant, .nextRound, .submit: return nil
        default: break
        }
        if let inner, !found.contains(inner.index) { found.append(inner.index) }
      }
    }
    return found
  }

  /// Appends a copy of a block in which all work takes four fifths of the time; whether that could be done.
  private mutating func copy(_ number: Int32) -> Bool {
    let (old, code) = (program.blocks[Int(number)], code(of: number))
    let start = program.instructions.count
    // The position of each instruction in the copy: two more precede work.
    var moves: [Int32: Int32] = [:]
    var next = start
    for index in code {
      moves[Int32(index)] = Int32(next)
      next += program.instructions[index].isWork ? 3 : 1
    }
    moves[Int32(code.upperBound)] = Int32(next)
    let factor = Register(Int(old.registerCount))
    var (instructions, texts): ([Instruction], [SourceRange]) = ([], [])
    for index in code {
      let instruction = program.instructions[index]
      if case .perform(_, let base, _) = instruction, instruction.isWork {
        instructions.append(.constant(FixedDecimal.scale / 5 * 4, to: factor))
        instructions.append(.scale(base, base, by: factor))
        texts += [program.places[index], program.places[index]]
      }
      guard let moved = moved(instruction, moves) else { return false }
      instructions.append(moved)
      texts.append(program.places[index])
    }
    program.instructions = CodeTable(Array(program.instructions) + instructions)
    program.places = CodeTable(Array(program.places) + texts)
    var block = old
    (block.entry, block.end) = (Int32(start), Int32(next))
    block.registerCount += 1
    for index in block.handlers.indices {
      let handler = old.handlers[index]
      guard let first = moves[handler.start], let end = moves[handler.end] else { return false }
      // One that covers nothing may lead anywhere.
      guard let target = moves[handler.target] ?? (first < end ? nil : first) else { return false }
      block.handlers[index] = Block.Handler(
        start: first, end: end, target: target, error: handler.error)
    }
    if !program.owned.isEmpty { program.owned.append(program.owned[Int(number)]) }
    program.blocks.append(block)
    return true
  }

  /// An instruction for a copy: jumps lead within it, and calls to copies; nil when one is missing.
  private func moved(_ instruction: Instruction, _ moves: [Int32: Int32]) -> Instruction? {
    switch instruction {
    case .jump(let target): return moves[target].map { .jump($0) }
    case .jumpIf(let register, let target): return moves[target].map { .jumpIf(register, $0) }
    case .jumpUnless(let register, let target):
      return moves[target].map { .jumpUnless(register, $0) }
    case .jumpUnlessLess(let left, let right, let target):
      return moves[target].map { .jumpUnlessLess(left, right, $0) }
    case .call(let block, let base, let site):
      return .call(BlockID(Int(copies[block.index] ?? block.index)), base: base, site)
    case .closure(let register, let block, let base):
      return .closure(register, BlockID(Int(copies[block.index] ?? block.index)), base: base)
    default: return instruction
    }
  }

  // MARK: A lock that is not there

  /// Lets nothing be done where a lock is taken and given back.
  private mutating func removeLock(_ places: [Int32]) -> Bool {
    var removed = false
    for block in program.blocks.indices {
      let code = code(of: Int32(block))
      let taken = places.filter { code.contains(Int($0)) }.compactMap { call(at: Int($0), code) }
      let locks = Set(taken.map { definition(of: $0, code) })
      if taken.isEmpty { continue }
      for index in code {
        guard case .perform(.lock(let member), let base, _) = program.instructions[index],
          member.takesOrGivesBack, locks.contains(definition(of: index, code))
        else { continue }
        program.instructions[index] = .copy(base, from: base)
        removed = true
      }
    }
    return removed
  }

  /// The call that a lock was taken with: at a place, or just before it.
  private func call(at place: Int, _ code: Range<Int>) -> Int? {
    for index in [place, place - 1] where code.contains(index) {
      if case .perform(.lock, _, _) = program.instructions[index] { return index }
    }
    return nil
  }

  /// What the register of a call on a lock was given last; nil where that is not known.
  private func definition(of call: Int, _ code: Range<Int>) -> Instruction? {
    guard case .perform(_, let base, _) = program.instructions[call] else { return nil }
    let here = Register(0)
    for index in code.prefix(upTo: call).reversed() {
      switch program.instructions[index] {
      case .loadGlobal(base, let global): return .loadGlobal(here, global)
      case .copy(base, let from): return .copy(here, from: from)
      case .fieldLoad(base, let object, let field): return .fieldLoad(here, of: object, field)
      case .retain(base, let from, let kind): return .retain(here, from: from, kind)
      default: break
      }
    }
    return nil
  }
}

extension Instruction {
  /// Whether it occupies a core, for the time in its register.
  fileprivate var isWork: Bool {
    if case .perform(.doing(.work), _, _) = self { return true }
    return false
  }
}

extension LockPrimitive {
  /// Whether it takes a lock without a limit, or gives it back.
  fileprivate var takesOrGivesBack: Bool {
    switch self {
    case .lock, .unlock, .readLock, .writeLock: true
    case .make, .lockBefore, .tryLock, .wait, .waitUntil, .signal, .broadcast, .condition,
      .lockWhen, .lockWhenBefore, .tryLockWhen, .unlockWith, .tryReadLock, .tryWriteLock, .setValue,
      .access:
      false
    }
  }
}
