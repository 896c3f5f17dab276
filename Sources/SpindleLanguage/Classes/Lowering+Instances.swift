import SpindleModel

/// Instances of the trace's classes: making them, their fields and methods.
extension Lowering {
  /// `Model(…)`.
  mutating func makeInstance(
    _ index: Int, _ call: CallSite, _ naming: Naming, target: Register?
  ) -> Operand {
    let info = checker.classes[index]
    if !info.cases.isEmpty, checker.ownClass != index || !checker.isStaticMember {
      walkStray(call)
      return refuse(Messages.madeByCase(info.name.text, info.cases[0].name.text), call.callee.range)
    }
    guard let ordinal = overload(info.initializers, for: call) else {
      walkStray(call)
      return .unknown
    }
    let signature = functions[ordinal]
    let call = checker.gathered(call, for: signature.formals)
    guard
      let actuals = checker.match(signature.formals, call, name: info.name.text, call.callee.range)
    else {
      walkStray(call)
      return .unknown
    }
    noteCall(of: ordinal, call.callee.range)
    var name = NameID.none
    if case .bound(let word) = naming { name = intern(word) }
    let hop = hop(to: signature, of: info, call, actuals)
    let made = emitCall(
      signature.formals, actuals, signature.standards, call, result: info.type, function: ordinal,
      receiver: .new(ClassID(index), name), hop: hop, target: target
    ) { .call(signature.block, base: $0, $1) }
    comeBack(from: hop, with: made, call)
    return made
  }

  /// The function that a call means, of those with its name; nil for none.
  private mutating func overload(_ ordinals: [Int], for call: CallSite) -> Int? {
    ordinals.first { checker.fits(functions[$0].formals, call) } ?? ordinals.first
  }

  /// Reports methods that only their types tell apart: a call means the first with its labels.
  mutating func checkOverloads(_ declaration: TypeDeclaration) {
    var known: [String: SourceRange] = [:]
    for method in declaration.methods where !method.isSetter {
      let labels = method.function.parameters.map { ($0.label?.text ?? "_") + ":" }.joined()
      let name = method.function.name
      let form = "\(method.isStatic) \(name.text)(\(labels))"
      if let earlier = known[form] {
        error(
          Messages.redeclared(name.text, line: checker.line(earlier), isFunction: true), name.range)
      }
      known[form] = name.range
    }
  }

  /// `self.init(…)` in another `init`; `super.init()`, which does nothing here.
  mutating func callInitializer(_ base: Expression, _ call: CallSite) -> Operand {
    guard let initialization, initialization.depth == depth, case .name(let name) = base.kind else {
      walkStray(call)
      return refuse(Messages.strayInitializer, call.callee.range)
    }
    if name == words.parent {
      walkStray(call)
      return .void
    }
    let info = checker.classes[checker.ownClass]
    guard name == words.own, let ordinal = overload(info.initializers, for: call) else {
      walkStray(call)
      return refuse(Messages.strayInitializer, call.callee.range)
    }
    let signature = functions[ordinal]
    let call = checker.gathered(call, for: signature.formals)
    guard let actuals = checker.match(signature.formals, call, name: "init", call.callee.range)
    else {
      walkStray(call)
      return .void
    }
    noteCall(of: ordinal, call.callee.range)
    _ = emitCall(
      signature.formals, actuals, signature.standards, call, result: .void, function: ordinal,
      receiver: .object(.register(Register(0), info.type)), target: nil
    ) { .call(signature.block, base: $0, $1) }
    return .void
  }

  // MARK: Methods

  /// Calls a method, or the closure that a field holds; nil when the class has neither of this name.
  mutating func callMethod(
    _ given: Operand, _ index: Int, _ name: Word, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand? {
    var object = given
    let info = checker.classes[index]
    let named = info.methods.filter { $0.name == name }.map(\.ordinal)
    guard let ordinal = overload(named, for: call) else {
      guard info.field(name) != nil || info.computed.contains(where: { $0.name == name }),
        let made = instanceMember(
          object, index, name, nameRange(of: call.callee), target: nil, call.callee.range)
      else { return nil }
      return self.call(made, call, name: name.text, isUsed: isUsed, target: target)
    }
    let signature = functions[ordinal]
    let call = checker.gathered(call, for: signature.formals)
    noteCall(of: ordinal, nameRange(of: call.callee))
    guard
      let actuals = checker.match(
        signature.formals, call, name: name.text, nameRange(of: call.callee))
    else {
      walkStray(call)
      return Operand(type: signature.result.isVoid ? .void : .unknown, location: .constant(0))
    }
    if !isUsed && !signature.result.isVoid && !signature.isDiscardable {
      warn(Messages.unusedResult(name.text), nameRange(of: call.callee))
    }
    var receiver = CallReceiver.object(object)
    if case .member(let member) = call.callee.kind {
      receiver = mutationReceiver(&object, ordinal, member.base, call)
    }
    let hop = beginCall(
      of: signature, on: info.isActor ? register(of: object, call.place) : nil, call, actuals,
      nameRange(of: call.callee))
    let made = emitCall(
      signature.formals, actuals, signature.standards, call, result: signature.result,
      function: ordinal, receiver: receiver, hop: hop, target: target
    ) { .call(signature.block, base: $0, $1) }
    if checker.mutating.contains(ordinal) {
      comeBack(from: hop, call.place)
    } else {
      comeBack(from: hop, with: made, call)
    }
    if case .member(let member) = call.callee.kind {
      storeMutation(made, ordinal, of: object, member.base, call.place)
    }
    return made
  }

  // MARK: Fields

  /// The type of a field: the one that is written, or that of its first value.
  mutating func fieldType(_ index: Int, _ number: Int) -> ValueType {
    let field = checker.classes[index].fields[number]
    if let known = field.type { return known }
    checker.classes[index].fields[number].type = .unknown
    var type: ValueType = .unknown
    if let written = field.written {
      type = checker.type(written)
    } else if let value = field.value {
      type = replacedType(typeAlone(value), number, of: index)
      if type == .null || type.isVoid { type = .unknown }
    }
    if type.isUnknown, field.written == nil, statics.isAloneWrong {
      // What is wrong with the value is told where it is lowered.
      statics.untyped.append(field.name)
    } else if type.isUnknown, field.written == nil {
      error(Messages.untypedField(field.name.text), field.name.range)
    }
    if field.hold == .weak, !type.unwrapped.isUnknown {
      if type.hasIdentity {
        type = .optional(type.unwrapped)
      } else {
        error(Messages.weakValue("\(type)"), field.name.range)
      }
    }
    checker.classes[index].fields[number].type = type
    return type
  }

  /// The type of a value that sees the top only; no code comes of it, and nothing is told of it.
  mutating func typeAlone(_ expression: Expression) -> ValueType {
    let (count, wasTop) = (checker.diagnosis.count, checker.seesOnlyTop)
    beginFrame(.anywhere, name: .none)
    checker.seesOnlyTop = true
    let firstSeen = checker.firstSeen
    checker.firstSeen = Int32(scope.count)
    let made = value(expression)
    (checker.seesOnlyTop, checker.firstSeen) = (wasTop, firstSeen)
    abandonFrame()
    statics.isAloneWrong = checker.diagnosis.hasErrors(since: count)
    checker.diagnosis.retract(to: count)
    return made.type
  }

  /// Whether this is the code of an `init` itself, and what is asked about is its `self`.
  func isInitializing(_ isOwn: Bool) -> Bool {
    guard isOwn, let initialization else { return false }
    return initialization.depth == depth
  }

  /// What reads a `var` of an instance.
  func readOf(_ number: Int, of instance: Register, to register: Register, isOwn: Bool)
    -> Instruction
  {
    isInitializing(isOwn)
      ? .fieldLoad(register, of: instance, Int32(number))
      : .fieldRead(register, of: instance, Int32(number))
  }

  /// What writes a field of an instance.
  func writeOf(_ number: Int, of instance: Register, from register: Register, isOwn: Bool)
    -> Instruction
  {
    isInitializing(isOwn)
      ? .fieldStore(instance, Int32(number), from: register)
      : .fieldWrite(instance, Int32(number), from: register)
  }

  /// The value of a field, or what is computed; nil when the class has neither of this name.
  mutating func instanceMember(
    _ object: Operand, _ index: Int, _ name: Word, _ nameRange: SourceRange, target: Register?,
    _ range: SourceRange
  ) -> Operand? {
    let info = checker.classes[index]
    if let number = info.field(name) {
      let type = fieldType(index, number)
      let instance = register(of: object, range)
      let result = target ?? frame.allocate()
      let isShared = info.fields[number].isVariable && !isInitializing(isOwnObject(instance))
      let hop = isShared ? beginRead(info, number, of: instance, nameRange) : .none
      leave(for: hop, arguments: 0, nameRange)
      defer { comeBack(from: hop, nameRange) }
      emit(
        isShared
          ? .fieldRead(result, of: instance, Int32(number))
          : .fieldLoad(result, of: instance, Int32(number)), range)
      let made = Operand(
        type: type, location: .register(result), isVariable: info.fields[number].isVariable)
      switch info.fields[number].hold {
      case .weak: return ifAlive(made, target: nil, range)
      case .unowned:
        if type.className != nil { emit(.checkUnowned(result), range) }
        return made
      case .strong: return shared(made, range)
      }
    }
    if let getter = info.computed.first(where: { $0.name == name }) {
      let signature = functions[getter.ordinal]
      noteCall(of: getter.ordinal, nameRange)
      let call = arena.node(
        Expression.Call(
          callee: arena.expression(kind: .name(name), range: range), arguments: SyntaxList(),
          closures: SyntaxList(), range: range))
      let hop = beginCall(
        of: signature, on: info.isActor ? register(of: object, range) : nil, call, nil, nameRange)
      let made = emitCall(
        [], Actuals(count: 0, in: arena), [], call, result: signature.result,
        function: getter.ordinal, receiver: .object(object), hop: hop, target: target
      ) { .call(signature.block, base: $0, $1) }
      comeBack(from: hop, with: made, call)
      return made
    }
    if info.methods.contains(where: { $0.name == name }) {
      if let made = methodValue(object, index, name, target: target, range) { return made }
      return refuse(methodAsValue(object, index, name, range), nameRange)
    }
    return nil
  }

  /// The symbol that an expression names; nil for any other expression.
  func symbol(of base: Expression) -> Int32? {
    switch base.kind {
    case .name(let name): find(name)
    case .bind(let inner), .unwrap(let inner): symbol(of: inner)
    default: nil
    }
  }

  /// Whether a register is the one that an `init` has its instance in.
  private func isOwnObject(_ register: Register) -> Bool { register == Register(0) }

  /// Reports a name that no instance of a class has.
  mutating func refuseMember(_ name: Word, ofClass index: Int, _ range: SourceRange) -> Operand {
    let info = checker.classes[index]
    if name == "release" { return refuse(Messages.releasedInstance, range) }
    if info.type.isResult { return refuse(Messages.resultMember(name.text), range) }
    if info.symbol(name) != nil {
      let near = "\(info.name.text).\(name.text)"
      return refuse(
        Messages.unknownMember(name.text, of: info.name.text, nearest: near), range)
    }
    let near = proposal(name.text, info.memberNames)
    if near == nil, isOfLibrary(info),
      let other = ForeignMember.member(name.text, of: info.name.text)
    {
      return refuse(other, range)
    }
    return refuse(Messages.unknownMember(name.text, of: info.name.text, nearest: near), range)
  }

  /// A field that is set, of the instance in a register.
  struct FieldAssignment {
    var instance: Register
    /// Whether that is written `self`.
    var isOwn: Bool
    /// The symbol that it is written as; nil for anything else.
    var symbol: Int32?
    var type: Int
    var name: String
    var nameRange: SourceRange
  }

  /// `instance.name = value`; false when the class has no field of this name.
  mutating func assignField(
    _ target: FieldAssignment, _ operation: Expression.InfixOperator?, _ expression: Expression,
    _ range: SourceRange
  ) -> Bool {
    let info = checker.classes[target.type]
    guard let number = info.fields.firstIndex(where: { $0.name.text == target.name }) else {
      guard info.parent == nil else { return false }
      let isMember = info.memberNames.contains(target.name)
      let near = isMember ? nil : proposal(target.name, info.fields.map(\.name.text))
      error(
        isMember
          ? Messages.notAssignable
          : Messages.unknownMember(target.name, of: info.name.text, nearest: near), target.nameRange
      )
      _ = value(expression, expecting: .unknown)
      return true
    }
    let type = fieldType(target.type, number)
    let isFirst = isInitializing(target.isOwn)
    if isFirst {
      initialization?.assigned.insert(number)
    } else if !info.fields[number].isVariable {
      error(Messages.notAVariable(target.name), target.nameRange)
    }
    if !isFirst { checkChange(info, number, of: target.symbol, target.nameRange) }
    let register = frame.allocate()
    if let operation {
      let made = rightSide(operation, type, expression)
      emit(
        isFirst
          ? .fieldLoad(register, of: target.instance, Int32(number))
          : .fieldReadToChange(register, of: target.instance, Int32(number)), range)
      let present = Operand.register(register, type)
      let joined = join(present, operation, made, expression, target: register, range)
      place(coerce(joined, to: type, range), in: register, range)
    } else {
      let made = coerce(
        value(expression, expecting: type, target: register), to: type, expression.range)
      place(kept(made, isVariable: true), in: register, expression.range)
    }
    setField(
      number, ofClass: target.type, target.instance, isOwn: target.isOwn, from: register, range)
    if isFirst { goToNewActor(target.type, range) }
    return true
  }
}
