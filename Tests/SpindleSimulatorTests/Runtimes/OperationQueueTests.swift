import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// Which operation of a queue starts next, and what a queue does with the rest.
///
/// One core and Linux, where the pool has one thread and no quality of service: what the queue hands
/// over runs in that order. Expected: swift-corelibs-foundation:Sources/Foundation/Operation.swift,
/// _schedule.
@Suite struct OperationQueueTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let limit: Int
    let body: String
    /// The letters in the order in which they begin.
    let order: String
    let location: SourceLocation

    init(
      _ claim: String, limit: Int = 1, _ body: String, _ order: String,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.limit, self.body) = (claim, limit, body)
      (self.order, self.location) = (order, location)
    }
  }

  static let rows = [
    Row("first in, first out", "add(a); add(b); add(c)", "abc"),
    Row("the most urgent first", "b.queuePriority = .high; add(a); add(b); add(c)", "bac"),
    Row(
      "all five levels",
      """
      a.queuePriority = .veryLow; b.queuePriority = .low; d.queuePriority = .high
      e.queuePriority = .veryHigh; add(a); add(b); add(c); add(d); add(e)
      """, "edcba"),
    Row(
      "ready comes before urgent",
      "a.queuePriority = .veryHigh; a.addDependency(c); add(a); add(b); add(c)", "bca"),
    Row(
      "a dependency that finishes lets its dependent in by priority",
      "a.queuePriority = .high; a.addDependency(b); add(a); add(b); add(c)", "bac"),
    Row(
      "a priority changed while waiting goes behind its new equals",
      "b.queuePriority = .high; add(a); add(b); add(c); a.queuePriority = .high", "bac"),
    Row(
      "and keeps its place when it stays the same",
      "add(a); add(b); a.queuePriority = .normal", "ab"),
    Row(
      "a quality stands for a priority where several may run", limit: 2,
      "b.qualityOfService = .userInteractive; c.qualityOfService = .background; add(c); add(a); add(b)",
      "bac"),
    Row(
      "but not where one runs at a time",
      "b.qualityOfService = .userInteractive; add(a); add(b)", "ab"),
    Row(
      "and not where one ran at a time when it was added",
      """
      b.qualityOfService = .userInteractive; b.addDependency(d); add(d); add(a); add(c); add(b)
      q.maxConcurrentOperationCount = 2
      """, "dacb"),
    Row(
      "nor where it was added without one", limit: 2,
      """
      b.addDependency(d); add(d); add(a); add(c); add(b); b.qualityOfService = .userInteractive
      """, "dacb"),
    Row(
      "a given priority beats the quality's", limit: 2,
      "b.qualityOfService = .userInteractive; b.queuePriority = .low; add(b); add(a)", "ab"),
    Row(
      "a barrier comes before the urgent that came later",
      "add(a); q.addBarrierBlock { mark(\"B\") }; b.queuePriority = .veryHigh; add(b)", "aBb"),
    Row("cancelled ones are passed over", "add(a); add(b); add(c); b.cancel()", "ac"),
    Row(
      "a cancelled one is not waited for",
      "a.addDependency(b); b.cancel(); add(a); add(b); add(c)", "ac"),
    Row(
      "a late dependency holds back what has not begun",
      "add(a); add(b); a.addDependency(b)", "ba"),
    Row(
      "a removed dependency holds back nothing",
      "a.addDependency(b); add(a); add(b); a.removeDependency(b)", "ab"),
    Row("a limit of none starts none", limit: 0, "add(a); add(b)", ""),
  ]

  @Test("the queue starts who is ready, most urgent and first", arguments: rows)
  func selection(row: Row) {
    let run = TestRun(
      """
      machine { platform: .linux; cores: 1; costs: .zero }
      let q = OperationQueue(maxConcurrentOperationCount: \(row.limit))
      \("abcde".map { "let \($0) = Operation(name: \"\($0)\") { mark(\"\($0)\"); work(1ms) }" }
        .joined(separator: "\n"))
      func add(_ operation: Operation) { q.addOperation(operation) }
      main {
      q.isSuspended = true
      \(row.body)
      q.isSuspended = false
      }
      """)
    #expect(run.messages.isEmpty, sourceLocation: row.location)
    #expect(marks(run.log) == row.order, sourceLocation: row.location)
  }

  private func marks(_ log: String) -> String {
    log.split(separator: "\n").compactMap { line in
      guard !line.hasPrefix("#"), let place = line.firstRange(of: "mark \"") else { return nil }
      return String(line[place.upperBound...].prefix { $0 != "\"" })
    }.joined()
  }

  @Test("ten thousand waiting operations start in order")
  func manyOperations() {
    let run = TestRun(
      """
      machine { platform: .linux; cores: 1; costs: .zero }
      let q = OperationQueue(maxConcurrentOperationCount: 1)
      var last = -1
      main {
          q.isSuspended = true
          for i in 0 ..< 10000 {
              q.addOperation { if last != i - 1 { fatalError("out of order") }; last = i }
          }
          q.isSuspended = false
      }
      expect { value(last) == 9999 }
      """)
    #expect(run.messages.isEmpty)
    #expect(!run.verdicts.contains { !$0.holds })
  }

  @Test("the numbers of operations that nobody can name are used again")
  func recycling() {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 1; costs: .zero }
      let q = OperationQueue(maxConcurrentOperationCount: 1)
      main {
          for round in 0 ..< 100 {
              q.addOperation { work(1us) }
              q.addBarrierBlock { }
              q.waitUntilAllOperationsAreFinished()
          }
      }
      """)
    #expect(run.messages.isEmpty)
    #expect(run.record?.outcome.kind == .finished)
    #expect((run.record?.operationStates.count ?? .max) < 10)
  }
}
