import SpindleHost

/// A type that another type is made of, kept once in the process for as long as that lasts.
///
/// Types are copied often while settings and expectations are read; a pointer is copied without counting
/// references. There are few types, so none is ever freed.
struct TypeNode: BitwiseCopyable, Hashable, @unchecked Sendable {
  private let pointer: UnsafePointer<ValueType>

  /// The node of a type: always the same one.
  init(_ type: ValueType) { pointer = Interned.shared.look { $0.place(of: [type]) } }

  /// The type.
  var type: ValueType { pointer.pointee }
}

/// The types of a function's parameters and result, kept like those of a `TypeNode`.
struct FunctionNode: BitwiseCopyable, Hashable, @unchecked Sendable {
  private let pointer: UnsafePointer<ValueType>
  private let count: Int32

  /// The node of a function's type: always the same one.
  init(parameters: [ValueType], result: ValueType) {
    pointer = Interned.shared.look { $0.place(of: parameters + [result]) }
    count = Int32(parameters.count)
  }

  /// The types of the parameters.
  var parameters: UnsafeBufferPointer<ValueType> {
    UnsafeBufferPointer(start: pointer, count: Int(count))
  }

  /// The type of the result.
  var result: ValueType { pointer[Int(count)] }
}

/// The name of a type that a trace declares, kept like a `TypeNode`: as a type is copied, so is it.
struct TypeName: BitwiseCopyable, Hashable, @unchecked Sendable {
  private let pointer: UnsafePointer<String>

  /// The name with this text: always the same one.
  init(_ text: String) { pointer = Interned.shared.look { $0.place(of: text) } }

  /// What it says.
  var text: String { pointer.pointee }
}

/// Types and names at places that never change.
private struct Interned: @unchecked Sendable {
  /// As many as the vocabulary has, about: it grows while a program starts.
  private var typePlaces: [[ValueType]: UnsafePointer<ValueType>] = .init(minimumCapacity: 128)
  private var namePlaces: [String: UnsafePointer<String>] = [:]

  static let shared = Monitor(Interned())

  /// Where these types are, one behind the other.
  mutating func place(of types: [ValueType]) -> UnsafePointer<ValueType> {
    if let known = typePlaces[types] { return known }
    let place = UnsafeMutablePointer<ValueType>.allocate(capacity: types.count)
    for (index, type) in types.enumerated() { (place + index).initialize(to: type) }
    typePlaces[types] = UnsafePointer(place)
    return UnsafePointer(place)
  }

  /// Where this text is.
  mutating func place(of text: String) -> UnsafePointer<String> {
    if let known = namePlaces[text] { return known }
    let place = UnsafeMutablePointer<String>.allocate(capacity: 1)
    place.initialize(to: text)
    namePlaces[text] = UnsafePointer(place)
    return UnsafePointer(place)
  }
}
