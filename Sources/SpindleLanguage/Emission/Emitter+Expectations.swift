import SpindleModel

extension Emitter {
  /// The type, as expectations know it, of a value that they may name: each has one.
  func namedType(of type: SwiftType) -> ValueType {
    let known = valueType(of: type)
    guard known == .unknown else { return known }
    switch type.nominal?.builtin {
    case .dictionary: return .dictionary
    case .set: return .set
    default: return .other(TypeName("\(type)"))
    }
  }

  /// The type of a value, or of a part of one, as expectations know it; `.unknown` for one that they cannot compare.
  func valueType(of type: SwiftType) -> ValueType {
    switch type.nominal?.builtin {
    case .integer, .fixedInteger: return .integer
    case .double: return .decimal
    case .boolean: return .boolean
    case .string: return .string
    case .duration: return .duration
    case .instant: return .instant
    case .size: return .size
    case .optional: return .optional(valueType(of: type.arguments[0]))
    case .array: return .array(valueType(of: type.arguments[0]))
    case .symbol: return type.nominal?.family.map { .symbol($0) } ?? .unknown
    case .options: return type.nominal?.family.map { .options($0) } ?? .unknown
    case .handle: return type.nominal?.handle.map { .handle($0) } ?? .unknown
    case .dictionary, .set, .never: return .unknown
    case nil: return isPlainEnum(type) ? .choice(TypeName("\(type)")) : .unknown
    }
  }
}
