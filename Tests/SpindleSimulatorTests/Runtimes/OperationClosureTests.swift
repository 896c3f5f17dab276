import SpindleReports
import TestSupport
import Testing

/// Whom a bare name in an operation's closure means, wherever the closure runs.
@Suite struct OperationClosureTests {
  static let rows = [
    OperationRow(
      "each operation of a factory is its own",
      """
      func make(_ name: String) -> Operation {
          return Operation(name: name, isAsynchronous: true) {
              io(5ms, queue: .global()) { print(self.name!, isCancelled); finish() }
          }
      }
      let q = OperationQueue()
      main {
          q.addOperation(make("a"))
          let b = make("b")
          q.addOperation(b)
          sleep(1ms)
          b.cancel()
          q.waitUntilAllOperationsAreFinished()
          print(q.operationCount)
      }
      """, "[\"a false\", \"b true\", \"0\"]"),
    OperationRow(
      "on a thread of its own it is still the operation",
      """
      let a = Operation(name: "a", isAsynchronous: true) {
          Thread.detachNewThread { sleep(2ms); print(isCancelled); finish() }
      }
      main { a.start(); sleep(1ms); a.cancel(); a.waitUntilFinished(); print(a.isFinished) }
      """, "[\"true\", \"true\"]"),
    OperationRow(
      "a function asks for the operation that calls it, else for its thread",
      """
      func ask(_ who: String) { print(who, isCancelled) }
      let a = Operation(name: "a") { a.cancel(); ask("operation") }
      let t = Thread { t.cancel(); ask("thread") }
      main { a.start(); ask("main"); t.start() }
      """, "[\"operation true\", \"main false\", \"thread true\"]"),
    OperationRow(
      "the innermost operation of a thread is meant",
      """
      func ask() { print(isCancelled) }
      let inner = Operation { inner.cancel(); ask() }
      let outer = Operation { inner.start(); ask() }
      main { outer.start() }
      """, "[\"true\", \"false\"]"),
    OperationRow(
      "teardown and readiness are given it too",
      """
      let a = Operation(name: "a") { print("main of", name!) } teardown: { print("end of", name!) }
      main {
          a.ready(when: { self.name == "a" && !isCancelled })
          print(a.isReady)
          a.start()
      }
      """, "[\"true\", \"main of a\", \"end of a\"]"),
    OperationRow(
      "the queue of an operation is the current one",
      """
      let q = OperationQueue()
      func ask() -> Bool { return OperationQueue.current === q }
      main {
          q.addOperation { print(ask()) }
          q.waitUntilAllOperationsAreFinished()
          print(ask(), OperationQueue.current === OperationQueue.main)
          Thread.detachNewThread { print(OperationQueue.current == nil) }
      }
      """, "[\"true\", \"false true\", \"true\"]"),
  ]

  @Test("a bare name means the operation around", arguments: rows)
  func belonging(row: OperationRow) {
    row.check()
  }
}
