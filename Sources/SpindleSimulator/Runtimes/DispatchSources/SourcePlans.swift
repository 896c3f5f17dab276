/// What dispatch sources plan for a moment.
enum SourcePlan: UInt8, RoomPlan {
  /// A source is due: a timer fires, a process has ended; the object is the source.
  case sourceEvent

  static var owner: PlanOwner { .dispatchSources }
}

extension PlanKind {
  static var sourceEvent: PlanKind { SourcePlan.sourceEvent.kind }
}
