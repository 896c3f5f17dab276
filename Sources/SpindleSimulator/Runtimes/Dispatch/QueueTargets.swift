import SpindleModel

/// The targets of queues: where their items run in the end, and what queues are called.
extension DispatchRuntime {
  /// Lets a queue's items run on another queue, which lives as long as it does.
  mutating func setTarget(of queue: Int32, to target: Int32) {
    demand(queues[queue].isOwn, "queue \(queue), which is the system's, gets a target")
    if queues[queue].depth > 0 {
      letHold(queues[queue].target)
      targetChanges += 1
    }
    queues[queue].target = target
    queues[queue].depth = queues[target].depth + 1
    queues[target].holds += 1
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
