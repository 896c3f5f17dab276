import SpindleModel

/// Timers: when they fire, and in which order.
extension RunLoopRuntime {
  /// Makes a timer, which is in no loop yet.
  ///
  /// A date that is past counts as the present moment: the grid of a repeating timer begins there.
  /// Source: CFRunLoopTimerCreate.
  mutating func makeTimer(_ record: RunLoopTimer, now: Int64) -> RunLoopTimer.Index {
    demand(record.loop.isNone && record.isValid, "a new timer is in loop \(record.loop.raw)")
    var fresh = record
    fresh.fire = max(now, record.fire)
    fresh.rank = ticket()
    return timers.add(fresh)
  }

  /// Whether a loop has a timer: it was added, and is valid, or just fires.
  func isNeeded(timer: RunLoopTimer.Index) -> Bool {
    let record = timers[timer]
    return record.isFiring || record.isValid && !record.loop.isNone
  }

  /// Lets the number of a timer be used again that nobody can name.
  mutating func retire(timer: RunLoopTimer.Index) {
    demand(
      !timers[timer].isValid && !timers[timer].isFiring,
      "timer \(timer.raw) is given back while it can fire")
    retiredTimers.append(timer)
    if timerPasses == 0 { releaseRetired() }
  }

  /// A run begins to go through its due timers.
  mutating func beginTimerPass() { timerPasses += 1 }

  /// A run has gone through its due timers.
  mutating func endTimerPass() {
    demand(timerPasses > 0, "a run ends its timers that began none")
    timerPasses -= 1
    if timerPasses == 0 { releaseRetired() }
  }

  private mutating func releaseRetired() {
    if retiredTimers.isEmpty { return }
    for timer in retiredTimers { timers.free(timer, leaving: timers[timer]) }
    retiredTimers.removeAll(keepingCapacity: true)
  }

  /// Puts a timer where it belongs by its date.
  ///
  /// Of one moment, the timer comes first whose dates were set first, by making it or by `fireDate`.
  /// The library puts a timer behind those of the same date (__CFRepositionTimerInMode), but its clock
  /// counts on between two statements, so that dates which are the same moment here never are the same
  /// there: measured on Linux, timers of 30 and 50 ms that were made in this order come in this order at
  /// 150 ms, and after each repetition, and the order in which they were added decides nothing.
  mutating func place(_ timer: RunLoopTimer.Index, _ loop: RunLoop.Index, _ mode: RunLoopMode.Index)
  {
    assert(timers[timer].loop == loop, "timer \(timer.raw) is not of loop \(loop.raw)")
    let rank = timers[timer].rank
    loops[loop].modes[mode].timers.insert(timer, in: timers, turn: rank)
  }

  /// Gives a timer another date, in all its modes.
  mutating func move(_ timer: RunLoopTimer.Index, to fire: Int64) {
    assert(timers[timer].isValid, "timer \(timer.raw) is moved and not valid")
    let loop = timers[timer].loop
    if loop.isNone {
      timers[timer].fire = fire
      return
    }
    timers[timer].fire = fire
    for index in timers[timer].modes {
      loops[loop].modes[index].timers.remove(timer)
      place(timer, loop, index)
    }
  }

  /// Begins the call of a timer's handler: until it has fired the timer is not due again.
  mutating func beginFiring(_ timer: RunLoopTimer.Index) {
    demand(!timers[timer].isFiring, "timer \(timer.raw) fires inside its own handler")
    timers[timer].isFiring = true
    settle(timer)
  }

  /// A timer's tolerance is another one, or its handler begins or ends.
  mutating func settle(_ timer: RunLoopTimer.Index) {
    let loop = timers[timer].loop
    if loop.isNone { return }
    for index in timers[timer].modes {
      loops[loop].modes[index].timers.change(timer, in: timers)
    }
  }

  /// `fireDate = …`: from another thread it wakes the loop too, to be on the safe side.
  ///
  /// Source: CFRunLoopTimerSetNextFireDate.
  mutating func setFireDate(
    _ timer: RunLoopTimer.Index, _ date: Int64, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    if !timers[timer].isValid { return }
    timers[timer].rank = ticket()
    move(timer, to: max(kernel.now, date))
    timers[timer].wasMoved = timers[timer].isFiring
    let loop = timers[timer].loop
    if loop.isNone { return }
    if loops[loop].thread == thread {
      notice(loop, by: thread, &kernel)
    } else {
      wakeUp(loop, by: thread, &kernel)
    }
  }

  /// Collects the timers of a mode that are due, the earliest first.
  mutating func collectTimers(
    _ loop: RunLoop.Index, _ mode: RunLoopMode.Index, _ snapshot: RunLoopSnapshot.Index, now: Int64
  ) {
    snapshots[snapshot].next = 0
    snapshots[snapshot].timers.empty()
    loops[loop].modes[mode].timers.waiting.forEach(upTo: now) {
      snapshots[snapshot].timers.append($0)
    }
  }

  /// Whether a timer that was due still is, now that others have fired.
  func isStillDue(_ timer: RunLoopTimer.Index, _ loop: RunLoop.Index, now: Int64) -> Bool {
    timers[timer].isValid && !timers[timer].isFiring && timers[timer].fire <= now
      && timers[timer].loop == loop
  }

  /// A timer's handler has ended: when it fires next.
  ///
  /// The next date is the first one on its grid that is still to come, so dates that passed meanwhile
  /// are lost. A date that the handler set is kept when it is later than the one that was due, as any
  /// is: one that is past becomes the present moment, which on a real machine is later.
  /// Source: __CFRunLoopDoTimer.
  mutating func hasFired(_ timer: RunLoopTimer.Index, _ kernel: inout Kernel) {
    demand(timers[timer].isFiring, "timer \(timer.raw) has fired and did not begin to")
    timers[timer].isFiring = false
    let wasMoved = timers[timer].wasMoved
    timers[timer].wasMoved = false
    guard timers[timer].isValid else { return }
    if timers[timer].interval == 0 {
      invalidate(timer: timer, &kernel)
      return
    }
    if wasMoved { return settle(timer) }
    let (due, interval) = (timers[timer].fire, timers[timer].interval)
    move(timer, to: Self.nextFire(after: due, interval, now: kernel.now))
  }

  /// The first moment after `now` that lies whole intervals after `due`.
  static func nextFire(after due: Int64, _ interval: Int64, now: Int64) -> Int64 {
    assert(interval > 0, "a timer repeats every \(interval) ns")
    let missed = max(0, (now - due) / interval)
    let (ahead, overflow) = interval.multipliedReportingOverflow(by: missed + 1)
    let (next, tooFar) = due.addingReportingOverflow(ahead)
    assert(overflow || tooFar || next > now, "a timer is due at \(next) and at \(now) it fired")
    return overflow || tooFar ? Int64.max : next
  }

  /// Takes a timer out of its loop for good.
  mutating func invalidate(timer: RunLoopTimer.Index, _ kernel: inout Kernel) {
    if !timers[timer].isValid { return }
    timers[timer].isValid = false
    let loop = timers[timer].loop
    if !loop.isNone { removeEverywhere(.timer(timer), loop, &kernel) }
    timers[timer].loop = .none
  }

  /// The machine has slept: what timers count stood still.
  mutating func shiftTimers(by length: Int64) {
    demand(length >= 0, "the machine slept for \(length) ns")
    for index in timers.indices where timers[index].fire < Int64.max - length {
      timers[index].fire += length
    }
    for loop in loops.indices {
      for mode in loops[loop].modes.indices { loops[loop].modes[mode].timers.refresh(timers) }
    }
  }

  /// The date of the next timer of a mode; nil when it has none.
  func nextDate(_ loop: RunLoop.Index, _ mode: RunLoopMode.Index) -> Int64? {
    loops[loop].modes[mode].timers.nextDate
  }
}
