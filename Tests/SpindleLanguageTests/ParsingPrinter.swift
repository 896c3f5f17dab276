@testable import SpindleLanguage
import SpindleModel

// A tree in one line, for tests: operators and calls in parentheses, blocks in braces.

extension SyntaxTree {
  var shown: String {
    withExtendedLifetime(arena) { declarations.map(\.shown).joined(separator: "; ") }
  }
}

extension Declaration {
  var shown: String {
    switch kind {
    case .trace(let title, let settings): "trace \(title ?? "nil") {\(shown(settings))}"
    case .parameter(let name, let value, let allowed):
      "param \(name.text) = \(value.shown)\(allowed.map { " in \($0.shown)" } ?? "")"
    case .machine(let settings): "machine {\(shown(settings))}"
    case .binding(let binding): binding.shown
    case .function(let function): function.shown
    case .type(let type):
      "\(type.keyword.rawValue) \(type.name.text) \(type.methods.map(\.function.shown))"
    case .main(let mode, let block): "main\(mode.map { "(\($0.shown))" } ?? "") \(block.shown)"
    case .expect(let block): "expect \(block.shown)"
    case .schedule(let range): "schedule {\(range.count)}"
    case .explore(let settings): "explore {\(shown(settings))}"
    case .call(let expression): expression.shown
    case .missing: "¿"
    }
  }

  private func shown(_ settings: [Setting]) -> String {
    settings.map { "\($0.name.text): \($0.value.shown)" }.joined(separator: "; ")
  }
}

extension Declaration.Function {
  var shown: String {
    let list = parameters.map { parameter in
      let label = parameter.label?.text ?? "_"
      let names = label == parameter.name.text ? label : "\(label) \(parameter.name.text)"
      return "\(names): \(parameter.type.shown)\(parameter.standard.map { " = \($0.shown)" } ?? "")"
    }
    let arrow = result.map { " -> \($0.shown)" } ?? ""
    return "func \(name.text)(\(list.joined(separator: ", ")))\(arrow) \(body.shown)"
  }
}

extension TypeName {
  var shown: String {
    switch kind {
    case .name(let name): name.text
    case .array(let element): "[\(element.value.shown)]"
    case .dictionary(let key, let value): "[\(key.value.shown): \(value.value.shown)]"
    case .optional(let wrapped): "\(wrapped.value.shown)?"
    case .generic(let name, let arguments):
      "\(name)<\(arguments.map(\.shown).joined(separator: ", "))>"
    case .function(let parameters, let result, _):
      "(\(parameters.map(\.shown).joined(separator: ", "))) -> \(result?.value.shown ?? "nil")"
    case .missing: "¿"
    }
  }
}

extension Binding {
  var shown: String {
    let words = (isWeak ? "weak " : "") + (isVariable ? "var" : "let")
    return "\(words) \(name.text)\(type.map { ": \($0.shown)" } ?? "") = \(value.shown)"
  }
}

extension CodeBlock {
  var shown: String { "{\(statements.map(\.shown).joined(separator: "; "))}" }
}

extension Statement {
  var shown: String {
    switch kind {
    case .expression(let expression): expression.shown
    case .binding(let binding): binding.value.shown
    case .assignment(let assignment):
      "\(assignment.target.shown) \(assignment.operation?.rawValue ?? "")= "
        + assignment.assigned.shown
    case .if(let choice):
      choice.branches.map { "if \($0.condition.shown) \($0.body.shown)" }.joined(
        separator: " else ")
        + (choice.otherwise.map { " else \($0.shown)" } ?? "")
    case .guard(let branch): "guard \(branch.condition.shown) else \(branch.body.shown)"
    case .while(let branch): "while \(branch.condition.shown) \(branch.body.shown)"
    case .repeatWhile(let branch):
      "repeat \(branch.body.shown) while \(branch.condition.shown)"
    case .forIn(let loop):
      "for \(loop.value.names) in \(loop.sequence.shown)"
        + (loop.value.filter.map { " where \($0.shown)" } ?? "") + " \(loop.body.shown)"
    case .switch(let selection):
      "switch \(selection.value.value.shown) {"
        + selection.value.cases.map(\.shown).joined(separator: "; ") + "}"
    case .labelled(let labelled): "\(labelled.label.text): \(labelled.value.statement.shown)"
    case .several(let statements): statements.map(\.shown).joined(separator: " & ")
    case .break(let label): label.map { "break \($0)" } ?? "break"
    case .continue(let label): label.map { "continue \($0)" } ?? "continue"
    case .function(let function): "func \(function.value.name.text)() \(function.value.body.shown)"
    case .fallthrough: "fallthrough"
    case .return(let value): value.map { "return \($0.shown)" } ?? "return"
    case .defer(let body): "defer \(body.value.shown)"
    case .doCatch(let attempt):
      "do \(attempt.body.shown)\(attempt.handler.map { " catch \($0.shown)" } ?? "")"
    case .throw(let value): "throw \(value.shown)"
    case .missing: "¿"
    }
  }
}

extension Statement.Loop {
  fileprivate var names: String { second.map { "(\(name.text), \($0.text))" } ?? name.text }
}

extension Statement.Case {
  fileprivate var shown: String {
    let words = patterns.map(\.shown).joined(separator: ", ")
    return (patterns.isEmpty ? "default" : "case \(words)") + ": \(body.shown)"
  }
}

extension Pattern {
  fileprivate var shown: String {
    let pattern =
      switch kind {
      case .value(let value): value.shown
      case .name(let name, let isVariable): "\(isVariable ? "var" : "let") \(name.text)"
      case .present(let name, let isVariable): "\(isVariable ? "var" : "let") \(name.text)?"
      case .payload(let node):
        ".\(node.value.name.text)(\(node.value.elements.map(\.shown).joined(separator: ", ")))"
      case .any: "_"
      case .missing: "¿"
      }
    return pattern + (filter.map { " where \($0.shown)" } ?? "")
  }
}

extension CasePattern.Element {
  fileprivate var shown: String { (label.map { "\($0.text): " } ?? "") + pattern.shown }
}

extension SpindleLanguage.Expression {
  var shown: String {
    switch kind {
    case .integer(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .duration(let value): "\(value)"
    case .size(let value): "\(value)"
    case .percent(let value): "\(value)%"
    case .text(let text): "\"" + Expression.Segment.text(text).shown + "\""
    case .string(let segments):
      "\"" + segments.map(\.shown).joined() + "\""
    case .boolean(let value): "\(value)"
    case .none: "nil"
    case .name(let name): name.text
    case .implicitMember(let name): ".\(name)"
    case .array(let elements): "[\(elements.map(\.shown).joined(separator: ", "))]"
    case .dictionary(let entries):
      entries.isEmpty
        ? "[:]"
        : "[\(entries.map { "\($0.key.shown): \($0.value.shown)" }.joined(separator: ", "))]"
    case .member(let member): "\(member.base.shown).\(member.name)"
    case .call(let call):
      call.callee.shown + "(\(call.arguments.map(\.shown).joined(separator: ", ")))"
        + call.closures.map { " \($0.label.map { "\($0): " } ?? "")\($0.closure.shown)" }.joined()
    case .element(let element):
      "\(element.base.shown)[\(element.index.shown)"
        + (element.fallback.map { ", default: \($0.shown)" } ?? "") + "]"
    case .prefix(let sign, let operand): "(\(sign.rawValue)\(operand.shown))"
    case .infix(let sign, let sides):
      "(\(sides.left.shown) \(sign.rawValue) \(sides.right.shown))"
    case .conditional(let choice):
      "(\(choice.condition.shown) ? \(choice.first.shown) : \(choice.second.shown))"
    case .range(let bounds):
      "(\(bounds.from.shown) \(bounds.isClosed ? "..." : "..<") \(bounds.to.shown))"
    case .closure(let closure): closure.value.shown
    case .coalesce(let sides): "(\(sides.left.shown) ?? \(sides.right.shown))"
    case .unwrap(let inner): "\(inner.shown)!"
    case .bind(let inner): "\(inner.shown)?"
    case .chain(let inner): "<\(inner.shown)>"
    case .await(let inner, _): "(await \(inner.shown))"
    case .specialized(let name, let types):
      "\(name)<\(types.map(\.shown).joined(separator: ", "))>"
    case .attempt(let isForced, let inner): "(try\(isForced ? "!" : "?") \(inner.shown))"
    case .condition(let binding): "(\(binding.value.shown))"
    case .match(let match): "(case \(match.pattern.shown) = \(match.value.value.shown))"
    case .missing: "¿"
    }
  }
}

extension SpindleLanguage.Expression.Segment {
  var shown: String {
    switch self {
    case .text(let text): text.text
    case .value(let value): "\\(\(value.shown))"
    }
  }
}

extension SpindleLanguage.Expression.Argument {
  var shown: String { label.map { "\($0): \(value.shown)" } ?? value.shown }
}

extension SpindleLanguage.Expression.Closure {
  var shown: String {
    parameters.isEmpty
      ? body.shown
      : "{\(parameters.map(\.text).joined(separator: ", ")) in \(body.shown.dropFirst())"
  }
}
