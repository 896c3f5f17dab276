import SpindleModel

/// The declaration of a type: what it is, what it has, what it conforms to.
final class Nominal: Hashable {
  enum Kind { case `struct`, `enum`, `class`, actor, `protocol` }

  let name: String
  let kind: Kind
  /// What a value of it is in a program, for types that no trace can declare; nil for the others.
  var builtin: Builtin?
  /// Where it is declared; nil for the library.
  var place: SourceRange?
  var generics: [GenericParameter] = []
  /// The `Self` type of a protocol.
  let selfParameter: GenericParameter
  var superclass: SwiftType?
  /// The classes that are declared as its subclasses.
  var subclasses: [Nominal] = []
  private(set) var conformances: [Conformance] = []
  /// The protocols that a protocol refines.
  var refined: [Nominal] { conformances.map(\.requirement) }
  /// Members by name, in the order of their declarations.
  private(set) var members: [String: [MemberSymbol]] = [:]
  /// Nested types, type aliases and, for what conforms to a protocol, associated types.
  var types: [String: SwiftType] = [:]
  /// Its type aliases with type parameters of their own.
  var aliases: [String: TypeAlias] = [:]
  var associatedTypes: [String] = []
  /// The cases of an `enum`, in order.
  var cases: [CaseSymbol] = []
  /// The stored properties, in order.
  var stored: [VariableSymbol] = []
  /// The type of the raw values of an `enum`; nil for none.
  var rawType: SwiftType?
  var deinitializer: FunctionSymbol?
  var isolation = SymbolIsolation.unspecified
  var isGlobalActor = false
  /// The type around it; nil for one at the top.
  var outer: Nominal?
  /// The class of library objects that its values are; nil for none.
  var handle: HandleClass?
  /// The closed list of names that its values are taken from.
  var family: SymbolFamily?
  /// Whether it inherits from, or conforms to, a type that no file declares.
  var hasUnknownParent = false
  /// Whether a Swift file names it and nothing declares it.
  var isOpaque = false
  /// Whether it is a type of a Swift file that no code of the program reaches.
  var isUnreached = false
  var isLibrary = false
  /// The types that the body around it declares.
  var localTypes: [String: Nominal] = [:]
  /// For `any Repo<Int>` the protocol, and what its primary associated types are; nil for what is declared.
  private(set) var constraint: (base: Nominal, arguments: [SwiftType])?
  private var constrained: [[SwiftType]: Nominal] = [:]
  /// The modifiers of its declaration.
  var modifiers = Grammar.Modifiers()
  /// Whether properties may be declared with it as an attribute.
  var isWrapper: Bool { modifiers.attribute("propertyWrapper") != nil }

  init(_ name: String, _ kind: Kind) {
    (self.name, self.kind) = (name, kind)
    selfParameter = GenericParameter("Self")
  }

  /// Releases all that it refers to, since declarations refer to each other in cycles.
  func dissolve() {
    (superclass, subclasses, conformances, members, types) = (nil, [], [], [:], [:])
    (cases, stored, rawType, deinitializer) = ([], [], nil, nil)
    (outer, localTypes, generics, aliases) = (nil, [:], [], [:])
    (selfParameter.bounds, selfParameter.members) = ([], [:])
    constrained = [:]
  }

  /// What extensions and subclasses of a program change.
  struct Mark {
    fileprivate let subclasses: [Nominal]
    fileprivate let conformances: [Conformance]
    fileprivate let members: [String: [MemberSymbol]]
    fileprivate let types: [String: SwiftType]
    fileprivate let aliases: [String: TypeAlias]
    fileprivate let stored: [VariableSymbol]
  }

  /// What it is at the moment, for `restore`.
  var mark: Mark {
    Mark(
      subclasses: subclasses, conformances: conformances, members: members, types: types,
      aliases: aliases, stored: stored)
  }

  /// Makes it what it was; constant time.
  func restore(_ mark: Mark) {
    if !constrained.isEmpty { constrained = [:] }
    (subclasses, conformances, members) = (mark.subclasses, mark.conformances, mark.members)
    (types, aliases, stored) = (mark.types, mark.aliases, mark.stored)
  }

  static func == (one: Nominal, other: Nominal) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Types whose values the program represents in a way of their own.
  enum Builtin: String {
    case integer = "Int"
    case double = "Double"
    case boolean = "Bool"
    case string = "String"
    case duration = "Duration"
    case instant = "DispatchTime"
    case size = "ByteCount"
    case optional = "Optional"
    case array = "Array"
    case dictionary = "Dictionary"
    case set = "Set"
    case never = "Never"
    /// A number of another width; its values are whole numbers within bounds.
    case fixedInteger
    /// An object of the library.
    case handle
    /// A name of a closed list.
    case symbol
    /// Some of the names of a closed list.
    case options
  }

  /// Whether it is an asynchronous sequence whose elements the simulator gives.
  var isAsyncHandle: Bool { handle == .asyncStream || handle == .taskGroup }

  /// The type itself, with its own parameters as arguments.
  var selfType: SwiftType {
    kind == .protocol ? .parameter(selfParameter) : .nominal(self, generics.map { .parameter($0) })
  }

  /// What its name alone means as a type: for a protocol any value of it.
  var writtenType: SwiftType {
    kind == .protocol ? .existential([self]) : .nominal(self, generics.map { .parameter($0) })
  }

  /// Whether it has type parameters besides those of the types around it.
  var hasOwnGenerics: Bool { generics.count > (outer?.generics.count ?? 0) }

  /// The name with the types around it and the module of the program.
  var qualifiedName: String {
    isLibrary ? name : (outer.map(\.qualifiedName) ?? "main") + "." + name
  }

  /// Whether its values are copied when they are assigned.
  var isValue: Bool { kind == .struct || kind == .enum }
  /// Whether its values are actors, so that its members run on them.
  var isOfActors: Bool {
    kind == .actor
      || kind == .protocol && !isLibrary
        && allProtocols.contains { $0.isLibrary && $0.name == Nominal.actorProtocol }
  }
  /// What the dictionary of a thread is called.
  static let threadDictionary = "ThreadDictionary"
  /// What the protocol is called that all actors conform to.
  static let actorProtocol = "Actor"

  /// Whether its values are known by their identity.
  var isReference: Bool { kind == .class || kind == .actor }

  func add(_ member: MemberSymbol) { members[member.name, default: []].append(member) }

  func add(_ conformance: Conformance) {
    guard !conformances.contains(where: { $0.requirement === conformance.requirement }) else {
      return
    }
    conformances.append(conformance)
  }

  /// What the type arguments `arguments` make of the type's parameters.
  func substitution(_ arguments: [SwiftType]) -> Substitution {
    guard generics.count == arguments.count else { return [:] }
    return Substitution(uniqueKeysWithValues: zip(generics, arguments))
  }

  /// The type that is an associated type of this name; nil for none.
  func associated(_ name: String, _ arguments: [SwiftType]) -> SwiftType? {
    if let type = types[name] { return type.substituting(substitution(arguments)) }
    if let index = generics.firstIndex(where: { $0.name == name }), index < arguments.count {
      return arguments[index]
    }
    if case .nominal(let parent, let given)? = superclass {
      return parent.associated(name, given.map { $0.substituting(substitution(arguments)) })
    }
    return nil
  }

  /// Whether it has a member that takes the place of another one: a variable of its name, or a function of its labels.
  func has(_ member: MemberSymbol) -> Bool {
    (members[member.name] ?? []).contains { other in
      guard let function = member as? FunctionSymbol else { return !(other is FunctionSymbol) }
      return (other as? FunctionSymbol)?.parameters.map(\.label)
        == function.parameters.map(\.label)
    }
  }

  /// A protocol whose primary associated types are given: `Repo<Int>`.
  func constrained(by arguments: [SwiftType]) -> Nominal {
    if let known = constrained[arguments] { return known }
    let made = Nominal("\(name)<\(arguments.map { "\($0)" }.joined(separator: ", "))>", .protocol)
    (made.isLibrary, made.place, made.constraint) = (isLibrary, place, (self, arguments))
    made.add(Conformance(self))
    made.selfParameter.members = selfParameter.members
    for (name, type) in zip(associatedTypes, arguments) { made.types[name] = type }
    constrained[arguments] = made
    return made
  }

  /// Whether it conforms to a protocol, itself or by what it inherits from, whatever its associated types are.
  func conforms(to other: Nominal) -> Bool {
    if let base = other.constraint?.base { return conforms(to: base) }
    if self === other { return kind == .protocol }
    if conformances.contains(where: { $0.requirement.refines(other) }) { return true }
    return superclass?.nominal?.conforms(to: other) ?? false
  }

  /// Whether a protocol is another one or refines it.
  func refines(_ other: Nominal) -> Bool {
    self === other || conformances.contains { $0.requirement.refines(other) }
  }

  /// How many protocols a protocol refines, in the longest line of them.
  var depth: Int { conformances.map { $0.requirement.depth + 1 }.max() ?? 0 }

  /// Whether a class is another one or a subclass of it, however many classes are between them.
  func isSubclass(of other: Nominal) -> Bool {
    self === other || (superclass?.nominal?.isSubclass(of: other) ?? false)
  }

  /// Whether a protocol that it conforms to has an associated type of this name.
  func isAsked(for name: String) -> Bool {
    conformances.contains {
      $0.requirement.associatedTypes.contains(name) || $0.requirement.isAsked(for: name)
    } || superclass?.nominal?.isAsked(for: name) == true
  }

  /// Whether nothing declares it, or something above it: what it has is not known.
  var isUndeclared: Bool {
    isOpaque || hasUnknownParent || superclass?.nominal?.isUndeclared == true
  }

  /// What says, in the type or in an extension of it, that it conforms to a protocol.
  func conformance(to other: Nominal) -> Conformance? {
    conformances.first { $0.requirement.refines(other) }
  }

  /// All protocols that it conforms to, each once.
  var allProtocols: [Nominal] {
    var found: [Nominal] = []
    func visit(_ nominal: Nominal) {
      for conformance in nominal.conformances where !found.contains(conformance.requirement) {
        found.append(conformance.requirement)
        visit(conformance.requirement)
      }
      if let parent = nominal.superclass?.nominal { visit(parent) }
    }
    visit(self)
    return found
  }
}

/// What an extension asks of a type: that it conforms to a protocol, or that it is another type.
typealias TypeCondition = (type: SwiftType, requirement: Nominal?, same: SwiftType?)

/// That a type conforms to a protocol, and under which conditions on its type parameters.
final class Conformance {
  let requirement: Nominal
  /// Where an extension of a type of the library says so; nil elsewhere.
  var place: SourceRange?
  /// Each has to conform to the protocol beside it.
  var conditions: [TypeCondition] = []

  init(_ requirement: Nominal) { self.requirement = requirement }
}

/// Where the code of a declaration runs.
enum SymbolIsolation: Hashable {
  case unspecified
  case nonisolated
  case nonsending
  /// `@concurrent`.
  case concurrent
  case mainActor
  case globalActor(Nominal)
  /// On the actor that `self` is.
  case ownActor
}
