extension Program {
  /// What makes the program unfit to be run, in words; nil for every program that a compiler makes.
  ///
  /// Whoever runs a program reaches its instructions, blocks and registers by number without looking
  /// again, so a number that leads elsewhere would read or change what is no part of the run. What holds
  /// of a program that passes:
  /// - The names that every program knows come first. Every instruction has a place in the text.
  /// - A block is a stretch of the instructions; no two share one. One without instructions, which is what
  ///   is left of code that could not be reached, is named by nothing.
  /// - A block's instructions use the registers of its frame, and jumps stay within it: also those of its
  ///   handlers that cover anything. Its last instruction never goes on to the next one.
  /// - Captured values come before arguments, and both are registers. What is entered without a closure,
  ///   as functions, main and the world's blocks are, captures nothing.
  /// - Blocks, sites, globals and names that are named are there. Only a call of the vocabulary may have
  ///   no site, -1. A site counts in a register of each block that it stands in, or, below 0, does not.
  /// - What stands for several instructions has all of these behind it in its block.
  ///
  /// What a register holds is not known here: who takes a value for an index looks at it when it does.
  /// Linear in the size of the program.
  package func fault() -> String? {
    if let fault = tableFault() { return fault }
    return instructions.withUnsafeBufferPointer { code in
      blocks.withUnsafeBufferPointer { blocks in
        sites.withUnsafeBufferPointer { sites in
          ProgramCheck(
            code: code, blocks: blocks, sites: sites, names: names.count, globals: globals.count,
            classes: classes.count
          ).fault()
        }
      }
    }
  }

  /// What is wrong beside blocks and instructions.
  private func tableFault() -> String? {
    if places.count != instructions.count {
      return "\(instructions.count) instructions have \(places.count) places"
    }
    if !owned.isEmpty && owned.count != blocks.count {
      return "\(owned.count) blocks of \(blocks.count) say what they hold"
    }
    for (block, registers) in zip(blocks, owned) {
      for each in registers where each.register.index >= block.registerCount {
        return "register \(each.register.index) of \(block.registerCount) holds what it has"
      }
    }
    let known = WellKnownName.allCases
    if names.count < known.count || !zip(names, known).allSatisfy({ $0 == $1.text }) {
      return "the first names are not those that every program has"
    }
    for name in threadNames where !names.indices.contains(Int(name.index)) {
      return "a thread has name \(name.index) of \(names.count)"
    }
    for each in classes {
      if case .globalActor(let shared) = each.deinitHome,
        !globals.indices.contains(Int(shared.index))
      {
        return "class '\(each.name)' ends on global \(shared.index) of \(globals.count)"
      }
    }
    for final in finalValues where !globals.indices.contains(Int(final.global.index)) {
      return "a final value is kept in global \(final.global.index) of \(globals.count)"
    }
    if let fault = arrivals.lazy.compactMap(\.schedule?.fault).first { return fault }
    let roots = [initializer, main].compactMap(\.self) + arrivals.map(\.interval)
    for root in roots + arrivals.map(\.body) + finalValues.map(\.block) {
      let index = Int(root.index)
      guard blocks.indices.contains(index) else {
        return "block \(index) of \(blocks.count) is run"
      }
      if blocks[index].captureCount != 0 || blocks[index].entry == blocks[index].end {
        return "block \(index) is run, which is empty or captures values"
      }
    }
    return nil
  }
}

/// Looks through the blocks of a program and their instructions once; see `Program.fault`.
struct ProgramCheck {
  let code: UnsafeBufferPointer<Instruction>
  let blocks: UnsafeBufferPointer<Block>
  let sites: UnsafeBufferPointer<Site>
  let names: Int
  let globals: Int
  let classes: Int

  /// The first thing that is wrong, in words; nil when nothing is.
  func fault() -> String? {
    var left = code.count
    for (index, block) in blocks.enumerated() {
      if let fault = fault(of: block) { return "block \(index) \(fault)" }
      left -= Int(block.end - block.entry)
      if left < 0 { return "block \(index) shares instructions with another one" }
    }
    for (index, block) in blocks.enumerated() {
      let room = Room(block)
      for place in Int(block.entry)..<Int(block.end) where !fits(place, room) {
        return "instruction \(place), \(code[place]), does not fit into block \(index), which has "
          + "instructions \(block.entry)..<\(block.end) and \(block.registerCount) registers"
      }
    }
    return nil
  }

  /// What is wrong with a block apart from its instructions.
  private func fault(of block: Block) -> String? {
    if block.entry < 0 || block.end < block.entry || Int(block.end) > code.count {
      return "has instructions \(block.entry)..<\(block.end) of \(code.count)"
    }
    let taken = Int(block.captureCount) + Int(block.parameterCount)
    if block.captureCount < 0 || block.parameterCount < 0 || taken > Int(block.registerCount) {
      return "has \(block.registerCount) registers for \(block.captureCount) captured values and "
        + "\(block.parameterCount) arguments"
    }
    if block.name.index < -1 || Int(block.name.index) >= names {
      return "has name \(block.name.index) of \(names)"
    }
    if block.entry == block.end { return nil }
    let room = Room(block)
    for handler in block.handlers where handler.start < handler.end {
      if !room.has(handler.target) || !room.has(handler.error)
        || handler.origin.map({ !room.has($0) }) == true
      {
        return "has a handler at \(handler.target) with register \(handler.error.index)"
      }
    }
    return code[Int(block.end) - 1].goesOn ? "goes on behind its last instruction" : nil
  }

  /// What the instructions of a block may use.
  struct Room {
    let entry: UInt32
    let length: UInt32
    let registers: UInt32

    /// Whether an instruction is one of the block.
    @inline(__always)
    func has(_ target: Int32) -> Bool { UInt32(bitPattern: target) &- entry < length }

    /// Whether a register is one of its frame.
    @inline(__always)
    func has(_ register: Register) -> Bool { UInt32(bitPattern: register.index) < registers }

    /// Whether these are.
    @inline(__always)
    func has(_ a: Register, _ b: Register) -> Bool { has(a) && has(b) }

    /// Whether these are.
    @inline(__always)
    func has(_ a: Register, _ b: Register, _ c: Register) -> Bool { has(a) && has(b) && has(c) }

    /// Whether so many registers from `base` on are.
    @inline(__always)
    func has(_ base: Register, count: Int32) -> Bool {
      count >= 0 && base.index >= 0 && Int(base.index) + Int(count) <= Int(registers)
    }

    /// Whether the instruction so many behind `place` is one of the block.
    @inline(__always)
    func has(_ place: Int, plus offset: Int) -> Bool {
      has(Int32(truncatingIfNeeded: place &+ offset))
    }

    /// The room that a sound block gives.
    @inline(__always)
    init(_ block: Block) {
      entry = UInt32(bitPattern: block.entry)
      length = UInt32(bitPattern: block.end - block.entry)
      registers = UInt32(bitPattern: block.registerCount)
    }
  }

  // MARK: Instructions

  /// Whether an instruction uses only what there is.
  @inline(__always)
  private func fits(_ place: Int, _ room: Room) -> Bool {
    switch code[place] {
    case .constant(_, let a), .now(let a), .increment(let a), .finishWith(let a), .raise(let a),
      .freeClosure(let a), .textEnd(let a), .textValue(let a, _):
      room.has(a)
    case .rethrow(let a, let b), .copy(let a, let b), .negate(let a, let b), .not(let a, let b),
      .arrayCopy(let a, let b), .arrayAppend(let a, let b), .arrayCount(let a, let b),
      .entryKeys(let a, let b), .hold(let a, let b, _), .retain(let a, let b, _),
      .loadWeak(let a, let b):
      room.has(a, b)
    case .add(let a, let b, let c), .subtract(let a, let b, let c), .multiply(let a, let b, let c),
      .divide(let a, let b, let c), .remainder(let a, let b, let c), .advance(let a, let b, let c),
      .shiftLeft(let a, let b, let c), .shiftRight(let a, let b, let c),
      .bitAnd(let a, let b, let c), .bitOr(let a, let b, let c), .bitXor(let a, let b, let c),
      .wrap(let a, let b, let c, _), .scale(let a, let b, let c), .unscale(let a, let b, let c),
      .ratio(let a, let b, let c), .equal(let a, let b, let c), .notEqual(let a, let b, let c),
      .less(let a, let b, let c), .lessOrEqual(let a, let b, let c), .arrayGet(let a, let b, let c),
      .arraySet(let a, let b, let c), .arrayInsert(let a, let b, let c),
      .arrayRemove(let a, let b, let c), .entryGet(let a, let b, let c),
      .entrySet(let a, let b, let c), .entryRemove(let a, let b, let c):
      room.has(a, b, c)
    case .instanceMake(let a, let made, let name):
      room.has(a) && UInt(bitPattern: Int(made.index)) < UInt(classes)
        && (name == .none || UInt(bitPattern: Int(name.index)) < UInt(names))
    case .instanceIs(let a, let b, let asked):
      room.has(a, b) && UInt(bitPattern: Int(asked.index)) < UInt(classes)
    case .keep(let a, _), .release(let a, _), .checkUnowned(let a), .countElements(let a, _),
      .adoptElements(let a, _), .disownElements(let a), .instanceEnd(let a):
      room.has(a)
    case .releaseOwned: true
    case .fieldLoad(let a, let b, let field), .fieldRead(let a, let b, let field),
      .fieldReadToChange(let a, let b, let field), .fieldStore(let a, let field, let b),
      .fieldWrite(let a, let field, let b), .actorUse(let a, let field, let b, _):
      room.has(a, b) && field >= 0
    case .loadGlobal(let a, let global), .storeGlobal(let global, let a),
      .readShared(let a, let global), .readToChange(let a, let global),
      .writeShared(let global, let a):
      room.has(a) && has(global)
    case .jump(let target): room.has(target)
    case .jumpIf(let a, let target), .jumpUnless(let a, let target): room.has(a) && room.has(target)
    case .jumpUnlessLess(let a, let b, let target): room.has(a, b) && room.has(target)
    case .finish, .textBegin: true
    case .textLiteral(let name): UInt(bitPattern: Int(name.index)) < UInt(names)
    case .call(let block, let base, let site): fits(call: block, base, site, room)
    case .callClosure(let a, let base, let site): room.has(a, base) && has(site, room)
    case .closure(let a, let block, let base): room.has(a) && fits(closure: block, base, room)
    case .arrayMake(let a, let base, let count): room.has(a) && room.has(base, count: count)
    case .draw(let base, let site, let count, let distribution):
      room.has(base, count: max(distribution.leastParameters, Int32(count))) && has(site, room)
        && Int32(count) >= distribution.leastParameters
    case .perform(_, let base, let site):
      room.has(base) && (site.index == -1 || has(site, room))
    case .workConstant(_, let a), .drawConstant(_, let a):
      room.has(a) && room.has(place, plus: 2)
    case .nextRound(let a, let b, let head):
      room.has(a, b) && room.has(head) && room.has(Int(head), plus: 1)
    case .submit(let global, let block, let base):
      has(global) && fits(closure: block, base, room) && fits(submission: place, room)
    }
  }

  /// Whether the block that is called can be entered, with its arguments and its result.
  private func fits(call block: BlockID, _ base: Register, _ site: SiteID, _ room: Room) -> Bool {
    guard isEnterable(block), has(site, room) else { return false }
    let callee = blocks[Int(block.index)]
    return callee.captureCount == 0 && room.has(base, count: max(1, callee.parameterCount))
  }

  /// Whether the block of a closure can be entered, and its captured values are registers.
  @inline(__always)
  private func fits(closure block: BlockID, _ base: Register, _ room: Room) -> Bool {
    isEnterable(block) && room.has(base, count: blocks[Int(block.index)].captureCount)
  }

  /// Whether there stands behind a `.submit` all that it stands for.
  private func fits(submission place: Int, _ room: Room) -> Bool {
    guard room.has(place, plus: 6), case .constant(_, let name) = code[place + 1],
      case .constant = code[place + 2], case .closure = code[place + 4],
      case .perform(.executor(.async), _, let site) = code[place + 5]
    else { return false }
    return name.index > 0 && has(site, room)
  }

  @inline(__always)
  private func isEnterable(_ block: BlockID) -> Bool {
    guard UInt(bitPattern: Int(block.index)) < UInt(blocks.count) else { return false }
    let start = blocks.baseAddress.unsafelyUnwrapped + Int(block.index)
    return start.pointee.entry != start.pointee.end
  }

  @inline(__always)
  private func has(_ global: GlobalID) -> Bool {
    UInt(bitPattern: Int(global.index)) < UInt(globals)
  }

  /// Whether a site is there, and the register that it counts in.
  @inline(__always)
  private func has(_ site: SiteID, _ room: Room) -> Bool {
    guard UInt(bitPattern: Int(site.index)) < UInt(sites.count) else { return false }
    let counter = sites[Int(site.index)].counter
    return counter < 0 || UInt32(bitPattern: counter) < room.registers
  }
}

extension Instruction {
  /// Whether the instruction behind it can be the next one.
  var goesOn: Bool {
    switch self {
    case .finish, .finishWith, .raise, .rethrow, .jump, .instanceEnd: false
    case .perform(.doing(.fatalError), _, _), .perform(.doing(.trap), _, _),
      .perform(.doing(.uncaught), _, _),
      .perform(.doing(.exit), _, _),
      .perform(.thread(.exit), _, _), .perform(.queue(.dispatchMain), _, _):
      false
    default: true
    }
  }
}

extension Distribution {
  /// How many parameters it has, or at least has.
  fileprivate var leastParameters: Int32 {
    switch self {
    case .exponential, .choice: 1
    case .uniform, .normal, .pareto: 2
    }
  }
}
