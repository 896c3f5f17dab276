import SpindleModel

/// What `Metrics` has counted so far.
///
/// Tables are indexed by thread slot, core, kind and name; a number that no table has yet makes the
/// table grow, so that hand-made logs need no particular beginning.
struct MetricsTally: ~Copyable {
  private var received: Int64 = 0
  private var threads = TallyTable<ThreadTally>()
  private var coreWasPreempted = TallyTable<Bool>()
  private var work = WorkTally()
  private var contention = ContentionTally()
  private var samples = SampleTally()
  private var deadlines = DeadlineTally()
  private var accelerators = AcceleratorTally()
  /// What work from outside asks of each kind of core; nil where there is one kind, or nothing comes.
  private var coreLoads: CoreLoadTally?

  // Those that change together are not adjacent: see `WorkTally.KindTally`.
  private var threadsCreated: Int64 = 0
  private var threadsPeak: Int64 = 0
  private var threadsNow: Int64 = 0
  private var reservedPeak: Int64 = 0
  private var reservedNow: Int64 = 0
  private var memoryPeak: Int64 = 0
  private var switchesVoluntary: Int64 = 0
  private var switchesForced: Int64 = 0
  private var migrations: Int64 = 0
  private var caches = CacheTally()

  /// What each core draws; none where no core has a power.
  private var powers: [CorePower?] = []

  private var mainThread: Int32 = -1
  private var stallStart: Int64 = -1
  private var longestStall: Int64 = 0
  /// When the machine fell asleep; that time is not a stall.
  private var sleptAt: Int64 = 0

  private var fairCount: Int64 = 0
  private var processorSum: Int128 = 0
  private var processorSquares: UInt128 = 0

  /// Makes room for what is known of the program and the machine beforehand.
  mutating func prepare(_ program: Program, cores: [CoreDescription]) {
    if !program.arrivals.isEmpty { coreLoads = CoreLoadTally(cores) }
    coreWasPreempted.reach(cores.count - 1, filledWith: false)
    powers = cores.contains { $0.power != nil } ? cores.map(\.power) : []
    work.prepare(program.kinds)
  }

  /// Counts the next entries.
  mutating func receive(_ chunk: UnsafeBufferPointer<LogEntry>) {
    received += Int64(chunk.count)
    coreLoads?.receive(chunk)
    guard var entry = chunk.baseAddress else { return }
    let end = entry + chunk.count
    // In place: of most entries only a few fields are read.
    while entry < end {
      switch entry.pointee.event {
      case .threadRuns: runs(entry)
      case .threadReady: ready(entry)
      case .threadBlocked: blocked(entry)
      case .threadPreempted:
        add(entry)
        leaves(
          entry.pointee.core, preempted: entry.pointee.detail != PreemptionReason.yield.rawValue)
      case .threadCreated: created(entry)
      case .threadEnded, .threadKilled: ended(entry)
      case .itemSubmitted: work.submitted(entry, threads)
      case .itemStarted: work.started(entry, &threads)
      case .itemEnded: work.ended(entry, &threads)
      case .itemSkipped: work.skipped(entry)
      case .lockAcquired, .semaphorePassed: contention.acquired(entry.pointee)
      case .lockRefused, .waitTimedOut: contention.gaveUp(entry.pointee)
      case .roundsRepeated: contention.repeated(entry, in: chunk)
      case .sampled: samples.receive(entry.pointee)
      case .realtimeChanged: deadlines.changed(entry.pointee)
      case .deadlineMissed: deadlines.missed(entry.pointee)
      case .taskSuspended: work.suspended(entry, threads)
      case .taskResumed: work.resumed(entry, threads)
      case .actorEntered: work.tasks.entered(entry.pointee)
      case .actorLeft: work.tasks.left(entry.pointee)
      case .acceleratorBegan: accelerators.began(entry.pointee)
      case .acceleratorEnded: accelerators.ended(entry.pointee)
      case .memoryChanged: if entry.pointee.value > memoryPeak { memoryPeak = entry.pointee.value }
      case .machineSlept: sleptAt = entry.pointee.time
      case .machineWoke: if stallStart >= 0 { stallStart += entry.pointee.time - sleptAt }
      default: break
      }
      entry += 1
    }
  }

  /// The numbers of the whole run, which has ended.
  mutating func finish(
    _ record: RunRecord, _ program: Program, names: NameTable
  ) -> RunMetrics {
    endStall(at: record.end.nanoseconds)
    for index in 0..<threads.count
    where threads[index].pointee.isAlive && Int32(index) != mainThread {
      addToFairness(threads[index].pointee.processor)
    }
    var result = RunMetrics(outcome: record.outcome, end: record.end, makespan: record.makespan)
    (result.crash, result.policyFault) = (record.crash, record.policyFault)
    (result.steps, result.schedulingEvents) = (record.steps, record.schedulingEvents)
    // A log that was kept has no more than those that it was read with.
    result.entries = max(received, record.entries)
    (result.threadsCreated, result.threadsPeak) = (threadsCreated, threadsPeak)
    (result.threadsLive, result.threadsReused) = (Int64(record.liveThreads), work.reuses)
    (result.memoryPeak, result.reservedPeak) = (ByteCount(memoryPeak), ByteCount(reservedPeak))
    (result.switchesVoluntary, result.switchesForced) = (switchesVoluntary, switchesForced)
    result.migrations = migrations
    caches.tell(&result)
    result.cores = record.cores.map { CoreMetrics($0, span: result.span) }
    // All cores together may have more than 64 bits of time.
    let busy = record.cores.reduce(Int128(0)) { $0 + Int128($1.busy.rawValue) }
    let overhead = record.cores.reduce(Int128(0)) { $0 + Int128($1.overhead.rawValue) }
    let whole = Int128(result.span.rawValue) * Int128(record.cores.count)
    result.utilization = Percentage(Swift.min(busy + overhead, whole), of: whole)
    result.overheadShare = Percentage(overhead, of: busy + overhead)
    if !powers.isEmpty { result.energy = energy(of: result.cores) }
    result.actors = work.tasks.result(names: names)
    result.locks = contention.result(end: record.end, names: names)
    (result.kinds, result.items) = work.result(
      names: names, until: record.makespan, waits: TotalWaits(result))
    result.coreLoads = coreLoads?.loads(result.kinds, program.kinds) ?? []
    result.samples = samples.result(names: names)
    result.mainLongestStall = Nanoseconds(longestStall)
    result.deadlines = deadlines.result
    result.realtime = record.realtime
    result.accelerators = accelerators.result(names: names)
    (result.findings, result.findingCounts) = (record.findings, record.findingCounts)
    let overloads = Overload.findings(result.kinds) { place in
      place >= 0 ? program.places[Int(place)] : nil
    }
    if !overloads.isEmpty {
      result.findings += overloads
      result.findingCounts.append(.init(kind: .overload, count: overloads.count))
    }
    if processorSquares > 0 {
      let sum = Double(processorSum)
      result.fairness = sum * sum / (Double(fairCount) * Double(processorSquares))
    }
    return result
  }

  private func energy(of cores: [CoreMetrics]) -> Int64 {
    var sum = Int128(0)
    for (core, power) in zip(cores, powers) {
      guard let power else { continue }
      let used = Int128(core.busy.rawValue) + Int128(core.overhead.rawValue)
      sum += used * Int128(power.busy) + Int128(core.idle.rawValue) * Int128(power.idle)
    }
    return Int64(clamping: sum)
  }

  /// The numbers up to now, from the record; counting continues.
  mutating func soFar(_ record: RunRecord, _ program: Program, names: NameTable) -> RunMetrics {
    let (stall, longest) = (stallStart, longestStall)
    let (count, sum, squares) = (fairCount, processorSum, processorSquares)
    let result = finish(record, program, names: names)
    (stallStart, longestStall) = (stall, longest)
    (fairCount, processorSum, processorSquares) = (count, sum, squares)
    return result
  }

  /// Forgets the counts of items, switches and peaks.
  ///
  /// What is under way continues: live threads, items that wait and run, a stall. `memory` is what is in use
  /// now.
  mutating func restart(memory: Int64) {
    work.restart()
    coreLoads?.restart()
    accelerators.restart()
    (threadsCreated, threadsPeak, reservedPeak) = (0, threadsNow, reservedNow)
    (switchesVoluntary, switchesForced, migrations) = (0, 0, 0)
    caches.restart()
    (memoryPeak, longestStall) = (memory, 0)
  }

  @inline(__always)
  private mutating func runs(_ entry: UnsafePointer<LogEntry>) {
    let flags = DispatchFlags(rawValue: entry.pointee.detail)
    if flags.contains(.contextSwitch) {
      let core = Int(entry.pointee.core)
      if core >= 0 && core < coreWasPreempted.count && coreWasPreempted[core].pointee {
        switchesForced &+= 1
      } else {
        switchesVoluntary &+= 1
      }
    }
    if flags.contains(.migration) { migrations &+= 1 }
    if flags.contains(.clusterMigration) || entry.pointee.value > 0 { caches.runs(entry.pointee) }
  }

  @inline(__always)
  private mutating func ready(_ entry: UnsafePointer<LogEntry>) {
    if entry.pointee.thread == mainThread && stallStart < 0 { stallStart = entry.pointee.time }
    if deadlines.isUsed { deadlines.ready(entry.pointee) }
  }

  @inline(__always)
  private mutating func blocked(_ entry: UnsafePointer<LogEntry>) {
    add(entry)
    leaves(entry.pointee.core, preempted: false)
    if deadlines.isUsed { deadlines.blocked(entry.pointee) }
    if entry.pointee.detail == WaitReason.lock.rawValue
      || entry.pointee.detail == WaitReason.semaphore.rawValue
    {
      contention.blocked(entry.pointee)
    } else if entry.pointee.thread == mainThread
      && entry.pointee.detail == WaitReason.runLoop.rawValue
    {
      // In a mode that is not common, which the entry names, it can't answer.
      if entry.pointee.object < 0 { endStall(at: entry.pointee.time) }
    }
  }

  @inline(__always)
  private mutating func created(_ entry: UnsafePointer<LogEntry>) {
    let slot = Int(entry.pointee.thread)
    guard slot >= 0 else { return }
    threads.reach(slot, filledWith: ThreadTally())
    threads[slot].pointee = ThreadTally(processor: 0, reserved: max(0, entry.pointee.value))
    contention.threadCreated(slot)
    deadlines.threadCreated(slot)
    threadsCreated &+= 1
    threadsNow &+= 1
    threadsPeak = max(threadsPeak, threadsNow)
    reservedNow &+= entry.pointee.value
    reservedPeak = max(reservedPeak, reservedNow)
    if entry.pointee.detail == ThreadOrigin.main.rawValue {
      mainThread = entry.pointee.thread
      stallStart = entry.pointee.time
    }
  }

  @inline(__always)
  private mutating func ended(_ entry: UnsafePointer<LogEntry>) {
    add(entry)
    leaves(entry.pointee.core, preempted: false)
    let slot = Int(entry.pointee.thread)
    guard slot >= 0 && slot < threads.count && threads[slot].pointee.isAlive else { return }
    threadsNow &-= 1
    reservedNow &-= threads[slot].pointee.reserved
    threads[slot].pointee.reserved = -1
    if entry.pointee.thread == mainThread {
      endStall(at: entry.pointee.time)
      mainThread = -1
    } else {
      addToFairness(threads[slot].pointee.processor)
    }
  }

  /// Adds the own work that an entry reports to its thread.
  @inline(__always)
  private mutating func add(_ entry: UnsafePointer<LogEntry>) {
    let slot = Int(entry.pointee.thread)
    if slot >= 0 && slot < threads.count { threads[slot].pointee.processor &+= entry.pointee.value }
  }

  /// Remembers how a core lost its thread, which decides the sort of the next switch.
  @inline(__always)
  private mutating func leaves(_ core: Int16, preempted: Bool) {
    guard core >= 0 else { return }
    coreWasPreempted.reach(Int(core), filledWith: false)
    coreWasPreempted[Int(core)].pointee = preempted
  }

  private mutating func endStall(at time: Int64) {
    guard stallStart >= 0 else { return }
    longestStall = Swift.max(longestStall, time - stallStart)
    stallStart = -1
  }

  private mutating func addToFairness(_ processor: Int64) {
    fairCount &+= 1
    processorSum &+= Int128(processor)
    let (high, low) = processor.magnitude.multipliedFullWidth(by: processor.magnitude)
    processorSquares &+= UInt128(high) << 64 | UInt128(low)
  }
}
