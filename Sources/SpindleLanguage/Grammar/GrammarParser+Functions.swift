import SpindleModel

/// Functions, initialisers and subscripts.
extension GrammarParser {
  /// A function; one that `hasBody` needs one.
  mutating func parseFunction(hasBody: Bool) -> Grammar.Function {
    let start = current.start
    advance()
    let name: Grammar.Name
    if current.kind.isWord || current.kind == .underscore || !startsOperatorName {
      name = parseDeclaredName("'func'")
    } else {
      // An operator: all signs up to the parenthesis.
      let first = current
      while current.kind != .leftParenthesis, current.kind != .less || current.start == first.start,
        current.kind != .leftBrace, !current.isFirstOnLine, current.kind != .endOfFile
      {
        advance()
      }
      name = Grammar.Name(
        text: text(Int(first.start), Int(previousEnd)),
        range: SourceRange(Int(first.start), Int(previousEnd)))
      checkOperator(name)
    }
    return parseSignature(name, start, "'func'", hasBody: hasBody)
  }

  /// Whether the sign at hand can be the name of an operator.
  private var startsOperatorName: Bool {
    switch current.kind {
    case .number, .string, .unterminatedString, .endOfFile, .leftParenthesis, .rightParenthesis,
      .leftBrace, .rightBrace, .leftBracket, .rightBracket, .comma, .colon, .semicolon, .dot,
      .arrow, .assign:
      false
    case .unknownCharacter: bytes[Int(current.start)] >= 0x80
    default: !current.isFirstOnLine
    }
  }

  private mutating func parseSignature(
    _ name: Grammar.Name, _ start: Int32, _ word: String, hasBody: Bool
  ) -> Grammar.Function {
    var function = Grammar.Function(name: name, range: name.range)
    function.generics = parseGenericParameters()
    if current.kind == .leftParenthesis {
      function.parameters = parseParameters()
    } else {
      reportMissing(
        SyntaxMessage.expectedSign(
          "(", "and parameters behind \(word == "'func'" ? "the function's name" : word)"))
      skipToBlock()
    }
    (function.effects, function.thrown) = parseEffects()
    if consume(.arrow) { function.result = parseType() }
    function.requirements = parseRequirements()
    if current.kind == .leftBrace, isInProtocol {
      report(SyntaxMessage.protocolBody, current.range)
    }
    if current.kind == .leftBrace || hasBody { function.body = parseBlock(word) }
    function.range = range(from: start)
    return function
  }

  /// An initialiser; one that `hasBody` needs one.
  mutating func parseInitializer(hasBody: Bool) -> Grammar.DeclarationKind {
    let start = current.start
    let name = Grammar.Name(text: "init", range: current.range)
    advance()
    var isFailable = false
    if current.kind == .question || current.kind == .not {
      advance()
      isFailable = true
    }
    return .initializer(
      parseSignature(name, start, "'init'", hasBody: hasBody), isFailable: isFailable)
  }

  /// `(label name: Type = value, …)`, at the parenthesis.
  mutating func parseParameters() -> [Grammar.Parameter] {
    let opening = current
    advance()
    return parseList(until: .rightParenthesis, opening, SyntaxMessage.parenthesisEnd) {
      $0.parseParameter()
    }
  }

  mutating func parseParameter() -> Grammar.Parameter {
    while isAttribute { _ = parseAttribute() }
    guard current.kind.isWord || current.kind == .underscore else {
      let name = parseName("a parameter")
      let type = Grammar.TypeSyntax(kind: .missing, range: name.range)
      return Grammar.Parameter(label: nil, name: name, type: type)
    }
    var label: Grammar.Name? = parseName("a parameter")
    var name = label ?? Grammar.Name(text: "_", range: current.range)
    if current.kind.isWord || current.kind == .underscore { name = parseName("a parameter") }
    if label?.text == "_" { label = nil }
    guard consume(.colon) else {
      reportMissing(SyntaxMessage.expectedSign(":", "and the parameter's type"))
      let type = Grammar.TypeSyntax(kind: .missing, range: name.range)
      return Grammar.Parameter(label: label, name: name, type: type)
    }
    let type = parseType()
    var parameter = Grammar.Parameter(label: label, name: name, type: type)
    if consume(.closedRange) { parameter.isVariadic = true }
    if consume(.assign) { parameter.standard = parseExpression() }
    return parameter
  }

  mutating func parseSubscript() -> Grammar.Subscript {
    let start = current.start
    advance()
    let generics = parseGenericParameters()
    // The labels of a subscript are those that are written apart from the names.
    if current.kind != .leftParenthesis {
      reportMissing(SyntaxMessage.expectedSign("(", "and parameters behind 'subscript'"))
      skipToBlock()
    }
    let written = current.kind == .leftParenthesis ? parseParameters() : []
    let parameters = written.map { parameter in
      var parameter = parameter
      if parameter.label?.range == parameter.name.range { parameter.label = nil }
      return parameter
    }
    expect(.arrow, "->", "and the type of an element")
    let result = parseType()
    _ = parseRequirements()
    let place = range(from: start)
    guard current.kind == .leftBrace else {
      reportMissing(SyntaxMessage.expectedBlock("'subscript'"))
      return Grammar.Subscript(
        generics: generics, parameters: parameters, result: result,
        accessors: Grammar.Accessors(range: place), range: place)
    }
    let accessors = parseAccessors()
    return Grammar.Subscript(
      generics: generics, parameters: parameters, result: result, accessors: accessors,
      range: place)
  }
}
