import SpindleModel

/// Places: what can be read and given another value.
extension Emitter {
  /// A place whose root and indices have been evaluated, once and from left to right.
  indirect enum Place {
    case register(Register)
    case box(Register, isShared: Bool)
    case global(GlobalID, isVariable: Bool)
    /// A stored property of an instance of a class.
    case field(Register, Int32, isVariable: Bool)
    /// A part of a value: changing it makes another value.
    case part(Place, number: Int32, count: Int, of: SwiftType)
    /// An element of an array, and the value of a key.
    case element(Place, index: Register, array: SwiftType)
    case entry(Place, key: Register, dictionary: SwiftType)
    /// What is computed: its getter and setter, with the receiver and the indices.
    case computed(Typed.Call, receiver: Place?, arguments: [Register], type: SwiftType)
    case row(Property, Register?, type: SwiftType)
    /// A stored property with observers.
    case observed(Observation)
    /// A stored property that gets its value when it is first read.
    case lazy(Place, VariableSymbol, AccessorObject, Substitution)
    /// What an optional holds.
    case forced(Place, wrapped: SwiftType)
    /// The same where nothing has looked yet whether it is nil.
    case needed(Place, wrapped: SwiftType, SourceRange)
    /// A reference that does not retain what it names.
    case unretained(Place, isWeak: Bool, SwiftType)
    /// A value that can only be read.
    case value(Register)
  }

  /// Evaluates what a place needs.
  func prepare(_ value: Typed.Expression) -> Place {
    let range = value.range
    switch value.kind {
    case .local(let local): return place(of: local, range)
    case .global(let variable, _):
      if variable.isTaskLocal { return .value(emitTaskLocal(variable, range)) }
      if variable.isSetInMain { return scriptPlace(variable, value) }
      guard let global = globals[ObjectIdentifier(variable)] else {
        // A closure in front of a variable at the top may use it: it runs later.
        return variable.owner == nil && !variable.isInLibraryText
          && !table.isInFile(variable.range)
          ? globalPlace(makeGlobal(variable), variable) : staticPlace(variable, range)
      }
      makeLazy(variable, range)
      return globalPlace(global, variable)
    case .field(let base, let variable): return storedPlace(base, variable, value)
    case .element(let base, let index):
      let type = concrete(base.type)
      guard case .tuple(let elements) = type else { return .value(emit(base)) }
      return .part(prepare(base), number: Int32(index), count: elements.count, of: type)
    case .forced(let inner):
      let place = prepare(inner)
      let type = concrete(inner.type)
      return forcedPlace(place, inner, type.wrapped ?? .error, range)
    case .bound(let inner):
      return boundPlace(prepare(inner), inner, range)
    case .conversion(let inner):
      return libraryClass(of: concrete(inner.type)) == nil
        || concrete(value.type).nominal?.handle == nil
        ? prepare(inner) : .value(emit(value))
    case .call(let call): return prepare(call, value)
    case .property(let row, let receiver):
      return .row(row, receiver.map { emitStable($0) }, type: value.type)
    default: return .value(emit(value))
    }
  }

  func place(of local: Typed.Local, _ range: SourceRange) -> Place {
    reference(strongPlace(of: local, range), local, range)
  }

  private func strongPlace(of local: Typed.Local, _ range: SourceRange) -> Place {
    switch storages[ObjectIdentifier(local)] {
    case .register(_, _, let symbol)?: return .register(register(of: symbol))
    case .box(_, _, let symbol, let isShared)?:
      return .box(register(of: symbol), isShared: isShared)
    case .place(let place)?: return place
    case .closure(let closure)?: return .value(emitClosure(closure))
    case .task(let task)?: return .value(emitLetValue(task, concrete(local.type), range))
    case nil:
      if local.isSelf, case .metatype(let named) = local.type {
        return .value(emitOwnType(named, range))
      }
      unsupported("'\(local.name)' here", range)
      return .value(allocate())
    }
  }

  func prepare(_ call: Typed.Call, _ value: Typed.Expression) -> Place {
    guard case .function(let getter) = call.callee, getter.role == "get" else {
      return .value(emit(value))
    }
    if case .builtin(let name) = getter.implementation, let receiver = call.receiver,
      case .value(let index)? = call.arguments.first
    {
      let type = concrete(receiver.type)
      if name == "arrayElement" {
        let array = prepare(receiver)
        return .element(array, index: emitStable(index), array: type)
      }
      if name == "dictionaryEntry" {
        let dictionary = prepare(receiver)
        checkKey(type.arguments[0], value.range)
        return .entry(dictionary, key: emitStable(index), dictionary: type)
      }
    }
    if let witness = witnessPlace(getter, call, value) { return witness }
    guard getter.setter != nil else { return .value(emit(value)) }
    // An instance stays the same, whatever its accessors change in it.
    let receiver = call.receiver.map { object -> Place in
      getter.setter?.changesSelf == true || getter.changesSelf
        ? prepare(object) : .value(emit(object))
    }
    return .computed(
      call, receiver: receiver,
      arguments: call.arguments.map { argument in
        switch argument {
        case .value(let value), .standard(let value): emitOwned(value)
        case .variadic, .absent: allocate()
        }
      }, type: concrete(value.type))
  }

  /// A value that stays what it is when the variable that it was read from changes.
  func emitStable(_ value: Typed.Expression) -> Register {
    let made = emit(value)
    guard case .local(let local) = value.kind, local.isVariable else { return made }
    let kept = allocate()
    emit(.copy(kept, from: made), value.range)
    return kept
  }

  /// The same for a value that may be a collection, which is copied anyhow.
  func emitStableOwned(_ value: Typed.Expression) -> Register {
    isCollection(concrete(value.type)) ? emitOwned(value) : emitStable(value)
  }

  /// Several values, each of which stays what it is while the others are evaluated; `prepare` runs in front of each.
  func emitOwned(
    eachOf values: [Typed.Expression], _ prepare: (Int) -> Void = { _ in }
  ) -> [Register] {
    let isStable = values.allSatisfy(changesNothing)
    return values.enumerated().map { index, value in
      prepare(index)
      return isStable ? emitOwned(value) : emitStableOwned(value)
    }
  }

  /// Whether evaluating an expression changes no variable: it is put together from constants, names and operators.
  func changesNothing(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .constant, .integer, .decimal, .text, .symbol, .options, .nil, .local, .global, .metatype:
      return true
    case .field(let base, _): return changesNothing(base)
    case .wrapped(let inner), .conversion(let inner), .forced(let inner):
      return changesNothing(inner)
    case .call(let call):
      guard case .function(let symbol) = call.callee, case .builtin = symbol.implementation else {
        return false
      }
      return call.receiver.map(changesNothing) != false
        && call.arguments.allSatisfy { argument in
          switch argument {
          case .value(let value), .standard(let value): changesNothing(value)
          case .variadic(let values): values.allSatisfy(changesNothing)
          case .absent: true
          }
        }
    default: return false
    }
  }

  /// Two operands, of which the first stays what it is while the second is evaluated.
  func operands(_ one: Typed.Expression, _ other: Typed.Expression) -> (Register, Register) {
    let first = changesNothing(other) ? emit(one) : emitStable(one)
    return (first, emit(other))
  }

  /// An array and the index of an element, which is evaluated before a variable with the array is read.
  func elementOperands(_ call: Typed.Call) -> (array: Register, index: Register) {
    guard let receiver = call.receiver, case .value(let index)? = call.arguments.first,
      !changesNothing(index)
    else { return (operand(0, call), operand(1, call)) }
    let place = prepare(receiver)
    let number = emit(index)
    return (load(place, receiver), number)
  }

  /// The receiver and the argument of a call, or its two arguments.
  func operands(ofTwo call: Typed.Call) -> (Register, Register) {
    guard let one = call.receiver ?? argument(0, call),
      let other = argument(call.receiver == nil ? 1 : 0, call)
    else { return (operand(0, call), operand(1, call)) }
    return operands(one, other)
  }

  // MARK: Reading

  /// The value in a place, which a temporary retains where the place may get another value.
  func load(_ place: Place, _ value: Typed.Expression, toChange: Bool = false) -> Register {
    let made = borrow(place, value, toChange: toChange)
    switch place {
    case .register:
      guard case .local(let local) = value.kind, local.isVariable,
        !(local.isSelf && concrete(local.type).nominal?.isReference == true)
      else { return made }
      return retained(made, concrete(value.type), value.range)
    case .box, .global(_, isVariable: true), .field, .part, .element, .entry, .observed, .forced,
      .needed:
      return retained(made, concrete(value.type), value.range)
    case .global, .computed, .row, .lazy, .unretained, .value: return made
    }
  }

  /// The value in a place, as long as nothing else can change that; `value` may be a part of it.
  func borrow(_ place: Place, _ value: Typed.Expression, toChange: Bool = false) -> Register {
    let range = value.range
    switch place {
    case .register(let register), .value(let register): return register
    case .box(let box, let isShared):
      let result = allocate()
      emit(
        !isShared
          ? .fieldLoad(result, of: box, 0)
          : toChange ? .fieldReadToChange(result, of: box, 0) : .fieldRead(result, of: box, 0),
        range)
      return result
    case .global(let global, let isVariable):
      let result = allocate()
      emit(
        !isVariable
          ? .loadGlobal(result, global)
          : toChange ? .readToChange(result, global) : .readShared(result, global), range)
      return result
    case .field(let instance, let number, let isVariable):
      let result = allocate()
      emit(
        !isVariable
          ? .fieldLoad(result, of: instance, number)
          : toChange
            ? .fieldReadToChange(result, of: instance, number)
            : .fieldRead(result, of: instance, number), range)
      return result
    case .part(let whole, let number, _, _):
      let result = allocate()
      emit(.fieldLoad(result, of: borrow(whole, value, toChange: toChange), number), range)
      return result
    case .element(let array, let index, _):
      let result = allocate()
      emit(
        .arrayGet(result, array: borrow(array, value, toChange: toChange), index: index), range)
      if !toChange { noteLook(at: array, key: index, range) }
      return result
    case .entry(let dictionary, let key, let type):
      let whole = borrow(dictionary, value, toChange: toChange)
      return entry(of: whole, key, type, lookingAt: toChange ? nil : dictionary, range)
    case .computed(let call, let receiver, let arguments, let type):
      return emitAccessor(
        call, isSetter: false, receiver, arguments, Typed.Expression(value.kind, type, range))
    case .row(let row, let receiver, let type):
      return read(row, receiver, Typed.Expression(value.kind, type, range))
    case .observed(let observation): return borrow(observation.stored, value, toChange: toChange)
    case .lazy(let stored, let variable, let object, let given):
      return loadLazy(stored, variable, object, given, value)
    case .forced(let inner, let wrapped):
      return unwrap(borrow(inner, value, toChange: toChange), wrapped, range)
    case .needed(let inner, let wrapped, let sign):
      let optional = borrow(inner, value, toChange: toChange)
      checkPresent(optional, sign)
      return unwrap(optional, wrapped, range)
    case .unretained(let inner, let isWeak, let type):
      return present(borrow(inner, value), isWeak: isWeak, type, range)
    }
  }

  /// The value of a key of a dictionary as an optional, which is in a place where it is only looked at.
  ///
  /// A dictionary keeps its values as optionals, so that a key with the value nil differs from a missing key.
  private func entry(
    of whole: Register, _ key: Register, _ type: SwiftType, lookingAt place: Place?,
    _ range: SourceRange
  ) -> Register {
    let result = allocate()
    let key = known(key, in: whole, type.arguments[0], range)
    emit(.entryGet(result, of: whole, key: key), range)
    if let place { noteLook(at: place, key: key, range) }
    return result
  }

  // MARK: Writing

  /// Gives a place another value.
  func store(_ register: Register, in place: Place, _ value: Typed.Expression) {
    let range = value.range
    switch place {
    case .register(let target): assign(target, from: register, concrete(value.type), range)
    case .unretained(.register(let target), _, _): emit(.copy(target, from: register), range)
    case .unretained(let inner, _, _): store(register, in: inner, value)
    case .box(let box, let isShared):
      emit(
        isShared ? .fieldWrite(box, 0, from: register) : .fieldStore(box, 0, from: register), range)
    case .global(let global, let isVariable):
      emit(
        isVariable ? .writeShared(global, from: register) : .storeGlobal(global, from: register),
        range)
    case .field(let instance, let number, let isVariable):
      emit(
        isVariable
          ? .fieldWrite(instance, number, from: register)
          : .fieldStore(instance, number, from: register), range)
    case .part(.register(let whole), let number, let count, let type):
      storePart(register, in: whole, number, count, type, range)
    case .element(.register(let array), let index, _):
      emit(.arraySet(array, index: index, value: register), range)
    case .entry(.register(let dictionary), let key, let type):
      storeEntry(register, in: dictionary, key, type, range)
    case .forced(.register(let target), let wrapped):
      assign(target, from: wrap(register, wrapped, range), wrapped, range)
    case .part(let whole, let number, let count, let type):
      modify(whole, type, value) { storePart(register, in: $0, number, count, type, range) }
    case .element(let array, let index, let type):
      modify(array, type, value, key: index) {
        emit(.arraySet($0, index: index, value: register), range)
      }
    case .entry(let dictionary, let key, let type):
      modify(dictionary, type, value, key: key) {
        storeEntry(register, in: $0, key, type, range)
      }
    case .computed(let call, let receiver, let arguments, _):
      _ = emitAccessor(call, isSetter: true, receiver, arguments + [register], value)
    case .row(let row, let receiver, _): set(row, receiver, register, value)
    case .observed(let observation): store(register, in: observation, old: nil, value)
    case .lazy(let stored, let variable, _, let given):
      let type = bodies.type(of: variable).substituting(given)
      store(wrap(register, type, range), in: stored, value)
    case .forced(let inner, let wrapped): store(wrap(register, wrapped, range), in: inner, value)
    case .needed(_, let wrapped, _):
      modify(place, wrapped, value) { assign($0, from: register, wrapped, range) }
    case .value: unsupported("an assignment to this", range)
    }
  }

  /// A value with another part.
  func storePart(
    _ register: Register, in whole: Register, _ number: Int32, _ count: Int, _ type: SwiftType,
    _ range: SourceRange
  ) {
    if isInitializing, whole == initializedValue {
      // In its own initialiser the value is known to nothing else.
      return emit(.fieldStore(whole, number, from: register), range)
    }
    let made = allocate()
    emit(.instanceMake(made, ClassID(classNumber(of: type)), .none), range)
    for index in 0..<Int32(count) where index != number {
      let part = allocate()
      emit(.fieldLoad(part, of: whole, index), range)
      emit(.fieldStore(made, index, from: part), range)
    }
    emit(.fieldStore(made, number, from: register), range)
    emit(
      lifeKind(type).map { .hold(whole, from: made, $0) } ?? .copy(whole, from: made), range)
  }

  private func storeEntry(
    _ register: Register, in dictionary: Register, _ given: Register, _ type: SwiftType,
    _ range: SourceRange
  ) {
    let key = known(given, in: dictionary, type.arguments[0], range)
    let (missing, end) = (code.frame.label(), code.frame.label())
    jump(ifNil: true, register, to: missing, range)
    keepKey(key, type.arguments[0], range)
    emit(.entrySet(dictionary, key: key, value: register), range)
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(missing)
    let removed = allocate()
    emit(.entryRemove(removed, of: dictionary, key: key), range)
    if let kind = type.arguments.last.flatMap(lifeKind) { emit(.release(removed, kind), range) }
    code.frame.mark(end)
  }
}
