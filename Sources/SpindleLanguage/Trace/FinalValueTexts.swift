import SpindleModel

/// What expectations compute from the values at the top: `basket.count` in `value(basket.count)`.
///
/// For the front end with types each is a closure at the top, which is called when the run is over.
struct FinalValueTexts {
  /// Where they stand.
  private(set) var ranges: [SourceRange] = []

  init(of tree: SyntaxTree) {
    for declaration in tree.declarations {
      if case .expect(let block) = declaration.kind { visit(block.statements) }
    }
  }

  /// The name of the closure for the text with this number; no trace can have it.
  static func name(_ number: Int) -> String { "_v\(number)" }

  /// The names of all of them.
  var names: [String] { ranges.indices.map(Self.name) }

  /// The declarations of the closures, each at the place of its text.
  func declarations(in source: SourceText) -> [Grammar.Declaration] {
    ranges.enumerated().flatMap { number, range in
      let head = Array("let \(Self.name(number))={".utf8)
      let (start, end) = (Int(range.lowerBound), Int(range.upperBound))
      guard start >= head.count else { return [Grammar.Declaration]() }
      var bytes = Array(repeating: UInt8(ascii: " "), count: start - head.count) + head
      bytes += Array(source.utf8)[start..<end] + [UInt8(ascii: "}")]
      let text = SourceText(name: source.name, String(decoding: bytes, as: UTF8.self))
      return GrammarParser.parse(text).declarations
    }
  }

  private mutating func visit(_ statements: some Sequence<Statement>) {
    for statement in statements {
      switch statement.kind {
      case .expression(let expression): visit(expression)
      case .several(let inner): visit(inner)
      case .if(let choice):
        for branch in choice.branches { visit(branch.body.statements) }
        if let otherwise = choice.otherwise { visit(otherwise.statements) }
      default: break
      }
    }
  }

  private mutating func visit(_ expression: Expression) {
    switch expression.kind {
    case .infix(_, let sides):
      visit(sides.left)
      visit(sides.right)
    case .prefix(_, let inner): visit(inner)
    case .member(let member): visit(member.base)
    case .call(let call):
      if case .name(let name) = call.callee.kind, name == "value" {
        if let value = call.arguments.first?.value, Self.isComputed(value) {
          ranges.append(value.range)
        }
      } else {
        visit(call.callee)
        for argument in call.arguments { visit(argument.value) }
      }
    default: break
    }
  }

  private static func isComputed(_ value: Expression) -> Bool {
    switch value.kind {
    case .name, .text, .string, .missing: false
    default: true
    }
  }
}
