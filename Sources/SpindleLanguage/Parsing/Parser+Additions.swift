import SpindleModel

/// `extension Model { … }`, `protocol Store { … }`, `typealias Completion = …`.
extension Parser {
  /// What stands behind the name of one of them.
  mutating func parseAddition(
    _ keyword: TypeDeclaration.Keyword, _ given: Name, _ isolation: Isolation
  ) -> TypeDeclaration {
    var name = given
    while keyword == .extension, consume(.dot) {
      let last = parseName("the extension")
      name = Name(word: last.word, range: given.range.union(last.range))
    }
    var type = TypeDeclaration(keyword: keyword, name: name)
    type.isolation = isolation
    if current.kind == .less {
      report(SyntaxMessage.typeParameters, current.range)
      skipTypeParameters()
    }
    if keyword == .typealias {
      if consume(.assign) {
        type.aliased = parseType()
      } else {
        reportMissing(SyntaxMessage.expectedSign("=", "and a type behind 'typealias'"))
        skipToStatementEnd()
      }
      return type
    }
    if consume(.colon) { type.bases = parseBases() }
    if isName(current, "where") { skipToBlock() }
    if keyword == .extension { parseMembers(&type) } else { passOverRequirements(&type) }
    return type
  }

  private mutating func skipTypeParameters() {
    advance()
    while current.kind != .greater, current.kind != .endOfFile, !peek().isFirstOnLine {
      noteTypeParameter()
      advance()
    }
    _ = consume(.greater)
  }

  /// The name at hand is a type from now on, of which nothing is known: that it is refused has been told.
  mutating func noteTypeParameter() {
    var before = Int(current.start) - 1
    while before > 0, bytes[before] == UInt8(ascii: " ") { before -= 1 }
    guard current.kind == .identifier,
      bytes[before] == UInt8(ascii: "<") || bytes[before] == UInt8(ascii: ","),
      typeParameters.insert(word(current)).inserted
    else { return }
    var parameter = TypeDeclaration(
      keyword: .typealias, name: Name(word: word(current), range: current.range))
    parameter.aliased = TypeName(kind: .missing, range: current.range)
    pendingDeclarations.append(Declaration(kind: .type(parameter), range: current.range))
  }

  /// Passes over what a protocol asks for, but for its name and where it runs: whoever conforms has it, or Swift's
  /// compiler says so.
  private mutating func passOverRequirements(_ type: inout TypeDeclaration) {
    let opening = current
    guard consume(.leftBrace) else {
      return reportMissing(SyntaxMessage.expectedBlock("'protocol'"))
    }
    var (depth, inner, isRequired) = (1, 0, false)
    while depth > 0 {
      switch current.kind {
      case .endOfFile: return reportUnclosedBrace(opening)
      case .leftBrace: depth += 1
      case .rightBrace: depth -= 1
      case .leftParenthesis: inner += 1
      case .rightParenthesis: inner -= 1
      case .unknownCharacter where depth == 1 && inner == 0:
        // What else an attribute says is for those who conform.
        _ = noteIsolation(current)
        (_, _, isSendable) = (takeDiscardable(), takeTaskLocal(), false)
      case .identifier where depth == 1 && inner == 0 && isName(current, "nonisolated"):
        isolation = parseNonisolated()
        continue
      case .identifier where depth == 1 && inner == 0 && isName(current, "init"):
        _ = takeIsolation()
      case .identifier where depth == 1 && isRequired:
        type.required.append(
          TypeDeclaration.Requirement(name: word(current), isolation: takeIsolation()))
      default: break
      }
      isRequired = current.kind == .func || current.kind == .var
      advance()
    }
    _ = takeIsolation()
  }

  /// The name behind `func`, which is no operator.
  mutating func parseFunctionName() -> Name {
    isOwnSign ? skipOwnSign() : parseName("the function")
  }
}
