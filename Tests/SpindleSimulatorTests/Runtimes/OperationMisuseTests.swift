import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// What the real library refuses, in its words, with the place before and the place now.
///
/// Expected: swift-corelibs-foundation:Sources/Foundation/Operation.swift, the fatal errors of
/// Operation, BlockOperation and OperationQueue.
@Suite struct OperationMisuseTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let body: String
    let message: String
    /// The lines of the finding's places, the one that crashes first; empty for no finding.
    let lines: [Int]
    let location: SourceLocation

    init(
      _ claim: String, _ body: String, _ message: String, lines: [Int] = [],
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.body, self.message) = (claim, body, message)
      (self.lines, self.location) = (lines, location)
    }
  }

  static let refused =
    "Fatal error: operations finished, executing or already in a queue cannot be enqueued"
  static let simultaneous =
    "Fatal error: something is trying to start the receiver simultaneously from more than one thread"

  static let rows = [
    Row("added twice", "q.addOperation(a)\nq.addOperation(a)", refused, lines: [8, 7]),
    Row("added to two queues", "q.addOperation(a)\np.addOperation(a)", refused, lines: [8, 7]),
    Row(
      "twice in one call", "q.addOperations([a, a], waitUntilFinished: false)", refused, lines: [7]),
    Row(
      "added when finished", "q.addOperation(a)\nsleep(1s)\nq.addOperation(a)", refused,
      lines: [9, 7]),
    Row("added when run by hand", "a.start()\nq.addOperation(a)", refused, lines: [8, 7]),
    Row(
      "started by hand in a queue", "q.isSuspended = true\nq.addOperation(a)\na.start()",
      simultaneous, lines: [9, 8]),
    Row(
      "started while it runs",
      "Thread.detachNewThread { a.start() }\nsleep(5ms)\na.start()",
      "Fatal error: receiver is already executing", lines: [9, 7]),
    Row(
      "started before it is ready", "a.addDependency(b)\na.start()",
      "Fatal error: receiver is not yet ready to execute", lines: [8, 7]),
    Row(
      "a block that comes too late", "b.start()\nb.addExecutionBlock { }",
      "Fatal error: blocks cannot be added after the operation has started executing or finished",
      lines: [8, 7]),
    Row(
      "a negative limit", "q.maxConcurrentOperationCount = 0 - 2",
      "Fatal error: count (-2) cannot be negative", lines: [7, 2]),
    Row(
      "a queue made with a negative limit",
      "_ = OperationQueue(maxConcurrentOperationCount: 0 - 2)",
      "Fatal error: count (-2) cannot be negative", lines: [7]),
    Row(
      "an asynchronous one that said that it runs", "c.start()\nq.addOperation(c)", refused,
      lines: [8, 7]),
    Row(
      "another queue below a queue that is not empty",
      "q.isSuspended = true\nq.addOperation(a)\nq.underlyingQueue = .global()",
      "Fatal error: operation queue must be empty in order to change underlying dispatch queue",
      lines: [9, 8]),
  ]

  private let asynchronous =
    "let c = Operation(isAsynchronous: true) "
    + "{ isExecuting = true; didChangeValue(forKey: \"isExecuting\") }"

  @Test("what the library refuses crashes with its words", arguments: rows)
  func refusal(row: Row) {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let q = OperationQueue()
      let p = OperationQueue()
      let a = Operation(name: "a") { sleep(10ms) }
      let b = BlockOperation(name: "b") { }; \(asynchronous)
      main {
      \(row.body)
      }
      """)
    #expect(run.messages.isEmpty, sourceLocation: row.location)
    #expect(run.record?.outcome.kind == .crashed, sourceLocation: row.location)
    #expect(run.record?.outcome.message == row.message, sourceLocation: row.location)
    let misuse = run.record?.findings.first { $0.kind == .operationMisuse }
    let source = run.program?.source
    let lines = misuse?.places.compactMap { source?.lineNumber(at: $0.lowerBound) } ?? []
    #expect(lines == row.lines, sourceLocation: row.location)
  }

  static let legal = [
    ("a finished one started again does nothing", "a.start()\na.start()"),
    ("a cancelled one needs no dependency", "a.addDependency(b)\na.cancel()\na.start()"),
    ("an empty list", "q.addOperations([], waitUntilFinished: true)"),
    ("the default limit", "q.maxConcurrentOperationCount = -1"),
    ("a limit of none", "q.maxConcurrentOperationCount = 0"),
    ("a dependency twice", "a.addDependency(b)\na.addDependency(b)\nb.start()\na.start()"),
    ("a finished dependency", "b.start()\na.addDependency(b)\na.start()"),
    ("a dependency that is none", "a.removeDependency(b)\na.start()"),
  ]

  @Test("what the library takes goes on", arguments: legal)
  func legality(claim: String, body: String) {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let q = OperationQueue()
      let a = Operation(name: "a") { }
      let b = Operation(name: "b") { }
      main {
      \(body)
      mark("goes on")
      }
      expect { timeline == [0s: "goes on"] }
      """)
    #expect(run.messages.isEmpty)
    #expect(!run.verdicts.contains { !$0.holds }, "\(claim)")
  }
}
