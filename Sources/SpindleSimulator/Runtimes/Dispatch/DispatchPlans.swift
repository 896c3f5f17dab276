import SpindleModel

/// What dispatch plans for a moment.
enum DispatchPlan: UInt8, RoomPlan {
  /// The kernel may make a worker for one that blocked.
  case makeWorker
  /// Housekeeping: parked workers whose time is over end.
  case endIdleWorkers
  /// libdispatch's monitor looks whether its pools have too few workers that can run.
  case monitorPools
  /// `asyncAfter`: the item's deadline has come; the object is the item.
  case submitItem

  static var owner: PlanOwner { .dispatch }
}

extension PlanKind {
  static var makeWorker: PlanKind { DispatchPlan.makeWorker.kind }
  static var endIdleWorkers: PlanKind { DispatchPlan.endIdleWorkers.kind }
  static var monitorPools: PlanKind { DispatchPlan.monitorPools.kind }
  static var submitItem: PlanKind { DispatchPlan.submitItem.kind }
}

extension DispatchRuntime {
  /// Something that dispatch has planned is due.
  mutating func carryOut(_ plan: DispatchPlan, _ object: Int32, _ process: inout Process) {
    switch plan {
    case .makeWorker: delayIsOver(&process.kernel)
    case .endIdleWorkers: endIdleWorkers(&process.kernel)
    case .monitorPools: monitorPools(&process.kernel)
    case .submitItem:
      process.kernel.handsOverKept(object)
      let item = take(.init(object))
      letHold(item.queue)
      submit(item, by: .none, &process)
    }
  }
}
