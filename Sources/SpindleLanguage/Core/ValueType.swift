import SpindleModel

/// What a value is; every register has one type, known before the run.
enum ValueType: BitwiseCopyable, Hashable, Sendable {
  case integer, boolean, duration, instant, size, decimal, string
  /// One of a closed list of names: `.success`.
  case symbol(SymbolFamily)
  /// Any of the names of a closed list together: `[.barrier, .enforceQoS]`; a bit for each.
  case options(SymbolFamily)
  /// A thread, lock, group, executor.
  case handle(HandleClass)
  /// One of the cases of an `enum` that the trace declares: its name.
  case choice(TypeName)
  case optionalOf(TypeNode)
  case arrayOf(TypeNode)
  case functionOf(FunctionNode)
  /// A collection that no expectation compares.
  case dictionary, set
  /// Another value that no expectation compares: an instance, a tuple, a closure.
  case other(TypeName)
  /// What a call without a result gives.
  case void
  /// The type of `nil` where nothing else is known.
  case null
  /// The type of what is wrong already: it goes with everything, so that one mistake is told once.
  case unknown

  /// A value of `type`, or nothing.
  static func optional(_ type: ValueType) -> ValueType { .optionalOf(TypeNode(type)) }

  /// Values of `type`, one behind the other.
  static func array(_ type: ValueType) -> ValueType { .arrayOf(TypeNode(type)) }

  /// A closure.
  static func function(parameters: [ValueType], result: ValueType) -> ValueType {
    .functionOf(FunctionNode(parameters: parameters, result: result))
  }

  /// How a value of this type is written and read.
  var format: ValueFormat {
    switch self {
    case .boolean: .boolean
    case .duration: .duration
    case .instant: .instant
    case .size: .size
    case .decimal: .decimal
    case .string, .choice: .string
    case .symbol: .symbol
    case .handle(.thread), .handle(.runLoop): .thread
    case .handle, .other: .object
    case .optionalOf(let wrapped): wrapped.type.format
    case .arrayOf, .dictionary, .set: .array
    case .integer, .options, .functionOf, .void, .null, .unknown: .integer
    }
  }

  /// How an expectation writes a value of this type, or an element of it: a case of an `enum` with its
  /// point, unlike a text.
  var toldFormat: ValueFormat {
    switch self {
    case .choice: .symbol
    case .optionalOf(let inner), .arrayOf(let inner): inner.type.toldFormat
    default: format
    }
  }

  /// The type without `?`.
  var unwrapped: ValueType {
    if case .optionalOf(let wrapped) = self { return wrapped.type }
    return self
  }

  /// Whether it is what a call without a result gives.
  var isVoid: Bool {
    if case .void = self { return true }
    return false
  }

  /// Whether it is the type of what is wrong already.
  var isUnknown: Bool {
    if case .unknown = self { return true }
    return false
  }

  /// A number for each type that no other is part of; 0 for the others.
  ///
  /// Most comparisons end with it, which is several times as fast as to compare the types.
  private var plainNumber: UInt8 {
    switch self {
    case .integer: 1
    case .boolean: 2
    case .duration: 3
    case .instant: 4
    case .size: 5
    case .decimal: 6
    case .string: 7
    case .handle(let handle): 32 + handle.rawValue
    case .void: 8
    case .null: 9
    case .unknown: 10
    case .dictionary: 11
    case .set: 12
    case .symbol, .options, .choice, .optionalOf, .arrayOf, .functionOf, .other: 0
    }
  }

  /// Whether both are the same one of the types that no other is part of.
  @inline(__always)
  func isPlainly(_ other: ValueType) -> Bool {
    let number = plainNumber
    return number != 0 && number == other.plainNumber
  }

  /// Whether it stands for an object, so that `===` can compare it.
  var isHandle: Bool {
    if case .handle = unwrapped { return true }
    return false
  }

  /// Whether it is a closure.
  var isFunction: Bool {
    if case .functionOf = unwrapped { return true }
    return false
  }

  /// Whether values of this type have an order.
  var isOrdered: Bool {
    switch self {
    case .integer, .duration, .instant, .size, .decimal: true
    case .boolean, .string, .symbol, .options, .handle, .choice, .optionalOf, .arrayOf,
      .functionOf, .dictionary, .set, .other, .void, .null, .unknown:
      false
    }
  }

  /// Whether a value of the type `other` may stand where this type is expected, as it is.
  ///
  /// A duration stands for the moment that long after the start, a text for a name of a list that
  /// is open. An optional value does not stand for a plain one here; whoever uses it checks it
  /// first.
  func accepts(_ other: ValueType) -> Bool {
    if isPlainly(other) { return true }
    return switch (self, other) {
    case (.unknown, _), (_, .unknown): true
    case (.arrayOf(let node), _) where node.type.isUnknown: true
    case (.optionalOf(let node), _) where node.type.isUnknown: true
    case (.instant, .duration): true
    case (.handle(let expected), .handle(let given)): expected.accepts(given)
    case (.symbol(let family), .string): family.isOpen
    case (.optionalOf, .null): true
    case (.optionalOf(let expected), .optionalOf(let given)): expected.type.accepts(given.type)
    case (.optionalOf(let expected), _): expected.type.accepts(other)
    case (.arrayOf(let expected), .arrayOf(let given)): expected.type.accepts(given.type)
    default: self == other
    }
  }
}

extension ValueType: CustomStringConvertible {
  /// The type as a trace writes it.
  var description: String {
    switch self {
    case .integer: "Int"
    case .boolean: "Bool"
    case .duration: "Duration"
    case .instant: "Instant"
    case .size: "Size"
    case .decimal: "Decimal"
    case .string: "String"
    case .symbol(let family), .options(let family): family.rawValue
    case .handle(let handle): handle.name
    case .choice(let name), .other(let name): name.text
    case .optionalOf(let wrapped) where wrapped.type.isFunction: "(\(wrapped.type))?"
    case .optionalOf(let wrapped): "\(wrapped.type)?"
    case .arrayOf(let element): "[\(element.type)]"
    case .dictionary: "Dictionary"
    case .set: "Set"
    case .functionOf(let function):
      "(\(function.parameters.map(\.description).joined(separator: ", "))) -> \(function.result)"
    case .void: "Void"
    case .null: "nil"
    case .unknown: "an unknown type"
    }
  }
}
