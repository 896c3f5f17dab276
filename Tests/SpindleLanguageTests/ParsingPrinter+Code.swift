@testable import SpindleLanguage
import SpindleModel

// Statements and expressions in one line: see `ParsingPrinter`.

extension Grammar.Block {
  var shown: String { "{\(statements.map(\.shown).joined(separator: "; "))}" }
}

extension Grammar.Statement {
  var shown: String {
    switch kind {
    case .expression(let value): value.shown
    case .declaration(let declaration): declaration.shown
    case .assignment(let target, let sign, let value):
      "\(target.shown) \(sign?.text ?? "")= \(value.shown)"
    case .if(let choice): choice.shown
    case .guard(let conditions, let body): "guard \(conditions.shown) else \(body.shown)"
    case .while(let conditions, let body): "while \(conditions.shown) \(body.shown)"
    case .repeatWhile(let body, let condition): "repeat \(body.shown) while \(condition.shown)"
    case .forIn(let loop): loop.shown
    case .switch(let selection):
      "switch \(selection.subject.shown) {"
        + selection.cases.map(\.shown).joined(separator: "; ") + "}"
    case .labelled(let label, let statement): "\(label.text): \(statement.shown)"
    case .break(let label): label.map { "break \($0.text)" } ?? "break"
    case .continue(let label): label.map { "continue \($0.text)" } ?? "continue"
    case .fallthrough: "fallthrough"
    case .return(let value): value.map { "return \($0.shown)" } ?? "return"
    case .defer(let body): "defer \(body.shown)"
    case .doCatch(let body, _, let catches):
      "do \(body.shown)" + catches.map(\.shown).joined()
    case .throw(let value): "throw \(value.shown)"
    case .missing: "¿"
    }
  }
}

extension Grammar.Conditional {
  fileprivate var shown: String {
    "if \(conditions.shown) \(body.shown)" + (otherwise.map { " else \($0.shown)" } ?? "")
  }
}

extension [Grammar.Condition] {
  fileprivate var shown: String {
    map { condition in
      switch condition {
      case .expression(let value): value.shown
      case .pattern(let pattern, _, let value, _): "\(pattern.shown) = \(value.shown)"
      case .available: "#available"
      }
    }.joined(separator: ", ")
  }
}

extension Grammar.Loop {
  fileprivate var shown: String {
    "for \(isTried ? "try " : "")\(isAwaited ? "await " : "")\(pattern.shown) in \(sequence.shown)"
      + (filter.map { " where \($0.shown)" } ?? "") + " \(body.shown)"
  }
}

extension Grammar.Selection.Case {
  fileprivate var shown: String {
    let words = items.map { $0.pattern.shown + ($0.filter.map { " where \($0.shown)" } ?? "") }
    return (isDefault ? "default" : "case \(words.joined(separator: ", "))") + ": \(body.shown)"
  }
}

extension Grammar.Catch {
  fileprivate var shown: String {
    let words = items.map { $0.pattern.shown + ($0.filter.map { " where \($0.shown)" } ?? "") }
    return " catch " + (words.isEmpty ? "" : words.joined(separator: ", ") + " ") + body.shown
  }
}

extension Grammar.Expression {
  var shown: String {
    switch kind {
    case .integer(let value): "\(value)"
    case .decimal(let value): "\(FixedDecimal(billionths: value))"
    case .duration(let value): "\(Nanoseconds(value))"
    case .size(let value): "\(ByteCount(value))"
    case .percent(let value): "\(FixedDecimal(billionths: value))%"
    case .boolean(let value): "\(value)"
    case .nil: "nil"
    case .string(let segments): "\"\(segments.map(\.shown).joined())\""
    case .name(let name, let types): name + Grammar.TypeSyntax.list(types)
    case .implicitMember(let name): ".\(name.text)"
    case .array(let elements): "[\(elements.map(\.shown).joined(separator: ", "))]"
    case .dictionary(let entries):
      entries.isEmpty
        ? "[:]"
        : "[\(entries.map { "\($0.key.shown): \($0.value.shown)" }.joined(separator: ", "))]"
    case .tuple(let parts): "(\(parts.shown))"
    case .member(let base, let name, let types):
      "\(base.shown).\(name.text)\(Grammar.TypeSyntax.list(types))"
    case .compound(let base, let labels): "\(base.shown)(\(labels.map { "\($0):" }.joined()))"
    case .call(let call): call.shown
    case .subscripted(let base, let arguments): "\(base.shown)[\(arguments.shown)]"
    case .prefix(let sign, let operand): "(\(sign.text)\(operand.shown))"
    case .binary(let sign, let left, let right): "(\(left.shown) \(sign.text) \(right.shown))"
    case .ternary(let condition, let first, let second):
      "(\(condition.shown) ? \(first.shown) : \(second.shown))"
    case .range(let from, let to, let isClosed, _):
      "(\(from?.shown ?? "") \(isClosed ? "..." : "..<") \(to?.shown ?? ""))"
    case .closure(let closure): closure.shown
    case .forced(let inner): "\(inner.shown)!"
    case .questioned(let inner): "\(inner.shown)?"
    case .chain(let inner): "<\(inner.shown)>"
    case .attempt(.plain, let inner): "(try \(inner.shown))"
    case .attempt(.optional, let inner): "(try? \(inner.shown))"
    case .attempt(.forced, let inner): "(try! \(inner.shown))"
    case .await(let inner): "(await \(inner.shown))"
    case .cast(let inner, .test, let type): "(\(inner.shown) is \(type.shown))"
    case .cast(let inner, .coerce, let type): "(\(inner.shown) as \(type.shown))"
    case .cast(let inner, .optional, let type): "(\(inner.shown) as? \(type.shown))"
    case .cast(let inner, .forced, let type): "(\(inner.shown) as! \(type.shown))"
    case .reference(let inner): "&\(inner.shown)"
    case .keyPath(let root, let path): "\\\(root?.shown ?? "")\(path.shown.dropFirst())"
    case .choice(let statement): "(\(statement.shown))"
    case .type(let type): "<\(type.shown)>"
    case .discard: "_"
    case .foreign(let text): text
    case .missing: "¿"
    }
  }
}

extension Grammar.Segment {
  fileprivate var shown: String {
    switch self {
    case .text(let text): text
    case .value(let value): "\\(\(value.shown))"
    }
  }
}

extension [Grammar.Argument] {
  fileprivate var shown: String {
    map { ($0.label.map { "\($0.text): " } ?? "") + $0.value.shown }.joined(separator: ", ")
  }
}

extension Grammar.Call {
  fileprivate var shown: String {
    let closures = arguments.filter(\.isTrailing).map { " " + [$0].shown }.joined()
    return "\(callee.shown)(\(arguments.filter { !$0.isTrailing }.shown))\(closures)"
  }
}

extension Grammar.Closure {
  fileprivate var shown: String {
    let captures = captures.map { capture in
      (capture.strength == .strong ? "" : "\(capture.strength) ") + capture.name.text
    }
    let names = (parameters ?? []).map { $0.name.text + ($0.type.map { ": \($0.shown)" } ?? "") }
    let header =
      (captures.isEmpty ? "" : "[\(captures.joined(separator: ", "))] ")
      + names.joined(separator: ", ") + effects.shown + (result.map { " -> \($0.shown)" } ?? "")
    let space = header.isEmpty || header.hasSuffix(" ") ? "" : " "
    return header.isEmpty ? body.shown : "{\(header)\(space)in \(body.shown.dropFirst())"
  }
}
