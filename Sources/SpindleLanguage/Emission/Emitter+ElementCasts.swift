import SpindleModel

/// Casts of arrays, dictionaries and sets, which cast what is in them.
extension Emitter {
  /// `values as? [Int]`, `table as! [String: Int]`, `values is [String]`; nil for the cast of anything else.
  func emitCast(
    ofElements inner: Typed.Expression, _ cast: Grammar.Cast, _ from: SwiftType, _ to: SwiftType,
    _ range: SourceRange
  ) -> Register? {
    let own = from.unwrappedFully
    guard let kind = to.nominal?.builtin, own.nominal?.builtin == kind,
      kind == .array || kind == .dictionary || kind == .set
    else { return nil }
    let given = emit(inner)
    let result = joined(to)
    let (fails, end) = (code.frame.label(), code.frame.label())
    if from.wrapped != nil { jump(ifNil: true, given, to: fails, range) }
    let next = code.frame.next
    let made = emitElements(of: given, own, castTo: to, fails: fails, range)
    if cast == .test {
      emit(.constant(1, to: result), range)
    } else {
      assign(result, from: made, to, range)
    }
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(fails)
    switch cast {
    case .forced: crash("Could not cast value of type '\(own)' to '\(to)'", range)
    case .test: emit(.constant(0, to: result), range)
    case .optional, .coerce: emit(.constant(noValue, to: result), range)
    }
    code.frame.mark(end)
    free(behind: result, next)
    return result
  }

  /// A collection whose elements are those of another one as another type; jumps to `fails` if an element is not of that type.
  private func emitElements(
    of given: Register, _ from: SwiftType, castTo to: SwiftType, fails: Frame.Label,
    _ range: SourceRange
  ) -> Register {
    let made = makeCollection(to, range)
    func part(_ value: Register, _ index: Int) -> Register {
      let (own, wanted) = (from.arguments[index], to.arguments[index])
      if own == wanted { return value }
      let local = Typed.Local("element", own, isVariable: false, range, Typed.FunctionScope(nil))
      declare(local, holding: value, until: .expression, range)
      let whole = Typed.Expression(.local(local), own, range)
      let cast = emitCast(whole, .optional, wanted, range)
      jump(ifNil: true, cast, to: fails, range)
      return unwrap(cast, wanted, range)
    }
    switch to.nominal?.builtin {
    case .dictionary:
      let keys = allocate()
      emit(.entryKeys(keys, of: given), range)
      emitLoop(over: keys, range) { key in
        let entry = allocate()
        emit(.entryGet(entry, of: given, key: key), range)
        let one = part(unwrap(key, from.arguments[0], range), 0)
        let value = part(unwrap(entry, from.arguments[1], range), 1)
        let known = known(one, in: made, to.arguments[0], range)
        keepKey(known, to.arguments[0], range)
        emit(.entrySet(made, key: known, value: wrap(value, to.arguments[1], range)), range)
      }
    case .set:
      emitLoop(over: given, range) { element in
        let one = part(unwrap(element, from.arguments[0], range), 0)
        let known = known(one, in: made, to.arguments[0], range)
        emit(.entrySet(made, key: known, value: known), range)
      }
    default:
      emitLoop(over: given, range) { element in
        emit(.arrayAppend(made, value: part(element, 0)), range)
      }
    }
    return made
  }
}
