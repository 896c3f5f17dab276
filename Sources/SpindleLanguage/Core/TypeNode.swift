import SpindleHost

/// A type that another type is made of, kept once in the process for as long as that lasts.
///
/// Types are handed on a lot while a trace is read; as numbers and pointers they are copied without
/// counting references. There are few of them, so none is ever given back.
struct TypeNode: BitwiseCopyable, Hashable, @unchecked Sendable {
  private let pointer: UnsafePointer<ValueType>

  /// The node of a type: always the same one.
  init(_ type: ValueType) {
    self = TypeNode.kept.look { kept in
      if let known = kept.plain[type] { return known }
      let node = TypeNode(pointer: TypeNode.immortal([type]))
      kept.plain[type] = node
      return node
    }
  }

  private init(pointer: UnsafePointer<ValueType>) {
    self.pointer = pointer
  }

  /// The type.
  var type: ValueType { pointer.pointee }

  /// Nodes that were asked for.
  fileprivate struct Kept {
    var plain: [ValueType: TypeNode] = [:]
    /// By the types of the parameters and, behind them, of the result.
    var functions: [[ValueType]: FunctionNode] = [:]
    var classes: [String: ClassName] = [:]
  }

  fileprivate static let kept = Monitor(Kept())

  fileprivate static func immortal(_ types: [ValueType]) -> UnsafePointer<ValueType> {
    let place = UnsafeMutablePointer<ValueType>.allocate(capacity: types.count)
    for (index, type) in types.enumerated() { (place + index).initialize(to: type) }
    return UnsafePointer(place)
  }
}

/// The name of a class that a trace declares, kept like a `TypeNode`: as a type is copied, so is it.
struct ClassName: BitwiseCopyable, Hashable, @unchecked Sendable {
  private let pointer: UnsafePointer<String>

  /// The name with this text: always the same one.
  init(_ text: String) {
    self = TypeNode.kept.look { kept in
      if let known = kept.classes[text] { return known }
      let place = UnsafeMutablePointer<String>.allocate(capacity: 1)
      place.initialize(to: text)
      let name = ClassName(pointer: UnsafePointer(place))
      kept.classes[text] = name
      return name
    }
  }

  private init(pointer: UnsafePointer<String>) { self.pointer = pointer }

  /// What it says.
  var text: String { pointer.pointee }
}

/// The types of a function's parameters and result, kept like those of a `TypeNode`.
struct FunctionNode: BitwiseCopyable, Hashable, @unchecked Sendable {
  private let pointer: UnsafePointer<ValueType>
  private let count: Int32

  /// The node of a function's type: always the same one.
  init(parameters: [ValueType], result: ValueType) {
    self = TypeNode.kept.look { kept in
      let key = parameters + [result]
      if let known = kept.functions[key] { return known }
      let node = FunctionNode(
        pointer: TypeNode.immortal(key), count: Int32(parameters.count))
      kept.functions[key] = node
      return node
    }
  }

  private init(pointer: UnsafePointer<ValueType>, count: Int32) {
    (self.pointer, self.count) = (pointer, count)
  }

  /// The types of the parameters.
  var parameters: UnsafeBufferPointer<ValueType> {
    UnsafeBufferPointer(start: pointer, count: Int(count))
  }

  /// The type of the result.
  var result: ValueType { pointer[Int(count)] }
}
