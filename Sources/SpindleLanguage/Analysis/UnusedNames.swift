import SpindleModel

/// Names that nothing uses, and variables that are set and never read.
final class UnusedNames {
  private let table: DeclarationTable
  private let uses: NameUses
  /// Names that something has which is no code of the program: an expectation, an option.
  private let named: Set<String>

  /// The objects whose disuse another warning reports.
  private let watched: Set<ObjectName>
  /// The threads that are made where their names are declared.
  private let threads: Set<ObjectName>
  /// The names that closures give to the parts of the tuple which is their parameter.
  private var taken: Set<ObjectIdentifier> = []

  /// For the names that nothing uses; `named` has those at the top that expectations name, and `watched` the objects that
  /// wait to be started.
  init(
    _ table: DeclarationTable, _ uses: NameUses, named: Set<String>, _ objects: NamedObjects,
    watched: Set<ObjectName>
  ) {
    let made = objects.bindings.filter {
      $0.isMade && $0.value.type.nominal?.handle == .thread
    }
    (self.table, self.uses, self.named, self.watched) = (table, uses, named, watched)
    threads = Set(made.map(\.name))
  }

  /// Warns of those in bodies.
  var walk: TypedWalk {
    TypedWalk(
      visit: { value in
        if case .closure(let closure) = value.kind { self.taken.formUnion(self.taken(by: closure)) }
      },
      visitStatement: { self.check($0) })
  }

  // MARK: In bodies

  /// The names that a closure gives to the parts of the tuple which is its parameter.
  private func taken(by closure: Typed.Closure) -> [ObjectIdentifier] {
    closure.body.prefix { $0.range == closure.range }.compactMap { statement in
      guard case .binding(let pattern, _, _) = statement.kind, case .local(let local) = pattern.kind
      else { return nil }
      return ObjectIdentifier(local)
    }
  }

  private func check(_ statement: Typed.Statement) {
    switch statement.kind {
    case .binding(let pattern, _, _):
      checkBound(pattern)
    case .declaration(let local): check(local)
    case .if(let conditions, _, _), .guard(let conditions, _), .while(let conditions, _, _):
      for case .pattern(let pattern, _) in conditions { checkPart(pattern) }
    case .switch(let selection, _):
      for one in selection.cases {
        for item in one.items { checkPart(item.pattern) }
      }
    case .doCatch(_, let catches, _, _):
      for one in catches {
        for item in one.items { checkPart(item.pattern) }
      }
    default: break
    }
  }

  private func checkBound(_ pattern: Typed.Pattern) {
    switch pattern.kind {
    case .local(let local): if !taken.contains(ObjectIdentifier(local)) { check(local) }
    case .tuple(let parts): for part in parts { checkBound(part) }
    default: break
    }
  }

  /// The names that a pattern binds.
  private func checkPart(_ pattern: Typed.Pattern) {
    switch pattern.kind {
    case .local(let local): if !local.isVariable, local.name != "self" { check(local) }
    case .enumCase(_, let parts): for part in parts ?? [] { checkPart(part) }
    case .some(let inner), .asType(let inner, _): checkPart(inner)
    case .tuple(let parts): for part in parts { checkPart(part) }
    default: break
    }
  }

  private func check(_ local: Typed.Local) {
    guard local.name != "_", !uses.read.contains(ObjectIdentifier(local)) else { return }
    warn(local.name, local.range, local.type, isSet: uses.set.contains(ObjectIdentifier(local)))
  }

  private func warn(_ name: String, _ range: SourceRange, _ type: SwiftType, isSet: Bool) {
    if !isSet { return table.warn(Messages.unusedName(name), range) }
    // A variable of an object or a closure may be set to release that.
    if !holds(type.unwrappedFully) { table.warn(Messages.unreadName(name), range) }
  }

  private func holds(_ type: SwiftType) -> Bool {
    if case .function = type { return true }
    return type.isOfObjects
  }

  // MARK: At the top

  func checkTop(_ program: TypedProgram) {
    for name in table.globals.keys.sorted() where !named.contains(name) {
      for symbol in table.globals[name] ?? []
      where !symbol.isInLibraryText && symbol.range.upperBound > 0 && !table.isInFile(symbol.range)
      {
        if uses.read.contains(ObjectIdentifier(symbol)) { continue }
        switch symbol {
        case let function as FunctionSymbol:
          // An operator may be what a protocol asks for.
          if case .body = function.implementation, !NameUses.isOperator(function) {
            table.warn(Messages.unusedName(name), function.nameRange ?? function.range)
          }
        case let variable as VariableSymbol: check(variable, program)
        default: break
        }
      }
    }
  }

  private func check(_ variable: VariableSymbol, _ program: TypedProgram) {
    // One that is observed does something when it is set.
    guard variable.row == nil, variable.path.isEmpty, !variable.isTaskLocal, !variable.isObserved,
      variable.bound == nil
    else { return }
    let (key, name) = (ObjectIdentifier(variable), ObjectName(variable))
    if threads.contains(name), !uses.set.contains(key) {
      return table.warn(Messages.neverStarted(variable.name), variable.range)
    }
    if watched.contains(name) { return }
    let type = program.bodies.type(of: variable)
    guard variable.getter != nil || isPassive(type) else { return }
    warn(variable.name, variable.range, type, isSet: uses.set.contains(key))
  }

  /// Whether a value does nothing unless somebody uses it.
  ///
  /// What does something by being there, as a timer or an instance of a class, is used by that.
  private func isPassive(_ type: SwiftType) -> Bool {
    switch type {
    case .function: return true
    case .nominal(let nominal, let arguments):
      switch nominal.builtin {
      case .integer, .double, .boolean, .string, .duration, .instant, .size, .fixedInteger,
        .symbol, .options:
        return true
      case .optional, .array, .set: return arguments.allSatisfy(isPassive)
      case .dictionary: return arguments.last.map(isPassive) ?? false
      case .handle:
        guard let handle = nominal.handle, arguments.allSatisfy(\.isVoid) else { return false }
        return handle.isLock || [.queue, .operationQueue, .group, .semaphore].contains(handle)
      case .never: return false
      case nil: return nominal.kind == .enum && nominal.cases.allSatisfy(\.values.isEmpty)
      }
    case .tuple, .existential, .parameter, .member, .metatype, .variable, .error: return false
    }
  }
}
