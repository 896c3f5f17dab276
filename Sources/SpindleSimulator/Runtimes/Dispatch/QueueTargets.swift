import SpindleModel

/// The targets of queues: where their items run in the end, and what queues are called.
extension DispatchRuntime {
  /// Lets a queue's items run on another queue, which lives as long as it does.
  mutating func setTarget(of queue: DispatchQueueRecord.Index, to target: DispatchQueueRecord.Index)
  {
    demand(queues[queue].isOwn, "queue \(queue), which is the system's, gets a target")
    let target = inheritQuality(of: queue, from: target)
    if !queues[queue].target.isNone {
      letHold(queues[queue].target)
      targetChanges += 1
    }
    queues[queue].target = target
    queues[target].holds += 1
    demand(target != queue, "queue \(queue) runs on itself")
    raiseTargets(of: queue)
  }

  /// Gives a queue without a class of its own that of the global queue that it targets; one that has its own targets the
  /// global queue of that class instead, which is what this gives then.
  ///
  /// The global queue of the default class stands for no class. A class that came from a global queue stays when the target is
  /// another queue of the program later. Source: swift-corelibs-libdispatch:src/queue.c,
  /// _dispatch_queue_priority_inherit_from_target, _dispatch_lane_create_with_target; `qos` read with Swift 6.3.1 on Linux.
  private mutating func inheritQuality(
    of queue: DispatchQueueRecord.Index, from target: DispatchQueueRecord.Index
  ) -> DispatchQueueRecord.Index {
    guard queues[target].kind == .root else { return target }
    if let own = queues[queue].quality, !queues[queue].inheritsQuality {
      return Self.root(own, overcommit: Self.isOvercommit(target))
    }
    queues[queue].quality = isUnspecified(target) ? nil : queues[target].quality
    queues[queue].inheritsQuality = true
    return target
  }

  /// Whether a global queue is the one that stands for no class.
  func isUnspecified(_ root: DispatchQueueRecord.Index) -> Bool {
    queues[root].quality == .default
  }

  /// How many targets lie between a queue and its global one, itself included; up to `depthLimit` steps.
  mutating func depth(of queue: DispatchQueueRecord.Index) -> Int32 {
    var (target, depth) = (queue, Int32(0))
    while queues[target].isOwn { (target, depth) = (queues[target].target, depth + 1) }
    demand(
      depth <= Self.depthLimit,
      "queue \(queue) stands in a chain of \(depth) queues, too long a one")
    return depth
  }

  /// Whether a queue may get a target: the longest chain through both must not be too long.
  ///
  /// Only where it seems to be, the chains that end at each queue are measured anew: linear in the number of
  /// queues, times the length of their chains.
  mutating func mayTarget(
    _ target: DispatchQueueRecord.Index, from queue: DispatchQueueRecord.Index
  ) -> Bool {
    let below = depth(of: target) + 1
    assert(below <= Self.depthLimit + 1, "queue \(target) stands \(below) targets deep")
    if below + queues[queue].height <= Self.depthLimit { return true }
    for each in queues.indices { queues[each].height = 0 }
    for each in queues.indices { raiseTargets(of: each) }
    return below + queues[queue].height <= Self.depthLimit
  }

  /// Lets the targets of a queue know how long a chain ends at it; stops at the first that has a longer one.
  private mutating func raiseTargets(of queue: DispatchQueueRecord.Index) {
    var (target, height) = (queues[queue].target, queues[queue].height + 1)
    while !target.isNone && queues[target].isOwn && queues[target].height < height {
      queues[target].height = height
      (target, height) = (queues[target].target, height + 1)
    }
  }

  /// One of what keeps a queue alive is over: a queue that has it as its target, or an item that is
  /// to be handed to it.
  @inline(__always)
  mutating func letHold(_ queue: DispatchQueueRecord.Index) {
    assert(queues[queue].holds > 0, "nothing holds queue \(queue)")
    queues[queue].holds -= 1
  }

  /// The queue at the end of a queue's chain of targets: a global one, or the main queue.
  ///
  /// Amortised O(1): what is found is kept along the way, until the target of some queue changes.
  @inline(__always)
  func bottom(of queue: DispatchQueueRecord.Index) -> DispatchQueueRecord.Index {
    let record = queues.at(queue)
    if record.pointee.target.isNone { return queue }
    return record.pointee.knownAt == targetChanges
      ? record.pointee.knownBottom : Self.findBottom(of: queue, queues, targetChanges)
  }

  @inline(never)
  private static func findBottom(
    of queue: DispatchQueueRecord.Index, _ queues: borrowing Table<DispatchQueueRecord>,
    _ targetChanges: Int64
  ) -> DispatchQueueRecord.Index {
    var bottom = queue
    while !queues[bottom].target.isNone {
      if queues[bottom].knownAt == targetChanges {
        bottom = queues[bottom].knownBottom
        break
      }
      bottom = queues[bottom].target
    }
    assert(!queues[bottom].isOwn, "the targets of queue \(queue) end at queue \(bottom)")
    var above = queue
    while above != bottom && queues[above].knownAt != targetChanges {
      (queues[above].knownBottom, queues[above].knownAt) = (bottom, targetChanges)
      above = queues[above].target
    }
    return bottom
  }

  /// What a queue is called.
  func name(_ queue: DispatchQueueRecord.Index, _ kernel: borrowing Kernel) -> String {
    let name = queues[queue].name
    if name >= 0 { return kernel.text(name) }
    return Self.systemName(queue, queues[queue].quality)
  }

  /// What the main queue, which has no class of service, or a global one is called.
  private static func systemName(_ queue: DispatchQueueRecord.Index, _ quality: DispatchQuality?)
    -> String
  {
    guard let quality else { return "com.apple.main-thread" }
    return "com.apple.root.\(quality.label)\(isOvercommit(queue) ? ".overcommit" : "")"
  }

  /// The number of a queue's label.
  ///
  /// The main queue and the global ones get theirs when they are first named, so that a run that has
  /// none has no name more.
  @inline(__always)
  func label(_ queue: DispatchQueueRecord.Index, _ kernel: borrowing Kernel) -> Int32 {
    let name = queues[queue].name
    return name >= 0 ? name : Self.systemLabel(queue, queues[queue].quality, kernel)
  }

  @inline(never)
  private static func systemLabel(
    _ queue: DispatchQueueRecord.Index, _ quality: DispatchQuality?, _ kernel: borrowing Kernel
  ) -> Int32 {
    kernel.intern(systemName(queue, quality)).index
  }
}
