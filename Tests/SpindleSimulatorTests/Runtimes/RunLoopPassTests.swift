import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// What observers see of one pass of every kind, and what is done between.
@Suite struct RunLoopPassTests {
  /// A run of a worker's loop with an observer of everything.
  struct Pass: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Before the run.
    let prepare: String
    /// How long the run lasts, and whether it returns after a source.
    let arguments: String
    /// What the world does.
    let world: String
    /// What is printed, one word each.
    let output: String

    init(
      _ name: String, _ arguments: String, prepare: String = "", world: String = "",
      _ output: String
    ) {
      (testDescription, self.arguments) = (name, arguments)
      (self.prepare, self.world, self.output) = (prepare, world, output)
    }
  }

  @Test("a pass of every kind", arguments: passes)
  func pass(_ pass: Pass) {
    let expected = pass.output.split(whereSeparator: \.isWhitespace).map { "\"\($0)\"" }.joined(
      separator: ", ")
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let source = Source { print("source") }
      let second = Source(order: -1) { print("second") }
      let port = Port { message in print("port-\\(message)") }
      let worker = Thread(name: "worker") {
          let loop = RunLoop.current
          loop.add(source, forMode: .default)
          loop.add(second, forMode: .default)
          loop.add(port, forMode: .default)
          loop.observe(.allActivities) { activity in print("\\(activity)") }
          \(pass.prepare)
          print("\\(CFRunLoopRunInMode(.default, \(pass.arguments)))")
      }
      main { worker.start() }
      \(pass.world)
      expect { output == [\(expected)] }
      """)
    #expect(run.messages == [])
    #expect(!run.verdicts.contains { !$0.holds }, "\(run.log)")
  }

  // The order is that of swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c.
  static let passes = [
    Pass(
      "one pass without time does not wait", "0s, true",
      ".entry .beforeTimers .beforeSources .exit .timedOut"),
    Pass(
      "nothing until the limit", "1s, true",
      ".entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting .exit .timedOut"),
    Pass(
      "a source is performed before the wait, and there is none", "1s, true",
      prepare: "source.signal()", ".entry .beforeTimers .beforeSources source .exit .handledSource"),
    Pass(
      "of two sources only the first, by order", "1s, true",
      prepare: "source.signal(); second.signal()",
      ".entry .beforeTimers .beforeSources second .exit .handledSource"),
    Pass(
      "both sources when the run goes on, and then a pass that waits", "1s, false",
      prepare: "source.signal(); second.signal()",
      """
      .entry .beforeTimers .beforeSources second source .beforeTimers .beforeSources
      .beforeWaiting .afterWaiting .exit .timedOut
      """),
    Pass(
      "blocks come before sources, and again after them", "1s, true",
      prepare: """
        source.signal()
        loop.perform { print("block") ; loop.perform { print("late") } }
        """,
      ".entry .beforeTimers .beforeSources block source late .exit .handledSource"),
    Pass(
      "a block does not keep the loop from waiting", "1s, true",
      prepare: "loop.perform { print(\"block\") }",
      ".entry .beforeTimers .beforeSources block .beforeWaiting .afterWaiting .exit .timedOut"),
    Pass(
      "a timer is a port: it fires after the wait, and the loop goes round again", "1s, true",
      prepare: "Timer.scheduledTimer(withTimeInterval: 10ms, repeats: false) { print(\"timer\") }",
      """
      .entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting timer
      .beforeTimers .beforeSources .beforeWaiting .afterWaiting .exit .timedOut
      """),
    Pass(
      "all due timers fire in one pass, the earlier one first", "5ms, true",
      prepare: """
        Timer.scheduledTimer(withTimeInterval: 2ms, repeats: false) { print("timer-2") }
        Timer.scheduledTimer(withTimeInterval: 1ms, repeats: false) { print("timer-1") }
        work(3ms)
        """,
      """
      .entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting timer-1 timer-2
      .beforeTimers .beforeSources .beforeWaiting .afterWaiting .exit .timedOut
      """),
    Pass(
      "after a source a due timer fires without a wait", "1s, false",
      prepare: """
        Timer.scheduledTimer(withTimeInterval: 1ms, repeats: false) { print("timer") }
        work(2ms)
        source.signal()
        """,
      """
      .entry .beforeTimers .beforeSources source timer .beforeTimers .beforeSources
      .beforeWaiting .afterWaiting .exit .timedOut
      """),
    Pass(
      "a wake-up alone is one turn", "2s, true",
      world: "at(1s) { CFRunLoopWakeUp(worker.runLoop) }",
      """
      .entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting
      .beforeTimers .beforeSources .beforeWaiting .afterWaiting .exit .timedOut
      """),
    Pass(
      "a wake-up before the run is taken by its first wait", "2s, true",
      prepare: "CFRunLoopWakeUp(loop); CFRunLoopWakeUp(loop)",
      """
      .entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting
      .beforeTimers .beforeSources .beforeWaiting .afterWaiting .exit .timedOut
      """),
    Pass(
      "a message is handled after the wait", "2s, true",
      world: "at(1s) { port.send(\"a\"); port.send(\"b\") }",
      """
      .entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting port-a .exit .handledSource
      """),
    Pass(
      "a pass takes one port: the timer, then the message", "1s, true",
      prepare: """
        Timer.scheduledTimer(withTimeInterval: 1ms, repeats: false) { print("timer") }
        work(2ms)
        port.send("a")
        """,
      """
      .entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting timer
      .beforeTimers .beforeSources .beforeWaiting .afterWaiting port-a .exit .handledSource
      """),
    Pass(
      "a stop by an observer of the entry ends the run before its first pass", "1s, true",
      prepare: "loop.observe(.entry, order: 1) { activity in CFRunLoopStop(RunLoop.current) }",
      ".entry .exit .stopped"),
    Pass(
      "a stop while it waits", "2s, true",
      world: "at(1s) { CFRunLoopStop(worker.runLoop) }",
      ".entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting .exit .stopped"),
    Pass(
      "a perform is a source", "2s, true",
      world: "at(1s) { perform(on: worker) { print(\"performed\") } }",
      """
      .entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting
      .beforeTimers .beforeSources performed .exit .handledSource
      """),
    Pass(
      "an answer is a port", "2s, true",
      prepare: "io(1s, runLoop: loop) { print(\"answer\") }",
      """
      .entry .beforeTimers .beforeSources .beforeWaiting .afterWaiting answer .exit .handledSource
      """),
  ]

  /// Each pair of reasons for the end of a run, and which one wins.
  @Test(
    "the result of a run with two reasons to end",
    arguments: [
      ("late.signal()", "true", ".handledSource"), ("late.signal()", "false", ".timedOut"),
      ("stopping.signal()", "true", ".handledSource"), ("stopping.signal()", "false", ".stopped"),
      ("emptying.signal()", "true", ".handledSource"), ("emptying.signal()", "false", ".finished"),
      ("schedule { CFRunLoopStop(RunLoop.current); sleep(1s) }", "true", ".timedOut"),
      ("schedule { removeAll(); sleep(1s) }", "true", ".timedOut"),
      ("schedule { CFRunLoopStop(RunLoop.current); removeAll() }", "true", ".stopped"),
      ("schedule { removeAll() }", "true", ".finished"),
    ])
  func precedence(prepare: String, returns: String, result: String) {
    let run = TestRun(
      """
      machine { platform: .linux; cores: 1; costs: .zero }
      let late = Source { sleep(1s) }
      let stopping = Source { CFRunLoopStop(RunLoop.current) }
      let emptying = Source { removeAll() }
      func removeAll() {
          late.invalidate()
          stopping.invalidate()
          emptying.invalidate()
      }
      func schedule(_ block: @escaping () -> Void) {
          Timer.scheduledTimer(withTimeInterval: 10ms, repeats: false) { _ in block() }
      }
      let worker = Thread(name: "worker") {
          RunLoop.current.add(late, forMode: .default)
          RunLoop.current.add(stopping, forMode: .default)
          RunLoop.current.add(emptying, forMode: .default)
          \(prepare)
          record("result", CFRunLoopRunInMode(.default, 100ms, \(returns)))
      }
      main { worker.start() }
      expect { values == ["result": \(result)] }
      """)
    #expect(run.messages == [])
    #expect(!run.verdicts.contains { !$0.holds }, "\(run.log)")
  }
}
