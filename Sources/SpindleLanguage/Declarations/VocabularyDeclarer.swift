import SpindleModel

/// The rows of the vocabulary as declarations.
enum VocabularyDeclarer {
  /// Types that the library's text declares, because their rows need type arguments.
  private static let inText: Set<String> = [
    "Task", "TaskGroup", "CheckedContinuation", "AsyncStream", "Result", "OSAllocatedUnfairLock",
  ]

  /// Declares the types of library objects and the closed lists of names.
  static func declareTypes(in table: DeclarationTable) {
    // What 'yield' gives has values in its cases: the library's text declares it.
    for family in SymbolFamily.allCases where family != .yieldResult {
      guard let type = family.type, table.types[family.rawValue] == nil else { continue }
      let nominal = Nominal(family.rawValue, .struct)
      nominal.isLibrary = true
      nominal.family = family
      if case .options = type { nominal.builtin = .options } else { nominal.builtin = .symbol }
      table.add(nominal)
      table.families[family] = nominal
    }
    for (name, other) in otherNames { table.alias(name, other) }
    for entry in table.vocabulary.types where !inText.contains(entry.name) {
      let nominal = table.types[entry.name] ?? Nominal(entry.name, .class)
      nominal.isLibrary = true
      if let handle = entry.handle {
        nominal.builtin = .handle
        nominal.handle = handle
        // A second type of one class of objects is a subclass of the first.
        if let first = table.handles[handle], first !== nominal {
          nominal.superclass = first.selfType
        }
        if table.handles[handle] == nil { table.handles[handle] = nominal }
      }
      if table.types[entry.name] == nil { table.add(nominal) }
    }
    for nominal in table.libraryTypes {
      if let handle = nominal.handle, table.handles[handle] == nil {
        table.handles[handle] = nominal
      }
    }
    for handle in HandleClass.allCases where table.handles[handle] == nil {
      guard handle == .executor || handle == .runLoopItem else { continue }
      let nominal = Nominal(handle.name, .class)
      nominal.isLibrary = true
      (nominal.builtin, nominal.handle) = (.handle, handle)
      table.handles[handle] = nominal
      table.add(nominal)
    }
  }

  /// Names that Apple's interfaces have for types which the vocabulary calls otherwise.
  private static let otherNames: [(String, String)] = [
    ("DispatchSerialQueue", "DispatchQueue"), ("DispatchConcurrentQueue", "DispatchQueue"),
    ("DispatchQoS.QoSClass", "DispatchQoS"), ("Thread.QualityOfService", "QualityOfService"),
  ]

  /// Declares the members of these types, and the functions and variables outside of types.
  static func declareMembers(in table: DeclarationTable) {
    let declared = VocabularyRows(table: table)
    for family in SymbolFamily.allCases { table.families[family]?.declareComparison(in: table) }
    for entry in table.vocabulary.types {
      guard !inText.contains(entry.name), let nominal = table.types[entry.name] else { continue }
      for row in entry.initializers {
        let made = declared.function(row, owner: nominal, named: "init")
        (made.isInitializer, made.isDiscardable) = (true, row.traits.contains(.ignorable))
        if nominal.superclass != nil { made.result = nominal.selfType }
        nominal.add(made)
      }
      declared.add(entry.statics, to: nominal, isStatic: true)
      if let handle = entry.handle, table.handles[handle] === nominal {
        declared.add(table.vocabulary.instances[Int(handle.rawValue)], to: nominal, isStatic: false)
        nominal.add(Conformance(table.known.hashable))
        nominal.declareComparison(in: table)
      }
    }
    for handle in [HandleClass.executor, .runLoopItem] {
      guard let nominal = table.handles[handle] else { continue }
      declared.add(table.vocabulary.instances[Int(handle.rawValue)], to: nominal, isStatic: false)
    }
    for nominal in table.libraryTypes where nominal.handle != nil {
      declared.connect(nominal)
    }
    for name in table.vocabulary.free.names {
      for row in table.vocabulary.free.overloads(name) ?? [] where !declared.isInText(row) {
        table.add(declared.function(row, owner: nil))
      }
      if let property = table.vocabulary.free.property(name) {
        table.add(declared.variable(property, owner: nil, isStatic: false))
      }
    }
  }
}

extension DeclarationTable {
  /// Declares `name` as another name of the type `other`.
  fileprivate func alias(_ name: String, _ other: String) {
    aliases[name] = TypeAlias(
      generics: [],
      type: Grammar.TypeSyntax(kind: .name(other, []), range: SourceRange(0, 0)),
      context: TypeContext())
  }
}

extension Nominal {
  /// `==` by the word that a value is.
  fileprivate func declareComparison(in table: DeclarationTable) {
    if members["=="] != nil { return }
    add(Conformance(table.known.hashable))
    addOperator("==", "equal", table)
    addOperator("!=", "notEqual", table)
  }

  /// Declares an operator of two values of the type that gives a truth value, and that the emitter knows as `builtin`.
  func addOperator(_ name: String, _ builtin: String, _ table: DeclarationTable) {
    let made = FunctionSymbol(name, place ?? SourceRange(0, 0), owner: self)
    made.isStatic = true
    made.parameters = ["a", "b"].map {
      FunctionSymbol.Parameter(
        label: nil, name: $0, type: selfType, hasStandard: false, range: made.range)
    }
    made.result = table.known.boolean
    made.implementation = .builtin(builtin)
    made.isolation = .nonisolated
    // It is there where the type conforms.
    let conformance = conformance(to: table.known.equatable)
    made.conditions = conformance?.conditions ?? []
    add(made)
  }
}

/// Rows to symbols.
private struct VocabularyRows {
  let table: DeclarationTable

  /// Whether the library's text has the function of a row.
  func isInText(_ row: Member) -> Bool {
    [
      "print", "fatalError", "dispatchPrecondition", "choice", "NSLog", "setSpecific",
      "getSpecific",
    ].contains(row.name)
  }

  func add(_ members: MemberTable, to nominal: Nominal, isStatic: Bool) {
    for name in members.names {
      for row in members.overloads(name) ?? [] where !isInText(row) {
        let made = function(row, owner: nominal)
        made.isStatic = isStatic
        nominal.add(made)
      }
      if let property = members.property(name) {
        nominal.add(variable(property, owner: nominal, isStatic: isStatic))
      }
    }
  }

  /// Gives what the library's text declares of a type its rows, and declares the rows that the text leaves out.
  func connect(_ nominal: Nominal) {
    guard let handle = nominal.handle else { return }
    let entry = table.vocabulary.types.first { $0.handle == handle }
    let instances = table.vocabulary.instances[Int(handle.rawValue)]
    let symbols = nominal.members.keys.sorted().flatMap { nominal.members[$0] ?? [] }
    guard symbols.contains(where: \.isFromRow) else { return }
    for case let symbol as FunctionSymbol in symbols where symbol.isFromRow {
      let rows =
        symbol.isInitializer
        ? entry?.initializers
        : (symbol.isStatic ? entry?.statics : instances)?.overloads(symbol.name)
      let row = rows?.first { $0.formals.map { $0.label?.text } == symbol.parameters.map(\.label) }
      if let row { symbol.implementation = .row(row) }
    }
    for case let symbol as VariableSymbol in symbols where symbol.isFromRow {
      symbol.row = (symbol.isStatic ? entry?.statics : instances)?.property(symbol.name)
    }
    if let entry {
      // `TaskGroup(limit: 3)`: an executor, which has the name of another type.
      if nominal.name == entry.name {
        for row in entry.initializers where table.type(row.result)?.nominal !== nominal {
          let made = function(row, owner: nominal, named: "init")
          made.isInitializer = true
          nominal.add(made)
        }
      }
      addRest(entry.statics, to: nominal, isStatic: true)
    }
    addRest(instances, to: nominal, isStatic: false)
  }

  private func addRest(_ members: MemberTable, to nominal: Nominal, isStatic: Bool) {
    for name in members.names {
      let known = (nominal.members[name] ?? []).filter { $0.isStatic == isStatic }
      for row in members.overloads(name) ?? [] {
        let made = function(row, owner: nominal)
        made.isStatic = isStatic
        let isKnown = known.contains { symbol in
          (symbol as? FunctionSymbol)?.parameters.map(\.label) == made.parameters.map(\.label)
        }
        if !isKnown { nominal.add(made) }
      }
      if let property = members.property(name), known.isEmpty {
        nominal.add(variable(property, owner: nominal, isStatic: isStatic))
      }
    }
  }

  func variable(_ property: Property, owner: Nominal?, isStatic: Bool) -> VariableSymbol {
    let made = VariableSymbol(property.name, SourceRange(0, 0), owner: owner, isLet: false)
    made.row = property
    made.isStatic = isStatic
    made.type = table.type(property.type) ?? .error
    if property.takesNil { made.type = table.known.optional(made.type) }
    made.state = .resolved
    return made
  }

  func function(_ row: Member, owner: Nominal?, named name: String? = nil) -> FunctionSymbol {
    let made = FunctionSymbol(name ?? row.name, SourceRange(0, 0), owner: owner)
    made.implementation = .row(row)
    made.isAsync = row.traits.contains(.suspends)
    made.isDiscardable = row.traits.contains(.ignorable) || row.result.isVoid
    // What runs its closure in place gives what that gives, and throws what that throws.
    // A closure that may be skipped gives nothing.
    var isSkipped = false
    if case .inPlaceIf = row.action { isSkipped = true }
    let result = row.action.isInPlace && !isSkipped ? GenericParameter("Result") : nil
    if let result { made.generics.append(result) }
    for formal in row.formals {
      made.parameters.append(
        parameter(formal, result: result, isInPlace: row.action.isInPlace, &made.generics))
    }
    if let result {
      made.result = .parameter(result)
      made.isThrowing = true
    } else {
      made.result = table.type(row.result) ?? .error
    }
    if row.traits.contains(.neverReturns) {
      made.result = .nominal(table.library("Never"), [])
    }
    return made
  }

  private func parameter(
    _ formal: Formal, result: GenericParameter?, isInPlace: Bool,
    _ generics: inout [GenericParameter]
  ) -> FunctionSymbol.Parameter {
    var type = table.type(formal.type)
    if let result, case .functionOf = formal.type {
      type = .function(
        FunctionType(parameters: [], result: .parameter(result), isThrowing: true))
    }
    if case .function(var function)? = type, !isInPlace {
      // What is not `@Sendable` belongs to the actor of the code that it stands in.
      function.isSendable = !formal.inherits
      type = .function(function)
    }
    if type == nil {
      let generic = GenericParameter("Value")
      generics.append(generic)
      type = .parameter(generic)
    }
    if formal.isOptional, formal.label?.text == "name" || formal.isOptional && formal.takesClosure {
      type = type.map { $0.wrapped == nil ? table.known.optional($0) : $0 }
    }
    return FunctionSymbol.Parameter(
      label: formal.label?.text, name: formal.label?.text ?? "value", type: type ?? .error,
      isInterval: formal.isInterval, isEscaping: !isInPlace && !formal.staysInCall,
      hasStandard: formal.isOptional,
      range: SourceRange(0, 0))
  }
}

extension DeclarationTable {
  /// The type that values of the vocabulary have; nil where a row leaves it open.
  func type(_ type: ValueType) -> SwiftType? {
    switch type {
    case .integer: return known.integer
    case .boolean: return known.boolean
    case .duration: return known.duration
    case .instant: return known.instant
    case .size: return known.size
    case .decimal: return known.double
    case .string: return known.string
    case .symbol(let family), .options(let family):
      return families[family].map { .nominal($0, []) }
    case .handle(let handle): return handles[handle].map { .nominal($0, []) }
    case .optionalOf(let inner): return self.type(inner.type).map { known.optional($0) }
    case .arrayOf(let inner): return self.type(inner.type).map { known.array($0) }
    case .functionOf(let function):
      var parameters: [FunctionType.Parameter] = []
      for parameter in function.parameters {
        guard let made = self.type(parameter) else { return nil }
        parameters.append(FunctionType.Parameter(type: made))
      }
      guard let result = self.type(function.result) else { return nil }
      return .function(FunctionType(parameters: parameters, result: result))
    case .void: return .void
    case .choice, .dictionary, .set, .other, .null, .unknown: return nil
    }
  }
}

extension HandleClass {
  /// The class that the library's text calls so.
  init?(libraryName name: String) {
    guard let found = HandleClass.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = found
  }
}
