extension Program {
  /// The first register that a path reads before it writes it, in words; nil for every program that a compiler makes.
  ///
  /// A frame takes memory that others have left, so a run with such a read may depend on the run before. Captured values and
  /// arguments are written when a block is entered. `width` says how many registers a primitive finds its arguments in.
  package func uninitialisedRead(_ width: (Primitive) -> Int) -> String? {
    for (index, block) in blocks.enumerated() where block.entry < block.end {
      let check = InitialisationCheck(
        program: self, block: block, owned: owned.isEmpty ? [] : owned[index])
      if let fault = check.fault(width) { return "block \(index) \(fault)" }
    }
    return nil
  }
}

/// Which registers have been written on every way to each instruction of a block.
///
/// What is done on all ways out of a scope is there once, with a register that says which way it is; it leads on by that. So
/// ways that such registers tell apart are looked at apart.
private struct InitialisationCheck {
  /// What is known at an instruction on some of the ways there.
  struct State: Equatable {
    /// What the registers that tell ways apart hold, where that is known.
    var ways: [Int64?]
    /// The registers that have been written.
    var written: RegisterSet
  }

  /// Numbers of registers, a bit for each.
  struct RegisterSet: Equatable {
    private var words: [UInt64]

    init(count: Int) { words = Array(repeating: 0, count: count / 64 + 1) }

    func contains(_ register: Int) -> Bool {
      words[register >> 6] & 1 << UInt64(register & 63) != 0
    }

    mutating func insert(_ register: Int) { words[register >> 6] |= 1 << UInt64(register & 63) }

    /// Keeps what the other has, too; says whether that is less.
    mutating func formIntersection(_ other: RegisterSet) -> Bool {
      var (isLess, index) = (false, 0)
      while index < words.count {
        let both = words[index] & other.words[index]
        if both != words[index] { (words[index], isLess) = (both, true) }
        index += 1
      }
      return isLess
    }
  }

  let program: Program
  let block: Block
  /// The registers whose objects the block lets go of.
  let owned: [OwnedRegister]
  /// The place in `State.ways` of each register that tells ways apart.
  private let telling: [Int32: Int]

  init(program: Program, block: Block, owned: [OwnedRegister]) {
    (self.program, self.block, self.owned) = (program, block, owned)
    var telling: [Int32: Int] = [:]
    let instructions = program.instructions[Int(block.entry)..<Int(block.end)]
    // A test for nil has the same form; a register that says which way it is gets several numbers.
    var numbers: [Int32: Set<Int64>] = [:]
    for case .constant(let number, let register) in instructions where number >= 0 {
      numbers[register.index, default: []].insert(number)
    }
    for instruction in instructions {
      guard case .equal(let test, let one, let other) = instruction, test == one,
        numbers[other.index, default: []].count > 1
      else { continue }
      for register in [test, other] where telling[register.index] == nil {
        telling[register.index] = telling.count
      }
    }
    self.telling = telling
  }

  /// The first read of a register that some way there has not written; nil when there is none.
  func fault(_ width: (Primitive) -> Int) -> String? {
    let entry = Int(block.entry)
    var states = [[State]](repeating: [], count: Int(block.end) - entry)
    var first = State(
      ways: Array(repeating: nil, count: telling.count),
      written: RegisterSet(count: Int(block.registerCount)))
    for index in 0..<Int(block.captureCount + block.parameterCount) { first.written.insert(index) }
    states[0] = [first]
    var open = [(entry, first)]
    while let (place, before) = open.popLast() {
      let instruction = program.instructions[place]
      if let read = reads(instruction, width).first(where: { !before.written.contains($0) }) {
        return "reads register \(read) in \(instruction), which not every way there has written"
      }
      let after = self.after(instruction, before)
      for next in successors(of: place, after) where next < Int(block.end) {
        if let met = meet(after, &states[next - entry]) { open.append((next, met)) }
      }
      guard instruction.mayThrow else { continue }
      for handler in block.handlers where Int(handler.start) <= place && place < Int(handler.end) {
        var caught = before
        caught.written.insert(Int(handler.error.index))
        if let origin = handler.origin { caught.written.insert(Int(origin.index)) }
        let target = Int(handler.target)
        if let met = meet(caught, &states[target - entry]) { open.append((target, met)) }
        break
      }
    }
    return nil
  }

  /// What is known behind an instruction.
  private func after(_ instruction: Instruction, _ before: State) -> State {
    var state = before
    var value: Int64?
    switch instruction {
    case .constant(let constant, _): value = constant
    case .equal(_, let one, let other):
      if let a = known(one, before), let b = known(other, before) { value = a == b ? 1 : 0 }
    default: break
    }
    for register in instruction.written {
      state.written.insert(Int(register.index))
      if let way = telling[register.index] { state.ways[way] = value }
    }
    return state
  }

  private func known(_ register: Register, _ state: State) -> Int64? {
    telling[register.index].flatMap { state.ways[$0] }
  }

  /// The instructions that may come behind the one at a place.
  private func successors(of place: Int, _ state: State) -> [Int] {
    switch program.instructions[place] {
    case .jump(let target): return [Int(target)]
    case .jumpIf(let test, let target):
      guard let value = known(test, state) else { return [place + 1, Int(target)] }
      return [value != 0 ? Int(target) : place + 1]
    case .jumpUnless(let test, let target):
      guard let value = known(test, state) else { return [place + 1, Int(target)] }
      return [value == 0 ? Int(target) : place + 1]
    case .jumpUnlessLess(_, _, let target): return [place + 1, Int(target)]
    // It does what the five behind it do, too, which have not what it is in the place of.
    case .submit: return [place + 6]
    default: return program.instructions[place].goesOn ? [place + 1] : []
    }
  }

  /// Takes what is known on a way into what is known on all like it; nil where that changes nothing.
  private func meet(_ state: State, _ present: inout [State]) -> State? {
    guard let index = present.firstIndex(where: { $0.ways == state.ways }) else {
      present.append(state)
      return state
    }
    return present[index].written.formIntersection(state.written) ? present[index] : nil
  }

  private func reads(_ instruction: Instruction, _ width: (Primitive) -> Int) -> [Int] {
    switch instruction {
    case .releaseOwned: owned.map { Int($0.register.index) }
    case .call(let callee, let base, _):
      window(base, Int(program.blocks[Int(callee.index)].parameterCount))
    case .closure(_, let body, let base), .submit(_, let body, let base):
      window(base, Int(program.blocks[Int(body.index)].captureCount))
    case .arrayMake(_, let base, let count): window(base, Int(count))
    case .draw(let base, _, let count, _): window(base, Int(count))
    case .perform(let primitive, let base, _): window(base, width(primitive))
    default: instruction.read.map { Int($0.index) }
    }
  }

  private func window(_ base: Register, _ count: Int) -> [Int] {
    Array(Int(base.index)..<Int(base.index) + count)
  }
}

extension Instruction {
  /// Whether an error of the trace can come out of it.
  fileprivate var mayThrow: Bool {
    switch self {
    case .call, .callClosure, .raise, .rethrow, .perform: true
    default: false
    }
  }

  /// The registers that it writes.
  package var written: [Register] {
    switch self {
    case .constant(_, let a), .copy(let a, _), .loadGlobal(let a, _), .readShared(let a, _),
      .readToChange(let a, _), .now(let a), .add(let a, _, _), .subtract(let a, _, _),
      .multiply(let a, _, _), .divide(let a, _, _), .remainder(let a, _, _),
      .shiftLeft(let a, _, _), .shiftRight(let a, _, _), .bitAnd(let a, _, _),
      .bitOr(let a, _, _), .bitXor(let a, _, _), .wrap(let a, _, _, _), .negate(let a, _),
      .scale(let a, _, _),
      .unscale(let a, _, _), .ratio(let a, _, _), .advance(let a, _, _), .equal(let a, _, _),
      .notEqual(let a, _, _), .less(let a, _, _), .lessOrEqual(let a, _, _), .not(let a, _),
      .increment(let a), .closure(let a, _, _), .textEnd(let a), .arrayMake(let a, _, _),
      .arrayCopy(let a, _), .arrayGet(let a, _, _), .arrayCount(let a, _),
      .arrayRemove(let a, _, _), .entryGet(let a, _, _), .entryRemove(let a, _, _),
      .entryKeys(let a, _), .instanceMake(let a, _, _), .instanceIs(let a, _, _),
      .fieldLoad(let a, _, _), .fieldRead(let a, _, _), .fieldReadToChange(let a, _, _),
      .hold(let a, _, _), .retain(let a, _, _), .release(let a, _), .loadWeak(let a, _),
      .call(_, let a, _), .callClosure(_, let a, _), .draw(let a, _, _, _),
      .perform(_, let a, _), .workConstant(_, let a), .drawConstant(_, let a),
      .nextRound(let a, _, _):
      [a]
    case .storeGlobal, .writeShared, .jump, .jumpIf, .jumpUnless, .jumpUnlessLess, .finish,
      .finishWith, .raise, .rethrow, .freeClosure, .textBegin, .textLiteral, .textValue,
      .arrayAppend,
      .arraySet, .arrayInsert, .entrySet, .fieldStore, .fieldWrite, .actorUse, .keep, .releaseOwned,
      .checkUnowned, .countElements, .adoptElements, .disownElements, .instanceEnd, .submit:
      []
    }
  }

  /// The registers that it reads, apart from windows of them.
  fileprivate var read: [Register] {
    switch self {
    case .copy(_, let a), .storeGlobal(_, let a), .writeShared(_, let a), .negate(_, let a),
      .not(_, let a), .jumpIf(let a, _), .jumpUnless(let a, _), .increment(let a),
      .callClosure(let a, _, _), .finishWith(let a), .raise(let a), .freeClosure(let a),
      .textValue(let a, _), .arrayCopy(_, let a), .arrayCount(_, let a), .entryKeys(_, let a),
      .instanceIs(_, let a, _), .fieldLoad(_, let a, _), .fieldRead(_, let a, _),
      .fieldReadToChange(_, let a, _), .keep(let a, _), .release(let a, _), .loadWeak(_, let a),
      .checkUnowned(let a), .countElements(let a, _), .adoptElements(let a, _),
      .disownElements(let a), .instanceEnd(let a):
      [a]
    // What such a register holds is let go of.
    case .hold(let a, let b, _), .retain(let a, let b, _), .rethrow(let a, let b): [a, b]
    case .add(_, let a, let b), .subtract(_, let a, let b), .multiply(_, let a, let b),
      .divide(_, let a, let b), .remainder(_, let a, let b), .shiftLeft(_, let a, let b),
      .shiftRight(_, let a, let b), .bitAnd(_, let a, let b), .bitOr(_, let a, let b),
      .bitXor(_, let a, let b), .wrap(_, let a, let b, _), .scale(_, let a, let b),
      .unscale(_, let a, let b),
      .ratio(_, let a, let b), .advance(_, let a, let b), .equal(_, let a, let b),
      .notEqual(_, let a, let b), .less(_, let a, let b), .lessOrEqual(_, let a, let b),
      .jumpUnlessLess(let a, let b, _), .arrayAppend(let a, let b), .arrayGet(_, let a, let b),
      .arrayRemove(_, let a, let b), .entryGet(_, let a, let b), .entryRemove(_, let a, let b),
      .fieldStore(let a, _, let b), .fieldWrite(let a, _, let b), .actorUse(let a, _, let b, _),
      .nextRound(let a, let b, _):
      [a, b]
    case .arraySet(let a, let b, let c), .arrayInsert(let a, let b, let c),
      .entrySet(let a, let b, let c):
      [a, b, c]
    case .constant, .loadGlobal, .readShared, .readToChange, .now, .jump, .call, .finish,
      .closure, .textBegin, .textLiteral, .textEnd, .arrayMake, .instanceMake, .releaseOwned, .draw,
      .perform, .workConstant, .drawConstant, .submit:
      []
    }
  }
}
