import SpindleModel

/// What a type itself has: `static let shared = Cache()`.
///
/// As in Swift, such a value is made when it is first used, once: who comes meanwhile waits. A value that nobody
/// can tell when it was made, a number or a lock, is there from the start.
///
/// Source: *The Swift Programming Language*, "Type Properties"; swift:include/swift/Runtime/Once.h, swift_once, which
/// is dispatch_once on Darwin.
extension Lowering {
  /// The name at the top of something that a class itself has.
  func qualified(_ name: Word, _ index: Int) -> Word {
    arena.words.word("\(checker.classes[index].name.text).\(name.text)")
  }

  /// Declares what is stored.
  mutating func declareStatic(
    _ field: TypeDeclaration.Field, of index: Int, _ declaration: TypeDeclaration
  ) -> Binding? {
    guard let value = field.value else {
      error(Messages.staticWithoutValue(field.name.text), field.name.range)
      return nil
    }
    let symbol = qualified(field.name.word, index)
    checker.classes.addStatic(field.name.word, symbol, to: index)
    let name = Name(word: symbol, range: field.name.range)
    let made = checker.declareAtTop(name, .pending, .unknown)
    let isEarly =
      field.isTaskLocal || field.hold == .weak || declaration.isGlobalActor || isPlain(value)
    if let made, let home = home(of: field.isolation) { statics.homes[made] = home }
    if let made, !isEarly {
      let ordinal = declareFunction(symbol.text, [], .void, isMethod: false)
      statics.add(made, LazyStatic(name: name, value: value, ordinal: ordinal))
    }
    return Binding(
      isVariable: field.isVariable, weak: field.hold == .weak ? field.name.range : nil,
      isTaskLocal: field.isTaskLocal, isLazy: made != nil && !isEarly, name: name,
      type: field.type, value: value)
  }

  /// Declares a function, or what computes a property.
  mutating func declareStaticFunction(_ name: Name, _ ordinal: Int, of index: Int) {
    let symbol = qualified(name.word, index)
    checker.classes.addStatic(name.word, symbol, to: index)
    let own = Name(word: symbol, range: name.range)
    if checker.classes[index].cases.contains(where: { $0.name.word == name.word }) {
      // Cases have names of their own, whatever they hold.
      checker.declareAtTop(own, .function(ordinal), .unknown)
    } else {
      checker.declareFunctionAtTop(own, ordinal)
    }
  }

  /// The symbols of those that get their values when they are first used.
  func lazies(among bindings: [Binding]) -> [Int32] {
    bindings.filter(\.isLazy).compactMap { topSymbol($0.name) }
  }

  /// Whether nobody can tell when a value was made.
  private func isPlain(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .integer, .decimal, .duration, .size, .percent, .text, .boolean, .none, .implicitMember,
      .closure:
      true
    case .name(let name): isConstant(name)
    case .prefix(_, let inner): isPlain(inner)
    case .infix(_, let sides): isPlain(sides.left) && isPlain(sides.right)
    case .array(let elements): elements.allSatisfy { isPlain($0) }
    case .dictionary(let entries):
      entries.allSatisfy { isPlain($0.key) && isPlain($0.value) }
    case .member(let member):
      checker.enumIndex(member.base) != nil || checker.family(member.base) != nil
    case .call(let call):
      makesPlainly(call.callee) && call.arguments.allSatisfy { isPlain($0.value) }
    case .string, .element, .conditional, .range, .coalesce, .unwrap, .bind, .chain, .await,
      .specialized, .attempt, .condition, .match, .missing:
      false
    }
  }

  /// Whether a name means a value that is known before the run.
  private func isConstant(_ name: Word) -> Bool {
    if let index = find(name), case .constant = scope[index].meaning { return true }
    return false
  }

  /// Whether what is called makes an object of the library, or an empty array.
  private func makesPlainly(_ callee: Expression) -> Bool {
    switch callee.kind {
    case .name(let name): find(name) == nil && vocabulary.type(name) != nil
    case .array, .dictionary, .specialized: true
    default: false
    }
  }

  // MARK: Values that are made when they are first used

  /// Makes room for one whose type can be seen.
  mutating func declareLazy(_ binding: Binding) {
    guard let index = topSymbol(binding.name), let known = statics.lazy(index),
      known.token == nil
    else { return }
    let owner = checker.classes.owner(of: binding.name.word)
    let type =
      binding.type.map { checker.type($0) } ?? typeOfStatic(binding.value, ofClass: owner)
    guard !type.isUnknown, type != .null, !type.isVoid else { return }
    let token = newGlobal("\(binding.name.text).once", .handle(.onceToken), binding)
    let register = frame.allocate()
    emit(.constant(Int64(intern(binding.name.word).index), to: register), binding.name.range)
    emit(.perform(.once(.makeStatic), base: register, noSite), binding.name.range)
    emit(.storeGlobal(token, from: register), binding.name.range)
    frame.next = 0
    let global = newGlobal(binding.name.text, type, binding)
    statics.place(index, global, token)
    globals.note(index, global)
    scope[index].type = type
    scope[index].meaning = binding.isVariable ? .shared(global) : .global(global)
  }

  private mutating func newGlobal(
    _ name: String, _ type: ValueType, _ binding: Binding
  ) -> GlobalID {
    program.globals.append(
      Global(
        name: name, format: type.format, told: type.toldFormat,
        isVariable: binding.isVariable && type != .handle(.onceToken),
        place: binding.name.range, handle: type.handle, life: lifeKind(type),
        isClosure: type.isFunction))
    return GlobalID(program.globals.count - 1)
  }

  private mutating func typeOfStatic(_ value: Expression, ofClass owner: Int?) -> ValueType {
    let outer = (checker.ownClass, checker.isStaticMember)
    if let owner { (checker.ownClass, checker.isStaticMember) = (owner, true) }
    defer { (checker.ownClass, checker.isStaticMember) = outer }
    return typeAlone(value)
  }

  /// Lowers the function that makes one.
  mutating func lowerLazy(_ index: Int32) {
    guard let made = statics.lazy(index) else { return }
    let (signature, range) = (functions[made.ordinal], made.value.range)
    beginFrame(.function(made.ordinal), name: intern(signature.name))
    defer { endFrame(signature.block, SourceRange(Int(range.upperBound), Int(range.upperBound))) }
    frame.asynchrony.home = statics.homes[index] ?? .pool
    guard let (global, token) = made.token else {
      let type = value(made.value).type
      if !type.isUnknown { error(Messages.untypedField(made.name.text), made.name.range) }
      return
    }
    let (base, object, skip) = (frame.allocate(), frame.allocate(), frame.label())
    emit(.loadGlobal(object, token), range)
    emit(.copy(base, from: object), range)
    emit(.perform(.once(.enterStatic), base: base, noSite), range)
    emit(.jumpUnless(base, frame.target(skip)), range)
    let register = frame.allocate()
    if case .call = made.value.kind { boundName = made.name.word }
    let isVariable = program.globals[Int(global.index)].isVariable
    isTopForGood = !isVariable
    var found = value(made.value, expecting: scope[index].type, target: register)
    isTopForGood = false
    boundName = nil
    found = storable(coerce(found, to: scope[index].type, range), range)
    place(kept(found, isVariable: true), in: register, range)
    emit(.storeGlobal(global, from: register), range)
    releaseTemporaries(from: 0, range)
    frame.temporaries.removeAll()
    emit(.copy(base, from: object), range)
    emit(.perform(.once(.leave), base: base, noSite), range)
    frame.mark(skip)
  }

  /// In front of the use of one: makes it, or waits for who does.
  mutating func makeLazy(_ index: Int32, _ range: SourceRange) {
    guard let made = statics.lazy(index), let (_, token) = made.token else { return }
    noteCall(of: made.ordinal, range)
    let next = frame.next
    let (register, done) = (frame.allocate(), frame.label())
    emit(.loadGlobal(register, token), range)
    emit(.perform(.once(.see), base: register, noSite), range)
    emit(.jumpIf(register, frame.target(done)), range)
    emit(.call(functions[made.ordinal].block, base: register, site()), range)
    frame.mark(done)
    frame.next = next
  }

  // MARK: What is computed

  /// The value of a `static var` that is computed; nil for anything else.
  mutating func computedStatic(
    _ index: Int32, target: Register?, _ range: SourceRange
  ) -> Operand? {
    guard case .function(let ordinal) = scope[index].meaning, statics.getters.contains(ordinal)
    else { return nil }
    let callee = arena.expression(kind: .name(scope[index].name), range: range)
    let call = arena.node(
      Expression.Call(
        callee: callee, arguments: SyntaxList(), closures: SyntaxList(), range: range))
    return callFunction(ordinal, call, isUsed: true, target: target)
  }

  /// Calls the closure that a `static var` computes; nil for anything else.
  mutating func callComputed(
    _ index: Int32, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand? {
    guard let made = computedStatic(index, target: nil, call.callee.range) else { return nil }
    let name = source.text(in: call.callee.range)
    return self.call(made, call, name: name, isUsed: isUsed, target: target)
  }

  /// `.make` where a value of a type of the trace is wanted that has it itself; nil for anything else.
  func staticName(_ name: Word, of type: ValueType?, _ range: SourceRange) -> Expression? {
    let index: Int? =
      switch type?.unwrapped {
      case .instance(let className)?: checker.classes.index(of: className)
      case .choice(let className)?: checker.classes.members(ofEnum: className)
      default: nil
      }
    return index.flatMap { checker.classes[$0].symbol(name) }
      .map { arena.expression(kind: .name($0), range: range) }
  }
}

/// What types themselves have that is more than a plain value.
struct Statics {
  private var lazies: [Int32: LazyStatic] = [:]
  /// The functions that compute what is read.
  var getters: Set<Int> = []
  /// What sets what is computed at the top, by the name of that.
  var setters: [String: Word] = [:]
  /// Where those that an actor guards are used, by their symbols.
  var homes: [Int32: Home] = [:]

  /// What each text of an error with values stands for, by the class of these.
  var thrownCases: [Int: GlobalID] = [:]
  /// The global that has the type of each error's text, and whether any is needed; nil while that is not known.
  var errorTypes: GlobalID?
  var errorsShareNames: Bool?

  /// Whether the value whose type was asked for last has a mistake in it.
  var isAloneWrong = false
  /// The properties whose values were found to have mistakes, and have no type.
  var untyped: [Name] = []

  /// Whether some `var` is computed and can be set, or something is done when it is set.
  var hasPassages = false

  /// Whether a class of operations has a `cancel()` of its own.
  var hasOwnCancel = false

  /// The functions that are called when a `var` at the top is set, by their names.
  var observers: [String: (ordinal: Int, name: Word)] = [:]

  /// Where a `mutating func` of an `enum` leaves what the value has become; nil where there is none.
  var mutationResult: GlobalID?
  /// The one that is being made.
  var mutationEnd: MutationEnd?

  /// Where a `mutating func` of an `enum` ends, the register of its result, and where its body begins.
  struct MutationEnd {
    var exit: Frame.Label
    var result: Register
    var start: Int
    var throwing: Int
  }

  /// Whether there is anything of that.
  @inline(__always) var hasAny: Bool { !lazies.isEmpty || !getters.isEmpty || !homes.isEmpty }

  /// What a symbol means; nil when it is no value that is made when it is first used.
  func lazy(_ symbol: Int32) -> LazyStatic? { lazies[symbol] }

  /// Adds one.
  mutating func add(_ symbol: Int32, _ made: LazyStatic) { lazies[symbol] = made }

  /// Notes where one and its token are kept.
  mutating func place(_ symbol: Int32, _ global: GlobalID, _ token: GlobalID) {
    lazies[symbol]?.token = (global, token)
    lazyGlobals.append(global.index)
  }

  /// The globals that get their values when they are first used.
  private(set) var lazyGlobals: [Int32] = []
}

/// A `static` that gets its value when it is first used.
struct LazyStatic {
  let name: Name
  let value: Expression
  /// The function that makes it.
  let ordinal: Int
  /// Where it is kept, and what tells whether it is there; nil while its type is not known.
  var token: (global: GlobalID, token: GlobalID)?
}
