import SpindleModel

/// Timers: when they fire, and in which order.
extension RunLoopRuntime {
  /// Makes a timer, which is in no loop yet.
  ///
  /// A date that is past counts as the present moment: the grid of a repeating timer begins there.
  /// Source: CFRunLoopTimerCreate.
  mutating func makeTimer(_ record: RunLoopTimer, now: Int64) -> Int32 {
    var fresh = record
    fresh.fire = max(now, record.fire)
    fresh.rank = ticket()
    if let free = freeTimers.popLast() {
      timers[Int(free)] = fresh
      return free
    }
    timers.append(fresh)
    storage.take(.timers, RunLoopSize.timer)
    return Int32(timers.count - 1)
  }

  /// Lets the number of a timer be used again that nobody can name.
  mutating func retire(timer: Int32) {
    retiredTimers.append(timer)
    if timerPasses == 0 { releaseRetired() }
  }

  /// A run begins to go through its due timers.
  mutating func beginTimerPass() { timerPasses += 1 }

  /// A run has gone through its due timers.
  mutating func endTimerPass() {
    timerPasses -= 1
    if timerPasses == 0 { releaseRetired() }
  }

  private mutating func releaseRetired() {
    freeTimers.append(contentsOf: retiredTimers)
    retiredTimers.removeAll(keepingCapacity: true)
  }

  /// Puts a timer where it belongs by its date.
  ///
  /// Of one moment, the timer comes first whose dates were set first, by making it or by `fireDate`.
  /// The library puts a timer behind those of the same date (__CFRepositionTimerInMode), but its clock
  /// counts on between two statements, so that dates which are the same moment here never are the same
  /// there: measured on Linux, timers of 30 and 50 ms that were made in this order come in this order at
  /// 150 ms, and after each repetition, and the order in which they were added decides nothing.
  mutating func place(_ timer: Int32, _ loop: Int32, _ mode: Int32) {
    let rank = timers[Int(timer)].rank
    loops[Int(loop)].modes[Int(mode)].timers.insert(timer, in: timers, turn: rank)
  }

  /// Gives a timer another date, in all its modes.
  mutating func move(_ timer: Int32, to fire: Int64) {
    let loop = timers[Int(timer)].loop
    if loop < 0 {
      timers[Int(timer)].fire = fire
      return
    }
    timers[Int(timer)].fire = fire
    for index in timers[Int(timer)].modes {
      loops[Int(loop)].modes[Int(index)].timers.remove(timer)
      place(timer, loop, index)
    }
  }

  /// Begins the call of a timer's handler: until it has fired the timer is not due again.
  mutating func beginFiring(_ timer: Int32) {
    timers[Int(timer)].isFiring = true
    settle(timer)
  }

  /// A timer's tolerance is another one, or its handler begins or ends.
  mutating func settle(_ timer: Int32) {
    let loop = timers[Int(timer)].loop
    if loop < 0 { return }
    for index in timers[Int(timer)].modes {
      loops[Int(loop)].modes[Int(index)].timers.change(timer, in: timers)
    }
  }

  /// `fireDate = …`: from another thread it wakes the loop too, to be on the safe side.
  ///
  /// Source: CFRunLoopTimerSetNextFireDate.
  mutating func setFireDate(
    _ timer: Int32, _ date: Int64, by thread: Int32, _ kernel: inout Kernel
  ) {
    if !timers[Int(timer)].isValid { return }
    timers[Int(timer)].rank = ticket()
    move(timer, to: max(kernel.now, date))
    timers[Int(timer)].wasMoved = timers[Int(timer)].isFiring
    let loop = timers[Int(timer)].loop
    if loop < 0 { return }
    if loops[Int(loop)].thread == thread {
      notice(loop, by: thread, &kernel)
    } else {
      wakeUp(loop, by: thread, &kernel)
    }
  }

  /// The timers of a mode that are due, the earliest first.
  func dueTimers(_ loop: Int32, _ mode: Int32, now: Int64) -> [Int32] {
    loops[Int(loop)].modes[Int(mode)].timers.waiting.items(upTo: now)
  }

  /// Whether a timer that was due still is, now that others have fired.
  func isStillDue(_ timer: Int32, _ loop: Int32, now: Int64) -> Bool {
    let index = Int(timer)
    return timers[index].isValid && !timers[index].isFiring && timers[index].fire <= now
      && timers[index].loop == loop
  }

  /// A timer's handler has ended: when it fires next.
  ///
  /// The next date is the first one on its grid that is still to come, so dates that passed meanwhile
  /// are lost. A date that the handler set is kept when it is later than the one that was due, as any
  /// is: one that is past becomes the present moment, which on a real machine is later.
  /// Source: __CFRunLoopDoTimer.
  mutating func hasFired(_ timer: Int32, _ kernel: inout Kernel) {
    timers[Int(timer)].isFiring = false
    let wasMoved = timers[Int(timer)].wasMoved
    timers[Int(timer)].wasMoved = false
    guard timers[Int(timer)].isValid else { return }
    if timers[Int(timer)].interval == 0 {
      invalidate(timer: timer, &kernel)
      return
    }
    if wasMoved { return settle(timer) }
    let (due, interval) = (timers[Int(timer)].fire, timers[Int(timer)].interval)
    move(timer, to: Self.nextFire(after: due, interval, now: kernel.now))
  }

  /// The first moment after `now` that lies whole intervals after `due`.
  static func nextFire(after due: Int64, _ interval: Int64, now: Int64) -> Int64 {
    let missed = max(0, (now - due) / interval)
    let (ahead, overflow) = interval.multipliedReportingOverflow(by: missed + 1)
    let (next, tooFar) = due.addingReportingOverflow(ahead)
    return overflow || tooFar ? Int64.max : next
  }

  /// Takes a timer out of its loop for good.
  mutating func invalidate(timer: Int32, _ kernel: inout Kernel) {
    if !timers[Int(timer)].isValid { return }
    timers[Int(timer)].isValid = false
    let loop = timers[Int(timer)].loop
    if loop >= 0 { removeEverywhere(.timer(timer), loop, &kernel) }
    timers[Int(timer)].loop = -1
  }

  /// The machine has slept: what timers count stood still.
  mutating func shiftTimers(by length: Int64) {
    for index in timers.indices where timers[index].fire < Int64.max - length {
      timers[index].fire += length
    }
    for loop in loops.indices {
      for mode in loops[loop].modes.indices { loops[loop].modes[mode].timers.refresh(timers) }
    }
  }

  /// The date of the next timer of a mode; nil when it has none.
  func nextDate(_ loop: Int32, _ mode: Int32) -> Int64? {
    loops[Int(loop)].modes[Int(mode)].timers.nextDate
  }
}
