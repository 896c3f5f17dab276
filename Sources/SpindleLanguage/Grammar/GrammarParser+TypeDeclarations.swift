import SpindleModel

/// Types, their members, and type parameters.
extension GrammarParser {
  mutating func parseTypeDeclaration(
    _ keyword: Grammar.TypeDeclaration.Keyword
  ) -> Grammar.TypeDeclaration {
    advance()
    let word = "'\(keyword.rawValue)'"
    let name = parseDeclaredName(word)
    // The primary associated types of a protocol are written like type parameters.
    let generics = parseGenericParameters()
    let inherited = parseInheritance()
    let requirements = parseRequirements()
    return Grammar.TypeDeclaration(
      keyword: keyword, name: name, generics: generics, inherited: inherited,
      requirements: requirements, members: parseMembers(word, of: keyword))
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
    return .extension(
      type, inherited: inherited, requirements: requirements, parseMembers("'extension'", of: nil))
  }

  /// The members of a type in braces; of an extension where there is no keyword.
  private mutating func parseMembers(
    _ word: String, of keyword: Grammar.TypeDeclaration.Keyword?
  ) -> [Grammar.Declaration] {
    let opening = current
    if current.kind != .leftBrace {
      reportMissing(SyntaxMessage.expectedBlock(word))
      skipToBlock()
    }
    guard consume(.leftBrace) || isIndentedMore else { return [] }
    let outer = (isInProtocol, openTypes)
    (isInProtocol, openTypes) = (keyword == .protocol, openTypes + 1)
    defer { (isInProtocol, openTypes) = outer }
    let isIndented = !isAtLineStart(current)
    var members: [Grammar.Declaration] = []
    var branches = ConditionalBranches()
    while current.kind != .rightBrace, current.kind != .endOfFile,
      !endsBlock(isIndented: isIndented)
    {
      if consume(.semicolon) { continue }
      if skipsConditionalBranch(&branches) { continue }
      let (before, errors) = (current.start, diagnostics.count)
      if startsDeclaration {
        members.append(parseDeclaration())
      } else {
        reportUnexpected(SyntaxMessage.expectedMember(of: keyword?.rawValue))
        skipToStatementEnd()
      }
      endStatement(hasErrors: diagnostics.count > errors)
      if current.start == before, current.kind != .rightBrace { advance() }
    }
    reportOpen(branches)
    if !consume(.rightBrace) { reportUnclosedBrace(opening) }
    return members
  }

  mutating func parseCases() -> [Grammar.EnumCase] {
    advance()
    var cases: [Grammar.EnumCase] = []
    repeat {
      let name = parseName("'case'")
      var one = Grammar.EnumCase(name: name, values: [], raw: nil)
      if current.kind == .leftParenthesis {
        let opening = current
        advance()
        one.values = parseList(until: .rightParenthesis, opening, SyntaxMessage.parenthesisEnd) {
          $0.parseCaseValue()
        }
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
