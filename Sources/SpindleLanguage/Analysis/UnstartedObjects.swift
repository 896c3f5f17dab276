import SpindleModel

/// Objects that do nothing until somebody says so: dispatch sources, work items, queues that are made inactive, threads.
struct UnstartedObjects {
  /// An object that a name keeps.
  private struct Object {
    var binding: NamedObjects.Binding
    var start: Start
    /// How often it is named.
    var uses = 0
    /// How often it is named only to prepare or to ask it.
    var idleUses = 0
  }

  /// How an object begins to do something.
  private enum Start {
    case submitted, resumed, activated

    /// Whether a primitive starts it that it is given in front of the point.
    func isDone(by primitive: Primitive) -> Bool {
      switch (self, primitive) {
      case (.submitted, .workItem(.perform)), (.resumed, .dispatchSource(.resume)),
        (.resumed, .dispatchSource(.activate)), (.activated, .queue(.activate)):
        true
      default: false
      }
    }

    /// What is said when nothing starts it.
    func warning(_ name: String) -> String {
      switch self {
      case .submitted: Messages.neverSubmitted(name)
      case .resumed: Messages.neverResumed(name)
      case .activated: Messages.neverActivated(name)
      }
    }
  }

  private var found: [ObjectName: Object] = [:]
  /// The names in the order of their declarations.
  private let names: [ObjectName]

  /// The names of the objects that are watched, which are reported here when nothing uses them.
  var watched: Set<ObjectName> { Set(names) }

  init(_ objects: NamedObjects) {
    var names: [ObjectName] = []
    for binding in objects.bindings where binding.isLet {
      guard let start = Self.start(of: binding) else { continue }
      found[binding.name] = Object(binding: binding, start: start)
      names.append(binding.name)
    }
    self.names = names
  }

  private static func start(of binding: NamedObjects.Binding) -> Start? {
    guard case .perform(let primitive) = binding.row.action else { return nil }
    switch primitive {
    case .workItem(.make): return .submitted
    case .dispatchSource(.make): return .resumed
    case .queue(.make): return LibraryObjects.makesInactive(binding.call) ? .activated : nil
    default: return nil
    }
  }

  /// Warns of objects that nothing ever starts.
  mutating func check(_ program: TypedProgram) {
    guard !names.isEmpty else { return }
    var uses = self
    program.walk(TypedWalk(visit: { uses.note($0) }))
    self = uses
    for object in names.compactMap({ found[$0] }) where object.uses == object.idleUses {
      // A name of a body that nothing uses at all has been told already.
      guard object.binding.isAtTop || object.uses > 0 else { continue }
      program.table.warn(object.start.warning(object.binding.text), object.binding.place)
    }
  }

  private mutating func note(_ value: Typed.Expression) {
    switch value.kind {
    case .local(let local): found[ObjectName(local)]?.uses += 1
    case .global(let variable, _): found[ObjectName(variable)]?.uses += 1
    case .property(_, let receiver?):
      if let name = ObjectName(receiver) { found[name]?.idleUses += 1 }
    case .call(let call):
      guard case .function(let symbol) = call.callee, symbol.isOfLibrary,
        let receiver = call.receiver, let name = ObjectName(receiver), let object = found[name]
      else { return }
      if case .row(let row) = symbol.implementation, case .perform(let primitive) = row.action,
        object.start.isDone(by: primitive)
      {
        return
      }
      found[name]?.idleUses += 1
    default: break
    }
  }
}
