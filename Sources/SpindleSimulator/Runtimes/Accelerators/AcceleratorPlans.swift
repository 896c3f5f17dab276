/// What is planned for accelerators.
enum AcceleratorPlan: UInt8, RoomPlan {
  /// The answer that a thread waits for is there.
  case answer

  static var owner: PlanOwner { .accelerators }
}
