import SpindleModel

/// All code of a program with its types, section by section.
struct TypedProgram {
  let bodies: BodyTable
  var sections: [Section] = []
  var table: DeclarationTable { bodies.table }

  enum Section {
    case main(BodyTable.Body, isTool: Bool, SourceRange)
    /// A variable at the top, or several that share a tuple.
    case variables([VariableSymbol], Typed.Expression, isLet: Bool)
    /// A call that says what the world outside does: `at`, `every`, `arrivals`.
    case arrival(Typed.Expression, BodyTable.Body)
  }
}

extension BodyTable {
  /// The sections of the program, after all bodies that it declares have been checked.
  func check() -> TypedProgram {
    inferAssociatedTypes()
    var program = TypedProgram(bodies: self)
    for section in table.sections {
      switch section {
      case .main(let block, let isTool, let range):
        let checker = BodyChecker(self, context: TypeContext())
        program.sections.append(
          .main(checker.checkMain(block, isTool: isTool), isTool: isTool, range))
      case .variables(let symbols, let entry, let isLet):
        guard let value = checkTop(symbols, entry) else { continue }
        program.sections.append(.variables(symbols, value, isLet: isLet))
      case .statement(let statement):
        if let section = check(atTop: statement) { program.sections.append(section) }
      }
    }
    checkDeclared()
    return program
  }

  /// Finds associated types that only the first value of a property says: `var items = ["a"]` for `var items: [Item]`.
  private func inferAssociatedTypes() {
    for nominal in table.ownTypes where nominal.kind != .protocol {
      for requirement in nominal.allProtocols where !requirement.isLibrary {
        let open = requirement.associatedTypes.filter { name in
          nominal.types[name] == nil && !nominal.generics.contains { $0.name == name }
        }
        guard !open.isEmpty else { continue }
        var found: [String: SwiftType] = [:]
        for name in requirement.members.keys.sorted() {
          for case let asked as VariableSymbol in requirement.members[name] ?? [] {
            for case let own as VariableSymbol in nominal.members[name] ?? []
            where own.value != nil {
              AssociatedTypes.bind(
                asked.type, type(of: own), requirement.selfParameter, &found)
            }
          }
        }
        for name in open { nominal.types[name] = found[name] }
      }
    }
  }

  /// A statement at the top, which may only say what the world outside does.
  private func check(atTop statement: Grammar.Statement) -> TypedProgram.Section? {
    guard case .expression(let syntax) = statement.kind else {
      table.report(Messages.strayAtTop, statement.range, belongsInMain: true)
      return nil
    }
    let rates = ArrivalRates(table).read(syntax)
    let checker = BodyChecker(self, context: TypeContext())
    let (value, body) = checker.checkArrival(rates?.call ?? syntax)
    table.schedules[value.range.lowerBound] = rates?.schedule
    if value.arrival != nil { return .arrival(value, body) }
    let hasMain = table.sections.contains { if case .main = $0 { true } else { false } }
    // Of what has a mistake already, where it belongs is said if nothing else is there.
    guard !value.type.isError || !hasMain else { return nil }
    var message = Messages.strayAtTop
    if case .call(let call) = syntax.kind, case .name(let name, _) = call.callee.kind {
      message = Messages.callAtTop(name)
    }
    table.report(message, statement.range, belongsInMain: true)
    return nil
  }

  private func checkTop(
    _ symbols: [VariableSymbol], _ entry: Grammar.Variable.Entry
  ) -> Typed.Expression? {
    if symbols.count == 1, symbols[0].path.isEmpty {
      let type = type(of: symbols[0])
      if symbols[0].strength != .strong, !type.isOfObjects, !type.isError {
        table.report(
          Messages.weakValue("\(type.unwrappedFully)"), symbols[0].value?.range ?? symbols[0].range)
      }
      if symbols[0].value == nil {
        if symbols[0].type.wrapped != nil {
          return Typed.Expression(.nil, symbols[0].type, symbols[0].range)
        }
        table.report(Messages.withoutValue(symbols[0].name), symbols[0].range)
        return nil
      }
      return initialValue(of: symbols[0])
    }
    guard let syntax = entry.value else { return nil }
    let checker = BodyChecker(self, context: TypeContext())
    let annotated = entry.type.map { checker.resolve($0) }
    let value = checker.checkValue(syntax, annotated, of: nil)
    guard case .tuple(let parts) = value.type else { return nil }
    for symbol in symbols {
      guard let index = symbol.path.first, index < parts.count else { continue }
      (symbol.type, symbol.state) = (parts[index].type, .resolved)
    }
    return value
  }

  /// Checks what no section of the program may need.
  private func checkDeclared() {
    table.checkAliases()
    for symbols in table.globals.values.flatMap({ $0 }).sorted(by: isBefore)
    where !symbols.isInLibraryText && !table.isInFile(symbols.range) {
      check(symbols)
    }
    for nominal in table.ownTypes + table.extendedTypes {
      if let place = nominal.place, table.isInFile(place) { continue }
      for symbol in nominal.members.values.flatMap({ $0 }).sorted(by: isBefore)
      where !table.isInFile(symbol.range) {
        check(symbol)
      }
      if let end = nominal.deinitializer { _ = body(of: end) }
    }
  }

  func isBefore(_ one: MemberSymbol, _ other: MemberSymbol) -> Bool {
    one.range.lowerBound < other.range.lowerBound
  }

  func check(_ symbol: MemberSymbol) {
    if symbol.isInLibraryText { return }
    switch symbol {
    case let function as FunctionSymbol:
      for parameter in function.parameters { _ = standard(of: parameter, function) }
      _ = body(of: function)
    case let variable as VariableSymbol:
      if variable.row != nil { return }
      _ = type(of: variable)
      if variable.getter == nil { _ = initialValue(of: variable) }
      for accessor in [variable.getter, variable.setter, variable.willSet, variable.didSet] {
        guard let accessor else { continue }
        _ = body(of: accessor)
      }
    case let one as SubscriptSymbol:
      _ = body(of: one.getter)
      if let setter = one.setter { _ = body(of: setter) }
    default: break
    }
  }
}

extension BodyChecker {
  func checkMain(_ block: Grammar.Block, isTool: Bool) -> BodyTable.Body {
    (scope.isolation, scope.isFunction) = (.mainActor, true)
    // That of an app serves its run loop.
    (scope.isAsync, mayAwait) = (isTool, isTool)
    functionName = "main"
    returned = .void
    let statements = checkStatements(block)
    return BodyTable.Body(
      ownSelf: nil, parameters: [], statements: statements, scope: scope)
  }

  /// A call at the top that says when the world outside does something.
  func checkArrival(_ syntax: Grammar.Expression) -> (Typed.Expression, BodyTable.Body) {
    mayAwait = false
    scope.isolation = .nonisolated
    let value = complete { $0.infer(syntax, nil) }
    return (
      value, BodyTable.Body(ownSelf: nil, parameters: [], statements: [], scope: scope)
    )
  }
}
