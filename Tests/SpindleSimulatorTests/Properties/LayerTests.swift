import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// What is kept of a long run says which layer changed, and where.
@Suite struct LayerTests {
  /// A run that was taken down, to be changed and digested again.
  private struct TakenRun {
    var description: RunDescription
    var entries: [LogEntry] = []
    var record: RunRecord

    /// The recorder after the run, and its numbers.
    func digested() -> (SnapshotRecorder, RunMetrics) {
      let (metrics, recorder) = (Metrics(), SnapshotRecorder())
      for consumer in [metrics, recorder] as [any LogConsumer] {
        consumer.begin(description)
        entries.withUnsafeBufferPointer { consumer.receive($0) }
        consumer.end(record)
      }
      return (recorder, metrics.result)
    }

    /// How this run differs from another one, by what stands in the other's file.
    func difference(from other: TakenRun) throws -> LayerDifference? {
      let (recorder, metrics) = other.digested()
      let text = recorder.record(metrics).text
      let record = try #require(LayerRecord(text), "\(text)")
      #expect(record == recorder.record(metrics))
      #expect(text.utf8.count < 750)
      let (seen, seenMetrics) = digested()
      return seen.difference(record, seenMetrics)
    }

    /// The numbers of the end; fairness, which no file keeps, left out.
    var numbers: RunMetrics {
      var numbers = digested().1
      numbers.fairness = nil
      return numbers
    }

    /// The share of the entries that lie in what is told, and whether a moment does.
    func share(
      of told: [LayerDifference.Stretch], at time: Int64
    ) throws -> (share: Double, isTold: Bool) {
      let (from, to) = (try #require(told.first).from.rawValue, try #require(told.last).to.rawValue)
      let count = entries.count { $0.time >= from && $0.time <= to }
      return (Double(count) / Double(entries.count), from <= time && time <= to)
    }
  }

  private final class Taker: LogConsumer {
    var description: RunDescription?
    var entries: [LogEntry] = []

    func begin(_ run: RunDescription) { description = run }
    func receive(_ entries: UnsafeBufferPointer<LogEntry>) { self.entries += entries }
    func end(_ record: RunRecord) {}
  }

  private func taken(_ seed: Int) throws -> TakenRun { try #require(Self.runs[seed]) }

  // Tests share them side by side, and none adds a name to their tables.
  private nonisolated(unsafe) static let runs = seeds.map(run)

  private static func run(_ seed: Int) -> TakenRun? {
    var generator = RandomTraces(seed: UInt64(seed) + 7_000)
    let text = generator.trace(machine: "machine { platform: .macOS; cores: 2 }")
    let compiled = Compiler(catalogue: MachineCatalog.catalogue)
      .compile(SourceText(name: "random", text))
    let taker = Taker()
    guard let program = compiled.program else { return nil }
    let record = Simulation(program).run(consumers: [taker])
    return taker.description.map {
      TakenRun(description: $0, entries: taker.entries, record: record)
    }
  }

  /// Where a run was changed, and how large the stretch was that was told.
  private func check(
    _ changed: TakenRun, _ run: TakenRun, _ layers: Set<LayerDifference.Layer>, at time: Int64,
    _ stretches: (LayerDifference) -> [LayerDifference.Stretch], _ seed: Int
  ) throws -> Double {
    let found = try changed.difference(from: run)
    let difference = try #require(found, "seed \(seed)")
    // What belongs to the end follows from the others: it moves exactly where a number does.
    let end: Set<LayerDifference.Layer> = changed.numbers == run.numbers ? [] : [.end]
    #expect(difference.layers == layers.union(end), "seed \(seed): \(difference.text)")
    let told = stretches(difference)
    if told.isEmpty { return 0 }
    let (share, isTold) = try run.share(of: told, at: time)
    #expect(isTold, "seed \(seed): \(Nanoseconds(time)): \(difference.text)")
    return share
  }

  static let seeds = 0..<200

  @Test func anotherStepMovesTheOrder() throws {
    var shares = 0.0
    for seed in Self.seeds {
      let run = try taken(seed)
      var changed = run
      let marks = run.entries.indices.filter { run.entries[$0].event == .mark }
      let index = marks[seed % marks.count]
      changed.entries[index].object = WellKnownName.utility.id.index
      shares += try check(
        changed, run, [.order], at: run.entries[index].time, { $0.otherSteps.map(\.recorded) }, seed
      )
    }
    #expect(shares / Double(Self.seeds.count) < 0.35)
  }

  @Test func swappedStepsMoveTheOrder() throws {
    let kinds: Set<LogEvent> = [
      .mark, .threadReady, .lockReleased, .semaphorePassed, .semaphoreSignalled, .groupEntered,
      .groupLeft, .waitLimited,
    ]
    var pairs = 0
    for seed in Self.seeds {
      let run = try taken(seed)
      let entries = run.entries
      let index = entries.indices.dropLast().first {
        let (one, two) = (entries[$0], entries[$0 + 1])
        return one.time == two.time && one.thread != two.thread && kinds.contains(one.event)
          && kinds.contains(two.event)
      }
      guard let index else { continue }
      pairs += 1
      var changed = run
      changed.entries.swapAt(index, index + 1)
      _ = try check(
        changed, run, [.order], at: entries[index].time, { $0.otherSteps.map(\.recorded) }, seed)
    }
    #expect(pairs * 10 >= Self.seeds.count)
  }

  @Test func anotherMomentMovesTheTimes() throws {
    var shares = 0.0
    for seed in Self.seeds {
      let run = try taken(seed)
      let entries = run.entries
      // The last step of an instant can come a nanosecond later.
      let last = entries.indices.dropLast().filter { entries[$0 + 1].time > entries[$0].time + 1 }
      let index = last[seed * 7 % last.count]
      var changed = run
      changed.entries[index].time += 1
      shares += try check(
        changed, run, [.times], at: entries[index].time, { $0.otherTimes }, seed)
    }
    #expect(shares / Double(Self.seeds.count) < 0.5)
  }

  @Test func whatOnlyComesLaterIsTold() throws {
    for seed in Self.seeds {
      let run = try taken(seed)
      let entries = run.entries
      let gaps = entries.indices.dropLast().filter { entries[$0 + 1].time > entries[$0].time }
      let index = gaps[seed * 5 % gaps.count]
      var changed = run
      for later in (index + 1)..<entries.count {
        changed.entries[later].time += 1_000_000
        // What tells a moment tells a later one.
        let moments: Set<LogEvent> = [.waitLimited, .itemPlanned]
        if moments.contains(entries[later].event) { changed.entries[later].value += 1_000_000 }
      }
      let found = try changed.difference(from: run)
      let difference = try #require(found)
      #expect(!difference.layers.contains(.order) && difference.layers.contains(.times))
      #expect(difference.shift == .milliseconds(1), "seed \(seed): \(difference.text)")
      // Only the step behind the gap comes later than the one before it by more than it did.
      #expect(difference.otherTimes.count == 1, "seed \(seed): \(difference.text)")
      let stretch = difference.otherTimes[0]
      #expect(stretch.from.rawValue <= entries[index + 1].time)
      #expect(entries[index + 1].time <= stretch.to.rawValue)
    }
  }

  @Test func otherWorkMovesTheTotalsOfItsThread() throws {
    for seed in Self.seeds {
      let run = try taken(seed)
      let ends = run.entries.indices.filter { run.entries[$0].event == .threadBlocked }
      let index = ends[seed * 3 % ends.count]
      var changed = run
      changed.entries[index].value += 1
      let found = try changed.difference(from: run)
      let difference = try #require(found)
      _ = try check(changed, run, [.totals], at: 0, { _ in [] }, seed)
      // The thread itself is named, and few others are.
      #expect((1...3).contains(difference.totalsOf.count), "seed \(seed): \(difference.text)")
      #expect(difference.stepsOf == [])
    }
  }

  @Test func anotherNumberMovesTheEnd() throws {
    for seed in Self.seeds {
      let run = try taken(seed)
      var changed = run
      if seed % 2 == 0 {
        changed.record.makespan = Instant(run.record.makespan.nanoseconds + 1)
      } else {
        changed.record.outcome.message = "another"
      }
      _ = try check(changed, run, [.end], at: 0, { _ in [] }, seed)
    }
  }

  @Test func addedStepsAreFoundAmongTheOthers() throws {
    var shares = 0.0
    for seed in Self.seeds {
      let run = try taken(seed)
      let index = seed * 13 % run.entries.count
      let (time, thread) = (run.entries[index].time, run.entries[index].thread)
      var changed = run
      let mark = LogEntry(
        time: time, event: .mark, thread: thread, object: WellKnownName.utility.id.index)
      changed.entries.insert(contentsOf: [mark, mark, mark], at: index)
      let found = try changed.difference(from: run)
      let difference = try #require(found)
      #expect(difference.layers.contains(.order) && !difference.layers.contains(.totals))
      let told = difference.otherSteps.map(\.recorded)
      let (share, isTold) = try run.share(of: told, at: time)
      #expect(isTold, "seed \(seed): \(difference.text)")
      shares += share
    }
    #expect(shares / Double(Self.seeds.count) < 0.5)
  }

  @Test func equalRunsDoNotDiffer() throws {
    for seed in Self.seeds.prefix(20) {
      let run = try taken(seed)
      #expect(try run.difference(from: run) == nil)
    }
  }
}
