import SpindleModel

/// Statements and the blocks they stand in.
extension Lowering {
  /// Lowers the statements of a block with names of its own.
  mutating func lowerBlock(_ block: CodeBlock) {
    var open = openBlock()
    lowerStatements(of: block, in: &open)
    close(&open)
  }

  /// Lowers the statements of an open block.
  mutating func lowerStatements(of block: CodeBlock, in open: inout OpenBlock) {
    let outer = checker.laterFunctions.count
    for statement in block.statements.reversed() {
      if case .function(let function) = statement.kind {
        checker.laterFunctions.append(function.name.word)
        later.functions.append(function.value)
      }
    }
    for statement in block.statements {
      if case .function = statement.kind {
        checker.laterFunctions.removeLast()
        later.functions.removeLast()
      }
      lower(statement, in: &open)
    }
    demand(checker.laterFunctions.count == outer, "each function of a block was come to")
  }

  /// Warns where a block ends with `.release()` of what it lets go of there anyway: a name of its own.
  private mutating func warnOfLastRelease(_ open: OpenBlock) {
    guard let (index, place) = open.release, Int(index) >= open.mark,
      endsWithItsBlock(scope[index].type)
    else { return }
    warn(Messages.needlessRelease(scope[index].name.text), place)
  }

  /// Notes whether a statement is a `.release()`, and warns of a second one of a `let` in one block: nothing is there any more
  /// that could be let go of.
  private mutating func noteRelease(_ statement: Statement, in open: inout OpenBlock) {
    open.release = nil
    guard case .expression(let expression) = statement.kind, case .call(let call) = expression.kind,
      case .member(let member) = call.callee.kind, member.name == "release",
      case .name(let name) = member.base.kind, let index = find(name)
    else { return }
    open.release = (index, call.range)
    switch scope[index].meaning {
    case .register, .global: break
    case .constant, .variable, .cell, .shared, .function, .pending: return
    }
    if let first = open.released[index] {
      warn(Messages.secondRelease(name.text, line: checker.line(first)), call.range)
    } else {
      open.released[index] = call.range
    }
  }

  /// A block whose statements are being lowered.
  struct OpenBlock {
    /// The names of the block begin here.
    var mark: Int
    /// The first register that is free behind the block.
    var next: Int
    /// Where the names of the block around it begin.
    var outerStart: Int
    var defers: [OpenDefer] = []
    /// The names whose objects its statements have let go of.
    var released: [Int32: SourceRange] = [:]
    /// The name in its last statement so far, where that is a `.release()`, and where it stands.
    var release: (name: Int32, place: SourceRange)?
    /// Whether it was said that a statement is never reached.
    var hasWarned: Bool
    /// A moment before which nobody comes to it, nor to what follows it: a statement in it may be passed over.
    var earliest: Instant
  }

  /// Begins a block with names of its own.
  mutating func openBlock() -> OpenBlock {
    let open = OpenBlock(
      mark: scope.count, next: frame.next, outerStart: blockStart, hasWarned: !frame.isReachable,
      earliest: frame.earliest)
    blockStart = open.mark
    openBlocks += 1
    return open
  }

  /// Lowers the next statement of a block.
  mutating func lower(_ statement: Statement, in open: inout OpenBlock) {
    if !frame.isReachable && !frame.isReachableOtherwise && !open.hasWarned {
      open.hasWarned = true
      warn(Messages.unreachable, statement.range)
    }
    noteRelease(statement, in: &open)
    if case .defer(let body) = statement.kind {
      open.defers.append(beginDefer(body.value, statement.range))
    } else if case .binding(let binding) = statement.kind, binding.isAsync {
      if let end = lowerAsyncLet(binding.value, statement.range) { open.defers.append(end) }
    } else if case .several(let statements) = statement.kind, statements.count > 0,
      case .binding(let binding) = statements[0].kind, binding.isAsync
    {
      for each in statements { lower(each, in: &open) }
    } else {
      lower(statement)
    }
  }

  /// Ends a block.
  mutating func close(_ open: inout OpenBlock) {
    frame.earliest = open.earliest
    warnOfLastRelease(open)
    while let last = open.defers.popLast() { endDefer(last) }
    closeScope(downTo: open.mark)
    blockStart = open.outerStart
    openBlocks -= 1
    frame.next = open.next
  }

  /// Lowers one statement; its temporary registers are free afterwards.
  mutating func lower(_ statement: Statement) {
    guard isCounting else { return lowerAlone(statement) }
    let (mark, outer) = (frame.temporaries.count, temporariesOfCall)
    temporariesOfCall = mark
    lowerAlone(statement)
    temporariesOfCall = outer
    releaseUsed(for: .void, from: mark, statement.range)
  }

  private mutating func lowerAlone(_ statement: Statement) {
    let next = frame.next
    switch statement.kind {
    case .expression(let expression):
      lowerForEffect(expression)
      pass(expression)
    case .binding(let binding):
      lowerBinding(binding.value, statement.range)
      return
    case .assignment(let assignment):
      lowerAssignment(
        assignment.target, assignment.operation, assignment.assigned, statement.range)
    case .if(let choice):
      lowerIf(choice.branches, choice.otherwise)
    case .guard(let branch):
      lowerGuard(branch.condition, branch.body)
    case .while(let branch):
      lowerWhile(branch.condition, branch.body)
    case .repeatWhile(let branch):
      lowerRepeat(branch.body, branch.condition)
    case .forIn(let loop):
      lowerFor(loop.value, statement.range)
    case .switch(let selection):
      lowerSwitch(selection.value, label: takeLabel())
    case .labelled(let labelled):
      lowerLabelled(labelled.value)
    case .several(let statements):
      // Their names stay: they belong to the block around.
      for each in statements { lower(each) }
      return
    case .break(let label):
      lowerBreak(label, statement.range)
    case .continue(let label):
      lowerContinue(label, statement.range)
    case .function(let function):
      lowerLocalFunction(function.value)
      return
    case .fallthrough:
      lowerFallthrough(statement.range)
    case .return(let value):
      lowerReturn(value, statement.range)
    case .defer:
      break
    case .doCatch(let attempt):
      lowerDo(attempt.body, attempt.handler)
    case .throw(let value):
      lowerThrow(value, statement.range)
    case .missing:
      break
    }
    frame.next = next
  }

  /// Lowers an expression that stands alone.
  mutating func lowerForEffect(_ expression: Expression) {
    switch expression.kind {
    case .call(let call):
      lowerCall(call, isUsed: false, expecting: nil, target: nil)
    case .chain(let inner):
      lowerChain(inner)
    case .await(let inner, let isTried):
      lowerAwaited(inner, isTried: isTried, expression.range)
    case .attempt(let isForced, let inner):
      _ = attempt(isForced: isForced, inner, nil, expression.range)
    case .closure:
      let brace = Int(expression.range.lowerBound)
      error(SyntaxMessage.loneBlock, SourceRange(brace, brace + 1))
    case .missing:
      break
    default:
      let result = value(expression)
      if !result.type.isUnknown && !result.type.isVoid {
        warn(Messages.unusedValue, expression.range)
      }
    }
  }

  // MARK: Bindings

  private mutating func lowerBinding(_ binding: Binding, _ range: SourceRange) {
    if binding.second != nil { return lowerPair(binding) }
    if binding.isSetLater { return lowerLateBinding(binding) }
    let errors = checker.diagnosis.count
    let annotated = binding.type.map { checker.type($0) }
    let isRefused = checker.diagnosis.count > errors
    let register = frame.allocate()
    if case .call = binding.value.kind { boundName = binding.name.word }
    let wanted = annotated ?? functionType(of: binding.value) ?? presence(of: binding.value)
    let made = boundValue(binding, expecting: wanted, target: register)
    boundName = nil
    var result = annotated.map { coerce(made, to: $0, binding.value.range) } ?? made
    result = storable(result, binding.value.range)
    if isRefused { result.type = .unknown }
    if binding.isWeak { result.type = weakType(result.type, binding) }
    if result.isLiteral && annotated == nil { result.isLiteral = false }
    if hasCell(binding.name, isVariable: binding.isVariable) {
      declareCell(binding.name, result, isWeak: binding.isWeak, binding.value.range)
      frame.next = Int(register.index) + 1
      return noteBinding(binding, result.type, isAtTop: false)
    }
    var meaning = Symbol.Meaning.variable(register)
    if !binding.isVariable {
      meaning = .register(register)
      if let constant = result.constant { meaning = .constant(constant) }
    }
    var owner: OwnedRegister?
    var isKept = false
    if case .constant = meaning {
      frame.next = Int(register.index)
    } else {
      let value = kept(result, isVariable: binding.isVariable)
      if !binding.isWeak && !binding.name.word.isUnderscore {
        owner = keeper(of: value, binding.value.range)
        isKept = keepToTheEnd(owner, binding.value.range)
      }
      if let owner {
        meaning = binding.isVariable ? .variable(owner.register) : .register(owner.register)
      } else {
        place(value, in: register, binding.value.range)
      }
      frame.next = Int(register.index) + 1
    }
    let declared = declareLocal(
      binding.name, meaning, result.type, isExpectedToBeUsed: true,
      isWeak: binding.isWeak, owner: owner)
    if let declared {
      (scope[declared].canBeShared, scope[declared].isKept) = (binding.isVariable, isKept)
    }
    noteBinding(binding, result.type, isAtTop: false)
  }

  /// Tells the usage checks what a name is bound to.
  mutating func noteBinding(_ binding: Binding, _ type: ValueType, isAtTop: Bool) {
    let isReplaced = isAtTop && replacements.contains { $0.name == binding.name.text }
    usage.noteBinding(binding, type, isAtTop: isAtTop, isReplaced: isReplaced, &checker)
  }

  /// A value that a `let` or `var` can hold; reports what can't.
  mutating func storable(_ operand: Operand, _ range: SourceRange) -> Operand {
    switch operand.type {
    case .void: refuse(Messages.noValue, range)
    case .null: refuse(Messages.untypedNil, range)
    case .functionOf, .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol,
      .options, .choice, .handle, .generic, .instance, .optionalOf, .arrayOf, .dictionaryOf,
      .setOf, .unknown:
      operand
    }
  }

  /// Declares a local name; gives its symbol, nil where there is none: `_` names nothing.
  @discardableResult
  mutating func declareLocal(
    _ name: Name, _ meaning: Symbol.Meaning, _ type: ValueType, isExpectedToBeUsed: Bool = false,
    isWeak: Bool = false, owner: OwnedRegister? = nil
  ) -> Int32? {
    guard !name.word.isUnderscore else { return nil }
    if let earlier = scope.find(name.word), Int(earlier) >= blockStart,
      Int(scope[earlier].frame) == depth
    {
      error(Messages.redeclared(name.text, line: checker.line(scope[earlier].place)), name.range)
      return nil
    }
    return scope.declare(
      Symbol(
        name: name.word, meaning: meaning, type: type, place: name.range, frame: Int32(depth),
        isExpectedToBeUsed: isExpectedToBeUsed, isWeak: isWeak, owner: owner))
  }

  /// Takes names away, and warns of those that nothing used.
  mutating func closeScope(downTo mark: Int) {
    if isCounting { releaseSymbols(from: mark, frame.code.lastPlace ?? SourceRange(0, 0)) }
    if !frame.late.isEmpty { closeLate(from: mark) }
    for index in mark..<max(mark, scope.count) {
      let symbol = scope[Int32(index)]
      guard symbol.isExpectedToBeUsed, !symbol.isUsed else { continue }
      // What holds an object is set to let go of that, too.
      if symbol.isWritten, symbol.type.hasIdentity || symbol.type.isFunction { continue }
      let name = symbol.name.text
      warn(symbol.isWritten ? Messages.unreadName(name) : Messages.unusedName(name), symbol.place)
    }
    scope.close(downTo: mark)
  }

  // MARK: Leaving

  private mutating func lowerReturn(_ value: Expression?, _ range: SourceRange) {
    let target = frame.innermost
    guard !target.isDefer else {
      error(Messages.leavesDefer("return"), range)
      return
    }
    guard let value else {
      if let type = target.type, !type.isVoid, !type.isUnknown {
        error(Messages.missingReturnValue(type.description), range)
      } else if target.type == nil {
        frame.innermost.type = .void
      }
      leave(.leave, range)
      return
    }
    returnValue(value, place: range)
  }

  /// Returns the value of `expression` from the frame, or from the closure that runs in place.
  ///
  /// A body of one expression returns it without saying so; one that never ends returns nothing.
  mutating func returnValue(
    _ expression: Expression, place range: SourceRange, isImplicit: Bool = false
  ) {
    let expected = frame.innermost.type
    if expected == .void {
      let made = value(expression)
      if !made.type.isVoid && !made.type.isUnknown {
        error(Messages.unexpectedReturnValue, expression.range)
      }
      leave(.leave, range)
      return
    }
    let direct = frame.innermost.exit == nil ? nil : frame.innermost.register
    let wish = frame.innermost.wish
    var made = value(expression, expecting: expected ?? wish, target: direct)
    if isImplicit && made.type.isVoid && !frame.isReachable { return }
    if let wanted = expected ?? (wish?.accepts(made.type) == true ? wish : nil) {
      made = coerce(made, to: wanted, expression.range)
    } else if !made.type.isVoid {
      made = storable(made, expression.range)
    }
    frame.innermost.type = expected ?? made.type
    if !made.type.isVoid { keepReturn(made, range) } else { leave(.leave, range) }
  }

  /// Puts the value that is returned where it is to be found, and leaves.
  private mutating func keepReturn(_ made: Operand, _ range: SourceRange) {
    let kept = kept(made, isVariable: false)
    let life = lifeKind(kept.type)
    if frame.innermost.exit == nil && frame.cleanups.isEmpty {
      var result = register(of: kept, range)
      if isCounting {
        let copy = frame.allocate()
        emit(.copy(copy, from: result), range)
        if let life { emit(.keep(copy, life), range) }
        emit(.releaseOwned, range)
        result = copy
      }
      emit(.finishWith(result), range)
      frame.isReachable = false
      return
    }
    let register = frame.innermost.register ?? frame.pinned()
    frame.innermost.register = register
    place(kept, in: register, range)
    if let life { emit(.keep(register, life), range) }
    leave(.leave, range)
  }

  private mutating func lowerThrow(_ thrown: Expression, _ range: SourceRange) {
    if case .name(let name) = thrown.kind, name == words.whatWasCaught {
      if let caught = frame.caught { emit(frame.throwsAgain(caught), range) }
      frame.noteThrow()
      frame.isReachable = false
      return
    }
    var made = value(thrown, expecting: .string)
    // An error is a text: that of a case is its name.
    if case .choice(let name) = made.type { made = thrownName(made, name, thrown.range) }
    made = thrownText(made, thrown.range) ?? made
    let message = coerce(made, to: .string, thrown.range)
    emit(.raise(register(of: message, thrown.range)), range)
    frame.noteThrow()
    frame.isReachable = false
  }
}
