import SpindleModel

/// One thing that a call may write.
struct Formal: BitwiseCopyable, Sendable {
  /// nil when no label is written.
  var label: Label?
  var type: ValueType
  var isOptional: Bool
  /// The place in the primitive's window, or the ordinal of a function's parameter.
  var slot: Int
  /// Which values are refused when they are known before the run.
  var limit: Limit
  /// Whether the closure belongs to the actor of the code that it stands in.
  let inherits: Bool
  /// Whether the library asks the closure for a condition, on no thread, whenever it likes.
  let isAsked: Bool
  /// Whether Foundation declares it as `TimeInterval`, so that a number is seconds.
  let isInterval: Bool
  /// Whether the call waits for all that the closure does: it is not `@escaping`.
  let staysInCall: Bool

  /// Creates a formal.
  init(
    label: Label?, type: ValueType, isOptional: Bool, slot: Int, limit: Limit = .none,
    inherits: Bool = false, isAsked: Bool = false, isInterval: Bool = false,
    staysInCall: Bool = false
  ) {
    (self.label, self.type, self.isOptional) = (label, type, isOptional)
    (self.slot, self.limit, self.inherits) = (slot, limit, inherits)
    (self.isAsked, self.isInterval, self.staysInCall) = (isAsked, isInterval, staysInCall)
  }

  /// Whether it is a closure.
  var takesClosure: Bool { type.isFunction }

  /// The type of a closure that takes and gives nothing.
  static let plainClosure = ValueType.function(parameters: [], result: .void)

  enum Limit: BitwiseCopyable, Sendable {
    /// Any value will do.
    case none
    /// Not less than zero.
    case notNegative
    /// More than zero.
    case positive
    /// A number of threads: at least one.
    case width
    /// A multiple of 4 KB, at least 16 KB; of literals only.
    case stackSize
    /// From 0.0 to 1.0.
    case priority
    /// The same, of chance.
    case probability
    /// From 50 us to 50 ms; of literals only.
    case computation
    /// A moment, where a length is easily written by mistake: it has passed already.
    case timeout, deadline
    /// The same, for the label of a date.
    case date(label: StaticString)
    /// A mode that a loop can run in: not the set of the common ones.
    case oneMode

    /// Of the parameters that are called so: dates until which something is waited for or repeated.
    static var before: Limit { .date(label: "before:") }
    static var until: Limit { .date(label: "until:") }

    /// The limit of a parameter whose row says none.
    ///
    /// It follows from its type, and for modes from what they are for. A number has none; a moment is
    /// meant in many ways, so its row says which: see `Slot`.
    init(label: Label?, type: ValueType, isOptional: Bool) {
      switch type.unwrapped {
      case .duration, .size: self = .notNegative
      case .symbol(.mode):
        let isTheLoops = label == nil || label?.text == "mode"
        self = isTheLoops && !isOptional ? .oneMode : .none
      case .instant, .integer, .boolean, .decimal, .string, .symbol, .options, .handle, .choice,
        .optionalOf, .arrayOf, .functionOf, .dictionary, .set, .other, .void, .null, .unknown:
        self = .none
      }
    }
  }
}
