import SpindleModel

/// Checks what a program reaches in its Swift files; the rest of them needs no meaning here.
///
/// A trace drives a part of an app: bodies that nothing calls may name what Spindle does not know. A method is reached
/// where a call may dispatch to it, that is if an instance of its type is made and some code calls one of that name.
final class Reach {
  private let bodies: BodyTable
  private var seen: Set<ObjectIdentifier> = []
  private var types: Set<ObjectIdentifier> = []
  /// The types of which instances are made, in the order in which that was found.
  private var made: [Nominal] = []
  /// The names of methods that calls dispatch to.
  private var dispatched: Set<String> = []
  /// Bodies that have been found and not been gone through.
  private var pending: [[Typed.Statement]] = []

  private init(_ bodies: BodyTable) { self.bodies = bodies }

  /// Goes through a program from its `main` and all code of the trace itself.
  static func check(_ program: TypedProgram) {
    let table = program.table
    guard table.hasFiles else { return }
    for nominal in table.ownTypes {
      nominal.isUnreached = nominal.place.map { table.isInFile($0) } ?? false
    }
    let reach = Reach(program.bodies)
    for section in program.sections {
      switch section {
      case .main(let body, _, _): reach.pending.append(body.statements)
      case .variables(_, let value, _), .arrival(let value, _): reach.look(at: value)
      }
    }
    for (symbol, _) in program.bodies.ownBodies { reach.reach(symbol) }
    for value in program.bodies.ownValues { reach.look(at: value) }
    for nominal in table.ownTypes where !nominal.isUnreached { reach.make(nominal) }
    reach.run()
  }

  private func run() {
    while let statements = pending.popLast() { walk.statements(statements) }
  }

  private var walk: TypedWalk { TypedWalk(visit: { self.visit($0) }) }

  private func look(at value: Typed.Expression) { walk.expression(value) }

  private func visit(_ value: Typed.Expression) {
    switch value.kind {
    case .call(let call):
      if case .function(let symbol) = call.callee {
        reach(symbol)
        if symbol.isInitializer, let type = call.made?.nominal ?? symbol.owner { make(type) }
        for argument in call.substitution.values { noteArgument(argument) }
        // What a subclass inherits may make an instance of it.
        if case .metatype(let type)? = call.metatype?.type, let nominal = type.nominal,
          nominal !== symbol.owner
        {
          make(nominal)
        }
      }
    case .function(let symbol, let substitution, _):
      reach(symbol)
      for argument in substitution.values { noteArgument(argument) }
    case .global(let variable, _), .field(_, let variable): reach(variable)
    case .cast(_, _, let type), .metatype(let type): note(type)
    case .conversion(let inner):
      // Code that does not know the type may make an instance of it.
      if case .metatype(let type) = inner.type, let nominal = type.nominal { make(nominal) }
    default: break
    }
    note(value.type)
  }

  /// A function that is made for a class may make an instance of it: `T()`.
  private func noteArgument(_ type: SwiftType) {
    note(type)
    if let nominal = type.nominal, nominal.kind == .class { make(nominal) }
  }

  /// What has values with cases, or is written as one, is made without a call.
  private func note(_ type: SwiftType) {
    switch type {
    case .nominal(let nominal, let arguments):
      if nominal.kind == .enum { make(nominal) }
      for argument in arguments { note(argument) }
    case .tuple(let elements): for element in elements { note(element.type) }
    default: break
    }
  }

  // MARK: Members

  private func reach(_ symbol: FunctionSymbol) {
    guard seen.insert(ObjectIdentifier(symbol)).inserted else { return }
    if let setter = symbol.setter { reach(setter) }
    if let variable = symbol.variable { reach(variable) }
    if let owner = symbol.owner, owner.kind == .protocol || owner.kind == .class {
      dispatch(to: symbol.name)
    }
    if symbol.isStatic, let owner = symbol.owner, !owner.isLibrary { owner.isUnreached = false }
    guard !symbol.isOfLibrary, let body = bodies.body(of: symbol) else { return }
    pending.append(body.statements)
  }

  private func reach(_ variable: VariableSymbol) {
    guard variable.row == nil, !variable.isInLibraryText,
      seen.insert(ObjectIdentifier(variable)).inserted
    else { return }
    note(bodies.type(of: variable))
    if let value = bodies.initialValue(of: variable) { look(at: value) }
    for accessor in [
      variable.getter, variable.setter, variable.willSet, variable.didSet, variable.maker,
    ] {
      if let accessor { reach(accessor) }
    }
  }

  private func reach(_ member: MemberSymbol) {
    switch member {
    case let function as FunctionSymbol: reach(function)
    case let variable as VariableSymbol: reach(variable)
    case let one as SubscriptSymbol:
      reach(one.getter)
      if let setter = one.setter { reach(setter) }
    default: break
    }
  }

  /// A call of this name may run any method that has it, of each type that there are instances of.
  private func dispatch(to name: String) {
    guard dispatched.insert(name).inserted else { return }
    for nominal in made {
      for member in nominal.members[name] ?? [] where !member.isInLibraryText { reach(member) }
    }
  }

  // MARK: Types

  /// An instance of a type is made.
  private func make(_ nominal: Nominal) {
    guard !nominal.isLibrary, types.insert(ObjectIdentifier(nominal)).inserted else { return }
    nominal.isUnreached = false
    made.append(nominal)
    if let parent = nominal.superclass?.nominal { make(parent) }
    for variable in nominal.stored { reach(variable) }
    if let end = nominal.deinitializer, let body = bodies.body(of: end) {
      pending.append(body.statements)
    }
    // What the library asks for by itself: what a protocol of it or a class of it has too.
    let asked = nominal.allProtocols.filter(\.isLibrary)
    for name in nominal.members.keys.sorted() {
      for member in nominal.members[name] ?? [] where !member.isInLibraryText {
        let isAsked = member.isOverride || asked.contains { $0.members[name] != nil }
        if isAsked || dispatched.contains(name) { reach(member) }
      }
    }
  }
}
