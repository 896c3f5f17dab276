import SpindleModel

/// Assignments to variables, properties and elements.
extension Lowering {
  mutating func lowerAssignment(
    _ target: Expression, _ operation: Expression.InfixOperator?, _ expression: Expression,
    _ range: SourceRange
  ) {
    if operation == .add, joinArrays(target, operation, expression, range) { return }
    if assignThrough(target, operation, expression, range) { return }
    switch target.kind {
    case .name("_"):
      drop(expression)
      _ = value(expression)
    case .name(words.own) where operation == nil && assignOwn(expression, range): break
    case .name(let name):
      assign(name, target.range, operation, expression, range)
    case .chain(let inner):
      assignInChain(inner, operation, expression, range)
    case .member(let member):
      if let name = plainName(member) {
        assignsTop = true
        return lowerAssignment(name, operation, expression, range)
      }
      assignProperty(member.base, member.name.text, member.nameRange, operation, expression, range)
    case .element(let element):
      if let owner = dictionaryOwner(element.base) {
        assignDictionary(owner, element.index, operation, expression, range)
      } else if case .range = element.index.kind {
        error(SliceMessage.assigned(source.text(in: element.base.range)), target.range)
        _ = value(expression, expecting: .unknown)
      } else {
        assignElement(element.value, operation, expression, range)
      }
    case .bind(let inner), .unwrap(let inner):
      if case .element(let element) = inner.kind, let place = entries(of: element.value) {
        let missing: MissingEntry = if case .bind = target.kind { .ends } else { .crashes }
        assignEntry(place, element.value, missing, operation, expression, range)
      } else if !assignHeld(in: inner, by: target, operation, expression, range) {
        error(Messages.notAssignable, target.range)
        _ = value(expression, expecting: .unknown)
      }
    case .await(let inner, let isTried):
      assignAwaited(inner, isTried: isTried, operation, expression, range)
    case .missing:
      _ = value(expression, expecting: .unknown)
    default:
      error(Messages.notAssignable, target.range)
      _ = value(expression, expecting: .unknown)
    }
  }

  // MARK: Variables

  private mutating func assign(
    _ name: Word, _ nameRange: SourceRange, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) {
    let isTop = assignsTop
    assignsTop = false
    guard let index = isTop ? scope.findAtTop(name) ?? find(name) : find(name) else {
      if let own = ownMember(name, nameRange) {
        lowerAssignment(own, operation, expression, range)
      } else if let property = vocabulary.free.property(name) {
        assign(property, nil, nameRange, operation, expression, range)
      } else {
        _ = checker.unknownName(name, nameRange)
        _ = value(expression, expecting: .unknown)
      }
      return
    }
    let symbol = scope[index]
    if setComputedStatic(symbol, nameRange, operation, expression, range) { return }
    scope[index].noteAssignment(isChange: operation != nil)
    if symbol.isTaskLocal {
      error(Messages.taskLocalIsBound(symbol.name.text), nameRange)
      _ = value(expression, expecting: symbol.type)
      return
    }
    if symbol.late >= 0 { noteAssigning(index, isChange: operation != nil, nameRange) }
    defer { if symbol.late >= 0 { noteSetting(index, nameRange) } }
    if case .cell = symbol.meaning {
      return lowerAssignment(cellMember(index, nameRange), operation, expression, range)
    }
    usage.noteAssignment(to: index)
    if statics.hasAny {
      checkChange(of: index, nameRange)
      makeLazy(index, nameRange)
    }
    switch symbol.meaning {
    case .variable(let register) where Int(symbol.frame) == depth:
      assignLocal(register, symbol, operation, expression, range)
    case .register(let register) where symbol.late >= 0 && Int(symbol.frame) == depth:
      assignLocal(register, symbol, operation, expression, range)
    case .shared(let global):
      assignShared(global, symbol, operation, expression, range)
    case .constant, .register, .variable, .cell, .global, .function, .pending:
      switch symbol.meaning {
      case .variable:
        cells.want(symbol)
        if !isLenient { error(setFromClosure(symbol), nameRange) }
      case .pending: error(Messages.usedTooEarly(name.text), nameRange)
      case .function: error(Messages.notAssignable, nameRange)
      case .constant, .register, .cell, .global, .shared:
        if symbol.type != .unknown {
          let isOwn = name == words.own && checker.ownClass >= 0
          error(isOwn ? Messages.notMutating : Messages.notAVariable(name.text), nameRange)
        }
      }
      _ = value(expression, expecting: symbol.type)
    }
  }

  /// Why a closure can't set a local `var` of the code around it.
  func setFromClosure(_ symbol: Symbol) -> String {
    code.copiesVariables(ofFrame: Int(symbol.frame))
      ? Messages.copiedVariable(symbol.name.text) : Messages.capturedVariable(symbol.name.text)
  }

  private mutating func assignLocal(
    _ register: Register, _ symbol: Symbol, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) {
    let type = symbol.type
    if let operation {
      let present = Operand(type: type, location: .register(register), isVariable: true)
      let made = rightSide(operation, type, expression)
      let joined = join(present, operation, made, expression, target: register, range)
      place(coerce(joined, to: type, range), in: register, range)
      return
    }
    // Only the last instruction of an operator writes its result, after all operands are read.
    var target: Register?
    if case .infix(let operation, _) = expression.kind, operation != .and, operation != .or {
      target = register
    }
    let made = coerce(
      value(expression, expecting: type, target: target), to: type, expression.range)
    let value = kept(made, isVariable: true)
    guard let life = symbol.owner?.kind else { return place(value, in: register, range) }
    let new = self.register(of: value, range)
    if symbol.isKept { return replaceKept(register, by: new, life, range) }
    emit(.retain(register, from: new, life), range)
  }

  private mutating func assignShared(
    _ global: GlobalID, _ symbol: Symbol, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) {
    let (register, type) = (frame.allocate(), symbol.type)
    if let operation {
      let made = rightSide(operation, type, expression)
      emit(.readToChange(register, global), range)
      let present = Operand.register(register, type)
      let joined = join(present, operation, made, expression, target: register, range)
      place(coerce(joined, to: type, range), in: register, range)
    } else {
      let outer = changing
      changing = global
      let made = value(expression, expecting: type, target: register)
      changing = outer
      let result = coerce(made, to: type, expression.range)
      place(kept(result, isVariable: true), in: register, range)
    }
    setGlobal(global, symbol.name, type, from: register, range)
  }

  /// The right side of `x operation= expression`, for an `x` of this type.
  ///
  /// It comes before `x` is read, as in Swift, where such an operator gets `x` as `inout` and the access
  /// to that begins last (*The Swift Programming Language*, "Memory Safety"): what the right side does to
  /// `x` counts. What `x` belongs to, an object or an index, comes before it all the same.
  mutating func rightSide(
    _ operation: Expression.InfixOperator, _ type: ValueType, _ expression: Expression
  ) -> Operand {
    let hint: ValueType? = type == .decimal && operation != .multiply ? .decimal : nil
    return unwrap(value(expression, expecting: hint), expression.range)
  }

  /// The value that `x operation= expression` stores, of the present value of `x` and of the right side.
  mutating func join(
    _ present: Operand, _ operation: Expression.InfixOperator, _ made: Operand,
    _ expression: Expression, target: Register?, _ range: SourceRange
  ) -> Operand {
    let left = unwrap(present, range)
    if left.type != .unknown, made.type != .unknown,
      ArithmeticRule.rule(operation, left.type, made.type) == nil
    {
      return refuse(
        checker.missingUnit(made, left.type, expression.range)
          ?? Messages.noOperator(operation.rawValue + "=", "\(left.type)", "\(made.type)"),
        expression.range)
    }
    return arithmetic(operation, left, made, range, target: target, range)
  }

  // MARK: Properties

  private mutating func assignProperty(
    _ base: Expression, _ name: String, _ nameRange: SourceRange,
    _ operation: Expression.InfixOperator?, _ expression: Expression, _ range: SourceRange
  ) {
    if case .name(let typeName) = base.kind, find(typeName) == nil,
      let type = vocabulary.type(typeName)
    {
      if let property = type.statics.property(name) {
        assign(property, nil, nameRange, operation, expression, range)
      } else {
        _ = refuseMember(name, of: typeName.text, type.statics, nameRange)
        _ = value(expression, expecting: .unknown)
      }
      return
    }
    let isLate = hasDefault(base) && !isQuiet(expression)
    if isLate, keepsDefault(base) { error(Messages.earlyDefault, base.range) }
    let base = isLate ? base : withDefault(base) ?? base
    let (window, mark) = (frame.allocate(), scope.count)
    defer { scope.close(downTo: mark) }
    var (object, expression) = (unwrap(value(base, target: window), base.range), expression)
    if case .instance(let className) = object.type {
      let index = checker.classes.index(of: className)
      if setComputed(object, base, index, name, nameRange, operation, expression, range) { return }
      // Nothing that comes in between sets `self`.
      let isOwn = isOwn(base)
      if checker.classes[index].isValue {
        if isOwn, !changesOwnValue { error(Messages.notMutating, nameRange) }
        if !isOwn {
          expression = assignedFirst(expression, operation, index, name) ?? expression
          letGo(of: object, range)
          object = .register(changeableCopy(base, range), object.type)
          frame.next = max(frame.next, Int(window.index) + 1)
        }
      }
      if !isOwn { place(object, in: window, base.range) }
      if assignField(
        FieldAssignment(
          instance: isOwn ? register(of: object, base.range) : window, isOwn: isOwn,
          symbol: symbol(of: base), type: index, name: name,
          nameRange: nameRange),
        operation, expression, range)
      {
        return
      }
      object = parent(of: object, base.range) ?? object
    }
    guard let property = self.property(object.type, name, nameRange) else {
      _ = value(expression, expecting: .unknown)
      return
    }
    usage.checkOperation(setting: name, of: base.named, nameRange, &checker)
    let receiver = Receiver(object: object, window: window)
    assign(property, receiver, nameRange, operation, expression, range)
  }

  /// Sets a property of an object, or of what a bare name belongs to.
  private mutating func assign(
    _ property: Property, _ receiver: Receiver?, _ nameRange: SourceRange,
    _ operation: Expression.InfixOperator?, _ expression: Expression, _ range: SourceRange
  ) {
    guard let set = property.set ?? property.setClosure else {
      error(Messages.readOnly(property.name), nameRange)
      _ = value(expression, expecting: .unknown)
      return
    }
    if property.needsThread { needThread(property.name, nameRange) }
    let window = receiver?.window ?? frame.allocate()
    var register = window
    if let receiver { place(receiver.object, in: window, range) }
    if receiver == nil, let owner = property.owner {
      placeOwner(owner, in: window, nameRange)
    }
    frame.next = Int(window.index) + 1
    if receiver != nil || property.owner != nil { register = frame.allocate() }
    if property.setClosure != nil {
      assignClosure(property, operation, expression, register, range)
      emit(.perform(set, base: window, site()), range)
      return
    }
    var unset: Frame.Label?
    if let operation {
      let made = rightSide(operation, property.type, expression)
      var object: Receiver?
      if let receiver {
        let inner = frame.allocate()
        emit(.copy(inner, from: window), range)
        object = Receiver(object: .register(inner, receiver.object.type), window: inner)
      }
      let present = read(property, object: object, target: nil, range)
      let joined = join(present, operation, made, expression, target: register, range)
      place(coerce(joined, to: property.type, range), in: register, range)
    } else {
      let type = property.takesNil ? ValueType.optional(property.type) : property.type
      let formal = Formal(
        label: nil, type: type, isOptional: false, slot: 1, limit: property.limit)
      let made = argument(expression, formal, into: register)
      if property.takesNil, made.type != property.type {
        // Nil leaves it what the log calls it.
        let end = frame.label()
        unset = end
        jump(ifMissing: register, to: end, range)
      }
    }
    emit(.perform(set, base: window, noSite), range)
    if let unset { frame.mark(unset) }
  }

  /// `op.completionBlock = { }`, or `= nil`.
  private mutating func assignClosure(
    _ property: Property, _ operation: Expression.InfixOperator?, _ expression: Expression,
    _ register: Register, _ range: SourceRange
  ) {
    if let operation {
      error(Messages.noOperator(operation.rawValue + "=", "\(property.type)"), range)
    }
    let formal = Formal(label: nil, type: property.type, isOptional: true, slot: 1)
    fillClosure(expression, formal, captured: nil, .outside, register, range)
  }

  /// The property with this name; reports when there is none.
  private mutating func property(
    _ type: ValueType, _ name: String, _ range: SourceRange
  ) -> Property? {
    guard type.isHandle, type == type.unwrapped, let handle = type.handle else {
      if type != .unknown {
        error(
          type.isArray && name == "count"
            ? Messages.readOnly(name) : Messages.unknownMember(name, of: "\(type)", nearest: nil),
          range)
      }
      return nil
    }
    let members = vocabulary.instances[Int(handle.rawValue)]
    guard let property = members.property(name) else {
      _ =
        members.overloads(name) == nil
        ? refuseMember(name, of: handle.name, members, range)
        : refuse(Messages.notAssignable, range)
      return nil
    }
    return property
  }

  // MARK: Elements

  private mutating func assignElement(
    _ access: Expression.ElementAccess, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) {
    if let place = entries(of: access) {
      return assignEntry(place, access, .refused, operation, expression, range)
    }
    let (base, index) = (access.base, access.index)
    if let fallback = access.fallback { error(Messages.strayDefault, fallback.range) }
    guard var place = arrayPlace(base), case .arrayOf(let node) = place.type else {
      if setInRow(access, operation, expression, range) { return }
      let made = value(base)
      if setInCopy(of: made, access, operation, expression, range) { return }
      if made.type != .unknown, !isBroken(made.type) {
        error(
          made.type.isArray ? Messages.nestedElement : Messages.noElements("\(made.type)"),
          base.range)
      }
      _ = value(expression, expecting: .unknown)
      return
    }
    guard changeable(&place, base) else {
      _ = value(expression, expecting: .unknown)
      return
    }
    let element = node.type
    let position = frame.allocate()
    let formal = Formal(label: nil, type: .integer, isOptional: false, slot: 0)
    argument(index, formal, into: position)
    let register = frame.allocate()
    let array: Register
    if let operation {
      let made = rightSide(operation, element, expression)
      noteChange(in: place, key: position, range)
      array = load(place, base.range)
      emit(.arrayGet(register, array: array, index: position), range)
      let present = Operand.register(register, element)
      let joined = join(present, operation, made, expression, target: register, range)
      self.place(coerce(joined, to: element, range), in: register, range)
    } else {
      let made = coerce(
        value(expression, expecting: element, target: register), to: element, expression.range)
      self.place(kept(made, isVariable: true), in: register, expression.range)
      noteChange(in: place, key: position, range)
      array = load(place, base.range)
    }
    emit(.arraySet(array, index: position, value: register), range)
    store(array, to: place, range)
  }
}
