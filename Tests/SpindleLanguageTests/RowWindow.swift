import SpindleModel

/// What the registers of a primitive's window hold when it is performed, as a text.
///
/// Follows the instructions of `main` as far as they stand in a line: a global by its name, a
/// closure as `{}`, one that takes parameters as `{n}`, what another primitive gives by that one's
/// name, nothing as `-`.
struct RowWindow {
  private var held: [Int32: String] = [:]
  private let program: Program

  /// The windows of all uses of `primitive` in the block `main`, in order.
  static func windows(of primitive: Primitive, _ width: Int, in program: Program) -> [String] {
    var window = RowWindow(program: program)
    var found: [String] = []
    guard let main = program.main else { return [] }
    let block = program.blocks[Int(main.index)]
    for index in Int(block.entry)..<Int(block.end) {
      let instruction = program.instructions[index]
      if case .perform(primitive, let base, let site) = instruction {
        let registers = (0..<width).map { window.held[base.index + Int32($0)] ?? "?" }
        found.append((registers + (site.index >= 0 ? ["@"] : [])).joined(separator: " "))
      }
      window.follow(instruction)
    }
    return found
  }

  private init(program: Program) {
    self.program = program
  }

  private mutating func follow(_ instruction: Instruction) {
    switch instruction {
    case .constant(let value, let register): held[register.index] = text(value)
    case .copy(let register, let from): held[register.index] = held[from.index]
    case .loadGlobal(let register, let global):
      held[register.index] = program.globals[Int(global.index)].name
    case .closure(let register, let block, _):
      let count = program.blocks[Int(block.index)].parameterCount
      held[register.index] = count == 0 ? "{}" : "{\(count)}"
    case .now(let register): held[register.index] = "now"
    case .perform(.queue(.syncEnter), _, _): break
    case .perform(let primitive, let base, _): held[base.index] = "\(primitive)"
    default: break
    }
  }

  private func text(_ value: Int64) -> String {
    if value == noValue { return "-" }
    // Well-known names and small numbers are numbers here, and so is what no name has.
    let isName = (WellKnownName.allCases.count..<program.names.count).contains(Int(value))
    return isName ? "'\(program.names[Int(value)])'" : "\(value)"
  }
}
