import SpindleModel

/// How a step uses its object: whether it matters which of two steps comes first.
package enum StepMode: UInt8, BitwiseCopyable, CaseIterable {
  /// It looks.
  case reads
  /// It changes something, or takes it.
  case writes
  /// It gives back what others may only try to take.
  case releases
  /// It takes something, and goes on without it where others have it.
  case tries
  /// It enters or leaves a group, or waits for or asks what comes when the group is empty.
  case enters, leaves, awaits
  /// It feeds a stream, or takes what it has.
  case feeds, takes
  /// It ends an item of a group, which that leaves: the item has entered it before.
  case ends

  /// Whether the order of two steps on one object matters.
  package func conflicts(with other: StepMode) -> Bool {
    conflicting & Self.bit(other) != 0
  }

  private static func bit(_ mode: StepMode) -> UInt16 { 1 << mode.rawValue }

  /// All with which it conflicts, a bit for each.
  private var conflicting: UInt16 {
    let all: UInt16 = 0x3FF & ~Self.bit(.releases)
    switch self {
    case .reads: return all & ~Self.bit(.reads)
    case .writes: return all
    case .releases: return Self.bit(.tries)
    case .tries: return all | Self.bit(.releases)
    case .enters: return all & ~Self.bit(.enters)
    case .leaves, .awaits, .ends:
      return all & ~(Self.bit(.leaves) | Self.bit(.awaits) | Self.bit(.ends))
    case .feeds: return all & ~Self.bit(.takes)
    case .takes: return all & ~Self.bit(.feeds)
    }
  }

  /// Whether it only counts an item in a group or out of it, which nobody can notice who does not wait for the group.
  var isOfItem: Bool { self == .enters || self == .ends }

  /// Whether whatever conflicts with the other mode conflicts with this one: then a step stands for an earlier one that
  /// is known to come before it.
  package func covers(_ other: StepMode) -> Bool { other.conflicting & ~conflicting == 0 }
}

/// What a call or an access does that other threads can notice.
struct StepShape: BitwiseCopyable {
  let verb: StepVerb
  let mode: StepMode
  /// Whether it is done as soon as the call has begun, though its thread then waits.
  var isDoneAtOnce = false
  /// Whether it is done to the waiters of a condition, and not to the lock that has the same name.
  var isOfCondition = false
}
