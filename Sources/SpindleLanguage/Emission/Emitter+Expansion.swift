import SpindleModel

/// Functions and closures that are expanded inline at their calls.
extension Emitter {
  /// A closure with what names mean at this place.
  ///
  /// The values of its list are those that they are where it is formed.
  func capture(_ closure: Typed.Closure) -> ExpandedClosure {
    if let known = formed.removeValue(forKey: ObjectIdentifier(closure)) { return known }
    let outer = storages
    for (local, captured, _) in closure.captures {
      declare(local, holding: emitOwned(captured), until: .expression, captured.range)
    }
    defer { storages = outer }
    return ExpandedClosure(closure, substitution, expansion, storages)
  }

  /// Forms the closures of a call whose lists take something, in front of what the call does.
  func formClosures(_ call: Typed.Call) {
    for argument in call.arguments {
      guard case .value(let value) = argument, let closure = value.closureLiteral,
        closure.scope.isExpanded, !closure.captures.isEmpty
      else { continue }
      formed[ObjectIdentifier(closure)] = capture(closure)
    }
  }

  /// The body of an `@inlined` function in the place of a call.
  func expand(
    _ symbol: FunctionSymbol, _ block: Grammar.Block, _ substitution: Substitution,
    _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    guard let body = bodies.body(of: symbol) else { return allocate() }
    var bindings: [(Typed.Local, Storage)] = []
    if let own = body.ownSelf, !symbol.isStatic {
      if let receiver = call.receiver, !symbol.isInitializer {
        bindings.append((own, receiverStorage(receiver, symbol, call.arguments)))
      } else if symbol.isInitializer {
        let type = own.type.substituting(substitution)
        let register = joined(type)
        emit(.constant(noValue, to: register), value.range)
        bindings.append((own, storage(register, type)))
      }
    }
    for (index, (parameter, argument)) in zip(body.parameters, call.arguments).enumerated() {
      bindings.append((parameter, storage(of: argument, symbol, index, substitution, value.range)))
    }
    let made = accessing(bindings, substitution, value) { opened in
      expanding(symbol, substitution, value) {
        for (local, storage) in opened { storages[ObjectIdentifier(local)] = storage }
        return body.statements
      }
    }
    guard symbol.isInitializer, let own = body.ownSelf,
      case .register(let register, _, _)? = bindings.first(where: { $0.0 === own })?.1
    else { return made }
    return register
  }

  /// Begins the accesses to the places among `bindings`, does what changes them, and ends them.
  private func accessing(
    _ bindings: [(Typed.Local, Storage)], _ substitution: Substitution,
    _ value: Typed.Expression, _ body: ([(Typed.Local, Storage)]) -> Register
  ) -> Register {
    var opened = bindings
    var accesses: [Access] = []
    for (index, (local, storage)) in bindings.enumerated() {
      guard case .place(let place) = storage else { continue }
      if case .register = place { continue }
      let access = beginAccess(place, local.type.substituting(substitution), value)
      accesses.append(access)
      opened[index].1 = .place(.register(access.register))
    }
    if accesses.isEmpty { return body(opened) }
    return ending(
      value.range, finish: { for access in accesses.reversed() { endAccess(access, value) } }
    ) { body(opened) }
  }

  private func receiverStorage(
    _ receiver: Typed.Expression, _ symbol: FunctionSymbol, _ arguments: [Typed.Argument]
  ) -> Storage {
    if symbol.changesSelf { return .place(prepareToChange(receiver)) }
    let type = concrete(receiver.type)
    let value = emit(receiver)
    // What is gone through is what it was in front of the call, whatever its closures do to the variable.
    return storage(
      isCollection(type) && changes(receiver, arguments)
        ? copy(value, type, receiver.range) : value,
      type)
  }

  /// Whether arguments of a call may change the variable that its receiver is.
  func changes(_ receiver: Typed.Expression, _ arguments: [Typed.Argument]) -> Bool {
    guard let root = Self.root(of: receiver) else { return false }
    var found = false
    let walk = TypedWalk(
      visit: { value in
        guard case .call(let call) = value.kind, case .function(let symbol) = call.callee else {
          return
        }
        if symbol.changesSelf, let place = call.receiver, Self.root(of: place) == root {
          found = true
        }
        for case .value(let argument) in call.arguments {
          if case .reference(let place) = argument.kind, Self.root(of: place) == root {
            found = true
          }
        }
      }, assigned: { place, _ in if Self.root(of: place) == root { found = true } })
    for case .value(let argument) in arguments { walk.expression(argument) }
    return found
  }

  /// The variable that a place is a part of; nil if the expression is not a place.
  static func root(of place: Typed.Expression) -> ObjectIdentifier? {
    switch place.kind {
    case .local(let local): ObjectIdentifier(local)
    case .global(let variable, _),
      .field(_, let variable) where variable.owner?.isValue != true:
      ObjectIdentifier(variable)
    case .field(let base, _), .element(let base, _), .forced(let base), .bound(let base),
      .chain(let base), .reference(let base), .conversion(let base):
      root(of: base)
    case .call(let call): call.receiver.flatMap(root)
    default: nil
    }
  }

  func storage(
    of argument: Typed.Argument, _ symbol: FunctionSymbol, _ index: Int,
    _ substitution: Substitution, _ range: SourceRange
  ) -> Storage {
    switch argument {
    case .value(let value), .standard(let value):
      if case .reference(let place) = value.kind { return .place(prepareToChange(place)) }
      if let closure = expandedClosure(value) { return .closure(closure) }
      return storage(emitStableOwned(value), concrete(value.type))
    case .variadic(let values):
      let type = concrete(symbol.parameters[index].type.substituting(substitution))
      let list = Typed.Expression(.array(values), known.array(type), range)
      return storage(emit(list), list.type)
    case .absent:
      return storage(constant(noValue, range), .error)
    }
  }

  func bind(
    _ local: Typed.Local, to register: Register, _ substitution: Substitution
  ) {
    storages[ObjectIdentifier(local)] = storage(
      register, local.type.substituting(substitution))
  }

  /// Expands statements of a function: its `return` goes on behind them.
  func expanding(
    _ symbol: FunctionSymbol, _ substitution: Substitution, _ value: Typed.Expression,
    _ prepare: () -> [Typed.Statement]
  ) -> Register {
    expansionDepth += 1
    defer { expansionDepth -= 1 }
    guard expansionDepth < 60 else {
      unsupported("a function that is expanded within itself", value.range)
      return allocate()
    }
    let outer = (storages, self.substitution, expansion, isInitializing)
    let statements = prepare()
    self.substitution = substitution
    if symbol.isInLibraryText { expansion = expansion ?? value.range }
    isInitializing = false
    let result = emitExpanded(
      statements, symbol.isInitializer ? .void : concrete(symbol.result), value.range)
    (storages, self.substitution, expansion, isInitializing) = outer
    return result
  }

  /// The body of a closure in the place of its call.
  func expand(
    _ closure: ExpandedClosure, _ arguments: [Typed.Argument], _ value: Typed.Expression
  ) -> Register {
    var bindings: [(Typed.Local, Storage)] = []
    for (parameter, argument) in zip(closure.closure.parameters, arguments) {
      guard case .value(let given) = argument else { continue }
      if case .reference(let place) = given.kind {
        bindings.append((parameter, .place(prepareToChange(place))))
      } else {
        bindings.append((parameter, storage(emitStableOwned(given), concrete(given.type))))
      }
    }
    return expand(closure, bindings)
  }

  func expand(_ closure: ExpandedClosure, _ bindings: [(Typed.Local, Storage)]) -> Register {
    let outer = (storages, substitution, expansion, isInitializing)
    storages = closure.storages
    for (local, storage) in bindings { storages[ObjectIdentifier(local)] = storage }
    (substitution, expansion) = (closure.substitution, closure.expansion)
    isInitializing = false
    let result = emitExpanded(
      closure.closure.body, concrete(closure.closure.result), closure.closure.range)
    (storages, substitution, expansion, isInitializing) = outer
    return result
  }

  /// The body of a closure in the place of its call, with arguments that are in registers.
  func expand(_ closure: ExpandedClosure, given arguments: [Register]) -> Register {
    var bindings: [(Typed.Local, Storage)] = []
    for (parameter, register) in zip(closure.closure.parameters, arguments) {
      let type = parameter.type.substituting(closure.substitution)
      bindings.append((parameter, storage(register, type)))
    }
    return expand(closure, bindings)
  }

  private func emitExpanded(
    _ statements: [Typed.Statement], _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let result = code.frame.pinned()
    let exit = code.frame.label()
    code.frame.enterReturn(
      Frame.Return(
        register: result, exit: exit, cleanups: code.frame.cleanups.count,
        loops: code.frame.loops.count, lives: lifeMark))
    openBlocks += 1
    emitStatements(statements)
    openBlocks -= 1
    code.frame.leaveReturn()
    code.frame.mark(exit)
    return owning(result, type, range)
  }

  /// Runs a closure between two others, in the place of a call.
  func emitInPlace(_ argument: Typed.Expression, _ value: Typed.Expression) -> Register {
    if let expanded = expandedClosure(argument) { return expand(expanded, [], value) }
    let closure = emit(argument)
    return emitWindow([], result: concrete(value.type), value.range) { base, site in
      .callClosure(closure, base: base, site)
    }
  }
}
