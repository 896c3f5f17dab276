import SpindleModel
import SpindleSimulator

/// A program that is put together instruction by instruction, with no text and no compiler.
struct HandMadeProgram {
  private(set) var program = Program()
  private var code: [Instruction] = []

  /// No site: what is called there draws nothing and makes nothing that has a key.
  static let nowhere = SiteID(-1)

  init(cores: Int = 1, platform: Platform = .ideal, policy: Configuration? = nil) {
    program.machine.platform = platform
    program.machine.cores = Array(repeating: CoreDescription(), count: cores)
    program.machine.costs = Configuration(name: "zero")
    program.machine.policy = policy
  }

  /// Adds a block; a jump in it counts from its own first instruction.
  mutating func block(
    _ name: String, registers: Int = 8, handlers: [Block.Handler] = [],
    _ instructions: [Instruction]
  ) -> BlockID {
    let entry = Int32(code.count)
    code += instructions.map { instruction in
      if case .jumpUnlessLess(let left, let right, let target) = instruction {
        return .jumpUnlessLess(left, right, target + entry)
      }
      if case .jump(let target) = instruction { return .jump(target + entry) }
      return instruction
    }
    var moved = handlers
    for index in moved.indices {
      moved[index].start += entry
      moved[index].end += entry
      moved[index].target += entry
    }
    program.blocks.append(
      Block(
        entry: entry, end: Int32(code.count), registerCount: Int32(registers), captureCount: 0,
        parameterCount: 0, handlers: moved, name: name.isEmpty ? .none : self.name(name)))
    return BlockID(program.blocks.count - 1)
  }

  /// Makes `block` the main thread's.
  mutating func setMain(_ block: BlockID) { program.main = block }

  /// Lets `block` run before everything else.
  mutating func setInitializer(_ block: BlockID) { program.initializer = block }

  mutating func setSeed(_ seed: UInt64) { program.seed = seed }

  /// The number of a text.
  mutating func name(_ text: String) -> NameID {
    program.names.append(text)
    return NameID(program.names.count - 1)
  }

  /// A place where something gets a key of its own.
  mutating func site() -> SiteID {
    program.sites.append(Site(salt: UInt32(program.sites.count + 1), counter: -1))
    return SiteID(program.sites.count - 1)
  }

  mutating func kind(_ pattern: String) -> Int64 {
    program.kinds.append(WorkKind(pattern: pattern, isNamed: true))
    return Int64(program.kinds.count - 1)
  }

  mutating func global(_ name: String, _ handle: HandleClass) -> GlobalID {
    program.globals.append(
      Global(
        name: name, format: .object, isVariable: false, place: SourceRange(0, 0), handle: handle))
    return GlobalID(program.globals.count - 1)
  }

  /// Calls a member of the vocabulary with these arguments, from a register on; a global is loaded.
  static func call(
    _ primitive: Primitive, at register: Int = 0, _ arguments: [Argument], _ site: SiteID = nowhere
  ) -> [Instruction] {
    var instructions = arguments.enumerated().map { index, argument -> Instruction in
      let target = Register(register + index)
      switch argument {
      case .value(let value): return .constant(value, to: target)
      case .global(let global): return .loadGlobal(target, global)
      case .closure(let block): return .closure(target, block, base: target)
      }
    }
    instructions.append(.perform(primitive, base: Register(register), site))
    return instructions
  }

  enum Argument {
    case value(Int64)
    case global(GlobalID)
    case closure(BlockID)

    static let left = Argument.value(noValue)
    static func milliseconds(_ count: Int64) -> Argument { .value(count * 1_000_000) }
  }

  /// The whole program.
  mutating func finished() -> Program {
    program.instructions = CodeTable(code)
    program.places = CodeTable(code.map { _ in SourceRange(0, 0) })
    return program
  }

  /// Runs the program, and checks the state after every event.
  mutating func run() -> (record: RunRecord, log: [LogEntry]) {
    let entries = Entries()
    var limits = RunLimits()
    limits.checksInvariants = true
    let record = Simulation(finished(), limits: limits).run(consumers: [entries])
    return (record, entries.all)
  }
}

/// All entries of a log.
final class Entries: LogConsumer {
  private(set) var all: [LogEntry] = []

  func begin(_ run: RunDescription) {}
  func receive(_ entries: UnsafeBufferPointer<LogEntry>) { all += entries }
  func end(_ record: RunRecord) {}
}
