import SpindleModel

/// Looks for the names in a part of a tree that the part does not declare itself, and may put others in their place.
///
/// A name is resolved by the scopes of the text: what a `let`, a pattern, a loop, a parameter, a capture or a local function
/// declares hides what is around it, from there on and within its block. A member of something else is no name of its own.
struct FreeNames {
  /// What a name that is met means, as far as its scope says it.
  enum Use {
    /// It stands alone; `isOwnHidden` where `self` is something else there than around the part.
    case alone(isOwnHidden: Bool)
    /// It is a member of `self`, or of another name for it.
    case ofOwn
    /// It is a member of `Self`.
    case ofOwnType
  }

  /// A name that is declared around the place at hand.
  private struct Local {
    var name: Word
    /// Whether it is another name for `self`, or for what `self` was.
    var isOwn: Bool
  }

  /// What code calls some things.
  struct Words {
    /// The instance that it belongs to, or an actor that it is given.
    var own: Word
    /// The type of that: `Self`.
    var ownType: Word
    /// What a handler is given: `error`.
    var error: Word
  }

  private let arena: SyntaxArena
  private let words: Words
  private let replace: (Word, Use) -> Word?
  /// Innermost last.
  private var locals: [Local] = []

  /// Creates a walk that puts what `replace` gives in the place of each name it is asked about; nil leaves it.
  ///
  init(
    in arena: SyntaxArena, _ words: Words, _ replace: @escaping (Word, Use) -> Word?
  ) {
    (self.arena, self.words, self.replace) = (arena, words, replace)
  }

  /// The names that stand alone in a closure and come from around it, where `self` is what it is around it.
  static func taken(
    by closure: Expression.Closure, in arena: SyntaxArena, _ words: Words
  ) -> [Word] {
    var taken: [Word] = []
    var names = FreeNames(in: arena, words) { name, use in
      if case .alone(isOwnHidden: false) = use { taken.append(name) }
      return nil
    }
    var body = closure
    body.header = nil
    let captures = closure.header?.captures ?? SyntaxList()
    names.inScope { names in
      for capture in captures { names.declare(capture) }
      _ = names.closure(body)
    }
    return taken
  }

  // MARK: Names

  private func local(_ name: Word) -> Local? { locals.last { $0.name == name } }

  private mutating func declare(_ name: Word, isOwn: Bool = false) {
    locals.append(Local(name: name, isOwn: isOwn))
  }

  /// Whether an expression is `self`, by that name or by another one.
  private func isOwn(_ expression: Expression) -> Bool {
    guard case .name(let name) = expression.named.kind else { return false }
    return local(name)?.isOwn ?? (name == words.own)
  }

  private func alone(_ name: Word) -> Word? {
    local(name) == nil ? replace(name, .alone(isOwnHidden: local(words.own) != nil)) : nil
  }

  private mutating func inScope<Part>(_ body: (inout FreeNames) -> Part) -> Part {
    let mark = locals.count
    defer { locals.removeSubrange(mark...) }
    return body(&self)
  }

  // MARK: Statements

  /// A block, which is a scope.
  mutating func block(_ block: CodeBlock) -> CodeBlock {
    inScope { $0.statements(of: block) }
  }

  /// The body of a function.
  mutating func body(
    _ body: CodeBlock, parameters: some Collection<Word>
  ) -> CodeBlock {
    inScope { names in
      for parameter in parameters { names.declare(parameter) }
      return names.statements(of: body)
    }
  }

  private mutating func statements(of block: CodeBlock) -> CodeBlock {
    for statement in block.statements {
      if case .function(let function) = statement.kind { declare(function.name.word) }
    }
    return CodeBlock(
      statements: arena.list(block.statements.map { statement($0) }), range: block.range)
  }

  private mutating func statement(_ statement: Statement) -> Statement {
    Statement(kind: kind(of: statement), range: statement.range)
  }

  private mutating func kind(of statement: Statement) -> Statement.Kind {
    switch statement.kind {
    case .expression(let value): return .expression(expression(value))
    case .binding(let binding): return .binding(arena.node(self.binding(binding.value)))
    case .assignment(let assignment):
      var made = assignment.value
      made.target = expression(made.target)
      made.assigned = expression(made.assigned)
      return .assignment(arena.node(made))
    case .if(let choice): return .if(arena.node(self.choice(choice.value)))
    case .guard(let branch):
      let condition = expression(branch.condition)
      return .guard(arena.node(Statement.Branch(condition: condition, body: block(branch.body))))
    case .while(let branch): return .while(arena.node(self.branch(branch.value)))
    case .repeatWhile(let branch):
      let body = block(branch.body)
      return .repeatWhile(
        arena.node(Statement.Branch(condition: expression(branch.condition), body: body)))
    case .forIn(let loop): return .forIn(arena.node(self.loop(loop.value)))
    case .switch(let selection): return .switch(arena.node(self.selection(selection.value)))
    case .labelled(let labelled):
      let inner = self.statement(labelled.statement)
      return .labelled(
        arena.node(Statement.Labelled(label: labelled.label, statement: inner)))
    case .several(let statements):
      return .several(arena.list(statements.map { self.statement($0) }))
    case .function(let function): return .function(arena.node(self.function(function.value)))
    case .return(let value): return .return(value.map { expression($0) })
    case .defer(let body): return .defer(arena.node(block(body.value)))
    case .doCatch(let attempt):
      return .doCatch(
        arena.node(
          Statement.Attempt(
            body: block(attempt.body),
            handler: attempt.handler.map { body($0, parameters: [words.error]) })))
    case .throw(let value): return .throw(expression(value))
    case .break, .continue, .fallthrough, .missing: return statement.kind
    }
  }

  private mutating func binding(_ binding: Binding) -> Binding {
    var made = binding
    made.value = expression(binding.value)
    declare(binding.name.word, isOwn: isOwn(binding.value))
    if let second = binding.second { declare(second.word) }
    return made
  }

  private mutating func branch(_ branch: Statement.Branch) -> Statement.Branch {
    inScope { names in
      let condition = names.expression(branch.condition)
      return Statement.Branch(condition: condition, body: names.block(branch.body))
    }
  }

  private mutating func choice(_ choice: Statement.Choice) -> Statement.Choice {
    let branches = choice.branches.map { branch($0) }
    return Statement.Choice(
      branches: arena.list(branches), otherwise: choice.otherwise.map { block($0) })
  }

  private mutating func loop(_ loop: Statement.Loop) -> Statement.Loop {
    var made = loop
    made.sequence = expression(loop.sequence)
    return inScope { names in
      names.declare(loop.name.word)
      if let second = loop.second { names.declare(second.word) }
      made.filter = loop.filter.map { names.expression($0) }
      made.body = names.block(loop.body)
      return made
    }
  }

  private mutating func selection(_ selection: Statement.Selection) -> Statement.Selection {
    var made = selection
    made.value = expression(selection.value)
    made.rest = arena.list(selection.rest.map { expression($0) })
    made.cases = arena.list(
      selection.cases.map { each in
        inScope { names in
          var one = each
          one.patterns = names.arena.list(each.patterns.map { names.pattern($0) })
          one.body = names.block(each.body)
          return one
        }
      })
    return made
  }

  private mutating func function(_ function: Statement.LocalFunction) -> Statement.LocalFunction {
    var made = function
    made.parameters = arena.list(function.parameters.map { parameter($0) })
    made.body = body(function.body, parameters: function.parameters.map(\.name.word))
    return made
  }

  /// A parameter, whose own value sees what is around the function.
  mutating func parameter(
    _ parameter: Declaration.Function.Parameter
  ) -> Declaration.Function.Parameter {
    var made = parameter
    made.standard = parameter.standard.map { expression($0) }
    return made
  }

  // MARK: Patterns

  private mutating func pattern(_ pattern: Pattern) -> Pattern {
    var made = pattern
    switch pattern.kind {
    case .value(let value): made.kind = .value(expression(value))
    case .name(let name, _), .present(let name, _): declare(name.word)
    case .payload(let node):
      var parts = node.value
      parts.owner = parts.owner.map { expression($0) }
      parts.elements = arena.list(
        parts.elements.map { element in
          CasePattern.Element(label: element.label, pattern: self.pattern(element.pattern))
        })
      made.kind = .payload(arena.node(parts))
    case .any, .missing: break
    }
    made.filter = pattern.filter.map { expression($0) }
    return made
  }
}

// MARK: Expressions

extension FreeNames {
  /// An expression; what a condition in it declares is seen behind it.
  mutating func expression(_ expression: Expression) -> Expression {
    arena.expression(kind: kind(of: expression), range: expression.range)
  }

  private mutating func kind(of expression: Expression) -> Expression.Kind {
    switch expression.kind {
    case .name(let name): return .name(alone(name) ?? name)
    case .string(let segments):
      return .string(
        arena.list(
          segments.map { segment in
            if case .value(let value) = segment { .value(self.expression(value)) } else { segment }
          }))
    case .array(let elements): return .array(list(elements))
    case .dictionary(let entries):
      return .dictionary(
        arena.list(
          entries.map {
            Expression.Entry(key: self.expression($0.key), value: self.expression($0.value))
          }))
    case .member(let member): return .member(arena.node(self.member(member.value)))
    case .call(let call): return .call(arena.node(self.call(call.value)))
    case .element(let element):
      var made = element.value
      made.base = self.expression(made.base)
      made.index = self.expression(made.index)
      made.fallback = made.fallback.map { self.expression($0) }
      return .element(arena.node(made))
    case .prefix(let sign, let inner): return .prefix(sign, self.expression(inner))
    case .infix(let sign, let sides): return .infix(sign, arena.node(self.sides(sides.value)))
    case .coalesce(let sides): return .coalesce(arena.node(self.sides(sides.value)))
    case .conditional(let choice):
      return .conditional(
        arena.node(
          Expression.Conditional(
            condition: self.expression(choice.condition), first: self.expression(choice.first),
            second: self.expression(choice.second))))
    case .range(let bounds):
      var made = bounds.value
      made.from = self.expression(made.from)
      made.to = self.expression(made.to)
      return .range(arena.node(made))
    case .closure(let closure): return .closure(arena.node(self.closure(closure.value)))
    case .unwrap(let inner): return .unwrap(self.expression(inner))
    case .bind(let inner): return .bind(self.expression(inner))
    case .chain(let inner): return .chain(self.expression(inner))
    case .await(let inner, let isTried):
      return .await(self.expression(inner), isTried: isTried)
    case .attempt(let isForced, let inner):
      return .attempt(isForced: isForced, self.expression(inner))
    case .condition(let binding): return .condition(arena.node(self.binding(binding.value)))
    case .match(let test):
      let value = self.expression(test.value.value)
      return .match(
        arena.node(Expression.PatternTest(pattern: pattern(test.pattern), value: value)))
    case .integer, .decimal, .duration, .size, .percent, .text, .boolean, .none, .implicitMember,
      .specialized, .missing:
      return expression.kind
    }
  }

  private mutating func list(_ values: SyntaxList<Expression>) -> SyntaxList<Expression> {
    arena.list(values.map { expression($0) })
  }

  private mutating func sides(_ sides: Expression.Sides) -> Expression.Sides {
    let left = expression(sides.left)
    return Expression.Sides(
      left: left, right: expression(sides.right), operatorRange: sides.operatorRange)
  }

  private mutating func member(_ member: Expression.MemberAccess) -> Expression.MemberAccess {
    var made = member
    made.base = expression(member.base)
    if isOwn(member.base) {
      made.name = replace(member.name, .ofOwn) ?? member.name
    } else if case .name(let name) = member.base.kind, name == words.ownType, local(name) == nil {
      made.name = replace(member.name, .ofOwnType) ?? member.name
    }
    return made
  }

  private mutating func call(_ call: Expression.Call) -> Expression.Call {
    let callee = expression(call.callee)
    let arguments = call.arguments.map { argument in
      Expression.Argument(
        label: argument.label, labelRange: argument.labelRange, value: expression(argument.value))
    }
    let closures = call.closures.map { trailing in
      var made = trailing
      made.closure = closure(trailing.closure)
      return made
    }
    return Expression.Call(
      callee: callee, arguments: arena.list(arguments), closures: arena.list(closures),
      range: call.range)
  }

  /// A closure, whose captures are evaluated where it is formed.
  mutating func closure(_ closure: Expression.Closure) -> Expression.Closure {
    var made = closure
    return inScope { names in
      if let header = closure.header {
        var written = header.value
        let captures = written.captures
        written.captures = names.arena.list(
          captures.map { capture in
            var one = capture
            one.value = names.expression(capture.value)
            return one
          })
        for capture in captures { names.declare(capture) }
        made.header = names.arena.node(written)
      }
      made.body = names.body(closure.body, parameters: closure.parameters.map(\.word))
      return made
    }
  }

  /// A captured name; `[self]` declares none, since it is what it was.
  private mutating func declare(_ capture: Expression.Capture) {
    let isOwn = isOwn(capture.value)
    if isOwn, capture.name.word == words.own, !capture.isWeak, !capture.isUnowned { return }
    declare(capture.name.word, isOwn: isOwn)
  }
}
