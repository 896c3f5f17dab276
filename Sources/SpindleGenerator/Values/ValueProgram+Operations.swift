extension ValueProgram {
  /// A whole number.
  mutating func number(_ depth: Int) -> String {
    let less = depth - 1
    switch random.below(20) {
    case 0, 1: return "(\(value(.int, less)) \(random.pick(["+", "-"])) \(value(.int, less)))"
    case 2: return "(\(value(.int, less)) * \(2 + random.below(7)))"
    case 3: return "(\(value(.int, less)) / \(2 + random.below(7)))"
    case 4: return "(\(value(.int, less)) % \(2 + random.below(20)))"
    case 5: return "(\(value(.int, less)) & \(1 + random.below(31)))"
    case 6: return "\(array(less)).count"
    case 7: return "\(value(.text, less)).count"
    case 8: return "(\(value(.optional(.int), less)) ?? \(value(.int, less)))"
    case 9: return "\(random.pick(["min", "max"]))(\(value(.int, less)), \(value(.int, less)))"
    case 10:
      return
        "\(value(.array(.int), less)).reduce(\(literal(.int, 0))) { $0 \(random.pick(["+", "-"])) $1 }"
    case 11: return "(Int(\(value(.text, less))) ?? \(value(.int, 0)))"
    case 12: return "\(value(.array(.int), less)).filter { \(test("$0", .int)) }.count"
    case 13: return "abs(\(value(.int, less)))"
    case 14:
      let key = random.pick([ProgramType.int, .text])
      return
        "\(value(.dictionary(key, .int), less))[\(value(key, less)), default: \(literal(.int, 0))]"
    case 15: return "(\(value(.set(.int), less)).sorted().\(random.pick(["first", "last"])) ?? 0)"
    case 16: return "\(value(.stack(.int), less)).count"
    case 17:
      return
        "(\(value(.array(.int), less)).\(random.pick(["max()", "min()", "first", "last"])) ?? \(literal(.int, 0)))"
    case 18: return "(\(value(.int, less)) ^ \(random.below(16)))"
    default: return literal(.int, 0)
    }
  }

  /// An array of any elements.
  private mutating func array(_ depth: Int) -> String {
    value(.array(random.pick([.int, .text, .bool])), depth)
  }

  /// A condition of something that is named.
  mutating func test(_ name: String, _ type: ProgramType) -> String {
    switch type {
    case .int:
      return random.pick([
        "\(name) > \(random.below(20))", "\(name) % 2 == 0", "\(name).isMultiple(of: 3)",
        "(1...50).contains(\(name))",
      ])
    case .text:
      return random.pick([
        "!\(name).isEmpty", "\(name).count > 1", "\(name) < \"b\"", "\(name).hasPrefix(\"x\")",
      ])
    case .bool: return random.pick([name, "!(\(name))"])
    case .decimal: return "\(name) > 2.5"
    case .optional(let inner) where inner.isPlain: return "\(name) != \(literal(inner, 0))"
    case .optional: return random.pick(["\(name) == nil", "\(name) != nil"])
    case .array, .set, .dictionary: return random.pick(["\(name).isEmpty", "\(name).count > 1"])
    case .pair(let first, _): return test("\(name).0", first)
    case .stack: return "\(name).count < 2"
    case .structure(let index) where !structures[index].fields.isEmpty:
      let field = structures[index].fields[0]
      return test("\(name).\(field.name)", field.type)
    case .choice: return "\(name).weight > 1"
    case .any(let index): return "!\(name).\(protocols[index].fields[0].name).isEmpty"
    case .object(let index):
      let field = allFields(index)[0]
      return test("\(name).\(field.name)", field.type)
    case .structure, .function: return "true"
    }
  }

  /// A condition.
  mutating func condition(_ depth: Int) -> String {
    let less = depth - 1
    if depth <= 0 { return path(.bool) ?? literal(.bool, 0) }
    switch random.below(14) {
    case 0, 1:
      return
        "(\(value(.int, less)) \(random.pick(["<", ">", "<=", ">=", "==", "!="])) \(value(.int, less)))"
    case 2: return "(\(condition(less)) \(random.pick(["&&", "||"])) \(condition(less)))"
    case 3: return "!(\(condition(less)))"
    case 4: return "(\(value(.text, less)) \(random.pick(["==", "!=", "<"])) \(value(.text, less)))"
    case 5: return "(\(value(.array(.int), less)).contains(\(value(.int, less))))"
    case 6: return "(\(value(.array(.text), less)).contains { \(test("$0", .text)) })"
    case 7: return "(\(value(.array(.int), less)).allSatisfy { \(test("$0", .int)) })"
    case 8: return "(\(value(.optional(random.pick([.int, .text])), less)) == nil)"
    case 9: return "(\(value(.set(.int), less)).contains(\(value(.int, less))))"
    case 10: return "(\(value(.array(.int), less)) == \(value(.array(.int), less)))"
    case 11:
      let hashable = structures.indices.filter { structures[$0].isHashable }
      guard !hashable.isEmpty else { return "true" }
      let type = ProgramType.structure(random.pick(hashable))
      return "(\(value(type, less)) == \(value(type, less)))"
    case 12:
      guard let path = readable({ if case .any = $0 { true } else { false } }),
        case .any(let index) = path.type, case let kinds = conformers(index), !kinds.isEmpty
      else { return "(\(value(.text, less)).isEmpty)" }
      return "(\(path.text) is \(spelled(random.pick(kinds))))"
    default:
      guard let path = readable({ _ in true }) else { return "false" }
      return "(\(test(path.text, path.type)))"
    }
  }

  /// A text.
  mutating func words(_ depth: Int) -> String {
    let less = depth - 1
    switch random.below(13) {
    case 0, 1: return "(\(value(.text, less)) + \(value(.text, less)))"
    case 2: return "\"\(random.pick(["n", "v "]))\\(\(value(.int, less)))\""
    case 3: return "\"\\(\(value(.text, less)))-\\(\(condition(less)))\""
    case 4: return "\(value(.text, less)).\(random.pick(["uppercased", "lowercased"]))()"
    case 5: return "String(\(value(.int, less)))"
    case 6: return "\(value(.array(.text), less)).joined(separator: \"\(random.pick(["", ","]))\")"
    case 7: return "String(repeating: \(value(.text, less)), count: \(random.below(3)))"
    case 8: return "(\(value(.optional(.text), less)) ?? \(value(.text, less)))"
    case 9: return "String(\(value(.text, less)).reversed())"
    case 10:
      let part = random.pick(["prefix", "suffix", "dropFirst", "dropLast"])
      return "String(\(value(.text, less)).\(part)(\(random.below(3))))"
    case 11: return "\(value(.array(.int), less)).map { \"\\($0)\" }.joined(separator: \".\")"
    default: return "\"\\(\(value(.decimal, less)))\""
    }
  }

  mutating func decimal(_ depth: Int) -> String {
    switch random.below(4) {
    case 0:
      return
        "(\(value(.decimal, depth - 1)) \(random.pick(["+", "-"])) \(value(.decimal, depth - 1)))"
    case 1: return "(\(literal(.decimal, 0)) * \(random.pick(["0.5", "2", "4"])))"
    case 2: return "Double(\(value(.int, 0)))"
    default: return literal(.decimal, 0)
    }
  }
}
