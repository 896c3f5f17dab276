import SpindleModel

/// Gives cores to threads in virtual time; the only one who asks a policy.
///
/// To it a thread is something that, when it has a core, needs it for some work, waits, or is done:
/// what locks, queues and run loops keep of threads stands in their own tables. Its verbs: `createThread`,
/// `start`, `block`, `wake`, `yield`, `leaveCore`, `retire`, `schedule`.
struct Kernel: ~Copyable {
  /// The present virtual time.
  private(set) var now: Int64 = 0
  let machine: Machine
  let costs: CostProfile
  /// Whether anything costs anything.
  let hasCosts: Bool
  /// Whether there are costs that a thread pays behind a call, since only then it is known what that did.
  let hasLateCosts: Bool
  /// Whether a core that was idle takes a while before a thread goes on.
  let leavingIdleCosts: Bool
  /// Whether telling an idle core of a thread costs anybody anything.
  let interruptsCost: Bool
  /// With more threads than this alive, the program is told that they are many.
  let explosion: Int
  var memory: Memory
  /// What items, operations, tasks and allocations take of the program's heap.
  var heap = Heap()
  var recorder: Recorder
  let names: NameTable
  /// What the run holds on the host.
  let storage: Storage
  let sizes: StructureSizes
  /// Which ways of saving time it takes.
  let shortcuts: ShortcutSet
  /// What a policy that draws begins with.
  let seed: UInt64
  var queue: EventQueue
  var threads: KernelTable<ThreadRecord>
  /// What threads wait for and others have.
  var turnstiles: KernelTable<Turnstile>
  /// Whether a priority did not reach the end of a chain of threads, which was too long.
  var inheritanceWasCut = false
  var cores: KernelTable<CoreRecord>
  /// The cores' numbers, the fastest first.
  private(set) var coreOrder: Table<CoreID>
  var policy: ActivePolicy
  private(set) var findings: [Finding] = []
  /// The waits of the main thread since it last could answer.
  var mainWaits = MainWaits()
  /// The name of what the main thread waits for, or waited for last; -1 for none.
  var mainWaitName: Int32 = -1
  /// What stands before it there.
  var mainWaitLine = MainWaitLine()
  /// How many of each kind there are.
  private var findingCounts: [Finding.Kind: Int] = [:]
  /// Instructions of the program, to find the places of findings.
  let places: CodeTable<SourceRange>

  /// The sequence number of the last event.
  var sequence: UInt64 = 0
  /// The real-time threads; only looked up, never walked.
  var realtime: [ThreadID: RealtimeRecord] = [:]
  /// What threads ask for on Linux; only looked up, never walked.
  var scheduling: [ThreadID: LinuxClaim] = [:]
  /// Whether a thread was real-time that does no jobs.
  var hasOtherRealtime = false
  /// Whether a burst has just ended, and its thread has done nothing since that anybody could
  /// notice: work that begins now goes on with it.
  var isUnbroken = false
  /// Whether the present thread has come straight from the end of its work, and has called nothing since.
  var isStraight = false
  /// How many threads are ready.
  var readyCount = 0
  /// Which cores are idle.
  ///
  /// It stands between two counts that change together and each alone: side by side they would be
  /// changed as one, which has to wait until a change of one of them has arrived in memory.
  let idleCores: IdleCores
  /// How many cores are idle.
  var idleCount = 0
  /// The cores whose quanta nobody watches.
  var unwatched = IntrusiveList<UnwatchedLinks>()
  /// Room for the order in which the turns of these began.
  var unplaced: ContiguousArray<CoreID> = []
  /// When each thread left its core last, where a cold cache costs something.
  var leavings: Table<Int64>
  /// Whether it counts for caches where and when a thread ran last.
  let hasCaches: Bool
  /// Whether all cores are of one speed.
  let coresAreAlike: Bool
  /// How many threads are alive.
  var liveCount = 0
  /// How many stacks of threads that have ended wait for new threads, where a stack costs something.
  var keptStacks = 0
  /// Who has the address space, and who waits for it.
  var addressSpace = AddressSpace()
  /// Who has the list of stacks, and who waits for it, where unmapping a stack costs something.
  var stackList = StackList()
  /// Threads whose numbers may be used again, the last one first.
  var freeThreads: Table<ThreadID>
  /// How many nameless threads have been made outside executors.
  private var namelessCount: Int32 = 0
  /// How many items of work have been handed over.
  private var itemCount: Int32 = 0
  /// Threads that got, lost or gave up a core, or were woken.
  var schedulingEvents: Int64 = 0
  /// How long all input and output takes together that has begun.
  var inputTime: Int64 = 0
  /// The event of the policy's next tick; 0 for none.
  var tickEvent: UInt64 = 0
  /// The event at which a running thread may be moved to an idle core; 0 for none.
  var moveEvent: UInt64 = 0
  /// Whether a thread became ready since the last decision, so that somebody may have to be preempted.
  var preemptionIsDue = false
  /// The first rule that the policy broke; nil for none.
  var policyFault: PolicyFault?
  /// How often a thread was preempted at the present instant.
  var preemptionsAtInstant = 0
  /// The class of the event that is being handled.
  var presentPhase: UInt8 = 0
  /// What runtimes have planned, by number.
  var plans: SlotTable<Plan>
  /// Housekeeping, the next last.
  var chores: [Chore] = []
  /// Pool workers that began or ended a wait since the pool last looked: the thread, doubled, plus
  /// 1 when it began one.
  var workerWaits: Table<Int32>
  /// Events at the present instant for a class that is past: they make the next round.
  var nextRound: [ScheduledEvent] = []

  /// While the machine or the app is held, no thread gets a core.
  var hold = KernelHold()

  /// Creates the kernel of `machine`.
  init(
    machine: Machine, names: NameTable, places: CodeTable<SourceRange>, storage: Storage,
    consumers: [any LogConsumer], races: RaceDetector, lockOrder: LockOrder,
    driver: ScheduleDriver?, sizes: StructureSizes, shortcuts: ShortcutSet, seed: UInt64
  ) {
    ScheduledEvent.checkLayout()
    (self.sizes, self.shortcuts, self.seed) = (sizes, shortcuts, seed)
    self.machine = machine
    self.storage = storage
    queue = EventQueue(storage, sizes)
    threads = KernelTable(.threads, storage, beside: Self.besideThread)
    turnstiles = KernelTable(.locks, storage)
    freeThreads = Table(.threads, storage)
    leavings = Table(.threads, storage)
    hasCaches = machine.costs.coldCache > .zero || machine.hasClusters
    workerWaits = Table(.threads, storage)
    cores = KernelTable(.threads, storage)
    coreOrder = Table(.threads, storage)
    plans = SlotTable(.plans, storage)
    self.names = names
    self.places = places
    costs = machine.costs
    hasCosts = machine.costs != CostProfile()
    interruptsCost = machine.costs.interrupt > .zero || machine.costs.interruptDelay > .zero
    leavingIdleCosts = machine.costs.idleExit > .zero || machine.costs.deepIdle > .zero
    hasLateCosts =
      machine.costs.interrupt > .zero || machine.costs.lineTransfer > .zero
      || machine.costs.freshStack > .zero || machine.costs.pageFault > .zero
    explosion = machine.platform == .ideal ? Int.max : max(64, 8 * machine.cores.count)
    memory = Memory(size: machine.memory, hostShare: machine.costs.hostShare)
    recorder = Recorder(
      consumers: consumers, races: races, lockOrder: lockOrder, driver: driver,
      chunk: sizes.logChunk)
    policy = ActivePolicy(
      PolicyCatalog.policy(machine.policy), shortcuts: shortcuts, queueRoom: sizes.readyRoom)
    policy.begin(cores: machine.cores, seed: seed)
    for core in machine.cores {
      var record = CoreRecord()
      record.speedNumerator = core.speed.numerator
      record.speedDenominator = core.speed.denominator
      record.sharedCache = Int32(core.sharedCache)
      cores.writable.append(record)
    }
    coresAreAlike = machine.cores.allSatisfy { $0.speed == machine.cores[0].speed }
    idleCount = machine.cores.count
    idleCores = IdleCores(count: machine.cores.count, storage)
    let bySpeed = machine.cores.indices.sorted { left, right in
      let (a, b) = (machine.cores[left].speed, machine.cores[right].speed)
      let (fast, slow) = (a.numerator * b.denominator, b.numerator * a.denominator)
      return fast != slow ? fast > slow : left < right
    }
    for core in bySpeed { cores.writable[CoreID(core)].rank = coreOrder.append(CoreID(core)) }
  }

  /// What policies, metrics and logs keep for each thread, at most, in bytes.
  private static let besideThread = 384

  /// Moves virtual time forward.
  @inline(__always)
  mutating func advance(to time: Int64) {
    demand(time >= now, "an event at \(Instant(time)) comes after \(Instant(now))")
    now = time
    preemptionsAtInstant = 0
  }

  // MARK: Events

  /// Later than any run goes, and so early that no sum with a length of time overflows.
  private static let never = Int64(1) << 62

  /// Schedules an event and returns its sequence number, by which its owner knows it again.
  ///
  /// There may be any number of arrivals in a program, so there may be too many: those that an event can't
  /// name are noted, and don't come. Threads and plans are counted where they are made.
  @inline(always)
  mutating func schedule(_ kind: DueKind, index: Int32, at time: Int64) -> UInt64 {
    if kind == .arrival && index >= ScheduledEvent.maximumIndex { return refuseArrival() }
    sequence &+= 1
    schedule(kind, index: index, at: time, as: sequence)
    return sequence
  }

  @inline(never)
  private func refuseArrival() -> UInt64 {
    storage.exceed(.arrivals)
    return 0
  }

  /// Schedules an event under a sequence number that its owner keeps; returns for when.
  @discardableResult
  @inline(__always)
  mutating func schedule(_ kind: DueKind, index: Int32, at time: Int64, as number: UInt64) -> Int64
  {
    let delayed = hold.isAsleep && kind != .arrival ? hold.delayed(time, from: now) : time
    let due = min(delayed, Self.never)
    assert(due >= now, "an event is wanted at \(Instant(due)), and it is \(Instant(now))")
    let event = ScheduledEvent(time: due, kind: kind, index: index, sequence: number)
    if due == now && event.phase < presentPhase {
      nextRound.append(event)
    } else {
      queue.push(event)
    }
    return due
  }

  /// Events of a class are handled from now on; decisions are the last, 0 is before all.
  @inline(__always)
  mutating func beginClass(_ phase: UInt8) {
    assert(phase <= 3, "there is no class \(phase) of events")
    presentPhase = phase
  }

  /// All classes of this instant are over: what was scheduled for one that was past comes next.
  @inline(__always)
  mutating func beginRound() {
    assert(
      nextRound.allSatisfy { $0.time == now }, "the next round has an event that is not of now")
    beginClass(0)
    if nextRound.isEmpty { return }
    for event in nextRound { queue.push(event) }
    nextRound.removeAll(keepingCapacity: true)
  }

  /// Whether the policy's tick, which is due, has anything to decide; if not, it is forgotten.
  mutating func isTickWanted() -> Bool {
    assert(tickEvent != 0, "a tick that nobody planned is due")
    if readyCount == 0 { tickEvent = 0 }
    return readyCount > 0
  }

  /// Numbers events from there on, before the first one.
  mutating func begin(behind events: UInt64) {
    demand(threads.count == 0, "events are numbered anew after \(threads.count) threads were made")
    sequence = events
  }

  /// The pool has looked at the waits of its workers.
  mutating func forgetWorkerWaits() { workerWaits.removeAll() }

  // MARK: Log

  /// Records an entry about a thread at the present instant.
  @inline(__always)
  mutating func record(
    _ event: LogEvent, thread: ThreadID, detail: UInt8 = 0, core: Int16 = -1, object: Int32 = -1,
    other: Int32 = -1, subject: Int32 = -1, place: Int32 = -1, value: Int64 = 0
  ) {
    let time = now
    recorder.record(
      LogEntry(
        time: time, event: event, detail: detail, core: core, thread: thread.index, object: object,
        other: other, subject: subject, place: place, value: value))
  }

  /// Records an entry that only a complete log needs.
  @inline(__always)
  mutating func recordDetail(
    _ event: LogEvent, thread: ThreadID, object: Int32 = -1, place: Int32 = -1, value: Int64 = 0
  ) {
    if recorder.isComplete {
      record(event, thread: thread, object: object, place: place, value: value)
    } else {
      recorder.skip()
    }
  }

  /// Records that an object was made.
  mutating func recordMaking(
    _ handle: HandleClass, _ number: Int32, name: Int32, by thread: ThreadID, place: Int32,
    quality: Int32 = -1, value: Int64 = 0
  ) {
    record(
      .objectMade, thread: thread, detail: handle.rawValue, object: name, other: number,
      subject: quality, place: place, value: value)
  }

  /// The number of the next nameless thread outside executors, from 1.
  mutating func nextNameless() -> Int32 {
    demand(namelessCount < Int32.max, "a run has \(namelessCount) nameless threads")
    namelessCount += 1
    return namelessCount
  }

  /// The number of the next item of work, from 1.
  @inline(__always)
  mutating func nextItem() -> Int32 {
    itemCount &+= 1
    assert(itemCount > 0, "a run has more items than their numbers can say")
    return itemCount
  }

  /// Whether a finding of a kind that is told once has been told.
  func hasTold(_ kind: Finding.Kind) -> Bool { findingCounts[kind, default: 0] > 0 }

  /// Whether a finding of a kind has been told whose first place is that of an instruction.
  func hasTold(_ kind: Finding.Kind, at instruction: Int32) -> Bool {
    if instruction < 0 { return false }
    let place = places[Int(instruction)]
    return findings.contains { $0.kind == kind && $0.places.first == place }
  }

  /// How many findings of each kind there were, the untold ones too, in the order of the kinds.
  var allFindings: [RunRecord.FindingCount] {
    Finding.Kind.allCases.compactMap { kind in
      findingCounts[kind].map { RunRecord.FindingCount(kind: kind, count: $0) }
    }
  }

  /// Whether one more finding of a kind is told in words; where it is not, it is counted.
  mutating func tells(_ kind: Finding.Kind) -> Bool {
    let count = findingCounts[kind, default: 0]
    if count < RunRecord.toldFindings { return true }
    findingCounts[kind] = count + 1
    return false
  }

  /// Notes a finding, in the log too; of each kind so many, and the others are counted.
  mutating func report(
    _ kind: Finding.Kind, thread: ThreadID, places indices: [Int32], _ statement: FindingStatement
  ) {
    if !tells(kind) { return }
    demand(!statement.isEmpty, "a finding of kind '\(kind)' says nothing")
    findingCounts[kind, default: 0] += 1
    var found: [SourceRange] = []
    var seen: Set<SourceRange> = []
    for index in indices where index >= 0 && seen.insert(places[Int(index)]).inserted {
      found.append(places[Int(index)])
    }
    findings.append(
      Finding(kind: kind, time: Instant(now), places: found, statement: statement))
    // The log knows no thread that was not started.
    let isKnown = !thread.isNone && threads[thread].state != .created
    record(.finding, thread: isKnown ? thread : .none, value: Int64(findings.count - 1))
  }

  /// The text of a name; empty for none.
  func text(_ name: NameID) -> String { name.index < 0 ? "" : names.text(name) }

  /// The text of a name's number; empty for -1.
  func text(_ name: Int32) -> String { text(NameID(Int(name))) }

  /// The text whose name's number a register holds; empty for no value.
  func text(_ register: Int64) -> String { register < 0 ? "" : text(NameID(Int(register))) }

  /// What a thread is called.
  func name(of thread: ThreadID) -> String { text(threadName(of: thread)) }

  /// The same, before it is a text.
  func threadName(of thread: ThreadID) -> ThreadName {
    let record = threads.at(thread)
    return ThreadName(
      name: record.pointee.name, maker: record.pointee.executorName, serial: record.pointee.serial)
  }

  /// The text of a thread's name.
  func text(_ thread: ThreadName) -> String {
    if thread.name >= 0 { return text(thread.name) }
    return "\(thread.maker < 0 ? "thread" : text(thread.maker))-\(thread.serial)"
  }
}
