import SpindleModel
import SpindleReports
import Testing

/// How each step of a run is told.
@Suite struct LogTextTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let log: @Sendable (inout SmallLog) -> Void
    let location: SourceLocation

    init(
      _ line: String, location: SourceLocation = #_sourceLocation,
      log: @escaping @Sendable (inout SmallLog) -> Void
    ) {
      (testDescription, self.log, self.location) = (line, log, location)
    }
  }

  private static let worker: Int32 = 1

  static let rows = [
    Row("0s      a               is created by \"main\", stack 512KB") {
      $0.add(0, .threadCreated, thread: 2, object: "a", other: 0, value: 524_288, detail: 1)
    },
    Row("0s      a               is created by \"main\" for \"pool\", stack 16KB") {
      let pool = $0.name("pool")
      $0.add(
        0, .threadCreated, thread: 2, object: "a", other: 0, subject: pool, value: 16_384,
        detail: 1)
    },
    Row("0s      pool-2          is created for \"pool\", stack 0B") {
      let pool = $0.name("pool")
      $0.add(0, .threadCreated, thread: 2, subject: pool, detail: 1)
      $0.add(0, .threadCreated, thread: 3, subject: pool, detail: 1)
    },
    Row("90us      worker          is ready, woken by \"main\"") {
      $0.add(0, .threadReady, thread: 1)
      $0.add(0.09, .threadReady, thread: 1, other: 0)
    },
    Row("1.5ms   0  worker          runs") { $0.add(1.5, .threadRuns, thread: 1, core: 0) },
    Row("1s  12  worker          runs, switch, migration") {
      $0.add(1_000, .threadRuns, thread: 1, detail: 3, core: 12)
    },
    Row("1s  12  worker          runs, migration to another cluster, refills 30us") {
      $0.add(1_000, .threadRuns, thread: 1, value: 30_000, detail: 6, core: 12)
    },
    Row("1ms   1  worker          is preempted, quantum, worked 10ms") {
      $0.add(1, .threadPreempted, thread: 1, value: 10_000_000, core: 1)
    },
    Row("1ms   1  worker          is preempted, priority") {
      $0.add(1, .threadPreempted, thread: 1, detail: 1, core: 1)
    },
    Row("1ms   1  worker          yields") {
      $0.add(1, .threadPreempted, thread: 1, detail: 2, core: 1)
    },
    Row("1ms      worker          waits for lock \"L\", held by \"main\", worked 1us") {
      $0.add(
        1, .threadBlocked, thread: 1, object: "L", other: 0, value: 1_000,
        detail: WaitReason.lock.rawValue)
    },
    Row("1ms      worker          joins \"main\"") {
      $0.add(1, .threadBlocked, thread: 1, other: 0, detail: WaitReason.join.rawValue)
    },
    Row("1ms      main            idles in its run loop") {
      $0.add(1, .threadBlocked, thread: 0, detail: WaitReason.runLoop.rawValue)
    },
    Row("1ms      worker          ends, worked 2ms") {
      $0.add(1, .threadEnded, thread: 1, value: 2_000_000)
    },
    Row("1ms      worker          is killed") { $0.add(1, .threadKilled, thread: 1) },
    Row("1ms      main            cancels thread \"worker\"") {
      $0.add(1, .threadCancelled, thread: 0, other: 1)
    },
    Row("1ms      main            submits \"job\" to \"pool\", no kind") {
      let pool = $0.name("pool")
      $0.add(1, .itemSubmitted, thread: 0, object: "job", other: pool)
    },
    Row("1ms      worker          starts \"job\", waited 90us") {
      $0.add(1, .itemStarted, thread: 1, object: "job", value: 90_000)
    },
    Row("1ms      worker          ends \"job\", latency 1.000001ms") {
      $0.add(1, .itemEnded, thread: 1, object: "job", value: 1_000_001)
    },
    Row("1ms      worker          mark \"a \\\"quoted\\\" \\\\ line\\n\"") {
      $0.mark(1, "a \"quoted\" \\ line\n", on: 1)
    },
    Row("1ms      world           mark \"é\"") { $0.mark(1, "é", on: -1) },
    Row("1ms      worker          print \"hello\"") {
      $0.add(1, .print, thread: 1, object: "hello")
    },
    Row("1ms      worker          record \"took\" = 1.5ms") {
      $0.add(
        1, .record, thread: 1, object: "took", value: 1_500_000,
        detail: ValueFormat.duration.rawValue)
    },
    Row("1ms      worker          writes \"ready\" = true") {
      $0.add(
        1, .sharedWritten, thread: 1, object: "ready", value: 1,
        detail: ValueFormat.boolean.rawValue)
    },
    Row("1ms      worker          reads \"count\" = 3") {
      $0.add(1, .sharedRead, thread: 1, object: "count", value: 3)
    },
    Row("1ms      worker          reads \"name\" = \"a\\u{1b}b\"") {
      let text = $0.name("a\u{1B}b")
      $0.add(
        1, .sharedRead, thread: 1, object: "name", value: Int64(text),
        detail: ValueFormat.string.rawValue)
    },
    Row("1ms      worker          reads \"pause\" = 7ms") {
      $0.add(
        1, .sharedRead, thread: 1, object: "pause", value: 7_000_000,
        detail: ValueFormat.duration.rawValue)
    },
    Row("1ms      worker          writes \"last\" = \"L\"") {
      let lock = $0.name("L")
      $0.add(
        1, .sharedWritten, thread: 1, object: "last", value: Int64(lock),
        detail: ValueFormat.object.rawValue)
    },
    Row("1ms      worker          writes \"last\" = nil") {
      $0.add(
        1, .sharedWritten, thread: 1, object: "last", value: noValue,
        detail: ValueFormat.thread.rawValue)
    },
    Row("1ms      worker          mark \"\\u{0}\\u{1b}\\u{7f}\"") {
      $0.mark(1, "\0\u{1B}\u{7F}", on: 1)
    },
    Row("100000.000000001s      worker          mark \"late\"") {
      $0.mark(100_000_000.000001, "late", on: 1)
    },
    Row("1ms      worker#2        yields") {
      $0.add(1, .threadCreated, thread: 5, object: "worker")
      $0.add(1, .threadPreempted, thread: 5, detail: 2)
    },
    Row("1ms      pool-1#2        yields") {
      $0.add(1, .threadCreated, thread: 5, subject: $0.name("pool"))
      $0.add(1, .threadCreated, thread: 6, object: "pool-1", subject: $0.name("queue"))
      $0.add(1, .threadPreempted, thread: 6, detail: 2)
    },
    Row("1ms      pool-1#2        yields") {
      $0.add(1, .threadCreated, thread: 5, object: "pool-1", subject: $0.name("queue"))
      $0.add(1, .threadCreated, thread: 6, subject: $0.name("pool"))
      $0.add(1, .threadPreempted, thread: 6, detail: 2)
    },
    Row("1ms      pool-1#2        yields") {
      $0.add(1, .threadCreated, thread: 5, object: "pool-1", subject: $0.name("pool"))
      $0.add(1, .threadCreated, thread: 6, object: "pool-1")
      $0.add(1, .threadPreempted, thread: 6, detail: 2)
    },
    Row("1ms      pool-2          yields") {
      $0.add(1, .threadCreated, thread: 5, subject: $0.name("pool"))
      $0.add(1, .threadCreated, thread: 6, object: "pool-2")
      $0.add(1, .threadPreempted, thread: 6, detail: 2)
    },
    Row("1ms      pool-01         yields") {
      $0.add(1, .threadCreated, thread: 5, subject: $0.name("pool"))
      $0.add(1, .threadCreated, thread: 6, object: "pool-01")
      $0.add(1, .threadPreempted, thread: 6, detail: 2)
    },
    Row("1ms      main            ends \"job\"#2, latency 0s") {
      $0.add(1, .itemSubmitted, thread: 0, object: "job", value: Submission.value(item: 1))
      $0.add(1, .itemSubmitted, thread: 0, object: "job", value: Submission.value(item: 2))
      $0.add(1, .itemEnded, thread: 0, object: "job", other: 2)
    },
    Row("1ms      main            locks \"L\"#2") {
      for number: Int32 in 0..<2 {
        $0.add(
          1, .objectMade, thread: 0, object: "L", other: number, detail: HandleClass.mutex.rawValue)
      }
      $0.add(1, .lockAcquired, thread: 0, object: "L", subject: 1)
    },
    Row("1ms      main            makes DispatchSemaphore \"S\", count 3") {
      $0.add(
        1, .objectMade, thread: 0, object: "S", other: 0, value: 3,
        detail: HandleClass.semaphore.rawValue)
    },
    Row("1ms      main            makes DispatchQueue \"Q\", concurrent, inactive, quality utility")
    {
      let quality = $0.name("utility")
      $0.add(
        1, .objectMade, thread: 0, object: "Q", other: 0, subject: quality, value: 3,
        detail: HandleClass.queue.rawValue)
    },
    Row("1ms      main            limits \"Q\", no limit") {
      $0.add(1, .limitChanged, thread: 0, object: "Q", value: -1)
    },
    Row("1ms      main            makes operation \"a\" depend on \"b\"") {
      let other = $0.name("b")
      $0.add(
        1, .dependencyChanged, thread: 0, object: "a", other: 1, subject: 0, value: Int64(other))
    },
    Row("1ms   0  worker          sleeps, worked 1us, until 3ms, memory 1KB") {
      $0.add(
        1, .threadBlocked, thread: 1, value: 1_000, detail: WaitReason.sleep.rawValue, core: 0)
      $0.add(1, .waitLimited, thread: 1, value: 3_000_000)
      $0.add(1, .memoryChanged, value: 1_024)
    },
    Row("1ms      \"world\"         is created, stack 0B, priority 4, quality background") {
      $0.add(1, .threadCreated, thread: 5, object: "world", detail: 1)
      $0.add(1, .priorityChanged, thread: 5, object: "background", value: 4)
    },
    Row("1ms      worker          locks \"L\", for reading") {
      $0.add(1, .lockAcquired, thread: 1, object: "L", detail: 1)
    },
    Row("1ms      worker          does not get \"L\"") {
      $0.add(1, .lockRefused, thread: 1, object: "L")
    },
    Row("1ms      worker          unlocks \"L\"") {
      $0.add(1, .lockReleased, thread: 1, object: "L")
    },
    Row("1ms      worker          signals condition \"C\", wakes 1") {
      $0.add(1, .conditionSignalled, thread: 1, object: "C", value: 1)
    },
    Row("1ms      worker          broadcasts \"C\", wakes 3") {
      $0.add(1, .conditionBroadcast, thread: 1, object: "C", value: 3)
    },
    Row("1ms      worker          times out at semaphore \"S\"") {
      $0.add(
        1, .waitTimedOut, thread: 1, object: "S", detail: WaitReason.semaphore.rawValue)
    },
    Row("1ms      worker          passes \"S\", count 0") {
      $0.add(1, .semaphorePassed, thread: 1, object: "S")
    },
    Row("1ms      worker          signals semaphore \"S\", count -2") {
      $0.add(1, .semaphoreSignalled, thread: 1, object: "S", value: -2)
    },
    Row("1ms      worker          begins on \"GPU\", for 2us") {
      $0.add(1, .acceleratorBegan, thread: 1, object: "GPU", value: 2_000)
    },
    Row("1ms      worker          ends on \"GPU\", after 3us") {
      $0.add(1, .acceleratorEnded, thread: 1, object: "GPU", value: 3_000)
    },
    Row("1ms      worker          enters \"G\", count 2") {
      $0.add(1, .groupEntered, thread: 1, object: "G", value: 2)
    },
    Row("1ms      worker          leaves \"G\", count 1") {
      $0.add(1, .groupLeft, thread: 1, object: "G", value: 1)
    },
    Row("1ms      worker          allocates 17B") {
      $0.add(1, .memoryAllocated, thread: 1, value: 17)
    },
    Row("1ms      worker          drains a pool of 2MB") {
      $0.add(1, .poolDrained, thread: 1, value: 2_097_152)
    },
    Row("1ms      world           arrives, number 7") { $0.add(1, .arrival, value: 7) },
    Row("1ms      worker          finding 1") { $0.add(1, .finding, thread: 1) },
    Row("1ms      world           the run ends, deadlock") {
      $0.add(1, .runEnded, detail: Outcome.Kind.deadlock.rawValue)
    },
    Row("1ms      \"thread 9\"      ends") { $0.add(1, .threadEnded, thread: 9) },
    Row("1ms      \"a name that is too long\"  ends") {
      $0.add(1, .threadCreated, thread: 2, object: "a name that is too long")
      $0.add(1, .threadEnded, thread: 2)
    },
  ]

  @Test(arguments: rows)
  func aStepIsALine(row: Row) {
    var log = SmallLog()
    log.addMain()
    log.addThread(LogTextTests.worker, "worker")
    row.log(&log)
    let lines = log.text().split(separator: "\n")
    let body = lines.filter { !$0.hasPrefix("#") }
    let seen = body[body.count - 1].drop { $0 == " " }
    #expect(String(seen) == row.testDescription, sourceLocation: row.location)
  }

  @Test func aThreadKeepsItsCoreUntilItLeaves() {
    var log = SmallLog()
    log.addMain()
    log.add(1, .threadRuns, thread: 0, core: 3)
    log.mark(2, "on")
    log.add(3, .threadBlocked, thread: 0, core: 3)
    log.mark(4, "off")
    let lines = log.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.map { $0.dropFirst(16).prefix(4) } == ["    ", "   3", "   3", "   3", "    "])
  }

  @Test func beingReadyAtOnceIsUnderstood() {
    var log = SmallLog()
    log.addMain()
    log.add(0, .threadReady, thread: 0)
    log.add(1, .threadPreempted, thread: 0)
    log.add(1, .threadReady, thread: 0)
    log.add(2, .threadReady, thread: 0)
    let lines = log.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(
      lines.map { $0.split(separator: " ")[2...].joined(separator: " ") } == [
        "is created, main thread, stack 0B", "is preempted, quantum", "is ready",
      ])
  }

  @Test func everyEventHasALine() {
    for event in LogEvent.allCases {
      var log = SmallLog()
      log.addMain()
      log.add(1, event, thread: 0, object: "x", other: 0, subject: 0, core: 0)
      let count = log.text().split(separator: "\n").count { !$0.hasPrefix("#") }
      // Main is ready as it is made, and a limit stands behind the wait that has it.
      let isImplied = event == .threadReady || event == .waitLimited
      #expect(count == (isImplied ? 1 : 2), "\(event)")
    }
  }

  @Test func theWholeText() {
    var log = SmallLog()
    log.program.title = "Two threads"
    log.program.seed = 7
    log.program.parameters = [Parameter(name: "n", value: "3", allowed: [])]
    log.addMain()
    log.addThread(1, "worker")
    log.add(0.25, .memoryChanged, value: 2_048)
    log.mark(1.25, "A", on: 1)
    log.record.findings = [
      Finding(kind: .deadlock, time: .start, places: [], statement: "They wait.\nFor ever.")
    ]
    log.record.outcome = Outcome(.crashed, message: "boom")
    #expect(
      log.text() == """
        # spindle log 2
        # Two threads
        # ideal, 2 cores, 1GB, zero, fifo, seed 7
        # n = 3
                      0s      main            is created, main thread, stack 0B
                      0s      worker          is created, stack 0B
                   250us      world           memory 2KB
                  1.25ms      worker          mark "A"
        # finding 1: error deadlock: They wait.\\nFor ever.
        # crashed "boom" at 1.25ms, makespan 1.25ms
        # entries 4, memory peak 2KB, digest \(log.digest)

        """)
  }

  @Test func aLimitEndsTheLines() {
    var log = SmallLog()
    for index in 0..<10 { log.mark(Double(index), "m\(index)") }
    let lines = log.text(limit: 4).split(separator: "\n")
    #expect(lines.count { !$0.hasPrefix("#") } == 4)
    #expect(lines.contains("# 6 more lines"))
  }

  @Test func longNamesAndLongLogsAreWhole() {
    var log = SmallLog()
    let name = String(repeating: "x\n", count: 50_000)
    log.mark(1, name)
    for index in 0..<5_000 { log.mark(2, "m\(index)") }
    let lines = log.text(chunk: 700).split(separator: "\n")
    #expect(lines.count { !$0.hasPrefix("#") } == 5_001)
    #expect(lines[3].hasSuffix(String(repeating: "x\\n", count: 50_000) + "\""))
  }
}
