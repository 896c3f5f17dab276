import SpindleModel
import TestSupport
import Testing

/// What a finding on queues names: the culprit's place, and every edge of a circle.
@Suite struct QueueFindingTests {
  struct Row: Sendable {
    let trace: String
    /// What stands on the lines that it points at, the most telling one first.
    let lines: [String]
    /// What its explanation names.
    let words: [String]
  }

  static let rows: [Row] = [
    Row(
      trace: "syncOnOwnQueue-target", lines: ["queue.sync", "base.async"],
      words: ["'worker-1'", "'base'", "'queue', whose target it is"]),
    Row(
      trace: "syncCycle-three", lines: ["other.sync", "own.async"],
      words: ["'first', which", "'second', which", "'third', which"]),
    Row(
      trace: "syncCycle-main", lines: ["model.sync", "DispatchQueue.main.sync", "model.async"],
      words: ["'main' waits in sync", "in 'load'", "which only the main thread runs"]),
    Row(
      trace: "syncCycle-barrier", lines: ["flags: .barrier", "cache.async"],
      words: ["in 'look up' still reads", "which is itself"]),
    Row(
      trace: "syncCycle-behind-barrier", lines: ["cache.sync", "\"look up\"", "\"store\""],
      words: ["behind the barrier 'store'", "in 'look up' still reads", "which is itself"]),
    Row(
      trace: "poolExhaustion", lines: ["gate.wait()", "opener"],
      words: ["all 64 workers", "semaphore 'gate'", "first of 'queue'"]),
    Row(trace: "unbalancedLeave", lines: ["leave()"], words: ["once more than it was entered"]),
    Row(trace: "barrierOnGlobalQueue", lines: [".barrier"], words: ["has no effect"]),
    Row(
      trace: "semaphoreInversion", lines: ["ready.wait()", "ready.signal()"],
      words: ["'main' waited 105ms", "'ready'", "for 100ms"]),
    Row(
      trace: "mainQueueNotDrained", lines: ["DispatchQueue.main.async"],
      words: ["1 item of the main queue never ran"]),
  ]

  @Test("a finding names who and where", arguments: rows)
  func finding(row: Row) throws {
    let text = try Repository.text("Traces/findings/\(row.trace).trace")
    let run = TestRun(text)
    let finding = try #require(run.record?.findings.first)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let source = SourceText(name: row.trace, text)
    let found = finding.places.map { String(lines[source.lineNumber(at: $0.lowerBound) - 1]) }
    #expect(found.count >= row.lines.count, "\(found)")
    for (line, expected) in zip(found, row.lines) {
      #expect(line.contains(expected), "\(line) does not have \(expected)")
    }
    for word in row.words {
      #expect(finding.explanation.contains(word), "\(finding.explanation)")
    }
  }
}
