import SpindleModel

/// The lock of the program's address space, which a thread has while it maps or unmaps a stack, and which others
/// have together while they touch pages for the first time or give them back.
///
/// It is a kernel's lock that its threads sleep for. Who only looks is let in with all others who wait to look,
/// and has the lock from that moment, though it may stand in the line of a core: meanwhile nobody makes a thread,
/// and those who end one after the other join those who wait. So a core may be idle while the other one has a
/// long line.
///
/// Source: Linux, kernel/locking/rwsem.c, rwsem_mark_wake (readers are let in together, and have the lock when they
/// are woken), rwsem_try_write_lock (who changes must take it itself when it runs), rwsem_optimistic_spin (it
/// spins while a running thread has the lock to change).
struct AddressSpace: BitwiseCopyable {
  /// Who changes it, or none.
  var changer = ThreadID.none
  /// How many look at it.
  var lookers: Int32 = 0
  /// Who of them was let in last, or none.
  var lastLooker = ThreadID.none
  /// Who waits, in order.
  var waiters = WaitList()
}

extension Kernel {
  /// A thread maps a stack, for which it needs the address space a part of the time.
  mutating func mapStack(_ thread: ThreadID) {
    needAddressSpace(thread, .maps, for: mapped, of: costs.freshStack)
  }

  /// A new thread touches its stack for the first time.
  mutating func touchStack(_ thread: ThreadID) {
    needAddressSpace(thread, [.maps, .mapsShared], for: firstFault, of: costs.stackFault)
  }

  /// A thread pays what it can do without the address space, and will need that for the rest; who needs it already
  /// pays all.
  private mutating func needAddressSpace(
    _ thread: ThreadID, _ flags: ThreadFlags, for part: Int64, of cost: Nanoseconds
  ) {
    let record = threads.writable.at(thread)
    let needsIt = record.pointee.flags.contains(.maps)
    record.pointee.charge(needsIt ? cost.rawValue : cost.rawValue - part)
    if !needsIt { record.pointee.flags.formUnion(flags) }
  }

  /// What of `freshStack` needs the address space: one half, the calls that map and protect it.
  private var mapped: Int64 { costs.freshStack.rawValue / 2 }

  /// What of `stackFault` needs the address space: one page of three.
  private var firstFault: Int64 { costs.stackFault.rawValue / 3 }

  /// What giving pages back takes more while another core runs the program: it must forget them.
  private func shootdown() -> Int64 {
    costs.shootdown > .zero && idleCount < cores.count - 1 ? costs.shootdown.rawValue : 0
  }

  /// A thread that ends gives its stack's pages back, and puts it among those that the library keeps; where these are
  /// as many as may be, it unmaps one.
  ///
  /// When the end of its item made a thread, that one's stack is still to be mapped, and comes first. Returns
  /// false when all is done.
  mutating func leaveStack(_ thread: ThreadID) -> Bool {
    let record = threads.writable.at(thread)
    demand(record.pointee.frame == .none, "thread \(thread.index) leaves its stack, and has code")
    if !record.pointee.flags.isDisjoint(with: .passes) { return true }
    if record.pointee.phase == 0 {
      record.pointee.flags.formUnion([.maps, .mapsShared])
    } else if record.pointee.phase == 1 && costs.stackFree > .zero {
      needStackList(thread)
    } else {
      record.pointee.phase = 0
      return false
    }
    record.pointee.phase += 1
    return true
  }

  /// What a thread does for as long as it has the address space.
  private func mappingCost(_ record: ThreadRecord) -> Int64 {
    if record.leavesStack {
      return (record.phase == 1 ? costs.threadEnd : costs.stackFree).rawValue + shootdown()
    }
    return record.flags.contains(.mapsShared) ? firstFault : mapped
  }

  /// A running thread that must have the address space, and has nothing to pay, takes it and pays, or gives it back.
  ///
  /// Returns false when it waits.
  @inline(never)
  mutating func passAddressSpace(_ thread: ThreadID) -> Bool {
    let record = threads.writable.at(thread)
    demand(
      record.pointee.flags.contains(.maps) && record.pointee.remaining == 0,
      "thread \(thread.index) passes the address space, and has \(record.pointee.remaining) to do")
    if record.pointee.flags.contains(.mapping) {
      giveBackAddressSpace(thread)
      return true
    }
    if record.pointee.flags.contains(.mapsShared) {
      if addressSpace.changer.isNone && addressSpace.waiters.isEmpty {
        look(thread)
        return true
      }
    } else if addressSpace.changer.isNone && addressSpace.lookers == 0 {
      addressSpace.changer = thread
      haveAddressSpace(thread)
      return true
    } else if let left = spins(for: addressSpace.changer, atMost: .max)
      ?? (addressSpace.lookers == 1
        ? spins(for: addressSpace.lastLooker, atMost: Self.spinsForLooker) : nil)
    {
      if left > 0 {
        record.pointee.charge(left)
      } else {
        // It has been paid at this very instant.
        giveBackAddressSpace(
          !addressSpace.changer.isNone ? addressSpace.changer : addressSpace.lastLooker)
      }
      return true
    }
    block(thread, .addressSpace, holder: addressSpace.changer)
    addressSpace.waiters.insert(
      thread, after: addressSpace.waiters.lastThread, in: threads.writable)
    return false
  }

  /// How long a thread still has the address space, when it runs and that is not too long to spin for it; nil for
  /// who must wait, or for nobody.
  private func spins(for owner: ThreadID, atMost longest: Int64) -> Int64? {
    if owner.isNone { return nil }
    demand(
      threads[owner].flags.contains(.mapping), "thread \(owner.index) has not the address space")
    let core = CoreID(threads[owner].core)
    if core.isNone || cores[core].event == 0 { return nil }
    let left = max(0, cores[core].burstEnd - now)
    return left <= longest ? left : nil
  }

  /// How long who changes it spins for one who looks, in nanoseconds.
  ///
  /// Source: Linux, kernel/locking/rwsem.c, rwsem_rspin_threshold: 10 us, and half a microsecond for each.
  private static let spinsForLooker: Int64 = 10_500

  private mutating func look(_ thread: ThreadID) {
    addressSpace.lookers += 1
    addressSpace.lastLooker = thread
    haveAddressSpace(thread)
  }

  private mutating func haveAddressSpace(_ thread: ThreadID) {
    let record = threads.writable.at(thread)
    record.pointee.flags.insert(.mapping)
    record.pointee.charge(mappingCost(record.pointee))
  }

  /// A thread is done with the address space: who waits is let in.
  private mutating func giveBackAddressSpace(_ thread: ThreadID) {
    let record = threads.writable.at(thread)
    if record.pointee.flags.contains(.mapsShared) {
      addressSpace.lookers -= 1
      if addressSpace.lastLooker == thread { addressSpace.lastLooker = .none }
      demand(addressSpace.lookers >= 0, "thread \(thread.index) looks no more, and nobody did")
    } else {
      demand(
        addressSpace.changer == thread,
        "thread \(thread.index) gives back the address space of thread \(addressSpace.changer.index)"
      )
      addressSpace.changer = .none
    }
    let hasMapped = !record.pointee.flags.contains(.mapsShared)
    record.pointee.flags.subtract([.maps, .mapping, .mapsShared])
    if hasMapped { changed(thread) }
    if addressSpace.lookers > 0 || addressSpace.waiters.isEmpty { return }
    let first = addressSpace.waiters.firstThread
    if !threads[first].flags.contains(.mapsShared) {
      addressSpace.waiters.remove(first, in: threads.writable)
      return wake(first, .granted, by: thread)
    }
    var next = first
    while !next.isNone {
      let other = next
      next = threads[other].next
      if !threads[other].flags.contains(.mapsShared) { continue }
      addressSpace.waiters.remove(other, in: threads.writable)
      wake(other, .granted, by: thread)
      look(other)
    }
  }

  /// Stops with a message when who has the address space, or waits for it, is not who is noted.
  func checkAddressSpace() {
    var (lookers, waiters) = (Int32(0), 0)
    for thread in threads.ids where threads[thread].state != .finished {
      let record = threads[thread]
      if record.state == .waiting && record.reason == .addressSpace { waiters += 1 }
      if !record.flags.contains(.mapping) { continue }
      demand(
        record.flags.contains(.maps), "thread \(thread.index) has the address space and wants none")
      if record.flags.contains(.mapsShared) {
        lookers += 1
      } else {
        demand(
          thread == addressSpace.changer, "thread \(thread.index) changes the address space unnoted"
        )
      }
    }
    demand(
      lookers == addressSpace.lookers, "\(lookers) look, \(addressSpace.lookers) counted")
    demand(
      addressSpace.changer.isNone
        || lookers == 0 && threads[addressSpace.changer].flags.contains(.mapping),
      "thread \(addressSpace.changer.index) changes the address space, and \(lookers) look")
    demand(
      waiters == 0 || !addressSpace.changer.isNone || lookers > 0 || isClaimed,
      "\(waiters) threads wait for the address space, and nobody has it")
    checkWaitList(addressSpace.waiters, .addressSpace, on: -1, "the address space")
  }

  /// Whether a thread that is awake is about to take it.
  private var isClaimed: Bool {
    threads.ids.contains {
      let record = threads[$0]
      return record.flags.contains(.maps) && record.state != .waiting && record.state != .finished
    }
  }
}
