/// The types that a random Swift program has values of.
indirect enum ProgramType: Hashable {
  case int, bool, text, decimal
  case optional(ProgramType)
  case array(ProgramType)
  /// Keys are texts or whole numbers.
  case dictionary(ProgramType, ProgramType)
  case set(ProgramType)
  case pair(ProgramType, ProgramType)
  /// A function of one value.
  case function(ProgramType, ProgramType)
  /// A declared type, by its place among the declarations.
  case structure(Int), choice(Int), object(Int)
  /// A value of a protocol.
  case any(Int)
  /// The generic structure over a type.
  case stack(ProgramType)

  /// Types whose values can be compared with `==` and be keys.
  var isPlain: Bool { self == .int || self == .text || self == .bool }
}

/// A name in scope.
struct ProgramVariable {
  let name: String
  let type: ProgramType
  var isVariable = false
  /// Whether closures that escape may not use it: an `inout` parameter, or `self` of a mutating method.
  var staysLocal = false
}

/// A stored property, or a value that an enumeration's case carries.
struct ProgramField {
  let name: String
  let type: ProgramType
  var isVariable = true
}

/// A function or a method that can be called.
struct ProgramFunction {
  let name: String
  let parameters: [(label: String, type: ProgramType, isInout: Bool)]
  let result: ProgramType?
  var isThrowing = false
  var isMutating = false
}

/// A structure, class, enumeration or protocol of a program.
struct ProgramNominal {
  let name: String
  /// What it stores; a protocol's required properties.
  var fields: [ProgramField] = []
  /// Computed properties that can be read, and whether they can be set.
  var computed: [ProgramField] = []
  var methods: [ProgramFunction] = []
  /// The cases of an enumeration.
  var cases: [(name: String, values: [ProgramField])] = []
  /// The class above.
  var base: Int?
  /// Protocols that it conforms to.
  var protocols: [Int] = []
  /// Whether `==` and hashing are synthesized.
  var isHashable = false
}
