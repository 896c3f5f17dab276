import SpindleModel

/// A thread that may go round a loop that waits for something.
struct BusyWaitWatch {
  /// How far the loop is known.
  fileprivate enum Phase { case none, begun, cameRound }

  /// Whether loops are looked for.
  let isOn: Bool
  /// Whether each instruction is looked at.
  var isWatching: Bool { phase != .none }
  /// How many steps pass until the next look.
  private(set) var patience = Int64.max
  fileprivate var phase = Phase.none
  fileprivate var stepsSeen = 0
  /// What there was when the rounds began that are looked at, and when the second one did.
  fileprivate var start = Round()
  fileprivate var middle = Round()

  /// How many instructions two rounds have at most.
  fileprivate static let mostSteps = 2_048
  /// The most frames that a loop is looked at in.
  fileprivate static let mostFrames = 16
  /// How many steps pass behind rounds that were passed over, and by how many times more behind a look in vain.
  private static let shortPatience: Int64 = 1 << 10
  private static let growth: Int64 = 4
  /// How few rounds are not worth it.
  fileprivate static let fewest: Int64 = 8
  /// How many entries of the log count as a step.
  fileprivate static let entriesPerStep: Int64 = 16

  /// What there is where a round begins.
  struct Round {
    var thread: Int32 = -1
    var core: Int32 = -1
    var place: Int32 = -1
    var phase: UInt8 = 0
    /// The frames, the innermost first, where each goes on, and what their registers hold, one behind the other.
    var frames: [Int32] = []
    var counters: [Int32] = []
    var registers: [Int64] = []
    var time: Int64 = 0
    /// When something else is to come.
    var occasion: Int64 = 0
    var use = CoreUse()
    /// What goes up with all that is made, and with each turn of a thread or a task.
    var made: [Int64] = []
    /// What was recorded in the round before.
    var entries: [LogEntry] = []
  }

  init(isOn: Bool) { self.isOn = isOn }

  /// Ends the look; the next one comes soon where rounds were passed over, else ever later.
  fileprivate mutating func end(found: Bool) {
    phase = .none
    if found {
      patience = Self.shortPatience
    } else if patience < Int64.max / Self.growth {
      patience *= Self.growth
    }
    (start, middle) = (Round(), Round())
  }
}

/// Loops that wait for a lock or a variable and pay for each round: `ShortcutSet.busyRounds`.
///
/// A round that comes to the place, the frames and the registers with which it began, that did nothing but compute, read, take
/// locks and give them back, and that was like the one before to the nanosecond and to the last entry of the log, is
/// followed by others like it until something else comes. They are passed over but for the last ones: the clock, what was
/// used of the core, and the log go on as if they had been run.
///
/// A look is where the steps up to it are over, and meanwhile each instruction is one: the loop over instructions knows
/// nothing of it, and pays nothing.
extension Interpreter {
  /// The steps up to the next look are over, at an instruction: how many there are up to the one after.
  @inline(never)
  mutating func look(_ left: Int64, at place: Int, _ frame: Int32, _ thread: Int32) -> Int64 {
    if busyWaits.isWatching { return watch(left, at: place, frame, thread) }
    let more = moreSteps(left)
    guard more >= 0, busyWaits.isOn, process.stepsHeld > 0,
      let round = round(at: place, frame, thread)
    else { return more }
    (busyWaits.start, busyWaits.phase, busyWaits.stepsSeen) = (round, .begun, 0)
    process.kernel.recorder.beginKeeping()
    return watch(hold(more + 1) - 1, at: place, frame, thread)
  }

  /// Keeps all steps but the next one for later.
  private mutating func hold(_ left: Int64) -> Int64 {
    process.stepsHeld += left
    stepsAtAdvance -= left
    return 0
  }

  /// Looks at an instruction of a loop before it is run; returns how many steps are left.
  private mutating func watch(
    _ left: Int64, at place: Int, _ frame: Int32, _ thread: Int32
  ) -> Int64 {
    busyWaits.stepsSeen += 1
    if isRoundAgain(at: place, frame, thread), let present = round(at: place, frame, thread) {
      guard busyWaits.phase == .begun else {
        return endWatch(left, found: pass(present, left))
      }
      (busyWaits.middle, busyWaits.phase) = (present, .cameRound)
    }
    let isHarmless =
      busyWaits.stepsSeen <= BusyWaitWatch.mostSteps && thread == busyWaits.start.thread
      && process.code[place].changesNothing
      && (!process.code[place].leavesFrame || hasCaller(frame))
    if !isHarmless || process.stepsHeld == 0 { return endWatch(left, found: false) }
    process.stepsHeld -= 1
    stepsAtAdvance += 1
    return left + 1
  }

  private mutating func endWatch(_ left: Int64, found: Bool) -> Int64 {
    busyWaits.end(found: found)
    process.kernel.recorder.endKeeping()
    return moreSteps(left)
  }

  private func hasCaller(_ frame: Int32) -> Bool {
    let parent = process.frames.parent(frame)
    return parent >= 0 && !process.frames.isNative(parent)
  }

  /// What there is where a round may begin; nil where something else than this thread decides what comes next.
  private mutating func round(
    at place: Int, _ innermost: Int32, _ thread: Int32
  ) -> BusyWaitWatch.Round? {
    if thread < 0 || process.kernel.recorder.isWatched || isDecisionDue || process.lives.hasDying {
      return nil
    }
    if process.kernel.policy.needsWorkAhead || !process.kernel.chores.isEmpty { return nil }
    let record = process.kernel.threads.at(thread)
    var round = BusyWaitWatch.Round()
    (round.thread, round.core) = (thread, Int32(record.pointee.core))
    (round.place, round.phase) = (Int32(truncatingIfNeeded: place), record.pointee.phase)
    if record.pointee.state != .running || record.pointee.remaining > 0 { return nil }
    var frame = innermost
    while frame >= 0 && !process.frames.isNative(frame) {
      if round.frames.count == BusyWaitWatch.mostFrames { return nil }
      let count = Int(process.blocks[Int(process.frames.block(frame))].registerCount)
      round.frames.append(frame)
      round.counters.append(frame == innermost ? round.place : process.frames.counter(frame))
      round.registers += UnsafeBufferPointer(start: process.frames.registers(frame), count: count)
      frame = process.frames.parent(frame)
    }
    guard let occasion = nextOccasion(on: round.core) else { return nil }
    (round.time, round.occasion) = (process.kernel.now, occasion)
    round.use = process.kernel.use(of: thread, on: round.core)
    round.made = [
      process.kernel.schedulingEvents + process.taskTurns, process.kernel.memory.used,
      Int64(process.arrays.count), Int64(process.kernel.names.count),
      Int64(process.kernel.liveCount),
      Int64(record.pointee.waits), Int64(record.pointee.depth),
    ]
    if busyWaits.isWatching { round.entries = process.kernel.recorder.takeKept() }
    return round
  }

  /// When something else than the thread on a core may come next; nil when nothing ever will.
  private mutating func nextOccasion(on core: Int32) -> Int64? {
    let next = process.kernel.queue.peek()?.time ?? process.program.until?.nanoseconds
    guard let next else { return nil }
    return min(next, process.kernel.cores[core].quantumEnd, process.limits.horizon.nanoseconds)
  }

  /// Whether a thread has come to the place, the frames and the registers with which the rounds began.
  private func isRoundAgain(at place: Int, _ innermost: Int32, _ thread: Int32) -> Bool {
    let start = busyWaits.start
    guard start.place == Int32(truncatingIfNeeded: place), start.frames.first == innermost,
      start.thread == thread, process.kernel.threads[thread].phase == start.phase,
      process.kernel.now > (busyWaits.phase == .begun ? start.time : busyWaits.middle.time),
      process.kernel.now < start.occasion
    else { return false }
    var (frame, first) = (innermost, 0)
    for (number, known) in start.frames.enumerated() {
      if frame != known || process.frames.isNative(frame) { return false }
      if number > 0 && process.frames.counter(frame) != start.counters[number] { return false }
      let visits = visitCounters(of: process.frames.block(frame))
      let present = process.frames.registers(frame)
      let count = Int(process.blocks[Int(process.frames.block(frame))].registerCount)
      for register in 0..<count
      where present[register] != start.registers[first + register] && !visits.contains(register) {
        return false
      }
      first += count
      frame = process.frames.parent(frame)
    }
    return frame < 0 || process.frames.isNative(frame)
  }

  /// The registers of a block that count how often a place of it was come to: only draws depend on them, and no round draws.
  private func visitCounters(of block: Int32) -> [Int] {
    let code = process.blocks[Int(block)]
    var found: [Int] = []
    for place in Int(code.entry)..<Int(code.end) {
      guard let site = process.code[place].visitedSite, site.index >= 0 else { continue }
      let counter = Int(process.sites[Int(site.index)].counter)
      if counter >= 0 && !found.contains(counter) { found.append(counter) }
    }
    return found
  }

  /// Passes over rounds up to the last ones before something else comes; whether there were any.
  private mutating func pass(_ end: BusyWaitWatch.Round, _ left: Int64) -> Bool {
    let (start, middle) = (busyWaits.start, busyWaits.middle)
    let period = end.time - middle.time
    guard middle.time - start.time == period, start.made == middle.made, middle.made == end.made,
      end.use - middle.use == middle.use - start.use,
      areAlike(middle.entries, end.entries, apart: period),
      areAlike(start.registers, middle.registers, end.registers)
    else { return false }
    var count = (end.occasion - end.time - 1) / period - 1
    let entries = Int64(end.entries.count)
    if process.kernel.recorder.isOn && entries > 0 {
      let most = process.stepsHeld.multipliedReportingOverflow(by: BusyWaitWatch.entriesPerStep)
      count = min(count, (most.overflow ? Int64.max : most.partialValue) / entries)
    }
    if count < BusyWaitWatch.fewest { return false }
    process.kernel.recorder.endKeeping()
    process.kernel.recorder.repeatKept(end.entries, count, later: period)
    process.kernel.repeatRounds(
      count, of: period, start.thread, on: start.core, end.use - middle.use)
    var first = 0
    for frame in end.frames {
      let present = process.frames.registers(frame)
      for number in visitCounters(of: process.frames.block(frame)) {
        let growth = end.registers[first + number] &- middle.registers[first + number]
        present[number] &+= count &* growth
      }
      first += Int(process.blocks[Int(process.frames.block(frame))].registerCount)
    }
    if process.kernel.recorder.isOn {
      process.stepsHeld -= min(
        process.stepsHeld, count * entries / BusyWaitWatch.entriesPerStep)
    }
    stepsAtAdvance = left
    return true
  }

  /// Whether two rounds left the same in the log, one later than the other by a period.
  private func areAlike(_ first: [LogEntry], _ second: [LogEntry], apart period: Int64) -> Bool {
    first.count == second.count
      && zip(first, second).allSatisfy { one, other in
        var later = one
        later.time += period
        return later == other
      }
  }

  /// Whether registers grew by the same in two rounds: those that count visits, since the others are what they were.
  private func areAlike(_ start: [Int64], _ middle: [Int64], _ end: [Int64]) -> Bool {
    start.indices.allSatisfy { end[$0] &- middle[$0] == middle[$0] &- start[$0] }
  }
}

extension Instruction {
  /// The site whose visits are counted.
  fileprivate var visitedSite: SiteID? {
    switch self {
    case .call(_, _, let site), .callClosure(_, _, let site), .perform(_, _, let site): site
    default: nil
    }
  }

  /// Whether it ends its frame.
  fileprivate var leavesFrame: Bool {
    switch self {
    case .finish, .finishWith: true
    default: false
    }
  }

  /// Whether a thread that does it again and again leaves all as it was but for its own registers: what is not known for
  /// sure is not here.
  fileprivate var changesNothing: Bool {
    switch self {
    case .constant, .copy, .loadGlobal, .readShared, .add, .subtract, .multiply, .divide,
      .remainder,
      .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor, .negate, .scale, .unscale, .ratio,
      .advance,
      .equal, .notEqual, .less, .lessOrEqual, .not, .jump, .jumpIf, .jumpUnless, .jumpUnlessLess,
      .increment, .nextRound, .call, .finish, .finishWith, .arrayGet, .arrayCount, .entryGet,
      .instanceIs, .fieldLoad, .fieldRead, .checkUnowned:
      true
    case .perform(let primitive, _, _): primitive.changesNothing
    default: false
    }
  }
}

extension Primitive {
  /// Whether calls of it that come again and again leave all as it was: they ask for something, or take a lock and
  /// give it back.
  fileprivate var changesNothing: Bool {
    switch self {
    case .lock(let primitive):
      switch primitive {
      case .lock, .tryLock, .unlock, .condition, .tryLockWhen, .unlockWith, .readLock, .tryReadLock,
        .writeLock, .tryWriteLock:
        true
      default: false
      }
    case .operation(.isCancelled), .operation(.isReady), .operation(.isExecuting),
      .operation(.isFinished), .operation(.ownIsCancelled), .operationQueue(.count),
      .operationQueue(.isSuspended), .thread(.isCancelled), .thread(.isExecuting),
      .thread(.isFinished), .workItem(.isCancelled), .dispatchSource(.isCancelled):
      true
    default: false
    }
  }
}
