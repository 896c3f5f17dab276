import SpindleModel

/// The counts of items of work, by kind; kinds with one pattern count together.
struct WorkTally: ~Copyable {
  /// Items that ran on a thread that had run one before.
  private(set) var reuses: Int64 = 0
  private var kinds = TallyTable<KindTally>()
  /// By the kind's number in the program: its place in `kinds`, which does not grow any more.
  private var places = TallyTable<UnsafeMutablePointer<KindTally>>()
  /// Items without a kind, as completion blocks and finalizers: they have no row, but count among all.
  private var kindless = TallyTable<KindTally>()
  private var running: Int64 = 0
  private var runningPeak: Int64 = 0
  private var waiting: Int64 = 0
  private var waitingPeak: Int64 = 0
  /// The beginnings of items that another item on the same thread interrupts: a stack for each thread.
  private var interrupted: ContiguousArray<Interrupted> = []
  /// The first of those that are used again; -1 for none.
  private var freeInterrupted: Int32 = -1
  /// The slots of threads below this are looked at where they submit: only the world outside, which has none, until
  /// something has come from there.
  private var watchedSlots: Int32 = 0
  /// Tasks, which leave their threads.
  var tasks = TaskTally()

  /// The counts of one kind.
  ///
  /// Two counts that change together are not adjacent: the compiler would change them as one, which has to
  /// wait until a change of one of them has arrived in memory.
  struct KindTally: ~Copyable {
    var kind: WorkKind
    var started: Int64 = 0
    var waitingPeak: Int64 = 0
    var waiting: Int64 = 0
    var runningPeak: Int64 = 0
    var running: Int64 = 0
    var submitted: Int64 = 0
    var wait = Histogram()
    var service = Histogram()
    var latency = Histogram()
    var arrivals = ArrivalTally()

    init(_ kind: WorkKind) { self.kind = kind }

    /// Whether nothing happened to any of its items.
    var isEmpty: Bool { submitted == 0 && started == 0 && latency.count == 0 }

    /// Whether all of its items came from outside, or were handed on by such.
    var isFromOutside: Bool { submitted > 0 && arrivals.total == submitted }

    /// Forgets all but what waits and runs now.
    mutating func restart() {
      (submitted, started) = (0, 0)
      (waitingPeak, runningPeak) = (waiting, running)
      wait = Histogram()
      service = Histogram()
      latency = Histogram()
      arrivals = ArrivalTally()
    }

    /// The numbers without those of the arrivals.
    private var metrics: KindMetrics {
      var metrics = KindMetrics(pattern: kind.pattern, isNamed: kind.isNamed)
      (metrics.submitted, metrics.count) = (submitted, started)
      (metrics.runningPeak, metrics.waitingPeak) = (runningPeak, waitingPeak)
      metrics.wait = wait.distribution
      metrics.service = service.distribution
      metrics.latency = latency.distribution
      return metrics
    }

    /// The numbers with those of the arrivals.
    func metrics(names: NameTable, until end: Instant, waits: TotalWaits) -> KindMetrics {
      var metrics = metrics
      let drained = latency.count == submitted ? end.nanoseconds : nil
      guard
        var found = arrivals.metrics(
          metrics.latency, bottleneck: isFromOutside ? waits.bottleneck(metrics.latency) : nil,
          drained: drained)
      else {
        return metrics
      }
      let name = ValueText.name(Int64(arrivals.pool), names)
      found.pool = name.isEmpty ? nil : name
      found.offered = found.rate * Double(metrics.service.mean.rawValue) / 1e9
      metrics.arrivals = found
      return metrics
    }
  }

  private struct Interrupted {
    var start: Int64
    var kind: Int32
    /// The one that it interrupts itself, or the next free one; -1 for none.
    var below: Int32
  }

  init() { kindless.append(KindTally(WorkKind(pattern: "", isNamed: false))) }

  /// Makes a tally for each pattern.
  mutating func prepare(_ program: [WorkKind]) {
    var known: [WorkKind: Int] = [:]
    for kind in program where known[kind] == nil {
      known[kind] = kinds.count
      kinds.append(KindTally(kind))
    }
    for kind in program {
      if let index = known[kind] { places.append(kinds[index]) }
    }
  }

  /// Forgets all but what waits and runs now.
  mutating func restart() {
    for index in 0..<kinds.count { kinds[index].pointee.restart() }
    kindless[0].pointee.restart()
    (waitingPeak, runningPeak) = (waiting, running)
    tasks.restart()
  }

  @inline(__always)
  mutating func submitted(
    _ entry: UnsafePointer<LogEntry>, _ threads: borrowing TallyTable<ThreadTally>
  ) {
    waiting &+= 1
    if waiting > waitingPeak { waitingPeak = waiting }
    let kind = kind(of: entry)
    kind.pointee.submitted &+= 1
    let waiting = kind.pointee.waiting &+ 1
    kind.pointee.waiting = waiting
    if waiting > kind.pointee.waitingPeak { kind.pointee.waitingPeak = waiting }
    if entry.pointee.thread < watchedSlots { arrived(entry, kind, threads) }
  }

  /// An item comes from outside, or from a thread that may run one of a kind that does.
  ///
  /// That is decided by its kind, not item by item: lists of items would cost a third of the time of a run.
  @inline(never)
  private mutating func arrived(
    _ entry: UnsafePointer<LogEntry>, _ kind: UnsafeMutablePointer<KindTally>,
    _ threads: borrowing TallyTable<ThreadTally>
  ) {
    let slot = Int(entry.pointee.thread)
    var begun: Int64 = -1
    if slot < 0 {
      watchedSlots = .max
    } else {
      guard slot < threads.count else { return }
      let giver = threads[slot].pointee.runningKind
      guard giver >= 0, Int(giver) < places.count, places[Int(giver)].pointee.pointee.isFromOutside
      else { return }
      // What a task submits at one moment comes at once.
      begun = max(threads[slot].pointee.itemStart, -1)
      if begun < 0 { begun = entry.pointee.time }
    }
    kind.pointee.arrivals.add(
      entry, begun: begun, served: kind.pointee.latency.count, waiting: kind.pointee.waiting)
  }

  @inline(__always)
  mutating func started(
    _ entry: UnsafePointer<LogEntry>, _ threads: inout TallyTable<ThreadTally>
  ) {
    waiting &-= 1
    running &+= 1
    if running > runningPeak { runningPeak = running }
    begin(entry, &threads)
    let kind = kind(of: entry)
    kind.pointee.waiting &-= 1
    kind.pointee.started &+= 1
    let running = kind.pointee.running &+ 1
    kind.pointee.running = running
    if running > kind.pointee.runningPeak { kind.pointee.runningPeak = running }
    kind.pointee.wait.add(entry.pointee.value)
  }

  /// A task leaves its thread: what that submits then is not the task's.
  mutating func suspended(
    _ entry: UnsafePointer<LogEntry>, _ threads: borrowing TallyTable<ThreadTally>
  ) {
    tasks.suspended(entry.pointee)
    runs(-1, entry.pointee.thread, threads)
  }

  /// A task continues, and what it submits is its own again.
  mutating func resumed(
    _ entry: UnsafePointer<LogEntry>, _ threads: borrowing TallyTable<ThreadTally>
  ) {
    tasks.resumed(entry.pointee)
    runs(entry.pointee.subject | ThreadTally.task, entry.pointee.thread, threads)
  }

  /// Notes the kind of what a thread runs.
  @inline(__always)
  private func runs(
    _ kind: Int32, _ thread: Int32, _ threads: borrowing TallyTable<ThreadTally>
  ) {
    let slot = Int(thread)
    if slot >= 0 && slot < threads.count { threads[slot].pointee.kind = kind }
  }

  /// An item is over and never ran.
  mutating func skipped(_ entry: UnsafePointer<LogEntry>) {
    waiting &-= 1
    kind(of: entry).pointee.waiting &-= 1
  }

  @inline(__always)
  mutating func ended(
    _ entry: UnsafePointer<LogEntry>, _ threads: inout TallyTable<ThreadTally>
  ) {
    running &-= 1
    // One that needs no thread has no times of a thread.
    let flags = ItemFlags(rawValue: entry.pointee.detail)
    let start = flags.contains(.needsNoThread) ? -1 : finish(entry, &threads)
    let kind = kind(of: entry)
    if flags.contains(.isTask) { taskEnded(entry, kind, threads) }
    kind.pointee.running &-= 1
    kind.pointee.latency.add(entry.pointee.value)
    if kind.pointee.arrivals.total > 0 {
      kind.pointee.arrivals.ended(entry.pointee.value, at: entry.pointee.time)
    }
    if start >= 0 { kind.pointee.service.add(entry.pointee.time &- start) }
  }

  /// Out of line, since most items are no tasks.
  @inline(never)
  private mutating func taskEnded(
    _ entry: UnsafePointer<LogEntry>, _ kind: UnsafeMutablePointer<KindTally>,
    _ threads: borrowing TallyTable<ThreadTally>
  ) {
    let served = tasks.ended(entry.pointee)
    if served >= 0 { kind.pointee.service.add(served) }
    runs(-1, entry.pointee.thread, threads)
  }

  /// The numbers of all kinds that had items, and of all items together.
  ///
  /// `end` is when the last work was done, and `waits` for what it waited.
  func result(
    names: NameTable, until end: Instant, waits: TotalWaits
  ) -> (kinds: [KindMetrics], items: KindMetrics) {
    var items = KindMetrics(pattern: "*", isNamed: false)
    var wait = Histogram()
    var service = Histogram()
    var latency = Histogram()
    var found: [KindMetrics] = []
    for index in 0...kinds.count {
      let tally = index < kinds.count ? kinds[index] : kindless[0]
      if tally.pointee.isEmpty { continue }
      wait.merge(tally.pointee.wait)
      service.merge(tally.pointee.service)
      latency.merge(tally.pointee.latency)
      items.submitted += tally.pointee.submitted
      items.count += tally.pointee.started
      if index < kinds.count {
        found.append(tally.pointee.metrics(names: names, until: end, waits: waits))
      }
    }
    (items.runningPeak, items.waitingPeak) = (runningPeak, waitingPeak)
    items.wait = wait.distribution
    items.service = service.distribution
    items.latency = latency.distribution
    let order = found.indices.sorted {
      let (left, right) = (found[$0].latency.total, found[$1].latency.total)
      return left == right ? $0 < $1 : left > right
    }
    return (order.map { found[$0] }, items)
  }

  /// The counts of an entry's kind, or of items without one when the program does not know it.
  @inline(__always)
  private func kind(of entry: UnsafePointer<LogEntry>) -> UnsafeMutablePointer<KindTally> {
    // A negative number is beyond all others.
    let number = Int(UInt32(bitPattern: entry.pointee.subject))
    return number < places.count ? places[number].pointee : kindless[0]
  }

  /// Notes that an item begins on its thread, maybe inside another.
  @inline(__always)
  private mutating func begin(
    _ entry: UnsafePointer<LogEntry>, _ threads: inout TallyTable<ThreadTally>
  ) {
    let slot = Int(entry.pointee.thread)
    guard slot >= 0 else { return }
    threads.reach(slot, filledWith: ThreadTally())
    let thread = threads[slot]
    let start = thread.pointee.itemStart
    if start != ThreadTally.noneYet { reuses &+= 1 }
    if ItemFlags(rawValue: entry.pointee.detail).contains(.needsNoThread) {
      if start == ThreadTally.noneYet { thread.pointee.itemStart = ThreadTally.noItem }
      if ItemFlags(rawValue: entry.pointee.detail).contains(.isTask) {
        tasks.started(entry.pointee)
        thread.pointee.kind = entry.pointee.subject | ThreadTally.task
      }
      return
    }
    if start >= 0 { interrupt(thread, start) }
    thread.pointee.itemStart = entry.pointee.time
    thread.pointee.kind = entry.pointee.subject
  }

  /// Notes that the innermost item of its thread ends; when it began, or -1.
  @inline(__always)
  private mutating func finish(
    _ entry: UnsafePointer<LogEntry>, _ threads: inout TallyTable<ThreadTally>
  ) -> Int64 {
    let slot = Int(entry.pointee.thread)
    guard slot >= 0 && slot < threads.count else { return -1 }
    let start = threads[slot].pointee.itemStart
    threads[slot].pointee.itemStart = ThreadTally.noItem
    if threads[slot].pointee.interrupted >= 0 { resume(threads[slot]) }
    return start
  }

  /// The innermost item of a thread, which began at `start`, is interrupted by another.
  @inline(never)
  private mutating func interrupt(_ tally: UnsafeMutablePointer<ThreadTally>, _ start: Int64) {
    let fresh = Interrupted(
      start: start, kind: tally.pointee.kind, below: tally.pointee.interrupted)
    let free = freeInterrupted
    if free >= 0 {
      freeInterrupted = interrupted[Int(free)].below
      interrupted[Int(free)] = fresh
      tally.pointee.interrupted = free
    } else {
      tally.pointee.interrupted = Int32(interrupted.count)
      interrupted.append(fresh)
    }
  }

  /// The item that was interrupted last on a thread is the innermost again.
  @inline(never)
  private mutating func resume(_ tally: UnsafeMutablePointer<ThreadTally>) {
    let outer = tally.pointee.interrupted
    let record = interrupted[Int(outer)]
    (tally.pointee.itemStart, tally.pointee.interrupted) = (record.start, record.below)
    tally.pointee.kind = record.kind
    interrupted[Int(outer)].below = freeInterrupted
    freeInterrupted = outer
  }
}
