import SpindleModel

/// Types, their members, and type parameters.
extension GrammarParser {
  mutating func parseTypeDeclaration(
    _ keyword: Grammar.TypeDeclaration.Keyword
  ) -> Grammar.TypeDeclaration {
    advance()
    let name = parseName("a type")
    // The primary associated types of a protocol are written like type parameters.
    let generics = parseGenericParameters()
    let inherited = parseInheritance()
    let requirements = parseRequirements()
    return Grammar.TypeDeclaration(
      keyword: keyword, name: name, generics: generics, inherited: inherited,
      requirements: requirements, members: parseMembers())
  }

  private mutating func parseInheritance() -> [Grammar.TypeSyntax] {
    guard consume(.colon) else { return [] }
    var inherited: [Grammar.TypeSyntax] = []
    repeat {
      if consume(word: "class") {
        continue
      }
      inherited += parseBounds()
    } while consume(.comma)
    return inherited
  }

  mutating func parseExtension() -> Grammar.DeclarationKind {
    advance()
    let type = parseType()
    let inherited = parseInheritance()
    let requirements = parseRequirements()
    return .extension(type, inherited: inherited, requirements: requirements, parseMembers())
  }

  mutating func parseMembers() -> [Grammar.Declaration] {
    guard consume(.leftBrace) else {
      reportExpected("'{'")
      return []
    }
    var members: [Grammar.Declaration] = []
    var branches = ConditionalBranches()
    while current.kind != .rightBrace && current.kind != .endOfFile {
      if current.kind == .semicolon {
        advance()
        continue
      }
      if skipsConditionalBranch(&branches) { continue }
      let before = current.start
      if startsDeclaration {
        members.append(parseDeclaration())
      } else {
        reportExpected("a member")
      }
      if current.start == before { advance() }
    }
    expect(.rightBrace, "'}'")
    return members
  }

  mutating func parseCases() -> [Grammar.EnumCase] {
    advance()
    var cases: [Grammar.EnumCase] = []
    repeat {
      let name = parseName("a case")
      var one = Grammar.EnumCase(name: name, values: [], raw: nil)
      if current.kind == .leftParenthesis {
        advance()
        one.values = parseList(until: .rightParenthesis, "')'") { $0.parseCaseValue() }
      }
      if consume(.assign) { one.raw = parseExpression() }
      cases.append(one)
    } while consume(.comma)
    return cases
  }

  private mutating func parseCaseValue() -> Grammar.Parameter {
    let place = current.range
    var label: Grammar.Name?
    if current.kind.isWord || current.kind == .underscore {
      var ahead = lexer
      let next = ahead.next()
      if next.kind == .colon {
        label = parseName("a label")
        advance()
      } else if current.kind == .underscore, next.kind.isWord {
        advance()
        advance()
        _ = consume(.colon)
      }
    }
    let type = parseType()
    var value = Grammar.Parameter(
      label: label?.text == "_" ? nil : label,
      name: label ?? Grammar.Name(text: "_", range: place), type: type)
    if consume(.assign) { value.standard = parseExpression() }
    return value
  }
}
