import SpindleModel

/// What the room of tasks plans for a moment.
enum ConcurrencyPlan: UInt8, RoomPlan {
  /// A task has slept; the object is the task.
  case sleepEnds
  /// A task's input or output is done; the object is the task, the value the machine's uptime at that moment.
  case ioEnds

  static var owner: PlanOwner { .concurrency }
}

extension PlanKind {
  static var sleepEnds: PlanKind { ConcurrencyPlan.sleepEnds.kind }
  static var ioEnds: PlanKind { ConcurrencyPlan.ioEnds.kind }
}

extension ConcurrencyRuntime {
  /// Something that was planned is due.
  mutating func carryOut(
    _ plan: ConcurrencyPlan, _ task: TaskRecord.Index, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    demand(
      tasks[task].state == .suspended && !tasks[task].plan.isNone,
      "the wait of task \(task) ends, which is \(tasks[task].state)")
    switch plan {
    case .sleepEnds: sleepIsOver(task, &dispatch, &process)
    case .ioEnds:
      tasks[task].plan = .none
      wake(task, by: .none, &dispatch, &process)
    }
  }
}
