/// Converts the intervals of threads, in the order of their starts, to events: which thread leaves a core,
/// which gets it, and which thread woke which.
struct IntervalEvents<Receiver: RecordingReceiver> {
  /// The state of a thread.
  private struct Thread {
    /// Its number in events: the system's where that is small enough.
    var number: Int32
    var state = ThreadInterval.State?.none
    var core: Int32 = -1
    /// Up to when it is known to have its core.
    var end: Int64 = 0
    /// The place of its name in the export; -2 where it was never named.
    var name: Int32 = -2
    var process: Int64 = -1
    var ran = ClassTimes()
  }

  var receiver: Receiver
  /// Whether notes name interrupts as wakers.
  var tellsInterrupts = false
  private var threads: [Thread] = []
  private var taken: Set<Int32> = []
  /// By core: its thread, as a place in the list of threads; -1 for none.
  private var cores: [Int32] = []
  private var efficient: Set<Int32> = []
  private var processes: [Int64: String] = [:]
  /// The intervals that begin at the present moment.
  private var batch: [ThreadInterval] = []
  private var now: Int64 = .min
  private var late: Int64 = 0

  init(_ receiver: Receiver) { self.receiver = receiver }

  // MARK: Threads

  /// A thread that has the system's number `number` is new; returns its place.
  mutating func add(_ number: Int64) -> Int32 {
    var own = number > 0 && number < 1 << 30 ? Int32(number) : 1 << 30
    while !taken.insert(own).inserted { own &+= 1 }
    threads.append(Thread(number: own))
    // The owner may never be known: numbers of threads and of processes are unrelated.
    receiver.receive(.process(own, 0))
    return Int32(threads.count - 1)
  }

  /// Whether a thread has another name than the one at a place of the export.
  func isUnnamed(_ thread: Int32, _ name: Int32) -> Bool { threads[Int(thread)].name != name }

  mutating func name(_ thread: Int32, _ place: Int32, _ name: String, isMain: Bool) {
    threads[Int(thread)].name = place
    let number = threads[Int(thread)].number
    if !name.isEmpty { receiver.receive(.name(number, name)) }
    if isMain { receiver.receive(.main(number)) }
  }

  mutating func process(_ thread: Int32, _ process: Int64, _ name: String) {
    let number = Int32(clamping: process)
    if threads[Int(thread)].process != process {
      threads[Int(thread)].process = process
      receiver.receive(.process(threads[Int(thread)].number, number))
    }
    if !name.isEmpty, processes.updateValue(name, forKey: process) != name {
      receiver.receive(.processName(number, name))
    }
  }

  /// A core is an efficiency core.
  mutating func isEfficiency(_ core: Int32) {
    if efficient.insert(core).inserted { receiver.receive(.efficiencyCore(core)) }
  }

  // MARK: Intervals

  /// Takes the next interval.
  mutating func take(_ interval: ThreadInterval) {
    if let first = batch.first, interval.start != first.start { endBatch() }
    var interval = interval
    if interval.start < now {
      // The rows before it are gone already.
      late += 1
      interval.start = now
      interval.end = max(now, interval.end)
    }
    batch.append(interval)
  }

  /// Ends what is still under way at the end of the recording.
  mutating func finish() {
    endBatch()
    var last = now
    for thread in cores where thread >= 0 { last = max(last, threads[Int(thread)].end) }
    retire(before: last)
    for core in cores.indices where cores[core] >= 0 {
      let number = threads[Int(cores[core])].number
      emit(last, Int32(core), number, .other)
    }
    if late > 0 {
      let what = "\(late) rows are too far behind later ones"
      receiver.receive(.unread(RecordingMistake(.whole, what)))
    }
  }

  /// Everything that happens at one moment: first wake-ups, then leaves, then dispatches.
  private mutating func endBatch() {
    guard let time = batch.first?.start else { return }
    // A recording begins where its first row does.
    let isFirst = now == .min
    if isFirst { emit(time, -1, -1, .other) }
    let rows = batch
    batch.removeAll(keepingCapacity: true)
    retire(before: time)
    now = time
    for row in rows { wake(row, isFirst: isFirst) }
    var coming: [ThreadInterval] = []
    for row in rows where row.state == .running {
      if let row = onCore(row) { coming.append(row) }
    }
    var leaving: [Int32: ThreadInterval.State] = [:]
    for row in rows where row.state != .running { leave(row, &leaving) }
    // Those whose interval ends now, without another one.
    for core in cores.indices {
      let thread = cores[core]
      guard thread >= 0, threads[Int(thread)].end <= time else { continue }
      let moves = coming.contains { $0.thread == thread }
      leaving[Int32(core)] = leaving[Int32(core)] ?? (moves ? .ready : .waiting)
    }
    for row in coming {
      let thread = threads[Int(row.thread)]
      if thread.core >= 0 { change(thread.core, leaving[thread.core] ?? .ready, to: -1) }
      if thread.core >= 0 { leaving[thread.core] = nil }
    }
    for core in leaving.keys.sorted() where !coming.contains(where: { $0.core == core }) {
      change(core, leaving[core] ?? .waiting, to: -1)
    }
    for row in coming { come(row, leaving[row.core] ?? .ready) }
    for row in rows where row.state != .running { threads[Int(row.thread)].state = row.state }
  }

  /// Threads without further intervals leave their cores at the end of the last one.
  private mutating func retire(before time: Int64) {
    while true {
      let over = cores.indices.filter { core in
        cores[core] >= 0 && threads[Int(cores[core])].end < time
      }
      let first = over.min { one, other in
        (threads[Int(cores[one])].end, one) < (threads[Int(cores[other])].end, other)
      }
      guard let first else { return }
      now = max(now, threads[Int(cores[first])].end)
      change(Int32(first), .waiting, to: -1)
    }
  }

  private mutating func wake(_ row: ThreadInterval, isFirst: Bool) {
    let thread = threads[Int(row.thread)]
    guard row.state == .ready || (row.state == .running && row.waker >= 0) else { return }
    guard thread.state == nil || thread.state == .waiting else { return }
    threads[Int(row.thread)].state = .ready
    let priority = thread.ran.priority
    // A wake-up from before the recording is not part of it.
    if isFirst && thread.state == nil {
      return emit(row.start, -1, -1, .begun(thread.number, priority: priority))
    }
    let waker = row.waker >= 0 ? threads[Int(row.waker)] : nil
    emit(
      row.start, waker?.core ?? -1, waker?.number ?? -1,
      .woken(thread.number, priority: priority), tellsInterrupts ? row.context : .unknown)
  }

  /// The row with its core; nil where the thread has that core already, which it keeps.
  private mutating func onCore(_ row: ThreadInterval) -> ThreadInterval? {
    var row = row
    let thread = threads[Int(row.thread)]
    if row.core < 0 {
      let free = cores.firstIndex(of: -1) ?? cores.count
      row.core = thread.core >= 0 ? thread.core : Int32(free)
    }
    while cores.count <= Int(row.core) { cores.append(-1) }
    threads[Int(row.thread)].ran.add(row.end - row.start, at: row.priority)
    guard thread.core == row.core, thread.end >= row.start else { return row }
    threads[Int(row.thread)].end = max(thread.end, row.end)
    return nil
  }

  private mutating func leave(
    _ row: ThreadInterval, _ leaving: inout [Int32: ThreadInterval.State]
  ) {
    let thread = threads[Int(row.thread)]
    if thread.core >= 0 {
      leaving[thread.core] = row.state
    } else if row.state == .ended, thread.state != .ended {
      emit(row.start, -1, -1, .exited(thread.number))
    }
  }

  private mutating func come(_ row: ThreadInterval, _ left: ThreadInterval.State) {
    change(row.core, left, to: row.thread)
    threads[Int(row.thread)].core = row.core
    threads[Int(row.thread)].end = row.end
  }

  /// A core switches from its thread to another, or to none.
  private mutating func change(_ core: Int32, _ left: ThreadInterval.State, to next: Int32) {
    let old = cores[Int(core)]
    let from = old >= 0 ? threads[Int(old)] : nil
    let to = next >= 0 ? threads[Int(next)] : nil
    if old >= 0 {
      threads[Int(old)].core = -1
      threads[Int(old)].state = left
    }
    cores[Int(core)] = next
    let leaving: RecordedEvent.Leaving =
      left == .ready ? .ready : left == .ended ? .ended : .waiting
    emit(
      now, core, from?.number ?? 0,
      .switched(
        from: from?.number ?? 0, left: from == nil ? .ready : leaving,
        priority: from?.ran.priority ?? 120, to: to?.number ?? 0,
        nextPriority: to?.ran.priority ?? 120))
    if next >= 0 { threads[Int(next)].state = .running }
  }

  private mutating func emit(
    _ time: Int64, _ core: Int32, _ thread: Int32, _ kind: RecordedEvent.Kind,
    _ context: RecordedEvent.Context = .thread
  ) {
    receiver.receive(
      RecordedEvent(time: time, core: core, thread: thread, context: context, kind: kind))
  }
}

/// How long a thread ran in which class, by its priority.
///
/// Mach's priorities of the classes of service are 46, 37, 31, 20 and 4 (apple-oss-distributions/xnu:
/// osfmk/kern/sched.h, `BASEPRI_USER_INITIATED` and its neighbours); a thread's own decays while it computes
/// and is raised by waiters, so that the class in which it ran longest counts.
private struct ClassTimes {
  private static let classes: [(least: Int32, priority: Int32)] = [
    (42, 116), (34, 118), (25, 120), (12, 122), (0, 130),
  ]
  private var times: (Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0)

  /// It ran for this long.
  mutating func add(_ length: Int64, at priority: Int32) {
    let length = min(max(1, length), 1 << 50)
    // The highest number means none.
    switch Self.classes.firstIndex(where: { priority >= $0.least && priority < 128 }) {
    case 0: times.0 &+= length
    case 1: times.1 &+= length
    case 2: times.2 &+= length
    case 3: times.3 &+= length
    case 4: times.4 &+= length
    default: break
    }
  }

  /// The priority of its class, as Linux counts: 120 and 4 less, 2 less, 2 more, 10 more.
  var priority: Int32 {
    let all = [times.0, times.1, times.2, times.3, times.4]
    guard let most = all.max(), most > 0, let place = all.firstIndex(of: most) else { return 120 }
    return Self.classes[place].priority
  }
}
