import TestSupport
import Testing

/// What a barrier of an operation queue holds back, and where it runs.
///
/// Expected: swift-corelibs-foundation:Sources/Foundation/Operation.swift, addBarrierBlock,
/// _addOperations and _schedule.
@Suite struct OperationBarrierTests {
  typealias Row = OperationRow

  static let rows = [
    Row(
      "a barrier that finds its queue empty knows neither suspending nor cancelling nor waiting",
      """
      main {
          q.isSuspended = true
          q.addBarrierBlock { sleep(1ms); print("barrier", OperationQueue.current == nil) }
          q.cancelAllOperations()
          print(q.operationCount)
          q.waitUntilAllOperationsAreFinished()
          print("waited")
      }
      """, "[\"0\", \"waited\", \"barrier true\"]"),
    Row(
      "it is a barrier of the dispatch queue",
      """
      let wide = OperationQueue()
      main {
          wide.addBarrierBlock { sleep(1ms); print("barrier") }
          wide.addOperation { print("behind") }
      }
      """, "[\"barrier\", \"behind\"]"),
    Row(
      "a barrier that runs holds back by the dispatch queue alone, and a global one has none",
      """
      let wide = OperationQueue(underlyingQueue: .global())
      main {
          wide.addOperation { sleep(1ms) }
          wide.addBarrierBlock { sleep(2ms); print("barrier") }
          wide.addOperation { print("in front") }
          sleep(2ms)
          wide.addOperation { print("beside") }
      }
      """, "[\"beside\", \"barrier\", \"in front\"]"),
    Row(
      "all barriers that wait hold back",
      """
      let wide = OperationQueue()
      main {
          wide.addOperation { sleep(1ms); print("a") }
          wide.addBarrierBlock { print("first") }
          wide.addBarrierBlock { print("second") }
          wide.addOperation { print("b") }
      }
      """, "[\"a\", \"first\", \"second\", \"b\"]"),
    Row(
      "a barrier alone does not keep the queue below from being changed",
      """
      let other = DispatchQueue(label: "other", attributes: .concurrent)
      let wide = OperationQueue()
      main {
          wide.addOperation { sleep(1ms) }
          wide.addBarrierBlock { sleep(1ms) }
          sleep(1500us)
          wide.underlyingQueue = other
          print(wide.operationCount)
      }
      """, "[\"0\"]"),
    Row(
      "on Linux a barrier that finds the main queue empty runs on the pool",
      """
      machine { platform: .linux; cores: 2; costs: .zero }
      main { OperationQueue.main.addBarrierBlock { print(Thread.isMainThread) } }
      """, "[\"false\"]"),
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
  ]

  @Test("barriers do as the library's", arguments: rows)
  func barrier(row: Row) {
    row.check(before: OperationRuleTests.queue)
  }
}
