import SpindleModel

/// Follows the initialisers in their order, through all that they call.
struct EarlyReadFlow {
  /// A value that is read before its line.
  struct Fault {
    let place: SourceRange
    let reader: NameID
    let global: Int32
  }

  private var stored: Set<Int32>
  private var told: Set<Int32> = []
  private var faults: [Fault] = []

  /// Creates what knows of no read, where some globals get their values when they are first used.
  init(stored: [Int32]) { self.stored = Set(stored) }

  /// The values that are read before their lines, each once, where `constants` gives those that a block reads
  /// and that are known before the run.
  ///
  /// Linear in the code: what a function reads is looked at with the first line that calls it, and what has its
  /// value then has it later.
  mutating func follow(
    _ code: CodeBuilder, _ top: BlockID, _ classes: [ProgramClass],
    constants: (BlockID) -> [Int32]
  ) -> [Fault] {
    // Closures run within an initialiser only where something calls one.
    let followsClosures = code.reachable(from: [top], classes, withClosures: true).contains {
      code.callsClosure($0)
    }
    var seen: Set<Int32> = [top.index]
    code.forEachInstruction(of: top) { index, instruction in
      if case .storeGlobal(let global, _) = instruction { stored.insert(global.index) }
      let callees = code.callees(instruction, classes, isKept: true, withClosures: followsClosures)
      guard !callees.isEmpty else { return }
      let place = code.stack.place(index)
      for block in code.reachable(from: callees, classes, withClosures: followsClosures, &seen) {
        let reader = code.blocks[Int(block.index)].name
        for global in code.reads(block) + constants(block)
        where !stored.contains(global) && told.insert(global).inserted {
          faults.append(Fault(place: place, reader: reader, global: global))
        }
      }
    }
    return faults
  }
}

extension CodeBuilder {
  /// Whether a complete block calls a function.
  func calls(_ block: BlockID) -> Bool {
    var found = false
    forEachInstruction(of: block) { _, instruction in
      if case .call = instruction { found = true }
      if case .callClosure = instruction { found = true }
    }
    return found
  }

  /// Whether it calls a closure.
  fileprivate func callsClosure(_ block: BlockID) -> Bool {
    var found = false
    forEachInstruction(of: block) { _, instruction in
      if case .callClosure = instruction { found = true }
    }
    return found
  }

  /// The globals that it reads.
  fileprivate func reads(_ block: BlockID) -> [Int32] {
    var found: [Int32] = []
    forEachInstruction(of: block) { _, instruction in
      switch instruction {
      case .loadGlobal(_, let global), .readShared(_, let global), .readToChange(_, let global):
        found.append(global.index)
      default: break
      }
    }
    return found
  }

  /// What an instruction may run at once: a function, where wanted a closure, and the `deinit` of what a function
  /// makes for itself.
  fileprivate func callees(
    _ instruction: Instruction, _ classes: [ProgramClass], isKept: Bool, withClosures: Bool
  ) -> [BlockID] {
    switch instruction {
    case .call(let block, base: _, _): [block]
    case .closure(_, let block, base: _): withClosures ? [block] : []
    case .instanceMake(_, let made, _) where !isKept:
      classes[Int(made.index)].deinitializer.map { [$0] } ?? []
    default: []
    }
  }

  /// The blocks that may run when some do, themselves included.
  fileprivate func reachable(
    from blocks: [BlockID], _ classes: [ProgramClass], withClosures: Bool, _ seen: inout Set<Int32>
  ) -> [BlockID] {
    var found = blocks.filter { seen.insert($0.index).inserted }
    var next = 0
    while next < found.count {
      let block = found[next]
      next += 1
      // What an initialiser makes is kept by what it fills.
      let isKept = names[Int(self.blocks[Int(block.index)].name.index)].hasSuffix(".init")
      forEachInstruction(of: block) { _, instruction in
        found += callees(instruction, classes, isKept: isKept, withClosures: withClosures)
          .filter { seen.insert($0.index).inserted }
      }
    }
    return found
  }

  fileprivate func reachable(
    from blocks: [BlockID], _ classes: [ProgramClass], withClosures: Bool
  ) -> [BlockID] {
    var seen: Set<Int32> = []
    return reachable(from: blocks, classes, withClosures: withClosures, &seen)
  }

  /// Goes through the instructions of a complete block, with their places among all.
  fileprivate func forEachInstruction(of block: BlockID, _ body: (Int, Instruction) -> Void) {
    let (entry, end) = (Int(blocks[Int(block.index)].entry), Int(blocks[Int(block.index)].end))
    stack.withComplete { code in
      for index in entry..<end { body(index, code[index]) }
    }
  }
}
