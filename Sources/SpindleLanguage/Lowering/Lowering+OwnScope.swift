import SpindleModel

/// `self` where nothing is called so: pasted from a class whose members stand at the top of the trace.
extension Lowering {
  /// Whether an expression is `self`, or `self?`, and no object is called so here.
  func isOwnName(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .name(let name): name == words.own && find(words.own) == nil
    case .bind(let inner), .unwrap(let inner): isOwnName(inner)
    default: false
    }
  }

  /// `self.name` as the name at the top that it means, when it is no member of an object.
  ///
  /// A value only: in a call, what is given to it is seen from where it stands.
  mutating func ownValue(
    _ name: Expression, _ expecting: ValueType?, target: Register?
  ) -> Operand {
    let wasTop = checker.seesOnlyTop
    if case .name(let word) = name.kind, scope.findAtTop(word) != nil { checker.seesOnlyTop = true }
    defer { checker.seesOnlyTop = wasTop }
    return value(name, expecting: expecting, target: target)
  }

  /// The expression without `self.` in front, where that means the top of the trace.
  ///
  /// Mutating, as `plainName` is: a method that only reads would be handed a copy of the whole.
  mutating func plain(_ expression: Expression) -> Expression {
    guard case .member(let member) = expression.kind else { return expression }
    return plainName(member) ?? expression
  }

  /// The name that `self.name` means when it is no member of an object; nil when it means a member.
  @inline(__always)
  mutating func plainName(_ member: Node<Expression.MemberAccess>) -> Expression? {
    switch member.base.kind {
    case .name(let name) where name == words.own: nameWithoutOwn(member)
    case .name(let name) where checker.classes.hasStatics: staticName(name, member)
    case .bind, .unwrap: isOwn(member.base) ? nameWithoutOwn(member) : nil
    case .member(let inner) where checker.classes.hasStatics: nestedName(inner, member)
    default: nil
    }
  }

  /// `Loader.State.idle`: what a type within another one has itself.
  private mutating func nestedName(
    _ inner: Node<Expression.MemberAccess>, _ member: Node<Expression.MemberAccess>
  ) -> Expression? {
    guard case .name(let owner) = inner.base.kind, find(owner) == nil,
      checker.staticsIndex(of: owner) != nil || checker.classIndex(of: owner) != nil
    else { return nil }
    return staticName(inner.name, member)
  }

  /// The name at the top of what a class itself has: `Model.shared`; nil for anything else.
  private mutating func staticName(_ name: Word, _ member: Node<Expression.MemberAccess>)
    -> Expression?
  {
    guard let index = checker.staticsIndex(of: name), find(name) == nil,
      let symbol = checker.classes[index].symbol(member.name)
    else { return nil }
    return arena.expression(kind: .name(symbol), range: member.nameRange)
  }

  /// `Loader.Part` as `Part`, which is the same type, and an alias of a type of the trace as that; nil for anything else.
  ///
  /// Mutating, as `plainName` is.
  mutating func typeItself(_ expression: Expression) -> Expression? {
    var name: Word
    switch expression.kind {
    case .member(let inner):
      guard case .name(let outer) = inner.base.kind, checker.isDeclaredType(inner.name),
        checker.isDeclaredType(outer), find(outer) == nil
      else { return nil }
      name = inner.name
    case .name(let alias):
      guard !checker.aliases.isEmpty, let aliased = checker.aliases[alias.text],
        case .name(let written) = aliased.kind,
        find(alias) == nil, case .instance(let own)? = checker.declaredType(written.text)
      else { return nil }
      name = checker.classes[checker.classes.index(of: own)].name.word
    default: return nil
    }
    return arena.expression(kind: .name(name), range: expression.range)
  }

  mutating func isOwn(_ base: Expression) -> Bool {
    switch base.kind {
    case .name(let name): name == words.own
    case .bind(let inner), .unwrap(let inner): isOwn(inner)
    default: false
    }
  }

  private mutating func nameWithoutOwn(_ member: Node<Expression.MemberAccess>) -> Expression? {
    if let own = find(words.own) {
      if scope[own].type.className != nil { return nil }
      if case .choice = scope[own].type { return nil }
      // In the closure of an operation it may still be something at the top.
      guard case .handle(let handle) = scope[own].type.unwrapped else { return nil }
      let members = vocabulary.instances[Int(handle.rawValue)]
      guard members.property(member.name) == nil, members.overloads(member.name) == nil,
        scope.findAtTop(member.name) != nil
      else { return nil }
    }
    return arena.expression(kind: .name(member.name), range: member.nameRange)
  }
}
