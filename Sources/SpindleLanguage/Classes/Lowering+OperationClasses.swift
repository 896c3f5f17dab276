import SpindleModel

/// `class Download: Operation { override func main() { } }`, `class Worker: Thread { override func main() { } }`.
///
/// Each instance has an operation or a thread of the library in its field `super`, which runs `main()`, or the
/// `start()` that an operation has of its own. Where one is taken, and for what one has, that stands for the instance.
extension Lowering {
  /// Makes a class one of operations.
  mutating func makeOperation(_ index: Int, _ declaration: TypeDeclaration) {
    guard checker.classes[index].parent == nil else { return }
    let place = checker.classes[index].name.range
    let ownStart = declaration.methods.contains { $0.function.name.text == "start" }
    let isAsynchronous =
      ownStart || declaration.fields.contains { Lowering.asynchrony.contains($0.name.text) }
    let truth = arena.expression(kind: .boolean(true), range: place)
    let label = Expression.Argument(
      label: arena.words.word("isAsynchronous"), labelRange: place, value: truth)
    makeParent(
      index, .operation, "Operation", isAsynchronous ? [label] : [],
      runs: ownStart ? "start" : "main", declaration, place)
  }

  /// Makes a class one of threads.
  mutating func makeThread(_ index: Int, _ declaration: TypeDeclaration) {
    guard checker.classes[index].parent == nil else { return }
    let place = checker.classes[index].name.range
    makeParent(index, .thread, "Thread", [], runs: "main", declaration, place)
  }

  /// Gives a class the field `super`, with an object of the library that runs a method of the instance.
  private mutating func makeParent(
    _ index: Int, _ handle: HandleClass, _ type: String, _ arguments: [Expression.Argument],
    runs method: String, _ declaration: TypeDeclaration, _ place: SourceRange
  ) {
    let made = arena.call(
      arena.named(arena.words.word(type), place), arguments,
      closures: [callOf(method, declaration, place)], at: place)
    checker.classes[index].parent = handle
    checker.classes[index].fields.append(
      ClassInfo.Field(
        name: Name(word: words.parent, range: place), isVariable: false, hold: .strong,
        written: nil, value: made,
        type: .handle(handle)))
  }

  /// `{ self.main() }`, or `{ _ = self }` for a class without a `main`: it has the instance in every case.
  private func callOf(
    _ name: String, _ declaration: TypeDeclaration, _ place: SourceRange
  ) -> Expression.TrailingClosure {
    let call = arena.call(
      arena.member(arena.words.word(name), of: arena.named(words.own, place), place), at: place)
    let isThere = declaration.methods.contains { $0.function.name.text == name }
    let kept = arena.assignment(
      to: arena.named(arena.words.word("_"), place), arena.named(words.own, place), place)
    var statements = isThere ? [Statement(kind: .expression(call), range: place)] : [kept]
    if name == "start", declaration.fields.contains(where: { $0.name.text == "isFinished" }) {
      statements.append(askForEnd(of: arena.named(words.own, place), place))
    }
    let body = arena.block(statements, place)
    return Expression.TrailingClosure(
      label: nil, labelRange: place,
      closure: Expression.Closure(parameters: SyntaxList(), header: nil, body: body), range: place)
  }

  /// Reports what a class of operations or threads would do instead of the library's own; whether it was that.
  mutating func refuseOverride(_ name: Name, _ getter: CodeBlock? = nil, of index: Int) -> Bool {
    let refused: Set<String>
    switch checker.classes[index].parent {
    case .operation: refused = Lowering.ownOfOperations
    case .thread: refused = Lowering.ownOfThreads
    default: return false
    }
    guard refused.contains(name.text), name.text != "isReady" || getter == nil else { return false }
    error(
      Messages.overriddenState(name.text, isThread: checker.classes[index].parent == .thread),
      name.range)
    return true
  }

  private static let ownOfOperations: Set<String> = ["isReady", "isCancelled"]

  private static let ownOfThreads: Set<String> = [
    "start", "isExecuting", "isFinished", "isCancelled", "cancel",
  ]

  /// Whether a property is what an operation says of itself once and for all.
  func saysAsynchrony(_ name: Name, of index: Int) -> Bool {
    checker.classes[index].parent == .operation && Lowering.asynchrony.contains(name.text)
  }

  private static let asynchrony: Set<String> = ["isAsynchronous", "isConcurrent"]

  /// The operation or thread that an instance is; nil for what is none.
  mutating func parent(of operand: Operand, _ range: SourceRange) -> Operand? {
    guard case .instance(let className) = operand.type else { return nil }
    let info = checker.classes[checker.classes.index(of: className)]
    guard let parent = info.parent, let number = info.field(words.parent) else { return nil }
    let instance = register(of: operand, range)
    let register = frame.allocate()
    emit(.fieldLoad(register, of: instance, Int32(number)), range)
    return .register(register, .handle(parent))
  }

  /// An array that is joined with another one, as one of operations or threads where the other holds those, or
  /// instances of another class of them.
  mutating func ofOneType(_ array: Operand, _ other: ValueType, _ range: SourceRange) -> Operand {
    guard array.type != other, case .arrayOf(let element) = array.type,
      case .instance(let className) = element.type, case .arrayOf(let others) = other,
      let parent = checker.classes[checker.classes.index(of: className)].parent
    else { return array }
    var above: ValueType = others.type
    if case .instance(let otherName) = above,
      let its = checker.classes[checker.classes.index(of: otherName)].parent
    {
      above = .handle(its)
    }
    guard above == .handle(parent) else { return array }
    return parents(of: array, as: .array(.handle(parent)), range) ?? array
  }

  /// The operations or threads that the instances in an array are, where an array of those is wanted; nil for anything
  /// else.
  mutating func parents(
    of operand: Operand, as type: ValueType, _ range: SourceRange
  ) -> Operand? {
    guard case .arrayOf(let element) = operand.type, case .instance(let className) = element.type,
      let parent = checker.classes[checker.classes.index(of: className)].parent,
      type.unwrapped == .array(.handle(parent))
    else { return nil }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    let all = standIn(for: operand, range)
    let each = Name(word: words.own, range: range)
    let one = arena.member(words.parent, of: arena.named(words.own, range), range)
    let body = arena.block([Statement(kind: .expression(one), range: range)], range)
    let closure = Expression.Closure(parameters: arena.list([each]), header: nil, body: body)
    let trailing = Expression.TrailingClosure(
      label: nil, labelRange: range, closure: closure, range: range)
    return value(
      arena.call(arena.member(words.map, of: all, range), closures: [trailing], at: range))
  }

  /// In front of `didChangeValue(forKey:)`: the library's value becomes what the class's own property says now,
  /// which is when those who look on read it.
  mutating func publishState(
    _ base: Expression, _ index: Int, _ call: CallSite, _ range: SourceRange
  ) {
    let info = checker.classes[index]
    guard info.parent == .operation else { return }
    var key: String?
    if case .text(let text)? = call.arguments.first?.value.kind { key = text.text }
    for name in ["isExecuting", "isFinished"] where key == nil || key == name {
      guard let word = info.computed.first(where: { $0.name.text == name })?.name else { continue }
      let parent = arena.member(words.parent, of: base, range)
      lower(
        arena.assignment(
          to: arena.member(word, of: parent, range), arena.member(word, of: base, range), range))
    }
  }

  /// A call of what the class above has, where this one has its own; nil where that is nothing.
  mutating func callAbove(
    _ member: Node<Expression.MemberAccess>, _ call: CallSite, _ naming: Naming, isUsed: Bool,
    target: Register?
  ) -> Operand? {
    guard checker.ownClass >= 0, case .name(let base) = member.base.kind, base == words.parent
    else {
      return nil
    }
    let info = checker.classes[checker.ownClass]
    if checker.isStaticMember, let above = info.symbol(named: "super \(member.name.text)") {
      let callee = arena.named(above, member.nameRange)
      return lowerCall(renamed(call, callee), isUsed: isUsed, expecting: nil, target: target)
    }
    let own = arena.named(words.own, member.base.range)
    if let method = methodAbove(member.name, of: info, for: call) {
      let callee = Expression.MemberAccess(base: own, name: method, nameRange: member.nameRange)
      return callMember(arena.node(callee), call, naming, isUsed: isUsed, target: target)
    }
    guard info.parent != nil else {
      if find(words.parent) != nil { return nil }
      walkStray(call)
      if info.isBroken { return .unknown }
      return refuse(Messages.nothingAbove(member.name.text), member.base.range)
    }
    if member.name == "main", call.arguments.isEmpty { return .void }
    return nil
  }

  /// The method that `super.name` means in the code at hand; nil where the class above has none of its own.
  private mutating func methodAbove(_ name: Word, of info: ClassInfo, for call: CallSite) -> Word? {
    let inherited = methodsFromAbove(name, of: info)
    if inherited.all { return name }
    let above = info.methods.filter {
      ($0.name == name || $0.name.isAbove(name)) && isAbove($0.ordinal)
    }
    let fitting = above.filter { checker.fits(functions[$0.ordinal].formals, call) }
    if let method = (fitting.isEmpty ? above : fitting).min(by: { height($0) < height($1) })?.name,
      !isCode(of: method.text) || name != "start"
    {
      return method
    }
    // Another one of its name, with other labels.
    if inherited.any { return name }
    guard name == "start", info.parent == .operation else { return nil }
    return info.methods.first { $0.name.text == Lowering.startOfLibrary }?.name
  }

  /// `super.name` in the code at hand, of what a class above computes; nil where none does, or it is none of that.
  mutating func computedAbove(_ base: Expression, _ name: Word, _ range: SourceRange) -> Expression?
  {
    guard checker.ownClass >= 0, case .name(words.parent) = base.kind else { return nil }
    let kept = checker.classes[checker.ownClass].computed.filter {
      $0.name.isAbove(name) && isAbove($0.ordinal)
    }
    let nearest = kept.min {
      functions[$0.ordinal].height ?? 0 < functions[$1.ordinal].height ?? 0
    }
    return nearest.map { arena.member($0.name, of: arena.named(words.own, base.range), range) }
  }

  private func height(_ method: ClassInfo.Function) -> Int { functions[method.ordinal].height ?? 0 }

  /// Whether a method is that of a class above the one whose code is at hand.
  private func isAbove(_ ordinal: Int) -> Bool {
    var own = 0
    if case .function(let present) = code.outermostContext { own = functions[present].height ?? 0 }
    return functions[ordinal].height ?? 0 > own
  }

  /// Whether all or any of the methods with a name come from above the class whose code is at hand.
  private func methodsFromAbove(_ name: Word, of info: ClassInfo) -> (all: Bool, any: Bool) {
    guard case .function(let ordinal) = code.outermostContext,
      let height = functions[ordinal].height
    else { return (false, false) }
    let named = info.methods.filter { $0.name == name }
    let above = named.count { functions[$0.ordinal].height.map { $0 > height } ?? false }
    return (above > 0 && above == named.count, above > 0)
  }

  /// Whether the code at hand is that of a method itself.
  private func isCode(of method: String) -> Bool {
    guard case .function(let ordinal) = frame.context else { return false }
    return functions[ordinal].name.hasSuffix(method)
  }
}
