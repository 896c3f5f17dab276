import SpindleModel

/// The list of stacks that the threads library keeps, and its lock.
///
/// Who makes a thread looks there for a stack, and puts a new one on it when that is mapped; who ends puts its own
/// on it, and when there are too many unmaps one before it lets go of the list. So those who make threads and those who
/// end wait for each other's unmapping, by a lock that its threads sleep for: who is woken must take it itself,
/// and may find it taken again.
///
/// Source: glibc, nptl/allocatestack.c (get_cached_stack, allocate_stack) and nptl/nptl-stack.c
/// (__nptl_deallocate_stack, queue_stack, __nptl_free_stacks), all under dl_stack_cache_lock; nptl/lowlevellock.c.
/// Departure: a thread that is made is there at once, and its maker looks for its stack behind that.
struct StackList: BitwiseCopyable {
  /// Who has it while it unmaps a stack, or none.
  var holder = ThreadID.none
  /// Who waits, in order.
  var waiters = WaitList()
}

extension Kernel {
  /// A thread will need the list of stacks, which matters where somebody may have it for a time.
  @inline(__always)
  mutating func needStackList(_ thread: ThreadID) {
    if costs.stackFree > .zero { threads.writable[thread].flags.insert(.lists) }
  }

  /// A running thread that must have the list of stacks or the address space, and has nothing to pay, takes what it
  /// needs first, or gives it back.
  ///
  /// Returns false when it waits.
  @inline(never)
  mutating func passStacks(_ thread: ThreadID) -> Bool {
    threads[thread].flags.contains(.lists) && stackList.holder != thread
      ? passStackList(thread) : passAddressSpace(thread)
  }

  private mutating func passStackList(_ thread: ThreadID) -> Bool {
    demand(
      threads[thread].remaining == 0, "thread \(thread.index) has to pay before the list of stacks")
    if !stackList.holder.isNone {
      block(thread, .stackList, holder: stackList.holder)
      stackList.waiters.insert(thread, after: stackList.waiters.lastThread, in: threads.writable)
      return false
    }
    stackList.holder = thread
    if threads[thread].leavesStack && keptStacks >= stackRoom {
      threads.writable[thread].flags.insert(.maps)
    } else {
      leaveStackList(thread)
    }
    return true
  }

  /// A thread has mapped or unmapped a stack.
  mutating func changed(_ thread: ThreadID) {
    if stackList.holder == thread { return leaveStackList(thread) }
    demand(!threads[thread].leavesStack, "thread \(thread.index) unmaps a stack without their list")
    needStackList(thread)
  }

  /// Who waits first may try to take it.
  private mutating func leaveStackList(_ thread: ThreadID) {
    demand(
      stackList.holder == thread,
      "thread \(thread.index) lets go of the list of stacks of thread \(stackList.holder.index)")
    threads.writable[thread].flags.remove(.lists)
    stackList.holder = .none
    let first = stackList.waiters.firstThread
    if first.isNone { return }
    stackList.waiters.remove(first, in: threads.writable)
    wake(first, .granted, by: thread)
  }

  /// Stops with a message when the locks that making and ending threads need are not as they are noted.
  func checkStacks() {
    checkAddressSpace()
    checkStackList()
  }

  /// Stops with a message when who has the list of stacks, or waits for it, is not who is noted.
  private func checkStackList() {
    var (waiters, isClaimed) = (0, false)
    for thread in threads.ids where threads[thread].state != .finished {
      let record = threads[thread]
      if record.state == .waiting && record.reason == .stackList {
        demand(
          record.flags.contains(.lists), "thread \(thread.index) waits for a list that it needs not"
        )
        waiters += 1
      } else if record.flags.contains(.lists) {
        isClaimed = true
      }
    }
    demand(
      waiters == 0 || !stackList.holder.isNone || isClaimed,
      "\(waiters) threads wait for the list of stacks, and nobody has it")
    demand(
      stackList.holder.isNone
        || threads[stackList.holder].flags.isSuperset(of: [.lists, .maps]),
      "thread \(stackList.holder.index) has the list of stacks, and unmaps none")
    checkWaitList(stackList.waiters, .stackList, on: -1, "the list of stacks")
  }
}
