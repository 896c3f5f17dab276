import SpindleModel

/// Errors that are cases without values of an `enum` that says what they are printed as.
///
/// What is thrown is a text, and `print(error)` writes that: it is what the case says of itself. Which case it stood for
/// is kept beside it, so that a `catch` can ask for that.
extension Lowering {
  /// The text that a case is as an error where it says so itself; nil for any other.
  mutating func thrownDescription(
    _ made: Operand, _ name: ClassName, _ range: SourceRange
  ) -> Operand? {
    guard let index = describedEnum(checker.enums.index(of: name)) else { return nil }
    let one = frame.pinned()
    place(made, in: one, range)
    guard let said = described(.register(one, made.type), range) else { return nil }
    let result = frame.pinned()
    place(coerce(said, to: .string, range), in: result, range)
    let next = frame.next
    let all = table(thrownCases(index), range)
    emit(.entrySet(all, key: result, value: one), range)
    frame.next = next
    noteType(.enum(checker.enums.index(of: name)), of: result, range)
    return .register(result, .string)
  }

  /// The case of such an `enum` that a text was thrown as, or nil, as an optional; nil for an `enum` whose cases are
  /// their names.
  mutating func thrownChoice(
    of index: Int, _ thrown: Expression, _ range: SourceRange
  ) -> Operand? {
    guard let members = describedEnum(index) else { return nil }
    let made = value(thrown)
    guard made.type.unwrapped == .string else { return nil }
    let text = frame.allocate()
    place(made, in: text, range)
    let (result, missing) = (frame.allocate(), frame.label())
    emit(.constant(noValue, to: result), range)
    jump(ifMissing: text, to: missing, range)
    let type = checker.enums[index].type
    return thrownEntry(members, text, to: missing, in: result, .enum(index), type, range)
  }

  /// How many types of errors say what they are printed as: two of them may say the same.
  var describedErrorTypes: Int {
    (0..<checker.classes.count).count { index in
      let info = checker.classes[index]
      guard info.isDescribed else { return false }
      if case .choice(let name) = info.type {
        return checker.enums[checker.enums.index(of: name)].isError
      }
      return info.isError
    }
  }

  /// What the cases of an `enum` of errors have besides, where that is what they are printed as; nil for any other.
  func describedEnum(_ index: Int) -> Int? {
    let info = checker.enums[index]
    guard info.isError, let members = checker.classes.members(ofEnum: ClassName(info.name.text)),
      description(of: info.type) != nil
    else { return nil }
    return members
  }
}
