import SpindleModel

/// `lazy var queue: OperationQueue = { … }()`.
///
/// It is an optional under a name that no trace can write, and what is computed for the name that it has: when that is
/// read and there is nothing yet, the value is made, with all that `self` has. One whose value may be nil itself has beside
/// it whether it was made. As in Swift, nothing guards that.
extension Parser {
  /// Adds a field whose value is made when it is first read; false for one whose value may as well be made at once.
  mutating func addLazy(
    _ written: TypeDeclaration.Field, to type: inout TypeDeclaration
  ) -> Bool {
    guard let value = written.value else { return false }
    let task = written.type == nil ? lazyTask(value) : .none
    if case .hidden = task {
      report(SyntaxMessage.lazyTask(written.name.text), written.name.range)
      return false
    }
    guard let known = written.type ?? task.type ?? observedType(of: value) else {
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
    var made: TypeDeclaration.Field?
    if case .optional = known.kind {
      made = mark(of: written, place)
    } else {
      stored.type = TypeName(kind: .optional(arena.node(known)), range: known.range)
    }
    stored.value = arena.expression(kind: .none, range: place)
    var computed = written
    (computed.type, computed.value) = (known, nil)
    computed.getter = getter(of: name, made?.name, written.name, known, value)
    type.fields += [stored, computed]
    if let made { type.fields.append(made) }
    let given = Name(word: arena.words.word("newValue"), range: place)
    let setter = Declaration.Function(
      name: Name(word: arena.words.word("set \(written.name.text)"), range: place),
      isolation: written.isolation, isAsync: false,
      parameters: [Declaration.Function.Parameter(label: nil, name: given, type: known)],
      result: nil,
      body: arena.block(
        marked(made?.name, [assignment(to: name, arena.named(given.word, place))]), place))
    type.methods.append(
      TypeDeclaration.Method(isStatic: false, isMutating: true, isSetter: true, function: setter))
    return true
  }

  /// `let once: Void = { … }()`, which is there for what is done when it gets its value: as `Bool` it has one, and is true
  /// from then on.
  func makeOnce(_ type: inout TypeName?, _ value: inout Expression) {
    guard let written = type, case .name(let name) = written.kind, name == "Void",
      case .call = value.kind
    else { return }
    let place = value.range
    let isThere = arena.expression(kind: .boolean(true), range: place)
    let result = TypeName(kind: .name(arena.words.word("Bool")), range: written.range)
    let header = Expression.ClosureHeader(
      captures: SyntaxList(), types: SyntaxList(), result: result)
    let body = arena.block(
      [
        Statement(kind: .expression(value), range: place),
        Statement(kind: .return(isThere), range: place),
      ], place)
    let closure = Expression.Closure(
      parameters: SyntaxList(), header: arena.node(header), body: body)
    value = arena.call(
      arena.expression(kind: .closure(arena.node(closure)), range: place), at: place)
    type = result
  }

  /// What the text of a value says of the task that it makes.
  private enum LazyTask {
    /// It makes none, or one that gives nothing.
    case none
    case known(TypeName)
    /// It gives what the text alone does not tell the type of.
    case hidden

    var type: TypeName? { if case .known(let type) = self { type } else { nil } }
  }

  /// The type of `Task { … return 3 }`, `Task.detached { "a" }`, `Task<Int, Never> { … }`.
  private func lazyTask(_ value: Expression) -> LazyTask {
    guard case .call(let call) = value.kind else { return .none }
    var maker = call.callee
    if case .member(let member) = maker.kind,
      member.name == "detached" || member.name == "immediate"
    {
      maker = member.base
    }
    if case .specialized(let name, let types) = maker.kind, name == "Task", !types.isEmpty {
      return .known(TypeName(kind: .generic(name, types), range: value.range))
    }
    guard case .name(let name) = maker.kind, name == "Task" else { return .none }
    var closure = call.closures.first?.closure
    if closure == nil, case .closure(let last)? = call.arguments.last?.value.kind {
      closure = last.value
    }
    guard let closure else { return .none }
    func task(giving type: TypeName) -> LazyTask {
      .known(TypeName(kind: .generic(name, arena.list([type])), range: value.range))
    }
    if let result = closure.header?.value.result { return task(giving: result) }
    if let given = returned(in: closure.body.statements) {
      return typeName(of: given).map { task(giving: $0) } ?? .hidden
    }
    guard closure.body.statements.count == 1,
      case .expression(let only) = closure.body.statements[0].kind
    else { return .none }
    return typeName(of: only).map { task(giving: $0) } ?? (mayGiveNothing(only) ? .none : .hidden)
  }

  /// Whether what stands alone in a closure may be a call of what gives nothing.
  private func mayGiveNothing(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .call, .chain, .missing: true
    case .await(let inner, _), .attempt(_, let inner), .unwrap(let inner): mayGiveNothing(inner)
    default: false
    }
  }

  /// What the first `return` with a value gives; nil where there is none.
  private func returned(in statements: SyntaxList<Statement>) -> Expression? {
    for statement in statements {
      if let value = returned(in: statement) { return value }
    }
    return nil
  }

  private func returned(in statement: Statement) -> Expression? {
    switch statement.kind {
    case .return(let value): value
    case .if(let choice):
      choice.branches.lazy.compactMap { returned(in: $0.body.statements) }.first
        ?? choice.otherwise.flatMap { returned(in: $0.statements) }
    case .guard(let branch), .while(let branch), .repeatWhile(let branch):
      returned(in: branch.body.statements)
    case .forIn(let loop): returned(in: loop.body.statements)
    case .switch(let selection):
      selection.cases.lazy.compactMap { returned(in: $0.body.statements) }.first
    case .labelled(let labelled): returned(in: labelled.statement)
    case .several(let statements): returned(in: statements)
    case .doCatch(let attempt):
      returned(in: attempt.body.statements)
        ?? attempt.handler.flatMap { returned(in: $0.statements) }
    case .expression, .binding, .assignment, .break, .continue, .function, .fallthrough, .defer,
      .throw, .missing:
      nil
    }
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

  /// Whether one was made whose value may be nil.
  private func mark(of field: TypeDeclaration.Field, _ place: SourceRange) -> TypeDeclaration.Field
  {
    var mark = field
    mark.name = Name(word: arena.words.word("made \(field.name.text)"), range: place)
    mark.written = field.name.word
    mark.type = TypeName(kind: .name(arena.words.word("Bool")), range: place)
    mark.value = arena.expression(kind: .boolean(false), range: place)
    return mark
  }

  /// What sets one, with the note that it was made.
  private func marked(_ mark: Name?, _ statements: [Statement]) -> [Statement] {
    guard let mark else { return statements }
    let isMade = arena.expression(kind: .boolean(true), range: mark.range)
    return statements + [assignment(to: mark, isMade)]
  }

  /// `if self.stored == nil { let name: Type = value; self.stored = name }; return self.stored!`.
  private func getter(
    of stored: Name, _ mark: Name?, _ name: Name, _ type: TypeName, _ value: Expression
  ) -> CodeBlock {
    let place = name.range
    let sides = Expression.Sides(
      left: own(stored), right: arena.expression(kind: .none, range: place), operatorRange: place)
    let isOpen =
      mark.map { arena.not(own($0), place) }
      ?? arena.expression(kind: .infix(.equal, arena.node(sides)), range: place)
    let binding = Binding(isVariable: false, weak: nil, name: name, type: type, value: value)
    let made = [
      Statement(kind: .binding(arena.node(binding)), range: place),
      assignment(to: stored, arena.named(name.word, place)),
    ]
    return arena.block(
      [
        arena.choice(isOpen, marked(mark, made), place),
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
