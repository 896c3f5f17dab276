extension ValueProgram {
  /// An expression of a type, cut to what may be stored.
  mutating func stored(_ type: ProgramType, _ depth: Int) -> String {
    let made = value(type, depth)
    if made.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) { return made }
    switch type {
    case .int: return "(\(made)) % 1000"
    case .text: return "String((\(made)).prefix(9))"
    case .array: return "Array((\(made)).prefix(4))"
    case .bool, .decimal, .optional, .dictionary, .set, .pair, .function, .structure, .choice,
      .object, .any, .stack:
      return made
    }
  }

  /// An expression of a type.
  mutating func value(_ type: ProgramType, _ depth: Int) -> String {
    if random.below(depth <= 0 ? 3 : 5) > 0 || depth <= 0 {
      if random.below(4) > 0, let path = path(type) { return path }
      if depth <= 0 { return literal(type, depth) }
    }
    if random.isOne(in: 4), let called = call(type, depth) { return called }
    if random.isOne(in: 8), let chosen = chosen(type, depth) { return chosen }
    switch type {
    case .int: return number(depth)
    case .bool: return condition(depth)
    case .text: return words(depth)
    case .decimal: return decimal(depth)
    case .optional(let inner): return optional(inner, depth)
    case .array(let inner): return array(inner, depth)
    case .dictionary(let key, let value): return dictionary(key, value, depth)
    case .set(let inner): return set(inner, depth)
    case .pair, .function, .structure, .choice, .object, .any, .stack: return literal(type, depth)
    }
  }

  /// A value of two, by a condition; the other types would need a common one.
  private mutating func chosen(_ type: ProgramType, _ depth: Int) -> String? {
    switch type {
    case .int, .bool, .text, .decimal, .structure, .choice:
      let test = condition(depth - 1)
      return "(\(test) ? \(value(type, depth - 1)) : \(value(type, depth - 1)))"
    case .optional, .array, .dictionary, .set, .pair, .function, .object, .any, .stack: return nil
    }
  }

  /// A call that returns a type, if there is one.
  mutating func call(_ type: ProgramType, _ depth: Int) -> String? {
    var calls: [(String, ProgramFunction)] = []
    if callsFunctions, loops == 0 || random.isOne(in: 3) {
      calls = functions.filter { $0.result == type }.map { ($0.name, $0) }
    }
    for path in paths() where !isInClosure || path.root != "self" {
      for method in methods(of: path.type)
      where method.result == type && (!method.isMutating || path.canSet) {
        calls.append(("\(path.text).\(method.name)", method))
      }
      if case .function(let parameter, type) = path.type {
        calls.append(
          (path.text, ProgramFunction(name: "", parameters: [("", parameter, false)], result: type))
        )
      }
    }
    guard !calls.isEmpty else { return nil }
    let (name, function) = random.pick(calls)
    guard !function.parameters.contains(where: \.isInout) else { return nil }
    let text = "\(name)(\(arguments(function, depth - 1)))"
    guard function.isThrowing else { return text }
    if mayThrow && random.isOne(in: 2) { return "(try \(text))" }
    return "((try? \(text)) ?? \(value(type, 0)))"
  }

  /// The arguments of a call, without `inout` ones.
  mutating func arguments(_ function: ProgramFunction, _ depth: Int) -> String {
    function.parameters.map { parameter in
      let argument = stored(parameter.type, depth)
      return parameter.label.isEmpty ? argument : "\(parameter.label): \(argument)"
    }.joined(separator: ", ")
  }

  // MARK: Literals

  private static let stems = ["a", "bc", "dé", "xyz", "", "q r"]

  /// A value that is written down.
  mutating func literal(_ type: ProgramType, _ depth: Int) -> String {
    switch type {
    case .int: return random.isOne(in: 5) ? "(-\(1 + random.below(9)))" : "\(random.below(100))"
    case .bool: return random.pick(["true", "false"])
    case .text: return "\"\(random.pick(Self.stems))\""
    case .decimal: return "\(random.below(9)).\(random.pick(["0", "25", "5", "75"]))"
    case .optional(let inner):
      return random.isOne(in: 3)
        ? "(nil as \(spelled(type)))" : "Optional<\(spelled(inner))>(\(stored(inner, depth - 1)))"
    case .array(let inner):
      if random.isOne(in: 6) { return "[\(spelled(inner))]()" }
      return "([\(list(inner, depth))] as \(spelled(type)))"
    case .dictionary(let key, let value):
      let count = random.below(3)
      if count == 0 { return "([:] as \(spelled(type)))" }
      var entries: [String] = []
      for at in 0..<count {
        let name = key == .int ? "\(at * 3)" : "\"\(Self.stems[at])\""
        entries.append("\(name): \(stored(value, depth - 1))")
      }
      return "([\(entries.joined(separator: ", "))] as \(spelled(type)))"
    case .set(let inner): return "Set([\(list(inner, depth))] as [\(spelled(inner))])"
    case .pair(let first, let second):
      return "(\(stored(first, depth - 1)), \(stored(second, depth - 1)))"
    case .function(let parameter, let result): return closure(parameter, result, depth)
    case .structure, .choice, .object, .any: return made(type, depth)
    case .stack(let inner): return "\(spelled(type))(items: [\(list(inner, depth))])"
    }
  }

  private mutating func list(_ type: ProgramType, _ depth: Int) -> String {
    (0...random.below(3)).map { _ in stored(type, depth - 1) }.joined(separator: ", ")
  }

  /// A closure, which may read what is around it.
  mutating func closure(_ parameter: ProgramType, _ result: ProgramType, _ depth: Int) -> String {
    let name = fresh("c")
    let outer = (isInClosure, mayThrow, loops)
    (isInClosure, mayThrow, loops) = (true, false, loops + 1)
    defer { (isInClosure, mayThrow, loops) = outer }
    let added = [ProgramVariable(name: name, type: parameter)]
    return within(added) { program in
      let change = program.random.isOne(in: 3) ? program.change() + "; " : ""
      let returned = program.stored(result, depth - 1)
      return
        "{ (\(name): \(program.spelled(parameter))) -> \(program.spelled(result)) in \(change)return \(returned) }"
    }
  }

  /// A value of a declared type.
  private mutating func made(_ type: ProgramType, _ depth: Int) -> String {
    func joined(_ fields: [ProgramField], _ program: inout Self) -> String {
      fields.map { "\($0.name): \(program.stored($0.type, depth - 1))" }.joined(separator: ", ")
    }
    switch type {
    case .structure(let index):
      return "\(structures[index].name)(\(joined(structures[index].fields, &self)))"
    case .choice(let index):
      let chosen = random.pick(choices[index].cases)
      let values = chosen.values.isEmpty ? "" : "(\(joined(chosen.values, &self)))"
      return "\(choices[index].name).\(chosen.name)\(values)"
    case .object(let index):
      let fitting = objects.indices.filter { isKind($0, of: index) }
      let drawn = random.pick(fitting)
      return "\(objects[drawn].name)(\(joined(allFields(drawn), &self)))"
    case .any(let index):
      return literal(random.pick(conformers(index)), depth)
    case .int, .bool, .text, .decimal, .optional, .array, .dictionary, .set, .pair, .function,
      .stack:
      return literal(type, depth)
    }
  }

  /// Whether a class is another or derives from it.
  func isKind(_ index: Int, of base: Int) -> Bool {
    index == base || objects[index].base.map { isKind($0, of: base) } ?? false
  }

  /// What an initialiser of a class takes: the fields above, then its own.
  func allFields(_ index: Int) -> [ProgramField] {
    (objects[index].base.map(allFields) ?? []) + objects[index].fields
  }

  /// The types that conform to a protocol.
  func conformers(_ index: Int) -> [ProgramType] {
    func fits(_ nominal: ProgramNominal) -> Bool { nominal.protocols.contains(index) }
    return structures.indices.filter { fits(structures[$0]) }.map { .structure($0) }
      + choices.indices.filter { fits(choices[$0]) }.map { .choice($0) }
      + objects.indices.filter { fits(objects[$0]) }.map { .object($0) }
  }
}
