import Foundation
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// What the slices of a timeline say together is what the simulator and the metrics say.
@Suite struct TimelineSumTests {
  /// The simulator counts on its cores, the metrics count from the log: none of them knows a timeline.
  @Test("slices sum up to the metrics", arguments: TraceTests.paths)
  func slicesSumUp(path: String) throws {
    guard let (store, plain, metrics, record) = try TimelineSumTests.run(path) else { return }
    // Cores: own work and costs.
    var (busy, overhead) = (record.cores.map { _ in Int64(0) }, record.cores.map { _ in Int64(0) })
    var (switches, migrations) = (Int64(0), Int64(0))
    for slice in store.states.joined() where slice.state == .running {
      busy[Int(slice.core.index)] += slice.work.rawValue
      overhead[Int(slice.core.index)] += slice.overhead.rawValue
      if slice.isContextSwitch { switches += 1 }
      if slice.isMigration { migrations += 1 }
    }
    #expect(busy == record.cores.map(\.busy.rawValue), "work by core")
    #expect(overhead == record.cores.map(\.overhead.rawValue), "costs by core")
    #expect(switches == metrics.switches)
    #expect(migrations == metrics.migrations)
    // Threads: their states, next to one another, are their lives.
    #expect(Int64(store.threads.count) == metrics.threadsCreated)
    for (index, states) in store.states.enumerated() {
      #expect(states.first?.start == store.threads[index].time)
      for (slice, next) in zip(states, states.dropFirst()) {
        #expect(slice.end == next.start && slice.ended == next.began)
      }
      for state in ThreadState.allCases {
        let length = states.filter { $0.state == state }.reduce(0) { $0 + $1.length.rawValue }
        #expect(length == plain.lengths[index][Int(state.rawValue)], "\(index) \(state)")
      }
    }
    TimelineSumTests.checkItems(store, metrics)
    TimelineSumTests.checkOverlaps(store, record)
  }

  /// Cores run one thread at a time.
  private static func checkOverlaps(_ store: TimelineStore, _ record: RunRecord) {
    for core in record.cores.indices {
      let slices = store.states.joined()
        .filter { $0.state == .running && Int($0.core.index) == core }
        .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
      for (slice, next) in zip(slices, slices.dropFirst()) { #expect(slice.end <= next.start) }
    }
    // One in the other, or one after the other.
    for spans in store.spans {
      for (outer, inner) in zip(spans, spans.dropFirst()) where inner.depth > outer.depth {
        #expect(inner.start >= outer.start && inner.end <= outer.end)
      }
    }
  }

  /// Waits, services and latencies of items, by kind and in all.
  private static func checkItems(_ store: TimelineStore, _ metrics: RunMetrics) {
    let items = store.items
    let ended = items.filter { $0.outcome == .ran }
    let started = items.filter(\.hasStarted)
    #expect(Int64(items.count) == metrics.items.submitted)
    #expect(Int64(started.count) == metrics.items.count)
    #expect(Int64(ended.count) == metrics.items.latency.count)
    let waited = started.reduce(0) { $0 + $1.started.nanoseconds - $1.submitted.nanoseconds }
    #expect(waited == metrics.items.wait.total.rawValue)
    let took = ended.reduce(0) { $0 + $1.ended.nanoseconds - $1.submitted.nanoseconds }
    #expect(took == metrics.items.latency.total.rawValue)
    // A task has a span for each of its pieces, and one service when it has ended.
    let tasks = Set(items.filter(\.isTask).map(\.item))
    let endedTasks = Set(ended.filter(\.isTask).map(\.item))
    let spans = store.spans.joined()
      .filter {
        $0.kind == .item && $0.isComplete
          && (!tasks.contains($0.item) || endedTasks.contains($0.item))
      }
    let service = spans.reduce(0) { $0 + $1.end.nanoseconds - $1.start.nanoseconds }
    #expect(service == metrics.items.service.total.rawValue)
    let plain = spans.count { !tasks.contains($0.item) }
    #expect(Int64(plain + endedTasks.count) == metrics.items.service.count)
    for kind in metrics.kinds {
      let ofKind = ended.filter {
        $0.kind >= 0 && store.run?.program.kinds[Int($0.kind)].pattern == kind.pattern
          && store.run?.program.kinds[Int($0.kind)].isNamed == kind.isNamed
      }
      #expect(Int64(ofKind.count) == kind.latency.count, "\(kind.pattern)")
    }
  }

  private static func run(
    _ path: String
  ) throws -> (TimelineStore, PlainStates, RunMetrics, RunRecord)? {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let source = SourceText(name: path, try Repository.text(path))
    guard let program = compiler.compile(source).program else { return nil }
    var limits = RunLimits()
    limits.steps = TraceTests.steps
    let (store, plain, metrics) = (TimelineStore(), PlainStates(), Metrics())
    let record = Simulation(program, limits: limits).run(
      consumers: [metrics, plain, Timeline(store)])
    return (store, plain, metrics.result, record)
  }
}

/// Adds up how long threads were in which state, straight from the log.
final class PlainStates: LogConsumer {
  /// By thread in order of creation: ready, running, waiting.
  private(set) var lengths: [[Int64]] = []
  private var slots: [Int32: (thread: Int, state: Int, since: Int64)] = [:]

  func begin(_ run: RunDescription) {}

  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      switch entry.event {
      case .threadCreated:
        slots[entry.thread] = (lengths.count, 0, entry.time)
        lengths.append([0, 0, 0])
      case .threadReady, .threadPreempted: change(entry.thread, to: 0, entry.time)
      case .threadRuns: change(entry.thread, to: 1, entry.time)
      case .threadBlocked: change(entry.thread, to: 2, entry.time)
      case .threadEnded, .threadKilled:
        change(entry.thread, to: 0, entry.time)
        slots[entry.thread] = nil
      default: break
      }
    }
  }

  func end(_ record: RunRecord) {
    for slot in slots.keys { change(slot, to: 0, record.end.nanoseconds) }
  }

  private func change(_ slot: Int32, to state: Int, _ time: Int64) {
    guard let old = slots[slot] else { return }
    lengths[old.thread][old.state] += time - old.since
    slots[slot] = (old.thread, state, time)
  }
}
