import SpindleModel

/// Functions that bodies declare: closures, which those of a block have in one box, since they may call each other.
extension Emitter {
  /// Where the closure of a function is.
  struct FunctionPlace {
    /// The number by which captures know the box of its block.
    var box: Int32
    /// The field that has the closure.
    var field: Int32
    /// How many functions of the block are behind it.
    var remaining: Int
  }

  /// Makes the box for the functions of a block.
  func declareLocalFunctions(_ statements: [Typed.Statement]) {
    let functions = statements.compactMap { statement -> Typed.LocalFunction? in
      if case .localFunction(let function) = statement.kind { return function }
      return nil
    }
    guard let first = functions.first else { return }
    let range = first.symbol.range
    let box = isCounting ? code.frame.owner(.instance).register : code.frame.pinned()
    let fresh = allocate()
    emit(.instanceMake(fresh, ClassID(functionBoxClass(functions.count)), .none), range)
    emit(isCounting ? .hold(box, from: fresh, .instance) : .copy(box, from: fresh), range)
    let symbol = symbol(box, isCounting ? .instance : nil)
    for (index, function) in functions.enumerated() {
      localFunctions[ObjectIdentifier(function)] = FunctionPlace(
        box: symbol, field: Int32(index), remaining: functions.count - index - 1)
    }
  }

  /// Gives the box of a function of a body its closure.
  func emitLocalFunction(_ function: Typed.LocalFunction, _ range: SourceRange) {
    let outer = functionName
    functionName = function.symbol.fullName
    defer { functionName = outer }
    guard let place = localFunctions[ObjectIdentifier(function)] else {
      return unsupported("'\(function.symbol.name)' here", range)
    }
    let closure = emitBlock(
      function.parameters, range, name: code.intern(function.symbol.name)
    ) { [self] in
      // The box would retain itself.
      code.frame.borrowed.insert(place.box)
      beginBody(
        function.scope, function.body, function.symbol.bodyRange, isAsync: function.symbol.isAsync)
      emitStatements(function.body)
    }
    let box = register(of: place.box)
    emit(
      .fieldStore(
        box, place.field, from: isCounting ? owning(closure, .closure, range) : closure), range)
    guard isCounting, place.remaining == 0 else { return }
    // From here on all that they take is declared, and dies behind them.
    code.frame.scoped.append(OwnedRegister(register: box, kind: .instance))
  }

  /// The closure of a function that is called.
  func closure(of function: Typed.LocalFunction, _ range: SourceRange) -> Register {
    let register = allocate()
    guard let place = localFunctions[ObjectIdentifier(function)] else {
      unsupported("'\(function.symbol.name)' here", range)
      return register
    }
    emit(.fieldLoad(register, of: self.register(of: place.box), place.field), range)
    return retained(register, function.symbol.type, range)
  }

  /// A function as a value; one that calls itself or its neighbours is called by a closure that has the box.
  func emitReference(_ function: Typed.LocalFunction, _ range: SourceRange) -> Register {
    guard isCounting, callsNeighbours(function) else { return closure(of: function, range) }
    let symbol = function.symbol
    let scope = Typed.FunctionScope(nil)
    let parameters = symbol.parameters.map {
      Typed.Local($0.name, concrete($0.type), isVariable: false, range, scope)
    }
    let call = Typed.Call(
      callee: .local(function), substitution: [:], receiver: nil,
      arguments: parameters.map { .value(Typed.Expression(.local($0), $0.type, range)) },
      place: range, nameRange: range)
    (call.isAsync, call.isThrowing) = (symbol.isAsync, symbol.isThrowing)
    let result = concrete(symbol.result)
    let made = emitBlock(parameters, range, name: code.closureName) { [self] in
      if symbol.isAsync { code.frame.asynchrony.suspending = .yes }
      let made = emit(Typed.Expression(.call(call), result, range))
      emitReturn(result.isVoid ? nil : made, result, range)
    }
    return owning(made, .closure, range)
  }

  private func callsNeighbours(_ function: Typed.LocalFunction) -> Bool {
    var found = false
    let box = localFunctions[ObjectIdentifier(function)]?.box
    let walk = TypedWalk(visit: { [self] value in
      var named: Typed.LocalFunction?
      if case .localFunction(let other) = value.kind { named = other }
      if case .call(let call) = value.kind, case .local(let other) = call.callee { named = other }
      if let named, localFunctions[ObjectIdentifier(named)]?.box == box { found = true }
    })
    walk.statements(function.body)
    return found
  }

  /// The class of boxes for so many functions of bodies.
  private func functionBoxClass(_ count: Int) -> Int {
    let key = SwiftType.tuple([SwiftType.TupleElement(label: "\(count) functions", type: .void)])
    if let known = classes[key] { return known }
    let number = program.classes.count
    classes[key] = number
    let field = ProgramClass.Field(
      name: "", format: .integer, handle: nil, life: isCounting ? .closure : nil, isClosure: true)
    program.classes.append(
      ProgramClass(
        name: "", fields: Array(repeating: field, count: count), deinitializer: nil))
    return number
  }
}
