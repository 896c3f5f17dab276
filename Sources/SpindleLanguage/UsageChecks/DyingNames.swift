/// The names of a block whose semaphores and groups nobody holds but the block: they die with it.
///
/// A name leaves its block when it stands anywhere but before a dot, or in a closure at all: then
/// something else may hold the object. A group's `notify` holds it too. Linear in the block's length.
struct DyingNames {
  private var bound: Set<Int> = []
  private var leaving: Set<Int> = []

  /// Searches a block.
  init(_ block: CodeBlock) {
    for statement in block.statements {
      guard case .binding(let binding) = statement.kind, !binding.isVariable, !binding.isWeak,
        case .call(let call) = binding.value.value.kind, case .name(let made) = call.callee.kind,
        made == "DispatchSemaphore" || made == "DispatchGroup"
      else { continue }
      bound.insert(binding.value.name.word.index)
    }
    if !bound.isEmpty { search(block) }
  }

  /// Whether a name's object dies with the block.
  func contains(_ name: Word) -> Bool {
    bound.contains(name.index) && !leaving.contains(name.index)
  }

  private mutating func note(_ name: Word) {
    if bound.contains(name.index) { leaving.insert(name.index) }
  }

  private mutating func search(_ block: CodeBlock, inClosure: Bool = false) {
    for statement in block.statements { search(statement, inClosure) }
  }

  private mutating func search(_ statement: Statement, _ inClosure: Bool) {
    switch statement.kind {
    case .expression(let expression), .throw(let expression): search(expression, inClosure)
    case .binding(let binding): search(binding.value.value, inClosure)
    case .assignment(let assignment):
      search(assignment.target, inClosure)
      search(assignment.assigned, inClosure)
    case .if(let choice):
      for branch in choice.branches {
        search(branch.condition, inClosure)
        search(branch.body, inClosure: inClosure)
      }
      if let otherwise = choice.otherwise { search(otherwise, inClosure: inClosure) }
    case .guard(let branch), .while(let branch), .repeatWhile(let branch):
      search(branch.condition, inClosure)
      search(branch.body, inClosure: inClosure)
    case .forIn(let loop):
      search(loop.sequence, inClosure)
      if let filter = loop.value.filter { search(filter, inClosure) }
      search(loop.body, inClosure: inClosure)
    case .return(let value): if let value { search(value, inClosure) }
    case .defer(let body): search(body.value, inClosure: inClosure)
    case .doCatch(let attempt):
      search(attempt.body, inClosure: inClosure)
      if let handler = attempt.handler { search(handler, inClosure: inClosure) }
    case .switch(let selection):
      search(selection.value.value, inClosure)
      for each in selection.value.cases {
        for pattern in each.patterns {
          if case .value(let value) = pattern.kind { search(value, inClosure) }
          if let filter = pattern.filter { search(filter, inClosure) }
        }
        search(each.body, inClosure: inClosure)
      }
    case .labelled(let labelled): search(labelled.value.statement, inClosure)
    case .several(let statements): for each in statements { search(each, inClosure) }
    case .function(let function): search(function.value.body, inClosure: true)
    case .break, .continue, .fallthrough, .missing: break
    }
  }

  private mutating func search(_ expression: Expression, _ inClosure: Bool) {
    switch expression.kind {
    case .name(let name): note(name)
    case .member(let member):
      if case .name(let name) = member.base.kind {
        if inClosure || member.name == "notify" { note(name) }
      } else {
        search(member.base, inClosure)
      }
    case .call(let call):
      search(call.callee, inClosure)
      for argument in call.arguments { search(argument.value, inClosure) }
      for closure in call.closures { search(closure.closure) }
    case .closure(let closure): search(closure.value)
    case .array(let elements): for element in elements { search(element, inClosure) }
    case .dictionary(let entries):
      for entry in entries {
        search(entry.key, inClosure)
        search(entry.value, inClosure)
      }
    case .element(let access):
      search(access.base, inClosure)
      search(access.index, inClosure)
    case .string(let segments):
      for segment in segments { if case .value(let value) = segment { search(value, inClosure) } }
    case .prefix(_, let inner): search(inner, inClosure)
    case .infix(_, let sides):
      search(sides.left, inClosure)
      search(sides.right, inClosure)
    case .conditional(let choice):
      search(choice.condition, inClosure)
      search(choice.first, inClosure)
      search(choice.second, inClosure)
    case .range(let bounds):
      search(bounds.from, inClosure)
      search(bounds.to, inClosure)
    case .coalesce(let sides):
      search(sides.left, inClosure)
      search(sides.right, inClosure)
    case .unwrap(let inner), .bind(let inner), .chain(let inner), .attempt(_, let inner),
      .await(let inner):
      search(inner, inClosure)
    case .condition(let binding): search(binding.value.value, inClosure)
    case .match(let match): search(match.value.value, inClosure)
    case .integer, .decimal, .duration, .size, .percent, .text, .boolean, .none, .implicitMember,
      .specialized, .missing:
      break
    }
  }

  private mutating func search(_ closure: Expression.Closure) {
    if let header = closure.header {
      for capture in header.value.captures { search(capture.value, true) }
    }
    search(closure.body, inClosure: true)
  }
}
