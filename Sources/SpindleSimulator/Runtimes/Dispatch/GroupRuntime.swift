import SpindleModel

/// `DispatchGroup`: a count; those who wait go on when it returns to zero.
///
/// Source: swift-corelibs-libdispatch:src/semaphore.c.
struct GroupRuntime: ~Copyable {
  typealias Index = TableIndex<Record>

  /// One group.
  struct Record: BitwiseCopyable {
    var name: Int32
    var count: Int64 = 0
    var waiters = WaitList()
    /// The items that are handed over when nothing is left in it.
    var followers = IntrusiveQueue<DispatchItem>()
    /// Where it was entered last.
    var enteredAt: Int32 = -1
    /// Where it was left last, the latest first, -1 for nowhere, and what did that.
    private(set) var leaves = (GroupLeave(), GroupLeave(), GroupLeave())

    mutating func noteLeave(_ leave: GroupLeave) { leaves = (leave, leaves.0, leaves.1) }
  }

  var groups: Table<Record>

  /// Whether somebody is in a group, waits for it or follows it, and so has it.
  func isNeeded(_ group: Index) -> Bool {
    let record = groups[group]
    return record.count > 0 || !record.waiters.isEmpty || !record.followers.isEmpty
  }

  /// Creates it without groups.
  init(_ storage: Storage) { groups = Table(.groups, storage) }

  /// Makes a group.
  mutating func make(name: Int32) -> Index {
    groups.add(Record(name: name))
  }

  /// `enter()`.
  mutating func enter(_ group: GroupRuntime.Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    assert(groups[group].count >= 0, "group \(group) has \(groups[group].count) entries")
    groups[group].count += 1
    kernel.uses(.group, group.raw, .enters, name: groups[group].name, by: thread)
    if !thread.isNone { groups[group].enteredAt = kernel.threads[thread].place }
    kernel.record(
      .groupEntered, thread: thread, object: groups[group].name, subject: group.raw,
      place: kernel.presentPlace(of: thread),
      value: groups[group].count)
  }

  /// `leave()`: one too many crashes.
  mutating func leave(_ group: GroupRuntime.Index, _ thread: ThreadID, _ kernel: inout Kernel)
    -> RuntimeResult
  {
    if groups[group].count == 0 {
      return .crash("BUG IN CLIENT OF LIBDISPATCH: Unbalanced call to dispatch_group_leave()")
    }
    groups[group].count -= 1
    kernel.uses(.group, group.raw, .ends, name: groups[group].name, by: thread)
    if groups[group].count == 0 && kernel.watchesOrder { kernel.groupIsEmpty(group.raw) }
    kernel.record(
      .groupLeft, thread: thread, object: groups[group].name, subject: group.raw,
      place: kernel.presentPlace(of: thread),
      value: groups[group].count)
    return .done
  }

  /// Lets those go on who wait for a group in which nothing is left.
  mutating func wakeWaiters(_ group: GroupRuntime.Index, _ thread: ThreadID, _ kernel: inout Kernel)
  {
    demand(groups[group].count == 0, "group \(group) has \(groups[group].count) entries left")
    kernel.wakeAll(&groups[group].waiters, by: thread)
  }

  /// `wait()` and `wait(timeout:)`; the result is `.timedOut` when the limit was reached.
  mutating func wait(
    _ group: GroupRuntime.Index, _ thread: ThreadID, deadline: Int64?, _ kernel: inout Kernel
  ) -> RuntimeResult {
    if kernel.threads[thread].wakeResult != .none { return .done }
    if groups[group].count == 0 {
      kernel.acquires(.group, group.raw, by: thread)
      kernel.threads.at(thread).setResult(.granted)
      return .done
    }
    if let deadline, deadline <= kernel.now {
      kernel.threads.at(thread).setResult(.timedOut)
      kernel.record(
        .waitTimedOut, thread: thread, detail: WaitReason.group.rawValue,
        object: groups[group].name, subject: group.raw)
      return .done
    }
    kernel.append(thread, to: &groups[group].waiters)
    kernel.block(thread, .group, on: group.raw, name: groups[group].name, until: deadline)
    return .blocked
  }

  /// The limit of a thread that waits is reached.
  mutating func timeOut(_ group: GroupRuntime.Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    demand(!groups[group].waiters.isEmpty, "nobody waits for group \(group)")
    kernel.remove(thread, from: &groups[group].waiters)
    kernel.record(
      .waitTimedOut, thread: thread, detail: WaitReason.group.rawValue, object: groups[group].name,
      subject: group.raw)
    kernel.wake(thread, .timedOut, by: .none)
  }
}

/// One call of `leave()`, or the end of an item of a group.
struct GroupLeave: BitwiseCopyable {
  /// Where, and by which thread; -1 and none where nobody knows.
  var place: Int32 = -1
  var thread = ThreadID.none
  /// The item that did it, by its name and its kind; -1 for none.
  var item: Int32 = -1
  var kind: Int32 = -1
}
