import SpindleModel

/// Loops that wait for something and take time for asking: `ShortcutSet.busyRounds`.
///
/// The state of all threads that have cores is compared each time that one of them comes to the same place. Where it was
/// the same twice, at the same distance, but for the clock and numbers that grow evenly, and nothing was done in between but
/// to compute, read, ask, and take locks and give them back, more rounds of that kind follow until something else
/// comes. They are passed over but for the last ones: the clock, what was used of the cores, and the log go on as if they
/// had been run. `RoundStep` says up to which round comparisons of growing numbers come out the same.
///
/// A look is where the steps up to it are over, and meanwhile each instruction is one: the loop over instructions knows
/// nothing of it, and pays nothing.
extension Interpreter {
  /// The steps up to the next look are over, at an instruction: how many there are up to the one after.
  @inline(never)
  mutating func look(_ left: Int64, at place: Int, _ frame: FrameIndex, _ thread: ThreadID) -> Int64
  {
    if busyWaits.isWatching { return watch(left, at: place, frame, thread) }
    let more = moreSteps(left)
    guard more >= 0, busyWaits.isOn, process.stepsHeld > 0, mayGoRound(thread),
      let first = mark(at: place, frame, thread)
    else { return more }
    let cores = process.kernel.cores.ids.filter {
      !process.kernel.cores[$0].thread.isNone
    }
    (busyWaits.marks, busyWaits.occasion) = ([first], nextOccasion(besides: cores))
    process.kernel.recorder.beginKeeping()
    return watch(hold(more + 1) - 1, at: place, frame, thread)
  }

  /// Keeps all steps but the next one for later.
  private mutating func hold(_ left: Int64) -> Int64 {
    process.stepsHeld += left
    stepsAtAdvance -= left
    return 0
  }

  /// Looks at an instruction before it is run; returns how many steps are left.
  private mutating func watch(
    _ left: Int64, at place: Int, _ frame: FrameIndex, _ thread: ThreadID
  ) -> Int64 {
    if comesAgain(to: place, frame, thread) {
      guard mayGoRound(thread), let present = mark(at: place, frame, thread),
        busyWaits.marks.count < BusyWaitWatch.mostMarks
      else { return endWatch(left, found: false) }
      busyWaits.marks.append(present)
      if pass(left) { return endWatch(left, found: true) }
    }
    let registers = process.frames.registers(frame)
    let isDone =
      busyWaits.steps.count >= BusyWaitWatch.mostSteps || thread.isNone || process.stepsHeld == 0
      || process.kernel.now >= busyWaits.occasion
      || process.code[place].leavesFrame && !hasCaller(frame)
    guard !isDone, var step = process.code[place].roundStep(registers) else {
      return endWatch(left, found: false)
    }
    (step.thread, step.place) = (thread, Int32(truncatingIfNeeded: place))
    if process.code[place].writesVariable {
      guard let cell = numberCell(writtenBy: process.code[place], registers) else {
        return endWatch(left, found: false)
      }
      busyWaits.writes(cell)
    }
    if case .perform(.lock, let base, _) = process.code[place] {
      step.owner = locks.roundState(.init(register: registers[base]))
    }
    busyWaits.steps.append(step)
    process.stepsHeld -= 1
    stepsAtAdvance += 1
    return left + 1
  }

  private mutating func endWatch(_ left: Int64, found: Bool) -> Int64 {
    busyWaits.end(found: found)
    process.kernel.recorder.endKeeping()
    return moreSteps(left)
  }

  /// When something may come next that the threads of some cores do not do: at the latest the end of the run.
  private mutating func nextOccasion(besides cores: [CoreID]) -> Int64 {
    let end = process.program.until ?? process.limits.horizon
    guard let event = process.kernel.nextEvent(besides: cores) else { return end.nanoseconds }
    return min(event, end.nanoseconds)
  }

  private func hasCaller(_ frame: FrameIndex) -> Bool {
    let parent = process.frames.parent(frame)
    return !parent.isNone && !process.frames.isNative(parent)
  }

  /// Whether nothing but the threads that have cores decides what comes next.
  private func mayGoRound(_ thread: ThreadID) -> Bool {
    !thread.isNone && !process.kernel.recorder.isWatched && !isDecisionDue
      && !process.lives.hasDying
      && !process.kernel.policy.needsWorkAhead && process.kernel.chores.isEmpty
      && process.kernel.threads[thread].state == .running
      && process.kernel.threads[thread].remaining == 0
  }

  /// Whether the thread that is looked at comes to where the look began, later.
  private func comesAgain(to place: Int, _ innermost: FrameIndex, _ thread: ThreadID) -> Bool {
    guard let last = busyWaits.marks.last, process.kernel.now > last.time,
      let start = busyWaits.marks[0].threads.first(where: { $0.thread == thread })
    else { return false }
    return start.state.starts(with: [
      1, Int64(process.kernel.threads[thread].phase), innermost.register, Int64(place),
    ])
  }

  // MARK: Marks

  /// What there is where a thread is about to run an instruction; nil where a thread is in too many frames.
  private mutating func mark(
    at place: Int, _ innermost: FrameIndex, _ thread: ThreadID
  ) -> RoundMark? {
    busyWaits.entries += process.kernel.recorder.takeKept()
    var mark = RoundMark()
    mark.time = process.kernel.now
    (mark.stepCount, mark.entryCount) = (busyWaits.steps.count, busyWaits.entries.count)
    mark.tracedCount = process.tracedWrites.map(\.count) ?? 0
    mark.others = process.kernel.recorder.others(besideRounds: !busyWaits.entries.isEmpty)
    mark.made = [
      process.kernel.schedulingEvents + process.taskTurns, process.kernel.memory.used,
      Int64(process.arrays.count), Int64(process.kernel.names.count),
      Int64(process.kernel.liveCount), Int64(process.kernel.readyCount),
    ]
    for core in process.kernel.cores.ids {
      let other = process.kernel.cores[core].thread
      if other.isNone { continue }
      let isHere = other == thread
      let frame = isHere ? innermost : process.kernel.threads[other].frame
      guard let found = threadMark(of: other, frame, isHere ? place : -1) else { return nil }
      mark.threads.append(found)
    }
    mark.cells = busyWaits.cells.map { cell in
      var mark = cellMark(of: cell)
      mark.write.time -= process.kernel.now
      return mark
    }
    return mark
  }

  /// What there is of a thread; `place` is the instruction that it is about to run, -1 where it is at work.
  private func threadMark(of thread: ThreadID, _ innermost: FrameIndex, _ place: Int) -> ThreadMark?
  {
    let record = process.kernel.threads.at(thread)
    var mark = ThreadMark()
    mark.thread = thread
    mark.state = [place >= 0 ? 1 : 0, Int64(record.pointee.phase)]
    var frame = innermost
    while !frame.isNone && !process.frames.isNative(frame) {
      if mark.state.count > 2 * BusyWaitWatch.mostFrames { return nil }
      let isHere = frame == innermost && place >= 0
      mark.state += [frame.register, isHere ? Int64(place) : Int64(process.frames.counter(frame))]
      let count = Int(process.blocks[Int(process.frames.block(frame))].registerCount)
      mark.registers += UnsafeBufferPointer(start: process.frames.registers(frame), count: count)
      frame = process.frames.parent(frame)
    }
    mark.state += [
      frame.register, record.pointee.work, record.pointee.overhead, Int64(record.pointee.waits),
      Int64(record.pointee.depth), Int64(record.pointee.flags.rawValue),
      Int64(record.pointee.wakeResult.rawValue),
    ]
    if place >= 0 {
      mark.state += [process.kernel.isUnbroken ? 1 : 0, process.kernel.isStraight ? 1 : 0]
    }
    mark.state += process.kernel.roundState(of: CoreID(record.pointee.core), place < 0)
    mark.use = process.kernel.use(of: thread, on: CoreID(record.pointee.core))
    return mark
  }

  // MARK: Rounds

  /// Passes over rounds up to the last ones before something else comes; whether there were any.
  private mutating func pass(_ left: Int64) -> Bool {
    let last = busyWaits.marks.count - 1
    for distance in stride(from: 1, through: last / 2, by: 1) {
      let marks = busyWaits.marks
      let (start, middle, end) = (
        marks[last - 2 * distance], marks[last - distance], marks[last]
      )
      if let count = rounds(start, middle, end), count >= BusyWaitWatch.fewest {
        pass(count, middle, end, left)
        return true
      }
    }
    return false
  }

  /// How many rounds follow that are like those between three marks; nil where those are not alike.
  private mutating func rounds(_ start: RoundMark, _ middle: RoundMark, _ end: RoundMark) -> Int64?
  {
    let period = end.time - middle.time
    guard middle.time - start.time == period, start.made == middle.made, middle.made == end.made,
      start.others == end.others, middle.others == end.others, areAlike(start, middle, end)
    else { return nil }
    let threads = busyWaits.threads(from: start, to: end)
    var cores: [CoreID] = []
    for thread in threads {
      guard let one = start.thread(thread), let other = middle.thread(thread),
        let present = end.thread(thread), one.state == other.state, other.state == present.state,
        present.use - other.use == other.use - one.use, one.use.core == present.use.core,
        one.registers.indices.allSatisfy({
          present.registers[$0] &- other.registers[$0] == other.registers[$0] &- one.registers[$0]
        })
      else { return nil }
      cores.append(present.use.core)
    }
    guard start.cells.count == end.cells.count,
      start.cells.indices.allSatisfy({
        start.cells[$0].growsEvenly(middle.cells[$0], end.cells[$0])
      })
    else { return nil }
    // The end of a quantum is what the scheduler does.
    let occasion = cores.reduce(nextOccasion(besides: cores)) {
      min($0, process.kernel.cores[$1].quantumEnd)
    }
    var count = (occasion - end.time - 1) / period
    let steps = busyWaits.steps
    for (earlier, later) in zip(middle.stepCount..<end.stepCount, start.stepCount...) {
      count = min(count, steps[earlier].rounds(after: steps[later]))
    }
    return count - 1
  }

  /// Whether two rounds did and recorded the same, the second one later by a period.
  private func areAlike(_ start: RoundMark, _ middle: RoundMark, _ end: RoundMark) -> Bool {
    let entries = end.entryCount - middle.entryCount
    guard entries <= LogRounds.longest, middle.entryCount - start.entryCount == entries,
      end.stepCount - middle.stepCount == middle.stepCount - start.stepCount
    else { return false }
    return (middle.entryCount..<end.entryCount).allSatisfy { index in
      let (entry, earlier) = (busyWaits.entries[index], busyWaits.entries[index - entries])
      return entry.place == earlier.place
        && entry.growth(from: earlier, later: end.time - middle.time) != nil
    }
  }

  private mutating func pass(_ count: Int64, _ middle: RoundMark, _ end: RoundMark, _ left: Int64) {
    let period = end.time - middle.time
    var changes: [CoreChange] = []
    for thread in busyWaits.threads(from: middle, to: end) {
      guard let before = middle.thread(thread), let present = end.thread(thread) else { continue }
      changes.append(present.use - before.use)
      var frame = FrameIndex(register: present.state[2])
      var register = 0
      while !frame.isNone && !process.frames.isNative(frame) {
        let registers = process.frames.registers(frame)
        for number in 0..<Int(process.blocks[Int(process.frames.block(frame))].registerCount) {
          let growth = present.registers[register] &- before.registers[register]
          registers[number] &+= count &* growth
          register += 1
        }
        frame = process.frames.parent(frame)
      }
    }
    process.kernel.recorder.endKeeping()
    for (cell, (before, present)) in zip(busyWaits.cells, zip(middle.cells, end.cells)) {
      passRounds(count, of: period, in: cell, before, present)
    }
    let round = busyWaits.entries[middle.entryCount..<end.entryCount]
    let recorded = process.kernel.recorder.repeatRound(
      Array(round), count, later: period,
      growth: round.indices.map {
        round[$0].value &- busyWaits.entries[$0 - round.count].value
      })
    process.repeatTracedWrites(
      from: middle.tracedCount, to: end.tracedCount, recorded, later: period)
    process.kernel.repeatRounds(count, of: period, changes)
    stepsAtAdvance = left
  }
}
