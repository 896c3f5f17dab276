import SpindleModel

extension Emitter {
  /// The type of a value as expectations know it.
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
    case nil: return isPlainEnum(type) ? .choice(ClassName("\(type)")) : .unknown
    }
  }
}
