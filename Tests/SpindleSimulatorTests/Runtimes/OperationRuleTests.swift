import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// Rules of operations and queues, each as the smallest program that prints what it comes to.
///
/// Expected: swift-corelibs-foundation:Sources/Foundation/Operation.swift, unless a row says else.
@Suite struct OperationRuleTests {
  /// The queue of every row: it runs one operation at a time.
  static let queue = "let q = OperationQueue(maxConcurrentOperationCount: 1)"

  static let rows = [
    OperationRow(
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
    OperationRow(
      "a thread has an operation's priority while it runs, and its own behind it",
      """
      main {
          q.addOperation(Operation(threadPriority: 0.9) { print(Thread.current.threadPriority) })
          q.addOperation { print(Thread.current.threadPriority) }
      }
      """, "[\"0.9\", \"0.5\"]"),
    OperationRow(
      "a thread's quality goes with what it adds, also where another thread makes room for it",
      """
      main {
          q.addOperation(Operation(qualityOfService: .background) { sleep(1ms) })
          q.addOperation(Operation { print(Thread.current.qualityOfService) })
          Thread.detachNewThread {
              Thread.current.qualityOfService = .utility
              q.addOperation(Operation { print(Thread.current.qualityOfService) })
          }
      }
      """, "[\"userInitiated\", \"utility\"]"),
    OperationRow(
      "a quality that is set in a queue comes too late",
      """
      let a = Operation(qualityOfService: .utility) { print(Thread.current.qualityOfService) }
      main {
          q.isSuspended = true
          q.addOperation(a)
          a.qualityOfService = .userInitiated
          q.isSuspended = false
      }
      """, "[\"utility\"]"),
    OperationRow(
      "an end that was reported before the start does not keep the start from running",
      """
      let below = DispatchQueue(label: "below")
      let on = OperationQueue(underlyingQueue: below)
      let a = Operation(name: "a", isAsynchronous: true) { print("start") } teardown: { print("end") }
      main {
          below.async { sleep(1ms) }
          on.addOperation(a)
          a.finish()
          print(on.operationCount)
      }
      """,
      """
      ["*** a went isFinished=YES without being started by the queue it is in", "0", "start", "end"]
      """),
    OperationRow(
      "the closure of an asynchronous one takes the place of start, which refuses nothing",
      """
      let b = Operation { }
      let a = Operation(isAsynchronous: true) { print("start", isFinished) }
      main {
          a.addDependency(b)
          a.start()
          a.start()
          a.finish()
          a.start()
      }
      """, "[\"start false\", \"start false\", \"start true\"]"),
    OperationRow(
      "one that was started directly and announced nothing can still be added",
      """
      let a = Operation(isAsynchronous: true) { print("start") }
      main {
          a.start()
          q.addOperation(a)
          q.addOperation { print("behind") }
          sleep(1ms)
          print(q.operationCount)
          a.finish()
      }
      """, "[\"start\", \"start\", \"2\", \"behind\"]"),
    OperationRow(
      "a finished one started again does nothing",
      """
      let a = Operation { print("runs") }
      main {
          a.start()
          a.start()
          print(a.isFinished)
      }
      """, "[\"runs\", \"true\"]"),
    OperationRow(
      "a cancelled one still waits for a readiness of its own",
      """
      var isOpen = false
      let a = Operation(name: "a") { print("never") }
      main {
          a.ready(when: { isOpen })
          q.addOperation(a)
          a.cancel()
          print(a.isReady, a.isFinished)
          isOpen = true
          a.didChangeValue(forKey: "isReady")
          a.waitUntilFinished()
          print(a.isReady, a.isFinished)
      }
      """, "[\"false false\", \"true true\"]"),
    OperationRow(
      "one that is started by hand inside another has that one's queue around it",
      """
      let a = Operation { print(OperationQueue.current === q) }
      main { q.addOperation { a.start() } }
      """, "[\"true\"]"),
    OperationRow(
      "the main queue has the highest quality",
      "main { print(OperationQueue.main.qualityOfService) }", "[\"userInteractive\"]"),
    OperationRow(
      "the teardown of one that never ran comes when nobody holds it any more",
      """
      let a = Operation(name: "a") { } teardown: { print("end of", name!) }
      let b = Operation(name: "b") { } teardown: { print("end of", name!) }
      let c = Operation(name: "c") { }
      main {
          c.addDependency(b)
          a.release()
          b.release()
          print("released")
          c.removeDependency(b)
          c.start()
      }
      expect { findings == [] }
      """, "[\"end of a\", \"released\", \"end of b\"]"),
    OperationRow(
      "a lock that is taken by hand inside another operation may be given back there",
      """
      let lock = NSLock(name: "lock")
      let a = Operation { lock.lock() }
      main { q.addOperation { a.start(); lock.unlock(); print("given back") } }
      expect { findings == [] }
      """, "[\"given back\"]"),
    OperationRow(
      "and is missed at the end of that one",
      """
      let lock = NSLock(name: "lock")
      let a = Operation { lock.lock() }
      main { lock.lock(); lock.unlock(); q.addOperation { a.start(); print("kept") } }
      expect { findings == [.lockHeldByEndedWork] }
      """, "[\"kept\"]"),
    OperationRow(
      "on Linux the queue asks when start has returned",
      """
      machine { platform: .linux; cores: 2; costs: .zero }
      let a = Operation(name: "a", isAsynchronous: true) { isFinished = true }
      main { q.addOperation(a); q.addOperation { print("behind") } }
      """, "[\"behind\"]"),
    OperationRow(
      "on Darwin it does not",
      """
      let a = Operation(name: "a", isAsynchronous: true) { isFinished = true }
      main { q.addOperation(a); q.addOperation { print("never") } }
      expect { findings == [.neverFinishes] }
      """, "[]"),
    OperationRow(
      "nor does it on Linux where start was called by hand",
      """
      machine { platform: .linux; cores: 2; costs: .zero }
      let a = Operation(name: "a", isAsynchronous: true) { isFinished = true }
      let b = Operation { print("never") }
      main { b.addDependency(a); q.addOperation(b); a.start() }
      expect { findings == [.neverFinishes] }
      """, "[]"),
    OperationRow(
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
      """, "[\"userInitiated\", \"utility\"]"),
    OperationRow(
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
    OperationRow(
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
    OperationRow(
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
    OperationRow(
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
    OperationRow(
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
    OperationRow(
      "a queue on a serial queue runs one at a time, whatever its limit",
      """
      let serial = DispatchQueue(label: "serial")
      let on = OperationQueue(maxConcurrentOperationCount: 4, underlyingQueue: serial)
      main {
          for i in 0 ..< 3 { on.addOperation { sleep(1ms); print(i, now) } }
      }
      """, "[\"0 1ms\", \"1 2ms\", \"2 3ms\"]"),
    OperationRow(
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
  func rule(row: OperationRow) {
    row.check(before: OperationRuleTests.queue)
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
