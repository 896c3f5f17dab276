import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// The main thread wakes for the main queue only when something waits in it.
@Suite struct RunLoopMainQueueTests {
  @Test(
    "how often the main thread begins to wait",
    arguments: [
      // An item that the body submits is served before the first wait: nothing wakes it afterwards.
      ("main { DispatchQueue.main.async { mark(\"item\") } }", 1),
      // The same for one that a timer's handler submits: one wait before the timer, one after all.
      ("main { timed { DispatchQueue.main.async { mark(\"item\") } } }", 2),
      // One that an item submits is served in the next pass but one, which does not wait either.
      (
        "main { timed { DispatchQueue.main.async { DispatchQueue.main.async { mark(\"item\") } } } }",
        2
      ),
      // One that comes while the thread waits wakes it once.
      ("main { }\nat(1s) { DispatchQueue.main.async { mark(\"item\") } }", 2),
      ("main { DispatchQueue.main.async { mark(\"item\") }; dispatchMain() }", 1),
    ])
  func waits(text: String, count: Int) {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      func timed(_ block: @escaping () -> Void) {
          Timer.scheduledTimer(withTimeInterval: 1s, repeats: false) { _ in block() }
      }
      \(text)
      """)
    #expect(run.messages == [])
    #expect(run.log.contains("mark \"item\""))
    let waits = run.log.split(separator: "\n").count {
      $0.contains("main            idles in its run loop")
    }
    #expect(waits == count, "\(run.log)")
  }

  /// A thread that was not started has its name all the same.
  @Test func anUnstartedThreadIsNamed() {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let late = Thread(name: "late") { RunLoop.current.run(until: 2s) }
      let timer = Timer(timeInterval: 1s, repeats: false) { mark("t") }
      main { late.runLoop.add(timer, forMode: .default); perform(on: late) { mark("p") } }
      at(500ms) { late.start() }
      """)
    #expect(run.messages == [])
    #expect(
      run.log.contains("adds \"timer\" to the loop of \"late\", mode \"default\""), "\(run.log)")
    #expect(run.log.contains("asks \"late\" to perform"), "\(run.log)")
  }

  /// What is done to a loop, and what wakes a run, is in the log.
  @Test func theLogTellsWhatWakes() {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let port = Port { }
      let worker = Thread(name: "worker") {
          RunLoop.current.add(port, forMode: "mine")
          CFRunLoopAddCommonMode(RunLoop.current, "mine")
          for i in 0 ..< 3 { _ = CFRunLoopRunInMode("mine", 1s, true) }
          RunLoop.current.remove(port, forMode: "mine")
      }
      main { worker.start() }
      at(500ms) { port.send("x") }
      at(1s) { CFRunLoopWakeUp(worker.runLoop) }
      """)
    #expect(run.messages == [])
    for words in [
      "adds \"port\" to the loop of \"worker\", mode \"mine\"",
      "makes mode \"mine\" a common one of the loop of \"worker\"",
      "goes on in its loop, mode \"mine\", a message has come",
      "goes on in its loop, mode \"mine\", woken by hand",
      "goes on in its loop, mode \"mine\", its time is up",
      "removes \"port\" from the loop of \"worker\", mode \"mine\"",
    ] {
      #expect(run.log.contains(words), "\(words)\n\(run.log)")
    }
  }

  /// On Darwin a run in a common mode empties its pool before each wait, a run in another does not.
  @Test(arguments: [(".default", "1MB"), ("\"mine\"", "3MB")])
  func pools(mode: String, peak: String) {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      main {
          let timer = Timer(timeInterval: 10ms, repeats: true) { autorelease(1MB) }
          RunLoop.current.add(timer, forMode: \(mode))
          Timer.scheduledTimer(withTimeInterval: 5ms, repeats: false) {
              _ = CFRunLoopRunInMode(\(mode), 30ms, false)
              timer.invalidate()
          }
      }
      expect { memory.peak == \(peak) }
      """)
    #expect(run.messages == [])
    #expect(!run.verdicts.contains { !$0.holds }, "\(run.log)")
  }
}
