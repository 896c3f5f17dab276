import SpindleModel

/// A value while code is made: its type, and where it is.
struct Operand {
  var type: ValueType
  var location: Location
  /// Whether it is a number without a unit, which may still become a decimal.
  var isLiteral = false

  enum Location {
    case constant(Int64)
    case register(Register)
  }

  /// What is wrong already.
  static let unknown = Operand(type: .unknown, location: .constant(0))

  /// A value that is known before the run.
  static func constant(_ value: Int64, _ type: ValueType) -> Operand {
    Operand(type: type, location: .constant(value))
  }

  /// A value in a register.
  static func register(_ register: Register, _ type: ValueType) -> Operand {
    Operand(type: type, location: .register(register))
  }

  /// The value, nil when it is known only when the program runs.
  var constant: Int64? {
    if case .constant(let value) = location { return value }
    return nil
  }
}
