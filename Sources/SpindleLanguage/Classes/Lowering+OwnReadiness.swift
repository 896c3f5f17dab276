import SpindleModel

/// What a class of operations does in place of the library's own: `isReady`, `cancel()`, and a `main()` that only the
/// classes below it have.
///
/// The library asks an operation whether it is ready when all that it depends on has finished, and `ready(when:)` is
/// what it asks then. So the code of an own `isReady` is given to that, too, and there `super.isReady` in it is true.
extension Lowering {
  /// Puts what a class of operations overrides where the library's object finds it.
  mutating func adaptOperation(_ type: inout TypeDeclaration) {
    guard type.bases.contains(where: { $0.word == "Operation" }) else { return }
    if let field = type.fields.first(where: { $0.name.text == "isReady" }), let body = field.getter
    {
      let name = Name(word: arena.words.word(ThreadNeeds.readiness), range: field.name.range)
      let function = Declaration.Function(
        name: name, isolation: .unspecified, isAsync: false, parameters: [], result: field.type,
        body: body)
      type.methods.append(TypeDeclaration.Method(isStatic: false, function: function))
    }
    let names = type.methods.map(\.function.name.text)
    if names.contains("start"), !names.contains("main") {
      let name = Name(word: arena.words.word("main"), range: type.name.range)
      let function = Declaration.Function(
        name: name, isolation: .unspecified, isAsync: false, parameters: [], result: nil,
        body: CodeBlock(statements: SyntaxList(), range: type.name.range))
      type.methods.append(TypeDeclaration.Method(isStatic: false, function: function))
    }
    if names.contains("cancel") { statics.hasOwnCancel = true }
    addStart(to: &type)
  }

  /// In an `init`, behind the operation that an instance is: `super.ready(when: { [unowned self] in self.isReady })`.
  mutating func giveReadiness(of index: Int) {
    let info = checker.classes[index]
    guard info.parent == .operation,
      let method = info.methods.first(where: { $0.name.text == ThreadNeeds.readiness })
    else { return }
    let place = info.name.range
    let own = arena.named(words.own, place)
    let value = arena.call(arena.member(method.name, of: own, place), at: place)
    let capture = Expression.Capture(
      name: Name(word: words.own, range: place), value: own, isWeak: false,
      isUnowned: true)
    let header = Expression.ClosureHeader(
      captures: arena.list([capture]), types: SyntaxList(), result: nil)
    let body = arena.block([Statement(kind: .expression(value), range: place)], place)
    let closure = Expression.Closure(
      parameters: SyntaxList(), header: arena.node(header), body: body)
    let argument = Expression.Argument(
      label: words.when, labelRange: place,
      value: arena.expression(kind: .closure(arena.node(closure)), range: place))
    let parent = arena.member(words.parent, of: own, place)
    let call = arena.call(arena.member(words.ready, of: parent, place), [argument], at: place)
    lower(Statement(kind: .expression(call), range: place))
  }

  /// `super.isReady` in an own `isReady`, which is asked when the library's part of it holds; nil for anything else.
  mutating func readinessAbove(_ base: Expression, _ name: Word) -> Operand? {
    guard checker.ownClass >= 0, case .name(words.parent) = base.kind, name == "isReady",
      case .function(let ordinal) = frame.context,
      functions[ordinal].name.hasSuffix(ThreadNeeds.readiness)
    else { return nil }
    return .constant(1, .boolean)
  }

  /// Reports a call that the library makes of each operation's own `cancel()`, where a class has another.
  mutating func checkCancel(
    _ handle: HandleClass, _ name: Word, _ base: Expression, _ range: SourceRange
  ) {
    guard statics.hasOwnCancel else { return }
    if handle == .operationQueue, name == "cancelAllOperations" {
      error(Messages.ownCancelOfAll, range)
    } else if handle == .operation, name == "cancel" {
      if case .name(words.parent) = base.kind { return }
      error(Messages.ownCancelOfOne, range)
    }
  }
}
