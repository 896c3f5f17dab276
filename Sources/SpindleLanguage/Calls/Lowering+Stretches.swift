import SpindleModel

/// Parts of arrays, and arrays made of others: `prefix`, `dropFirst`, `compactMap`, `flatMap`, `joined`, `a + b`.
extension Lowering {
  /// What those are called that `stretch` makes.
  static let stretches = ["prefix", "suffix", "dropFirst", "dropLast"]

  /// `a.prefix(2)`, `a.suffix(2)`, `a.dropFirst()`, `a.dropLast(n)`: an array, not a view of one.
  mutating func stretch(
    _ name: String, _ array: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    let place = call.place
    let formal = Formal(
      label: nil, type: .integer, isOptional: name.hasPrefix("drop"), slot: 0, limit: .notNegative)
    guard checker.match([formal], call, name: name, nameRange(of: call.callee)) != nil else {
      walkStray(call)
      return .unknown
    }
    let result = emptyArray(of: element, place)
    let limit = frame.allocate()
    if let first = call.arguments.first {
      argument(first.value, formal, into: limit)
      frame.next = Int(limit.index) + 1
    } else {
      emit(.constant(1, to: limit), place)
    }
    crashIfNegative(limit, name, place)
    if name == "suffix" || name == "dropLast" {
      let count = frame.allocate()
      emit(.arrayCount(count, array: array), place)
      emit(.subtract(limit, count, limit), place)
    }
    let isFront = name == "prefix" || name == "dropLast"
    eachElement(of: array, place) { lowering, item, index, _ in
      let (test, next) = (lowering.frame.allocate(), lowering.frame.label())
      lowering.emit(.less(test, index, limit), place)
      lowering.emit(
        isFront
          ? .jumpUnless(test, lowering.frame.target(next))
          : .jumpIf(test, lowering.frame.target(next)), place)
      lowering.emit(.arrayAppend(result, value: item), place)
      lowering.frame.mark(next)
    }
    return finished(result, element, place)
  }

  /// What Swift's library says of a length below 0: swift:stdlib/public/core/Collection.swift.
  private mutating func crashIfNegative(_ count: Register, _ name: String, _ place: SourceRange) {
    let (zero, test, fits) = (frame.allocate(), frame.allocate(), frame.label())
    emit(.constant(0, to: zero), place)
    emit(.lessOrEqual(test, zero, count), place)
    emit(.jumpIf(test, frame.target(fits)), place)
    crash(
      name.hasPrefix("drop")
        ? "Can't drop a negative number of elements from a collection"
        : "Can't take a \(name) of negative length from a collection", place)
    frame.mark(fits)
    frame.next = Int(zero.index)
  }

  /// A new array without elements, in a register of its own.
  private mutating func emptyArray(of element: ValueType, _ place: SourceRange) -> Register {
    let result = frame.allocate()
    emit(.arrayMake(result, base: result, count: 0), place)
    countNew(result, element, place)
    return result
  }

  private mutating func countNew(_ array: Register, _ element: ValueType, _ place: SourceRange) {
    if let kind = lifeKind(.array(element)) { emit(.countElements(array, kind), place) }
  }

  private mutating func finished(_ result: Register, _ element: ValueType, _ place: SourceRange)
    -> Operand
  {
    frame.next = Int(result.index) + 1
    var made = Operand.register(result, .array(element))
    made.isFresh = true
    return held(made, place)
  }

  /// `a.compactMap { }`, which leaves out what is nil, and `a.flatMap { }`, which joins arrays.
  mutating func gathered(
    _ name: String, _ array: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    let place = call.place
    let wish = wishedElement.map { name == "flatMap" ? ValueType.array($0) : .optional($0) }
    guard let body = elementBody(call, nil, [element], nil) else { return .unknown }
    let result = frame.allocate()
    emit(.arrayMake(result, base: result, count: 0), place)
    let owner = growing(result, place)
    var found = ValueType.unknown
    eachElement(of: array, place) { lowering, item, _, _ in
      let made = lowering.run(body, [(item, element)], nil, wish: wish)
      let from = lowering.register(of: made, place)
      if name == "flatMap", case .arrayOf(let inner) = made.type {
        found = inner.type
        lowering.countNew(result, found, place)
        lowering.eachElement(of: from, place) { inner, item, _, _ in
          inner.emit(.arrayAppend(result, value: item), place)
        }
        return
      }
      found = made.type.unwrapped
      if made.type.isUnknown || made.type.isVoid { return }
      let next = lowering.frame.label()
      lowering.countNew(result, found, place)
      lowering.jump(ifMissing: from, to: next, place)
      lowering.emit(.arrayAppend(result, value: from), place)
      lowering.frame.mark(next)
    }
    guard !found.isUnknown, !found.isVoid, found != .null else {
      if found.isVoid || found == .null { error(Messages.noValue, call.range) }
      return .unknown
    }
    frame.next = Int(result.index) + 1
    return grown(result, owner, found)
  }

  /// `a.first { $0 > 1 }`, `a.first(where:)`, `a.last(where:)`; `a.count(where:)`.
  mutating func chosen(
    _ name: String, _ array: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    let place = call.place
    guard let body = elementBody(call, "where", [element], .boolean) else { return .unknown }
    let result = frame.allocate()
    emit(.constant(name == "count" ? 0 : noValue, to: result), place)
    eachElement(of: array, isBackwards: name == "last", place) { lowering, item, _, exit in
      let next = lowering.frame.label()
      let test = lowering.register(of: lowering.run(body, [(item, element)], .boolean), place)
      lowering.emit(.jumpUnless(test, lowering.frame.target(next)), place)
      if name == "count" {
        lowering.emit(.increment(result), place)
      } else {
        lowering.emit(.copy(result, from: item), place)
        lowering.frame.jump(exit, place)
      }
      lowering.frame.mark(next)
    }
    frame.next = Int(result.index) + 1
    if name == "count" { return .register(result, .integer) }
    return shared(.register(result, .optional(element)), place)
  }

  /// `names.joined(separator: ", ")`.
  mutating func joinedText(_ array: Register, _ element: ValueType, _ call: CallSite) -> Operand {
    let place = call.place
    let formal = Formal(label: "separator", type: .string, isOptional: true, slot: 0)
    guard element == .string,
      checker.match([formal], call, name: "joined", nameRange(of: call.callee)) != nil
    else {
      walkStray(call)
      return element == .string || element.isUnknown
        ? .unknown
        : refuse(
          Messages.arrayMember("joined", of: "[\(element)]", nearest: nil),
          nameRange(of: call.callee))
    }
    let (result, separator) = (frame.allocate(), frame.allocate())
    if let first = call.arguments.first {
      argument(first.value, formal, into: separator)
      frame.next = Int(separator.index) + 1
    } else {
      emit(.constant(Int64(WellKnownName.empty.id.index), to: separator), place)
    }
    emit(.textBegin, place)
    eachElement(of: array, place) { lowering, item, index, _ in
      let (zero, first) = (lowering.frame.allocate(), lowering.frame.label())
      lowering.emit(.constant(0, to: zero), place)
      lowering.emit(.equal(zero, index, zero), place)
      lowering.emit(.jumpIf(zero, lowering.frame.target(first)), place)
      lowering.emit(.textValue(separator, .string), place)
      lowering.frame.mark(first)
      lowering.emit(.textValue(item, .string), place)
    }
    emit(.textEnd(result), place)
    frame.next = Int(result.index) + 1
    return .register(result, .string)
  }

  /// `a + b` of arrays.
  mutating func joinedArrays(_ left: Operand, _ right: Operand, _ range: SourceRange) -> Operand? {
    guard case .arrayOf(let element) = left.type, left.type == right.type else { return nil }
    let (first, second) = (register(of: left, range), register(of: right, range))
    let result = emptyArray(of: element.type, range)
    for array in [first, second] {
      eachElement(of: array, range) { lowering, item, _, _ in
        lowering.emit(.arrayAppend(result, value: item), range)
      }
    }
    return finished(result, element.type, range)
  }
}
