import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// Barriers cost as much as there are operations, not as there are pairs of them.
@Suite struct OperationGrowthTests {
  /// Adds an operation to a queue, as the interpreter does.
  private func add(
    _ flags: OperationFlags, to runtime: inout OperationRuntime, _ queue: OperationQueueRecord.Index
  )
    -> OperationRecord.Index
  {
    var record = OperationRecord(name: -1, kind: -1)
    record.flags = flags
    let operation = runtime.make(record)
    runtime.setState(.enqueued, of: operation)
    if !flags.contains(.barrier) { runtime.holdBack(operation, behindBarriersOf: queue, at: 0) }
    runtime.add(operation, to: queue)
    return operation
  }

  @Test("ties of n operations and n barriers", arguments: [10, 100, 1_000])
  func barriersAreTiedOnce(count: Int) {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    var runtime = OperationRuntime(storage)
    let queue = runtime.makeQueue(OperationQueueRecord(name: -1))
    var added: [OperationRecord.Index] = []
    for _ in 0..<count {
      added.append(add(.block, to: &runtime, queue))
      added.append(add([.block, .barrier], to: &runtime, queue))
    }
    // One tie for each operation but the first, and a section for each barrier and the first ones.
    #expect(runtime.links.count == count - 1)
    #expect(runtime.sections.count == count + 1)
    // They start one by one, in the order of adding.
    for operation in added {
      #expect(runtime.takeNext(queue) == operation)
      #expect(runtime.takeNext(queue).isNone)
      runtime.setState(.finished, of: operation)
      for next in runtime.finish(operation) { runtime.list(next) }
      _ = runtime.unlink(operation, wasHandedOver: true)
    }
    #expect(runtime.queues[queue].members.isEmpty && runtime.queues[queue].barriers.isEmpty)
    #expect(runtime.links.count == count - 1)
  }

  @Test("the log of n operations and n barriers", arguments: [100, 1_000])
  func eachIsLoggedOnce(count: Int) {
    let run = TestRun(
      """
      machine { platform: .macOS; cores: 8; costs: .zero }
      let queue = OperationQueue()
      main {
          for i in 0 ..< \(count) {
              queue.addOperation { mark("operation") }
              queue.addBarrierBlock { mark("barrier") }
          }
      }
      """)
    let marks = run.log.split(separator: "\n").compactMap { line -> Bool? in
      line.contains("mark \"operation\"") ? false : line.contains("mark \"barrier\"") ? true : nil
    }
    #expect(marks == (0..<(2 * count)).map { $0 % 2 == 1 })
  }

  /// Each of n operations is ready when the one before it is, and the first one is.
  private func chain(of count: Int) -> TestRun {
    TestRun(
      """
      machine { platform: .macOS; cores: 1; costs: .zero }
      let queue = OperationQueue()
      main {
          var before = Operation(name: "first") { }
          for i in 1 ..< \(count) {
              let last = before
              let next = Operation(name: "operation") { mark("done") }
              next.ready(when: { last.isReady })
              before = next
          }
          queue.addOperation(before)
      }
      """)
  }

  @Test("an operation may ask 499 others whether it is ready, each the one before")
  func operationsAskOneAnother() {
    // To ask the last is to ask all but the first, which has no readiness of its own.
    let run = chain(of: 501)
    #expect(run.log.contains("mark \"done\""))
    #expect(run.record?.outcome.kind == .finished)
  }

  @Test("501 operations that are asked, each by the one before, need too much stack")
  func tooManyAskOneAnother() {
    let run = chain(of: 502)
    #expect(run.record?.outcome.kind == .crashed)
    #expect(
      run.record?.outcome.message
        == "stack overflow: 'operation' is asked whether it is ready while 500 others are")
  }
}
