import SpindleModel

/// A thread's record in place, valid until the next thread is made: read by all, changed by the verbs
/// below only.
typealias ThreadPointer = UnsafePointer<ThreadRecord>

/// What runtimes change of a thread that is neither made, started, blocked, woken nor ended thereby:
/// for these see `Kernel`.
extension UnsafePointer<ThreadRecord> {
  @inline(__always)
  private var record: UnsafeMutablePointer<ThreadRecord> { UnsafeMutablePointer(mutating: self) }

  // MARK: The call that it is in

  /// It comes to a call, which has waited for nothing yet.
  @inline(__always)
  func beginCall() {
    assert(pointee.phase == 0, "a thread begins a call in phase \(pointee.phase) of another one")
    record.pointee.wakeResult = .none
    record.pointee.phase = 1
  }

  /// Its call has come so far; 0 when it is over.
  @inline(__always)
  func setPhase(_ phase: UInt8) {
    assert(
      phase == 0 || pointee.state == .running, "a thread, \(pointee.state), comes to phase \(phase)"
    )
    record.pointee.phase = phase
  }

  /// What it asks for is settled without a wait, or the result of the last wait has been used.
  @inline(__always)
  func setResult(_ result: WakeResult) {
    assert(pointee.state != .finished, "a thread that has ended gets '\(result)'")
    record.pointee.wakeResult = result
  }

  /// Notes what its wait is for, as its reason has it: before it blocks, or while it does.
  func setWaitValue(_ value: Int64) {
    demand(pointee.state != .finished, "a thread that has ended waits for \(value)")
    record.pointee.waitValue = value
  }

  // MARK: Frames

  /// Its innermost frame is another one of as many; -1 for none.
  @inline(__always)
  func setFrame(_ frame: FrameIndex) { record.pointee.frame = frame }

  /// It has one frame, its outermost.
  @inline(__always)
  func beginFrames() { record.pointee.depth = 1 }

  /// A frame comes on top of what it does.
  @inline(__always)
  func enter(_ frame: FrameIndex) {
    demand(!frame.isNone, "a thread enters frame \(frame)")
    record.pointee.frame = frame
    record.pointee.depth &+= 1
  }

  /// Its innermost frame has ended, and the one below goes on; -1 for none.
  @inline(__always)
  func leave(to parent: FrameIndex) {
    assert(pointee.depth > 0, "a thread leaves a frame for \(parent), and has none")
    record.pointee.frame = parent
    record.pointee.depth &-= 1
  }

  /// Frames of a task come on top of what it does, the innermost one given.
  func enter(_ frame: FrameIndex, frames: Int32) {
    demand(!frame.isNone && frames > 0, "a thread enters frame \(frame), one of \(frames)")
    record.pointee.frame = frame
    record.pointee.depth &+= frames
  }

  /// The frames of a task are taken off; below them were so many.
  func go(back frame: FrameIndex, frames: Int32) {
    demand(frames >= 0 && frames <= pointee.depth, "a thread goes back to \(frames) frames")
    record.pointee.frame = frame
    record.pointee.depth = frames
  }

  /// One frame more, or less, is between its outermost and the one that it runs.
  @inline(__always)
  func countFrame() { record.pointee.depth &+= 1 }
  @inline(__always)
  func dropFrame() {
    assert(pointee.depth > 0, "a thread drops a frame and has none")
    record.pointee.depth &-= 1
  }

  // MARK: Work

  /// It has work to do, from now on.
  @inline(__always)
  func beginWork(_ work: Int64) {
    assert(work >= 0 && pointee.work == 0, "a thread begins to work for \(work)")
    record.pointee.work = work
  }

  /// It has a cost to pay before it goes on.
  @inline(__always)
  func charge(_ cost: Int64) { record.pointee.charge(cost) }

  /// It is at an instruction.
  @inline(__always)
  func setPlace(_ place: Int32) { record.pointee.place = place }

  // MARK: Its item

  /// It runs an item, or will when it begins.
  @inline(__always)
  func setItem(name: Int32, kind: Int32, group: Int32, number: Int32, submitted: Int64) {
    assert(
      pointee.itemGroup < 0, "an item is to run on a thread whose last one is in a group still")
    record.pointee.itemName = name
    record.pointee.itemKind = kind
    record.pointee.itemGroup = group
    record.pointee.itemNumber = number
    record.pointee.submitted = submitted
  }

  /// The item that is its body has a number now, and is handed over.
  func submitItem(_ number: Int32, at time: Int64) {
    demand(number > 0, "the item of a thread is handed over as number \(number)")
    record.pointee.itemNumber = number
    record.pointee.submitted = time
  }

  /// Its item has ended.
  @inline(__always)
  func endItem() { record.pointee.itemKind = -1 }

  /// Its item, which has ended, leaves its group.
  @inline(__always)
  func leaveGroup() {
    assert(pointee.itemKind < 0, "an item leaves its group before it ends")
    record.pointee.itemGroup = -1
  }

  // MARK: What it is

  /// A fact about it is so from now on.
  @inline(__always)
  func insert(_ flags: ThreadFlags) { record.pointee.flags.insert(flags) }

  /// A fact about it is not so any more.
  @inline(__always)
  func remove(_ flags: ThreadFlags) { record.pointee.flags.remove(flags) }

  /// It has a name of its own, and no number beside it; so has its item, when it was not started.
  func setName(_ name: Int32) {
    record.pointee.name = name
    record.pointee.serial = 0
    if pointee.state == .created { record.pointee.itemName = name }
  }

  /// It is to get a stack of so many bytes.
  func setStackSize(_ size: Int64) {
    demand(
      pointee.state == .created && size > 0,
      "a thread that is \(pointee.state) gets a stack of \(size)B")
    record.pointee.stackSize = size
  }

  /// It is nobody's worker any more, and ends when it goes on.
  func retire() {
    demand(
      pointee.role == .worker && pointee.frame == .none, "a thread ends that is no parked worker")
    record.pointee.role = .plain
  }

  /// It works for an executor.
  func setExecutor(_ executor: Int32) {
    demand(executor >= 0, "a thread works for executor \(executor)")
    record.pointee.executor = executor
  }

  /// Its priority is another one; whoever changes it says so by `claimChanged`.
  func setPriority(base: Int16, threadPriority: Int64) {
    demand(
      base >= 0 && base < PriorityQueues.levels && 0...FixedDecimal.scale ~= threadPriority,
      "a thread gets priority \(base), \(threadPriority) billionths")
    record.pointee.basePriority = base
    record.pointee.threadPriority = threadPriority
  }

  /// Its quality of service is another one; whoever changes it says so by `claimChanged`.
  func setQuality(_ quality: Int32, base: Int16) {
    demand(base >= 0 && base < PriorityQueues.levels, "a thread gets priority \(base)")
    record.pointee.quality = quality
    record.pointee.basePriority = base
  }
}

extension Kernel {
  // MARK: Ends

  /// A thread that was cancelled before it began has ended by being started.
  mutating func endUnstarted(_ thread: ThreadID) {
    let record = threads.writable.at(thread)
    demand(
      record.pointee.state == .created && record.pointee.flags.contains(.cancelled),
      "thread \(thread.index) is \(record.pointee.state) and ends without having begun")
    record.pointee.state = .finished
    record.pointee.flags.insert(.started)
  }

  /// The process is over: a thread that lives ends where it is.
  mutating func kill(_ thread: ThreadID) {
    let state = threads[thread].state
    demand(
      state != .created && state != .finished, "thread \(thread.index) is \(state) and is killed")
    let ran = state == .running ? leaveCore(thread) : 0
    endDeadline(thread, isCutOff: true)
    if threads[thread].flags.contains(.inLine) { leaveLine(thread) }
    record(
      .threadKilled, thread: thread, core: state == .running ? threads[thread].lastCore : -1,
      value: ran)
    threads.writable[thread].state = .finished
  }

  // MARK: Waits

  /// A waiting thread wakes at another moment; nil for when it is woken only.
  mutating func setAlarm(of thread: ThreadID, at time: Int64?) {
    demand(
      threads[thread].state == .waiting,
      "thread \(thread.index), \(threads[thread].state), has an alarm")
    threads.writable[thread].timer =
      time.map { schedule(.threadTimer, index: thread.index, at: alarm(for: $0)) } ?? 0
  }

  /// A thread is to wait for the end of another one.
  mutating func addJoiner(_ thread: ThreadID, of target: ThreadID) {
    demand(
      threads[target].state != .finished,
      "thread \(thread.index) joins thread \(target.index), which has ended")
    var joiners = threads[target].joiners
    append(thread, to: &joiners)
    threads.writable[target].joiners = joiners
  }

  /// A thread does not wait for the end of another one any more.
  mutating func removeJoiner(_ thread: ThreadID, of target: ThreadID) {
    var joiners = threads[target].joiners
    remove(thread, from: &joiners)
    threads.writable[target].joiners = joiners
  }

  /// Wakes those who wait for the end of a thread.
  mutating func wakeJoiners(of thread: ThreadID, by other: ThreadID) {
    var joiners = threads[thread].joiners
    wakeAll(&joiners, by: other)
    threads.writable[thread].joiners = joiners
  }
}
