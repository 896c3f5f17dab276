import SpindleModel

/// Bare names in the closure of an operation: they may mean members of the operation, as in a
/// method of a class.
///
/// A closure that is given its operation and names no parameter calls it `self`; closures inside it
/// capture that like any other value, so `finish()` means the same operation wherever it runs.
extension Lowering {
  /// What the object is called to which bare names may belong.
  private static let ownName = "self"

  /// The parameters of a closure, with `self` where it is given an operation and names nothing.
  func parametersWithSelf(
    _ literal: Expression.Closure, _ given: [ValueType], named: Int
  ) -> [Name] {
    guard named == 0, given.first == .handle(.operation) else { return literal.parameters }
    let start = Int(literal.body.range.lowerBound)
    return literal.parameters + [
      Name(text: Lowering.ownName, range: SourceRange(start, start))
    ]
  }

  /// `self.name` for a bare name that is a member of the object around; nil when it is none.
  func ownMember(_ name: String, _ range: SourceRange) -> Expression? {
    guard let index = find(Lowering.ownName), case .handle(let handle) = scope[index].type else {
      return nil
    }
    let members = vocabulary.instances[Int(handle.rawValue)]
    guard members.property(name) != nil || members.overloads(name) != nil else { return nil }
    return Expression(
      kind: .member(
        Expression(kind: .name(Lowering.ownName), range: range), name: name, nameRange: range),
      range: range)
  }

  /// Puts the object that a bare name of a function's body belongs to into `register`.
  mutating func placeOwner(_ owner: Primitive, in register: Register, _ range: SourceRange) {
    if owner == .operationCurrent, case .thread = frame.context {
      error(Messages.needsOperation(source.text(in: range)), range)
    }
    emit(.perform(owner, base: register, noSite), range)
  }
}
