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
  /// The modifiers of its declaration.
  var modifiers = Grammar.Modifiers()

  init(_ name: String, _ kind: Kind) {
    (self.name, self.kind) = (name, kind)
    selfParameter = GenericParameter("Self", isSelf: true)
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

  /// The type itself, with its own parameters as arguments.
  var selfType: SwiftType {
    kind == .protocol ? .parameter(selfParameter) : .nominal(self, generics.map { .parameter($0) })
  }

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

  /// Whether it conforms to a protocol, itself or by what it inherits from.
  func conforms(to other: Nominal) -> Bool {
    if self === other { return kind == .protocol }
    if conformances.contains(where: { $0.requirement.refines(other) }) { return true }
    return superclass?.nominal?.conforms(to: other) ?? false
  }

  /// Whether a protocol is another one or refines it.
  func refines(_ other: Nominal) -> Bool {
    self === other || conformances.contains { $0.requirement.refines(other) }
  }

  /// Whether a class is another one or a subclass of it, however many classes are between them.
  func isSubclass(of other: Nominal) -> Bool {
    self === other || (superclass?.nominal?.isSubclass(of: other) ?? false)
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

/// That a type conforms to a protocol, and under which conditions on its type parameters.
final class Conformance {
  let requirement: Nominal
  /// Each has to conform to the protocol beside it.
  var conditions: [(type: SwiftType, requirement: Nominal)] = []

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

/// A member of a type, or a declaration at the top.
class MemberSymbol {
  let name: String
  var range: SourceRange
  /// The type that it is a member of; for one in an extension of a protocol that protocol.
  let owner: Nominal?
  var isStatic = false
  var isOverride = false
  var isolation = SymbolIsolation.unspecified
  /// What has to hold of the type for the member to be there: the conditions of its extension.
  var conditions: [(type: SwiftType, requirement: Nominal?, same: SwiftType?)] = []
  /// Whether it is written in an extension of a protocol, and not a requirement of it.
  var isProtocolExtension = false
  /// Whether the library's own text declares it.
  var isInLibraryText = false
  /// Whether the text says its type and a row of the vocabulary what it does.
  var isFromRow = false

  init(_ name: String, _ range: SourceRange, owner: Nominal?) {
    (self.name, self.range, self.owner) = (name, range, owner)
  }
}

/// A function, a method, an initialiser, an accessor or an operator.
final class FunctionSymbol: MemberSymbol {
  struct Parameter {
    var label: String?
    var name: String
    var type: SwiftType
    var isInout = false
    var isVariadic = false
    var isAutoclosure = false
    var isIsolated = false
    /// Whether it is the actor of the calling code, by its default `#isolation`.
    var isCaller = false
    /// Whether its type says that it outlives the call.
    var isEscaping = false
    var standard: Grammar.Expression?
    /// A default that the library gives by itself, such as a row's.
    var hasStandard: Bool
    var range: SourceRange
  }

  /// Where its name stands; nil for one without a name of its own.
  var nameRange: SourceRange?
  var generics: [GenericParameter] = []
  var parameters: [Parameter] = []
  var result = SwiftType.void
  var isAsync = false
  var isThrowing = false
  /// The type of the errors that it throws, where it says one.
  var thrown: SwiftType?
  var isMutating = false
  /// Whether it is given a place as `self`, and may change the value there: an instance of a class stays the same.
  var changesSelf: Bool { isMutating && !isStatic && owner?.isReference != true }
  var isInitializer = false
  var isFailable = false
  var isConvenience = false
  /// Whether its body calls another initialiser of its type, which gives the properties their values.
  var delegates = false
  /// Whether its body calls the initialiser of the class above by itself.
  var callsSuper = false
  var isDiscardable = false
  /// Whether a protocol asks for it.
  var isRequirement = false
  var implementation = Implementation.none
  /// Pairs of types that have to be the same: `where S.Element == Element`.
  var sameTypes: [(SwiftType, SwiftType)] = []
  /// `get`, `set`, `willSet` or `didSet` for an accessor; nothing for a function.
  var role = ""
  var isObserver: Bool { role == "willSet" || role == "didSet" }
  /// The setter of the same property or subscript, for a getter that has one.
  var setter: FunctionSymbol?
  /// For an accessor what is read and written.
  unowned var variable: VariableSymbol?

  /// What a call comes to.
  enum Implementation {
    case none
    /// The statements of a body.
    case body(Grammar.Block)
    /// A body that is expanded where it is called.
    case inlined(Grammar.Block)
    /// What emission does by itself, by its name.
    case builtin(String)
    /// A row of the vocabulary.
    case row(Member)
    /// Gives each stored property of a `struct` the argument of its name.
    case memberwise
    /// Makes a value of a case.
    case enumCase(CaseSymbol)
  }

  /// Where its body stands; nothing for one without a body.
  var bodyRange: SourceRange {
    switch implementation {
    case .body(let block), .inlined(let block): block.range
    case .none, .builtin, .row, .memberwise, .enumCase: range
    }
  }

  /// Whether the library has it.
  var isOfLibrary: Bool {
    if case .row = implementation { return true }
    return isInLibraryText
  }

  /// The type of the function as a value.
  var type: SwiftType {
    var made = FunctionType(
      parameters: parameters.map { FunctionType.Parameter(type: $0.type, isInout: $0.isInout) },
      result: result, isAsync: isAsync, isThrowing: isThrowing)
    switch isolation {
    case .mainActor: made.isolation = .mainActor
    case .globalActor(let actor): made.isolation = .globalActor(actor)
    case .unspecified, .nonisolated, .nonsending, .concurrent, .ownActor: break
    }
    return .function(made)
  }

  /// The name with its labels: `load(_:)`.
  var fullName: String {
    role.isEmpty
      ? "\(name)(\(parameters.map { ($0.label ?? "_") + ":" }.joined()))" : name
  }
}

/// A property, a global or a static.
final class VariableSymbol: MemberSymbol {
  enum Strength { case strong, weak, unowned }

  /// Its type, which its accessors are given as well: inference may find it when they have been declared.
  var type = SwiftType.error {
    didSet {
      getter?.result = type
      maker?.result = type
      for accessor in [setter, willSet, didSet] {
        for index in accessor?.parameters.indices ?? 0..<0 {
          accessor?.parameters[index].type = type
        }
      }
    }
  }
  var isLet: Bool
  /// Whether its type is written with `!`.
  var isImplicit = false
  var isLazy = false
  var isTaskLocal = false
  /// For the projected value `$id` of a task-local variable, that variable.
  var bound: VariableSymbol?
  var strength = Strength.strong
  /// The value that it has at first; nil for none.
  var value: Grammar.Expression?
  /// The type as it is written; nil where inference finds it.
  var written: Grammar.TypeSyntax?
  var getter: FunctionSymbol?
  var setter: FunctionSymbol?
  var willSet: FunctionSymbol?
  var didSet: FunctionSymbol?
  /// For a lazy property what makes its first value.
  var maker: FunctionSymbol?
  /// The row of the vocabulary that reads and writes it.
  var row: Property?
  /// Whether an attribute names a property wrapper of the program.
  var isWrapped = false
  /// Where it is among several that one pattern binds: `let (a, b) = f()`.
  var path: [Int] = []
  /// Its number among the stored properties of its type.
  var index = 0
  var state = State.unresolved

  /// How far its type is known.
  enum State { case unresolved, resolving, resolved }

  init(_ name: String, _ range: SourceRange, owner: Nominal?, isLet: Bool) {
    self.isLet = isLet
    super.init(name, range, owner: owner)
  }

  /// Whether something is done when it changes.
  var isObserved: Bool { (willSet ?? didSet) != nil }
  /// Whether a place in memory has its value.
  var isStored: Bool { getter == nil && row == nil && !isFromRow }
  /// Whether it can be given another value.
  var isSettable: Bool {
    if row != nil { return row?.isSettable ?? false }
    return isStored ? !isLet : setter != nil
  }
}

/// `subscript`: a getter and, where it can be changed, a setter.
final class SubscriptSymbol: MemberSymbol {
  let getter: FunctionSymbol
  var setter: FunctionSymbol?

  init(getter: FunctionSymbol, owner: Nominal?) {
    self.getter = getter
    super.init("subscript", getter.range, owner: owner)
  }
}

/// A case of an `enum`.
final class CaseSymbol: MemberSymbol {
  var values: [FunctionSymbol.Parameter] = []
  var raw: RawValue?
  var index = 0

  enum RawValue: Hashable {
    case integer(Int64)
    case text(String)
    case decimal(Int64)
  }
}
