/// What is planned for an app.
enum AppPlan: UInt8, RoomPlan {
  /// The time that it has in the background is over.
  case backgroundLimit

  static var owner: PlanOwner { .application }
}

extension PlanKind {
  static var backgroundLimit: PlanKind { AppPlan.backgroundLimit.kind }
}
