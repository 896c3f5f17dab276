extension ValueProgram {
  /// A block below a statement.
  private mutating func inner(_ indent: String, _ added: [ProgramVariable] = []) -> String {
    within(added) { program in
      let count = 1 + program.random.below(program.loops > 1 ? 1 : 2)
      return (0..<count).map { _ in program.statement(indent + "  ") }.joined()
    }
  }

  /// A statement, with what it prepares in front of it.
  mutating func statement(_ indent: String) -> String {
    let isDeep = indent.count > 8
    switch random.below(isDeep ? 8 : 24) {
    case 0, 1: return declaration(indent)
    case 2, 3, 4: return "\(indent)\(change())\n"
    case 5, 6, 7: return printed(indent)
    case 8: return branch(indent)
    case 9: return unwrapping(indent)
    case 10, 11: return choosing(indent)
    case 12, 13: return looping(indent)
    case 14: return counting(indent)
    case 15: return catching(indent)
    case 16: return nested(indent)
    case 17: return inoutCall(indent)
    case 18: return "\(indent)defer { print(\"end\", \(shown(path(.int) ?? "0", .int))) }\n"
    case 19: return early(indent)
    case 20: return late(indent)
    case 21: return "\(indent)do {\n\(inner(indent))\(indent)}\n"
    case 22: return swapped(indent)
    default: return declaration(indent)
    }
  }

  // MARK: Declarations and output

  private mutating func declaration(_ indent: String) -> String {
    let type = type()
    let made = stored(type, 3)
    let name = fresh("v")
    let isVariable = random.below(3) > 0
    let spelling = random.isOne(in: 2) && infers(type) ? "" : ": \(spelled(type))"
    scope.append(ProgramVariable(name: name, type: type, isVariable: isVariable))
    return "\(indent)\(isVariable ? "var" : "let") \(name)\(spelling) = \(made)\n"
  }

  /// Whether the type follows from any expression of it: a value of a protocol or a class may be made of another type.
  private func infers(_ type: ProgramType) -> Bool {
    switch type {
    case .any, .object: false
    case .pair(let first, let second): infers(first) && infers(second)
    case .int, .bool, .text, .decimal, .optional, .array, .dictionary, .set, .function, .structure,
      .choice, .stack:
      true
    }
  }

  private mutating func printed(_ indent: String) -> String {
    guard random.below(3) > 0, let path = readable({ _ in true }) else {
      let type = type(1)
      return "\(indent)print(\(shown("(\(value(type, 3)))", type)))\n"
    }
    return "\(indent)print(\"\(path.text)\", \(shown(path.text, path.type)))\n"
  }

  /// What `print` is given, so that no order of a dictionary or a set is seen.
  mutating func shown(_ text: String, _ type: ProgramType) -> String {
    switch type {
    case .dictionary(_, let value):
      return isNative(value)
        ? "\(text).sorted { $0.key < $1.key }.map { \"\\($0.key):\\($0.value)\" }"
        : "\(text).keys.sorted()"
    case .set: return "\(text).sorted()"
    case .function(let parameter, let result):
      return shown("\(text)(\(literal(parameter, 0)))", result)
    case .stack(let inner): return isNative(inner) ? "\(text).items" : "\(text).count"
    case .object(let index):
      return allFields(index).first.map { shown("\(text).\($0.name)", $0.type) } ?? "0"
    case .any(let index): return "\(text).\(protocols[index].fields[0].name)"
    case .array(let inner): return isNative(inner) ? text : "\(text).count"
    case .optional(let inner): return isNative(inner) ? "\(text) as Any" : "\(text) == nil"
    case .pair(let first, _):
      return isNative(type) ? text : shown("\(text).0", first)
    case .structure(let index) where !isNative(type):
      return shown("\(text).\(structures[index].fields[0].name)", structures[index].fields[0].type)
    case .choice where !isNative(type): return "\(text).weight"
    case .int, .bool, .text, .decimal, .structure, .choice: return text
    }
  }

  /// Whether `print` shows a type's value the same each time.
  func isNative(_ type: ProgramType) -> Bool {
    switch type {
    case .int, .bool, .text, .decimal: true
    case .optional(let inner), .array(let inner): isNative(inner)
    case .pair(let first, let second): isNative(first) && isNative(second)
    case .structure(let index): structures[index].fields.allSatisfy { isNative($0.type) }
    case .choice(let index):
      choices[index].cases.allSatisfy { $0.values.allSatisfy { isNative($0.type) } }
    case .dictionary, .set, .function, .object, .any, .stack: false
    }
  }

  // MARK: Branches

  private mutating func branch(_ indent: String) -> String {
    let test = condition(2)
    let first = inner(indent)
    guard random.below(3) > 0 else { return "\(indent)if \(test) {\n\(first)\(indent)}\n" }
    let middle = random.isOne(in: 3) ? " else if \(condition(1)) {\n\(inner(indent))\(indent)}" : ""
    return "\(indent)if \(test) {\n\(first)\(indent)}\(middle) else {\n\(inner(indent))\(indent)}\n"
  }

  private mutating func unwrapping(_ indent: String) -> String {
    let inner = random.pick([ProgramType.int, .text, type(1)])
    if case .function = inner { return printed(indent) }
    let made = "(\(value(.optional(inner), 2)))"
    let name = fresh("u")
    let isVariable = random.isOne(in: 3)
    let bound = ProgramVariable(name: name, type: inner, isVariable: isVariable)
    let test = random.isOne(in: 3) ? ", \(condition(1))" : ""
    let body = self.inner(indent, [bound])
    let end = random.isOne(in: 2) ? " else {\n\(self.inner(indent))\(indent)}" : ""
    return
      "\(indent)if \(isVariable ? "var" : "let") \(name) = \(made)\(test) {\n\(body)\(indent)}\(end)\n"
  }

  private mutating func choosing(_ indent: String) -> String {
    if random.isOne(in: 2), let path = readable({ if case .choice = $0 { true } else { false } }),
      case .choice(let index) = path.type
    {
      return cases(of: index, path.text, indent)
    }
    var text: String
    switch random.below(4) {
    case 0:
      text = "\(indent)switch (\(value(.int, 2))) {\n"
      for pattern in ["..<0", "0, 1", "2...9"] where random.below(3) > 0 {
        text += "\(indent)case \(pattern):\n\(inner(indent))"
      }
      text += binding(indent) { "let \($1) where \($0.test($1, .int))" }
    case 1:
      text = "\(indent)switch (\(condition(1)), \(value(.int, 1))) {\n"
      text += "\(indent)case (true, 0...5):\n\(inner(indent))"
      text += binding(indent) { "(false, let \($1))" }
    case 2:
      text = "\(indent)switch (\(value(.optional(.int), 2))) {\n"
      text += binding(indent) { "let \($1)?" }
      return text + "\(indent)case nil:\n\(inner(indent))\(indent)}\n"
    default:
      text =
        "\(indent)switch (\(value(.text, 2))) {\n\(indent)case \"a\", \"bc\":\n\(inner(indent))"
      if random.isOne(in: 2) {
        text += "\(indent)case \"\":\n\(indent)  print(\"empty\")\n\(indent)  fallthrough\n"
      }
    }
    return text + "\(indent)default:\n\(inner(indent))\(indent)}\n"
  }

  /// A case whose pattern binds a number, with a body that may use it.
  private mutating func binding(
    _ indent: String, _ pattern: (inout Self, String) -> String
  ) -> String {
    let name = fresh("n")
    let head = "\(indent)case \(pattern(&self, name)):\n"
    return head + inner(indent, [ProgramVariable(name: name, type: .int)])
  }

  /// A `switch` over all cases of an enumeration.
  private mutating func cases(of index: Int, _ subject: String, _ indent: String) -> String {
    var text = "\(indent)switch \(subject) {\n"
    for one in choices[index].cases {
      var bound: [ProgramVariable] = []
      var parts: [String] = []
      for value in one.values {
        let name = fresh("p")
        bound.append(ProgramVariable(name: name, type: value.type))
        parts.append("let \(name)")
      }
      let pattern = parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
      text += "\(indent)case .\(one.name)\(pattern):\n\(inner(indent, bound))"
    }
    return text + "\(indent)}\n"
  }

  // MARK: Loops

  private mutating func looping(_ indent: String) -> String {
    guard loops < 3 else { return printed(indent) }
    var bound: [ProgramVariable] = []
    func name(_ type: ProgramType) -> String {
      bound.append(ProgramVariable(name: fresh("i"), type: type))
      return bound[bound.count - 1].name
    }
    let head: String
    switch random.below(7) {
    case 0: head = "\(name(.int)) in 0..<\(1 + random.below(4))"
    case 1:
      head = "\(name(.int)) in stride(from: \(random.below(9)), to: 0, by: -\(2 + random.below(3)))"
    case 2:
      let element = type(0)
      let source = "(\(value(.array(element), 2)))"
      head = "\(name(element)) in \(source).prefix(4)"
    case 3:
      let source = "(\(value(.array(.text), 2)))"
      head = "(\(name(.int)), \(name(.text))) in Array(\(source).prefix(3)).enumerated()"
    case 4:
      let source = "(\(value(.dictionary(.text, .int), 2)))"
      head = "(\(name(.text)), \(name(.int))) in \(source).sorted(by: { $0.key < $1.key })"
    case 5:
      let source = "(\(value(.array(.int), 2)))"
      let one = name(.int)
      head = "\(one) in \(source).prefix(5) where \(test(one, .int))"
    default:
      let (first, second) = (value(.array(.int), 1), value(.array(.text), 1))
      head = "(\(name(.int)), \(name(.text))) in zip((\(first)).prefix(3), (\(second)))"
    }
    loops += 1
    defer { loops -= 1 }
    let label = random.isOne(in: 3) ? fresh("loop") : ""
    var leaving = ""
    if random.isOne(in: 2) {
      let way = random.pick(["break", "continue"])
      leaving = "\(indent)  if \(within(bound) { $0.condition(1) }) { \(way) \(label) }\n"
    }
    return
      "\(indent)\(label.isEmpty ? "" : label + ": ")for \(head) {\n\(leaving)\(inner(indent, bound))\(indent)}\n"
  }

  private mutating func counting(_ indent: String) -> String {
    guard loops < 3 else { return printed(indent) }
    let name = fresh("k")
    loops += 1
    defer { loops -= 1 }
    let bound = [ProgramVariable(name: name, type: .int)]
    let body = inner(indent, bound)
    let step = "\(indent)  \(name) += 1\n"
    let limit = 1 + random.below(4)
    if random.isOne(in: 2) {
      return
        "\(indent)var \(name) = 0\n\(indent)while \(name) < \(limit) {\n\(step)\(body)\(indent)}\n"
    }
    return
      "\(indent)var \(name) = 0\n\(indent)repeat {\n\(body)\(step)\(indent)} while \(name) < \(limit)\n"
  }
}
