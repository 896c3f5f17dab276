import SpindleModel

/// Finds locks that are taken in both orders, so that at another time threads wait for each other for ever.
///
/// A queue is a lock, too: who runs an item of it has it, and `sync` takes it; and so is a semaphore that begins with 1,
/// as long as only who passed it signals it.
///
/// A step is that a thread takes a lock while it has another one. Steps make a cycle where each begins with the lock that
/// the one before takes; it can close where no step comes before another one, and no two are done under a lock
/// that keeps them apart. Locks of steps do not order others, though in this run the one came first; all else
/// does, other locks too. Who only tries, or waits to a limit, makes no step, but has what it got.
/// Source: Havelund 2000, Using Runtime Analysis to Guide Model Checking of Java Programs, for the cycles and the
/// locks that guard them; Linux, Documentation/locking/lockdep-design.rst.
struct LockOrder {
  /// What a thread has or takes: a lock, or a queue that no other item may be on.
  struct Hold: BitwiseCopyable, Hashable {
    /// A lock or a queue.
    let object: SyncObject
    /// The number of its name.
    let name: Int32
    /// Whether others may have it too: as readers, or items of a concurrent queue.
    var isShared = false
    /// The instruction that took it, or handed over what runs; -1 for none.
    let place: Int32

    /// Whether one of the two waits while another thread has the other.
    func excludes(_ other: Hold) -> Bool { object == other.object && !(isShared && other.isShared) }
  }

  /// That a thread took a lock while it had others.
  struct Step {
    /// All that it had.
    let held: [Hold]
    /// Which of it is the beginning of this step.
    let from: Hold
    let taken: Hold
    let moment: Moment
    /// What was known then.
    let clock: VectorClock
    let threadName: ThreadName

    /// Whether two threads can be in the midst of the one and of the other at once.
    func canMeet(_ other: Step) -> Bool {
      if clock.knows(other.moment) || other.clock.knows(moment) { return false }
      return !held.contains { mine in other.held.contains { $0.excludes(mine) } }
    }

    /// Whether it says the same as another one of its strand.
    func repeats(_ other: Step) -> Bool {
      moment.strand == other.moment.strand && taken == other.taken && held == other.held
    }
  }

  /// What comes before what, but for the locks of steps.
  var order: HappensBefore
  /// The instructions that do not wait for ever.
  private let tries: Set<Int32>
  /// Whether somebody may wait for the main queue.
  let usesMain: Bool
  /// By thread.
  private var threads: [Holder] = []
  /// By the lock with which they begin; only looked up, never walked.
  private var steps: [SyncObject: [Step]] = [:]
  /// The semaphores that somebody signalled who did not have them; only looked up, never walked.
  private var noLocks: Set<SyncObject> = []
  /// The cycles that were told, by their places; only looked up, never walked.
  private var told: Set<[Int32]> = []
  /// The steps of those; only looked up, never walked.
  private var toldSteps: Set<[Hold]> = []

  /// How many steps that begin with one lock are kept: the last ones.
  static let kept = 64
  /// The most steps of a cycle that is looked for.
  static let longest = 12
  /// How many steps are looked at for one cycle.
  static let looks = 4_096

  /// Creates it without steps.
  init(isOn: Bool, sharesNumbers: Bool, tries: Set<Int32> = [], usesMain: Bool = true) {
    order = HappensBefore(isOn: isOn, sharesNumbers: sharesNumbers)
    (self.tries, self.usesMain) = (tries, usesMain)
  }

  /// Whether anybody looks for cycles: where no two locks are taken, nobody does.
  var isOn: Bool { order.isOn }

  /// A detector for a program with these instructions.
  init(for instructions: UnsafeBufferPointer<Instruction>, sharesNumbers: Bool) {
    var (locks, syncs, tries, namesMain) = (0, 0, Set<Int32>(), false)
    for index in instructions.indices {
      guard case .perform(let primitive, _, _) = instructions[index] else { continue }
      switch primitive {
      case .lock(let primitive):
        if primitive.takes { locks += 1 }
        if primitive.givesUp { tries.insert(Int32(index)) }
      case .semaphore(.wait): locks += 1
      case .queue(.syncEnter), .queue(.syncItem): syncs += 1
      case .queue(.main): namesMain = true
      case .task, .asyncStream: if primitive.locksStatus { locks += 1 }
      default: break
      }
    }
    self.init(
      isOn: locks + syncs > 1, sharesNumbers: sharesNumbers, tries: tries,
      usesMain: namesMain && syncs > 0)
  }

  /// What a thread has.
  private struct Holder {
    /// Which of those that had its number.
    var generation: Int32 = -1
    /// In the order of taking.
    var held: [Hold] = []
  }

  // MARK: Taking and giving back

  /// A thread takes something that it may have to wait for; gives a cycle that was not told yet, the new step first.
  mutating func take(
    _ hold: Hold, by thread: ThreadID, _ generation: Int32, _ name: ThreadName
  ) -> [Step]? {
    let others = have(hold, thread, generation)
    if others.isEmpty || tries.contains(hold.place) { return nil }
    if others.contains(where: { $0.object == hold.object }) { return nil }
    for other in others { order.ignore(other.object) }
    order.ignore(hold.object)
    guard let moment = order.moment(of: thread), let clock = order.clock(of: thread) else {
      return nil
    }
    var cycle: [Step]?
    for other in others {
      let step = Step(
        held: others, from: other, taken: hold, moment: moment, clock: clock, threadName: name)
      if cycle == nil { cycle = findCycle(through: step) }
      keep(step)
    }
    return cycle
  }

  /// A thread has something for which it did not wait; gives what it had before.
  @discardableResult
  mutating func have(_ hold: Hold, _ thread: ThreadID, _ generation: Int32) -> [Hold] {
    demand(!thread.isNone, "lock \(hold.object.number) is taken by nobody")
    while threads.count <= Int(thread.index) { threads.append(Holder()) }
    if threads[Int(thread.index)].generation != generation {
      threads[Int(thread.index)] = Holder(generation: generation)
    }
    let others = threads[Int(thread.index)].held
    threads[Int(thread.index)].held.append(hold)
    return others
  }

  /// A thread has given something back that it took last.
  mutating func give(_ object: SyncObject, by thread: ThreadID) {
    guard !thread.isNone, Int(thread.index) < threads.count,
      let index = threads[Int(thread.index)].held.lastIndex(where: { $0.object == object })
    else { return }
    threads[Int(thread.index)].held.remove(at: index)
  }

  /// Whether a semaphore is known to be no lock.
  func isSignal(_ object: SyncObject) -> Bool { !noLocks.isEmpty && noLocks.contains(object) }

  /// Whether a step leads from or to what is no lock, as is known since.
  private func isVoid(_ step: Step) -> Bool {
    !noLocks.isEmpty && (isSignal(step.from.object) || isSignal(step.taken.object))
  }

  /// A thread signals a semaphore: it gives it back, or it has it not, and then the semaphore is no lock and was none.
  ///
  /// Source: E. W. Dijkstra, "Cooperating Sequential Processes", 1965, for both uses.
  mutating func signal(_ object: SyncObject, by thread: ThreadID) {
    if !thread.isNone, Int(thread.index) < threads.count,
      threads[Int(thread.index)].held.contains(where: { $0.object == object })
    {
      return give(object, by: thread)
    }
    if !noLocks.insert(object).inserted { return }
    order.heed(object)
    for index in threads.indices { threads[index].held.removeAll { $0.object == object } }
  }

  /// A thread runs what another one waits for, and so has all that this has.
  mutating func lend(from waiter: ThreadID, to thread: ThreadID) {
    guard Int(waiter.index) < threads.count, Int(thread.index) < threads.count else { return }
    threads[Int(thread.index)].held += threads[Int(waiter.index)].held
  }

  /// It has run it.
  mutating func takeBack(from thread: ThreadID, to waiter: ThreadID) {
    guard Int(waiter.index) < threads.count else { return }
    for hold in threads[Int(waiter.index)].held { give(hold.object, by: thread) }
  }

  private mutating func keep(_ step: Step) {
    var known = steps[step.from.object] ?? []
    known.removeAll { $0.repeats(step) }
    if known.count >= Self.kept { known.removeFirst() }
    known.append(step)
    steps[step.from.object] = known
  }

  // MARK: Cycles

  /// The shortest cycle through a step that was not told yet.
  private mutating func findCycle(through step: Step) -> [Step]? {
    // Most locks that are taken last are the first of nothing.
    if steps[step.taken.object] == nil || toldSteps.contains([step.from, step.taken]) {
      return nil
    }
    var looks = Self.looks
    for length in 2...Self.longest {
      var path = [step]
      if extend(&path, to: length, &looks) { return path }
      if looks <= 0 { return nil }
    }
    return nil
  }

  private mutating func extend(_ path: inout [Step], to length: Int, _ looks: inout Int) -> Bool {
    let last = path[path.count - 1]
    for next in steps[last.taken.object] ?? [] {
      looks -= 1
      if looks <= 0 { return false }
      if isVoid(next) { continue }
      guard next.from.excludes(last.taken), path.allSatisfy({ $0.canMeet(next) }) else { continue }
      path.append(next)
      if path.count == length {
        if next.taken.excludes(path[0].from) && tell(path) { return true }
      } else if !path.contains(where: { $0.from.object == next.taken.object })
        && extend(&path, to: length, &looks)
      {
        return true
      }
      path.removeLast()
    }
    return false
  }

  /// Whether a cycle was not told yet; it is from now on.
  private mutating func tell(_ cycle: [Step]) -> Bool {
    if !told.insert(cycle.map(\.taken.place).sorted()).inserted { return false }
    for step in cycle { toldSteps.insert([step.from, step.taken]) }
    return true
  }
}

extension Primitive {
  /// Whether it hands over what is called under the status lock of a task.
  fileprivate var locksStatus: Bool {
    switch self {
    case .task(.pushHandler), .task(.pushEscalation), .asyncStream(.setOnTermination),
      .asyncStream(.makeUnfolding):
      true
    default: false
    }
  }
}
