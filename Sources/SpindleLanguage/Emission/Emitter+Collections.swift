import SpindleModel

/// What functions of collections come to that have no body.
extension Emitter {
  func emitCollection(
    _ name: String, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register? {
    let range = value.range
    switch name {
    case "arrayEmpty", "dictionaryEmpty": return makeCollection(concrete(value.type), range)
    case "arrayCount":
      let (one, result) = (operand(0, call), allocate())
      emit(.arrayCount(result, array: one), range)
      return result
    case "arrayElement":
      if isReadInPlace(call) { return load(prepare(value), value) }
      let (one, index) = elementOperands(call)
      let result = allocate()
      noteLook(at: call.receiver, key: index, range)
      emit(.arrayGet(result, array: one, index: index), range)
      return retained(result, concrete(value.type), range)
    case "arrayContains": return emitContains(call, value)
    case "elements": return emitElements(call, value)
    case "arrayAppend":
      return change(call, value) { place, type in
        let element = owned(0, call)
        let key = elementKey(element, type.arguments[0], in: place, range)
        modify(place, type, value, key: key) { emit(.arrayAppend($0, value: element), range) }
      }
    case "arrayInsert":
      return change(call, value) { place, type in
        let (element, index) = (owned(0, call), emit(call.arguments[1]))
        modify(place, type, value) { emit(.arrayInsert($0, index: index, value: element), range) }
      }
    case "arrayRemove":
      let result = allocate()
      _ = change(call, value) { place, type in
        let index = emit(call.arguments[0])
        modify(place, type, value) { emit(.arrayRemove(result, array: $0, index: index), range) }
      }
      return owning(result, concrete(value.type), range)
    default: return emitKeyed(name, call, value)
    }
  }

  /// `array.contains(element)`: the elements are compared one after the other.
  private func emitContains(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let range = value.range
    let result = code.frame.pinned()
    guard let receiver = call.receiver else { return result }
    let type = concrete(receiver.type).arguments[0]
    var array = emit(receiver)
    // What the argument does may change the variable that the array is in.
    if case .value(let given)? = call.arguments.first, case .call = given.kind, isShared(receiver) {
      array = copy(array, concrete(receiver.type), range)
    }
    let wanted = operand(1, call)
    noteLook(for: wanted, type, in: call.receiver, range)
    emit(.constant(0, to: result), range)
    let done = code.frame.label()
    emitLoop(over: array, range) { element in
      let next = code.frame.label()
      emit(.jumpUnless(equal(element, wanted, type, range), code.frame.target(next)), range)
      emit(.constant(1, to: result), range)
      code.frame.jump(done, expansion ?? range)
      code.frame.mark(next)
    }
    code.frame.mark(done)
    return result
  }

  /// Dictionaries and sets.
  private func emitKeyed(
    _ name: String, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register? {
    let range = value.range
    switch name {
    case "dictionaryEntry":
      guard let receiver = call.receiver else { return allocate() }
      return load(
        prepare(value), Typed.Expression(value.kind, value.type, receiver.range))
    case "dictionaryKeys": return emitKeys(operand(0, call), concrete(value.type), range)
    case "dictionaryValues":
      let one = operand(0, call)
      return unwrapped(one, concrete(value.type), range)
    case "setContains":
      let (one, given, result) = (operand(0, call), operand(1, call), allocate())
      let elements = call.receiver.map { concrete($0.type).arguments } ?? []
      let key = elements.first.map { known(given, in: one, $0, range) } ?? given
      noteLook(at: call.receiver, key: key, range)
      emit(.entryGet(result, of: one, key: key), range)
      let none = constant(noValue, range)
      emit(.notEqual(result, result, none), range)
      return result
    case "setInsert": return emitInsert(call, value)
    case "dictionaryRemove":
      let removed = code.frame.pinned()
      _ = change(call, value) { place, type in
        let key = emit(call.arguments[0])
        modify(place, type, value, key: key) {
          let key = known(key, in: $0, type.arguments[0], range)
          emit(.entryRemove(removed, of: $0, key: key), range)
        }
      }
      return owning(removed, concrete(value.type), range)
    case "setAdd":
      return change(call, value) { place, type in
        checkKey(type.arguments[0], range)
        let key = emit(call.arguments[0])
        modify(place, type, value, key: key) {
          let key = known(key, in: $0, type.arguments[0], range)
          emit(.entrySet($0, key: key, value: key), range)
        }
      }
    case "setRemove":
      return change(call, value) { place, type in
        let key = emit(call.arguments[0])
        modify(place, type, value, key: key) {
          let key = known(key, in: $0, type.arguments[0], range)
          emit(.entryRemove(allocate(), of: $0, key: key), range)
        }
      }
    default: return nil
    }
  }

  /// The keys of a dictionary, as an array.
  private func emitKeys(
    _ dictionary: Register, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let keys = allocate()
    emit(.entryKeys(keys, of: dictionary), range)
    return type.arguments[0].wrapped == nil ? keys : unwrapped(keys, type, range)
  }

  /// An array of what a collection keeps as optionals.
  private func unwrapped(
    _ kept: Register, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let result = makeCollection(type, range)
    emitLoop(over: kept, range) {
      emit(.arrayAppend(result, value: unwrap($0, type.arguments[0], range)), range)
    }
    return result
  }

  /// `set.insert(element)`: whether it was inserted, and the element that is there now.
  private func emitInsert(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let range = value.range
    let (inserted, member) = (code.frame.pinned(), code.frame.pinned())
    _ = change(call, value) { place, type in
      checkKey(type.arguments[0], range)
      let given = owned(0, call)
      modify(place, type, value, key: given) { set in
        let key = known(given, in: set, type.arguments[0], range)
        let (none, end) = (constant(noValue, range), code.frame.label())
        emit(.entryGet(member, of: set, key: key), range)
        emit(.equal(inserted, member, none), range)
        emit(.jumpUnless(inserted, code.frame.target(end)), range)
        emit(.copy(member, from: key), range)
        emit(.entrySet(set, key: key, value: key), range)
        code.frame.mark(end)
      }
    }
    let type = concrete(value.type)
    guard case .tuple(let parts) = type else { return inserted }
    let given = unwrap(member, parts[1].type, range)
    let result = allocate()
    emit(.instanceMake(result, ClassID(classNumber(of: type)), .none), range)
    emit(.fieldStore(result, 0, from: inserted), range)
    emit(.fieldStore(result, 1, from: given), range)
    return owning(result, type, range)
  }

  func owned(_ index: Int, _ call: Typed.Call) -> Register {
    guard let value = argument(index, call) else { return allocate() }
    return emitOwned(value)
  }

  /// Changes the collection that a method is called on.
  func change(
    _ call: Typed.Call, _ value: Typed.Expression, _ body: (Place, SwiftType) -> Void
  ) -> Register {
    guard let receiver = call.receiver else { return allocate() }
    body(prepareToChange(receiver), concrete(receiver.type))
    return allocate()
  }
}
