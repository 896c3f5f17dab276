/// Who plans something for a moment: a room, which carries it out when it is due.
enum PlanOwner: UInt8 {
  /// The kernel, whose numbers it knows without this.
  case kernel = 0
  case dispatch
  case dispatchSources
  case application
  case runLoops
  case concurrency
  case threads
  case executors
  case accelerators
}

/// The plans of one room.
protocol RoomPlan: RawRepresentable<UInt8> {
  static var owner: PlanOwner { get }
}

extension RoomPlan {
  /// What the kernel keeps of it.
  var kind: PlanKind { PlanKind(owner: Self.owner.rawValue, code: rawValue) }

  /// The plan of this room that the kernel has kept; traps where it is another one's.
  init(_ kind: PlanKind) {
    guard kind.owner == Self.owner.rawValue, let plan = Self(rawValue: kind.code) else {
      fatalError("\(kind) is none of \(Self.owner)")
    }
    self = plan
  }
}
