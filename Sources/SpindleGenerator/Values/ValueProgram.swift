/// A program that is made from a seed, that Swift takes, and whose output no timing decides.
///
/// It has declarations of every kind and a function that prints what they do, so `swiftc` and Spindle must print the
/// same lines. Every program ends: functions call only those declared before them, and loops are bounded by literals.
/// Numbers and texts are cut where they are stored, so nothing overflows or grows. The names at the top end in the
/// seed, so many programs fit into one file.
package struct ValueProgram {
  let seed: Int
  var random: Randomness
  /// The declarations in front of the body.
  var declarations = ""
  /// The statements of the function that prints.
  var body = ""

  var structures: [ProgramNominal] = []
  var choices: [ProgramNominal] = []
  var objects: [ProgramNominal] = []
  var protocols: [ProgramNominal] = []
  var functions: [ProgramFunction] = []
  /// The names in scope, the innermost last.
  var scope: [ProgramVariable] = []
  /// How many names have been given.
  var names = 0
  /// How many loops and functions are around what is being made.
  var loops = 0
  /// Whether an escaping closure is being made.
  var isInClosure = false
  /// Whether functions may be called: not below the declarations that they use.
  var callsFunctions = false
  /// What a `return` hands back; nil outside a function.
  var returned: ProgramType?
  /// Whether errors may be thrown here.
  var mayThrow = false

  /// The name of the function that prints.
  package var entry: String { "body\(seed)" }

  /// Makes a program of nothing yet.
  init(empty seed: Int) { (self.seed, random) = (seed, Randomness(seed: seed)) }

  /// Makes the program of a seed.
  package init(seed: Int) {
    self.init(empty: seed)
    declare()
    callsFunctions = true
    body = within([]) { program in
      var lines = (0..<(8 + program.random.below(8))).map { _ in
        program.random.isOne(in: 3) ? program.feature("  ") : program.statement("  ")
      }
      for variable in program.scope {
        lines.append(
          "  print(\"\(variable.name)\", \(program.shown(variable.name, variable.type)))\n")
      }
      return lines.joined()
    }
  }

  /// The whole text, which prints by a call of `entry`.
  package var text: String { declarations + "func \(entry)() {\n\(body)}\n" }

  mutating func fresh(_ stem: String) -> String {
    names += 1
    return "\(stem)\(names)"
  }

  /// How a type is written.
  func spelled(_ type: ProgramType) -> String {
    switch type {
    case .int: "Int"
    case .bool: "Bool"
    case .text: "String"
    case .decimal: "Double"
    case .optional(let inner):
      if case .any = inner { "(\(spelled(inner)))?" } else { "\(spelled(inner))?" }
    case .array(let inner): "[\(spelled(inner))]"
    case .dictionary(let key, let value): "[\(spelled(key)): \(spelled(value))]"
    case .set(let inner): "Set<\(spelled(inner))>"
    case .pair(let first, let second): "(\(spelled(first)), \(spelled(second)))"
    case .function(let parameter, let result): "(\(spelled(parameter))) -> \(spelled(result))"
    case .structure(let index): structures[index].name
    case .choice(let index): choices[index].name
    case .object(let index): objects[index].name
    case .any(let index): "any \(protocols[index].name)"
    case .stack(let inner): "Stack\(seed)<\(spelled(inner))>"
    }
  }

  /// How the type of a parameter is written: what is called may keep it.
  func spelledParameter(_ type: ProgramType) -> String {
    if case .function = type { "@escaping \(spelled(type))" } else { spelled(type) }
  }

  // MARK: Types

  /// A type of at most this depth.
  mutating func type(_ depth: Int = 2) -> ProgramType {
    if depth == 0 || random.isOne(in: 3) { return random.pick([.int, .int, .text, .bool]) }
    switch random.below(12) {
    case 0, 1: return .optional(elementType(depth - 1))
    case 2, 3: return .array(elementType(depth - 1))
    case 4: return .dictionary(random.pick([.int, .text]), elementType(depth - 1))
    case 5: return .set(random.pick([.int, .text]))
    case 6: return .pair(elementType(depth - 1), elementType(depth - 1))
    case 7: return .function(random.pick([.int, .text]), elementType(depth - 1))
    case 8 where !structures.isEmpty: return .structure(random.below(structures.count))
    case 9 where !choices.isEmpty: return .choice(random.below(choices.count))
    case 10 where !objects.isEmpty: return .object(random.below(objects.count))
    case 11:
      // The conformers stand before, so that a value can be made.
      let fitting = protocols.indices.filter { !conformers($0).isEmpty }
      return fitting.isEmpty ? .text : .any(random.pick(fitting))
    default: return random.pick([.int, .text, .decimal])
    }
  }

  /// A type of what collections and optionals hold: no function, which they need parentheses for.
  private mutating func elementType(_ depth: Int) -> ProgramType {
    let drawn = type(depth)
    if case .function = drawn { return .int }
    return drawn
  }

  /// Makes something with more names in scope, which it leaves again.
  mutating func within<Value>(_ added: [ProgramVariable], _ make: (inout Self) -> Value) -> Value {
    let count = scope.count
    scope += added
    defer { scope.removeLast(scope.count - count) }
    return make(&self)
  }

  /// The variables in scope that can be used here.
  func visible(_ isWanted: (ProgramVariable) -> Bool) -> [ProgramVariable] {
    scope.filter { !(isInClosure && $0.staysLocal) && isWanted($0) }
  }
}
