import SpindleModel

/// Bare names in the closure of an operation: they may mean members of the operation, as in a
/// method of a class.
///
/// A closure that is given its operation and names no parameter calls it `self`; closures inside it
/// capture that like any other value, so `finish()` means the same operation wherever it runs.
extension Lowering {
  /// The parameters of a closure, with `self` where it is given an operation and names nothing.
  @inline(__always)
  func parametersWithSelf(
    _ literal: Expression.Closure, _ given: ValueType?, named: Int
  ) -> SyntaxList<Name> {
    // In a method, `self` is the instance.
    guard named == 0, given == .handle(.operation), checker.ownClass < 0 else {
      return literal.parameters
    }
    let start = Int(literal.body.range.lowerBound)
    let own = Name(word: words.own, range: SourceRange(start, start))
    return arena.list(Array(literal.parameters) + [own])
  }

  /// `self.name` for a bare name that is a member of the object around; nil when it is none.
  @inline(__always)
  mutating func ownMember(_ name: Word, _ range: SourceRange) -> Expression? {
    if checker.ownClass >= 0, let symbol = checker.classes[checker.ownClass].symbol(name),
      checker.isStaticMember
    {
      return arena.expression(kind: .name(symbol), range: range)
    }
    guard let own = find(words.own) else { return nil }
    return member(name, of: own, range)
  }

  private mutating func member(_ name: Word, of own: Int32, _ range: SourceRange) -> Expression? {
    if case .instance(let className) = scope[own].type {
      guard hasMember(checker.classes[checker.classes.index(of: className)], name) else {
        return nil
      }
      return ownMember(name, at: range)
    }
    if case .choice(let className) = scope[own].type {
      let index = checker.classes.members(ofEnum: className)
      let isThere = index.map { checker.classes[$0].hasMember(name) } ?? false
      return isThere || name == "rawValue" ? ownMember(name, at: range) : nil
    }
    guard case .handle(let handle) = scope[own].type else { return nil }
    let members = vocabulary.instances[Int(handle.rawValue)]
    guard members.property(name) != nil || members.overloads(name) != nil else { return nil }
    return ownMember(name, at: range)
  }

  /// Whether each instance of a class has something of this name.
  func hasMember(_ info: ClassInfo, _ name: Word) -> Bool {
    if info.hasMember(name) || info.isActor && isIsolationCheck(name) { return true }
    guard let parent = info.parent else { return false }
    let members = vocabulary.instances[Int(parent.rawValue)]
    return members.property(name) != nil || members.overloads(name) != nil
  }

  /// `self.name`.
  private func ownMember(_ name: Word, at range: SourceRange) -> Expression {
    let own = arena.expression(kind: .name(words.own), range: range)
    let member = Expression.MemberAccess(base: own, name: name, nameRange: range)
    return arena.expression(kind: .member(arena.node(member)), range: range)
  }

  /// Puts the object that a bare name of a function's body belongs to into `register`.
  mutating func placeOwner(_ owner: Primitive, in register: Register, _ range: SourceRange) {
    if owner == .operation(.current), case .thread = frame.context {
      error(Messages.needsOperation(source.text(in: range)), range)
    }
    emit(.perform(owner, base: register, noSite), range)
  }
}
