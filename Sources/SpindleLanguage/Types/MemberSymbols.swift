import SpindleModel

/// A member of a type, or a declaration at the top.
class MemberSymbol {
  let name: String
  var range: SourceRange
  /// The type that it is a member of; for one in an extension of a protocol that protocol.
  let owner: Nominal?
  var isStatic = false
  var isOverride = false
  var isFinal = false
  /// Whether only its type and the extensions of that in its file see it.
  var isPrivate = false
  var isolation = SymbolIsolation.unspecified
  /// What has to hold of the type for the member to be there: the conditions of its extension.
  var conditions: [(type: SwiftType, requirement: Nominal?, same: SwiftType?)] = []
  /// Whether it is written in an extension of a protocol, and not a requirement of it.
  var isProtocolExtension = false
  /// Whether it is written in an extension of its type.
  var isInExtension = false
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
    /// Whether it is a `TimeInterval` of Foundation, so that a number is seconds.
    var isInterval = false
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
  /// Whether its result is written `some P`: all of its returns give one type.
  var isOpaque = false
  /// Whether its result is the `Self` of a class, or an optional one: an instance of the type that it is called for.
  var givesSelf = false
  /// Whether it throws only what a function throws that it is given.
  var isRethrowing = false
  /// The type of the errors that it throws, where it says one.
  var thrown: SwiftType?
  var isMutating = false
  /// Whether it is given a place as `self`, and may change the value there: an instance of a class stays the same.
  var changesSelf: Bool { isMutating && !isStatic && owner?.isReference != true }
  var isInitializer = false
  /// Whether the compiler writes it, with a parameter for each property.
  var isMemberwise = false
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
  /// For a setter whether a change begins with the getter, also one that replaces the value: it is a `_modify`.
  var readsFirst = false
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
      result: result, isAsync: isAsync, isThrowing: isThrowing, thrown: thrown)
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
  /// Whether a statement of a script's `main` gives it its first value.
  var isSetInMain = false
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
  /// For a property with a wrapper, and for what that projects, the variable that stores the wrapper and the member of it.
  var wrapper: (storage: VariableSymbol, member: String)?
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
  /// Whether each initialiser has to give it a value: it has no first one.
  var needsValue: Bool {
    isStored && value == nil && !isLazy && bound == nil && (isLet || type.wrapped == nil)
  }
  /// Whether a place in memory has its value.
  var isStored: Bool { getter == nil && row == nil && !isFromRow }
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
  /// Its raw value as it is written; nil where none is.
  var writtenRaw: Grammar.Expression?
  var index = 0

  enum RawValue: Hashable {
    case integer(Int64)
    case text(String)
    case decimal(Int64)
  }
}
