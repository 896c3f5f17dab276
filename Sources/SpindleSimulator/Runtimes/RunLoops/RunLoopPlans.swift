/// What run loops plan for a moment.
enum RunLoopPlan: UInt8, RoomPlan {
  /// The answer of an input or output comes that calls back in a run loop; the object is its port.
  case answer
  /// The finger is lifted that the main loop follows.
  case trackingEnd

  static var owner: PlanOwner { .runLoops }
}

extension PlanKind {
  static var answer: PlanKind { RunLoopPlan.answer.kind }
  static var trackingEnd: PlanKind { RunLoopPlan.trackingEnd.kind }
}
