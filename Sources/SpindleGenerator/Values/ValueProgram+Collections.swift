extension ValueProgram {
  /// An optional.
  mutating func optional(_ inner: ProgramType, _ depth: Int) -> String {
    let less = depth - 1
    let whole = ProgramType.optional(inner)
    switch random.below(9) {
    case 0: return "\(value(.array(inner), less)).\(random.pick(["first", "last"]))"
    case 1:
      let key = random.pick([ProgramType.int, .text])
      return "\(value(.dictionary(key, inner), less))[\(value(key, less))]"
    case 2 where !isFunction(inner):
      return "\(value(.array(inner), less)).first { \(test("$0", inner)) }"
    case 3 where inner == .int: return "Int(\(value(.text, less)))"
    case 3 where inner == .text: return "\(value(.optional(.int), less)).map { \"\\($0)\" }"
    case 4 where inner == .int: return "(\(value(.optional(.text), less))?.count)"
    case 4 where inner == .bool: return "(\(value(.optional(.text), less))?.isEmpty)"
    case 5 where inner == .int:
      return "\(value(.array(.int), less)).\(random.pick(["min", "max"]))()"
    case 5 where inner == .int || inner == .text:
      return "\(value(.array(inner), less)).\(random.pick(["min", "max"]))()"
    case 6 where inner == .int:
      return "\(value(.optional(.int), less)).flatMap { \(test("$0", .int)) ? $0 : nil }"
    case 6: return "\(value(.stack(inner), less)).top"
    case 7:
      guard let path = throwing(inner, less) else { return literal(whole, less) }
      return "(try? \(path))"
    default: return literal(whole, less)
    }
  }

  /// A call that may throw, of a type that is not optional: `try?` would make one of two.
  private mutating func throwing(_ type: ProgramType, _ depth: Int) -> String? {
    guard callsFunctions, case let list = functions.filter({ $0.result == type && $0.isThrowing }),
      !list.isEmpty
    else { return nil }
    if case .optional = type { return nil }
    let function = random.pick(list)
    return "\(function.name)(\(arguments(function, depth)))"
  }

  private func isFunction(_ type: ProgramType) -> Bool {
    if case .function = type { true } else { false }
  }

  /// An array.
  mutating func array(_ inner: ProgramType, _ depth: Int) -> String {
    let less = depth - 1
    let whole = ProgramType.array(inner)
    switch random.below(14) {
    case 0: return "(\(value(whole, less)) + \(value(whole, less)))"
    case 1: return "\(value(whole, less)).filter { \(test("$0", inner)) }"
    case 2:
      let part = random.pick(["reversed()", "dropFirst()", "dropLast()", "prefix(2)", "suffix(2)"])
      return "Array(\(value(whole, less)).\(part))"
    case 3: return "Array(repeating: \(stored(inner, less)), count: \(random.below(4)))"
    case 4 where inner == .int || inner == .text:
      return "\(value(whole, less)).sorted\(random.pick(["()", " { $0 > $1 }", "(by: >)"]))"
    case 5: return mapped(inner, less)
    case 6 where inner == .int: return "Array(\(random.below(3))..<\(3 + random.below(4)))"
    case 6 where inner == .text:
      return "\(value(.text, less)).map { (one: Character) -> String in String(one) }"
    case 7 where inner == .int: return "\(value(.array(.text), less)).compactMap { Int($0) }"
    case 7: return "\(value(.array(.optional(inner)), less)).compactMap { $0 }"
    case 8: return "\(value(.array(whole), less)).flatMap { $0 }"
    case 9 where inner == .int || inner == .text: return "\(value(.set(inner), less)).sorted()"
    case 10 where inner == .int || inner == .text:
      return "\(value(.dictionary(inner, .int), less)).keys.sorted()"
    case 11 where inner == .int: return "\(value(.dictionary(.text, .int), less)).values.sorted()"
    case 11 where inner == .text:
      return
        "\(value(.dictionary(.text, .int), less)).sorted { $0.key < $1.key }.map { \"\\($0.key)\\($0.value)\" }"
    case 12 where inner == .int:
      return "zip(\(value(whole, less)), \(value(whole, less))).map { $0 + $1 }"
    case 12 where inner == .text:
      return "\(value(whole, less)).enumerated().map { \"\\($0.offset)\\($0.element)\" }"
    case 13: return "\(value(.stack(inner), less)).items"
    default: return literal(whole, less)
    }
  }

  /// The elements of another array, mapped by a closure.
  private mutating func mapped(_ inner: ProgramType, _ depth: Int) -> String {
    let from = type(0)
    let source = value(.array(from), depth)
    return "\(source).map \(closure(from, inner, depth))"
  }

  mutating func dictionary(_ key: ProgramType, _ element: ProgramType, _ depth: Int) -> String {
    let less = depth - 1
    let whole = ProgramType.dictionary(key, element)
    switch random.below(6) {
    case 0: return "\(value(whole, less)).filter { \(test("$0.key", key)) }"
    case 1 where element == .int: return "\(value(whole, less)).mapValues { $0 + 1 }"
    case 2 where element == .int:
      return
        "\(value(whole, less)).merging(\(value(whole, less))) { (a: Int, b: Int) -> Int in a + b }"
    case 3 where element == .array(.int) && key == .int:
      return "Dictionary(grouping: \(value(.array(.int), less))) { $0 % 3 }"
    case 4 where key == .int:
      return "Dictionary(uniqueKeysWithValues: [0, 5].map { ($0, \(stored(element, less))) })"
    default: return literal(whole, less)
    }
  }

  mutating func set(_ inner: ProgramType, _ depth: Int) -> String {
    let whole = ProgramType.set(inner)
    switch random.below(4) {
    case 0:
      let name = random.pick(["union", "intersection", "subtracting", "symmetricDifference"])
      return "\(value(whole, depth - 1)).\(name)(\(value(whole, depth - 1)))"
    case 1: return "Set(\(value(.array(inner), depth - 1)))"
    case 2: return "\(value(whole, depth - 1)).filter { \(test("$0", inner)) }"
    default: return literal(whole, depth - 1)
    }
  }
}
