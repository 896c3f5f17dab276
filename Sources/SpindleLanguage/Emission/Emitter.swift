import SpindleModel

/// Typed trees to instructions.
///
/// It finds no type and looks no name up. Each function is made once for each list of type arguments; a function that
/// is `@inlined` is expanded where it is called. What it cannot do yet is reported.
final class Emitter {
  let code: CodeBuilder
  var program: Program
  let bodies: BodyTable
  var table: DeclarationTable { bodies.table }
  let known: KnownTypes
  let source: SourceText

  /// The arguments for the type parameters in scope.
  var substitution: Substitution = [:]
  /// Where the values of local variables are.
  var storages: [ObjectIdentifier: Storage] = [:]
  /// The registers that captures name, with the frames that have them and what who captures them retains.
  var symbols: [Int32: (register: Register, depth: Int, kind: LifeKind?)] = [:]
  var nextSymbol: Int32 = 0
  /// The place of the call that is expanded, which all of its instructions have.
  var expansion: SourceRange?
  /// The types of instances whose text is being put together, one within another.
  var described: Set<SwiftType> = []
  /// The block that describes values that are `Any`, where something does.
  var anyDescription: BlockID?
  /// The block that compares two values whose type only the run knows.
  var anyEquality: BlockID?
  /// Whether the closure at hand gives an optional that is an element of a group, whose end is nil.
  var wrapsResult = false
  /// What the value at hand is bound to: it names an object that a call makes.
  var boundName: String?
  /// The lazy property whose first value the function at hand makes and returns.
  var returnedName: String?
  /// For a tuple what each of its parts is bound to.
  var boundParts: [String?] = []
  /// The index that is part of the name, where an array of objects is bound to it.
  var boundElement: Register?

  /// Whether anything is counted: where a program has no classes, nothing shows when something dies, objects of the
  /// library apart.
  lazy var isCounting = table.usedTypes.contains(where: \.isReference) || !counted.isEmpty
  /// The classes of the library whose objects are counted.
  var counted: Set<HandleClass> = []
  /// How many blocks are open in the function at hand.
  var openBlocks = 0
  /// The variables of a tool's main whose objects are there until the process ends.
  var kept: Set<Register> = []
  /// How many temporaries there were in front of the call at hand.
  var temporariesOfCall = 0
  /// The call whose result nothing takes, and whether it is the expression at hand.
  var dropped: Typed.Expression?
  var isDropped = false

  /// The functions that are called, by what they are made of, with their blocks.
  var instances: [InstanceKey: BlockID] = [:]
  /// The blocks that run when instances of classes die, and those of them that are not made yet.
  var endBlocks: [SwiftType: BlockID] = [:]
  var pendingEnds: [SwiftType] = []
  var endTypes: [SwiftType] = []
  var pending: [(symbol: FunctionSymbol, substitution: Substitution, block: BlockID)] = []
  var classes: [SwiftType: Int] = [:]
  /// The types of generic declarations that an earlier pass found, and whether anything asks for them.
  var knownInstances: [SwiftType] = []
  var asksForInstances = false
  /// Where the closures are that functions of bodies are.
  var localFunctions: [ObjectIdentifier: FunctionPlace] = [:]
  /// Getters for stored properties that protocols ask for.
  var storedWitnesses: [ObjectIdentifier: [String: FunctionSymbol]] = [:]
  var expansionDepth = 0
  /// The closures that are formed in front of what runs them, with the values of their lists.
  var formed: [ObjectIdentifier: ExpandedClosure] = [:]
  /// The chains around the expression at hand, innermost last.
  var chains: [Chain] = []
  /// Whether the place that is prepared is about to be changed.
  var isChanging = false
  /// Whether the initialiser of the type at hand is made.
  var isInitializing = false
  /// Whether the code at hand answers the library's question whether an operation is ready.
  var asksReadiness = false
  /// Reads the files that the trace names; nil if the caller reads no files.
  var files: Overrides.FileReader?
  /// The type whose initialiser is made, and the register with the value that it makes.
  var initialized: Nominal?
  var initializedValue: Register?
  /// The property whose observer is made.
  var observing: VariableSymbol?
  /// The expression of the statement at hand, of which nothing takes the value.
  var discarded: Typed.Expression?
  /// Whether the values at the top are made.
  var isMakingGlobals = false
  /// The tables that a program does not name, in the order in which they were met.
  var hiddenTables: [(table: HiddenTable, global: GlobalID)] = []
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

  /// A number by which captures know a register; who captures it retains what `kind` says.
  func symbol(_ register: Register, _ kind: LifeKind?) -> Int32 {
    nextSymbol += 1
    symbols[nextSymbol] = (register, code.depth, kind)
    return nextSymbol
  }

  /// The place of a value of a type in a register.
  func storage(_ register: Register, _ type: SwiftType) -> Storage {
    .register(register, depth: code.depth, symbol: symbol(register, lifeKind(type)))
  }

  /// The place of a variable in a register.
  func storage(_ register: Register, of local: Typed.Local) -> Storage {
    .register(register, depth: code.depth, symbol: symbol(register, lifeKind(of: local)))
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
    while !pending.isEmpty || !pendingStatics.isEmpty || !pendingEnds.isEmpty, !table.hasErrors {
      emitPendingStatics()
      emitPendingEnds()
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
    code.beginFrame(name: code.intern(blockName(of: symbol)))
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
    returnedName = symbol.variable?.maker === symbol ? symbol.name : nil
    emitStatements(body.statements)
    returnedName = nil
    isInitializing = false
    if symbol.isInitializer { endInitializer(symbol, body, range) }
    endFrame(block, range)
    expansion = nil
  }

  /// What a call is called in the chain of calls of a crash: a member with its type.
  private func blockName(of symbol: FunctionSymbol) -> String {
    symbol.owner.map { "\($0.name).\(symbol.name)" } ?? symbol.name
  }

  /// A parameter in the next register; one that is `inout` has a box there.
  func declareParameter(_ local: Typed.Local, _ range: SourceRange) {
    let register = allocate()
    if local.isInout {
      storages[ObjectIdentifier(local)] = .box(
        register, depth: code.depth, symbol: symbol(register, boxKind), isShared: false)
    } else if local.isVariable, local.isCaptured || lifeKind(of: local) != nil {
      declare(local, holding: register, range)
    } else {
      storages[ObjectIdentifier(local)] = storage(register, of: local)
    }
  }

  /// What owns the value of a local variable: its scope, or the full expression that contains it.
  enum Extent { case scope, expression }

  /// Whether closures share a local variable, so that it is in a box.
  private func isBoxed(_ local: Typed.Local) -> Bool {
    (local.isVariable || local.isLate) && local.isCaptured
  }

  /// Gives a local variable its place, with a first value.
  func declare(
    _ local: Typed.Local, holding value: Register, until extent: Extent = .scope,
    _ range: SourceRange
  ) {
    if isBoxed(local) {
      var box = allocate()
      emit(
        .instanceMake(box, ClassID(boxClass(local)), code.intern(local.name)), range)
      if let kind = boxKind {
        let owner = register(kind, extent)
        emit(.hold(owner, from: box, kind), range)
        box = owner
      }
      emit(.fieldStore(box, 0, from: value), range)
      if isToTheEnd(lifeKind(of: local)) { emit(.keep(box, .instance), range) }
      storages[ObjectIdentifier(local)] = .box(
        box, depth: code.depth, symbol: symbol(box, boxKind), isShared: true)
      return
    }
    let own: Register
    if let kind = lifeKind(of: local) {
      own = register(kind, extent)
      emit(.retain(own, from: value, kind), range)
      if isToTheEnd(kind) {
        emit(.keep(own, kind), range)
        kept.insert(own)
      }
    } else {
      own = allocate()
      emit(.copy(own, from: value), range)
    }
    storages[ObjectIdentifier(local)] = storage(own, of: local)
  }

  /// Gives a local variable its place: the register of its first value, which nothing else uses, where that will do.
  func declare(_ local: Typed.Local, taking value: Register, _ range: SourceRange) {
    guard !isBoxed(local), lifeKind(of: local) == nil else {
      return declare(local, holding: value, range)
    }
    storages[ObjectIdentifier(local)] = storage(value, of: local)
  }

  /// Makes the temporary that alone owns a new value the variable, if it is one of those behind `mark`.
  func takeOver(_ value: Register, from mark: Int, as local: Typed.Local) -> Bool {
    guard !isBoxed(local), let kind = lifeKind(of: local), !isToTheEnd(kind),
      let index = code.frame.temporaries.indices.last(where: {
        $0 >= mark && code.frame.temporaries[$0].register == value
      }), code.frame.temporaries[index].kind == kind
    else { return false }
    code.frame.scoped.append(code.frame.temporaries.remove(at: index))
    storages[ObjectIdentifier(local)] = storage(value, of: local)
    return true
  }

  private func register(_ kind: LifeKind, _ extent: Extent) -> Register {
    extent == .scope ? scopedRegister(kind) : temporary(kind)
  }

  /// What is retained of a box for a variable that closures share.
  private var boxKind: LifeKind? { isCounting ? .instance : nil }
}

extension DeclarationTable {
  /// Whether something was refused.
  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
