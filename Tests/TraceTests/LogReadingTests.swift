import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import LogReading

/// What a log's text says, read by its documentation alone, is what the metrics say.
@Suite struct LogReadingTests {
  private static func run(_ path: String) throws -> TestRun {
    var limits = RunLimits()
    limits.steps = TraceTests.steps
    return TestRun(try Repository.text(path), name: path, limits: limits)
  }

  @Test("a log says all that is counted, and nothing that can't be", arguments: TraceTests.paths)
  func logSaysAllThatIsCounted(path: String) throws {
    let run = try LogReadingTests.run(path)
    guard let metrics = run.metrics else { return }
    let log = try LogReading(run.log)
    #expect(log.violations == [])
    let differences = LogReadingTests.differences(log, metrics)
    #expect(differences == [])
    #expect(log.frame.digest == run.digest)
  }

  /// Each kind of damage, done to each line of some logs.
  ///
  /// What is not noticed are mostly marks, values that nothing depends on, and the order of lines that
  /// have nothing to do with each other.
  @Test func damageIsNoticed() throws {
    var (done, noticed) = (0, 0)
    for path in Effort.sample(TraceTests.paths, oneIn: 72) {
      let text = try LogReadingTests.run(path).log
      let lines = text.split(separator: "\n").map(String.init)
      if text.isEmpty || lines.count > 80 { continue }
      let whole = try LogReading(text)
      for index in lines.indices where !lines[index].hasPrefix("#") {
        for damage in LogDamage.allCases {
          guard let damaged = damage.damage(lines, at: index) else { continue }
          done += 1
          let log = try? LogReading(damaged.joined(separator: "\n"))
          if log?.violations != [] || log?.numbers != whole.numbers { noticed += 1 }
        }
      }
    }
    #expect(done > 500)
    #expect(noticed * 100 > done * 80, "\(noticed) of \(done)")
  }

  /// A damage that only one rule notices.
  @Test(arguments: [
    ("            40ms      pool-1          is ready\n", "", "is not ready"),
    (
      "            86ms   1  pool-2          runs\n",
      "            86ms   1  pool-2          runs, switch\n",
      "whether it is a switch"
    ),
    (
      "          starts \"image3\", waited 46ms", "          starts \"image3\", waited 45ms",
      "waited 46000000"
    ),
    ("width 3", "width 2", "has 3 workers"),
    ("            40ms   1  pool-2          runs, switch, migration\n", "", "is idle"),
  ])
  func ruleNotices(damage: (line: String, instead: String, complaint: String)) throws {
    let text = try LogReadingTests.run("Traces/machines/images.trace").log
    let damaged = text.replacing(damage.line, with: damage.instead)
    #expect(damaged != text)
    let violations = try LogReading(damaged).violations
    #expect(violations.contains { $0.contains(damage.complaint) }, "\(violations)")
  }
}

// MARK: Comparing

extension LogReadingTests {
  /// Where the numbers of a log and the metrics of its run differ.
  private static func differences(_ log: LogReading, _ metrics: RunMetrics) -> [String] {
    let numbers = log.numbers
    var found = Differences()
    found.compare("makespan", log.frame.makespan, metrics.makespan.nanoseconds)
    found.compare("end", numbers.end, metrics.end.nanoseconds)
    found.compare("entries", numbers.entries, metrics.entries)
    found.compare("scheduling events", numbers.schedulingEvents, metrics.schedulingEvents)
    found.compare("threads created", numbers.threadsCreated, metrics.threadsCreated)
    found.compare("threads at once", numbers.threadsPeak, metrics.threadsPeak)
    found.compare("threads alive", numbers.threadsLive, metrics.threadsLive)
    found.compare("threads used again", numbers.threadsReused, metrics.threadsReused)
    found.compare("memory", numbers.memoryPeak, metrics.memoryPeak.rawValue)
    found.compare("stacks", numbers.reservedPeak, metrics.reservedPeak.rawValue)
    found.compare("voluntary switches", numbers.switchesVoluntary, metrics.switchesVoluntary)
    found.compare("forced switches", numbers.switchesForced, metrics.switchesForced)
    found.compare("migrations", numbers.migrations, metrics.migrations)
    found.compare(
      "migrations to clusters", numbers.clusterMigrations, metrics.clusterMigrations)
    found.compare("refills", numbers.cacheRefills, metrics.cacheRefills)
    found.compare("refilling", numbers.cacheRefillTime, metrics.cacheRefillTime.rawValue)
    found.compare("main's stall", numbers.mainLongestStall, metrics.mainLongestStall.rawValue)
    // An overload is found in what is counted.
    let logged = metrics.findings.count { $0.kind != .overload }
    found.compare("findings", numbers.findings, Int64(logged))
    for (number, core) in metrics.cores.enumerated() {
      found.compare("busy \(number)", numbers.cores[number].busy, core.busy.rawValue)
      found.compare("overhead \(number)", numbers.cores[number].overhead, core.overhead.rawValue)
    }
    found.compare("kinds", Int64(numbers.kinds.count), Int64(metrics.kinds.count))
    for kind in metrics.kinds {
      found.compare(kind.pattern, numbers.kinds[kind.pattern] ?? LogItemNumbers(), kind)
    }
    found.compare("items", numbers.items, metrics.items)
    found.compare("locks", Int64(numbers.locks.count), Int64(metrics.locks.count))
    for lock in metrics.locks {
      let seen = numbers.locks[lock.name] ?? LogLockNumbers()
      found.compare("taking \(lock.name)", seen.acquisitions, lock.acquisitions)
      found.compare("waits for \(lock.name)", seen.waits, lock.waits)
      found.compare("waiting for \(lock.name)", seen.total, lock.totalWait.rawValue)
      found.compare("longest for \(lock.name)", seen.longest, lock.longestWait.rawValue)
    }
    if let deadlines = metrics.deadlines {
      found.compare("real-time threads", numbers.realtimeThreads, deadlines.threads)
      found.compare("deadlines", numbers.deadlines, deadlines.count)
      found.compare("missed", numbers.missedDeadlines, deadlines.missed)
      found.compare("lateness", numbers.greatestLateness, deadlines.greatestLateness.rawValue)
    }
    let unfairness = abs((numbers.fairness ?? 0) - (metrics.fairness ?? 0))
    if unfairness > 1e-9 { found.texts.append("fairness") }
    return found.texts
  }

  private struct Differences {
    var texts: [String] = []

    mutating func compare(_ what: String, _ seen: Int64, _ counted: Int64) {
      if seen != counted { texts.append("\(what): \(seen) in the log, \(counted) counted") }
    }

    mutating func compare(_ what: String, _ seen: LogItemNumbers, _ counted: KindMetrics) {
      compare("\(what): submitted", seen.submitted, counted.submitted)
      compare("\(what): begun", seen.started, counted.count)
      compare("\(what): at once", seen.runningPeak, counted.runningPeak)
      compare("\(what): waiting", seen.waitingPeak, counted.waitingPeak)
      compare("\(what): wait", seen.wait, counted.wait)
      compare("\(what): service", seen.service, counted.service)
      compare("\(what): latency", seen.latency, counted.latency)
    }

    private mutating func compare(
      _ what: String, _ seen: LogLengths, _ counted: LatencyDistribution
    ) {
      compare("\(what), count", seen.count, counted.count)
      compare("\(what), total", seen.total, counted.total.rawValue)
      compare("\(what), least", seen.least, counted.min.rawValue)
      compare("\(what), greatest", seen.greatest, counted.max.rawValue)
    }
  }
}
