import SpindleModel

/// The ends of quanta, and those at which nothing happens.
///
/// A thread whose quantum ends while nobody is ready keeps its core and begins another one: it is not
/// preempted, and the log has nothing to tell. Source: xnu:osfmk/kern/sched_prim.c, thread_select, where
/// the running thread goes on unless another one is better; linux:kernel/sched/fair.c, update_curr.
/// The quanta that follow are not watched, so that they take no time of the host however short they
/// are; when a thread becomes ready, and when the thread leaves its core, the kernel computes how many have
/// passed, and tells the policy. Then all is as if each end had been an event. Where only some are alike, as until
/// a boost, all are watched again during the last of these; but where no other core has a thread, a steady policy
/// computes what they come to however unlike they are.
extension Kernel {
  /// The quantum of the thread that a core was given begins now.
  @inline(__always)
  mutating func beginQuantum(_ core: UnsafeMutablePointer<CoreRecord>, of thread: ThreadID) {
    core.pointee.dispatched = now
    core.pointee.quantumEnd = Int64.max
    if let quantum = policy.quantum(for: thread) {
      if quantum.rawValue <= 0 { return breaks(.quantumIsPositive, about: thread) }
      core.pointee.quantumEnd = (Instant(now) + quantum).nanoseconds
    }
  }

  /// Lets the thread on a core, whose quantum has ended, begin another one when nobody waits.
  ///
  /// Returns false when it is preempted. Where cores are of unlike speed, a thread that is not alone
  /// is preempted at the end of each quantum: it may go on at another core.
  @inline(never)
  mutating func renewQuantum(on index: CoreID, of record: ThreadPointer) -> Bool {
    if readyCount > 0 { return false }
    let core = cores.writable.at(index)
    let thread = core.pointee.thread
    let mayStay =
      policy.bindsCores
      ? policy.keepsCore(thread, index, at: Instant(now))
      : coresAreAlike || isAloneOnFastest(index)
    if !mayStay { return false }
    let ran = Nanoseconds(now - core.pointee.dispatched)
    if !policy.mayRenew(thread, on: index, at: Instant(now)) { return false }
    let next = policy.renew(thread, on: index, after: ran, at: Instant(now))
    if next != thread { breaks(.loneThreadIsReturned, about: thread) }
    if !unwatched.isEmpty { placeTurns(before: core) }
    beginQuantum(core, of: thread)
    if core.pointee.quantumEnd < Int64.max { unwatchIfPossible(index, thread) }
    beginTurn(core)
    goOn(on: index, of: record)
    return true
  }

  /// The quanta of a core, whose thread is the only one that wants it, are not watched from now on if they are known.
  private mutating func unwatchIfPossible(_ index: CoreID, _ thread: ThreadID) {
    let alike = policy.equalQuanta(of: thread, at: Instant(now))
    if alike < 1 { breaks(.equalQuantaCountThePresent, about: thread) }
    if alike < Int64.max && idleCount == cores.count - 1 {
      let kept = policy.keepsCoreUntil(thread, at: Instant(now))
      if kept > cores[index].quantumEnd {
        return unwatch(
          index, length: CoreRecord.unlike, until: kept == Int64.max ? kept : kept - 1)
      }
    }
    if alike > 1 { unwatch(index, alike) }
  }

  /// The last of the quanta of a core that are alike goes on: from now on they are watched.
  @inline(never)
  mutating func watchLastQuantum(on index: CoreID, of record: ThreadPointer) {
    watchQuanta()
    goOn(on: index, of: record)
  }

  /// The work of a thread goes on where it is, and keeps its place among the events.
  private mutating func goOn(on index: CoreID, of record: ThreadPointer) {
    cores.writable.at(index).pointee.burst &-= record.pointee.remaining
    isUnbroken = true
    beginBurst(on: index, of: record)
  }

  /// The end of the turn that begins now has its place among the events from now on.
  private mutating func beginTurn(_ core: UnsafeMutablePointer<CoreRecord>) {
    sequence &+= 1
    (core.pointee.turn, core.pointee.placed) = (sequence, now)
  }

  private func isAloneOnFastest(_ index: CoreID) -> Bool {
    let (core, fastest) = (cores[index], cores[coreOrder[0]])
    return idleCount == cores.count - 1
      && core.speedNumerator * fastest.speedDenominator
        == fastest.speedNumerator * core.speedDenominator
  }

  /// The ends of the quanta of a core, of which so many are alike, are no events from now on.
  ///
  /// Where that is not so for ever, they are looked at just before the last of them ends: at no end of any, so that
  /// it comes to the same as if all had been watched.
  private mutating func unwatch(_ index: CoreID, _ alike: Int64) {
    let core = cores.writable.at(index)
    let length = core.pointee.quantumEnd - now
    let (whole, overflow) = length.multipliedReportingOverflow(by: alike)
    let (end, isBeyond) = now.addingReportingOverflow(whole)
    let isEndless = alike == Int64.max || overflow || isBeyond
    if !isEndless && length == 1 { return }
    unwatch(index, length: length, until: isEndless ? Int64.max : end - 1)
  }

  private mutating func unwatch(_ index: CoreID, length: Int64, until look: Int64) {
    let core = cores.writable.at(index)
    demand(
      core.pointee.unwatchedLength == 0 && core.pointee.quantumEnd > now,
      "core \(index.index) has quanta of \(core.pointee.unwatchedLength)ns, until "
        + "\(core.pointee.quantumEnd)ns")
    core.pointee.unwatchedEnd = core.pointee.quantumEnd
    core.pointee.unwatchedLength = length
    core.pointee.quantumEnd = look
    unwatched.append(index, in: cores.writable)
  }

  /// Quanta end by events again: somebody waits, or something else changes what a policy decides.
  ///
  /// They have the places among the events that they would have had all the time.
  @inline(never)
  mutating func watchQuanta() {
    placeTurns(before: nil)
    while !unwatched.isEmpty {
      let index = unwatched.firstCore
      let core = cores.writable.at(index)
      let look = core.pointee.quantumEnd
      passQuanta(on: index)
      if core.pointee.event == 0 { continue }
      let (start, end) = (core.pointee.burstStart, core.pointee.quantumEnd)
      if core.pointee.time(for: core.pointee.burst) > end - start {
        expect(.quantum, on: index, at: end)
      } else if core.pointee.burstEnd > look {
        // It ends in the last of the quanta that are alike, behind the look.
        expect(.core, on: index, at: core.pointee.burstEnd)
      }
    }
  }

  /// Gives the present turns on the cores whose quanta nobody watches their places among the events, in the
  /// order in which they began.
  ///
  /// Of those that end now the next ones have begun: all, when the decisions of this instant are being made; before
  /// a turn that ends by an event, whose core is given, those that come before that.
  private mutating func placeTurns(before other: UnsafeMutablePointer<CoreRecord>?) {
    unplaced.removeAll(keepingCapacity: true)
    for index in unwatched.cores(in: cores.writable) {
      let core = cores.writable.at(index)
      let (length, end) = (core.pointee.unwatchedLength, core.pointee.unwatchedEnd)
      demand(
        length > 0, "core \(index.index) is among those whose quanta are not watched, and has none")
      if length == CoreRecord.unlike { return demandAlone(index) }
      var begin = end - length
      if now >= end {
        begin = now - (now - end) % length
        if begin == now {
          let hasPassed = other.map { $0.pointee.comesLater(than: core.pointee, at: now) }
          if !(hasPassed ?? (presentPhase == 3)) { begin -= length }
        }
      }
      core.pointee.unwatchedBegin = begin
      if core.pointee.placed != begin { unplaced.append(index) }
    }
    // Mostly they stand in order.
    for last in unplaced.indices.dropFirst() {
      var place = last
      while place > 0, cores[unplaced[place]].turnsEarlier(than: cores[unplaced[place - 1]]) {
        unplaced.swapAt(place, place - 1)
        place -= 1
      }
    }
    for index in unplaced {
      sequence &+= 1
      let core = cores.writable.at(index)
      (core.pointee.turn, core.pointee.placed) = (sequence, core.pointee.unwatchedBegin)
    }
  }

  /// Counts the quanta of a core that have passed since nobody watched them, and lets the policy know.
  ///
  /// One that ends now has passed when the decisions of this instant are being made, and not before.
  @inline(never)
  mutating func passQuanta(on index: CoreID) {
    let core = cores.writable.at(index)
    let (turn, end) = (core.pointee.unwatchedLength, core.pointee.unwatchedEnd)
    core.pointee.unwatchedLength = 0
    demand(
      turn > 0, "the quanta of core \(index.index) are watched, and counted as if they were not")
    unwatched.remove(index, in: cores.writable)
    if turn == CoreRecord.unlike { return passUnlikeQuanta(on: index) }
    var passed: Int64 = 0
    if now >= end { passed = (now - end + (presentPhase == 3 ? turn : turn - 1)) / turn }
    core.pointee.quantumEnd = end + passed * turn
    if passed == 0 { return }
    let last = core.pointee.quantumEnd - turn
    core.pointee.dispatched = last
    policy.repeated(
      core.pointee.thread, on: index, Nanoseconds(turn), times: passed,
      until: Instant(last))
  }

  /// The same for a thread that was the only one with a core: its turn comes behind all that has a place.
  private mutating func passUnlikeQuanta(on index: CoreID) {
    let core = cores.writable.at(index)
    let first = LoneQuantum(begin: core.pointee.dispatched, end: core.pointee.unwatchedEnd)
    let present = policy.passQuanta(
      from: first, of: core.pointee.thread, on: index,
      until: presentPhase == 3 ? now : now - 1)
    core.pointee.quantumEnd = present.end
    if policy.steadySteps <= 0 {
      core.pointee.quantumEnd = max(present.end, now + 1)
      storage.endRun()
    }
    if present.begin == first.begin { return }
    core.pointee.dispatched = present.begin
    beginTurn(core)
    core.pointee.placed = present.begin
  }

  /// Sets how many steps quanta may take that are not alike and no events, before the run begins.
  mutating func limitSteadySteps(to steps: Int64) { policy.steadySteps = steps }

  private func demandAlone(_ index: CoreID) {
    demand(
      idleCount == cores.count - 1 && !cores[index].thread.isNone,
      "core \(index.index) has quanta that are not alike, and \(idleCount) cores are idle")
  }

  /// Stops when the cores whose quanta nobody watches are not what they should be.
  func checkQuanta() {
    for index in unwatched.cores(in: cores.writable) {
      let core = cores[index]
      demand(
        readyCount == 0, "a thread is ready, and the quanta of core \(index.index) are not watched")
      demand(
        !core.thread.isNone && core.unwatchedLength > 0 && core.quantumEnd >= now,
        "core \(index.index) is among those whose quanta are not watched, and runs thread \(core.thread.index) "
          + "until \(core.quantumEnd), with quanta of \(core.unwatchedLength)")
      if core.unwatchedLength == CoreRecord.unlike { demandAlone(index) }
    }
  }
}

extension CoreRecord {
  /// Whether the turn here, which ends now by an event, ends later than one of a core whose quanta nobody watches:
  /// that which began first ends first, and of two that began at one instant the one whose place is the earlier.
  fileprivate func comesLater(than unwatched: CoreRecord, at now: Int64) -> Bool {
    let begin = now - unwatched.unwatchedLength
    if begin != dispatched { return begin < dispatched }
    // If it has no place from then, it came behind what had one then.
    return unwatched.placed == begin && unwatched.turn < turn
  }

  /// Whether the present turn here began before that of another core, where neither has a place yet.
  ///
  /// Of two that began at one instant the one that was the longer before; of equal ones, which went side by side,
  /// the one that had a place when the other had none, or else the earlier.
  fileprivate func turnsEarlier(than other: CoreRecord) -> Bool {
    if unwatchedBegin != other.unwatchedBegin { return unwatchedBegin < other.unwatchedBegin }
    if unwatchedLength != other.unwatchedLength { return unwatchedLength > other.unwatchedLength }
    if placed != other.placed { return placed > other.placed }
    return turn < other.turn
  }
}
