import SpindleModel

/// What a value is; every register has one type, known before the run.
enum ValueType: Hashable, Sendable {
  case integer, boolean, duration, instant, size, decimal, string
  /// One of a closed list of names: `.success`.
  case symbol(SymbolFamily)
  /// Any of the names of a closed list together: `[.barrier, .enforceQoS]`; a bit for each.
  case options(SymbolFamily)
  /// A thread, lock, group, executor.
  case handle(HandleClass)
  indirect case optional(ValueType)
  indirect case array(ValueType)
  indirect case function(parameters: [ValueType], result: ValueType)
  /// What a call without a result gives.
  case void
  /// The type of `nil` where nothing else is known.
  case null
  /// The type of what is wrong already: it goes with everything, so that one mistake is told once.
  case unknown

  /// How a value of this type is written and read.
  var format: ValueFormat {
    switch self {
    case .boolean: .boolean
    case .duration: .duration
    case .instant: .instant
    case .size: .size
    case .decimal: .decimal
    case .string: .string
    case .symbol: .symbol
    case .handle(.thread), .handle(.runLoop): .thread
    case .handle: .object
    case .optional(let wrapped): wrapped.format
    case .array: .array
    case .integer, .options, .function, .void, .null, .unknown: .integer
    }
  }

  /// The type without `?`.
  var unwrapped: ValueType {
    if case .optional(let wrapped) = self { return wrapped }
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
    case .symbol, .options, .optional, .array, .function: 0
    }
  }

  /// Whether it is an array, so that assigning it means to copy it.
  var isArray: Bool {
    if case .array = unwrapped { return true }
    return false
  }

  /// Whether it stands for an object, so that `===` can compare it.
  var isHandle: Bool {
    if case .handle = unwrapped { return true }
    return false
  }

  /// Whether it is a closure.
  var isFunction: Bool {
    if case .function = unwrapped { return true }
    return false
  }

  /// Whether values of this type have an order.
  var isOrdered: Bool {
    switch self {
    case .integer, .duration, .instant, .size, .decimal: true
    default: false
    }
  }

  /// Whether a value of the type `other` may stand where this type is expected, as it is.
  ///
  /// A duration stands for the moment that long after the start, a text for a name of a list that
  /// is open. An optional value does not stand for a plain one here; whoever uses it checks it
  /// first.
  func accepts(_ other: ValueType) -> Bool {
    let number = plainNumber
    if number != 0 && number == other.plainNumber { return true }
    return switch (self, other) {
    case (.unknown, _), (_, .unknown), (.array(.unknown), _), (.optional(.unknown), _): true
    case (.instant, .duration): true
    case (.handle(let expected), .handle(let given)): expected.accepts(given)
    case (.symbol(let family), .string): family.isOpen
    case (.optional, .null): true
    case (.optional(let expected), .optional(let given)): expected.accepts(given)
    case (.optional(let expected), _): expected.accepts(other)
    case (.array(let expected), .array(let given)): expected.accepts(given)
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
    case .optional(let wrapped) where wrapped.isFunction: "(\(wrapped))?"
    case .optional(let wrapped): "\(wrapped)?"
    case .array(let element): "[\(element)]"
    case .function(let parameters, let result):
      "(\(parameters.map(\.description).joined(separator: ", "))) -> \(result)"
    case .void: "Void"
    case .null: "nil"
    case .unknown: "an unknown type"
    }
  }
}
