import SpindleModel

/// `actor Cache { }`: a class whose instances have an executor each, in a field that no text can name.
extension Lowering {
  /// Makes a class one of actors.
  mutating func makeActor(_ index: Int, _ declaration: TypeDeclaration) {
    guard checker.classes[index].field(words.executor) == nil else { return }
    checker.classes[index].fields.append(
      ClassInfo.Field(
        name: Name(word: words.executor, range: declaration.name.range),
        isVariable: false, hold: .strong, written: nil, value: nil, type: .integer))
  }

  /// Takes `unownedExecutor` of an actor, which says on which queue its code runs; whether it is that.
  mutating func takeExecutor(_ field: TypeDeclaration.Field, of index: Int) -> Bool {
    guard checker.classes[index].isActor, field.name.text == "unownedExecutor",
      let getter = field.getter
    else { return false }
    var written: Expression?
    if getter.statements.count == 1 {
      switch getter.statements[0].kind {
      case .expression(let only): written = only
      case .return(let only): written = only
      default: break
      }
    }
    guard let expression = written.flatMap({ executorExpression($0) }) else {
      error(Messages.executorForm, field.name.range)
      return true
    }
    checker.classes[index].executor = expression
    return true
  }

  /// The queue in `queue.asUnownedSerialExecutor()`, or the main queue; nil for anything else.
  private func executorExpression(_ written: Expression) -> Expression? {
    switch written.kind {
    case .call(let call):
      guard case .member(let member) = call.callee.kind,
        member.name == "asUnownedSerialExecutor"
      else { return nil }
      return member.base
    case .member(let member) where member.name == "sharedUnownedExecutor":
      let base = arena.expression(
        kind: .name(arena.words.word("DispatchQueue")), range: written.range)
      let main = Expression.MemberAccess(
        base: base, name: arena.words.word("main"), nameRange: written.range)
      return arena.expression(kind: .member(arena.node(main)), range: written.range)
    default: return nil
    }
  }

  /// Gives a global actor the `shared` that its text leaves out.
  mutating func declareShared(
    _ declaration: TypeDeclaration, of index: Int, _ statics: inout [Binding]
  ) {
    let word = words.shared
    guard declaration.isGlobalActor, checker.classes[index].symbol(word) == nil else { return }
    let range = declaration.name.range
    let call = arena.node(
      Expression.Call(
        callee: arena.expression(kind: .name(declaration.name.word), range: range),
        arguments: SyntaxList(), closures: SyntaxList(), range: range))
    let symbol = qualified(word, index)
    checker.classes.addStatic(word, symbol, to: index)
    checker.declareAtTop(Name(word: symbol, range: range), .pending, .unknown)
    statics.append(
      Binding(
        isVariable: false, name: Name(word: symbol, range: range),
        value: arena.expression(kind: .call(call), range: range)))
  }

  /// The symbol of the actor on which a member runs; nil for none.
  func homeSymbol(
    _ signature: FunctionSignature, _ parameters: [Declaration.Function.Parameter], isMethod: Bool
  ) -> Int32? {
    if let isolated = isolated(signature, parameters) { return isolated }
    guard case .own = signature.isolation, isMethod else { return nil }
    return scope.find(words.own)
  }

  // MARK: The code of an init

  /// A new actor gets its executor.
  mutating func storeExecutor(of index: Int) {
    let range = checker.classes[index].name.range
    let next = frame.next
    let register = frame.allocate()
    emit(.copy(register, from: Register(0)), range)
    emit(.perform(.task(.makeActor), base: register, noSite), range)
    emit(.fieldStore(Register(0), ClassInfo.executorField, from: register), range)
    frame.next = next
  }

  /// In an `init` that is `async`: goes on on the new actor, as soon as that has all that it holds.
  ///
  /// Source: SE-0327, actor initializers with isolated self.
  mutating func goToNewActor(_ index: Int, _ range: SourceRange) {
    let info = checker.classes[index]
    guard info.isActor, frame.asynchrony.suspending == .yes, let initialization,
      initialization.depth == depth
    else { return }
    let open = info.fields.indices.contains {
      info.fields[$0].value == nil && info.fields[$0].name.word != words.executor
        && !initialization.assigned.contains($0)
    }
    if !open { hop(to: frame.asynchrony.home, range) }
  }

  /// At the end of an `init`: the actor runs on the queue that it says.
  mutating func setExecutor(of index: Int) {
    guard let expression = checker.classes[index].executor, frame.isReachable else { return }
    let range = expression.range
    let next = frame.next
    let window = frame.allocate(2)
    emit(.fieldLoad(window, of: Register(0), ClassInfo.executorField), range)
    let made = value(expression, target: Register(Int(window.index) + 1))
    if made.type != .handle(.queue), !made.type.isUnknown {
      error(Messages.executorForm, range)
    }
    place(made, in: Register(Int(window.index) + 1), range)
    emit(.perform(.task(.useQueue), base: window, noSite), range)
    frame.next = next
  }

  /// Where the code of a class is that is marked so: of its `init`s too; nil for nowhere.
  func home(of isolation: Isolation) -> Home? {
    switch isolation {
    case .mainActor: .mainActor
    case .global(let actor): home(of: actor)
    case .own, .unspecified, .nonisolated, .nonsending: nil
    }
  }

  /// An `isolated deinit` runs where the code of its class does.
  ///
  /// Source: SE-0371.
  mutating func placeDeinit(_ declaration: TypeDeclaration, of index: Int) {
    switch declaration.isolation {
    case .mainActor: checker.classes[index].deinitHome = .mainActor
    case .global(let actor):
      checker.classes[index].deinitHome = checker.classes.index(of: actor.word).map { .global($0) }
    case .own, .unspecified, .nonisolated, .nonsending:
      if checker.classes[index].isActor { return checker.classes[index].deinitHome = .ownActor }
      error(Messages.isolatedDeinit(declaration.name.text), declaration.name.range)
    }
  }

  /// Where the `deinit` of a class runs, as the program says it.
  func deinitHome(of index: Int) -> ProgramClass.DeinitHome {
    switch checker.classes[index].deinitHome {
    case nil: return .anywhere
    case .mainActor: return .mainActor
    case .ownActor: return .ownActor
    case .global(let owner):
      guard let symbol = checker.classes[owner].symbol(words.shared),
        let found = scope.findAtTop(symbol), case .global(let shared) = scope[found].meaning
      else { return .anywhere }
      return .globalActor(shared)
    }
  }
}
