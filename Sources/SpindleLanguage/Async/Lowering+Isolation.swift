import SpindleModel

/// Code that goes on on an actor, or says that it is on one: `MainActor.run`, `assumeIsolated`,
/// `preconditionIsolated`, `assertIsolated`.
extension Lowering {
  /// A call of a member of `MainActor` or of a global actor; nil for any other.
  mutating func isolationCall(
    _ base: Expression, _ name: Word, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand? {
    guard case .name(let actor) = mainActor(base).kind else { return nil }
    if actor == "MainActor" {
      if name == "run" { return runOnMain(call, isUsed: isUsed, target: target) }
      return isolated(
        .mainActor, typeName: noValue, name, call, argument: nil, isUsed: isUsed, target: target)
    }
    guard let index = checker.classes.index(of: actor), checker.classes[index].isActor,
      checker.classes[index].symbol(words.shared) != nil
    else { return nil }
    return isolated(
      .global(index), typeName: Int64(intern(actor).index), name, call,
      argument: nil, isUsed: isUsed, target: target)
  }

  /// `MainActor.shared`, which is the main actor as its type is; any other expression as it is.
  private func mainActor(_ base: Expression) -> Expression {
    guard case .member(let member) = base.kind, member.name == words.shared,
      case .name(let type) = member.base.kind, type == "MainActor"
    else { return base }
    return member.base
  }

  /// `actor.assumeIsolated { me in }` and its like of an instance; nil for any other member.
  mutating func isolated(
    _ object: Operand, _ index: Int, _ name: Word, _ call: CallSite, isUsed: Bool,
    target: Register?
  ) -> Operand? {
    let info = checker.classes[index]
    guard info.isActor, isIsolationCheck(name) else { return nil }
    let actor = register(of: object, call.place)
    return isolated(
      .object(actor), typeName: Int64(intern(info.name.word).index), name, call,
      argument: (actor, object.type), isUsed: isUsed, target: target)
  }

  /// Whether a name is one of the members by which code says that it is on an actor.
  func isIsolationCheck(_ name: Word) -> Bool {
    name == "assumeIsolated" || name == "preconditionIsolated" || name == "assertIsolated"
  }

  /// Looks whether the code is on an actor, and runs a closure there; nil for a member of another name.
  ///
  /// `assert` is looked at, as in a debug build. Source: swift:stdlib/public/Concurrency/MainActor.swift,
  /// Actor.swift, ExecutorAssertions.swift.
  private mutating func isolated(
    _ home: Home, typeName: Int64, _ name: Word, _ call: CallSite,
    argument: (register: Register, type: ValueType)?, isUsed: Bool, target: Register?
  ) -> Operand? {
    guard isIsolationCheck(name) else { return nil }
    needThread(name.text, nameRange(of: call.callee))
    let assumes = name == "assumeIsolated"
    let body = assumes ? scopeBody(call, ["operation"]) : nil
    if assumes, body == nil {
      walkStray(call)
      return refuse(Messages.missingClosure(name.text), call.callee.range)
    }
    if !assumes { for text in call.arguments { _ = value(text.value, expecting: .string) } }
    let result = target ?? frame.allocate()
    let next = frame.next
    emitCheck(of: home, typeName: typeName, call.place)
    frame.next = next
    guard let body else { return Operand(type: .void, location: .register(result)) }
    var asynchrony = frame.asynchrony
    asynchrony.suspending = .no
    if argument == nil { (asynchrony.home, asynchrony.saysHome) = (home, true) }
    if home == .mainActor { asynchrony.isOutside = false }
    let type = lowerScopeBody(
      body, argument: argument, isIsolated: true, asynchrony: asynchrony, result: result,
      isUsed: isUsed)
    return held(Operand(type: type, location: .register(result)), call.place)
  }

  /// Whether the code around says on which actor it is, in what it is itself or in what it is formed in.
  var saysHome: Bool {
    for level in stride(from: code.depth, through: 0, by: -1) {
      let around = code.frame(at: level)
      if around.saysHome { return true }
      if case .function = around.context { return false }
    }
    return false
  }

  /// At the entry of a closure that belongs to an actor and is called by code that knows of none.
  mutating func checkHome(_ range: SourceRange) {
    let (home, next) = (frame.asynchrony.home, frame.next)
    var typeName = noValue
    switch home {
    case .global(let index): typeName = Int64(intern(checker.classes[index].name.word).index)
    case .symbol(let index):
      guard case .instance(let name) = scope[index].type else { return }
      typeName = Int64(intern(name.text).index)
    case .mainActor: break
    case .pool, .object, .caller: return
    }
    let place = SourceRange(Int(range.lowerBound), Int(range.lowerBound) + 1)
    emitCheck(of: home, typeName: typeName, place)
    frame.next = next
  }

  private mutating func emitCheck(of home: Home, typeName: Int64, _ range: SourceRange) {
    let window = frame.allocate(2)
    placeExecutor(of: home, in: window, range)
    emit(.constant(typeName, to: Register(Int(window.index) + 1)), range)
    emit(.perform(.task(.checkIsolation), base: window, noSite), range)
  }

  /// `MainActor.run { }`: through the pool to the main actor, and home.
  ///
  /// Source: swift:stdlib/public/Concurrency/MainActor.swift, run, which is nonisolated.
  mutating func runOnMain(_ call: CallSite, isUsed: Bool, target: Register?) -> Operand {
    noteSuspension("MainActor.run", call.callee.range)
    guard let body = scopeBody(call, ["body"]) else {
      walkStray(call)
      return refuse(Messages.missingClosure("MainActor.run"), call.callee.range)
    }
    let result = target ?? frame.allocate()
    hop(to: .pool, call.place)
    hop(to: .mainActor, call.place)
    var asynchrony = frame.asynchrony
    (asynchrony.suspending, asynchrony.home, asynchrony.saysHome) = (.no, .mainActor, true)
    let (open, temporaries) = (beginScope(), frame.temporaries.count)
    let type = lowerScopeBody(
      body, argument: nil, asynchrony: asynchrony, result: result, isUsed: isUsed)
    let (place, home) = (closingBrace(body.body), frame.asynchrony.home)
    end(open, place) {
      // What its list captures dies with the closure, which is there.
      $0.releaseUsed(for: .void, from: temporaries, place)
      if home != .mainActor { $0.hop(to: home, place) }
    } thrown: {
      if home != .mainActor { $0.hop(to: home, place) }
    }
    return held(Operand(type: type, location: .register(result)), call.place)
  }
}
