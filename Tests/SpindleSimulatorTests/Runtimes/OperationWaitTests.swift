import SpindleModel
import TestSupport
import Testing

/// What is said of those who wait for operations that never finish, down to where nothing moves.
@Suite struct OperationWaitTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let body: String
    let kind: Finding.Kind
    let explanation: String
    let location: SourceLocation

    init(
      _ claim: String, _ body: String, _ kind: Finding.Kind, _ explanation: String,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.body, self.kind) = (claim, body, kind)
      (self.explanation, self.location) = (explanation, location)
    }
  }

  static let end = ": no remaining event can wake it"

  static let rows = [
    Row(
      "a suspended queue, and the place where it was suspended",
      "main { q.isSuspended = true; q.addOperation(a); q.addOperation(b) }", .neverResumed,
      "operation queue 'q' was suspended and never resumed: 2 operations wait in it, first 'a'"),
    Row(
      "a maximum of none",
      "main { q.maxConcurrentOperationCount = 0; q.addOperation(a) }", .neverResumed,
      "operation queue 'q' may start none, its maximum is 0: operation 'a' waits in it"),
    Row(
      "who waits for an operation of a suspended queue",
      "main { q.isSuspended = true; q.addOperation(a); a.waitUntilFinished() }", .deadlock,
      "'main' waits until operation 'a' is finished, which is in 'q', which is suspended" + end),
    Row(
      "who waits for one behind it",
      """
      let p = OperationQueue()
      main {
          b.addDependency(a)
          q.isSuspended = true
          q.addOperation(a)
          p.addOperation(b)
          b.waitUntilFinished()
      }
      """, .deadlock,
      "'main' waits until operation 'b' is finished, which waits for 'a', which is in 'q', which is "
        + "suspended" + end),
    Row(
      "who waits for all of a suspended queue",
      """
      main {
          q.isSuspended = true
          q.addOperations([a, b], waitUntilFinished: false)
          q.waitUntilAllOperationsAreFinished()
      }
      """, .deadlock,
      "'main' waits until all 2 operations of 'q' are finished, which is suspended" + end),
    Row(
      "who waits for the only one of a queue",
      """
      main {
          q.maxConcurrentOperationCount = 0
          q.addOperation(a)
          q.waitUntilAllOperationsAreFinished()
      }
      """, .deadlock,
      "'main' waits until operation 'a' of 'q' is finished, which is in 'q', which may start none"
        + end),
    Row(
      "who waits for a queue that has only a barrier left",
      """
      let s = DispatchSemaphore(value: 0)
      main {
          q.addOperation(a)
          q.addBarrierBlock(name: "wall") { s.wait() }
          sleep(1ms)
          q.waitUntilAllOperationsAreFinished()
      }
      """, .deadlock,
      "'main' waits until the barrier 'wall' of 'q' is finished, which 'worker-1' runs; "
        + "'worker-1' in 'wall' waits for a signal of semaphore 's', which no remaining code sends"
        + ": no remaining event can wake them"),
    Row(
      "over a dependency back to the place that the waiting one has",
      """
      let p = OperationQueue()
      main {
          b.addDependency(a)
          q.addOperation(name: "x") { sleep(1ms); b.waitUntilFinished() }
          p.addOperation(b)
          q.addOperation(a)
      }
      """, .waitOnOwnQueue,
      "operation 'x' of 'q' waits for operation 'b', which waits for 'a', which waits for a place in 'q' "
        + "that 'x' has itself"),
    Row(
      "over a barrier back to the one in front of it that waits",
      """
      let p = OperationQueue()
      main {
          p.addOperation(name: "x") { sleep(1ms); a.waitUntilFinished() }
          p.addBarrierBlock(name: "wall") { }
          p.addOperation(a)
      }
      """, .waitOnOwnQueue,
      "operation 'x' of 'p' waits for operation 'a', which waits for 'wall', which waits for 'x' itself"
    ),
    Row(
      "over a dependency to what only the main thread can run",
      """
      main {
          b.addDependency(a)
          OperationQueue.main.addOperation(a)
          q.addOperation(b)
          b.waitUntilFinished()
      }
      """, .waitOnOwnQueue,
      "the main thread waits for operation 'b', which waits for 'a', which only it can run"),
    Row(
      "a dependency on the one that waits is no matter of its queue",
      """
      let p = OperationQueue()
      let x = Operation(name: "x") { sleep(1ms); b.waitUntilFinished() }
      main {
          b.addDependency(x)
          p.addOperation(x)
          p.addOperation(b)
      }
      """, .selfDeadlock,
      "'worker-1' in 'x' waits until operation 'b' is finished, which waits for 'x', which 'worker-1' "
        + "runs, which is itself"),
  ]

  @Test("the whole chain is told", arguments: rows)
  func chain(row: Row) {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let q = OperationQueue(maxConcurrentOperationCount: 1)
      let a = Operation(name: "a") { }
      let b = Operation(name: "b") { }
      \(row.body)
      """)
    let finding = run.record?.findings.first { $0.kind == row.kind }
    #expect(finding?.explanation == row.explanation, sourceLocation: row.location)
  }

  /// The line that suspends, then the line that adds the first that waits.
  @Test func theSuspensionHasItsPlace() {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let q = OperationQueue()
      main {
          q.isSuspended = true
          q.addOperation { }
          q.addOperation { }
      }
      """)
    let source = run.program?.source
    let places = run.record?.findings.first?.places ?? []
    #expect(places.compactMap { source?.lineNumber(at: $0.lowerBound) } == [4, 5])
  }

  @Test("who waits behind very many operations is told of in one sentence")
  func fan() {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let q = OperationQueue()
      let last = Operation(name: "last") { }
      main {
          q.isSuspended = true
          for i in 0 ..< 20000 {
              let each = Operation { }
              last.addDependency(each)
              q.addOperation(each)
          }
          q.addOperation(last)
          last.waitUntilFinished()
      }
      """)
    #expect(run.record?.findings.map(\.kind) == [.deadlock, .neverResumed])
    #expect(
      run.record?.findings.first?.explanation
        == "'main' waits until operation 'last' is finished, which waits for 'each', which is in 'q', "
        + "which is suspended" + OperationWaitTests.end)
  }
}
