import SpindleModel

/// `@TaskLocal static var id = 0`: a value that a task and its children see while a scope binds it.
///
/// Source: SE-0311.
extension Lowering {
  /// Makes what has its first value a task-local: that is what it is worth where nothing binds it.
  mutating func declareTaskLocal(
    _ index: Int32, _ made: Operand, _ global: GlobalID, _ binding: Binding
  ) {
    scope[index].isTaskLocal = true
    scope[index].meaning = .global(global)
    // Of `Context.id` the last part.
    let name = binding.name.text.split(separator: ".").last.map(String.init) ?? ""
    taskLocalNames.append((arena.words.word("$" + name), arena.words.word(name)))
    if !binding.isVariable { error(Messages.constantTaskLocal, binding.name.range) }
    if !isPlainValue(made.type) {
      error(Messages.taskLocalType("\(made.type)"), binding.value.range)
    }
  }

  /// Whether nothing has to be kept alive for a value.
  private func isPlainValue(_ type: ValueType) -> Bool {
    switch type {
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .choice,
      .unknown:
      true
    case .optionalOf(let inner): isPlainValue(inner.type)
    case .options, .handle, .generic, .instance, .arrayOf, .dictionaryOf, .setOf,
      .functionOf, .void, .null:
      false
    }
  }

  /// What a task-local is worth to the task that reads it.
  mutating func taskLocalValue(
    _ index: Int32, target: Register?, _ range: SourceRange
  ) -> Operand {
    let symbol = scope[index]
    guard case .global(let global) = symbol.meaning else { return .unknown }
    let base = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    emit(.constant(key(of: symbol), to: base), range)
    emit(.loadGlobal(frame.allocate(), global), range)
    emit(.perform(.task(.local), base: base, noSite), range)
    return finishWindow(base, symbol.type, target: target, range)
  }

  /// What a task-local is called in the program, and by which it is found.
  private mutating func key(of symbol: Symbol) -> Int64 { Int64(intern(symbol.name).index) }

  /// `Context.$id.withValue(1) { }`, which runs its closure in place; nil when `base` names no `$id`.
  mutating func withValue(
    ofLocal base: Expression, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand? {
    guard let (index, name) = taskLocal(base) else { return nil }
    guard let index else {
      walkStray(call)
      return refuse(Messages.noTaskLocal(name), base.range)
    }
    guard let body = scopeBody(call, ["operation"]),
      let written = call.arguments.first(where: { $0.label == nil })?.value
    else {
      walkStray(call)
      return refuse(Messages.missingClosure("withValue"), call.callee.range)
    }
    needThread("withValue", nameRange(of: call.callee))
    scope[index].isUsed = true
    let symbol = scope[index]
    let result = target ?? frame.allocate()
    let window = frame.allocate()
    emit(.constant(key(of: symbol), to: window), call.place)
    let formal = Formal(label: nil, type: symbol.type, isOptional: false, slot: 0)
    argument(written, formal, into: frame.allocate())
    emit(.perform(.task(.bindLocal), base: window, noSite), call.place)
    let own = body.isAwaiting || body.header?.isAsync == true ? goInto(body) : nil
    let (open, awaits) = (beginScope(own), frame.awaitCount)
    let type = lowerScopeBody(
      body, argument: nil, asynchrony: own, result: result, isUsed: isUsed)
    let place = closingBrace(body.body)
    func end(_ lowering: inout Lowering) {
      lowering.emit(.perform(.task(.unbindLocal), base: window, noSite), place)
      lowering.comeBack(from: own, place)
    }
    self.end(open, place) {
      end(&$0)
    } thrown: {
      end(&$0)
    }
    if frame.awaitCount > awaits { noteSuspension("withValue", nameRange(of: call.callee)) }
    return held(Operand(type: type, location: .register(result)), call.place)
  }

  /// The task-local that `$id` or `Context.$id` names, and its name; nil for any other expression.
  private mutating func taskLocal(_ base: Expression) -> (index: Int32?, name: String)? {
    let (sigil, owner): (Word, Int?)
    switch base.kind {
    case .name(let name): (sigil, owner) = (name, checker.ownClass >= 0 ? checker.ownClass : nil)
    case .member(let member):
      guard case .name(let type) = member.base.kind else { return nil }
      sigil = member.name
      owner =
        type == "Self" && checker.ownClass >= 0 ? checker.ownClass : checker.classIndex(of: type)
      if owner == nil, sigil.text.hasPrefix("$") { return (nil, sigil.text) }
    default: return nil
    }
    guard let known = taskLocalNames.first(where: { $0.sigil == sigil }) else {
      return sigil.text.hasPrefix("$") ? (nil, sigil.text) : nil
    }
    let symbol = owner.flatMap { checker.classes[$0].symbol(known.name) } ?? known.name
    let index = scope.findAtTop(symbol).flatMap { scope[$0].isTaskLocal ? $0 : nil }
    return (index, sigil.text)
  }
}
