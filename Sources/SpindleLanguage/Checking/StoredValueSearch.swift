import SpindleModel

/// Finds the values that a trace keeps under keys, in the order of the text.
///
/// A key has the type of the first value that is stored with it; a read may stand before that.
struct StoredValueSearch {
  /// Keys with the expressions that are stored.
  private(set) var found: [(key: StoredKey, value: Expression)] = []
  private let vocabulary: Vocabulary

  /// Searches a whole trace; linear in its length.
  init(_ tree: SyntaxTree, _ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    for declaration in tree.declarations {
      switch declaration.kind {
      case .binding(let binding): search(binding.value)
      case .function(let function): search(function.body)
      case .main(_, let body): search(body)
      case .call(let call): search(call)
      case .trace, .parameter, .machine, .expect, .missing: break
      }
    }
  }

  private mutating func search(_ block: CodeBlock) {
    for statement in block.statements { search(statement) }
  }

  private mutating func search(_ statement: Statement) {
    switch statement.kind {
    case .expression(let expression), .throw(let expression): search(expression)
    case .binding(let binding): search(binding.value)
    case .assignment(let target, nil, let value):
      if case .element(let base, let index) = target.kind,
        case .member(_, "threadDictionary", _) = base.kind, case .text(let text) = index.kind
      {
        found.append((StoredKey(store: .thread, key: text), value))
      }
      search(value)
    case .assignment(_, _, let value): search(value)
    case .if(let branches, let otherwise):
      for branch in branches {
        search(branch.condition)
        search(branch.body)
      }
      if let otherwise { search(otherwise) }
    case .guard(let condition, let body), .while(let condition, let body):
      search(condition)
      search(body)
    case .repeatWhile(let body, let condition):
      search(body)
      search(condition)
    case .forIn(_, let sequence, let body):
      search(sequence)
      search(body)
    case .return(let value):
      if let value { search(value) }
    case .defer(let body): search(body)
    case .doCatch(let body, let handler):
      search(body)
      if let handler { search(handler) }
    case .break, .continue, .missing: break
    }
  }

  /// Searches the closures in an expression.
  private mutating func search(_ expression: Expression) {
    switch expression.kind {
    case .call(let call):
      if case .member(_, let name, _) = call.callee.kind, vocabulary.storing.contains(name),
        let key = call.arguments.first(where: { $0.label == "key" })?.value,
        case .text(let text) = key.kind,
        let value = call.arguments.first(where: { $0.label == "value" })?.value
      {
        found.append((StoredKey(store: .specific, key: text), value))
      }
      search(call.callee)
      for argument in call.arguments { search(argument.value) }
      for closure in call.closures { search(closure.closure.body) }
    case .closure(let closure): search(closure.body)
    case .member(let base, _, _): search(base)
    case .array(let elements):
      for element in elements { search(element) }
    case .infix(_, let left, let right, _):
      search(left)
      search(right)
    case .prefix(_, let inner): search(inner)
    case .conditional(_, let first, let second):
      search(first)
      search(second)
    default: break
    }
  }
}

extension Lowering {
  /// Gives each key the type of the first value that is stored with it.
  mutating func findStoredTypes() {
    guard let tree = unsearched else {
      needsWholeTree = true
      return
    }
    unsearched = nil
    let (wasLenient, wasTop, count) = (isLenient, seesOnlyTop, diagnostics.count)
    (isLenient, seesOnlyTop) = (true, true)
    for (key, expression) in StoredValueSearch(tree, vocabulary).found where storedTypes[key] == nil
    {
      beginFrame(.anywhere, name: .none)
      frame.isReachable = false
      let made = value(expression)
      abandonFrame()
      switch made.type {
      case .unknown, .void, .null, .function: break
      default: storedTypes[key] = made.type.unwrapped
      }
    }
    diagnostics.removeLast(diagnostics.count - count)
    (isLenient, seesOnlyTop) = (wasLenient, wasTop)
  }
}
