import SpindleModel

extension Lowering {
  /// An object where one of any class is taken: `post(name: .saved, object: self)`; nil for anything else.
  ///
  /// All instances are in one table, whatever their class is, so nothing is done for it.
  func anyObject(_ operand: Operand, as type: ValueType) -> Operand? {
    guard type.unwrapped.isAnyObject, case .instance = operand.type.unwrapped,
      !isValue(operand.type.unwrapped)
    else { return nil }
    var result = operand
    result.type = operand.type.unwrapped == operand.type ? type.unwrapped : type
    return result
  }

  /// Whether the library's text declares a class, and not the trace.
  func isOfLibrary(_ info: ClassInfo) -> Bool {
    Int(info.name.range.lowerBound) > source.ownCount
  }

  /// What to write where a type of the library's text is expected and something else stands.
  func libraryMismatch(_ type: ValueType, _ operand: Operand) -> String? {
    guard case .instance(let name) = type.unwrapped,
      isOfLibrary(checker.classes[checker.classes.index(of: name)])
    else { return nil }
    if type.unwrapped.isAnyObject { return Messages.anyObject("\(operand.type)") }
    return name.text == "Name" && operand.type.unwrapped == .string
      ? Messages.notificationName : nil
  }

  /// `note.object as? Document`, `note.object is Document`: the class is asked for when the program runs.
  mutating func castObject(
    _ object: Operand, _ name: Word, _ question: Word, _ range: SourceRange
  ) -> Operand {
    guard let index = checker.classes.index(of: name), !checker.classes[index].isValue,
      !checker.parents.contains(where: { $0.value == name.text })
    else { return refuse(Messages.cast(object.type, to: name.text), range) }
    let truth = frame.allocate()
    emit(.instanceIs(truth, of: register(of: object, range), ClassID(index)), range)
    let answer = Operand.register(truth, .boolean)
    if question == words.isOfType { return answer }
    return kept(checker.classes[index].type, object, where: answer, range)
  }

  /// The same value where there may be none.
  func asOptional(_ value: Operand) -> Operand {
    var result = value
    result.type = .optional(value.type)
    return result
  }
}
