import SpindleGenerator
import SpindleModel

/// Changes one number of a program that leads somewhere.
enum ProgramDamage {
  /// Damages a program at one place.
  static func damage(_ program: inout Program, _ random: inout Randomness) {
    switch random.below(16) {
    case 0 where !program.blocks.isEmpty: damageBlock(&program, &random)
    case 1 where !program.blocks.isEmpty: damageBlock(&program, &random)
    case 2 where !program.sites.isEmpty:
      let index = random.below(program.sites.count)
      program.sites[index].counter = other(program.sites[index].counter, &random)
    case 3: damageTable(&program, &random)
    default: damageInstruction(&program, &random)
    }
  }

  /// Another number than `value`: one beside it, one that is no index, or any.
  private static func other(_ value: Int32, _ random: inout Randomness) -> Int32 {
    switch random.below(8) {
    case 0: value &+ 1
    case 1: value &- 1
    case 2: -1
    case 3: random.pick([Int32.min, Int32.max, -2, 1 << 16, 1 << 24])
    case 4: value &+ Int32(random.below(64)) &- 32
    case 5: Int32(truncatingIfNeeded: random.below(1 << 32))
    default: Int32(random.below(16))
    }
  }

  private static func damageBlock(_ program: inout Program, _ random: inout Randomness) {
    let index = random.below(program.blocks.count)
    var block = program.blocks[index]
    switch random.below(7) {
    case 0: block.entry = other(block.entry, &random)
    case 1: block.end = other(block.end, &random)
    case 2: block.registerCount = other(block.registerCount, &random)
    case 3: block.captureCount = other(block.captureCount, &random)
    case 4: block.name = NameID(Int(other(block.name.index, &random)))
    case 5:
      block = Block(
        entry: block.entry, end: block.end, registerCount: block.registerCount,
        captureCount: block.captureCount,
        parameterCount: other(block.parameterCount, &random) & Int32.max >> 1,
        handlers: block.handlers, name: block.name)
    default:
      guard !block.handlers.isEmpty else { return damageInstruction(&program, &random) }
      let which = random.below(block.handlers.count)
      var handler = block.handlers[which]
      switch random.below(5) {
      case 0: handler.start = other(handler.start, &random)
      case 1: handler.end = other(handler.end, &random)
      case 2: handler.target = other(handler.target, &random)
      case 3: handler.origin = Register(Int(other(handler.origin?.index ?? 0, &random)))
      default: handler.error = Register(Int(other(handler.error.index, &random)))
      }
      block.handlers[which] = handler
    }
    program.blocks[index] = block
  }

  private static func damageTable(_ program: inout Program, _ random: inout Randomness) {
    let block = BlockID(Int(other(0, &random)))
    switch random.below(8) {
    case 0: program.main = block
    case 1: program.initializer = block
    case 2: if !program.arrivals.isEmpty { program.arrivals[0].body = block }
    case 3: if !program.arrivals.isEmpty { program.arrivals[0].interval = block }
    case 4: program.names.removeLast(random.below(program.names.count) + 1)
    case 5: if !program.globals.isEmpty { program.globals.removeLast() }
    case 6: if !program.sites.isEmpty { program.sites.removeLast() }
    default: program.places = CodeTable(program.places.dropLast())
    }
  }

  private static func damageInstruction(_ program: inout Program, _ random: inout Randomness) {
    let place = random.below(program.instructions.count)
    var indices = InstructionIndices(chosen: -1) { $0 }
    _ = indices.instruction(program.instructions[place])
    guard indices.seen > 0 else {
      // A block whose end is gone goes on with the next one.
      program.instructions[place] = .textBegin
      return
    }
    let chosen = random.below(indices.seen)
    let copy = random
    indices = InstructionIndices(chosen: chosen) { value in
      var copy = copy
      return other(value, &copy)
    }
    program.instructions[place] = indices.instruction(program.instructions[place])
  }
}
