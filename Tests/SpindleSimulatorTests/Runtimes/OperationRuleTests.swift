import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// Rules of operations and queues, each as the smallest program that prints what it comes to.
///
/// Expected: swift-corelibs-foundation:Sources/Foundation/Operation.swift, unless a row says else.
@Suite struct OperationRuleTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let body: String
    let output: String
    let location: SourceLocation

    init(
      _ claim: String, _ body: String, _ output: String,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.body, self.output, self.location) = (claim, body, output, location)
    }
  }

  static let rows = [
    Row(
      "an end that is reported before the queue's start is complained of, and counts",
      """
      let a = Operation(name: "a", isAsynchronous: true) { print("never") }
      main {
          q.isSuspended = true
          q.addOperation(a)
          a.finish()
          print(q.operationCount, a.isFinished)
          q.isSuspended = false
      }
      """,
      """
      ["*** a went isFinished=YES without being started by the queue it is in", "0 true"]
      """),
    Row(
      "a thread has an operation's priority while it runs, and its own behind it",
      """
      main {
          q.addOperation(Operation(threadPriority: 0.9) { print(Thread.current.threadPriority) })
          q.addOperation { print(Thread.current.threadPriority) }
      }
      """, "[\"0.9\", \"0.5\"]"),
    Row(
      "an operation's quality is enforced on a queue of a lower one",
      """
      let low = OperationQueue(qualityOfService: .utility)
      main {
          low.addOperation(Operation(qualityOfService: .userInitiated) {
              print(Thread.current.qualityOfService)
          })
          low.waitUntilAllOperationsAreFinished()
          low.addOperation { print(Thread.current.qualityOfService) }
      }
      """, "[\".userInitiated\", \".utility\"]"),
    Row(
      "the last completion block counts, and nil takes it away",
      """
      let a = Operation { }
      let b = Operation { }
      main {
          a.completionBlock = { print("first") }
          a.completionBlock = { print("second") }
          b.completionBlock = { print("never") }
          b.completionBlock = nil
          a.start()
          b.start()
      }
      """, "[\"second\"]"),
    Row(
      "a barrier is neither listed nor counted, and is waited for",
      """
      main {
          q.isSuspended = true
          q.addOperation { print("a") }
          q.addBarrierBlock { sleep(1ms); print("barrier") }
          print(q.operationCount, q.operations.count)
          q.isSuspended = false
          q.waitUntilAllOperationsAreFinished()
          print("all")
      }
      """, "[\"1 1\", \"a\", \"barrier\", \"all\"]"),
    Row(
      "an item leaves its group at its end, and when it is cancelled",
      """
      let group = DispatchGroup()
      main {
          q.async(group: group) { sleep(1ms); print("runs") }
          q.async(group: group) { print("never") }
          sleep(500us)
          q.cancelAllOperations()
          group.wait()
          print("group is empty")
      }
      """, "[\"runs\", \"group is empty\"]"),
    Row(
      "an operation queue is an executor for whoever takes any",
      """
      func use(_ executor: Executor, _ name: String) {
          executor.async(name: name) { print(name, OperationQueue.current === q) }
      }
      let pool = ThreadPool(width: 1)
      main {
          use(q, "queue")
          q.waitUntilAllOperationsAreFinished()
          use(pool, "pool")
          sleep(1ms)
          use(DispatchQueue.global(), "global")
      }
      """, "[\"queue true\", \"pool false\", \"global false\"]"),
    Row(
      "a finished dependency stays listed",
      """
      let a = Operation { }
      let b = Operation { }
      main {
          b.addDependency(a)
          a.start()
          print(b.dependencies.count, b.isReady)
          b.removeDependency(a)
          print(b.dependencies.count)
      }
      """, "[\"1 true\", \"0\"]"),
    Row(
      "the blocks of one operation run side by side on Darwin, whoever starts it",
      """
      let a = BlockOperation { sleep(3ms); print("first", Thread.isMainThread) }
      main {
          a.addExecutionBlock { sleep(1ms); print("second", Thread.isMainThread) }
          a.addExecutionBlock { sleep(2ms); print("third", Thread.isMainThread) }
          a.start()
          print(now)
      }
      """, "[\"second false\", \"third false\", \"first true\", \"3ms\"]"),
    Row(
      "a queue on a serial queue runs one at a time, whatever its limit",
      """
      let serial = DispatchQueue(label: "serial")
      let on = OperationQueue(maxConcurrentOperationCount: 4, underlyingQueue: serial)
      main {
          for i in 0 ..< 3 { on.addOperation { sleep(1ms); print(i, now) } }
      }
      """, "[\"0 1ms\", \"1 2ms\", \"2 3ms\"]"),
    Row(
      "a thread that exits in its operation leaves it unfinished",
      """
      let a = Operation(name: "a") { Thread.exit() }
      main {
          Thread.detachNewThread { a.start() }
          sleep(1ms)
          print(a.isExecuting, a.isFinished)
      }
      """, "[\"true false\"]"),
  ]

  @Test("operations and queues do as the library does", arguments: rows)
  func rule(row: Row) {
    let run = TestRun(
      "machine { platform: .iOS; cores: 2; costs: .zero }\n"
        + "let q = OperationQueue(maxConcurrentOperationCount: 1)\n\(row.body)\n"
        + "expect { output == \(row.output) }")
    #expect(run.messages == [], sourceLocation: row.location)
    let verdict = run.verdicts.first { !$0.holds }
    #expect(verdict == nil, "\(verdict?.seen ?? "")", sourceLocation: row.location)
  }

  @Test func anExitInAnOperationIsFound() {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let a = Operation(name: "a") { Thread.exit() }
      main { Thread.detachNewThread { a.start() } }
      """)
    #expect(run.record?.findings.map(\.kind) == [.neverFinishes])
    #expect(
      run.record?.findings.first?.explanation
        == "the thread that ran operation 'a' exited before its end")
  }
}
