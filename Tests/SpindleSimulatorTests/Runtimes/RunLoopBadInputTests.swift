import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// What a run loop does not do is told: by the language, or by a finding, or as the library tells it.
@Suite struct RunLoopBadInputTests {
  @Test(
    "calls that the library takes without a word",
    arguments: [
      (
        "record(\"r\", other.runLoop.run(mode: .default, before: .now() + 1s))",
        "run loop of 'other'"
      ),
      ("other.runLoop.run()", "run loop of 'other'"),
      (
        "let m: RunLoop.Mode = \"common\"; record(\"r\", RunLoop.current.run(mode: m, before: 1s))",
        "the common modes are a set"
      ),
      ("other.runLoop.add(timer, forMode: .default)", "can't be added to another's"),
      (
        "timer.invalidate(); RunLoop.current.add(timer, forMode: .default)", "an invalidated object"
      ),
      ("source.invalidate(); source.signal()", "source 'source' was invalidated"),
      ("port.invalidate(); port.send(\"x\")", "port 'port' was invalidated"),
      ("other.runLoop.track(for: 1s)", "only the main loop"),
    ])
  func ignored(statement: String, words: String) {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let source = Source { }
      let port = Port { message in }
      let other = Thread(name: "other") { sleep(1s) }
      let worker = Thread(name: "worker") {
          let timer = Timer.scheduledTimer(withTimeInterval: 1s, repeats: false) { mark("t") }
          RunLoop.current.add(source, forMode: .default)
          RunLoop.current.add(port, forMode: .default)
          \(statement)
          \(statement.contains("timer") ? "" : "timer.invalidate()")
          RunLoop.current.run(until: .now() + 2s)
      }
      main { other.start(); worker.start() }
      """)
    #expect(run.messages == [])
    #expect(run.record?.outcome.kind == .finished)
    #expect(run.record?.findings.map(\.kind) == [.ignoredByRunLoop])
    #expect(run.record?.findings.first?.explanation.contains(words) == true, "\(run.log)")
    #expect(run.record?.findings.first?.places.count == 1)
  }

  @Test(
    "what can never come",
    arguments: [
      ("perform(on: other) { mark(\"never\") }", "never performed"),
      ("other.runLoop.perform { mark(\"never\") }", "the block never runs"),
      ("other.runLoop.add(port, forMode: .default)", "is never used"),
      ("io(1s, runLoop: other.runLoop) { mark(\"never\") }", "never delivered"),
      ("port.send(\"x\")", "is in no run loop"), ("source.signal()", "is in no run loop"),
      (
        "record(\"t\", Timer(timeInterval: 1s, repeats: true) { mark(\"never\") }.isValid)",
        "never added to a run loop"
      ),
      (
        "perform(afterDelay: 1s, modes: [RunLoop.Mode(\"own\")]) { mark(\"never\") }",
        "the delayed perform"
      ),
      (
        "RunLoop.current.perform(inModes: [RunLoop.Mode(\"own\")]) { mark(\"never\") }", "the block"
      ),
      (
        "perform(on: Thread.current, modes: [RunLoop.Mode(\"own\")]) { mark(\"never\") }",
        "the request"
      ),
      ("RunLoop.current.add(port, forMode: RunLoop.Mode(\"own\")); port.send(\"x\")", "message"),
      ("RunLoop.current.add(source, forMode: RunLoop.Mode(\"own\")); source.signal()", "'source'"),
    ])
  func neverComes(statement: String, words: String) {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let source = Source { mark("never") }
      let port = Port { message in mark("never") }
      let other = Thread(name: "other") { }
      main {
          other.start()
          sleep(100ms)
          \(statement)
      }
      expect { timeline == [] }
      """)
    #expect(run.messages == [])
    #expect(run.record?.findings.map(\.kind) == [.neverFires], "\(run.log)")
    #expect(run.record?.findings.first?.explanation.contains(words) == true, "\(run.log)")
    #expect(run.record?.findings.first?.places.count == 1)
    #expect(!run.verdicts.contains { !$0.holds })
  }

  @Test(
    "what crashes the process",
    arguments: [
      (
        "main { t.start(); sleep(100ms); perform(on: t, waitUntilDone: true) { } }",
        "target thread exited while waiting for the perform"
      ),
      (
        "main { t.start(); perform(on: t, waitUntilDone: true) { } }",
        "target thread exited while waiting for the perform"
      ),
      (
        "main { t.start() }\nat(5ms) { perform(on: t, waitUntilDone: true) { } }",
        "the world outside can't wait"
      ),
      ("var d = 1s\nmain { t.start(); io(d - 2s, runLoop: RunLoop.current) { } }", "not negative"),
    ])
  func crashes(text: String, words: String) {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let t = Thread(name: "t") { sleep(10ms) }
      \(text)
      """)
    #expect(run.messages == [])
    #expect(run.record?.outcome.kind == .crashed)
    #expect(run.record?.outcome.message.contains(words) == true)
  }

  @Test func aDelayThatIsNegativeIsNone() {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      var delay = 1s
      main {
          perform(afterDelay: delay - 2s) { mark("performed") }
          record("result", CFRunLoopRunInMode(.default, delay - 2s, true))
      }
      expect { values == ["result": .timedOut]; timeline == [0s: "performed"] }
      """)
    #expect(run.messages == [])
    #expect(!run.verdicts.contains { !$0.holds }, "\(run.log)")
  }

  /// A run loop that goes round without waiting is bounded like code that does.
  @Test func aLoopThatNeverWaitsEnds() {
    var limits = RunLimits()
    limits.steps = 10_000
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 1 }
      let port = Port { message in again() }
      func again() { port.send("x") }
      main { RunLoop.main.add(port, forMode: .default); again() }
      """, limits: limits)
    #expect(run.record?.outcome.kind == .stepLimit)
    #expect(run.record?.findings.map(\.kind) == [.livelock])
  }
}
