import SpindleModel

/// What a message proposes where a Swift file uses something that Spindle does not have: a declaration for the trace,
/// with the types that the code asks for.
extension BodyChecker {
  /// A message with the stub of a member of a type behind it, in programs that have Swift files.
  func withStub(
    _ message: String, member name: String, of type: SwiftType, isStatic: Bool,
    _ call: Grammar.Call?, _ expected: SwiftType?
  ) -> String {
    guard table.hasFiles, let nominal = solver.resolve(type).unwrappedFully.nominal,
      isUndeclared(nominal)
    else { return message }
    let word = isStatic ? "static " : ""
    let declaration: String
    if let call {
      declaration = "\(word)func \(name)\(signature(of: call, expected)) { … }"
    } else {
      declaration = "\(word)var \(name): \(written(expected)) { … }"
    }
    return proposal(message, "extension \(fullName(nominal)) { \(declaration) }")
  }

  /// Whether a type has more than the program and the library say: nothing declares it, or a file of the tool's own
  /// that stands for a library.
  func isUndeclared(_ nominal: Nominal) -> Bool {
    nominal.isUndeclared || nominal.place.map { table.isBuiltIn($0) } ?? false
  }

  /// Whether the class at hand inherits from one that no file declares, of which nothing is known but its name.
  var hasUnknownParent: Bool {
    context.nominal.map { $0.hasUnknownParent && $0.superclass == nil } ?? false
  }

  /// `super.init()`, `super.viewDidLoad()` of such a class: does nothing.
  func callAbove(_ call: Grammar.Call, _ range: SourceRange) -> Typed.Expression {
    for argument in call.arguments where !isContextual(argument.value) {
      _ = infer(argument.value, nil)
    }
    return node(.tuple([]), .void, range)
  }

  /// A message with the stub of an initialiser behind it.
  func withStub(_ message: String, initialising nominal: Nominal, _ call: Grammar.Call) -> String {
    guard table.hasFiles, isUndeclared(nominal) else { return message }
    let word = nominal.kind == .class ? "convenience " : ""
    let parameters = parameters(of: call)
    return proposal(
      message, "extension \(fullName(nominal)) { \(word)init\(parameters) { self.init() } }")
  }

  /// A message with the stub of a function behind it.
  func withStub(_ message: String, function name: String, _ call: Grammar.Call) -> String {
    guard table.hasFiles else { return message }
    return proposal(message, "func \(name)\(signature(of: call, nil)) { … }")
  }

  private func fullName(_ nominal: Nominal) -> String {
    if nominal.builtin == .instant { return "Date" }
    return nominal.outer.map { "\(fullName($0)).\(nominal.name)" } ?? nominal.name
  }

  private func proposal(_ message: String, _ stub: String) -> String {
    "\(message); a stub in the trace gives it a meaning and a cost: \(stub)"
  }

  private func signature(of call: Grammar.Call, _ expected: SwiftType?) -> String {
    var text = parameters(of: call)
    if isAwaited { text += " async" }
    if isTried { text += " throws" }
    let result = written(expected)
    return result == "Void" ? text : "\(text) -> \(result)"
  }

  private func parameters(of call: Grammar.Call) -> String {
    let parts = call.arguments.enumerated().map { index, argument in
      let label = argument.label?.text ?? (argument.isTrailing ? "completion" : "_")
      let name = argument.label == nil && !argument.isTrailing ? " \(letter(index))" : ""
      return "\(label)\(name): \(type(of: argument.value))"
    }
    return "(\(parts.joined(separator: ", ")))"
  }

  private func letter(_ index: Int) -> String {
    let letters = ["a", "b", "c", "d", "e", "f"]
    return index < letters.count ? letters[index] : "p\(index)"
  }

  /// The type of an argument, as far as it is known without what it is given for.
  private func type(of syntax: Grammar.Expression) -> String {
    if case .closure(let closure) = syntax.kind {
      let count = closure.parameters?.count ?? closure.shorthandCount
      let parameters = Array(repeating: "…", count: count).joined(separator: ", ")
      return "@escaping (\(parameters)) -> Void"
    }
    if isContextual(syntax) { return "…" }
    let errors = table.diagnostics.count
    let value = infer(syntax, nil)
    table.diagnostics.removeSubrange(errors...)
    return written(value.type)
  }

  private func written(_ type: SwiftType?) -> String {
    guard let type else { return "…" }
    let found = solver.shown(type)
    if found.isVoid { return "Void" }
    return found.isError || found.hasVariables ? "…" : "\(found)"
  }
}
