import SpindleModel

/// Whom the groups and the work items of a run wait for: found once for all who wait for them.
struct DispatchDependencies {
  fileprivate(set) var ofGroups: [GroupRuntime.Index: [WaitGraph.Holder]] = [:]
  fileprivate(set) var ofWorkItems: [WorkItemRecord.Index: [WaitGraph.Holder]] = [:]
}

extension DispatchRuntime {
  /// The waiting threads that run what groups and work items wait for, by number, and then those that
  /// have the queues in which such items still stand, by queue.
  ///
  /// Who is not stuck is left out: it goes on, and so does what depends on it. Complexity: O(frames of
  /// threads, and items that wait).
  func dependencies(_ process: borrowing Process) -> DispatchDependencies {
    var found = DispatchDependencies()
    for thread in process.kernel.liveThreads
    where process.kernel.threads[thread].state == .waiting {
      noteRunner(thread, &found, process)
    }
    for queue in queues.indices where !queues[queue].items.isEmpty {
      noteItems(of: queue, &found, process)
    }
    return found
  }

  /// What a thread runs, from the innermost outwards.
  private func noteRunner(
    _ thread: ThreadID, _ found: inout DispatchDependencies, _ process: borrowing Process
  ) {
    let own = GroupRuntime.Index(process.kernel.threads[thread].itemGroup)
    if !own.isNone {
      let holder = WaitGraph.Holder(thread: thread, takenAt: groups.groups[own].enteredAt)
      found.ofGroups[own, default: []].append(holder)
    }
    var frame = process.kernel.threads[thread].frame
    while !frame.isNone {
      if let worker = ItemFrame(frame, ifOf: process), worker.hasItem(process) {
        let item = items[worker.present(process).item]
        found.add(item, WaitGraph.Holder(thread: thread, takenAt: item.place))
      }
      frame = process.frames.parent(frame)
    }
  }

  /// What waits in a queue behind what runs there.
  private func noteItems(
    of queue: DispatchQueueRecord.Index, _ found: inout DispatchDependencies,
    _ process: borrowing Process
  ) {
    var holders: [ThreadID]?
    var index = queues[queue].items.first
    while !index.isNone {
      let item = items[index]
      index = item.next
      if item.group.isNone && item.kind != .workItem { continue }
      let threads = holders ?? blockers(of: queue, process)
      holders = threads
      for thread in threads {
        var holder = WaitGraph.Holder(thread: thread, takenAt: item.place, queue: queue.raw)
        if item.kind != .workItem {
          holder.item = process.itemName(item.name, kind: workKind(of: item))
        }
        found.add(item, holder)
      }
    }
  }

  /// The threads that have a queue, or else the nearest queue below that somebody has.
  ///
  /// What waits in a concurrent queue where nobody is alone waits for all who are on it.
  func blockers(of queue: DispatchQueueRecord.Index, _ process: borrowing Process)
    -> [ThreadID]
  {
    var level = queue
    while !level.isNone && queues[level].kind != .root {
      let record = queues[level]
      if record.kind == .main || runsOnMain(level) { return [process.mainThread] }
      if !record.owner.isNone { return [record.owner] }
      if record.kind == .concurrent && record.running > 0 {
        let readers = process.kernel.threads.ids.filter { isOn(level, $0, process) }
        if !readers.isEmpty { return readers }
      }
      level = record.target
    }
    return []
  }
}

extension DispatchDependencies {
  /// An item of a group, or a work item, depends on a thread.
  fileprivate mutating func add(_ item: DispatchItem, _ holder: WaitGraph.Holder) {
    if !item.group.isNone { ofGroups[item.group, default: []].append(holder) }
    if item.kind == .workItem { ofWorkItems[item.workItem, default: []].append(holder) }
  }
}
