import SpindleModel

extension Member {
  /// What a slot of a primitive's window holds: one register, in the order of the row.
  ///
  /// A call writes what it gives in the same order; it may leave out what is optional.
  enum Slot: Sendable {
    /// The object in front of the point.
    case receiver
    /// The object that a bare name belongs to, which the primitive gives: `finish()` in a body.
    case owner(Primitive)
    /// A value that the call gives; its label, nil for none, and which values are refused when they are
    /// known before the run: nil for what its type refuses.
    case argument(Label?, ValueType, Presence = .required, limit: Formal.Limit? = nil)
    /// A length that Foundation declares as `TimeInterval`, or nil where `takesNil` allows it: a number is seconds.
    case interval(Label?, Presence = .required, takesNil: Bool = false)
    /// The raw value of the `HandleClass` of the object in the slot before, for a type that stands
    /// for several classes.
    case handleClass
    /// The name that the call gives with this label, or the one it is bound to, as where it may be nil and is.
    case naming(label: Label, takesNil: Bool = false)
    /// The kind of work, which follows from the name; the text is for nameless work.
    case kind(String)
    /// A closure; see `closure(_:parameters:result:_:inherits:)`.
    case block(ClosureSlot)
    /// One or more values, written one after the other with a space between.
    case text
    /// A constant of the row.
    case constant(Int64)

    /// The name that the call gives, or the one it is bound to.
    static let name = Slot.naming(label: "name")

    /// A closure, written behind the call or as an argument with this label.
    ///
    /// A trace may name its first parameters, write `_` for one, or leave them out: the block's
    /// `parameterCount` is the number of those it takes, which are the first ones. The slot of an
    /// optional closure that is not given, or is `nil`, holds `noValue`. In a row whose action runs
    /// the closure in place, it is the last slot and takes no register. One that is not `@Sendable` `inherits` the
    /// actor of the code that it stands in.
    static func closure(
      _ label: Label, parameters: [ValueType] = [], result: ValueType = .void,
      _ presence: Presence = .required, inherits: Bool = false, isAsked: Bool = false,
      staysInCall: Bool = false
    ) -> Slot {
      .block(
        ClosureSlot(
          label: label, type: .function(parameters: parameters, result: result),
          isOptional: presence.isOptional, inherits: inherits, isAsked: isAsked,
          staysInCall: staysInCall))
    }

    /// The limit of a parameter whose row says none, which that of a moment always does.
    private static func limit(
      of label: Label?, _ type: ValueType, _ presence: Presence
    ) -> Formal.Limit {
      precondition(
        type.unwrapped != .instant, "the row of '\(label?.text ?? "")' says no limit of its moments"
      )
      return Formal.Limit(label: label, type: type, isOptional: presence.isOptional)
    }

    /// What a call may write for it; nil when it writes nothing.
    func formal(at slot: Int) -> Formal? {
      switch self {
      case .receiver, .owner, .handleClass, .kind, .constant: nil
      case .argument(let label, let type, let presence, let limit):
        Formal(
          label: label, type: type, isOptional: presence.isOptional, slot: slot,
          limit: limit ?? Slot.limit(of: label, type, presence))
      case .interval(let label, let presence, let takesNil):
        Formal(
          label: label, type: takesNil ? .optional(.duration) : .duration,
          isOptional: presence.isOptional, slot: slot,
          limit: Slot.limit(of: label, .duration, presence), isInterval: true)
      case .naming(let label, let takesNil):
        Formal(
          label: label, type: takesNil ? .optional(.string) : .string, isOptional: true, slot: slot)
      case .block(let closure):
        Formal(
          label: closure.label, type: closure.type, isOptional: closure.isOptional, slot: slot,
          inherits: closure.inherits, isAsked: closure.isAsked, staysInCall: closure.staysInCall)
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
}

/// A closure that a member of the vocabulary takes.
struct ClosureSlot: Sendable {
  var label: Label
  /// What it is given and gives.
  var type: ValueType
  var isOptional: Bool
  /// Whether it belongs to the actor of the code that it stands in: it is not `@Sendable`.
  var inherits = false
  /// Whether the library asks it for a condition, on no thread, whenever it likes.
  var isAsked = false
  /// Whether the call waits for all that the closure does: it is not `@escaping`.
  var staysInCall = false
}
