import SpindleModel

/// What stands at the top of a trace.
extension Lowering {
  /// The declarations of a tree, by kind.
  struct Outline {
    var trace: (settings: [Declaration.Setting], range: SourceRange)?
    var machine: (settings: [Declaration.Setting], range: SourceRange)?
    var bindings: [Binding] = []
    var main: (mode: Expression?, range: SourceRange)?
    /// Functions, main and arrivals, in the order of the text.
    var bodies: [Body] = []
    var expectations: [CodeBlock] = []

    enum Body {
      case function(Declaration.Function, ordinal: Int)
      case main(CodeBlock)
      case arrival(Expression)
    }
  }

  /// Makes the program; its diagnostics are complete afterwards.
  mutating func lower(_ tree: SyntaxTree, isWhole: Bool) {
    unsearched = tree
    checkOptionNames(tree)
    var outline = outline(tree)
    if outline.main == nil && isWhole {
      error(Messages.noMain, SourceRange(source.utf8.count, source.utf8.count))
    }
    lowerInitializers(outline.bindings)
    lowerPostponed()
    lowerBodies(&outline)
    finish(outline)
  }

  /// Makes the program while its text is read: each statement of `main` is lowered at once, and
  /// its tree is gone before the next one is read.
  ///
  /// False when that did not do: the form is not right, or `main` needs what stands behind it.
  /// Then nothing of this lowering is of use.
  mutating func lower(reading parser: inout Parser) -> Bool {
    var tree = SyntaxTree(source: source, arena: trees[0], declarations: [])
    while let declaration = parser.nextDeclaration() {
      tree.declarations.append(declaration)
      if parser.openMain != nil { break }
    }
    guard let opening = parser.openMain, parser.diagnostics.isEmpty,
      !parser.declaresNames(behind: opening.end)
    else { return false }
    checkOptionNames(tree)
    var outline = outline(tree)
    guard outline.bodies.popLast() != nil else { return false }
    lowerInitializers(outline.bindings)
    lowerPostponed()
    lowerBodies(&outline)
    guard lowerMain(opening, reading: &parser) else { return false }
    outline.main?.range.upperBound = parser.previousEnd
    while let declaration = parser.nextDeclaration() {
      switch declaration.kind {
      case .parameter, .binding, .function, .main: return false
      default: add(declaration, to: &outline)
      }
    }
    guard !needsWholeTree, parser.diagnostics.isEmpty else { return false }
    lowerBodies(&outline)
    finish(outline)
    return !needsWholeTree
  }

  private mutating func lowerBodies(_ outline: inout Outline) {
    for body in outline.bodies {
      switch body {
      case .function(let function, let ordinal): lowerFunction(function, ordinal)
      case .main(let block): lowerMain(block)
      case .arrival(let call): lowerArrival(call)
      }
    }
    outline.bodies = []
  }

  private mutating func finish(_ outline: Outline) {
    applyTraceSettings(outline.trace?.settings ?? [])
    applyMachineSettings(outline.machine?.settings ?? [])
    applyOptions()
    lowerExpectations(
      outline.expectations, end: outline.main?.range ?? SourceRange(0, 0))
    judgeThreadlessCalls()
    settleClosureFrees()
    warnAtTheEnd()
  }

  // MARK: Outline

  private mutating func outline(_ tree: SyntaxTree) -> Outline {
    var outline = Outline()
    for declaration in tree.declarations { add(declaration, to: &outline) }
    return outline
  }

  private mutating func add(_ declaration: Declaration, to outline: inout Outline) {
    switch declaration.kind {
    case .trace(let title, let settings):
      if let first = outline.trace {
        error(Messages.twice("trace", line: line(first.range)), declaration.range)
      } else {
        outline.trace = (settings, declaration.range)
        if let title { program.title = title }
      }
    case .machine(let settings):
      if let first = outline.machine {
        error(Messages.twice("machine", line: line(first.range)), declaration.range)
      } else {
        outline.machine = (settings, declaration.range)
      }
    case .parameter(let name, let value, let allowed):
      declareParameter(name, value, allowed)
    case .binding(let binding):
      outline.bindings.append(binding)
      declareAtTop(binding.name, .pending, .unknown)
    case .function(let function):
      outline.bodies.append(.function(function, ordinal: functions.count))
      declareFunction(function)
    case .main(let mode, let body):
      if let first = outline.main {
        error(Messages.twice("main", line: line(first.range)), declaration.range)
      } else {
        outline.main = (mode, declaration.range)
        outline.bodies.append(.main(body))
        setMode(mode)
      }
    case .expect(let block): outline.expectations.append(block)
    case .call(let call): outline.bodies.append(.arrival(call))
    case .missing: break
    }
  }

  /// Declares a name at the top, which must be new.
  ///
  /// Gives its symbol; nil when there is an earlier one, which stays.
  @discardableResult
  mutating func declareAtTop(
    _ name: Name, _ meaning: Symbol.Meaning, _ type: ValueType
  ) -> Int32? {
    if let earlier = scope.findAtTop(name.word) {
      error(Messages.redeclared(name.text, line: line(scope[earlier].place)), name.range)
      return nil
    }
    return scope.declare(
      Symbol(name: name.word, meaning: meaning, type: type, place: name.range, frame: -1))
  }

  private mutating func declareFunction(_ function: Declaration.Function) {
    var formals: [Formal] = []
    for (ordinal, parameter) in function.parameters.enumerated() {
      formals.append(
        Formal(
          label: parameter.label.map { Label($0) }, type: type(parameter.type),
          isOptional: parameter.standard != nil,
          slot: ordinal))
    }
    let result = function.result.map { type($0) } ?? .void
    declareAtTop(function.name, .function(functions.count), .unknown)
    functions.append(
      FunctionSignature(
        name: function.name.text, formals: formals, standards: function.parameters.map(\.standard),
        result: result, block: reserveBlock(), escapes: formals.map { _ in false }))
  }

  private mutating func setMode(_ mode: Expression?) {
    guard let mode else { return }
    if case .implicitMember("tool") = mode.kind {
      program.mainIsTool = true
    } else {
      error(Messages.mainMode, mode.range)
    }
  }

  // MARK: Initialisers

  private mutating func lowerInitializers(_ bindings: [Binding]) {
    guard !bindings.isEmpty else { return }
    let block = reserveBlock()
    beginFrame(.top, name: intern("top"))
    for binding in bindings { lowerGlobal(binding) }
    let place = bindings[bindings.count - 1].value.range
    endFrame(block, SourceRange(Int(place.upperBound), Int(place.upperBound)))
    program.initializer = block
  }

  private mutating func lowerGlobal(_ binding: Binding) {
    let annotated = binding.type.map { type($0) }
    let register = frame.allocate()
    var made = initialValue(binding, expecting: annotated, target: register)
    let range = binding.value.range
    if let annotated { made = coerce(made, to: annotated, range) }
    made = storable(made, range)
    if binding.isWeak { made.type = weakType(made.type, binding) }
    place(kept(made, isVariable: true), in: register, range)
    let global = GlobalID(program.globals.count)
    program.globals.append(
      Global(
        name: binding.name.text, format: made.type.format, isVariable: binding.isVariable,
        place: binding.name.range, handle: made.type.handle))
    emit(.storeGlobal(global, from: register), range)
    frame.next = 0
    guard let index = topSymbol(binding.name) else { return }
    globals[index] = global
    symbolOfGlobal[Int(global.index)] = index
    scope[index].type = made.type
    scope[index].isWeak = binding.isWeak
    noteBinding(binding, made.type, isAtTop: true)
    if binding.isVariable {
      scope[index].meaning = .shared(global)
    } else if let constant = made.constant, made.type != .unknown {
      scope[index].meaning = .constant(constant)
    } else {
      scope[index].meaning = .global(global)
      if case .handle(let handle) = made.type, isLock(handle) {
        lockUses[index] = LockUse(firstLock: binding.name.range)
      }
    }
  }

  private func isLock(_ handle: HandleClass) -> Bool {
    switch handle {
    case .mutex, .recursive, .conditionLock, .unfair, .readWrite: true
    default: false
    }
  }

  /// The symbol at the top that was declared at this place.
  private func topSymbol(_ name: Name) -> Int32? {
    scope.findAtTop(name.word).flatMap { scope[$0].place == name.range ? $0 : nil }
  }

  private mutating func initialValue(
    _ binding: Binding, expecting: ValueType?, target: Register
  ) -> Operand {
    let name = binding.name.word
    guard let replacement = overrides.replacements.last(where: { name == $0.name }) else {
      if case .call = binding.value.kind { boundName = name }
      defer { boundName = nil }
      return boundValue(binding, expecting: expecting, target: target)
    }
    frame.isReachable = false
    let original = value(binding.value, expecting: expecting)
    frame.isReachable = true
    frame.next = Int(target.index) + 1
    guard !binding.isVariable, case .handle(let handle) = original.type, handle.isExecutor else {
      if original.type != .unknown { refuseReplacement(replacement) }
      return original
    }
    return replacedValue(replacement, name, target: target)
  }

  // MARK: Bodies

  private mutating func lowerMain(_ body: CodeBlock) {
    let block = reserveBlock()
    beginFrame(.thread, name: WellKnownName.main.id)
    var open = openBlock()
    for statement in body.statements { lower(statement, in: &open) }
    close(&open)
    endFrame(block, closingBrace(body))
    program.main = block
  }

  /// Lowers the body of `main`, at the brace `opening`, as far as its form is right.
  private mutating func lowerMain(_ opening: Token, reading parser: inout Parser) -> Bool {
    let block = reserveBlock()
    beginFrame(.thread, name: WellKnownName.main.id)
    var open = openBlock()
    let statements = parser.beginMain(opening)
    let isLong = source.utf8.count - Int(opening.end) >= readsAheadFrom
    let isReadAhead = isLong ? lower(&parser, readingAhead: statements, &open) : nil
    guard isReadAhead ?? lower(&parser, reading: statements, &open) else { return false }
    parser.endMain()
    close(&open)
    let end = Int(parser.previousEnd)
    endFrame(block, SourceRange(end - 1, end))
    program.main = block
    return parser.diagnostics.isEmpty
  }

  /// Lowers each statement as soon as it is read, as far as their form is right.
  private mutating func lower(
    _ parser: inout Parser, reading statements: Parser.OpenStatements, _ open: inout OpenBlock
  ) -> Bool {
    let ownMark = arena.mark
    var (statements, mark) = (statements, parser.arena.mark)
    while let statement = parser.nextStatement(&statements) {
      guard parser.diagnostics.isEmpty, !needsWholeTree else { return false }
      lower(statement, in: &open)
      arena.forget(downTo: ownMark)
      if statement.isDefer { mark = parser.arena.mark } else { parser.arena.forget(downTo: mark) }
    }
    return true
  }

  /// The same, while another thread reads on; nil when there is none.
  private mutating func lower(
    _ parser: inout Parser, readingAhead statements: Parser.OpenStatements, _ open: inout OpenBlock
  ) -> Bool? {
    var ahead = RoomAhead()
    let ownMark = arena.mark
    let isRead = StatementReader.read(&parser, statements) { batch in
      for statement in batch.statements {
        if needsWholeTree { return .refused }
        lower(statement, in: &open)
        arena.forget(downTo: ownMark)
      }
      let keepsTree = batch.statements.contains(where: \.isDefer)
      if keepsTree { trees.append(batch.arena) }
      return .done(wanting: ahead.next(program, frames.code), keepsTree: keepsTree)
    }
    return isRead.map { $0 && parser.diagnostics.isEmpty && !needsWholeTree }
  }

  private mutating func lowerFunction(_ function: Declaration.Function, _ ordinal: Int) {
    let signature = functions[ordinal]
    checkStandards(function, signature)
    beginFrame(.function(ordinal), name: intern(signature.name), result: signature.result)
    let mark = scope.count
    blockStart = mark
    for (formal, parameter) in zip(signature.formals, function.parameters) {
      let register = frame.allocate()
      declareLocal(parameter.name, .register(register), formal.type)
    }
    frame.parameterCount = signature.formals.count
    lowerBody(Expression.Closure(parameters: SyntaxList(), body: function.body), parameters: [])
    endFrame(signature.block, closingBrace(function.body))
    scope.close(downTo: mark)
  }

  /// Checks the defaults of a function's parameters, even where no call needs them.
  private mutating func checkStandards(
    _ function: Declaration.Function, _ signature: FunctionSignature
  ) {
    for (formal, standard) in zip(signature.formals, function.parameters.map(\.standard)) {
      guard let standard else { continue }
      beginFrame(.anywhere, name: .none)
      argument(standard, formal, into: frame.allocate())
      abandonFrame()
    }
  }
}
