import SpindleModel
import SpindleReports
import Testing

/// What is counted in small logs.
@Suite struct MetricsTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let log: @Sendable (inout SmallLog) -> Void
    let seen: @Sendable (RunMetrics) -> String
    let expected: String
    let location: SourceLocation

    init(
      _ claim: String, _ expected: String, log: @escaping @Sendable (inout SmallLog) -> Void,
      seen: @escaping @Sendable (RunMetrics) -> String, location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.expected, self.log) = (claim, expected, log)
      (self.seen, self.location) = (seen, location)
    }
  }

  static let rows = [
    Row("the peak counts threads that live at once", "3 created, 2 peak, 5KB reserved") { log in
      log.add(0, .threadCreated, thread: 0, object: "main", value: 1_024)
      log.add(1, .threadCreated, thread: 1, object: "a", value: 4_096)
      log.add(2, .threadEnded, thread: 1)
      log.add(3, .threadCreated, thread: 1, object: "b", value: 2_048)
      log.add(4, .threadKilled, thread: 1)
    } seen: {
      "\($0.threadsCreated) created, \($0.threadsPeak) peak, \($0.reservedPeak) reserved"
    },
    Row("memory in use has a peak", "7KB") { log in
      for kilobytes in [3, 7, 5] { log.add(0, .memoryChanged, value: Int64(kilobytes) * 1_024) }
    } seen: {
      "\($0.memoryPeak)"
    },
    Row("a switch is forced when the thread before was preempted", "2 voluntary, 1 forced, 1") {
      log in
      let flags = DispatchFlags.contextSwitch.rawValue
      log.add(0, .threadRuns, thread: 0, detail: flags, core: 0)
      log.add(1, .threadPreempted, thread: 0, detail: PreemptionReason.quantum.rawValue, core: 0)
      log.add(1, .threadRuns, thread: 1, detail: flags, core: 0)
      log.add(2, .threadBlocked, thread: 1, core: 0)
      log.add(
        2, .threadRuns, thread: 0, detail: flags | DispatchFlags.migration.rawValue, core: 0)
      log.add(3, .threadRuns, thread: 0, core: 0)
    } seen: {
      "\($0.switchesVoluntary) voluntary, \($0.switchesForced) forced, \($0.migrations)"
    },
    Row("giving a core up is voluntary", "1 0") { log in
      log.add(1, .threadPreempted, thread: 0, detail: PreemptionReason.yield.rawValue, core: 1)
      log.add(
        1, .threadRuns, thread: 1, detail: DispatchFlags.contextSwitch.rawValue, core: 1)
    } seen: {
      "\($0.switchesVoluntary) \($0.switchesForced)"
    },
    Row("a stall lasts from the wake-up to idling in the run loop", "6ms") { log in
      log.addMain()
      log.add(4, .threadBlocked, thread: 0, detail: WaitReason.runLoop.rawValue)
      log.add(10, .threadReady, thread: 0)
      log.add(12, .threadRuns, thread: 0)
      log.add(13, .threadBlocked, thread: 0, detail: WaitReason.lock.rawValue)
      log.add(15, .threadReady, thread: 0)
      log.add(16, .threadBlocked, thread: 0, detail: WaitReason.runLoop.rawValue)
      log.add(60, .mark, object: "later")
    } seen: {
      "\($0.mainLongestStall)"
    },
    Row("a stall that does not end lasts to the end", "5ms") { log in
      log.addMain()
      log.add(5, .mark, thread: 0, object: "m")
    } seen: {
      "\($0.mainLongestStall)"
    },
    Row("a wait for a lock ends when the thread has it", "L: 3 taken, 1 waited 4ms; S: 1, 1, 2ms") {
      log in
      log.add(0, .threadCreated, thread: 1, object: "a")
      log.add(1, .lockAcquired, thread: 0, object: "L")
      log.add(2, .threadBlocked, thread: 1, object: "L", detail: WaitReason.lock.rawValue)
      log.add(4, .threadBlocked, thread: 1, object: "L", detail: WaitReason.lock.rawValue)
      log.add(6, .lockAcquired, thread: 1, object: "L")
      log.add(7, .lockAcquired, thread: 0, object: "L")
      log.add(8, .semaphorePassed, thread: 0, object: "S")
      log.add(8, .threadBlocked, thread: 1, object: "S", detail: WaitReason.semaphore.rawValue)
      log.add(10, .waitTimedOut, thread: 1, object: "S")
    } seen: { metrics in
      let (first, second) = (metrics.locks[0], metrics.locks[1])
      return
        "\(first.name): \(first.acquisitions) taken, \(first.waits) waited \(first.totalWait); "
        + "\(second.name): \(second.acquisitions), \(second.waits), \(second.longestWait)"
    },
    Row("who stands in line for an accelerator waits before it begins", "GPU: 2 in 6ms, 3ms") {
      log in
      log.add(1, .acceleratorBegan, thread: 0, object: "GPU", value: 4_000_000)
      log.add(5, .acceleratorBegan, thread: 1, object: "GPU", value: 2_000_000)
      log.add(5, .acceleratorEnded, thread: 0, object: "GPU", value: 4_000_000)
      log.add(7, .acceleratorEnded, thread: 1, object: "GPU", value: 5_000_000)
    } seen: {
      let device = $0.accelerators[0]
      return
        "\(device.name): \(device.served.count) in \(device.served.total), \(device.waited.longest)"
    },
    Row("a wait that never ends counts to the end", "8ms, 1") { log in
      log.add(2, .threadBlocked, thread: 1, object: "L", detail: WaitReason.lock.rawValue)
      log.add(10, .mark, object: "end")
    } seen: {
      "\($0.locks[0].totalWait), \($0.locks[0].unfinishedWaits)"
    },
    Row("waits for two locks of one name are told as such", "false, true") { log in
      for (time, name, number) in [(1, "A", 3), (2, "A", 3), (3, "L", 0), (4, "L", 1)] {
        log.add(
          Double(time), .threadBlocked, thread: Int32(time), object: name, subject: Int32(number),
          detail: WaitReason.lock.rawValue)
      }
    } seen: {
      $0.locks.map { "\($0.isSeveral)" }.joined(separator: ", ")
    },
    Row("Jain's index of two threads of which one has all is 1/2", "0.5") { log in
      log.addMain()
      log.addThread(1, "a")
      log.addThread(2, "b")
      log.add(1, .threadEnded, thread: 1, value: 1_000_000)
    } seen: {
      "\($0.fairness ?? -1)"
    },
    Row("Jain's index of equals is 1", "1.0") { log in
      for slot in 1...4 as ClosedRange<Int32> {
        log.addThread(slot, "w")
        log.add(1, .threadPreempted, thread: slot, value: 300)
        log.add(2, .threadBlocked, thread: slot, value: 200)
      }
    } seen: {
      "\($0.fairness ?? -1)"
    },
  ]

  @Test(arguments: rows)
  func counts(row: Row) {
    var log = SmallLog()
    row.log(&log)
    #expect(row.seen(log.metrics) == row.expected, sourceLocation: row.location)
  }

  @Test func kindsAreOrderedByTotalTurnaround() {
    var log = SmallLog(kinds: ["short*", "long", "never"])
    log.addItem("short0", kind: 0, on: 1, submitted: 0, started: 1, ended: 3)
    log.addItem("short1", kind: 0, on: 1, submitted: 0, started: 3, ended: 5)
    log.addItem("long", kind: 1, on: 2, submitted: 0, started: 2, ended: 90)
    let metrics = log.metrics
    #expect(metrics.kinds.map(\.pattern) == ["long", "short*"])
    let short = metrics.kinds[1]
    #expect(short.submitted == 2)
    #expect(short.count == 2)
    #expect(short.wait.mean == milliseconds(2))
    #expect(short.service.max == milliseconds(2))
    #expect(short.latency.min == milliseconds(3))
    #expect(short.latency.total == milliseconds(8))
    #expect(metrics.items.latency.count == 3)
    #expect(metrics.items.latency.max == milliseconds(90))
    #expect(metrics.threadsReused == 1)
  }

  @Test func kindsOfOnePatternCountTogether() {
    var log = SmallLog(kinds: ["a*", "a*"])
    log.addItem("a1", kind: 0, on: 1, submitted: 0, started: 0, ended: 4)
    log.addItem("a2", kind: 1, on: 2, submitted: 0, started: 0, ended: 6)
    #expect(log.metrics.kinds.map(\.count) == [2])
  }

  /// Completion blocks and finalizers have no kind: they have no row, and count among all items.
  @Test func itemsWithoutAKindCountAmongAll() {
    var log = SmallLog(kinds: ["x"])
    log.addMain()
    log.addItem("x", kind: 0, on: 0, submitted: 0, started: 1, ended: 2)
    log.addItem("x completion", on: 0, submitted: 2, started: 3, ended: 5)
    let metrics = log.metrics
    #expect(metrics.kinds.map(\.submitted) == [1])
    #expect(metrics.items.submitted == 2)
    #expect(metrics.items.count == 2)
    #expect(metrics.items.waitingPeak == 1)
    #expect(metrics.items.wait.total == milliseconds(2))
    #expect(metrics.items.latency.total == milliseconds(5))
  }

  @Test func peaksCountItemsAtOnce() {
    var log = SmallLog(kinds: ["x"])
    for time in [0.0, 1] { log.add(time, .itemSubmitted, object: "x", subject: 0) }
    for slot in [1, 2] as [Int32] {
      log.add(2, .itemStarted, thread: slot, object: "x", subject: 0)
    }
    log.add(3, .itemEnded, thread: 1, object: "x", subject: 0)
    log.add(4, .itemStarted, thread: 1, object: "x", subject: 0)
    let kind = log.metrics.kinds[0]
    #expect(kind.runningPeak == 2)
    #expect(kind.waitingPeak == 2)
  }

  @Test func serviceOfAnItemInsideAnotherIsItsOwn() {
    var log = SmallLog(kinds: ["outer", "inner"])
    log.add(0, .itemStarted, thread: 1, object: "outer", subject: 0)
    log.add(2, .itemStarted, thread: 1, object: "inner", subject: 1)
    log.add(5, .itemEnded, thread: 1, object: "inner", subject: 1, value: 3_000_000)
    log.add(9, .itemEnded, thread: 1, object: "outer", subject: 0, value: 9_000_000)
    let kinds = log.metrics.kinds
    #expect(kinds.map(\.pattern) == ["outer", "inner"])
    #expect(kinds.map(\.service.max) == [milliseconds(9), milliseconds(3)])
  }

  @Test func coresAreSharesOfTheMakespan() {
    var log = SmallLog()
    log.add(10, .mark, object: "end")
    log.record.end = Instant(50_000_000)
    log.record.cores = [
      .init(busy: milliseconds(8), overhead: milliseconds(1)),
      .init(busy: milliseconds(1), overhead: .zero),
    ]
    let metrics = log.metrics
    #expect(metrics.cores.map(\.utilization.description) == ["90.0%", "10.0%"])
    #expect(metrics.cores.map(\.idle) == [milliseconds(1), milliseconds(9)])
    #expect(metrics.utilization.description == "50.0%")
    #expect(metrics.overheadShare.description == "10.0%")
  }

  @Test(arguments: [1, 2, 7, 1_000])
  func numbersDoNotDependOnChunks(size: Int) {
    var log = SmallLog(kinds: ["a*"])
    log.addMain()
    log.addThread(1, "w")
    for index in 0..<20 {
      let start = Double(index)
      log.addItem(
        "a\(index)", kind: 0, on: 1, submitted: 0, started: start, ended: start + 1)
    }
    let (metrics, logDigest) = (Metrics(), LogDigest())
    log.run([metrics, logDigest], chunk: size)
    #expect(metrics.result.kinds == log.metrics.kinds)
    #expect(logDigest.text == log.digest)
    #expect(log.text(chunk: size) == log.text())
  }
}
