@testable import SpindleLanguage
import SpindleModel

// A tree in one line, for tests: operators and calls in parentheses, blocks in braces, what could not be read as '¿'.

extension [Grammar.Declaration] {
  var shown: String { map(\.shown).joined(separator: "; ") }
}

extension Grammar.Declaration {
  var shown: String {
    let attributes = modifiers.attributes.map { attribute in
      attribute.name.text.isEmpty ? "@" : "@\(attribute.name.text) "
    }
    let words = modifiers.words.map { "\($0.word.text)\($0.argument.map { "(\($0))" } ?? "") " }
    return (attributes + words).joined() + kind.shown
  }
}

extension Grammar.DeclarationKind {
  var shown: String {
    switch self {
    case .variable(let variable): variable.shown
    case .function(let function): "func " + function.shown
    case .initializer(let function, let isFailable):
      (isFailable ? "init?" : "") + function.shown
    case .deinitializer(let body): "deinit \(body.shown)"
    case .subscript(let one):
      "subscript(\(one.parameters.shown)) -> \(one.result.shown) \(one.accessors.shown)"
    case .type(let type):
      "\(type.keyword.rawValue) \(type.name.text)\(type.generics.shown)\(shown(type.inherited)) "
        + "{\(type.members.shown)}"
    case .extension(let type, let inherited, _, let members):
      "extension \(type.shown)\(shown(inherited)) {\(members.shown)}"
    case .enumCases(let cases): "case " + cases.map(\.shown).joined(separator: ", ")
    case .typeAlias(let name, _, let type): "typealias \(name.text) = \(type.shown)"
    case .associatedType(let name, _, _): "associatedtype \(name.text)"
    case .main(let isTool, let body): "main\(isTool ? "(.tool)" : "") \(body.shown)"
    case .setting(let section): section.shown
    case .include: "<include>"
    case .statement(let statement): statement.shown
    case .missing: "¿"
    }
  }

  private func shown(_ inherited: [Grammar.TypeSyntax]) -> String {
    inherited.isEmpty ? "" : ": " + inherited.map(\.shown).joined(separator: ", ")
  }
}

extension Grammar.EnumCase {
  fileprivate var shown: String {
    name.text + (values.isEmpty ? "" : "(\(values.shown))") + (raw.map { " = \($0.shown)" } ?? "")
  }
}

extension [Grammar.Parameter] {
  fileprivate var shown: String {
    map { parameter in
      let label = parameter.label?.text ?? "_"
      let names =
        label == parameter.name.text ? label : "\(label) \(parameter.name.text)"
      return "\(names): \(parameter.type.shown)\(parameter.isVariadic ? "..." : "")"
        + (parameter.standard.map { " = \($0.shown)" } ?? "")
    }.joined(separator: ", ")
  }
}

extension [Grammar.TypeParameter] {
  fileprivate var shown: String {
    if isEmpty { return "" }
    let parts = map { part in
      part.name.text
        + (part.bounds.isEmpty ? "" : ": " + part.bounds.map(\.shown).joined(separator: " & "))
    }
    return "<\(parts.joined(separator: ", "))>"
  }
}

extension Grammar.Function {
  fileprivate var shown: String {
    "\(name.text)\(generics.shown)(\(parameters.shown))\(effects.shown)"
      + (result.map { " -> \($0.shown)" } ?? "") + (body.map { " \($0.shown)" } ?? "")
  }
}

extension Grammar.Effects {
  var shown: String { (isAsync ? " async" : "") + (isThrowing ? " throws" : "") }
}

extension Grammar.Accessors {
  fileprivate var shown: String {
    let parts = [("get", getter), ("set", setter), ("willSet", willSet), ("didSet", didSet)]
    return "{"
      + parts.compactMap { word, body in body.map { "\(word) \($0.shown)" } }
      .joined(separator: " ") + "}"
  }
}

extension Grammar.Variable {
  fileprivate var shown: String {
    "\(isLet ? "let" : "var") "
      + entries.map { entry in
        entry.pattern.named + (entry.type.map { ": \($0.shown)" } ?? "")
          + (entry.value.map { " = \($0.shown)" } ?? "")
          + (entry.accessors.map { " \($0.shown)" } ?? "")
      }.joined(separator: ", ")
  }
}

extension Grammar.TypeSyntax {
  var shown: String {
    switch kind {
    case .name(let name, let arguments): name + Self.list(arguments)
    case .member(let owner, let name, let arguments):
      "\(owner.shown).\(name.text)\(Self.list(arguments))"
    case .array(let element): "[\(element.shown)]"
    case .dictionary(let key, let value): "[\(key.shown): \(value.shown)]"
    case .optional(let wrapped): "\(wrapped.shown)?"
    case .implicit(let wrapped): "\(wrapped.shown)!"
    case .tuple(let elements): "(\(Self.shown(elements)))"
    case .function(let parameters, let effects, _, let result):
      "(\(Self.shown(parameters)))\(effects.shown) -> \(result.shown)"
    case .some(let type): "some \(type.shown)"
    case .any(let type): "any \(type.shown)"
    case .composition(let types): types.map(\.shown).joined(separator: " & ")
    case .metatype(let type): "\(type.shown).Type"
    case .attributed(let type, let attributes, let isInout):
      attributes.map { "@\($0.name.text) " }.joined() + (isInout ? "inout " : "") + type.shown
    case .missing: "¿"
    }
  }

  static func list(_ arguments: [Grammar.TypeSyntax]) -> String {
    arguments.isEmpty ? "" : "<\(arguments.map(\.shown).joined(separator: ", "))>"
  }

  private static func shown(_ parts: [(label: Grammar.Name?, type: Grammar.TypeSyntax)]) -> String {
    parts.map { ($0.label.map { "\($0.text): " } ?? "") + $0.type.shown }.joined(separator: ", ")
  }
}

extension Grammar.Pattern {
  /// Within `let` or `var`: the names alone.
  fileprivate var named: String {
    switch kind {
    case .name(let name, _): name.text
    case .tuple(let parts): "(" + parts.map(\.pattern.named).joined(separator: ", ") + ")"
    default: shown
    }
  }

  var shown: String {
    switch kind {
    case .any: "_"
    case .name(let name, let isVariable): "\(isVariable ? "var" : "let") \(name.text)"
    case .tuple(let parts): "(\(Self.shown(parts)))"
    case .enumCase(let owner, let name, let parts):
      "\(owner?.shown ?? "").\(name.text)\(parts.map { "(\(Self.shown($0)))" } ?? "")"
    case .some(let inner): "\(inner.shown)?"
    case .isType(let type): "is \(type.shown)"
    case .asType(let inner, let type): "\(inner.shown) as \(type.shown)"
    case .value(let value): value.shown
    case .missing: "¿"
    }
  }

  private static func shown(_ parts: [(label: Grammar.Name?, pattern: Grammar.Pattern)]) -> String {
    parts.map { ($0.label.map { "\($0.text): " } ?? "") + $0.pattern.shown }
      .joined(separator: ", ")
  }
}

extension Grammar.Section {
  fileprivate var shown: String {
    func shown(_ settings: [Grammar.Setting]) -> String {
      "{" + settings.map { "\($0.name.text): \($0.value.shown)" }.joined(separator: "; ") + "}"
    }
    return switch self {
    case .trace(let title, let settings): "trace \"\(title ?? "¿")\" \(shown(settings))"
    case .machine(let settings): "machine \(shown(settings))"
    case .explore(let settings): "explore \(shown(settings))"
    case .parameter(let name, let value, let allowed):
      "param \(name.text) = \(value.shown)" + (allowed.map { " in \($0.shown)" } ?? "")
    case .expect(let body): "expect \(body.shown)"
    case .schedule(let range): "schedule \(range.count)"
    }
  }
}
