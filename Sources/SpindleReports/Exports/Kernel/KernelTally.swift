import SpindleModel

/// Converts threads' states to the events of a kernel's scheduler.
///
/// A kernel reports one switch where one thread follows another on a core, so the events of an instant are
/// held until it is over, and written in order. The reader keeps a queue of events for each core and takes
/// those of one time from one queue after the other: the events of a thread at one instant are in one queue,
/// and where it moves from core to core in no time at all, it appears on the second a nanosecond later.
///
/// Source of that order: google/perfetto:src/trace_processor/sorter/trace_sorter.cc, which takes from the
/// queue with the earliest event all up to the next one's time, those of that time included.
struct KernelTally: ~Copyable {
  /// The threads that live.
  var threads = LiveThreads()
  /// The events that are ready to be written; the writer empties it.
  var events: ContiguousArray<KernelEvent> = []

  private var cores = TallyTable<Core>()
  private var held: ContiguousArray<Held> = []
  /// The leaves before this position in `held` are written.
  private var heldStart = 0
  private var now: Int64 = 0

  /// The state of a core; not private, since a generic table of something private breaks debug builds.
  struct Core {
    /// The place in `held` where its thread leaves it; -1 for none.
    var leaving: Int32 = -1
    /// The time of the last event.
    var told: Int64 = 0
  }

  /// An event that waits for the end of its instant.
  struct Held {
    /// The core that the thread leaves; -1 when it is woken, -2 when its leave has been written.
    var core: Int32
    var thread: ThreadIndex
    var waker: ThreadIndex = .none
    var state = KernelState.ready
  }

  /// Adds a thread, which has no core.
  mutating func began(_ thread: ThreadFacts, _ name: String) {
    advance(to: thread.time.nanoseconds)
    threads.add(thread.thread, name: name)
  }

  /// The events of earlier instants are over.
  @inline(__always)
  mutating func advance(to time: Int64) {
    if time != now { finishInstant(time) }
  }

  private mutating func finishInstant(_ time: Int64) {
    tell(before: held.count)
    // Threads that were woken and got no core: any other wake-up was written when its thread got one.
    for (index, event) in held.enumerated() where event.core == -1 {
      if let thread = threads.find(event.thread), thread.pointee.waking == Int32(index) {
        tellWaking(event, next: -1)
      }
    }
    held.removeAll(keepingCapacity: true)
    heldStart = 0
    threads.forgetEnded()
    now = time
  }

  /// A thread is in another state.
  mutating func stateBegan(_ slice: ThreadSlice) {
    advance(to: slice.start.nanoseconds)
    switch slice.state {
    case .running: enters(slice.thread, slice.core.index)
    case .waiting:
      guard slice.reason == .io, let thread = threads.find(slice.thread) else { return }
      let core = Int(thread.pointee.lastCore)
      guard core < cores.count, cores[core].pointee.leaving >= 0 else { return }
      held[Int(cores[core].pointee.leaving)].state = .io
    case .ready:
      switch slice.began {
      case .started, .woken, .timedOut: wakes(slice.thread, by: slice.agent)
      case .gotCore, .quantumEnded, .preempted, .yielded, .blocked, .ended, .killed, .runEnded:
        break
      }
    }
  }

  /// A state of a thread ended.
  mutating func stateEnded(_ slice: ThreadSlice) {
    advance(to: slice.end.nanoseconds)
    let isOver = slice.ended == .ended || slice.ended == .killed
    if isOver { threads.end(slice.thread) }
    guard slice.state == .running, let thread = threads.find(slice.thread) else { return }
    let core = slice.core.index
    guard core >= 0 else { return }
    thread.pointee.core = -1
    cores.reach(Int(core), filledWith: Core())
    cores[Int(core)].pointee.leaving = Int32(held.count)
    let state: KernelState = isOver ? .dead : slice.ended == .blocked ? .sleeping : .ready
    held.append(Held(core: core, thread: slice.thread, state: state))
  }

  private mutating func wakes(_ thread: ThreadIndex, by waker: ThreadIndex) {
    guard let woken = threads.find(thread) else { return }
    let last = Int(woken.pointee.lastCore)
    if last < cores.count {
      let leaving = Int(cores[last].pointee.leaving)
      if leaving >= 0 && held[leaving].thread == thread { tell(before: leaving + 1) }
    }
    woken.pointee.waking = Int32(held.count)
    held.append(Held(core: -1, thread: thread, waker: waker))
  }

  private mutating func enters(_ thread: ThreadIndex, _ core: Int32) {
    guard core >= 0, let entering = threads.find(thread) else { return }
    cores.reach(Int(core), filledWith: Core())
    let waking = Int(entering.pointee.waking)
    if waking >= 0 { tellWaking(held[waking], next: core) }
    tellOwnLeave(of: thread, from: entering.pointee.lastCore)
    (entering.pointee.core, entering.pointee.lastCore) = (core, core)
    let leaving = Int(cores[Int(core)].pointee.leaving)
    guard leaving >= 0 else {
      return tellSwitch(core, from: .none, .ready, to: thread)
    }
    tell(before: leaving)
    // An earlier event may have written it.
    if cores[Int(core)].pointee.leaving < 0 {
      return tellSwitch(core, from: .none, .ready, to: thread)
    }
    cores[Int(core)].pointee.leaving = -1
    heldStart = leaving + 1
    tellSwitch(core, from: held[leaving].thread, held[leaving].state, to: thread)
  }

  /// A thread that goes from core to core in one instant has left the first before it gets the second.
  private mutating func tellOwnLeave(of thread: ThreadIndex, from core: Int32) {
    guard core >= 0, Int(core) < cores.count else { return }
    let leaving = Int(cores[Int(core)].pointee.leaving)
    guard leaving >= 0, held[leaving].thread == thread else { return }
    let own = held[leaving]
    held[leaving].core = -2
    cores[Int(core)].pointee.leaving = -1
    tellSwitch(core, from: own.thread, own.state, to: .none)
  }

  // MARK: Telling

  /// Writes the leaves that were held before a position, in order.
  ///
  /// A wake-up waits until its thread gets a core, and is then written on that core, or the instant ends.
  private mutating func tell(before end: Int) {
    while heldStart < end {
      let next = held[heldStart]
      heldStart += 1
      if next.core < 0 { continue }
      cores[Int(next.core)].pointee.leaving = -1
      tellSwitch(next.core, from: next.thread, next.state, to: .none)
    }
  }

  private mutating func tellSwitch(
    _ core: Int32, from: ThreadIndex, _ state: KernelState, to: ThreadIndex
  ) {
    let told = cores[Int(core)]
    var time = max(now, told.pointee.told)
    let (left, entered) = (threads.find(from), threads.find(to))
    time = self.time(time, core, left)
    time = self.time(time, core, entered)
    left?.pointee.told = (time, core)
    entered?.pointee.told = (time, core)
    told.pointee.told = time
    events.append(KernelEvent(time: time, core: core, first: from, second: to, state: state))
  }

  /// Writes that a thread is woken; `next` is the core that it gets at this instant.
  private mutating func tellWaking(_ held: Held, next: Int32) {
    guard let woken = threads.find(held.thread) else { return }
    woken.pointee.waking = -1
    let waker = threads.find(held.waker)
    let last = woken.pointee.lastCore
    var core = waker.map { $0.pointee.core >= 0 ? $0.pointee.core : $0.pointee.lastCore } ?? last
    if woken.pointee.told.time >= now {
      core = woken.pointee.told.core
    } else if next >= 0 {
      core = next
    }
    let time = self.time(now, core, woken)
    woken.pointee.told = (time, core)
    events.append(
      KernelEvent(
        isWaking: true, time: time, core: core, first: held.waker, second: held.thread))
  }

  /// The first moment from `time` on at which an event of `core` comes after all of `thread`.
  private func time(
    _ time: Int64, _ core: Int32, _ thread: UnsafeMutablePointer<LiveThread>?
  ) -> Int64 {
    guard let thread else { return time }
    let told = thread.pointee.told
    if time > told.time { return time }
    return core == told.core ? told.time : told.time + 1
  }
}
