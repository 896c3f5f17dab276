import SpindleModel

/// `lazy var queue: OperationQueue = { … }()`.
///
/// It is an optional under a name that no trace can write, and what is computed for the name that it has: when that is
/// read and there is nothing yet, the value is made, with all that `self` has. As in Swift, nothing guards that.
extension Parser {
  /// Adds a field whose value is made when it is first read; false for one whose value may as well be made at once.
  mutating func addLazy(
    _ written: TypeDeclaration.Field, to type: inout TypeDeclaration
  ) -> Bool {
    guard let value = written.value else { return false }
    guard let known = written.type ?? observedType(of: value) else {
      if isConstant(value) { return false }
      report(SyntaxMessage.lazyType(written.name.text), written.name.range)
      return false
    }
    guard type.keyword == .class || type.keyword == .actor, !written.isStatic else {
      if isConstant(value) { return false }
      report(SyntaxMessage.lazyField, written.name.range)
      return false
    }
    let place = written.name.range
    let name = Name(word: arena.words.word("lazy \(written.name.text)"), range: place)
    var stored = written
    stored.name = name
    stored.type = known
    if case .optional = known.kind {
    } else {
      stored.type = TypeName(kind: .optional(arena.node(known)), range: known.range)
    }
    stored.value = arena.expression(kind: .none, range: place)
    var computed = written
    (computed.type, computed.value) = (known, nil)
    computed.getter = getter(of: name, written.name, known, value)
    type.fields += [stored, computed]
    let given = Name(word: arena.words.word("newValue"), range: place)
    let setter = Declaration.Function(
      name: Name(word: arena.words.word("set \(written.name.text)"), range: place),
      isolation: written.isolation, isAsync: false,
      parameters: [Declaration.Function.Parameter(label: nil, name: given, type: known)],
      result: nil, body: arena.block([assignment(to: name, arena.named(given.word, place))], place))
    type.methods.append(
      TypeDeclaration.Method(isStatic: false, isMutating: true, isSetter: true, function: setter))
    return true
  }

  /// Whether a value is the same whenever it is made.
  private func isConstant(_ value: Expression) -> Bool {
    switch value.kind {
    case .integer, .decimal, .duration, .size, .percent, .text, .boolean, .none, .implicitMember,
      .missing:
      true
    case .array(let elements): elements.allSatisfy { isConstant($0) }
    case .dictionary(let entries):
      entries.allSatisfy { isConstant($0.key) && isConstant($0.value) }
    case .prefix(_, let inner): isConstant(inner)
    default: false
    }
  }

  /// `if self.stored == nil { let name: Type = value; self.stored = name }; return self.stored!`.
  private func getter(
    of stored: Name, _ name: Name, _ type: TypeName, _ value: Expression
  ) -> CodeBlock {
    let place = name.range
    let sides = Expression.Sides(
      left: own(stored), right: arena.expression(kind: .none, range: place), operatorRange: place)
    let binding = Binding(isVariable: false, weak: nil, name: name, type: type, value: value)
    let made = arena.block(
      [
        Statement(kind: .binding(arena.node(binding)), range: place),
        assignment(to: stored, arena.named(name.word, place)),
      ], place)
    let branch = Statement.Branch(
      condition: arena.expression(kind: .infix(.equal, arena.node(sides)), range: place), body: made
    )
    let choice = Statement.Choice(branches: arena.list([branch]), otherwise: nil)
    return arena.block(
      [
        Statement(kind: .if(arena.node(choice)), range: place),
        Statement(kind: .return(own(stored)), range: place),
      ], place)
  }

  private func own(_ name: Name) -> Expression {
    arena.member(
      name.word, of: arena.named(arena.words.word("self"), name.range), name.range)
  }

  private func assignment(to name: Name, _ value: Expression) -> Statement {
    arena.assignment(to: own(name), value, name.range)
  }
}
