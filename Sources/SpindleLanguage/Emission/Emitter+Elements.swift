import SpindleModel

/// Arrays and dictionaries as those of other elements.
extension Emitter {
  func emitElementConversion(
    _ inner: Typed.Expression, _ local: Typed.Local, _ made: Typed.Expression, _ type: SwiftType,
    _ range: SourceRange
  ) -> Register {
    type.nominal?.builtin == .dictionary
      ? emitValueConversion(inner, local, made, type, range)
      : emitArrayConversion(inner, local, made, range)
  }

  private func emitArrayConversion(
    _ inner: Typed.Expression, _ local: Typed.Local, _ made: Typed.Expression,
    _ range: SourceRange
  ) -> Register {
    let array = emit(inner)
    let next = code.frame.next
    let result = makeCollection(known.array(concrete(made.type)), range)
    emitLoop(over: array, range) { element in
      declare(local, holding: element, until: .expression, range)
      emit(.arrayAppend(result, value: emit(made)), range)
    }
    free(behind: result, next)
    return result
  }

  /// A dictionary whose values are of another type.
  private func emitValueConversion(
    _ inner: Typed.Expression, _ local: Typed.Local, _ made: Typed.Expression, _ type: SwiftType,
    _ range: SourceRange
  ) -> Register {
    let own = concrete(inner.type).arguments
    let dictionary = emit(inner)
    let next = code.frame.next
    let result = makeCollection(type, range)
    let keys = allocate()
    emit(.entryKeys(keys, of: dictionary), range)
    emitLoop(over: keys, range) { key in
      let entry = allocate()
      emit(.entryGet(entry, of: dictionary, key: key), range)
      declare(local, holding: unwrap(entry, own[1], range), until: .expression, range)
      keepKey(key, own[0], range)
      let held = wrap(emit(made), type.arguments[1], range)
      emit(.entrySet(result, key: key, value: held), range)
    }
    free(behind: result, next)
    return result
  }
}
