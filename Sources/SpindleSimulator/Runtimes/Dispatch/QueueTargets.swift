import SpindleModel

/// The targets of queues: where their items run in the end, and what queues are called.
extension DispatchRuntime {
  /// Lets a queue's items run on another queue, which lives as long as it does.
  mutating func setTarget(of queue: Int32, to target: Int32) {
    demand(queues[queue].isOwn, "queue \(queue), which is the system's, gets a target")
    if queues[queue].target >= 0 {
      letHold(queues[queue].target)
      targetChanges += 1
    }
    queues[queue].target = target
    queues[target].holds += 1
    raiseTargets(of: queue)
  }

  /// How many targets lie between a queue and its global one, itself included; up to `depthLimit` steps.
  func depth(of queue: Int32) -> Int32 {
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
  mutating func mayTarget(_ target: Int32, from queue: Int32) -> Bool {
    let below = depth(of: target) + 1
    if below + queues[queue].height <= Self.depthLimit { return true }
    for each in 0..<Int32(queues.count) { queues[each].height = 0 }
    for each in 0..<Int32(queues.count) { raiseTargets(of: each) }
    return below + queues[queue].height <= Self.depthLimit
  }

  /// Lets the targets of a queue know how long a chain ends at it; stops at the first that has a longer one.
  private mutating func raiseTargets(of queue: Int32) {
    var (target, height) = (queues[queue].target, queues[queue].height + 1)
    while target >= 0 && queues[target].isOwn && queues[target].height < height {
      queues[target].height = height
      (target, height) = (queues[target].target, height + 1)
    }
  }

  /// One of what keeps a queue alive is over: a queue that has it as its target, or an item that is
  /// to be handed to it.
  @inline(__always)
  mutating func letHold(_ queue: Int32) {
    assert(queues[queue].holds > 0, "nothing holds queue \(queue)")
    queues[queue].holds -= 1
  }

  /// The queue at the end of a queue's chain of targets: a global one, or the main queue.
  ///
  /// Amortised O(1): what is found is kept along the way, until the target of some queue changes.
  @inline(__always)
  func bottom(of queue: Int32) -> Int32 {
    let record = queues.at(queue)
    if record.pointee.target < 0 { return queue }
    return record.pointee.knownAt == targetChanges
      ? record.pointee.knownBottom : Self.findBottom(of: queue, queues, targetChanges)
  }

  @inline(never)
  private static func findBottom(
    of queue: Int32, _ queues: borrowing Table<DispatchQueueRecord>, _ targetChanges: Int64
  ) -> Int32 {
    var bottom = queue
    while queues[bottom].target >= 0 {
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
  func name(_ queue: Int32, _ kernel: borrowing Kernel) -> String {
    let name = queues[queue].name
    if name >= 0 { return kernel.text(name) }
    return Self.systemName(queue, queues[queue].quality)
  }

  /// What the main queue, which has no class of service, or a global one is called.
  private static func systemName(_ queue: Int32, _ quality: DispatchQuality?) -> String {
    guard let quality else { return "com.apple.main-thread" }
    return "com.apple.root.\(quality.label)\(isOvercommit(queue) ? ".overcommit" : "")"
  }

  /// The number of a queue's label.
  ///
  /// The main queue and the global ones get theirs when they are first named, so that a run that has
  /// none has no name more.
  @inline(__always)
  func label(_ queue: Int32, _ kernel: borrowing Kernel) -> Int32 {
    let name = queues[queue].name
    return name >= 0 ? name : Self.systemLabel(queue, queues[queue].quality, kernel)
  }

  @inline(never)
  private static func systemLabel(
    _ queue: Int32, _ quality: DispatchQuality?, _ kernel: borrowing Kernel
  ) -> Int32 {
    kernel.intern(systemName(queue, quality)).index
  }
}
