import SpindleModel

/// What expectations compute from the values at the top: `basket.count` in `value(basket.count)`.
///
/// Each is a closure at the top, which is called when the run is over.
struct FinalValues {
  /// Where they stand.
  private(set) var ranges: [SourceRange] = []
  /// The declarations of the closures, each at the place of its text.
  private(set) var declarations: [Grammar.Declaration] = []
  /// How many of them are the trace's own; the others are those of options, which are behind it.
  private(set) var ownCount = 0

  /// Finds what the expectations among the declarations of a trace compute.
  init(of all: [Grammar.Declaration]) {
    for declaration in all {
      if case .setting(.expect(let block)) = declaration.kind { visit(block) }
    }
    ownCount = ranges.count
  }

  /// Adds what options ask for, whose texts are put behind the `source`.
  mutating func add(_ options: [Overrides.Assignment], behind source: inout SourceText) {
    for option in options {
      let whole = source.including(SourceText(name: option.name, option.value))
      let (start, before) = (source.utf8.count + 1, ranges.count)
      for place in ExpectationCompiler.listedPlaces(option.value) where place.count > 0 {
        let (value, found) = GrammarParser.parseExpression(
          in: whole,
          at: SourceRange(start + Int(place.lowerBound), start + Int(place.upperBound)))
        if found.isEmpty { visit(value) }
      }
      if ranges.count > before { source = whole }
    }
  }

  /// The name of the closure for the text with this number; no trace can have it.
  static func name(_ number: Int) -> String { "_v\(number)" }

  /// The names of all of them.
  var names: [String] { ranges.indices.map(Self.name) }

  private mutating func visit(_ block: Grammar.Block) {
    for statement in block.statements {
      switch statement.kind {
      case .expression(let expression): visit(expression)
      case .if(let choice):
        visit(choice.body)
        if let otherwise = choice.otherwise { visit(otherwise) }
      default: break
      }
    }
  }

  private mutating func visit(_ expression: Grammar.Expression) {
    switch expression.kind {
    case .binary(_, let left, let right):
      visit(left)
      visit(right)
    case .prefix(_, let inner), .member(let inner, _, _): visit(inner)
    case .call(let call):
      if case .name("value", _) = call.callee.kind {
        if let value = call.arguments.first?.value, Self.isComputed(value) { declare(value) }
      } else {
        visit(call.callee)
        for argument in call.arguments { visit(argument.value) }
      }
    default: break
    }
  }

  /// Declares a closure that gives a value.
  private mutating func declare(_ value: Grammar.Expression) {
    let range = value.range
    let name = Grammar.Name(text: Self.name(ranges.count), range: range)
    let body = Grammar.Block(
      statements: [Grammar.Statement(kind: .expression(value), range: range)], range: range)
    let closure = Grammar.Expression(
      kind: .closure(Grammar.Closure(body: body, range: range)), range: range)
    let entry = Grammar.Variable.Entry(
      pattern: Grammar.Pattern(kind: .name(name, isVariable: false), range: range), type: nil,
      value: closure, accessors: nil, range: range)
    declarations.append(
      Grammar.Declaration(
        kind: .variable(Grammar.Variable(isLet: true, entries: [entry])),
        modifiers: Grammar.Modifiers(), range: range))
    ranges.append(range)
  }

  private static func isComputed(_ value: Grammar.Expression) -> Bool {
    switch value.kind {
    case .name, .string, .missing: false
    default: true
    }
  }
}
