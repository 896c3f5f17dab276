/// Whether a closure throws or suspends, as its text tells before its types are known.
///
/// What another closure in it does is that closure's, and an error that a `catch` takes is not thrown on.
enum EffectScan {
  static func isThrowing(_ block: Grammar.Block) -> Bool {
    var scan = Scan()
    scan.block(block)
    return scan.throwsErrors
  }

  static func isAwaiting(_ block: Grammar.Block) -> Bool {
    var scan = Scan()
    scan.block(block)
    return scan.awaits
  }

  struct Scan {
    var throwsErrors = false
    var awaits = false
    var isCaught = false

    mutating func block(_ block: Grammar.Block) {
      for statement in block.statements { self.statement(statement) }
    }

    mutating func statement(_ statement: Grammar.Statement) {
      switch statement.kind {
      case .expression(let value): expression(value)
      case .declaration(let declaration):
        guard case .variable(let variable) = declaration.kind else { return }
        if declaration.modifiers.has("async") { return }
        for entry in variable.entries { if let value = entry.value { expression(value) } }
      case .assignment(let target, _, let value):
        expression(target)
        expression(value)
      case .if(let choice):
        conditions(choice.conditions)
        block(choice.body)
        if let otherwise = choice.otherwise { block(otherwise) }
      case .guard(let conditions, let body), .while(let conditions, let body):
        self.conditions(conditions)
        block(body)
      case .repeatWhile(let body, let condition):
        block(body)
        expression(condition)
      case .forIn(let loop):
        if loop.isAwaited { awaits = true }
        if loop.isTried, !isCaught { throwsErrors = true }
        expression(loop.sequence)
        if let filter = loop.filter { expression(filter) }
        block(loop.body)
      case .switch(let selection):
        expression(selection.subject)
        for one in selection.cases {
          for item in one.items { if let filter = item.filter { expression(filter) } }
          block(one.body)
        }
      case .labelled(_, let inner): self.statement(inner)
      case .return(let value): if let value { expression(value) }
      case .throw(let value):
        if !isCaught { throwsErrors = true }
        expression(value)
      case .defer(let body): block(body)
      case .doCatch(let body, _, let catches):
        let outer = isCaught
        // One `catch` without a pattern takes all errors.
        if catches.contains(where: {
          $0.items.isEmpty
            || $0.items.contains { item in
              if case .name = item.pattern.kind { return item.filter == nil }
              if case .any = item.pattern.kind { return item.filter == nil }
              return false
            }
        }) {
          isCaught = true
        }
        block(body)
        isCaught = outer
        for one in catches { block(one.body) }
      case .break, .continue, .fallthrough, .missing: break
      }
    }

    mutating func conditions(_ conditions: [Grammar.Condition]) {
      for condition in conditions {
        switch condition {
        case .expression(let value), .pattern(_, _, let value, _): expression(value)
        case .available: break
        }
      }
    }

    mutating func expression(_ syntax: Grammar.Expression) {
      switch syntax.kind {
      case .attempt(let kind, let inner):
        if kind == .plain {
          if !isCaught { throwsErrors = true }
          expression(inner)
        } else {
          let outer = isCaught
          isCaught = true
          expression(inner)
          isCaught = outer
        }
      case .await(let inner):
        awaits = true
        expression(inner)
      case .string(let segments):
        for case .value(let value) in segments { expression(value) }
      case .array(let values): for value in values { expression(value) }
      case .dictionary(let entries):
        for entry in entries {
          expression(entry.key)
          expression(entry.value)
        }
      case .tuple(let elements): for element in elements { expression(element.value) }
      case .member(let base, _, _), .compound(let base, _), .forced(let base),
        .questioned(let base), .chain(let base),
        .prefix(_, let base), .cast(let base, _, _), .reference(let base):
        expression(base)
      case .call(let call):
        expression(call.callee)
        for argument in call.arguments { expression(argument.value) }
      case .subscripted(let base, let arguments):
        expression(base)
        for argument in arguments { expression(argument.value) }
      case .binary(_, let left, let right):
        expression(left)
        expression(right)
      case .ternary(let condition, let first, let second):
        for part in [condition, first, second] { expression(part) }
      case .range(let from, let to, _, _):
        if let from { expression(from) }
        if let to { expression(to) }
      case .choice(let statement): self.statement(statement)
      case .integer, .decimal, .duration, .size, .percent, .boolean, .nil, .name, .implicitMember,
        .closure, .keyPath, .type, .discard, .foreign, .missing:
        break
      }
    }
  }
}
