import SpindleModel

/// Typed trees to instructions.
///
/// It finds no type and looks no name up. Each function is made once for each list of type arguments; a function that
/// is `@inlined` is expanded where it is called. What it cannot do yet is reported, and the program goes to the other
/// front end.
final class Emitter {
  var code: CodeBuilder
  var program: Program
  let bodies: BodyTable
  var table: DeclarationTable { bodies.table }
  let known: KnownTypes
  let source: SourceText

  /// The arguments for the type parameters in scope.
  var substitution: Substitution = [:]
  /// Where the values of local variables are.
  var storages: [ObjectIdentifier: Storage] = [:]
  /// The registers that captures name, with the frames that have them.
  var symbols: [Int32: (register: Register, depth: Int)] = [:]
  var nextSymbol: Int32 = 0
  /// The place of the call that is expanded, which all of its instructions have.
  var expansion: SourceRange?
  /// What the value at hand is bound to: it names an object that a call makes.
  var boundName: String?

  /// The functions that are called, by what they are made of, with their blocks.
  var instances: [InstanceKey: BlockID] = [:]
  var pending: [(symbol: FunctionSymbol, substitution: Substitution, block: BlockID)] = []
  var locals: [ObjectIdentifier: BlockID] = [:]
  var classes: [SwiftType: Int] = [:]
  /// The closures that functions of bodies are, by the numbers that captures know them by.
  var localFunctions: [ObjectIdentifier: Int32] = [:]
  /// Getters for stored properties that protocols ask for.
  var storedWitnesses: [ObjectIdentifier: FunctionSymbol] = [:]
  var expansionDepth = 0
  /// The chains around the expression at hand, innermost last.
  var chains: [Chain] = []
  /// Whether the place that is prepared is about to be changed.
  var isChanging = false
  /// Whether the initialiser of the type at hand is made.
  var isInitializing = false
  /// The type whose initialiser is made, and the register with the value that it makes.
  var initialized: Nominal?
  var initializedValue: Register?
  /// The property whose observer is made.
  var observing: VariableSymbol?
  /// Whether the values at the top are made.
  var isMakingGlobals = false
  /// The globals with the errors of each type, and all that a program does not name.
  var errorTables: [SwiftType: GlobalID] = [:]
  /// These types, in the order in which they were met.
  var errorTypes: [SwiftType] = []
  var hiddenGlobals: [GlobalID] = []
  /// The statics that were met in bodies: they get their values before the run.
  var lateStatics: [VariableSymbol] = []
  var lazyStatics: [ObjectIdentifier: LazyStatic] = [:]
  var pendingStatics: [VariableSymbol] = []
  var globals: [ObjectIdentifier: GlobalID] = [:]
  /// The global actors, by the numbers that hops know them by.
  var globalActors: [Nominal] = []
  /// The block that says what the runtime prints of an error that nothing catches; nil for none.
  var reflection: BlockID?
  /// What `#function` is in the code at hand.
  var functionName = "main"

  struct InstanceKey: Hashable {
    var symbol: ObjectIdentifier
    var substitution: Substitution
  }

  /// Where the value of a local variable is.
  enum Storage {
    /// In a register of the frame at a depth, which captures know by a number.
    case register(Register, depth: Int, symbol: Int32)
    /// In a box that the register has; reading it is an event where closures share it.
    case box(Register, depth: Int, symbol: Int32, isShared: Bool)
    /// In a place of the caller, which is expanded around it.
    case place(Place)
    /// A closure that is expanded where it is called.
    case closure(ExpandedClosure)
    /// What the task gives that the register of a symbol has: of an `async let`.
    case task(Int32)
  }

  /// A closure with what names and types mean where it is written.
  final class ExpandedClosure {
    let closure: Typed.Closure
    let substitution: Substitution
    let expansion: SourceRange?
    var storages: [ObjectIdentifier: Storage]

    init(
      _ closure: Typed.Closure, _ substitution: Substitution, _ expansion: SourceRange?,
      _ storages: [ObjectIdentifier: Storage]
    ) {
      (self.closure, self.substitution) = (closure, substitution)
      (self.expansion, self.storages) = (expansion, storages)
    }
  }

  init(_ bodies: BodyTable, _ code: CodeBuilder, _ program: Program) {
    (self.bodies, self.code, self.program) = (bodies, code, program)
    known = bodies.table.known
    source = bodies.table.source
  }

  /// Reports what emission cannot do yet.
  func unsupported(_ what: String, _ range: SourceRange) {
    table.report("\(what) is not known here yet", range)
  }

  // MARK: Types

  /// A type with its type parameters replaced by their arguments.
  func concrete(_ type: SwiftType) -> SwiftType {
    let made = type.substituting(substitution)
    if case .member(let base, let name) = made { return base.associated(name) }
    return made
  }

  // MARK: The frame

  func emit(_ instruction: Instruction, _ range: SourceRange) {
    code.frame.emit(instruction, expansion ?? range)
  }

  func allocate() -> Register { code.frame.allocate() }

  /// A number by which captures know a register.
  func symbol(_ register: Register) -> Int32 {
    nextSymbol += 1
    symbols[nextSymbol] = (register, code.depth)
    return nextSymbol
  }

  /// The register of a symbol in the present block, which captures it where it must.
  func register(of symbol: Int32) -> Register {
    guard let known = symbols[symbol] else { preconditionFailure("a symbol has a register") }
    return code.register(of: symbol, in: known.register, ofFrame: known.depth)
  }

  func constant(_ value: Int64, into target: Register? = nil, _ range: SourceRange) -> Register {
    let register = target ?? allocate()
    emit(.constant(value, to: register), range)
    return register
  }

  func intern(_ text: String) -> Int64 { Int64(code.intern(text).index) }

  func crash(_ message: String, _ range: SourceRange) {
    let register = constant(intern("Fatal error: \(message)"), range)
    emit(.perform(.doing(.trap), base: register, noSite), range)
    code.frame.isReachable = false
  }

  // MARK: Functions

  /// The block of a function for some type arguments.
  func block(of symbol: FunctionSymbol, _ substitution: Substitution) -> BlockID {
    var relevant = symbol.generics
    var owner = symbol.owner
    while let one = owner {
      relevant += one.generics + [one.selfParameter]
      owner = one.outer
    }
    let own = substitution.filter { relevant.contains($0.key) }
    let key = InstanceKey(symbol: ObjectIdentifier(symbol), substitution: own)
    if let known = instances[key] { return known }
    if instances.count > 4_000 {
      unsupported("a generic function with more than 4,000 lists of types", symbol.range)
    }
    let block = code.reserveBlock()
    instances[key] = block
    pending.append((symbol, own, block))
    return block
  }

  /// Makes the functions that have been called, and those that they call.
  func emitPending() {
    while !pending.isEmpty || !pendingStatics.isEmpty, !table.hasErrors {
      emitPendingStatics()
      if pending.isEmpty { continue }
      let (symbol, substitution, block) = pending.removeFirst()
      emitFunction(symbol, substitution, block)
    }
  }

  /// Makes a function that takes no types at once, where it is not made yet.
  func emitNow(_ symbol: FunctionSymbol) {
    let block = block(of: symbol, [:])
    guard !table.hasErrors,
      let index = pending.firstIndex(where: { $0.symbol === symbol && $0.substitution.isEmpty })
    else { return }
    pending.remove(at: index)
    emitFunction(symbol, [:], block)
  }

  /// Whether an initialiser makes the value that it gives: those of classes are given theirs.
  private func makesValue(_ symbol: FunctionSymbol) -> Bool {
    symbol.isInitializer && symbol.owner?.isReference != true
  }

  private func emitFunction(
    _ symbol: FunctionSymbol, _ substitution: Substitution, _ block: BlockID
  ) {
    guard let body = bodies.body(of: symbol) else {
      return unsupported("'\(symbol.name)'", symbol.range)
    }
    self.substitution = substitution
    storages = [:]
    expansion = symbol.isInLibraryText ? SourceRange(0, 0) : nil
    let range = symbol.range
    code.beginFrame(.thread, name: code.intern(symbol.name))
    var count = 0
    if let own = body.ownSelf, !symbol.isStatic, !makesValue(symbol) {
      declareParameter(own, range)
      count += 1
    }
    for parameter in body.parameters {
      declareParameter(parameter, range)
      count += 1
    }
    code.frame.parameterCount = count
    functionName = symbol.fullName
    beginBody(
      body.scope, body.statements, symbol.bodyRange, isAsync: symbol.isAsync)
    if symbol.isInitializer { beginInitializer(symbol, body, range) }
    isInitializing = symbol.isInitializer
    initialized = symbol.isInitializer ? symbol.owner : nil
    observing = symbol.isObserver ? symbol.variable : nil
    emitStatements(body.statements)
    isInitializing = false
    if symbol.isInitializer { endInitializer(symbol, body, range) }
    code.endFrame(block, range)
    expansion = nil
  }

  /// A parameter in the next register; one that is `inout` has a box there.
  func declareParameter(_ local: Typed.Local, _ range: SourceRange) {
    let register = allocate()
    if local.isInout {
      storages[ObjectIdentifier(local)] = .box(
        register, depth: code.depth, symbol: symbol(register), isShared: false)
    } else if local.isVariable, local.isCaptured {
      declare(local, holding: register, range)
    } else {
      storages[ObjectIdentifier(local)] = .register(
        register, depth: code.depth, symbol: symbol(register))
    }
  }

  /// Gives a local variable its place, with a first value.
  func declare(_ local: Typed.Local, holding value: Register, _ range: SourceRange) {
    if local.isVariable || local.isLate, local.isCaptured {
      let box = allocate()
      emit(
        .instanceMake(box, ClassID(boxClass(local)), code.intern(local.name)), range)
      emit(.fieldStore(box, 0, from: value), range)
      storages[ObjectIdentifier(local)] = .box(
        box, depth: code.depth, symbol: symbol(box), isShared: true)
      return
    }
    let register = allocate()
    emit(.copy(register, from: value), range)
    storages[ObjectIdentifier(local)] = .register(
      register, depth: code.depth, symbol: symbol(register))
  }

  // MARK: Initialisers

  /// The value or instance that an initialiser gives its stored properties.
  private func beginInitializer(
    _ symbol: FunctionSymbol, _ body: BodyTable.Body, _ range: SourceRange
  ) {
    guard let own = body.ownSelf, let owner = symbol.owner else { return }
    if makesValue(symbol) {
      let register = allocate()
      if owner.kind == .struct, owner.builtin == nil {
        let type = concrete(owner.selfType)
        emit(.instanceMake(register, ClassID(classNumber(of: type)), .none), range)
        if !symbol.delegates { storeInitialValues(owner, register, range) }
      } else {
        emit(.constant(noValue, to: register), range)
      }
      initializedValue = register
      storages[ObjectIdentifier(own)] = .register(
        register, depth: code.depth, symbol: self.symbol(register))
    } else if !symbol.delegates, let register = ownRegister(own) {
      storeInitialValues(owner, register, range)
    }
  }

  /// Does what the initialiser of a class above does that takes nothing, where no code calls it.
  func initialize(_ instance: Register, as nominal: Nominal, _ range: SourceRange) {
    let known = (nominal.members["init"] ?? []).compactMap { $0 as? FunctionSymbol }
    guard let symbol = known.first(where: { $0.parameters.allSatisfy(\.hasStandard) }) else {
      storeInitialValues(nominal, instance, range)
      if let parent = nominal.superclass?.nominal { initialize(instance, as: parent, range) }
      return
    }
    if case .memberwise = symbol.implementation {
      storeInitialValues(nominal, instance, range)
    } else if symbol.parameters.isEmpty {
      _ = emitBlockCall(block(of: symbol, [:]), [.register(instance)], result: .void, range)
    } else {
      unsupported("an initialiser with defaults that is not called", symbol.range)
    }
  }

  func storeInitialValues(_ owner: Nominal, _ instance: Register, _ range: SourceRange) {
    for variable in owner.stored {
      let next = code.frame.next
      if variable.isLazy {
        let none = constant(noValue, range)
        emit(.fieldStore(instance, fieldNumber(variable, owner), from: none), range)
      } else if let value = bodies.initialValue(of: variable) {
        boundName = isMade(value) ? variable.name : nil
        let made = emitOwned(value)
        boundName = nil
        emit(.fieldStore(instance, fieldNumber(variable, owner), from: made), range)
      } else if !variable.isLet, bodies.type(of: variable).wrapped != nil {
        let none = constant(noValue, range)
        emit(.fieldStore(instance, fieldNumber(variable, owner), from: none), range)
      }
      code.frame.next = next
    }
  }

  private func ownRegister(_ own: Typed.Local) -> Register? {
    if case .register(let register, _, _)? = storages[ObjectIdentifier(own)] { return register }
    return nil
  }

  private func endInitializer(
    _ symbol: FunctionSymbol, _ body: BodyTable.Body, _ range: SourceRange
  ) {
    guard let own = body.ownSelf, let register = ownRegister(own), code.frame.isReachable else {
      return
    }
    if !makesValue(symbol), !symbol.callsSuper, !symbol.delegates,
      let parent = symbol.owner?.superclass?.nominal
    {
      initialize(register, as: parent, range)
    }
    emit(.finishWith(register), range)
    code.frame.isReachable = false
  }
}

extension DeclarationTable {
  /// Whether something was refused.
  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
