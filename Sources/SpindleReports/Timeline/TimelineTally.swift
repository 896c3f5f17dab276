import SpindleModel

/// The state of a `Timeline`: what is open.
struct TimelineTally: ~Copyable {
  let consumer: any TimelineConsumer
  /// By the slot that log entries name: the thread that has it now.
  var threads = TallyTable<OpenThread>()
  /// How many states of threads have begun.
  var stateCount: Int64 = 0
  /// How many threads there were.
  var threadCount: Int32 = 0
  /// By core: the thread that lost it last by preemption; it records its successor.
  var victims = TallyTable<Int32>()
  var labels = ThreadLabels()
  var ordinals = NameOrdinals()
  /// Items that have not ended, by number.
  var items = OpenTable<ItemSlice>()
  /// How many items of a name are planned for a moment.
  var plans: [Plan: Int] = [:]
  /// What threads are about; those of one thread are linked, and places are used again.
  var spans = OpenSpans()
  /// The holds, by `holdKey`.
  var holds = OpenTable<HoldSlice>()
  var lanes = TimelineLanes()
  var names = NameTable([])
  /// How long the machine slept before, and since when it sleeps; -1 while it does not.
  var slept: Int64 = 0
  var asleepSince: Int64 = -1

  /// An item that will be submitted at a moment.
  struct Plan: Hashable {
    var name: Int32
    var time: Int64

    init(_ name: Int32, at time: Int64) { (self.name, self.time) = (name, time) }
  }

  /// The thread that has a slot.
  struct OpenThread {
    /// Its state, not ended yet.
    var slice: ThreadSlice
    /// Whether it lives.
    var isAlive = true
    /// The name of its quality of service; none where it has none.
    var quality: NameID = .none
    /// How long the machine had slept when it got its core.
    var sleptBefore: Int64 = 0
    /// The innermost of what it is about, in `spans`; -1 for none.
    var span: Int32 = -1
    /// Whether its wait has just timed out.
    var timedOut = false
  }

  init(_ consumer: any TimelineConsumer) { self.consumer = consumer }

  /// Takes what is known of the run beforehand.
  mutating func prepare(_ run: RunDescription) {
    names = run.names
    victims.reach(run.machine.cores.count - 1, filledWith: -1)
  }

  /// Adds the next entries: one access to the open state for all of them.
  mutating func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries { receive(entry) }
  }

  /// Takes in the next entry.
  private mutating func receive(_ entry: LogEntry) {
    switch entry.event {
    case .threadCreated: created(entry)
    case .threadReady: ready(entry)
    case .threadRuns: runs(entry)
    case .threadPreempted: lostCore(entry)
    case .priorityChanged: qualityChanged(entry)
    case .threadBlocked: blocked(entry)
    case .waitLimited: limited(entry)
    case .waitTimedOut: timedOut(entry)
    case .threadEnded, .threadKilled: ended(entry)
    case .itemSubmitted: submitted(entry)
    case .itemPlanned: plans[Plan(entry.object, at: entry.value), default: 0] += 1
    case .itemStarted: started(entry)
    case .itemEnded, .itemSkipped: itemEnded(entry)
    case .taskSuspended: taskSuspended(entry)
    case .taskResumed: taskResumed(entry)
    case .actorEntered: actorEntered(entry)
    case .actorLeft: actorLeft(entry)
    case .queueSyncBegan, .applyBegan, .iterationBegan, .sourceFired, .timerFired, .observerCalled,
      .sourcePerformed, .blockPerformed, .performBegun, .messageReceived, .answerReceived:
      spanBegan(entry)
    case .queueSyncEnded, .applyEnded, .iterationEnded, .handlerEnded: spanEnded(entry)
    case .objectMade: made(entry)
    case .lockAcquired, .lockReleased, .queueSuspended, .queueResumed, .queueActivated:
      holdChanged(entry)
    case .mark, .finding, .memoryChanged, .machineSlept, .machineWoke: note(entry)
    default: break
    }
  }

  /// The run has ended: whatever is open ends with it, each sort in the order of its numbers.
  mutating func finish(at end: Instant) {
    for slot in 0..<threads.count where threads[slot].pointee.isAlive {
      endSpans(slot, end)
      endState(slot, at: end, .runEnded)
    }
    for key in items.sortedKeys {
      guard var item = items[key] else { continue }
      item.outcome = .cut
      if !item.hasStarted { item.started = end }
      item.ended = end
      consumer.itemEnded(item)
    }
    for key in holds.sortedKeys {
      guard var hold = holds[key] else { continue }
      hold.end = end
      consumer.holdEnded(hold)
    }
  }

  /// How long the machine has slept by `time`.
  func slept(by time: Int64) -> Int64 { slept + (asleepSince < 0 ? 0 : time - asleepSince) }

  /// The place of a living thread's slot in the table; nil for the world outside.
  func slot(_ thread: Int32) -> Int? {
    let slot = Int(thread)
    return slot >= 0 && slot < threads.count && threads[slot].pointee.isAlive ? slot : nil
  }

  /// The thread that has a slot now, or had it last.
  func index(_ thread: Int32) -> ThreadIndex {
    let slot = Int(thread)
    return slot >= 0 && slot < threads.count ? threads[slot].pointee.slice.thread : .none
  }

  private mutating func note(_ entry: LogEntry) {
    let kind: TimelineNote.Kind
    switch entry.event {
    case .mark: kind = .mark
    case .finding: kind = .finding
    case .memoryChanged: kind = .memory
    case .machineSlept:
      kind = .machineSlept
      if asleepSince < 0 { asleepSince = entry.time }
    default:
      kind = .machineWoke
      slept = slept(by: entry.time)
      asleepSince = -1
    }
    consumer.noted(
      TimelineNote(
        kind: kind, time: Instant(entry.time), thread: index(entry.thread),
        name: NameID(Int(entry.object)), value: entry.value))
  }
}
