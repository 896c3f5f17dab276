import SpindleModel

/// `CustomStringConvertible`: values that say themselves what they are printed as.
extension Lowering {
  /// Notes whether values say themselves what they are printed as, or as an error's description.
  mutating func noteDescription(_ declaration: TypeDeclaration, of index: Int) {
    let bases = declaration.bases.map(\.text)
    checker.classes[index].isDescribed = bases.contains("CustomStringConvertible")
    guard bases.contains(where: { ["Error", "LocalizedError"].contains($0) }) else { return }
    for field in declaration.fields
    where field.getter != nil && field.name.text == "errorDescription" {
      checker.describedErrors.append(declaration.name.word)
    }
  }

  /// `error.localizedDescription` of what may be any error: what one of those that say something of themselves was
  /// thrown as says, else what is printed of it.
  mutating func localizedDescription(ofAny error: Operand, _ range: SourceRange) -> Operand {
    let types = checker.describedErrors.filter { isThrown($0) }
    if types.isEmpty { return error }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    let it = standIn(for: error, range)
    var whole = it
    for type in types.reversed() {
      let callee = arena.member(words.asType, of: arena.named(type, range), range)
      let argument = Expression.Argument(label: nil, labelRange: range, value: it)
      let found = arena.expression(
        kind: .bind(arena.call(callee, [argument], at: range)), range: range)
      let said = arena.member(words.localizedDescription, of: found, range)
      let sides = Expression.Sides(
        left: arena.expression(kind: .chain(said), range: range), right: whole,
        operatorRange: range)
      whole = arena.expression(kind: .coalesce(arena.node(sides)), range: range)
    }
    return value(whole)
  }

  /// What a value is printed as whose type says so: its `description`; nil for any other.
  mutating func described(_ made: Operand, _ range: SourceRange) -> Operand? {
    guard let (index, member, _) = description(of: made.type) else { return nil }
    return instanceMember(made, index, member, range, target: nil, range)
  }

  /// What says what values of a type are printed as; nil where that is what they consist of.
  func description(of type: ValueType) -> (index: Int, member: Word, type: String)? {
    let found: Int? =
      switch type {
      case .instance(let name): checker.classes.index(of: name)
      case .choice(let name): checker.classes.members(ofEnum: name)
      default: nil
      }
    guard let index = found, checker.classes[index].isDescribed else { return nil }
    let info = checker.classes[index]
    let member =
      info.computed.first { $0.name.text == "description" }?.name
      ?? info.fields.first { $0.name.text == "description" }?.name.word
    return member.map { (index, $0, info.name.text) }
  }

  /// `e.localizedDescription` of an error whose type is known: its `errorDescription`, where it has one that is not nil, or
  /// else what it is printed as; nil for anything else.
  mutating func localizedDescription(
    of object: Operand, _ name: Word, _ range: SourceRange
  ) -> Operand? {
    guard name == "localizedDescription" else { return nil }
    var info: ClassInfo?
    switch object.type {
    case .instance(let type):
      info = checker.classes[checker.classes.index(of: type)]
      if info?.isError != true { return nil }
    case .choice(let type):
      if !checker.enums[checker.enums.index(of: type)].isError { return nil }
      info = checker.classes.members(ofEnum: type).map { checker.classes[$0] }
    default: return nil
    }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    let it = standIn(for: object, range)
    let text = arena.expression(kind: .string(arena.list([.value(it)])), range: range)
    guard let member = info?.computed.first(where: { $0.name.text == "errorDescription" })?.name
    else { return value(text) }
    let sides = Expression.Sides(
      left: arena.member(member, of: it, range), right: text, operatorRange: range)
    return value(arena.expression(kind: .coalesce(arena.node(sides)), range: range))
  }
}
