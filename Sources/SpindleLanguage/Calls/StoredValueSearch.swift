import SpindleModel

/// Finds the values that a trace keeps under keys, in the order of the text.
///
/// A key has the type of the first value that is stored with it; a read may stand before that.
struct StoredValueSearch {
  /// Keys with the expressions that are stored.
  private(set) var found: [(store: StoredKey.Store, key: Word, value: Expression)] = []
  private let vocabulary: Vocabulary

  /// Searches a whole trace; linear in its length.
  init(_ tree: SyntaxTree, _ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    for declaration in tree.declarations {
      switch declaration.kind {
      case .binding(let binding): search(binding.value)
      case .function(let function): search(function.body)
      case .type(let type): search(type)
      case .main(_, let body): search(body)
      case .call(let call): search(call)
      case .trace, .parameter, .machine, .expect, .schedule, .explore, .missing: break
      }
    }
  }

  private mutating func search(_ type: TypeDeclaration) {
    for field in type.fields {
      if let value = field.value { search(value) }
      if let getter = field.getter { search(getter) }
    }
    for method in type.methods { search(method.function.body) }
    for initializer in type.initializers { search(initializer.body) }
    for body in type.deinitializers { search(body) }
  }

  private mutating func search(_ block: CodeBlock) {
    for statement in block.statements { search(statement) }
  }

  private mutating func search(_ statement: Statement) {
    switch statement.kind {
    case .expression(let expression), .throw(let expression): search(expression)
    case .binding(let binding): search(binding.value.value)
    case .assignment(let assignment):
      let value = assignment.assigned
      if assignment.operation == nil, case .element(let element) = assignment.target.kind,
        case .member(let member) = element.base.kind, member.name == "threadDictionary",
        case .text(let text) = element.index.kind
      {
        found.append((.thread, text, value))
      }
      search(value)
    case .if(let choice):
      for branch in choice.branches {
        search(branch.condition)
        search(branch.body)
      }
      if let otherwise = choice.otherwise { search(otherwise) }
    case .guard(let branch), .while(let branch):
      search(branch.condition)
      search(branch.body)
    case .repeatWhile(let branch):
      search(branch.body)
      search(branch.condition)
    case .forIn(let loop):
      search(loop.sequence)
      search(loop.body)
    case .return(let value):
      if let value { search(value) }
    case .defer(let body): search(body.value)
    case .doCatch(let attempt):
      search(attempt.body)
      if let handler = attempt.handler { search(handler) }
    case .switch(let selection):
      search(selection.value.value)
      for value in selection.value.rest { search(value) }
      for each in selection.value.cases { search(each.body) }
    case .labelled(let labelled): search(labelled.value.statement)
    case .several(let statements): for each in statements { search(each) }
    case .function(let function): search(function.value.body)
    case .break, .continue, .fallthrough, .missing: break
    }
  }

  /// Searches the closures in an expression.
  private mutating func search(_ expression: Expression) {
    switch expression.kind {
    case .call(let call):
      if case .member(let member) = call.callee.kind,
        vocabulary.storing.contains(member.name.text),
        let key = call.arguments.first(where: { $0.label == "key" })?.value,
        case .text(let text) = key.kind,
        let value = call.arguments.first(where: { $0.label == "value" })?.value
      {
        found.append((.specific, text, value))
      }
      search(call.callee)
      for argument in call.arguments { search(argument.value) }
      for closure in call.closures { search(closure.closure.body) }
    case .closure(let closure): search(closure.value.body)
    case .member(let member): search(member.base)
    case .array(let elements):
      for element in elements { search(element) }
    case .infix(_, let sides):
      search(sides.left)
      search(sides.right)
    case .prefix(_, let inner): search(inner)
    case .conditional(let choice):
      search(choice.first)
      search(choice.second)
    case .coalesce(let sides):
      search(sides.left)
      search(sides.right)
    case .unwrap(let inner), .bind(let inner), .chain(let inner), .attempt(_, let inner),
      .await(let inner, _):
      search(inner)
    case .condition(let binding): search(binding.value.value)
    case .match(let match): search(match.value.value)
    // Closures that hand values on stand in none of these.
    case .integer, .decimal, .duration, .size, .percent, .text, .string, .boolean, .none, .name,
      .implicitMember, .dictionary, .element, .range, .specialized, .missing:
      break
    }
  }
}

extension Lowering {
  /// Gives each key the type of the first value that is stored with it.
  mutating func findStoredTypes() {
    guard let tree = storedValues.takeTree() else { return }
    let (wasLenient, wasTop) = (isLenient, checker.seesOnlyTop)
    let count = checker.diagnosis.count
    (isLenient, checker.seesOnlyTop) = (true, true)
    for (store, text, expression) in StoredValueSearch(tree, vocabulary).found {
      let key = StoredKey(store: store, key: code.word(text.text))
      guard storedValues.types[key] == nil else { continue }
      beginFrame(.anywhere, name: .none)
      frame.isReachable = false
      let made = value(expression)
      abandonFrame()
      switch made.type {
      case .unknown, .void, .null, .functionOf: break
      case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .options,
        .handle, .generic, .instance, .choice, .optionalOf, .arrayOf, .dictionaryOf, .setOf:
        storedValues.types[key] = made.type.unwrapped
      }
    }
    checker.diagnosis.retract(to: count)
    (isLenient, checker.seesOnlyTop) = (wasLenient, wasTop)
  }
}
