import SpindleModel

/// Groups: counting what is not done, waiting for it, following it.
extension DispatchRuntime {
  mutating func group(_ primitive: GroupPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    let group = process.group(0, call)
    switch primitive {
    case .make:
      let name = process.objectName(process.argument(0, call), "DispatchGroup")
      let made = groups.make(name: name)
      process.noteMaking(.group, made.raw, name, call)
      process.give(made.register, call)
    case .enter: groups.enter(group, call.thread, &process.kernel)
    case .leave:
      leaveGroup(group, call.thread, &process)
      return process.outcome == nil ? .next : .stopped
    case .wait:
      let limit = process.deadline(process.argument(1, call))
      let step = groups.wait(group, call.thread, deadline: limit, &process.kernel)
      if case .done = step { process.giveWaitResult(call) }
      return process.advance(step, call)
    case .notify:
      let given = NotifyArguments(.group(group), call, process)
      return follow(given.followed, with: follower(given, call, &process), call, &process)
    case .notifyItem:
      let given = NotifyItemArguments(.group(group), call, process)
      return follow(
        given.followed, with: followingItem(given, call, &process), call, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: GroupPrimitive, _ call: Call, _ process: borrowing Process)
    -> Int64
  {
    let cost = process.kernel.costs.semaphore.rawValue
    switch primitive {
    case .enter, .wait: return cost
    case .leave:
      let group = process.group(0, call)
      return cost
        + (groups.groups[group].count == 1 ? process.wakeCost(groups.groups[group].waiters) : 0)
    case .notify, .notifyItem: return process.kernel.costs.enqueue.rawValue
    case .make: return 0
    }
  }
}
