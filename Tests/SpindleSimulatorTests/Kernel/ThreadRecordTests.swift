import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// A thread's row in the table, and what becomes of it when its number is used again.
@Suite struct ThreadRecordTests {
  /// The figures that the record's own description gives.
  @Test func whatIsUsedOftenStandsInFront() {
    #expect(MemoryLayout<ThreadRecord>.stride == 224)
    #expect(MemoryLayout<ThreadRecord>.offset(of: \.longestReadyEnd) == 120)
    #expect(MemoryLayout<ThreadRecord>.offset(of: \.joiners) == 128)
  }

  /// Whatever the first item does to its thread, the thread of the second, which gets the same number,
  /// is as if the first had only worked.
  @Test(arguments: [
    "lock.lock(); lock.unlock()", "sleep(1ms)", "io(1ms)", "semaphore.signal()",
    "queue.sync { work(1ms) }", "autoreleasepool { work(1ms) }", "f(depth: 9)",
    "Thread.current.threadPriority = 0.9", "Thread.current.name = \"x\"", "RunLoop.current.run()",
  ])
  func theNextThreadIsNew(statement: String) {
    let text = { (statement: String) in
      """
      trace "Again" { until: 1s }
      machine { platform: .ideal; cores: 1; policy: .fixedPriority }
      let lock = NSLock()
      let semaphore = DispatchSemaphore(value: 0)
      let queue = DispatchQueue(label: "queue")
      let pool = ThreadPerTask()
      func f(depth: Int) { if depth > 0 { f(depth: depth - 1) } }
      main { }
      at(1ms) { pool.async(name: "first") { \(statement) } }
      at(100ms) { pool.async(name: "second") { work(1ms); sleep(1ms); lock.lock(); work(1ms); lock.unlock() } }
      """
    }
    let (touched, plain) = (TestRun(text(statement)), TestRun(text("work(2ms)")))
    #expect(touched.messages == [] && plain.messages == [])
    #expect(fromTheSecondItem(of: touched) == fromTheSecondItem(of: plain))
  }

  /// The entries of the log from the second item on.
  private func fromTheSecondItem(of run: TestRun) -> [Substring] {
    run.log.split(separator: "\n").drop { !$0.contains("submits \"second\"") }
      .filter { !$0.hasPrefix("#") }
  }
}
