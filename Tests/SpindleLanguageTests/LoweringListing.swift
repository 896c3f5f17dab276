import SpindleModel

/// A program's instructions as a text: a small disassembler.
///
/// Positions count from the block's own first instruction, registers have an `r`.
struct LoweringListing {
  private let program: Program

  init(_ program: Program) {
    self.program = program
  }

  /// The blocks with this name, one after the other in the order of the text.
  func text(of name: String) -> String {
    program.blocks.filter { block in
      block.name != .none && program.names[Int(block.name.index)] == name
    }.map(text).joined(separator: "\n--\n")
  }

  private func text(of block: Block) -> String {
    var lines: [String] = []
    for index in Int(block.entry)..<Int(block.end) {
      lines.append("\(index - Int(block.entry)) \(line(program.instructions[index], block))")
    }
    for handler in block.handlers {
      let (start, end) = (handler.start - block.entry, handler.end - block.entry)
      lines.append(
        "throws \(start)..<\(end) to \(handler.target - block.entry) r\(handler.error.index)")
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ instruction: Instruction, _ block: Block) -> String {
    func r(_ register: Register) -> String { "r\(register.index)" }
    func to(_ target: Int32) -> String { "\(target - block.entry)" }
    func name(_ name: NameID) -> String { "\"\(program.names[Int(name.index)])\"" }
    func global(_ global: GlobalID) -> String { program.globals[Int(global.index)].name }
    func at(_ site: SiteID) -> String {
      guard site.index >= 0 else { return "" }
      let site = program.sites[Int(site.index)]
      return " @\(site.salt)" + (site.counter >= 0 ? " r\(site.counter)" : "")
    }
    switch instruction {
    case .constant(noValue, let a): return "\(r(a)) = none"
    case .constant(let value, let a):
      // A small number in these tests is a number; one from here on is that of a text.
      let isText = (WellKnownName.allCases.count..<program.names.count).contains(Int(value))
      return "\(r(a)) = " + (isText ? name(NameID(Int(value))) : "\(value)")
    case .copy(let a, let b): return "\(r(a)) = \(r(b))"
    case .loadGlobal(let a, let b): return "\(r(a)) = load \(global(b))"
    case .storeGlobal(let a, let b): return "store \(global(a)) \(r(b))"
    case .readShared(let a, let b): return "\(r(a)) = read \(global(b))"
    case .readToChange(let a, let b): return "\(r(a)) = read \(global(b)) to change"
    case .writeShared(let a, let b): return "write \(global(a)) \(r(b))"
    case .now(let a): return "\(r(a)) = now"
    case .jump(let a): return "jump \(to(a))"
    case .jumpIf(let a, let b): return "jumpIf \(r(a)) \(to(b))"
    case .jumpUnless(let a, let b): return "jumpUnless \(r(a)) \(to(b))"
    case .jumpUnlessLess(let a, let b, let c): return "jumpUnlessLess \(r(a)) \(r(b)) \(to(c))"
    case .increment(let a): return "increment \(r(a))"
    case .call(let a, let b, let c):
      let name = program.names[Int(program.blocks[Int(a.index)].name.index)]
      return "call \(name) \(r(b))\(at(c))"
    case .callClosure(let a, let b, let c): return "callClosure \(r(a)) \(r(b))\(at(c))"
    case .finish: return "finish"
    case .finishWith(let a): return "finish \(r(a))"
    case .raise(let a): return "raise \(r(a))"
    case .rethrow(let a, let b): return "rethrow \(r(a)) from \(r(b))"
    case .closure(let a, let b, let c):
      let captures = program.blocks[Int(b.index)].captureCount
      return "\(r(a)) = closure \(captures == 0 ? "" : "\(r(c))+\(captures)")"
    case .freeClosure(let a): return "freeClosure \(r(a))"
    case .textBegin: return "text"
    case .textLiteral(let a): return "  \(name(a))"
    case .textValue(let a, let b): return "  \(r(a)) \(b)"
    case .textEnd(let a): return "\(r(a)) = text"
    case .draw(let b, let d, let c, let a): return "\(a) \(r(b))+\(c)\(at(d))"
    case .perform(let a, let b, let c): return "\(a) \(r(b))\(at(c))"
    default: return other(instruction)
    }
  }

  private func other(_ instruction: Instruction) -> String {
    func r(_ register: Register) -> String { "r\(register.index)" }
    func three(_ word: String, _ a: Register, _ b: Register, _ c: Register) -> String {
      "\(r(a)) = \(word) \(r(b)) \(r(c))"
    }
    switch instruction {
    case .add(let a, let b, let c): return three("add", a, b, c)
    case .subtract(let a, let b, let c): return three("subtract", a, b, c)
    case .multiply(let a, let b, let c): return three("multiply", a, b, c)
    case .divide(let a, let b, let c): return three("divide", a, b, c)
    case .remainder(let a, let b, let c): return three("remainder", a, b, c)
    case .shiftLeft(let a, let b, let c): return three("shiftLeft", a, b, c)
    case .shiftRight(let a, let b, let c): return three("shiftRight", a, b, c)
    case .bitAnd(let a, let b, let c): return three("bitAnd", a, b, c)
    case .bitOr(let a, let b, let c): return three("bitOr", a, b, c)
    case .bitXor(let a, let b, let c): return three("bitXor", a, b, c)
    case .scale(let a, let b, let c): return three("scale", a, b, c)
    case .unscale(let a, let b, let c): return three("unscale", a, b, c)
    case .ratio(let a, let b, let c): return three("ratio", a, b, c)
    case .advance(let a, let b, let c): return three("advance", a, b, c)
    case .equal(let a, let b, let c): return three("equal", a, b, c)
    case .notEqual(let a, let b, let c): return three("notEqual", a, b, c)
    case .less(let a, let b, let c): return three("less", a, b, c)
    case .lessOrEqual(let a, let b, let c): return three("lessOrEqual", a, b, c)
    case .negate(let a, let b): return "\(r(a)) = negate \(r(b))"
    case .not(let a, let b): return "\(r(a)) = not \(r(b))"
    case .arrayMake(let a, let b, let c): return "\(r(a)) = array \(r(b))+\(c)"
    case .arrayCopy(let a, let b): return "\(r(a)) = arrayCopy \(r(b))"
    case .arrayAppend(let a, let b): return "append \(r(a)) \(r(b))"
    case .arrayGet(let a, let b, let c): return "\(r(a)) = \(r(b))[\(r(c))]"
    case .arraySet(let a, let b, let c): return "\(r(a))[\(r(b))] = \(r(c))"
    case .arrayCount(let a, let b): return "\(r(a)) = count \(r(b))"
    case .arrayInsert(let a, let b, let c): return "insert \(r(a))[\(r(b))] \(r(c))"
    case .entryGet(let a, let b, let c): return "\(r(a)) = \(r(b))[key \(r(c))]"
    case .entrySet(let a, let b, let c): return "\(r(a))[key \(r(b))] = \(r(c))"
    case .entryRemove(let a, let b, let c): return "\(r(a)) = remove \(r(b))[key \(r(c))]"
    case .entryKeys(let a, let b): return "\(r(a)) = keys of \(r(b))"
    case .arrayRemove(let a, let b, let c): return "\(r(a)) = remove \(r(b))[\(r(c))]"
    default: return "\(instruction)"
    }
  }
}
