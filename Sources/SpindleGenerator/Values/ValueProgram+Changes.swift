extension ValueProgram {
  /// A statement that changes a place.
  mutating func change() -> String {
    guard let place = place({ if case .function = $0 { false } else { true } }) else {
      return "_ = \(value(.int, 1))"
    }
    if random.isOne(in: 5) { return assignment(place.text, place.type) }
    return change(place.text, place.type)
  }

  /// Another value for a place; Swift refuses its own.
  private mutating func assignment(_ place: String, _ type: ProgramType) -> String {
    let made = stored(type, 2)
    let isOwn = made.filter { $0 != "(" && $0 != ")" } == place
    return isOwn ? "_ = \(made)" : "\(place) = \(made)"
  }

  private mutating func change(_ place: String, _ type: ProgramType) -> String {
    switch type {
    case .int: return "\(place) \(random.pick(["+=", "-="])) (\(value(.int, 2))) % 10"
    case .bool: return "\(place).toggle()"
    case .text: return "\(place) \(random.pick(["+= \"z\"", "= String(\(place).dropFirst())"]))"
    case .decimal: return "\(place) \(random.pick(["+=", "-="])) \(literal(.decimal, 0))"
    case .optional(let inner): return changeOptional(place, inner)
    case .array(let inner): return changeArray(place, inner)
    case .dictionary(let key, let inner):
      let at = value(key, 1)
      switch random.below(4) {
      case 0: return "\(place)[\(at)] = nil"
      case 1 where inner == .int: return "\(place)[\(at), default: \(literal(.int, 0))] += 1"
      case 2: return "\(place).removeValue(forKey: \(at))"
      default: return "\(place)[\(at)] = \(stored(inner, 1))"
      }
    case .set(let inner):
      return random.pick([
        "\(place).insert(\(value(inner, 1)))", "\(place).remove(\(value(inner, 1)))",
        "\(place).formUnion(\(value(.array(inner), 1)))",
      ])
    case .pair(let first, let second):
      return random.isOne(in: 2)
        ? assignment("\(place).0", first) : assignment("\(place).1", second)
    case .stack(let inner):
      return random.isOne(in: 3) ? "_ = \(place).pop()" : "\(place).push(\(stored(inner, 1)))"
    case .structure, .choice, .object: return changing(place, type)
    case .function, .any: return assignment(place, type)
    }
  }

  /// A call of a mutating method, where there is one.
  private mutating func changing(_ place: String, _ type: ProgramType) -> String {
    let fitting = methods(of: type).filter(\.isMutating)
    guard !fitting.isEmpty else { return assignment(place, type) }
    let method = random.pick(fitting)
    let prefix = method.result == nil ? "" : "_ = "
    return "\(prefix)\(place).\(method.name)(\(arguments(method, 1)))"
  }

  private mutating func changeOptional(_ place: String, _ inner: ProgramType) -> String {
    // The place is open while what is behind the question mark is made, so that calls nothing.
    switch inner {
    case .int: return random.isOne(in: 3) ? "\(place) = nil" : "\(place)? += \(literal(.int, 0))"
    case .bool: return "\(place)?.toggle()"
    case .text: return "\(place)?.append(\"q\")"
    case .array(let element) where element.isPlain:
      return "\(place)?.append(\(literal(element, 0)))"
    case .structure(let index):
      guard let field = structures[index].fields.first(where: { $0.isVariable && $0.type.isPlain })
      else { return assignment(place, .optional(inner)) }
      return "\(place)?.\(field.name) = \(literal(field.type, 0))"
    case .decimal, .optional, .array, .dictionary, .set, .pair, .function, .choice, .object, .any,
      .stack:
      return assignment(place, .optional(inner))
    }
  }

  private mutating func changeArray(_ place: String, _ inner: ProgramType) -> String {
    switch random.below(11) {
    case 0: return "\(place).append(\(stored(inner, 2)))"
    case 1: return "\(place).insert(\(stored(inner, 1)), at: 0)"
    case 2: return "if !\(place).isEmpty { \(place).removeLast() }"
    case 3:
      let root = place.split(separator: ".")[0]
      return without(String(root)) { "\(place).removeAll { \($0.test("$0", inner)) }" }
    case 4 where inner == .int || inner == .text:
      return "\(place).sort\(random.pick(["()", "(by: >)", " { $0 > $1 }"]))"
    case 5: return "\(place).reverse()"
    case 6: return "if \(place).count > 1 { \(place).swapAt(0, 1) }"
    case 7: return "\(place) += [\(stored(inner, 1))]"
    case 8: return "if let last = \(place).popLast() { print(\"popped\", \(shown("last", inner))) }"
    case 9 where inner != .any(0):
      // The element itself is changed in its place.
      return "for at in \(place).indices { \(elementChange("\(place)[at]", inner)) }"
    default: return "if \(place).count > 1 { \(place)[\(place).count - 1] = \(stored(inner, 1)) }"
    }
  }

  private mutating func elementChange(_ place: String, _ type: ProgramType) -> String {
    switch type {
    case .int: return "\(place) += at"
    case .text: return "\(place) += \"\\(at)\""
    case .bool: return "\(place).toggle()"
    case .pair(.int, _): return "\(place).0 -= at"
    case .array(.int): return "\(place).append(at)"
    case .structure(let index):
      let field = structures[index].fields[0]
      guard field.isVariable, field.type == .int else { return "_ = \(place)" }
      return "\(place).\(field.name) += at"
    case .decimal, .optional, .array, .dictionary, .set, .pair, .function, .choice, .object, .any,
      .stack:
      return "_ = \(place)"
    }
  }

  // MARK: Statements with functions

  /// A function within the function, which may change what is around it.
  mutating func nested(_ indent: String) -> String {
    guard loops < 2 else { return "\(indent)\(change())\n" }
    let name = fresh("inner")
    let (parameter, result) = (type(1), type(1))
    let outer = (returned, isInClosure, mayThrow, loops)
    (returned, isInClosure, mayThrow, loops) = (result, true, false, loops + 1)
    let argument = ProgramVariable(name: fresh("a"), type: parameter)
    let body = within([argument]) { program in
      let lines = (0...program.random.below(2)).map { _ in program.statement(indent + "  ") }
      return lines.joined() + "\(indent)  return \(program.stored(result, 2))\n"
    }
    (returned, isInClosure, mayThrow, loops) = outer
    let head =
      "\(indent)func \(name)(_ \(argument.name): \(spelledParameter(parameter))) -> \(spelled(result)) {\n"
    scope.append(ProgramVariable(name: name, type: .function(parameter, result)))
    return head + body + "\(indent)}\n"
  }

  mutating func inoutCall(_ indent: String) -> String {
    let fitting = functions.filter { $0.parameters.first?.isInout == true }
    guard callsFunctions, !fitting.isEmpty else { return "\(indent)\(change())\n" }
    let function = random.pick(fitting)
    let type = function.parameters[0].type
    let places = visible { $0.isVariable && $0.type == type && !$0.name.hasPrefix("shared") }
    guard !places.isEmpty else { return "\(indent)\(change())\n" }
    let place = random.pick(places).name
    let rest = ProgramFunction(
      name: function.name, parameters: Array(function.parameters.dropFirst()), result: nil)
    let others = without(place) { $0.arguments(rest, 1) }
    return "\(indent)\(function.name)(&\(place)\(others.isEmpty ? "" : ", " + others))\n"
  }

  mutating func catching(_ indent: String) -> String {
    let fitting = functions.filter { $0.isThrowing }
    guard callsFunctions, !fitting.isEmpty else { return "\(indent)\(change())\n" }
    let function = random.pick(fitting)
    let name = fresh("r")
    let outer = mayThrow
    mayThrow = true
    var text =
      "\(indent)do {\n\(indent)  let \(name) = try \(function.name)(\(arguments(function, 1)))\n"
    text += "\(indent)  print(\"got\", \(shown(name, function.result ?? .int)))\n"
    if random.isOne(in: 2) { text += "\(indent)  if \(condition(1)) { throw Oops\(seed).worse }\n" }
    mayThrow = outer
    text +=
      "\(indent)} catch Oops\(seed).bad(let n)\(random.isOne(in: 2) ? " where n > 10" : "") {\n"
    text += "\(indent)  print(\"bad\", n)\n"
    return text + "\(indent)} catch {\n\(indent)  print(\"other\", error)\n\(indent)}\n"
  }

  /// An early end of a function.
  mutating func early(_ indent: String) -> String {
    guard let returned else { return "\(indent)\(change())\n" }
    let result = stored(returned, 1)
    if random.isOne(in: 2) { return "\(indent)guard \(condition(2)) else { return \(result) }\n" }
    return "\(indent)if \(condition(2)) { return \(result) }\n"
  }

  /// A constant that gets its value later.
  mutating func late(_ indent: String) -> String {
    let type = type(1)
    let name = fresh("l")
    let text =
      "\(indent)let \(name): \(spelled(type))\n\(indent)if \(condition(1)) { \(name) = \(stored(type, 1)) }"
      + " else { \(name) = \(stored(type, 1)) }\n"
    scope.append(ProgramVariable(name: name, type: type))
    return text
  }

  mutating func swapped(_ indent: String) -> String {
    let places = visible {
      $0.isVariable && !$0.staysLocal && $0.type == .int && !$0.name.hasPrefix("shared")
    }
    guard places.count > 1 else { return "\(indent)\(change())\n" }
    let first = random.pick(places).name
    let second = random.pick(places).name
    if first == second { return "\(indent)\(first) *= -1\n" }
    return random.isOne(in: 2)
      ? "\(indent)swap(&\(first), &\(second))\n"
      : "\(indent)(\(first), \(second)) = (\(second), \(first))\n"
  }
}
