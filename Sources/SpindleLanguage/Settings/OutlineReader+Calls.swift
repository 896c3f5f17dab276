import SpindleModel

/// Matches the arguments of calls in settings and expectations with their formals.
extension OutlineReader {
  /// The argument for each formal, nil for one that is left out; nil when the call was refused.
  mutating func match(
    _ formals: [Formal], _ call: Grammar.Call, name: String, _ nameRange: SourceRange
  ) -> [Grammar.Expression?]? {
    var found: [Grammar.Expression?] = Array(repeating: nil, count: formals.count)
    var next = 0
    for argument in call.arguments {
      if argument.isTrailing {
        error(Messages.noClosure(name), argument.value.range)
        return nil
      }
      let fitting = formals.indices.dropFirst(next).first {
        formals[$0].label?.text == argument.label?.text
      }
      guard let fitting else {
        refuse(argument, formals, next, name)
        return nil
      }
      found[fitting] = argument.value
      next = fitting + 1
    }
    for (formal, value) in zip(formals, found) where !formal.isOptional && value == nil {
      let message =
        formal.label.map { Messages.missingArgument($0.text, of: name) }
        ?? Messages.missingValue("\(formal.type)", of: name)
      error(message, nameRange)
      return nil
    }
    return found
  }

  private mutating func refuse(
    _ argument: Grammar.Argument, _ formals: [Formal], _ next: Int, _ name: String
  ) {
    guard let label = argument.label else {
      let labels = formals[next...].compactMap(\.label?.text)
      let message =
        labels.first.map { Messages.missingLabel($0, of: name) } ?? Messages.tooManyArguments(name)
      return error(message, argument.value.range)
    }
    let known = formals.compactMap(\.label?.text)
    if formals[..<next].contains(where: { $0.label?.text == label.text }) {
      return error(Messages.misplacedArgument(label.text, of: name), label.range)
    }
    let near = proposal(label.text, known)
    if near == nil, formals[next...].contains(where: { $0.label == nil }) {
      error(Messages.needlessLabel(of: name), label.range)
    } else {
      error(Messages.unknownArgument(label.text, of: name, nearest: near, known), label.range)
    }
  }
}

extension Grammar.Call {
  /// The closure behind the parentheses; nil for none.
  var trailing: Grammar.Argument? { arguments.first { $0.isTrailing } }
}

extension Grammar.Expression {
  /// The text of a literal without values in it; nil for anything else.
  var literalText: String? {
    guard case .string(let segments) = kind, segments.count <= 1 else { return nil }
    switch segments.first {
    case .text(let text): return text
    case nil: return ""
    case .value: return nil
    }
  }
}
