import SpindleHost

/// A type that another type is made of, kept once in the process for as long as that lasts.
///
/// Types are handed on a lot while a trace is read; as numbers and pointers they are copied without
/// counting references. There are few of them, so none is ever given back.
///
/// Types of closures that differ in `ClosureTraits` alone are equal, and have nodes of their own.
struct TypeNode: BitwiseCopyable, Hashable, @unchecked Sendable {
  private let pointer: UnsafePointer<ValueType>

  /// The node of a type: always the same one.
  init(_ type: ValueType) {
    self = TypeNode.kept.look { kept in
      if let known = kept.plain[type], known.pointee.place == type.place {
        return TypeNode(pointer: known)
      }
      let place = kept.place(of: [type], [])
      if kept.plain[type] == nil { kept.plain[type] = place }
      return TypeNode(pointer: place)
    }
  }

  private init(pointer: UnsafePointer<ValueType>) {
    self.pointer = pointer
  }

  /// The type.
  var type: ValueType { pointer.pointee }

  static func == (one: TypeNode, other: TypeNode) -> Bool {
    one.pointer == other.pointer || one.pointer.first == other.pointer.first
  }

  func hash(into hasher: inout Hasher) { hasher.combine(pointer.first) }

  fileprivate var place: UInt { UInt(bitPattern: pointer) }

  /// Nodes that were asked for: places whose types never change.
  fileprivate struct Kept: @unchecked Sendable {
    var plain: [ValueType: UnsafePointer<ValueType>] = [:]
    /// By the types that they have: those of a function's parameters and, behind them, of its result.
    ///
    /// As many as the vocabulary has, about: it grows while a program starts.
    var first: [[ValueType]: UnsafePointer<ValueType>] = .init(minimumCapacity: 128)
    /// Those that are equal to one of them and have other traits.
    var variants: [Variant: UnsafePointer<ValueType>] = [:]
    var classes: [String: ClassName] = [:]

    /// What tells types apart that are equal.
    struct Variant: Hashable {
      var types: [ValueType]
      var places: [UInt]
      var traits: FunctionNode.Traits
    }

    /// Where types are, always at the same place.
    mutating func place(
      of types: [ValueType], _ traits: FunctionNode.Traits
    ) -> UnsafePointer<ValueType> {
      guard let known = first[types] else {
        let made = TypeNode.immortal(types, traits, first: nil)
        first[types] = made
        return made
      }
      if known.traits == traits, types.indices.allSatisfy({ known[$0].place == types[$0].place }) {
        return known
      }
      let variant = Variant(types: types, places: types.map(\.place), traits: traits)
      if let other = variants[variant] { return other }
      let made = TypeNode.immortal(types, traits, first: known)
      variants[variant] = made
      return made
    }
  }

  fileprivate static let kept = Monitor(Kept())

  /// Puts types at a place, behind what is said of them; `first` are those that were there before and are equal.
  fileprivate static func immortal(
    _ types: [ValueType], _ traits: FunctionNode.Traits, first: UnsafePointer<ValueType>?
  ) -> UnsafePointer<ValueType> {
    let head = MemoryLayout<Head>.size
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: head + MemoryLayout<ValueType>.stride * types.count, alignment: 16)
    let place = (memory + head).bindMemory(to: ValueType.self, capacity: types.count)
    for (index, type) in types.enumerated() { (place + index).initialize(to: type) }
    memory.storeBytes(
      of: Head(first: first ?? UnsafePointer(place), traits: traits), as: Head.self)
    return UnsafePointer(place)
  }

  /// What stands in front of the types.
  fileprivate struct Head: BitwiseCopyable {
    var first: UnsafePointer<ValueType>
    var traits: FunctionNode.Traits
    private var rest: Int32 = 0

    init(first: UnsafePointer<ValueType>, traits: FunctionNode.Traits) {
      (self.first, self.traits) = (first, traits)
    }
  }
}

extension UnsafePointer<ValueType> {
  /// What is said of the types at this place.
  private var head: TypeNode.Head {
    let size = MemoryLayout<TypeNode.Head>.size
    return UnsafeRawPointer(self).load(fromByteOffset: -size, as: TypeNode.Head.self)
  }

  /// Those that were kept before all others that are equal.
  fileprivate var first: UnsafePointer<ValueType> { head.first }
  fileprivate var traits: FunctionNode.Traits { head.traits }
}

extension ValueType {
  /// Where the types are that it is made of, which tells it from those that are equal to it.
  fileprivate var place: UInt {
    switch self {
    case .optionalOf(let node), .arrayOf(let node), .setOf(let node), .generic(_, let node):
      node.place
    case .functionOf(let function), .dictionaryOf(let function): function.place
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .options,
      .handle, .instance, .choice, .void, .null, .unknown:
      0
    }
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
  init(parameters: [ValueType], result: ValueType, traits: Traits = []) {
    pointer = TypeNode.kept.look { $0.place(of: parameters + [result], traits) }
    count = Int32(parameters.count)
  }

  /// The types of the parameters.
  var parameters: UnsafeBufferPointer<ValueType> {
    UnsafeBufferPointer(start: pointer, count: Int(count))
  }

  /// The type of the result.
  var result: ValueType { pointer[Int(count)] }

  /// What more its type says.
  var traits: Traits { pointer.traits }

  fileprivate var place: UInt { UInt(bitPattern: pointer) }

  static func == (one: FunctionNode, other: FunctionNode) -> Bool {
    one.count == other.count
      && (one.pointer == other.pointer || one.pointer.first == other.pointer.first)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(pointer.first)
  }

  /// `ClosureTraits`, as a type has them.
  struct Traits: OptionSet, BitwiseCopyable, Hashable {
    let rawValue: Int32

    static let isAsync = Traits(rawValue: 1)
    static let isSendable = Traits(rawValue: 2)
    static let isOnMain = Traits(rawValue: 4)
    static let isInPool = Traits(rawValue: 8)

    /// On the global actor with this number.
    static func isOn(_ actor: Int) -> Traits {
      Traits(rawValue: Int32(truncatingIfNeeded: actor + 1) << 5)
    }

    /// The number of the global actor that it is on; nil for none.
    var globalActor: Int? { rawValue >> 5 > 0 ? Int(rawValue >> 5) - 1 : nil }
  }
}
