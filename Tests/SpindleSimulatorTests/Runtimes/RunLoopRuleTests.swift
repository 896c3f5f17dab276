import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// The rules of run loops, each as the smallest trace that shows it.
@Suite struct RunLoopRuleTests {
  struct Rule: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let platform: String
    /// What stands at the top.
    let top: String
    /// What the worker does.
    let body: String
    /// What must hold.
    let expectation: String

    init(
      _ claim: String, on platform: String = "iOS", top: String = "", _ body: String,
      _ expectation: String
    ) {
      (testDescription, self.platform, self.top) = (claim, platform, top)
      (self.body, self.expectation) = (body, expectation)
    }
  }

  @Test(arguments: timers + handlers + items + threads + commonModes + turns)
  func holds(_ rule: Rule) {
    var limits = RunLimits()
    limits.checksInvariants = true
    let run = TestRun(
      """
      trace "rule" { until: 100s }
      machine { platform: .\(rule.platform); cores: 2; costs: .zero }
      \(rule.top)
      let worker = Thread(name: "worker") {
          \(rule.body)
      }
      main { worker.start() }
      expect { \(rule.expectation) }
      """, limits: limits)
    #expect(run.messages == [])
    #expect(!run.verdicts.contains { !$0.holds }, "\(run.log)")
  }

  static let timers = [
    Rule(
      "a date that is past counts as now, and the grid begins there",
      """
      sleep(70ms)
      RunLoop.current.add(Timer(fireAt: 50ms, interval: 100ms, repeats: true) { mark("t") }, forMode: .default)
      RunLoop.current.run(until: 300ms)
      """, "timeline == [70ms: \"t\", 170ms: \"t\", 270ms: \"t\"]"),
    Rule(
      "a later date that the handler sets is kept",
      """
      Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true) { timer in
          mark("t")
          timer.fireDate = .now() + 25ms
      }
      RunLoop.current.run(until: 70ms)
      """, "timeline == [10ms: \"t\", 35ms: \"t\", 60ms: \"t\"]"),
    Rule(
      "a past date that the handler sets means now, which is later than the one that was due",
      """
      Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true) { timer in
          mark("t")
          if now < 13ms { timer.fireDate = .distantPast }
          work(3ms)
      }
      RunLoop.current.run(until: 25ms)
      """, "timeline == [10ms: \"t\", 13ms: \"t\", 20ms: \"t\"]"),
    Rule(
      "a date that another thread sets wakes the loop once",
      """
      Timer.scheduledTimer(withTimeInterval: 1s, repeats: false) { mark("keep") }
      let timer = Timer.scheduledTimer(withTimeInterval: 50s, repeats: false) { mark("moved") }
      Thread.detachNewThread { sleep(20ms); timer.fireDate = .now() + 30ms }
      RunLoop.current.observe(.afterWaiting) { mark("awake") }
      RunLoop.current.run(until: 100ms)
      """,
      """
      timeline == [20ms: "awake", 50ms: "awake", 50ms: "moved", 100ms: "awake"]
      """),
    Rule(
      "on Darwin a tolerance is used to the full, unless something else wakes the loop",
      """
      let timer = Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true, tolerance: 4ms) { mark("t") }
      Timer.scheduledTimer(withTimeInterval: 22ms, repeats: false) { mark("other") }
      RunLoop.current.run(until: 29ms)
      timer.invalidate()
      """, "timeline == [14ms: \"t\", 22ms: any(\"t\", \"other\")]"),
    Rule(
      "the Linux library fires at the date", on: "linux",
      """
      let timer = Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true, tolerance: 4ms) { mark("t") }
      RunLoop.current.run(until: 25ms)
      timer.invalidate()
      """, "timeline == [10ms: \"t\", 20ms: \"t\"]"),
    Rule(
      "a tolerance is at most half an interval",
      """
      let timer = Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true, tolerance: 1s) { mark("t") }
      record("tolerance", timer.tolerance)
      RunLoop.current.run(until: 18ms)
      timer.invalidate()
      """, "timeline == [15ms: \"t\"]\n    values == [\"tolerance\": 5ms]"),
    Rule(
      "an interval of nothing is 0.1 ms on Darwin",
      """
      let timer = Timer.scheduledTimer(withTimeInterval: 0s, repeats: true) { mark("t") }
      RunLoop.current.run(until: 250us)
      timer.invalidate()
      """, "timeline == [100us: \"t\", 200us: \"t\"]"),
    Rule(
      "an interval of nothing fires once on Linux", on: "linux",
      """
      Timer.scheduledTimer(withTimeInterval: 0s, repeats: true) { mark("t") }
      RunLoop.current.run(until: 1s)
      """, "timeline == [0s: \"t\"]"),
    Rule(
      "a timer that is added twice fires once",
      """
      let timer = Timer(timeInterval: 10ms, repeats: false) { mark("t") }
      RunLoop.current.add(timer, forMode: .default)
      RunLoop.current.add(timer, forMode: .default)
      RunLoop.current.add(timer, forMode: .common)
      RunLoop.current.run(until: 30ms)
      """, "timeline == [10ms: \"t\"]\n    findings == []"),
    Rule(
      "a timer that is removed is silent, and may be added to another loop",
      top: "let other = Thread(name: \"other\") { sleep(5ms); RunLoop.current.run(until: 50ms) }",
      """
      let timer = Timer(timeInterval: 10ms, repeats: false) { mark("t") }
      RunLoop.current.add(timer, forMode: .default)
      RunLoop.current.remove(timer, forMode: .default)
      other.runLoop.add(timer, forMode: .default)
      other.start()
      record("empty", RunLoop.current.run(mode: .default, before: .distantFuture))
      """, "timeline(of: other) == [10ms: \"t\"]\n    values == [\"empty\": false]"),
  ]

  static let handlers = [
    Rule(
      "a timer may invalidate the next one of the same moment",
      top: "let other = Timer(fireAt: 10ms, interval: 1s, repeats: false) { mark(\"never\") }",
      """
      let loop = RunLoop.current
      loop.add(Timer(fireAt: 5ms, interval: 1s, repeats: false) { other.invalidate(); mark("t") }, forMode: .default)
      loop.add(other, forMode: .default)
      work(20ms)
      loop.run(until: 30ms)
      """, "timeline == [20ms: \"t\"]"),
    Rule(
      "a source may invalidate the next one",
      top: """
        let b = Source(order: 2) { mark("never") }
        let a = Source(order: 1) { b.invalidate(); mark("a") }
        """,
      """
      RunLoop.current.add(a, forMode: .default)
      RunLoop.current.add(b, forMode: .default)
      a.signal()
      b.signal()
      RunLoop.current.run(until: 1s)
      """, "timeline == [0s: \"a\"]"),
    Rule(
      "a source that signals itself is performed in the next pass",
      top: """
        var turns = 0
        let source = Source { turns += 1; mark("\\(turns)"); if turns < 3 { again() } }
        func again() { source.signal() }
        """,
      """
      RunLoop.current.add(source, forMode: .default)
      source.signal()
      record("result", CFRunLoopRunInMode(.default, 1s, false))
      """, "timeline == [0s: \"1\", 0s: \"2\", 0s: \"3\"]\n    values == [\"result\": .timedOut]"),
    Rule(
      "a block that hands a block over runs it in the next round",
      """
      RunLoop.current.add(Port { }, forMode: .default)
      RunLoop.current.perform {
          mark("a")
          RunLoop.current.perform { mark("c") }
      }
      RunLoop.current.perform { mark("b") }
      _ = CFRunLoopRunInMode(.default, 0s, false)
      """, "timeline == [0s: \"a\", 0s: \"b\", 0s: \"c\"]"),
    Rule(
      "a run inside a block does not see the blocks behind it",
      """
      RunLoop.current.add(Port { }, forMode: .default)
      RunLoop.current.perform {
          RunLoop.current.perform { mark("inner") }
          _ = CFRunLoopRunInMode(.default, 5ms, false)
          mark("a")
      }
      RunLoop.current.perform { mark("b") }
      _ = CFRunLoopRunInMode(.default, 0s, false)
      """, "timeline == [0s: \"inner\", 5ms: \"a\", 5ms: \"b\"]"),
    Rule(
      "an observer that is invalidated is not called any more in the same step",
      """
      RunLoop.current.add(Port { }, forMode: .default)
      let second = RunLoop.current.observe(.entry, order: 2) { mark("never") }
      RunLoop.current.observe(.entry, order: 1) { second.invalidate(); mark("first") }
      _ = CFRunLoopRunInMode(.default, 0s, false)
      """, "timeline == [0s: \"first\"]"),
    Rule(
      "a wake-up while the loop is awake is ignored, and one before its wait is not",
      """
      RunLoop.current.add(Port { }, forMode: .default)
      Timer.scheduledTimer(withTimeInterval: 10ms, repeats: false) { CFRunLoopWakeUp(RunLoop.current) }
      RunLoop.current.observe(.beforeWaiting, repeats: false, order: 1) { CFRunLoopWakeUp(RunLoop.current) }
      RunLoop.current.observe(.afterWaiting) { mark("awake") }
      RunLoop.current.run(until: 30ms)
      """, "timeline == [0s: \"awake\", 10ms: \"awake\", 30ms: \"awake\"]"),
    Rule(
      "a block alone leaves a loop asleep",
      """
      RunLoop.current.perform { mark("block") }
      CFRunLoopRun()
      mark("never")
      """, "timeline == [0s: \"block\"]"),
    Rule(
      "an observer does not see what happens inside its own call",
      """
      RunLoop.current.add(Port { }, forMode: .default)
      RunLoop.current.observe(.entry) { mark("entry"); _ = CFRunLoopRunInMode(.default, 5ms, false) }
      _ = CFRunLoopRunInMode(.default, 5ms, false)
      mark("end")
      """, "timeline == [0s: \"entry\", 10ms: \"end\"]"),
    Rule(
      "a timer that is fired by hand keeps its dates, and one that does not repeat is over",
      """
      let again = Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true) { mark("again") }
      let once = Timer.scheduledTimer(withTimeInterval: 10ms, repeats: false) { mark("once") }
      work(5ms)
      again.fire()
      once.fire()
      once.fire()
      record("once", once.isValid)
      RunLoop.current.run(until: 12ms)
      """,
      """
      timeline == [5ms: "again", 5ms: "once", 10ms: "again"]
          values == ["once": false]
      """),
    Rule(
      "a handler may end its thread, with the runs around it",
      """
      Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true) {
          RunLoop.current.run(until: .now() + 1s)
      }
      Timer.scheduledTimer(withTimeInterval: 20ms, repeats: false) {
          mark("exits")
          Thread.exit()
      }
      RunLoop.current.run()
      mark("never")
      """, "timeline == [20ms: \"exits\"]\n    threads.live == 1"),
    Rule(
      "what a handler throws nobody around the run catches",
      """
      Timer.scheduledTimer(withTimeInterval: 10ms, repeats: false) { throw "lost" }
      RunLoop.current.run(until: 1s)
      mark("never")
      """, "outcome == .crashed\n    crash.message == \"uncaught error: lost\"\n    timeline == []"),
    Rule(
      "a loop that runs itself again and again overflows its stack",
      top: """
        let source = Source { mark("deeper"); again() }
        func again() { source.signal(); RunLoop.current.run() }
        """,
      """
      RunLoop.current.add(source, forMode: .default)
      again()
      """, "outcome == .crashed"),
  ]

  static let items = [
    Rule(
      "a mode that joins the common modes later gets the observers too",
      """
      let mode = RunLoop.Mode("own")
      RunLoop.current.observe(.entry, forMode: .common) { mark("entry") }
      RunLoop.current.add(Port { }, forMode: .common)
      record("before", RunLoop.current.run(mode: mode, before: .distantPast))
      CFRunLoopAddCommonMode(RunLoop.current, mode)
      record("after", RunLoop.current.run(mode: mode, before: .distantPast))
      """, "values == [\"before\": false, \"after\": true]\n    timeline == [0s: \"entry\"]"),
    Rule(
      "a port in two loops is read by whichever comes first",
      top: """
        let port = Port { message in mark("\\(message)") }
        let other = Thread(name: "other") {
            RunLoop.current.add(port, forMode: .default)
            _ = RunLoop.current.run(mode: .default, before: 1s)
        }
        """,
      """
      other.start()
      RunLoop.current.add(port, forMode: .default)
      sleep(10ms)
      port.send("a")
      sleep(10ms)
      port.send("b")
      _ = RunLoop.current.run(mode: .default, before: 1s)
      """, "timeline(of: other) == [10ms: \"a\"]\n    timeline(of: worker) == [20ms: \"b\"]"),
    Rule(
      "messages of two ports are taken in the order in which they came",
      top: """
        let a = Port { message in mark("a\\(message)") }
        let b = Port { message in mark("b\\(message)") }
        """,
      """
      RunLoop.current.add(a, forMode: .default)
      RunLoop.current.add(b, forMode: .default)
      b.send("1")
      a.send("2")
      b.send("3")
      RunLoop.current.run(until: 1ms)
      """, "timeline == [0s: \"b1\", 0s: \"a2\", 0s: \"b3\"]"),
    Rule(
      "what is added while the loop sleeps wakes it when it is ready",
      top: "let port = Port { message in mark(\"port\") }",
      """
      RunLoop.current.add(Port { }, forMode: .default)
      port.send("x")
      let loop = RunLoop.current
      Thread.detachNewThread {
          sleep(10ms)
          loop.add(port, forMode: .default)
          sleep(10ms)
          loop.add(Timer(timeInterval: 5ms, repeats: false) { mark("timer") }, forMode: .default)
      }
      loop.run(until: 50ms)
      """, "timeline == [10ms: \"port\", 25ms: \"timer\"]"),
  ]

  static let threads = [
    Rule(
      "the main loop can be used before it runs, even at the top",
      top: """
        let timer = Timer(timeInterval: 10ms, repeats: false) { record("main", Thread.isMainThread) }
        func prepare(_ loop: RunLoop) -> Int { loop.add(timer, forMode: .default); return 1 }
        let ready = prepare(RunLoop.main)
        """,
      "record(\"ready\", ready)", "values == [\"ready\": 1, \"main\": true]"),
    Rule(
      "the main thread's own loop can't be stopped",
      top: "let timer = Timer(timeInterval: 20ms, repeats: false) { mark(\"still runs\") }",
      """
      RunLoop.main.add(timer, forMode: .default)
      sleep(10ms)
      CFRunLoopStop(RunLoop.main)
      """, "timeline == [20ms: \"still runs\"]"),
    Rule(
      "while the machine sleeps timers and limits stand still",
      top: "at(15ms) { machine.sleep(for: 1s) }",
      """
      let timer = Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true) { mark("t") }
      if RunLoop.current.run(mode: .default, before: 35ms) { mark("limit") }
      timer.invalidate()
      """, "timeline == [10ms: \"t\", 1020ms: \"t\", 1030ms: \"t\", 1035ms: \"limit\"]"),
    Rule(
      "threads that perform on each other and wait are stuck",
      top: """
        let a = Thread(name: "a") { sleep(1ms); perform(on: b, waitUntilDone: true) { } }
        let b = Thread(name: "b") { sleep(1ms); ask() }
        func ask() { perform(on: a, waitUntilDone: true) { } }
        """, "a.start()\n    b.start()", "outcome == .deadlock\n    findings == [.deadlock]"),
    Rule(
      "a delayed perform is another thread's own",
      """
      perform(afterDelay: 10ms) { mark("first") }
      Thread.detachNewThread { cancelPreviousPerforms() }
      RunLoop.current.run(until: 20ms)
      """, "timeline == [10ms: \"first\"]"),
    Rule(
      "a loop in which nothing was performed yet is empty, and later it is not",
      """
      record("before", RunLoop.current.run(mode: .default, before: .now() + 1ms))
      perform(on: Thread.current) { mark("performed") }
      record("performed", RunLoop.current.run(mode: .default, before: .now() + 1ms))
      record("after", RunLoop.current.run(mode: .default, before: .now() + 1ms))
      """,
      """
      values == ["before": false, "performed": true, "after": true]
          timeline == [0s: "performed"]
      """),
  ]
}
