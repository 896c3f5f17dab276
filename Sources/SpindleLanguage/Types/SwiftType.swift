/// A type of a program.
///
/// Equal types are equal values: a nominal type is its declaration and its arguments.
indirect enum SwiftType: Hashable {
  /// A `struct`, `enum`, `class`, `actor` or type of the library, with its type arguments.
  case nominal(Nominal, [SwiftType])
  /// `()` is `Void`.
  case tuple([TupleElement])
  case function(FunctionType)
  /// `any P & Q`; without protocols it is `Any`.
  case existential([Nominal])
  /// A type parameter, within what declares it.
  case parameter(GenericParameter)
  /// An associated type of a type that is not known yet: `T.Element`.
  case member(SwiftType, String)
  case metatype(SwiftType)
  /// What inference has to find.
  case variable(Int)
  /// What is wrong already: it goes with everything, so that each mistake is reported once.
  case error

  struct TupleElement: Hashable {
    var label: String?
    var type: SwiftType
  }

  static var void: SwiftType { .tuple([]) }
  static var any: SwiftType { .existential([]) }

  /// Whether it is `Void`.
  var isVoid: Bool {
    if case .tuple(let elements) = self { return elements.isEmpty }
    return false
  }

  /// Whether it is the type of what is wrong already.
  var isError: Bool {
    if case .error = self { return true }
    return false
  }

  /// The declaration of a nominal type; nil for any other.
  var nominal: Nominal? {
    if case .nominal(let nominal, _) = self { return nominal }
    return nil
  }

  /// The type arguments of a nominal type.
  var arguments: [SwiftType] {
    if case .nominal(_, let arguments) = self { return arguments }
    return []
  }
}

/// The type of a function or a closure.
struct FunctionType: Hashable {
  struct Parameter: Hashable {
    var type: SwiftType
    var isInout = false
    /// Whether it is the actor on which the function runs.
    var isIsolated = false
  }

  var parameters: [Parameter]
  var result: SwiftType
  var isAsync = false
  var isThrowing = false
  /// The type of the errors that it throws, where it says one.
  var thrown: SwiftType?
  var isSendable = false
  /// Where it runs, as far as its type says that.
  var isolation = TypeIsolation.unspecified

  /// Where a function runs, as far as its type says that.
  enum TypeIsolation: Hashable {
    case unspecified
    /// `@MainActor`.
    case mainActor
    /// On the global actor of this type.
    case globalActor(Nominal)
    /// `@concurrent`.
    case concurrent
    /// `nonisolated(nonsending)`.
    case nonsending
    /// `@_inheritActorContext(always)`: where the closure is formed, whether it uses the actor or not.
    case inherited
  }
}

/// `T` in `func f<T>()` or `struct S<T>`.
final class GenericParameter: Hashable {
  let name: String
  /// The protocols that it conforms to.
  var bounds: [Nominal] = []
  /// The class that it is, or is a subclass of; nil for none.
  var superclass: SwiftType?
  /// What its associated types, and those of them, are known to be by `where` or by the bounds: `["Item", "ID"]` is
  /// `T.Item.ID`.
  var members: [[String]: MemberBound] = [:]

  /// What is known of an associated type of a type parameter.
  struct MemberBound {
    var same: SwiftType?
    var bounds: [Nominal] = []
  }

  init(_ name: String) { self.name = name }

  static func == (one: GenericParameter, other: GenericParameter) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Type arguments by their parameters.
typealias Substitution = [GenericParameter: SwiftType]

extension SwiftType {
  /// The type with its parameters replaced by their arguments.
  func substituting(_ substitution: Substitution) -> SwiftType {
    substitution.isEmpty ? self : mapped { substitution[$0] }
  }

  /// The type with `replacement` of each parameter in its place, where there is one.
  func mapped(_ replacement: (GenericParameter) -> SwiftType?) -> SwiftType {
    switch self {
    case .nominal(_, []), .variable, .error: self
    case .existential(let protocols):
      protocols.contains { $0.constraint != nil }
        ? .existential(protocols.mapped(replacement)) : self
    case .nominal(let nominal, let arguments):
      .nominal(nominal, arguments.map { $0.mapped(replacement) })
    case .tuple(let elements):
      .tuple(
        elements.map { TupleElement(label: $0.label, type: $0.type.mapped(replacement)) })
    case .function(var function):
      {
        for index in function.parameters.indices {
          function.parameters[index].type = function.parameters[index].type.mapped(replacement)
        }
        function.result = function.result.mapped(replacement)
        function.thrown = function.thrown?.mapped(replacement)
        return .function(function)
      }()
    case .parameter(let parameter): replacement(parameter) ?? self
    case .member(let base, let name): base.mapped(replacement).associated(name)
    case .metatype(let type): .metatype(type.mapped(replacement))
    }
  }

  /// The associated type of this name, as far as the type is known.
  func associated(_ name: String) -> SwiftType {
    switch self {
    case .nominal(let nominal, let arguments):
      return nominal.associated(name, arguments) ?? alias(name, nominal.allProtocols)
        ?? .member(self, name)
    case .parameter(let parameter):
      if let same = parameter.members[[name]]?.same { return same }
      return alias(name, parameter.bounds) ?? .member(self, name)
    case .existential(let protocols): return alias(name, protocols) ?? .member(self, name)
    case .error: return .error
    case .member(let base, let inner):
      // What the iterator of a sequence gives is what the sequence gives.
      if name == "Element", inner == "Iterator" || inner == "AsyncIterator", base.isSequence {
        return base.associated(name)
      }
      // A part of a collection has what the collection has, and its parts are of its own type.
      if inner == "SubSequence" {
        if name == "Element" { return base.associated(name) }
        if name == inner { return self }
      }
      if let (parameter, path) = pathFromParameter,
        let same = parameter.members[path + [name]]?.same
      {
        return same
      }
      return alias(name, declaredBounds) ?? .member(self, name)
    case .tuple, .function, .metatype, .variable: return .member(self, name)
    }
  }

  /// What a protocol that it conforms to says that a name in it is: its `typealias`, what `any Repo<Int>` gives, or
  /// what its `where` says.
  private func alias(_ name: String, _ protocols: [Nominal]) -> SwiftType? {
    for bound in protocols {
      for one in [bound] + bound.allProtocols {
        guard let type = one.types[name] ?? one.selfParameter.members[[name]]?.same else {
          continue
        }
        return type.substituting([one.selfParameter: self])
      }
    }
    return nil
  }

  /// Whether a type that is not known yet is a sequence of the library's kind, as far as its own bounds say.
  private var isSequence: Bool {
    switch self {
    case .parameter(let parameter):
      parameter.bounds.contains { bound in
        ([bound] + bound.allProtocols).contains {
          $0.isLibrary && ($0.name == "Sequence" || $0.name == "AsyncSequence")
        }
      }
    case .member: true
    default: false
    }
  }

  /// Whether its values, or those in it where it is an optional, may be objects, which a weak reference can name.
  var isOfObjects: Bool {
    switch self {
    case .nominal(let nominal, let arguments):
      if nominal.builtin == .optional { return arguments.first?.isOfObjects == true }
      return nominal.isReference || nominal.handle != nil
    case .existential, .parameter, .member, .variable, .error: return true
    case .tuple, .function, .metatype: return false
    }
  }

  /// Whether some part of it is still to be found.
  var hasVariables: Bool {
    if case .variable = self { return true }
    return hasPart(where: \.hasVariables)
  }

  /// Whether some part of it is a type parameter, or depends on one.
  var hasParameters: Bool {
    switch self {
    case .parameter, .member: true
    default: hasPart(where: \.hasParameters)
    }
  }

  /// Whether it is an associated type of a type that has none of its name.
  var isMissing: Bool {
    guard case .member(let base, _) = self, case .nominal = base else { return false }
    return !base.hasVariables && !base.hasParameters
  }

  /// Whether some part of it could not be found.
  var hasErrors: Bool {
    if case .error = self { return true }
    return hasPart(where: \.hasErrors)
  }

  /// Whether some part of it is an associated type of an `any P`, of which only the running program knows what it is.
  var isErased: Bool {
    if case .member(.existential, _) = self { return true }
    return hasPart(where: \.isErased)
  }

  /// Whether one of the types that it is made of satisfies `condition`.
  @inline(__always)
  private func hasPart(where condition: (SwiftType) -> Bool) -> Bool {
    switch self {
    case .nominal(_, let arguments): arguments.contains(where: condition)
    case .tuple(let elements): elements.contains { condition($0.type) }
    case .function(let function):
      condition(function.result) || function.parameters.contains { condition($0.type) }
    case .member(let base, _): condition(base)
    case .metatype(let type): condition(type)
    case .existential(let protocols):
      protocols.contains { $0.constraint?.arguments.contains(where: condition) == true }
    case .parameter, .variable, .error: false
    }
  }

  /// Whether it is another type, or some part of it is.
  func contains(_ other: SwiftType) -> Bool {
    self == other || hasPart { $0.contains(other) }
  }
}

extension SwiftType: CustomStringConvertible {
  /// The type as Swift writes it.
  var description: String {
    switch self {
    case .nominal(let nominal, let arguments):
      switch (nominal.builtin, arguments.count) {
      case (.optional, 1):
        if case .function = arguments[0] { return "(\(arguments[0]))?" }
        if case .existential(let parts) = arguments[0], !parts.isEmpty {
          return "(\(arguments[0]))?"
        }
        return "\(arguments[0])?"
      case (.array, 1): return "[\(arguments[0])]"
      case (.dictionary, 2): return "[\(arguments[0]): \(arguments[1])]"
      case (_, 0): return nominal.name
      default: return "\(nominal.name)<\(arguments.map(\.description).joined(separator: ", "))>"
      }
    case .tuple(let elements):
      if elements.isEmpty { return "()" }
      let parts = elements.map { element in
        element.label.map { "\($0): \(element.type)" } ?? "\(element.type)"
      }
      return "(\(parts.joined(separator: ", ")))"
    case .function(let function):
      let parameters = function.parameters.map { ($0.isInout ? "inout " : "") + "\($0.type)" }
      let thrown = function.thrown.map { "(\($0))" } ?? ""
      let effects =
        (function.isAsync ? " async" : "") + (function.isThrowing ? " throws" + thrown : "")
      let result = function.result.isVoid ? "Void" : "\(function.result)"
      return "(\(parameters.joined(separator: ", ")))\(effects) -> \(result)"
    case .existential(let protocols):
      if protocols.isEmpty { return "Any" }
      return "any " + protocols.map(\.name).joined(separator: " & ")
    case .parameter(let parameter): return parameter.name
    case .member(let base, let name): return "\(base).\(name)"
    case .metatype(let type): return "\(type).Type"
    case .variable, .error: return "_"
    }
  }
}
