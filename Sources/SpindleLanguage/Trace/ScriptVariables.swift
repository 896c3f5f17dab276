import SpindleModel

/// The variables at the top of a script: all code of its file knows them.
///
/// One whose first value neither suspends nor throws gets it when it is first used, at the latest in its place among the
/// statements. The others get it there, as Swift gives it to all; where code reads such a variable too early, the process
/// crashes. Run with Swift 6.3.1.
enum ScriptVariables {
  /// A declaration as several, each with one variable.
  static func parts(of variable: Grammar.Variable) -> [Grammar.Variable] {
    var parts: [Grammar.Variable] = []
    for entry in variable.entries {
      let isSetInMain = isNamed(entry) && needsMain(entry)
      add(entry, isLet: variable.isLet, isSetInMain: isSetInMain, to: &parts)
    }
    return parts
  }

  /// Whether an entry declares a variable: a statement of `main` evaluates the value of `let _ = value`.
  static func isNamed(_ entry: Grammar.Variable.Entry) -> Bool { !isAny(entry.pattern) }

  private static func isAny(_ pattern: Grammar.Pattern) -> Bool {
    if case .any = pattern.kind { true } else { false }
  }

  /// `let (a, b) = (x, y)` as `let a = x`, `let b = y`, and `let (a, b) = value` as `let whole = value`, `let a = whole.0`,
  /// `let b = whole.1`.
  private static func add(
    _ entry: Grammar.Variable.Entry, isLet: Bool, isSetInMain: Bool,
    to parts: inout [Grammar.Variable]
  ) {
    guard case .tuple(let elements) = entry.pattern.kind, let value = entry.value else {
      return parts.append(
        Grammar.Variable(isLet: isLet, entries: [entry], isSetInMain: isSetInMain))
    }
    var values: [Grammar.Expression] = []
    var isSplit = false
    if case .tuple(let given) = value.kind, given.count == elements.count, entry.type == nil,
      elements.allSatisfy({ !isAny($0.pattern) })
    {
      (values, isSplit) = (given.map(\.value), true)
    } else {
      let whole = Grammar.Name(text: name(of: entry.pattern), range: entry.pattern.range)
      var first = entry
      first.pattern = Grammar.Pattern(kind: .name(whole, isVariable: false), range: whole.range)
      parts.append(Grammar.Variable(isLet: true, entries: [first], isSetInMain: true))
      let read = Grammar.Expression(kind: .name(whole.text, []), range: whole.range)
      values = elements.indices.map { index in
        let number = Grammar.Name(text: "\(index)", range: whole.range)
        return Grammar.Expression(kind: .member(read, number, []), range: whole.range)
      }
    }
    for (element, part) in zip(elements, values) {
      if isAny(element.pattern) { continue }
      let entry = Grammar.Variable.Entry(
        pattern: element.pattern, value: part, range: element.pattern.range)
      add(entry, isLet: isLet, isSetInMain: !isSplit || needsMain(entry), to: &parts)
    }
  }

  /// What the log calls a tuple whose parts have names, which no name in code can be.
  private static func name(of pattern: Grammar.Pattern) -> String {
    switch pattern.kind {
    case .name(let name, _): name.text
    case .tuple(let elements):
      "(\(elements.map { name(of: $0.pattern) }.joined(separator: ", ")))"
    default: "_"
    }
  }

  /// Whether a first value needs the task that runs `main`, or is there later.
  private static func needsMain(_ entry: Grammar.Variable.Entry) -> Bool {
    guard entry.accessors == nil else { return false }
    guard let value = entry.value else { return true }
    let block = Grammar.Block(
      statements: [Grammar.Statement(kind: .expression(value), range: value.range)],
      range: value.range)
    return EffectScan.isAwaiting(block) || EffectScan.isThrowing(block)
  }
}
