import SpindleModel

/// The members of the trace language, as data: the one place that knows which names exist.
final class Vocabulary: Sendable {
  /// What this version of the language has.
  static let standard = Vocabulary()

  /// Functions and properties that stand alone: `work`, `now`.
  let free: MemberTable
  /// The types, with their initialisers and static members, in the order of the reference.
  let types: [TypeEntry]
  /// The members of objects, by `HandleClass`.
  let instances: [MemberTable]

  private let typeIndex: TextIndex

  private init() {
    free = MemberTable(
      functions: Self.doing + Self.chance, properties: Self.doingProperties + Self.threadFree)
    types = Self.threadTypes + Self.lockTypes + Self.groupTypes + Self.executorTypes
    var tables: [MemberTable] = []
    for handle in HandleClass.allCases {
      tables.append(
        MemberTable(
          functions: Self.functions(of: handle), properties: Self.properties(of: handle)))
    }
    instances = tables
    var index = TextIndex()
    for (position, type) in types.enumerated() { index.set(type.name, Int32(position)) }
    typeIndex = index
  }

  /// The type with this name, nil when there is none.
  func type(_ name: String) -> TypeEntry? {
    typeIndex.find(name).map { types[Int($0)] }
  }

  private static func functions(of handle: HandleClass) -> [Member] {
    switch handle {
    case .thread: threadFunctions
    case .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite, .semaphore:
      lockFunctions(of: handle)
    case .group: groupFunctions
    case .threadPerTask, .threadPool, .executor: executorFunctions
    }
  }

  private static func properties(of handle: HandleClass) -> [Property] {
    switch handle {
    case .thread: threadProperties
    case .conditionLock: conditionLockProperties
    default: []
    }
  }
}

/// Functions and properties with one owner, found by name.
final class MemberTable: Sendable {
  /// All names, in the order of the reference.
  let names: [String]
  private let functions: [[Member]]
  private let properties: [Property]
  /// The place of each name in `functions`, behind which those in `properties` follow.
  private let index: TextIndex

  /// Creates a table; functions of one name are overloads, told apart by their labels.
  init(functions rows: [Member], properties: [Property]) {
    var index = TextIndex()
    var functions: [[Member]] = []
    for row in rows {
      if let known = index.find(row.name) {
        functions[Int(known)].append(row)
      } else {
        index.set(row.name, Int32(functions.count))
        functions.append([row])
      }
    }
    for (position, property) in properties.enumerated() {
      index.set(property.name, Int32(functions.count + position))
    }
    names = functions.map { $0[0].name } + properties.map(\.name)
    (self.functions, self.properties, self.index) = (functions, properties, index)
  }

  /// The overloads with this name, nil when there are none.
  func overloads(_ name: String) -> [Member]? {
    guard let found = index.find(name), found < functions.count else { return nil }
    return functions[Int(found)]
  }

  /// The property with this name, nil when there is none.
  func property(_ name: String) -> Property? {
    guard let found = index.find(name), found >= functions.count else { return nil }
    return properties[Int(found) - functions.count]
  }
}

/// A type of the vocabulary.
struct TypeEntry: Sendable {
  var name: String
  /// What its objects are, nil for a type without objects.
  var handle: HandleClass?
  var initializers: [Member]
  var statics: MemberTable
}

/// A function, method or initialiser.
///
/// A class, so that a call that is lowered copies no more than a reference.
final class Member: Sendable {
  let name: String
  /// What the primitive finds in its registers, in their order.
  let slots: [Slot]
  let result: ValueType
  let action: Action
  let traits: Traits
  /// What a call writes, in order.
  let formals: [Formal]
  /// What is done for each slot.
  let steps: [Step]
  /// Whether all its arguments are one text.
  let isNote: Bool

  /// Creates a row.
  init(
    _ name: String, _ slots: [Slot] = [], result: ValueType = .void, _ action: Action,
    _ traits: Traits = []
  ) {
    (self.name, self.slots, self.result) = (name, slots, result)
    (self.action, self.traits) = (action, traits)
    formals = slots.enumerated().compactMap { index, slot in slot.formal(at: index) }
    var steps: [Step] = []
    var formal = 0
    for slot in slots {
      let isFormal = formal < formals.count && formals[formal].slot == steps.count
      steps.append(Step(kind: Step.Kind(slot, action), formal: isFormal ? formal : -1))
      if isFormal { formal += 1 }
    }
    self.steps = steps
    isNote = if case .text = slots.first { true } else { false }
  }

  /// What is done for a slot, without anything that takes time to copy.
  struct Step: BitwiseCopyable, Sendable {
    var kind: Kind
    /// The formal that gives the slot its value; -1 when none does.
    var formal: Int

    enum Kind: BitwiseCopyable, Sendable {
      case receiver
      /// With what holds when the call gives nothing.
      case argument(standard: Int64)
      case name, kind, closure, text
      case constant(Int64)
      /// The format of the argument before it.
      case format

      init(_ slot: Slot, _ action: Action) {
        switch slot {
        case .receiver: self = .receiver
        case .argument(_, _, .standard(let value)): self = .argument(standard: value)
        case .argument: self = .argument(standard: noValue)
        case .name: self = .name
        case .kind: self = .kind
        case .closure: self = .closure
        case .text: self = .text
        case .constant(let value):
          self = .constant(value)
          if case .record = action { self = .format }
        }
      }
    }
  }

  /// What a slot of a primitive's window holds.
  enum Slot: Sendable {
    /// The object in front of the point.
    case receiver
    /// A value that the call gives.
    case argument(String?, ValueType, Presence = .required)
    /// The name that the call gives, or the one it is bound to.
    case name
    /// The kind of work, which follows from the name; the text is for nameless work.
    case kind(String)
    /// A closure that runs later.
    case closure(String)
    /// One or more values, written one after the other with a space between.
    case text
    /// A constant of the row.
    case constant(Int64)

    func formal(at slot: Int) -> Formal? {
      switch self {
      case .receiver, .kind, .constant: nil
      case .argument(let label, let type, let presence):
        Formal(
          label: label, type: type, isOptional: presence.isOptional, slot: slot,
          limit: Formal.Limit(label: label, type: type))
      case .name: Formal(label: "name", type: .string, isOptional: true, slot: slot)
      case .closure(let label):
        Formal(
          label: label, type: .function(parameters: [], result: .void), isOptional: false,
          slot: slot)
      case .text: Formal(label: nil, type: .string, isOptional: false, slot: slot)
      }
    }
  }

  /// Whether a call must give an argument, and what holds when it does not.
  enum Presence: Sendable {
    case required
    case optional
    case standard(Int64)

    var isOptional: Bool {
      if case .required = self { return false }
      return true
    }
  }

  /// What a call comes to.
  enum Action: Sendable {
    case perform(Primitive)
    case draw(Distribution)
    /// Runs its closure where it stands, between two primitives on the same object.
    case inPlace(enter: Primitive, leave: Primitive)
    /// `record`: the value's format follows the value.
    case record
    case now
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8
    /// It may work or wait or asks who runs it: not for the world outside.
    static let needsThread = Traits(rawValue: 1)
    /// Its result may be dropped silently.
    static let ignorable = Traits(rawValue: 2)
    /// Nothing after it runs.
    static let neverReturns = Traits(rawValue: 4)
    /// It takes a lock.
    static let locks = Traits(rawValue: 8)
    /// Each call makes an activity, which has a key of its own.
    static let creates = Traits(rawValue: 16)
  }
}

/// One thing that a call may write.
struct Formal: Sendable {
  /// nil when no label is written.
  var label: String?
  var type: ValueType
  var isOptional: Bool
  /// The place in the primitive's window, or the ordinal of a function's parameter.
  var slot: Int
  /// Which values are refused when they are known before the run.
  var limit: Limit
  /// Whether a closure stands for it.
  let takesClosure: Bool

  /// Creates a formal.
  init(
    label: String?, type: ValueType, isOptional: Bool, slot: Int, limit: Limit = .none
  ) {
    (self.label, self.type, self.isOptional) = (label, type, isOptional)
    (self.slot, self.limit, takesClosure) = (slot, limit, type.isFunction)
  }

  enum Limit: Sendable {
    /// Any value will do.
    case none
    /// Not less than zero.
    case notNegative
    /// A number of threads: at least one.
    case width
    /// A multiple of 4 KB, at least 16 KB; of literals only.
    case stackSize
    /// From 0.0 to 1.0.
    case priority
    /// A moment, where a length is easily written by mistake.
    case timeout

    /// The limit of a parameter of the vocabulary.
    init(label: String?, type: ValueType) {
      switch (label, type) {
      case ("stackSize", .size): self = .stackSize
      case ("width", .integer): self = .width
      case ("threadPriority", .decimal): self = .priority
      case ("timeout", .instant): self = .timeout
      case ("value", .integer), (_, .duration), (_, .size): self = .notNegative
      default: self = .none
      }
    }
  }
}

/// Something that can be read, and perhaps set, without parentheses.
struct Property: Sendable {
  var name: String
  var type: ValueType
  var get: Getter
  /// nil for what can only be read; finds object and value in its registers.
  var set: Primitive?
  var needsThread = false

  enum Getter: Sendable {
    /// Of an object, or of nothing for a static one.
    case perform(Primitive)
    /// Of the thread that runs this.
    case ownThread(Primitive)
    /// The present virtual time.
    case now
    /// A store by keys: only its elements are values.
    case dictionary
  }
}
