import SpindleModel

/// Which error a text was, where two of the trace may be the same text.
///
/// The type of the last one that was thrown with a text is kept beside it, as what it stood for is.
extension Lowering {
  /// The type of an error.
  enum ErrorType {
    case `enum`(Int)
    case `class`(Int)

    /// A number that no other type has.
    var number: Int64 {
      switch self {
      case .enum(let index): Int64(2 * index)
      case .class(let index): Int64(2 * index + 1)
      }
    }
  }

  /// Whether two errors of the trace have a case of the same name, or may say the same of themselves.
  var errorsShareNames: Bool {
    mutating get {
      if let known = statics.errorsShareNames { return known }
      var names = Set<String>()
      var areShared = describedErrorTypes > 1
      for name in checker.enums.names {
        guard let index = checker.enums.index(of: name), checker.enums[index].isError else {
          continue
        }
        for one in checker.enums[index].cases where !names.insert(one.text).inserted {
          areShared = true
        }
      }
      for index in 0..<checker.classes.count where checker.classes[index].isError {
        for one in checker.classes[index].cases where !names.insert(one.name.text).inserted {
          areShared = true
        }
      }
      statics.errorsShareNames = areShared
      return areShared
    }
  }

  /// Reports a case of an error without its type, where any error may stand; whether an error has such a case.
  mutating func refuseBareCase(_ name: String, _ range: SourceRange) -> Bool {
    var owner = checker.enums.names.first { type in
      guard let index = checker.enums.index(of: type), checker.enums[index].isError else {
        return false
      }
      return checker.enums[index].cases.contains { $0.text == name }
    }
    for index in 0..<checker.classes.count where checker.classes[index].isError {
      if checker.classes[index].cases.contains(where: { $0.name.text == name }) {
        owner = checker.classes[index].name.text
      }
    }
    guard let owner else { return false }
    error(Messages.bareCase(name, of: owner), range)
    return true
  }

  /// Notes of which type the error is that a text stands for from now on.
  mutating func noteType(_ type: ErrorType, of text: Register, _ range: SourceRange) {
    guard errorsShareNames else { return }
    let next = frame.next
    let all = table(errorTypes(), range)
    let number = frame.allocate()
    emit(.constant(type.number, to: number), range)
    emit(.entrySet(all, key: text, value: number), range)
    frame.next = next
  }

  /// Does something where the text was thrown last as an error of another type.
  mutating func ifOther(
    _ type: ErrorType, _ text: Register, _ range: SourceRange, _ body: (inout Lowering) -> Void
  ) {
    guard errorsShareNames else { return }
    let next = frame.next
    let (found, test, end) = (frame.allocate(), frame.allocate(), frame.label())
    emit(.loadGlobal(found, errorTypes()), range)
    jump(ifMissing: found, to: end, range)
    emit(.entryGet(found, of: found, key: text), range)
    jump(ifMissing: found, to: end, range)
    emit(.constant(type.number, to: test), range)
    emit(.equal(test, found, test), range)
    emit(.jumpIf(test, frame.target(end)), range)
    body(&self)
    frame.mark(end)
    frame.next = next
  }

  /// Whether a text that is one of a type's cases was thrown as that.
  mutating func ofType(
    _ type: ErrorType, _ made: Operand, _ call: CallSite, _ range: SourceRange
  ) -> Operand {
    guard errorsShareNames, case .register(let result) = made.location else { return made }
    frame.next = max(frame.next, Int(result.index) + 1)
    let text = register(of: value(call.arguments[0].value), range)
    ifOther(type, text, range) { $0.emit(.constant(0, to: result), range) }
    return made
  }

  /// The global that has the type of each text.
  private mutating func errorTypes() -> GlobalID {
    if let known = statics.errorTypes { return known }
    let made = hiddenGlobal("error types")
    statics.errorTypes = made
    return made
  }

  /// A global that no text of the trace names.
  mutating func hiddenGlobal(_ name: String) -> GlobalID {
    program.globals.append(
      Global(name: name, format: .integer, isVariable: false, place: SourceRange(0, 0)))
    return GlobalID(program.globals.count - 1)
  }

  /// The table that a hidden global has, made where there is none yet.
  mutating func table(_ global: GlobalID, _ range: SourceRange) -> Register {
    let (all, known) = (frame.allocate(), frame.label())
    emit(.loadGlobal(all, global), range)
    jump(ifPresent: all, to: known, range)
    emit(.arrayMake(all, base: all, count: 0), range)
    emit(.storeGlobal(global, from: all), range)
    frame.mark(known)
    return all
  }
}
