import SpindleModel

/// `[NSLock](count: 5)`, `[Thread](count: 3) { i in … }`: an array of objects that are made alike.
///
/// Swift has no such initialiser. The library's text has `[T](count: n, each: { i in T(…) })` for it, where the
/// index is the first parameter of the closure that is written.
extension BodyChecker {
  /// The call that an array of so many objects stands for; nil where `make` is no such array.
  func repeatedElements(_ call: Grammar.Call) -> Grammar.Call? {
    guard let first = call.arguments.first, first.label?.text == "count",
      let element = elementSyntax(call.callee), isMadeByCall(resolve(element))
    else { return nil }
    let range = call.callee.range
    var arguments = Array(call.arguments.dropFirst())
    var index = Grammar.Name(text: "_", range: range)
    if let last = arguments.indices.last, case .closure(var closure) = arguments[last].value.kind {
      if let written = closure.parameters {
        index = written.first?.name ?? index
        closure.parameters = written.count > 1 ? Array(written.dropFirst()) : nil
      } else if closure.shorthandCount > 0 {
        index = Grammar.Name(text: "$0", range: range)
        closure.parameters = []
      }
      closure.outerCount = 1
      arguments[last].value = Grammar.Expression(kind: .closure(closure), range: closure.range)
    }
    let made = Grammar.Call(
      callee: Grammar.Expression(kind: .type(element), range: range), arguments: arguments,
      place: call.place, hasParentheses: true)
    let end = arguments.last?.value.range.upperBound ?? call.place.upperBound
    let whole = SourceRange(Int(call.place.lowerBound), Int(end))
    let body = Grammar.Statement(
      kind: .expression(Grammar.Expression(kind: .call(made), range: whole)), range: whole)
    let closure = Grammar.Closure(
      parameters: [Grammar.ClosureParameter(name: index)],
      body: Grammar.Block(statements: [body], range: whole), range: whole)
    return Grammar.Call(
      callee: call.callee,
      arguments: [
        first,
        Grammar.Argument(
          label: Grammar.Name(text: "each", range: range),
          value: Grammar.Expression(kind: .closure(closure), range: whole)),
      ], place: call.place, hasParentheses: true)
  }

  private func elementSyntax(_ callee: Grammar.Expression) -> Grammar.TypeSyntax? {
    switch callee.kind {
    case .type(let type):
      if case .array(let element) = type.kind { return element }
      return nil
    case .array(let elements) where elements.count == 1:
      guard case .name(let name, let arguments) = elements[0].kind else { return nil }
      return Grammar.TypeSyntax(kind: .name(name, arguments), range: elements[0].range)
    default: return nil
    }
  }

  /// Whether the objects of a type are made by what is written; a closure gives any other value itself.
  private func isMadeByCall(_ type: SwiftType) -> Bool {
    type.nominal?.handle != nil
  }
}
