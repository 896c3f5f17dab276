import SpindleModel

/// Arrays of objects that are made alike.
extension Emitter {
  /// `[Thread](count: 3) { i in … }`: the objects are named by the array and their index.
  func emitElements(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let (name, range) = (boundName, value.range)
    boundName = nil
    let count = operand(0, call)
    let result = makeCollection(concrete(value.type), range)
    guard case .value(let given)? = call.arguments.last, let closure = given.closureLiteral,
      case .return(let element?)? = closure.body.first?.kind,
      let parameter = closure.parameters.first
    else {
      unsupported("this array", range)
      return result
    }
    crash(unlessCount: count, range)
    emitLoop(upTo: count, range) { index in
      storages[ObjectIdentifier(parameter)] = storage(index, parameter.type)
      (boundName, boundElement) = (name, index)
      let made = emitOwned(element)
      (boundName, boundElement) = (nil, nil)
      emit(.arrayAppend(result, value: made), range)
    }
    return result
  }

  /// An array of less than no elements cannot be made.
  private func crash(unlessCount count: Register, _ range: SourceRange) {
    let (next, test, fits) = (code.frame.next, constant(0, range), code.frame.label())
    emit(.lessOrEqual(test, test, count), range)
    emit(.jumpIf(test, code.frame.target(fits)), range)
    crash(Messages.runTimeArrayCount, range)
    code.frame.mark(fits)
    code.frame.next = next
  }

  /// The name of an element: `locks[2]`.
  func nameElement(of name: String, _ index: Register, _ register: Register, _ range: SourceRange) {
    text([(name + "[", nil), (nil, (index, .integer)), ("]", nil)], into: register, range)
  }
}
