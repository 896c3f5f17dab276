import SpindleModel

/// What is counted of items of work, by kind; kinds with one pattern count together.
struct WorkTally: ~Copyable {
  /// Items that ran on a thread that had run one before.
  private(set) var reuses: Int64 = 0
  private var kinds = TallyTable(filledWith: KindTally(WorkKind(pattern: "", isNamed: false)))
  /// By the kind's number in the program: the index in `kinds`.
  private var indices = TallyTable<Int32>(filledWith: -1)
  private var running: Int64 = 0
  private var runningPeak: Int64 = 0
  private var waiting: Int64 = 0
  private var waitingPeak: Int64 = 0
  private var threads = TallyTable(filledWith: ThreadState())
  /// The beginnings of items that another item on the same thread interrupts, innermost last.
  private var interrupted: ContiguousArray<Interrupted> = []

  /// What is counted of one kind.
  struct KindTally {
    var kind: WorkKind
    var submitted: Int64 = 0
    var started: Int64 = 0
    var running: Int64 = 0
    var runningPeak: Int64 = 0
    var waiting: Int64 = 0
    var waitingPeak: Int64 = 0
    var wait = Histogram()
    var service = Histogram()
    var turnaround = Histogram()

    init(_ kind: WorkKind) { self.kind = kind }
  }

  /// What is known of the thread that has a slot now.
  struct ThreadState {
    /// When the innermost item began; -1 when none runs.
    var start: Int64 = -1
    var hasRunItem = false
  }

  private struct Interrupted {
    var thread: Int32
    var start: Int64
  }

  /// Makes a tally for each pattern.
  mutating func prepare(_ program: [WorkKind]) {
    var known: [WorkKind: Int32] = [:]
    for kind in program {
      if let index = known[kind] {
        indices.append(index)
      } else {
        known[kind] = Int32(kinds.count)
        indices.append(Int32(kinds.count))
        kinds.append(KindTally(kind))
      }
    }
  }

  /// The thread in `slot` is a new one.
  @inline(__always)
  mutating func threadCreated(_ slot: Int) {
    if slot < threads.count { threads[slot].pointee = ThreadState() }
  }

  @inline(__always)
  mutating func submitted(_ entry: LogEntry) {
    waiting &+= 1
    if waiting > waitingPeak { waitingPeak = waiting }
    guard let kind = kind(of: entry) else { return }
    kind.pointee.submitted &+= 1
    let waiting = kind.pointee.waiting &+ 1
    kind.pointee.waiting = waiting
    if waiting > kind.pointee.waitingPeak { kind.pointee.waitingPeak = waiting }
  }

  @inline(__always)
  mutating func started(_ entry: LogEntry) {
    waiting &-= 1
    running &+= 1
    if running > runningPeak { runningPeak = running }
    begin(entry)
    guard let kind = kind(of: entry) else { return }
    kind.pointee.waiting &-= 1
    kind.pointee.started &+= 1
    let running = kind.pointee.running &+ 1
    kind.pointee.running = running
    if running > kind.pointee.runningPeak { kind.pointee.runningPeak = running }
    kind.pointee.wait.add(entry.value)
  }

  /// An item is over and never ran.
  mutating func skipped(_ entry: LogEntry) {
    waiting &-= 1
    if let kind = kind(of: entry) { kind.pointee.waiting &-= 1 }
  }

  @inline(__always)
  mutating func ended(_ entry: LogEntry) {
    running &-= 1
    // One that needs no thread says nothing of what its thread did meanwhile.
    let start = entry.detail == 0 ? finish(entry) : -1
    guard let kind = kind(of: entry) else { return }
    kind.pointee.running &-= 1
    kind.pointee.turnaround.add(entry.value)
    if start >= 0 { kind.pointee.service.add(entry.time &- start) }
  }

  /// The numbers of all kinds that had items, and of all items together.
  func result() -> (kinds: [KindMetrics], items: KindMetrics) {
    var items = KindMetrics(pattern: "*", isNamed: false)
    var (wait, service, turnaround) = (Histogram(), Histogram(), Histogram())
    var found: [KindMetrics] = []
    for index in 0..<kinds.count {
      let tally = kinds[index].pointee
      if tally.submitted == 0 && tally.started == 0 { continue }
      wait.merge(tally.wait)
      service.merge(tally.service)
      turnaround.merge(tally.turnaround)
      items.submitted += tally.submitted
      items.count += tally.started
      var metrics = KindMetrics(pattern: tally.kind.pattern, isNamed: tally.kind.isNamed)
      (metrics.submitted, metrics.count) = (tally.submitted, tally.started)
      (metrics.runningPeak, metrics.waitingPeak) = (tally.runningPeak, tally.waitingPeak)
      metrics.wait = tally.wait.distribution
      metrics.service = tally.service.distribution
      metrics.turnaround = tally.turnaround.distribution
      found.append(metrics)
    }
    (items.runningPeak, items.waitingPeak) = (runningPeak, waitingPeak)
    items.wait = wait.distribution
    items.service = service.distribution
    items.turnaround = turnaround.distribution
    let order = found.indices.sorted {
      let (left, right) = (found[$0].turnaround.total, found[$1].turnaround.total)
      return left == right ? $0 < $1 : left > right
    }
    return (order.map { found[$0] }, items)
  }

  /// What is counted of an entry's kind; nil when the program does not know it.
  @inline(__always)
  private func kind(of entry: LogEntry) -> UnsafeMutablePointer<KindTally>? {
    let number = Int(entry.subject)
    return number >= 0 && number < indices.count ? kinds[Int(indices[number].pointee)] : nil
  }

  /// Notes that an item begins on its thread, maybe inside another.
  @inline(__always)
  private mutating func begin(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    threads.reach(slot)
    let thread = threads[slot]
    if thread.pointee.start >= 0 && entry.detail == 0 {
      interrupted.append(Interrupted(thread: entry.thread, start: thread.pointee.start))
    }
    if thread.pointee.hasRunItem { reuses &+= 1 }
    thread.pointee.hasRunItem = true
    if entry.detail == 0 { thread.pointee.start = entry.time }
  }

  /// Notes that the innermost item of its thread ends; when it began, or -1.
  @inline(__always)
  private mutating func finish(_ entry: LogEntry) -> Int64 {
    let slot = Int(entry.thread)
    guard slot >= 0 && slot < threads.count else { return -1 }
    let start = threads[slot].pointee.start
    threads[slot].pointee.start = -1
    if !interrupted.isEmpty { resume(entry.thread) }
    return start
  }

  /// An item that was interrupted on `thread`, if there is one, is the innermost again.
  @inline(never)
  private mutating func resume(_ thread: Int32) {
    guard let outer = interrupted.lastIndex(where: { $0.thread == thread }) else { return }
    threads[Int(thread)].pointee.start = interrupted[outer].start
    interrupted.remove(at: outer)
  }
}
