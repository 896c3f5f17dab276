import SpindleModel

/// `class Download: Operation { override func main() { } }`.
///
/// Each instance has an operation of the library in its field `super`, which runs `main()`. Where an
/// operation is taken, and for what an operation has, that one stands for the instance.
extension Lowering {
  /// Makes a class one of operations.
  mutating func makeOperation(_ index: Int, _ declaration: TypeDeclaration) {
    guard !checker.classes[index].isOperation else { return }
    let place = checker.classes[index].name.range
    let isAsynchronous = declaration.fields.contains { $0.name.text == "isAsynchronous" }
    let truth = arena.expression(kind: .boolean(true), range: place)
    let label = Expression.Argument(
      label: arena.words.word("isAsynchronous"), labelRange: place, value: truth)
    let made = arena.node(
      Expression.Call(
        callee: arena.expression(kind: .name(arena.words.word("Operation")), range: place),
        arguments: arena.list(isAsynchronous ? [label] : []),
        closures: arena.list([callOfMain(declaration, place)]), range: place))
    checker.classes[index].isOperation = true
    checker.classes[index].fields.append(
      ClassInfo.Field(
        name: Name(word: words.parent, range: place), isVariable: false, hold: .strong,
        written: nil, value: arena.expression(kind: .call(made), range: place),
        type: .handle(.operation)))
  }

  /// `{ self.main() }`, or nothing in the braces for a class without a `main`.
  private func callOfMain(
    _ declaration: TypeDeclaration, _ place: SourceRange
  ) -> Expression.TrailingClosure {
    let member = Expression.MemberAccess(
      base: arena.expression(kind: .name(words.own), range: place),
      name: arena.words.word("main"), nameRange: place)
    let main = arena.node(
      Expression.Call(
        callee: arena.expression(kind: .member(arena.node(member)), range: place),
        arguments: SyntaxList(), closures: SyntaxList(), range: place))
    let call = arena.expression(kind: .call(main), range: place)
    let hasMain = declaration.methods.contains { $0.function.name.text == "main" }
    let statements = hasMain ? [Statement(kind: .expression(call), range: place)] : []
    let body = CodeBlock(statements: arena.list(statements), range: place)
    return Expression.TrailingClosure(
      label: nil, labelRange: place,
      closure: Expression.Closure(parameters: SyntaxList(), header: nil, body: body), range: place)
  }

  /// Reports what a class of operations would do instead of the library's own; whether it was that.
  mutating func refuseOverride(_ name: Name, of index: Int) -> Bool {
    guard checker.classes[index].isOperation, Lowering.ownOfOperations.contains(name.text) else {
      return false
    }
    error(Messages.overriddenState(name.text), name.range)
    return true
  }

  private static let ownOfOperations: Set<String> = [
    "start", "isExecuting", "isFinished", "isReady", "isConcurrent", "isCancelled", "cancel",
  ]

  /// The operation that an instance is; nil for what is none.
  mutating func operation(of operand: Operand, _ range: SourceRange) -> Operand? {
    guard case .instance(let className) = operand.type else { return nil }
    let info = checker.classes[checker.classes.index(of: className)]
    guard info.isOperation, let number = info.field(words.parent) else { return nil }
    let instance = register(of: operand, range)
    let register = frame.allocate()
    emit(.fieldLoad(register, of: instance, Int32(number)), range)
    return .register(register, .handle(.operation))
  }
}
