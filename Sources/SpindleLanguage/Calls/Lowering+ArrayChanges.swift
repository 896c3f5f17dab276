import SpindleModel

/// Functions that change the array of a variable: `append`, `removeFirst`, `shuffle`.
extension Lowering {
  /// The functions that change an array where it is kept.
  static let arrayChanges = [
    "append", "insert", "remove", "removeFirst", "removeLast", "popLast", "popFirst", "removeAll",
    "shuffle", "reverse", "swapAt", "sort",
  ]
  /// A function of an array that a variable holds, when it changes it; nil when it is none of those.
  mutating func changeArray(
    _ base: Expression, _ name: String, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand? {
    guard Lowering.arrayChanges.contains(name), var place = arrayPlace(base),
      case .arrayOf(let node) = place.type
    else { return nil }
    let outer = changesBlindly
    changesBlindly = !isUsed
    defer { changesBlindly = outer }
    if name == "append", call.arguments.first?.label == nil { return append(base, call) }
    if name == "removeFirst" || name == "removeLast", !call.arguments.isEmpty {
      return removeSeveral(base, name, call)
    }
    if name == "sort" { return sortInPlace(base, call) }
    if name == "removeAll", !call.closures.isEmpty || call.arguments.first?.label == "where" {
      return removeTested(base, call)
    }
    guard changeable(&place, base) else {
      walkStray(call)
      return .unknown
    }
    let element = node.type
    if name == "popFirst" || name == "popLast", case .optionalOf = element {
      walkStray(call)
      return refuse(Messages.optionalElement(name), nameRange(of: call.callee))
    }
    let given = arguments(of: name, element, call)
    guard let given else { return .unknown }
    let result = target ?? frame.allocate()
    if !isUsed { noteChange(in: place, call.place) }
    let array = load(place, base.range)
    let made = held(changeCounted(array, name, given, element, result, call), call.place)
    store(array, to: place, call.place)
    if !isUsed, !made.type.isVoid, name != "remove", name != "removeFirst", name != "removeLast" {
      warn(Messages.unusedResult(name), nameRange(of: call.callee))
    }
    return made
  }

  /// `rows[1].append(x)`, `model.list.sort()` where `list` is computed: changes a copy of an array that no variable has
  /// itself, and puts it there; nil for anything else.
  mutating func changeCopy(
    of object: Operand, _ base: Expression, _ name: String, _ call: CallSite, isUsed: Bool,
    target: Register?
  ) -> Operand? {
    switch base.kind {
    case .name, .element, .member: break
    default: return nil
    }
    guard object.type.isArray, Lowering.arrayChanges.contains(name), isRepeatable(base) else {
      return nil
    }
    let mark = scope.count
    let register = declareCopy(of: object, base.range)
    let made = changeArray(
      arena.named(words.changed, base.range), name, call, isUsed: isUsed, target: target)
    store(register, object.type, to: base, call.place)
    closeScope(downTo: mark)
    return made
  }

  /// `rows[1][0] = x` of an array of arrays, in the same way; false for anything else.
  ///
  /// Only where the right side changes nothing: what it did to the row would be lost.
  mutating func setInCopy(
    of object: Operand, _ access: Expression.ElementAccess,
    _ operation: Expression.InfixOperator?, _ expression: Expression, _ range: SourceRange
  ) -> Bool {
    guard case .element(let outer) = access.base.kind, outer.fallback == nil, object.type.isArray,
      isRepeatable(access.base), isQuiet(access.index), isQuiet(expression),
      find(words.changed) == nil,
      case .arrayOf? = arrayPlace(outer.base)?.type
    else { return false }
    let mark = scope.count
    let register = declareCopy(of: object, access.base.range)
    let copy = Expression.ElementAccess(
      base: arena.named(words.changed, access.base.range), index: access.index)
    lowerAssignment(
      arena.expression(kind: .element(arena.node(copy)), range: range), operation, expression,
      range)
    store(register, object.type, to: access.base, range)
    closeScope(downTo: mark)
    return true
  }

  /// Gives a copy of an array a name that no trace can write.
  private mutating func declareCopy(of object: Operand, _ range: SourceRange) -> Register {
    var changed = object
    changed.isVariable = true
    let copy = kept(changed, isVariable: true)
    let owner = keeper(of: copy, range)
    let register = owner?.register ?? frame.pinned()
    if owner == nil { place(copy, in: register, range) }
    scope.declare(
      Symbol(
        name: words.changed, meaning: .variable(register), type: object.type, place: range,
        frame: Int32(depth), owner: owner))
    return register
  }

  /// `a.removeAll { $0 > 4 }`, `a.removeAll(where: …)`: what is left is what the closure does not want.
  private mutating func removeTested(_ base: Expression, _ call: CallSite) -> Operand {
    let callee = arena.member(words.rejected, of: base, nameRange(of: call.callee))
    let arguments = call.arguments.map {
      Expression.Argument(label: nil, labelRange: $0.labelRange, value: $0.value)
    }
    let left = arena.call(callee, arguments, closures: Array(call.closures), at: call.range)
    lowerAssignment(base, nil, left, call.range)
    return .void
  }

  /// Whether a place has an array: a variable, or an element of one in which all are arrays.
  private mutating func holdsArray(_ target: Expression) -> Bool {
    if let place = arrayPlace(target) { return place.type.isArray }
    if passage(in: target) != nil, case .arrayOf? = placeType(target) { return true }
    guard case .element(let access) = target.kind, access.fallback == nil,
      case .arrayOf(let element)? = arrayPlace(access.base)?.type
    else { return false }
    return element.type.isArray
  }

  /// `a += b` of arrays, which is `a.append(contentsOf: b)`; false for anything else.
  mutating func joinArrays(
    _ target: Expression, _ operation: Expression.InfixOperator?, _ added: Expression,
    _ range: SourceRange
  ) -> Bool {
    guard operation == .add, holdsArray(target) else { return false }
    let member = Expression.MemberAccess(
      base: target, name: words.append, nameRange: target.range)
    let argument = Expression.Argument(
      label: words.contentsOf, labelRange: added.range, value: added)
    let call = Expression.Call(
      callee: arena.expression(kind: .member(arena.node(member)), range: target.range),
      arguments: arena.list([argument]), closures: SyntaxList(), range: range)
    lowerForEffect(arena.expression(kind: .call(arena.node(call)), range: range))
    return true
  }

  /// The arguments of a function that changes an array, in registers; nil when they were refused.
  private mutating func arguments(
    of name: String, _ element: ValueType, _ call: CallSite
  ) -> [Register]? {
    let labels = call.arguments.map(\.label?.text)
    var formals: [Formal] = []
    switch name {
    case "append":
      formals = [Formal(label: "contentsOf", type: .array(element), isOptional: false, slot: 0)]
    case "insert":
      formals = [
        Formal(label: nil, type: element, isOptional: false, slot: 0),
        Formal(label: "at", type: .integer, isOptional: false, slot: 1),
      ]
    case "remove": formals = [Formal(label: "at", type: .integer, isOptional: false, slot: 0)]
    case "swapAt":
      formals = (0..<2).map { Formal(label: nil, type: .integer, isOptional: false, slot: $0) }
    case "removeAll" where labels == ["keepingCapacity"]:
      formals = [Formal(label: "keepingCapacity", type: .boolean, isOptional: false, slot: 0)]
    default: break
    }
    return arguments(of: name, formals, call)
  }

  /// The arguments of a function that takes no closure, in registers; nil when they were refused.
  ///
  /// A collection among them is copied where what is called keeps it.
  mutating func arguments(
    of name: String, _ formals: [Formal], _ call: CallSite, keepsCollections: Bool = false
  ) -> [Register]? {
    guard checker.match(formals, call, name: name, nameRange(of: call.callee)) != nil else {
      walkStray(call)
      return nil
    }
    if let closure = call.closures.first {
      error(Messages.noClosure(name), closure.range)
      return nil
    }
    return formals.indices.map { index in
      let register = frame.allocate()
      let made = argument(call.arguments[index].value, formals[index], into: register)
      if keepsCollections && made.type.isCollection {
        place(kept(made, isVariable: true), in: register, call.place)
      }
      frame.next = Int(register.index) + 1
      return register
    }
  }

  /// Changes an array, which may hold its elements: those that are moved about are held as before.
  private mutating func changeCounted(
    _ array: Register, _ name: String, _ given: [Register], _ element: ValueType,
    _ result: Register, _ call: CallSite
  ) -> Operand {
    let place = call.place
    guard let life = lifeKind(.array(element)) else {
      return change(array, name, given, element, result, call)
    }
    switch name {
    case "removeAll":
      empty(array, .array(element), place)
      return .void
    case "swapAt", "shuffle", "reverse":
      emit(.disownElements(array), place)
      let made = change(array, name, given, element, result, call)
      emit(.adoptElements(array, life), place)
      if name == "reverse", !frame.isOwner(array) {
        self.place(held(.register(array, .array(element)), place), in: array, place)
      }
      return made
    default: return change(array, name, given, element, result, call)
    }
  }

  /// Takes all out of what a variable holds.
  mutating func empty(_ array: Register, _ type: ValueType, _ place: SourceRange) {
    guard let life = lifeKind(type) else {
      return emit(.arrayMake(array, base: array, count: 0), place)
    }
    let empty = frame.allocate()
    emit(.arrayMake(empty, base: empty, count: 0), place)
    emit(.countElements(empty, life), place)
    if frame.isOwner(array) {
      emit(.hold(array, from: empty, life), place)
    } else {
      self.place(held(.register(empty, type), place), in: array, place)
    }
  }

  private mutating func change(
    _ array: Register, _ name: String, _ given: [Register], _ element: ValueType,
    _ result: Register, _ call: CallSite
  ) -> Operand {
    let place = call.place
    switch name {
    case "append":
      eachElement(of: given[0], place) { lowering, item, _, _ in
        lowering.emit(.arrayAppend(array, value: item), place)
      }
      return .void
    case "insert":
      emit(.arrayInsert(array, index: given[1], value: given[0]), place)
      return .void
    case "remove":
      emit(.arrayRemove(result, array: array, index: given[0]), place)
      return .register(result, element)
    case "removeFirst", "removeLast", "popFirst", "popLast":
      return removeEnd(
        of: array, isLast: name.hasSuffix("Last"), isOptional: name.hasPrefix("pop"), element,
        result, place)
    case "removeAll":
      empty(array, .array(element), place)
      return .void
    case "swapAt":
      swap(given[0], given[1], in: array, place)
      return .void
    case "shuffle":
      shuffle(array, call)
      return .void
    default:
      reverse(array, place)
      return .void
    }
  }

  private mutating func removeEnd(
    of array: Register, isLast: Bool, isOptional: Bool, _ element: ValueType, _ result: Register,
    _ place: SourceRange
  ) -> Operand {
    let (index, test) = (frame.allocate(), frame.allocate())
    let (end, some) = (frame.label(), frame.label())
    if isOptional {
      emit(.arrayCount(index, array: array), place)
      emit(.constant(noValue, to: result), place)
      emit(.constant(0, to: test), place)
      emit(.notEqual(test, index, test), place)
      emit(.jumpIf(test, frame.target(some)), place)
      frame.jump(end, place)
      frame.mark(some)
    }
    emit(.constant(0, to: index), place)
    if isLast {
      emit(.arrayCount(index, array: array), place)
      emit(.constant(1, to: test), place)
      emit(.subtract(index, index, test), place)
    }
    emit(.arrayRemove(result, array: array, index: index), place)
    frame.mark(end)
    return .register(result, isOptional ? .optional(element) : element)
  }

  /// Exchanges two elements.
  mutating func swap(
    _ one: Register, _ other: Register, in array: Register, _ place: SourceRange
  ) {
    let (first, second) = (frame.allocate(), frame.allocate())
    emit(.arrayGet(first, array: array, index: one), place)
    emit(.arrayGet(second, array: array, index: other), place)
    emit(.arraySet(array, index: one, value: second), place)
    emit(.arraySet(array, index: other, value: first), place)
    frame.next = Int(first.index)
  }

  mutating func reverse(_ array: Register, _ place: SourceRange) {
    let copy = frame.allocate()
    emit(.arrayCopy(copy, from: array), place)
    emit(.arrayMake(array, base: copy, count: 0), place)
    eachElement(of: copy, isBackwards: true, place) { lowering, item, _, _ in
      lowering.emit(.arrayAppend(array, value: item), place)
    }
  }
}
