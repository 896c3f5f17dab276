import SpindleModel

/// A function, method or initialiser.
///
/// A row says what its primitive finds in its registers, slot by slot; what a call may write follows
/// from that. Rows of one name are overloads: they differ in their labels, or in whether a closure
/// stands for one.
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
  /// What is done for each slot that has a register.
  let steps: [Step]
  /// Whether all its arguments are one text.
  let isNote: Bool

  /// Creates a row.
  ///
  /// A call writes its arguments in the order of the slots; where it does not, `order` has the
  /// labels of those that come first.
  init(
    _ name: String, _ slots: [Slot] = [], result: ValueType = .void, _ action: Action,
    _ traits: Traits = [], order: [Label?] = []
  ) {
    (self.name, self.slots, self.result) = (name, slots, result)
    (self.action, self.traits) = (action, traits)
    let formals = Member.formals(of: slots, order, traits)
    self.formals = formals
    var steps: [Step] = slots.enumerated().map { index, slot in
      let formal = formals.firstIndex { $0.slot == index } ?? -1
      return Step(kind: Step.Kind(slot, action), formal: formal)
    }
    if action.isInPlace { steps.removeLast() }
    self.steps = steps
    isNote = if case .text = slots.first { true } else { false }
  }

  /// Whether a call makes a task, of which the closure is the code.
  var addsToGroup: Bool {
    if case .perform(.taskGroup(.add)) = action { true } else { false }
  }

  /// Whether its closure is the body of a task.
  var makesTask: Bool {
    switch action {
    case .perform(.task(.make)), .perform(.taskGroup(.add)): true
    default: false
    }
  }

  private static func formals(
    of slots: [Slot], _ order: [Label?], _ traits: Traits
  ) -> [Formal] {
    var formals: [Formal] = []
    formals.reserveCapacity(slots.count)
    for index in slots.indices {
      if let formal = slots[index].formal(at: index) { formals.append(formal) }
    }
    if order.isEmpty { return formals }
    let first = order.compactMap { label in formals.first { $0.label?.text == label?.text } }
    return first + formals.filter { formal in !order.contains { $0?.text == formal.label?.text } }
  }

  /// What is done for a slot, without anything that takes time to copy.
  struct Step: BitwiseCopyable, Sendable {
    var kind: Kind
    /// The formal that gives the slot its value; -1 when none does.
    var formal: Int

    enum Kind: BitwiseCopyable, Sendable {
      case receiver
      case owner(Primitive)
      /// With what holds when the call gives nothing.
      case argument(standard: Int64)
      case name, kind, closure, text
      case constant(Int64)
      /// The format of the argument before it.
      case format
      /// The class of the object before it.
      case handleClass

      init(_ slot: Slot, _ action: Action) {
        switch slot {
        case .receiver: self = .receiver
        case .owner(let primitive): self = .owner(primitive)
        case .argument(_, _, .standard(let value), _): self = .argument(standard: value)
        case .argument, .interval: self = .argument(standard: noValue)
        case .handleClass: self = .handleClass
        case .naming: self = .name
        case .kind: self = .kind
        case .block: self = .closure
        case .text: self = .text
        case .constant(let value):
          self = .constant(value)
          if action.isNote { self = .format }
        }
      }
    }
  }

  /// What a call comes to.
  enum Action: Sendable {
    case perform(Primitive)
    case draw(Distribution)
    /// Runs its closure where it stands, between two primitives with the same base register.
    ///
    /// The first finds all slots but the closure's in its registers; the second only the first one,
    /// the object.
    case inPlace(enter: Primitive, leave: Primitive)
    /// The same when the first primitive gives true; else neither closure nor second primitive.
    case inPlaceIf(enter: Primitive, leave: Primitive)
    /// `record`: the value's format follows the value.
    case record
    /// `sample`: the same, of a number.
    case sample
    /// Keeps a value of any type: the argument `value:`, of unknown type, behind `key:`, a string that
    /// must be known before the run. The first value in the text gives the key its type.
    case store(Primitive)
    /// Gives the value that such a row keeps under `key:`, or `noValue`: of the key's type, optional.
    case load(Primitive)
    case now
    /// Takes one argument, which is a call of one of these names: `.onQueue(q)`.
    case claim([Claim])

    /// Whether it notes a value, which its format follows.
    var isNote: Bool {
      switch self {
      case .record, .sample: true
      case .perform, .draw, .inPlace, .inPlaceIf, .store, .load, .now, .claim: false
      }
    }

    /// Whether the closure, which is the last slot, runs where it stands.
    var isInPlace: Bool {
      switch self {
      case .inPlace, .inPlaceIf: true
      case .perform, .draw, .record, .sample, .store, .load, .now, .claim: false
      }
    }

    /// Where it does without the thread that it needs.
    var freedom: Freedom {
      switch self {
      case .perform(.lock(.lock)), .perform(.lock(.unlock)), .inPlace(enter: .lock(.lock), _):
        .locks
      case .inPlace(enter: .queue(.syncEnter), _): .looks
      default: .none
      }
    }
  }

  /// What can be claimed of an object, and the primitive that crashes when it does not hold.
  struct Claim: Sendable {
    var name: String
    var object: ValueType
    var primitive: Primitive
  }

  /// Where something does without the thread that it needs.
  enum Freedom {
    /// Nowhere.
    case none
    /// Where an operation is asked whether it is ready: it looks at what a queue guards.
    case looks
    /// There, and at the top of a trace: it takes a lock.
    case locks
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
    /// It waits for what others do, so that its date is surely meant from now on.
    static let waitsForOthers = Traits(rawValue: 32)
    /// A task may leave its thread in it: it needs `await`.
    static let suspends = Traits(rawValue: 64)
  }
}
