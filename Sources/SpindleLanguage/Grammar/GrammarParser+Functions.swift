import SpindleModel

/// Functions, initialisers and subscripts.
extension GrammarParser {
  mutating func parseFunction() -> Grammar.Function {
    let start = current.start
    advance()
    let name: Grammar.Name
    if current.kind.isWord || current.kind == .leftParenthesis || current.kind == .endOfFile {
      name = parseName("a function")
    } else {
      // An operator: all signs up to the parenthesis.
      let first = current
      while current.kind != .leftParenthesis, current.kind != .less || current.start == first.start,
        current.kind != .endOfFile
      {
        advance()
      }
      name = Grammar.Name(
        text: text(Int(first.start), Int(previousEnd)),
        range: SourceRange(Int(first.start), Int(previousEnd)))
    }
    return parseSignature(name, start)
  }

  private mutating func parseSignature(_ name: Grammar.Name, _ start: Int32) -> Grammar.Function {
    var function = Grammar.Function(name: name, range: name.range)
    function.generics = parseGenericParameters()
    if current.kind == .leftParenthesis {
      function.parameters = parseParameters()
    } else {
      reportExpected("'('")
    }
    (function.effects, function.thrown) = parseEffects()
    if consume(.arrow) { function.result = parseType() }
    function.requirements = parseRequirements()
    if current.kind == .leftBrace { function.body = parseBlock("a function") }
    function.range = range(from: start)
    return function
  }

  mutating func parseInitializer() -> Grammar.DeclarationKind {
    let start = current.start
    let name = Grammar.Name(text: "init", range: current.range)
    advance()
    var isFailable = false
    if current.kind == .question || current.kind == .not {
      advance()
      isFailable = true
    }
    return .initializer(parseSignature(name, start), isFailable: isFailable)
  }

  /// `(label name: Type = value, …)`, at the parenthesis.
  mutating func parseParameters() -> [Grammar.Parameter] {
    advance()
    return parseList(until: .rightParenthesis, "')'") { $0.parseParameter() }
  }

  mutating func parseParameter() -> Grammar.Parameter {
    while isAttribute { _ = parseAttribute() }
    var label: Grammar.Name? = parseName("a parameter")
    var name = label ?? Grammar.Name(text: "_", range: current.range)
    if current.kind.isWord || current.kind == .underscore { name = parseName("a parameter") }
    if label?.text == "_" { label = nil }
    expect(.colon, "':' and a type")
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
    let parameters = parseParameters().map { parameter in
      var parameter = parameter
      if parameter.label?.range == parameter.name.range { parameter.label = nil }
      return parameter
    }
    expect(.arrow, "'->'")
    let result = parseType()
    _ = parseRequirements()
    let place = range(from: start)
    guard current.kind == .leftBrace else {
      reportExpected("'{'")
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
