import SpindleModel

/// Groups: counting what is not done, waiting for it, following it.
extension DispatchRuntime {
  mutating func group(_ primitive: GroupPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    let object = process.object(0, call)
    switch primitive {
    case .make:
      let name = process.objectName(process.argument(0, call), "DispatchGroup")
      let made = groups.make(name: name)
      process.noteMaking(.group, made, name, call)
      process.give(Int64(made), call)
    case .enter: groups.enter(object, call.thread, &process.kernel)
    case .leave:
      leaveGroup(object, call.thread, &process)
      return process.outcome == nil ? .next : .stopped
    case .wait:
      let limit = process.deadline(process.argument(1, call))
      let step = groups.wait(object, call.thread, deadline: limit, &process.kernel)
      if case .done = step { process.giveWaitResult(call) }
      return process.advance(step, call)
    case .notify:
      let given = NotifyArguments(call, process)
      return follow(.group(given.followed), with: follower(given, call, &process), call, &process)
    case .notifyItem:
      let given = NotifyItemArguments(call, process)
      return follow(
        .group(given.followed), with: followingItem(given, call, &process), call, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: GroupPrimitive, _ call: Call, _ process: borrowing Process) -> Int64 {
    let cost = process.kernel.costs.semaphore.rawValue
    switch primitive {
    case .enter, .wait: return cost
    case .leave:
      let group = process.object(0, call)
      return cost
        + (groups.groups[group].count == 1 ? process.wakeCost(groups.groups[group].waiters) : 0)
    case .notify, .notifyItem: return process.kernel.costs.enqueue.rawValue
    case .make: return 0
    }
  }
}
