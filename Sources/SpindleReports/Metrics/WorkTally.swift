import SpindleModel

/// What is counted of items of work, by kind; kinds with one pattern count together.
struct WorkTally {
  /// Items that ran on a thread that had run one before.
  private(set) var reuses: Int64 = 0
  private var kinds: ContiguousArray<KindTally> = []
  /// By the kind's number in the program: the index in `kinds`.
  private var indices: ContiguousArray<Int32> = []
  private var running: Int64 = 0
  private var runningPeak: Int64 = 0
  private var waiting: Int64 = 0
  private var waitingPeak: Int64 = 0
  private var threads: ContiguousArray<ThreadState> = []
  /// The beginnings of items that another item on the same thread interrupts, innermost last.
  private var interrupted: ContiguousArray<Interrupted> = []

  private struct KindTally {
    var kind: WorkKind
    var submitted: Int64 = 0
    var started: Int64 = 0
    var wait = Histogram()
    var service = Histogram()
    var turnaround = Histogram()
    var running: Int64 = 0
    var runningPeak: Int64 = 0
    var waiting: Int64 = 0
    var waitingPeak: Int64 = 0

    init(_ kind: WorkKind) { self.kind = kind }
  }

  private struct ThreadState {
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
  mutating func threadCreated(_ slot: Int) {
    if slot < threads.count { threads[slot] = ThreadState() }
  }

  mutating func submitted(_ entry: LogEntry) {
    waiting += 1
    if waiting > waitingPeak { waitingPeak = waiting }
    let index = self.index(of: entry.subject)
    guard index >= 0 else { return }
    kinds[index].submitted += 1
    kinds[index].waiting += 1
    if kinds[index].waiting > kinds[index].waitingPeak {
      kinds[index].waitingPeak = kinds[index].waiting
    }
  }

  mutating func started(_ entry: LogEntry) {
    waiting -= 1
    running += 1
    if running > runningPeak { runningPeak = running }
    begin(entry)
    let index = self.index(of: entry.subject)
    guard index >= 0 else { return }
    kinds[index].waiting -= 1
    kinds[index].started += 1
    kinds[index].wait.add(entry.value)
    kinds[index].running += 1
    if kinds[index].running > kinds[index].runningPeak {
      kinds[index].runningPeak = kinds[index].running
    }
  }

  /// An item is over and never ran.
  mutating func skipped(_ entry: LogEntry) {
    waiting -= 1
    let index = self.index(of: entry.subject)
    if index >= 0 { kinds[index].waiting -= 1 }
  }

  mutating func ended(_ entry: LogEntry) {
    running -= 1
    // One that needs no thread says nothing of what its thread did meanwhile.
    let start = entry.detail == 0 ? finish(entry) : -1
    let index = self.index(of: entry.subject)
    guard index >= 0 else { return }
    kinds[index].running -= 1
    kinds[index].turnaround.add(entry.value)
    if start >= 0 { kinds[index].service.add(entry.time - start) }
  }

  /// The numbers of all kinds that had items, and of all items together.
  func result() -> (kinds: [KindMetrics], items: KindMetrics) {
    var items = KindMetrics(pattern: "*", isNamed: false)
    var (wait, service, turnaround) = (Histogram(), Histogram(), Histogram())
    var found: [KindMetrics] = []
    for tally in kinds where tally.submitted > 0 || tally.started > 0 {
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

  private func index(of kind: Int32) -> Int {
    kind >= 0 && Int(kind) < indices.count ? Int(indices[Int(kind)]) : -1
  }

  /// Notes that an item begins on its thread, maybe inside another.
  private mutating func begin(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    if slot >= threads.count {
      let missing = slot + 1 - threads.count
      threads.append(contentsOf: repeatElement(ThreadState(), count: missing))
    }
    if threads[slot].start >= 0 && entry.detail == 0 {
      interrupted.append(Interrupted(thread: entry.thread, start: threads[slot].start))
    }
    if threads[slot].hasRunItem { reuses += 1 }
    threads[slot].hasRunItem = true
    if entry.detail == 0 { threads[slot].start = entry.time }
  }

  /// Notes that the innermost item of its thread ends; when it began, or -1.
  private mutating func finish(_ entry: LogEntry) -> Int64 {
    let slot = Int(entry.thread)
    guard slot >= 0 && slot < threads.count else { return -1 }
    let start = threads[slot].start
    threads[slot].start = -1
    guard !interrupted.isEmpty else { return start }
    if let outer = interrupted.lastIndex(where: { $0.thread == entry.thread }) {
      threads[slot].start = interrupted[outer].start
      interrupted.remove(at: outer)
    }
    return start
  }
}
