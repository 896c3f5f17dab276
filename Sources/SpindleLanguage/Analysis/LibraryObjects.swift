import SpindleModel

/// Which objects of the library are counted: those of a class whose end a program may notice.
///
/// All others cost nothing.
struct LibraryObjects {
  /// The classes of which something makes an object that can die before the run ends.
  private var made: Set<HandleClass> = []
  /// The classes to whose objects something refers weakly, or whose end shows otherwise.
  private var watched: Set<HandleClass> = []
  private let hasClasses: Bool

  /// The classes that have to be counted in a program.
  static func counted(_ program: TypedProgram) -> Set<HandleClass> {
    var objects = LibraryObjects(program.table.usedTypes.contains(where: \.isReference))
    objects.look(at: program)
    return Set(
      HandleClass.allCases.filter { objects.made.contains($0) && objects.isNeeded($0) })
  }

  private init(_ hasClasses: Bool) { self.hasClasses = hasClasses }

  /// What a 'let' at the top has is there for good.
  private mutating func look(at program: TypedProgram) {
    var found = self
    let walk = TypedWalk(
      visit: { found.note($0) }, visitCall: { call, value in found.note(call, value) })
    for (_, body) in program.bodies.ownBodies { walk.statements(body.statements) }
    for nominal in program.table.usedTypes {
      if let handle = nominal.superclass?.nominal?.handle { found.made.insert(handle) }
      for variable in nominal.stored {
        if let value = program.bodies.initialValue(of: variable) { walk.expression(value) }
        if variable.strength != .strong { found.watch(program.bodies.type(of: variable)) }
      }
    }
    for section in program.sections {
      switch section {
      case .main(let body, _, _): walk.statements(body.statements)
      case .arrival(let value, _): walk.expression(value)
      case .variables(let symbols, let value, let isLet):
        if !isLet { walk.expression(value) }
        for symbol in symbols where symbol.strength != .strong {
          found.watch(program.bodies.type(of: symbol))
        }
      }
    }
    for type in program.bodies.references { found.watch(type) }
    self = found
  }

  private func isNeeded(_ handle: HandleClass) -> Bool {
    switch handle {
    case .semaphore, .dispatchSource, .asyncStream, .continuation: true
    case .workItem, .operation, .timer, .thread, .task: hasClasses || watched.contains(handle)
    default: handle.dies && watched.contains(handle)
    }
  }

  /// Notes a weak or unowned reference.
  private mutating func watch(_ type: SwiftType) {
    if let handle = type.unwrappedFully.nominal?.handle { watched.insert(handle) }
  }

  private mutating func note(_ value: Typed.Expression) {
    // A completion block may hold its operation, or the next one.
    if case .property(let row, _) = value.kind, row.setClosure == .operation(.setCompletion) {
      watched.insert(.operation)
    }
  }

  private mutating func note(_ call: Typed.Call, _ value: Typed.Expression) {
    guard case .function(let symbol) = call.callee else { return }
    switch symbol.implementation {
    case .row(let row):
      guard case .perform(let primitive) = row.action else { return }
      if let handle = primitive.makes(value.type) { made.insert(handle) }
      noteUse(primitive, call)
    case .builtin(let name):
      if let handle = Self.builtins[name] { made.insert(handle) }
      if name == "lockedState" { made.insert(.unfair) }
    case .none, .body, .inlined, .memberwise, .enumCase: break
    }
  }

  /// What emission makes by itself, by its name.
  private static let builtins: [String: HandleClass] = [
    "stream": .asyncStream, "throwingStream": .asyncStream, "streamPair": .asyncStream,
    "throwingStreamPair": .asyncStream, "unfoldingStream": .asyncStream,
    "checkedContinuation": .continuation, "unsafeContinuation": .continuation,
  ]

  /// Notes what shows when a queue or a work item dies.
  private mutating func noteUse(_ primitive: Primitive, _ call: Typed.Call) {
    switch primitive {
    case .queue(.suspend), .queue(.setFinalizer): watched.insert(.queue)
    case .queue(.make):
      if Self.makesInactive(call) { watched.insert(.queue) }
    case .workItem(.notify), .workItem(.notifyItem): watched.insert(.workItem)
    case .operation(.addDependency): watched.insert(.operation)
    default: break
    }
  }

  /// Whether a call makes a queue with the attribute that it begins inactive.
  static func makesInactive(_ call: Typed.Call) -> Bool {
    call.arguments.contains { argument in
      if case .value(let value) = argument { isInactive(value) } else { false }
    }
  }

  private static func isInactive(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .options(.attributes, let bits):
      DispatchQueueAttributes(rawValue: bits).contains(.initiallyInactive)
    case .conversion(let inner), .wrapped(let inner): isInactive(inner)
    default: false
    }
  }
}

extension Primitive {
  /// The class of the object of type `type` that it makes, where its end may show; nil for others.
  func makes(_ type: SwiftType) -> HandleClass? {
    switch self {
    case .task(.make): .task
    case .semaphore(.make): .semaphore
    case .dispatchSource(.make): .dispatchSource
    case .queue(.make): .queue
    case .thread(.make): .thread
    case .group(.make): .group
    case .timer(.make): .timer
    case .workItem(.make): .workItem
    case .operation(.make): .operation
    case .operationQueue(.make): .operationQueue
    case .lock(.make): type.nominal?.handle
    default: nil
    }
  }
}
