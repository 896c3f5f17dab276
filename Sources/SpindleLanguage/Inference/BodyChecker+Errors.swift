import SpindleModel

/// Errors: which types a body throws, and what a `catch` is given.
///
/// Source: SE-0413.
extension BodyChecker {
  /// An error that some call or statement throws.
  struct RaisedError {
    var type: SwiftType
    var place: SourceRange
  }

  /// Notes what a call behind a `try` throws.
  func noteErrors(_ type: SwiftType?, _ place: SourceRange) {
    if isTried { raised.append(RaisedError(type: type ?? known.error, place: place)) }
  }

  /// Notes what the call of a function throws.
  func noteErrors(of symbol: FunctionSymbol, _ made: Typed.Call, _ place: SourceRange) {
    guard symbol.isThrowing else { return }
    guard symbol.isRethrowing else {
      let thrown = symbol.thrown?.substituting(made.substitution)
      return noteErrors(thrown?.isErased == true ? nil : thrown, place)
    }
    for case .value(let given) in made.arguments {
      if let closure = given.closureLiteral {
        noteErrors(closure.errors, place)
      } else if case .function(let function) = solver.shallow(unconverted(given).type) {
        noteErrors(solver.errors(of: function), place)
      }
    }
  }

  private func unconverted(_ value: Typed.Expression) -> Typed.Expression {
    if case .conversion(let inner) = value.kind { unconverted(inner) } else { value }
  }

  /// The errors that a closure throws: those that it says, or any where it throws at all.
  func errors(of syntax: Grammar.Closure) -> SwiftType {
    if let written = syntax.thrown { return resolve(written) }
    return syntax.effects.isThrowing || EffectScan.isThrowing(syntax.body)
      ? known.error : known.never
  }

  /// The type of the errors in the type of a closure; nil for any.
  func thrownType(
    of syntax: Grammar.Closure, _ errors: SwiftType, _ wanted: FunctionType?
  ) -> SwiftType? {
    if syntax.thrown != nil { return errors }
    return wanted?.thrown.map { solver.isOpen($0) ? errors : $0 }
  }

  /// The one type of all errors that code has thrown; nil where it is any.
  private func onlyType(of errors: [RaisedError]) -> SwiftType? {
    let types = errors.map { solver.resolve($0.type) }.filter { $0 != known.never }
    guard let only = types.first, types.allSatisfy({ $0 == only }), only != known.error,
      !only.hasVariables, !only.isError
    else { return nil }
    return only
  }

  /// Reports the errors of a body that says which errors it throws, and throws others.
  func checkRaised() {
    guard let thrown = thrown.map({ solver.resolve($0) }), thrown != known.error,
      !thrown.hasVariables
    else { return }
    for error in raised {
      let type = solver.resolve(error.type)
      if type == known.never || type == thrown || type.hasVariables { continue }
      report(Messages.mismatch(expected: "\(thrown)", found: "\(type)"), error.place)
    }
  }

  func checkThrow(_ value: Grammar.Expression, _ range: SourceRange) -> Typed.Statement {
    let wanted = thrown.map { solver.resolve($0) } ?? known.error
    let made = complete { checker in
      if wanted.hasVariables { return checker.check(value, checker.known.error) }
      return checker.convert(checker.check(value, wanted), to: checker.known.error)
    }
    raised.append(RaisedError(type: wanted, place: value.range))
    return statement(.throw(made), range)
  }

  // MARK: Catching

  func checkDo(
    _ body: Grammar.Block, _ written: Grammar.TypeSyntax?, _ catches: [Grammar.Catch],
    _ range: SourceRange, _ isBranch: Bool
  ) -> Typed.Statement {
    if catches.isEmpty {
      return statement(.block(checkBranch(body, isBranch), label: nil), range)
    }
    let outer = (raised, thrown)
    (raised, thrown) = ([], written.map { resolve($0) })
    let made = checkBranch(body, isBranch)
    checkRaised()
    let (errors, type) = (raised, thrown ?? onlyType(of: raised))
    (raised, thrown) = outer
    let error = local("error", known.error, isVariable: false, range)
    let handlers = catches.map { checkCatch($0, error, type, isBranch) }
    if !handlers.contains(where: \.catchesAll) { raised += errors }
    return statement(.doCatch(made, handlers, error: error, label: nil), range)
  }

  /// A `catch` of errors of any type, or of one that is known.
  private func checkCatch(
    _ syntax: Grammar.Catch, _ error: Typed.Local, _ type: SwiftType?, _ isBranch: Bool
  ) -> Typed.Catch {
    inScope {
      // Only a 'catch' without a pattern names what it catches by itself.
      let isNamed = syntax.items.allSatisfy(\.pattern.isUnwritten)
      if let type, type != known.error {
        return checkCatch(syntax, error, as: type, isNamed: isNamed, isBranch)
      }
      if isNamed { names.append("error", .local(error)) }
      let items = syntax.items.map { item in
        (pattern: checkPattern(item.pattern, known.error), filter: checkFilter(item.filter))
      }
      return Typed.Catch(
        items: items, body: checkBranch(syntax.body, isBranch), place: syntax.body.range)
    }
  }

  private func checkFilter(_ filter: Grammar.Expression?) -> Typed.Expression? {
    filter.map { filter in complete { $0.check(filter, known.boolean) } }
  }

  private func checkCatch(
    _ syntax: Grammar.Catch, _ error: Typed.Local, as type: SwiftType, isNamed: Bool,
    _ isBranch: Bool
  ) -> Typed.Catch {
    let place = syntax.body.range
    var opening: [Typed.Statement] = []
    func bind(_ name: Grammar.Name, isWritten: Bool) {
      let (made, value) = typedError(name, error, type, isWritten: isWritten)
      let pattern = Typed.Pattern(kind: .local(made), type: type, range: name.range)
      opening = [statement(.binding(pattern, value, isVariable: false), place.firstByte)]
    }
    let items = syntax.items.map { item -> (pattern: Typed.Pattern, filter: Typed.Expression?) in
      let range = item.pattern.range
      var own: Grammar.Name?
      if case .name(let name, _) = item.pattern.kind { own = name }
      if item.pattern.isUnwritten { own = Grammar.Name(text: "error", range: range) }
      if let own {
        let filter = item.filter.map { filter in
          inScope {
            let (made, value) = typedError(own, error, type, isWritten: false)
            let truth = complete { $0.check(filter, known.boolean) }
            return node(.bind([(made, value)], truth), known.boolean, filter.range)
          }
        }
        bind(own, isWritten: !item.pattern.isUnwritten && filter == nil)
        return (Typed.Pattern(kind: .any, type: known.error, range: range), filter)
      }
      switch item.pattern.kind {
      case .isType, .asType, .any, .name, .missing:
        return (checkPattern(item.pattern, known.error), checkFilter(item.filter))
      case .tuple, .enumCase, .some, .value:
        let made = Typed.Pattern(
          kind: .asType(checkPattern(item.pattern, type), type), type: known.error, range: range)
        return (made, checkFilter(item.filter))
      }
    }
    if items.isEmpty { bind(Grammar.Name(text: "error", range: place.firstByte), isWritten: false) }
    return Typed.Catch(
      items: items, body: opening + checkBranch(syntax.body, isBranch), place: place)
  }

  /// A name for what a `catch` is given, as a value of its own type.
  private func typedError(
    _ name: Grammar.Name, _ error: Typed.Local, _ type: SwiftType, isWritten: Bool
  ) -> (Typed.Local, Typed.Expression) {
    // Code need not use a name that the text does not have.
    let made = local(isWritten ? name.text : "_", type, isVariable: false, name.range)
    names.append(name.text, .local(made))
    let value = node(.local(error), known.error, name.range)
    return (made, node(.cast(value, .forced, type), type, name.range))
  }
}
