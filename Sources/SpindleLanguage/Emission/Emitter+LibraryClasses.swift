import SpindleModel

/// Classes whose superclass is one of the library: `class Download: Operation`, `class Worker: Thread`.
///
/// An instance of such a class has an object of the library in its first field. The object runs `main()` of the
/// instance, or `start()` where an operation has one of its own. Where an object of the library is wanted, that stands
/// for the instance.
extension Emitter {
  /// The class of the library that a type inherits from; nil for the library's own types and for all others.
  func libraryClass(of type: SwiftType) -> Nominal? {
    guard let nominal = type.nominal, !nominal.isLibrary else { return nil }
    return libraryClass(above: nominal)
  }

  func libraryClass(above nominal: Nominal) -> Nominal? {
    var above = nominal.superclass?.nominal
    while let one = above {
      if one.handle != nil { return one }
      above = one.superclass?.nominal
    }
    return nil
  }

  /// The object of the library that an instance has.
  func object(of instance: Register, _ type: Nominal, _ range: SourceRange) -> Register {
    let result = allocate()
    emit(.fieldLoad(result, of: instance, 0), range)
    return retained(result, type.selfType, range)
  }

  // MARK: Making the object

  /// Gives an instance of a class that inherits from the library directly its object.
  func makeObject(of instance: Register, _ nominal: Nominal, _ range: SourceRange) {
    guard let library = nominal.superclass?.nominal, library.handle != nil else { return }
    let entry = table.vocabulary.types.first { $0.name == library.name }
    guard let row = entry?.initializers.first,
      library.handle == .operation || library.handle == .thread
    else { return unsupported("a subclass of '\(library.name)'", nominal.place ?? range) }
    let place = nominal.place ?? range
    let body = emitRun(of: instance, nominal, library, place)
    let base = Register(code.frame.next)
    // It is called as its class is; threads of one class get numbers.
    var context = SlotContext(naming: nominal.name)
    let call = Typed.Call(
      callee: .closure(Typed.Expression(.error, .error, place)), substitution: [:], receiver: nil,
      arguments: [], place: place, nameRange: place)
    for (index, step) in row.steps.enumerated() {
      let register = inNext(place) { fill(step, index, row, call, &context, place) }
      nameByClass(step.kind, register, of: instance, nominal, place)
      guard step.formal >= 0 else { continue }
      let label = row.formals[step.formal].label?.text
      if label == "isAsynchronous", isAsynchronous(nominal) {
        emit(.constant(1, to: register), place)
      } else if label == "block" {
        emit(.copy(register, from: body), place)
      } else if label == "name", library.handle == .thread {
        emit(.constant(noValue, to: register), place)
      }
    }
    guard case .perform(let primitive) = row.action else { return }
    emit(.perform(primitive, base: base, code.site()), place)
    let made = given(base, by: row, library.selfType, place)
    emit(.fieldStore(instance, 0, from: made), place)
    noteInstance(instance, of: made, place)
    giveReadiness(to: made, of: instance, nominal, place)
  }

  /// Names an object, and its kind of work, after the class of its instance, which may be one below.
  private func nameByClass(
    _ step: Member.Step.Kind, _ register: Register, of instance: Register, _ nominal: Nominal,
    _ range: SourceRange
  ) {
    let word: (String) -> Int64
    switch step {
    case .name: word = { self.intern($0) }
    case .kind: word = { self.code.kind(pattern: self.code.intern($0)) }
    default: return
    }
    let next = code.frame.next
    let classes = table.usedTypes.filter { $0 !== nominal && $0.isSubclass(of: nominal) }
    for below in instances(of: classes) {
      let (test, other) = (allocate(), code.frame.label())
      emit(.instanceIs(test, of: instance, ClassID(classNumber(of: below))), range)
      emit(.jumpUnless(test, code.frame.target(other)), range)
      emit(.constant(word(below.nominal?.name ?? ""), to: register), range)
      code.frame.mark(other)
      code.frame.next = next
    }
  }

  /// Whether the operations of a class report their own states.
  private func isAsynchronous(_ nominal: Nominal) -> Bool {
    ["start", "isAsynchronous", "isConcurrent"].contains { has($0, nominal) }
  }

  /// Whether a class or one below it has a member in the place of the library's.
  private func has(_ name: String, _ nominal: Nominal) -> Bool {
    (nominal.members[name] ?? []).contains { !$0.isStatic }
      || nominal.subclasses.contains { has(name, $0) }
  }

  /// The closure that the object runs: it retains the instance.
  private func emitRun(
    of instance: Register, _ nominal: Nominal, _ library: Nominal, _ range: SourceRange
  ) -> Register {
    let own = Typed.Local(
      "self", nominal.selfType, isVariable: false, range, Typed.FunctionScope(nil))
    declare(own, holding: instance, until: .expression, range)
    let value = Typed.Expression(.local(own), own.type, range)
    let name = library.handle == .operation && has("start", nominal) ? "start" : "main"
    return emitBlock([], range, name: code.closureName) { [self] in
      if has(name, nominal) {
        _ = emit(callOfOwn(name, value, range))
        if name == "start" { askForEnd(value, range) }
      } else {
        _ = emit(value)
      }
      emitReturn(nil, .void, range)
    }
  }

  /// A call of a member without arguments by its name: of what a type has in the place of one of the library.
  func callOfOwn(
    _ name: String, _ receiver: Typed.Expression, _ range: SourceRange
  ) -> Typed.Expression {
    let checker = BodyChecker(bodies, context: TypeContext())
    for found in checker.members(name, of: concrete(receiver.type)) {
      let symbol: FunctionSymbol?
      switch found.symbol {
      case let function as FunctionSymbol where function.parameters.isEmpty: symbol = function
      case let variable as VariableSymbol:
        guard let getter = variable.getter else {
          return Typed.Expression(.field(receiver, variable), bodies.type(of: variable), range)
        }
        symbol = getter
      default: symbol = nil
      }
      guard let symbol, !symbol.isStatic else { continue }
      let call = Typed.Call(
        callee: .function(symbol), substitution: found.substitution,
        receiver: received(receiver, by: symbol), arguments: [], place: range, nameRange: range)
      return Typed.Expression(.call(call), symbol.result, range)
    }
    return receiver
  }

  private func received(
    _ receiver: Typed.Expression, by symbol: FunctionSymbol
  ) -> Typed.Expression {
    guard let owner = symbol.owner, owner.handle != nil else { return receiver }
    return Typed.Expression(.conversion(receiver), owner.selfType, receiver.range)
  }

  // MARK: Members of the library

  /// A call of a member of the library with an instance of a subclass, which may have another one in its place: nil
  /// where it has none, and for all other calls.
  func emitOverridden(
    _ symbol: FunctionSymbol, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register? {
    guard !call.isDirect, symbol.owner?.handle != nil, !symbol.isStatic, !symbol.isInitializer,
      let instance = instanceBelow(call.receiver), let nominal = concrete(instance.type).nominal,
      has(symbol.name, nominal)
    else { return nil }
    return emitDispatch(
      instances(below: concrete(instance.type)), symbol, call.copy(receiver: instance), value)
  }

  /// The instance whose object a receiver is; nil where it is an object of the library by itself.
  private func instanceBelow(_ receiver: Typed.Expression?) -> Typed.Expression? {
    guard case .conversion(let inner)? = receiver?.kind,
      libraryClass(of: concrete(inner.type)) != nil
    else { return nil }
    return inner
  }

  /// What a call of a row of the library needs in front of it, where its receiver is an instance of a subclass.
  func prepareRow(_ row: Member, _ call: Typed.Call) {
    guard case .perform(.operation(let primitive)) = row.action,
      let instance = instanceBelow(call.receiver)
    else { return }
    switch primitive {
    case .didChange: publish(instance, call)
    case .wait: if computes("isFinished", instance) { askForEnd(instance, call.place) }
    default: break
    }
  }

  private func computes(_ name: String, _ instance: Typed.Expression) -> Bool {
    concrete(instance.type).nominal.map { has(name, $0) } ?? false
  }

  /// In front of `didChangeValue(forKey:)`: the library's value becomes what the property of the class is now, which is
  /// when observers read it.
  private func publish(_ instance: Typed.Expression, _ call: Typed.Call) {
    let range = call.place
    var key: String?
    if case .value(let value)? = call.arguments.first, case .text(let text) = value.kind {
      key = text
    }
    for (name, primitive) in [
      ("isExecuting", OperationPrimitive.setExecuting), ("isFinished", .setFinished),
    ] where (key == nil || key == name) && computes(name, instance) {
      publish(name, primitive, instance, range)
    }
  }

  private func publish(
    _ name: String, _ primitive: OperationPrimitive, _ instance: Typed.Expression,
    _ range: SourceRange
  ) {
    inTemporaries(range) {
      let own = emit(callOfOwn(name, instance, range))
      let object = emit(libraryObject(instance))
      _ = perform(.operation(primitive), [object, own], range)
    }
  }

  private func libraryObject(_ instance: Typed.Expression) -> Typed.Expression {
    let type = libraryClass(of: concrete(instance.type))?.selfType ?? .error
    return Typed.Expression(.conversion(instance), type, instance.range)
  }

  // MARK: States that nothing announced

  /// Where the library asks the property of a class itself, it is asked once where its end is known, else twice.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, OperationQueue._schedule and observeValue.
  private func askForEnd(_ instance: Typed.Expression, _ range: SourceRange) {
    guard computes("isFinished", instance) else { return }
    let (next, end) = (code.frame.next, code.frame.label())
    jump(to: end, if: .asksEnd, is: false, of: instance, range)
    inTemporaries(range) {
      emit(
        .jumpUnless(emit(callOfOwn("isFinished", instance, range)), code.frame.target(end)), range)
    }
    jump(to: end, if: .isFinished, is: true, of: instance, range)
    publish("isFinished", .setFinished, instance, range)
    code.frame.mark(end)
    code.frame.next = next
  }

  /// Goes on elsewhere where the library's object of an instance gives an answer.
  private func jump(
    to label: Frame.Label, if primitive: OperationPrimitive, is expected: Bool,
    of instance: Typed.Expression, _ range: SourceRange
  ) {
    inTemporaries(range) {
      let answer = perform(.operation(primitive), [emit(libraryObject(instance))], range)
      let target = code.frame.target(label)
      emit(expected ? .jumpIf(answer, target) : .jumpUnless(answer, target), range)
    }
  }

  /// Gives an operation the `isReady` of its class, which is asked when the library's own conditions hold.
  private func giveReadiness(
    to object: Register, of instance: Register, _ nominal: Nominal, _ range: SourceRange
  ) {
    guard nominal.superclass?.nominal?.handle == .operation, has("isReady", nominal) else { return }
    let own = Typed.Local(
      "self", nominal.selfType, isVariable: false, range, Typed.FunctionScope(nil))
    own.strength = .unowned
    declare(own, holding: instance, until: .expression, range)
    let value = Typed.Expression(.local(own), own.type, range)
    let closure = emitBlock([], range, name: code.closureName) { [self] in
      emitReturn(emitReadiness(value, range), known.boolean, range)
    }
    let base = window([object, closure], range)
    emit(.perform(.operation(.setReadiness), base: base, code.site()), range)
  }

  /// What the `isReady` of a class gives where the library asks, for whom `super.isReady` holds by then.
  private func emitReadiness(_ own: Typed.Expression, _ range: SourceRange) -> Register {
    let asked = callOfOwn("isReady", own, range)
    guard case .call(let call) = asked.kind, case .function(let getter) = call.callee,
      let body = bodies.body(of: getter), let local = body.ownSelf
    else { return emit(asked) }
    asksReadiness = true
    defer { asksReadiness = false }
    return expanding(getter, call.substitution, asked) {
      storages[ObjectIdentifier(local)] = storage(emit(own), own.type)
      return body.statements
    }
  }

  // MARK: What the library does

  /// `super.main()`, which does nothing, and `super.start()` of an operation: it reports that the operation executes,
  /// calls `main()` and reports that it has finished; for one that was cancelled it reports only the last.
  ///
  /// Each state is reported with the property of the class where it has one.
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, start; Apple, Operation, start().
  func emitAbove(
    _ symbol: FunctionSymbol, _ call: Typed.Call, _ range: SourceRange
  ) -> Register? {
    if symbol.isInitializer, symbol.owner?.handle != nil {
      return emitInherited(symbol, call, range)
    }
    guard call.isDirect, symbol.owner?.handle != nil,
      let instance = instanceBelow(call.receiver)
    else { return nil }
    if symbol.name == "main" { return allocate() }
    guard symbol.name == "start", symbol.owner?.handle == .operation else { return nil }
    let (next, end) = (code.frame.next, code.frame.label())
    jump(to: end, if: .isFinished, is: true, of: instance, range)
    let cancelled = code.frame.label()
    jump(to: cancelled, if: .isCancelled, is: true, of: instance, range)
    report(.setExecuting, "isExecuting", true, instance, range)
    if let nominal = concrete(instance.type).nominal, has("main", nominal) {
      inTemporaries(range) { _ = emit(callOfOwn("main", instance, range)) }
    }
    report(.setExecuting, "isExecuting", false, instance, range)
    code.frame.mark(cancelled)
    report(.setFinished, "isFinished", true, instance, range)
    code.frame.mark(end)
    code.frame.next = next
    return allocate()
  }

  /// An initialiser of the library for an instance of a subclass: the object comes with the first values.
  private func emitInherited(
    _ symbol: FunctionSymbol, _ call: Typed.Call, _ range: SourceRange
  ) -> Register? {
    guard call.receiver != nil || call.made != nil else { return nil }
    for argument in call.arguments {
      guard case .absent = argument else {
        unsupported("an argument for '\(symbol.owner?.name ?? "")' here", range)
        return allocate()
      }
    }
    let type = concrete(call.made ?? .error)
    if let receiver = call.receiver {
      let instance = emit(receiver)
      storeInheritedValues(type, symbol.owner, instance, range)
      return instance
    }
    let fresh = allocate()
    let name = boundName.map { code.intern($0) } ?? .none
    boundName = nil
    emit(.instanceMake(fresh, ClassID(classNumber(of: type)), name), range)
    let instance = owning(fresh, type, range)
    temporariesOfCall = code.frame.temporaries.count
    storeInheritedValues(type, symbol.owner, instance, range)
    return instance
  }

  private func report(
    _ primitive: OperationPrimitive, _ key: String, _ value: Bool, _ instance: Typed.Expression,
    _ range: SourceRange
  ) {
    inTemporaries(range) {
      let object = emit(libraryObject(instance))
      _ = perform(.operation(primitive), [object, constant(value ? 1 : 0, range)], range)
    }
    if computes(key, instance) { publish(key, primitive, instance, range) }
    inTemporaries(range) {
      let object = emit(libraryObject(instance))
      _ = perform(.operation(.didChange), [object, constant(intern(key), range)], range)
    }
  }
}
