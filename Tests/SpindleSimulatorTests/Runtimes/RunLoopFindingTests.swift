import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// What is said of run loops that are used in vain: which findings there are, and in which words.
@Suite struct RunLoopFindingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    /// The findings, each as its kind and some of its words.
    let findings: [(Finding.Kind, String)]

    init(_ name: String, _ text: String, _ findings: (Finding.Kind, String)...) {
      (testDescription, self.text, self.findings) = (name, text, findings)
    }
  }

  @Test(arguments: losses + spins + hangs + waits)
  func findings(_ row: Case) {
    var limits = RunLimits()
    limits.checksInvariants = true
    let run = TestRun(row.text, limits: limits)
    #expect(run.messages == [])
    let findings = run.record?.findings ?? []
    #expect(findings.map(\.kind) == row.findings.map(\.0), "\(run.log)")
    for (finding, expected) in zip(findings, row.findings) {
      #expect(finding.explanation.contains(expected.1), "\(finding.explanation)")
    }
  }

  private static let machine = "machine { platform: .iOS; cores: 2; costs: .zero }\n"
  private static let serving = """
    let worker = Thread(name: "worker") {
        RunLoop.current.add(Port { }, forMode: .default)
        RunLoop.current.add(source, forMode: .default)
        CFRunLoopRun()
    }

    """

  static let losses = [
    Case(
      "a thread that waits without a limit at the end does not run its loop",
      """
      trace "t" { until: 1s }
      \(machine)
      let never = DispatchSemaphore(value: 0)
      let worker = Thread(name: "worker") {
          Timer.scheduledTimer(withTimeInterval: 10ms, repeats: false) { }
          never.wait()
      }
      main {
          worker.start()
          perform(on: worker) { }
          Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true) { }
      }
      """, (.neverFires, "'worker' never runs its loop in mode 'default': timer"),
      (.neverFires, "'worker' never runs its loop in the common modes: the request")),
    Case(
      "nor does the main thread in dispatchMain()",
      """
      trace "t" { until: 1s }
      machine { platform: .macOS; cores: 2; costs: .zero }
      main {
          perform(afterDelay: 10ms) { }
          RunLoop.main.perform { }
          dispatchMain()
      }
      """, (.neverFires, "mode 'default': the delayed perform"), (.neverFires, "the block")),
    Case(
      "nor does a thread that was not started",
      """
      trace "t" { until: 1s }
      \(machine)
      let worker = Thread(name: "worker") { }
      main { perform(on: worker) { } }
      """, (.neverStarted, "'worker'"), (.neverFires, "'worker' never runs its loop")),
    Case(
      "a thread that is about to wake may still run its loop",
      """
      trace "t" { until: 1s }
      \(machine)
      let worker = Thread(name: "worker") { sleep(2s); RunLoop.current.run() }
      main { worker.start(); perform(on: worker) { } }
      """),
    Case(
      "the modes are named, and whether they were ever run",
      """
      \(machine)
      let source = Source { }
      \(serving)
      main { worker.start() }
      at(1s) { worker.runLoop.add(source, forMode: "mine") ; worker.runLoop.remove(source, forMode: .default) }
      at(2s) { source.signal(); CFRunLoopWakeUp(worker.runLoop) }
      at(3s) { worker.runLoop.perform(inModes: []) { } }
      at(4s) { worker.runLoop.perform(inModes: ["mine", "other"]) { } }
      """, (.neverFires, "the block is for no mode"),
      (.neverFires, "never runs its loop in mode 'mine': source 'source'"),
      (.neverFires, "never runs its loop in mode 'mine' or 'other': the block")),
    Case(
      "a loop that did run in the mode runs in it no more",
      """
      \(machine)
      let port = Port { }
      let worker = Thread(name: "worker") {
          RunLoop.current.add(port, forMode: "mine")
          RunLoop.current.add(Port { }, forMode: .default)
          _ = CFRunLoopRunInMode("mine", 10ms, false)
          RunLoop.current.run()
      }
      main { worker.start() }
      at(1s) { port.send("late") }
      """, (.neverFires, "'worker' no longer runs its loop in mode 'mine': the message")),
    Case(
      "a source that comes late, since only a timer woke its loop",
      """
      \(machine)
      let source = Source { }
      let worker = Thread(name: "worker") {
          RunLoop.current.add(source, forMode: .default)
          Timer.scheduledTimer(withTimeInterval: 10s, repeats: false) { }
          RunLoop.current.run(until: 20s)
      }
      main { worker.start() }
      at(1s) { source.signal() }
      """, (.signalledNotWoken, "it is performed 9s late")),
    Case(
      "a source whose loop is woken by hand a while later is not late",
      """
      \(machine)
      let source = Source { }
      let worker = Thread(name: "worker") {
          RunLoop.current.add(source, forMode: .default)
          RunLoop.current.run(until: 20s)
      }
      main { worker.start() }
      at(1s) { source.signal() }
      at(2s) { CFRunLoopWakeUp(worker.runLoop) }
      """),
    Case(
      "a source that sleeps on when the process ends",
      """
      \(machine)
      let source = Source { }
      \(serving)
      main { worker.start(); sleep(100ms); source.signal(); sleep(100ms); exit(0) }
      """, (.signalledNotWoken, "source 'source'")),
    Case(
      "a perform for no mode is not performed, and nobody waits",
      """
      \(machine)
      let source = Source { }
      \(serving)
      main {
          worker.start()
          perform(on: worker, waitUntilDone: true, modes: []) { mark("never") }
          perform(afterDelay: 1s, modes: []) { mark("never") }
          mark("goes on")
      }
      expect { timeline == [0s: "goes on"] }
      """, (.ignoredByRunLoop, "a perform for no mode"), (.ignoredByRunLoop, "for no mode")),
  ]

  static let spins = [
    Case(
      "runs without time around a loop that is not empty",
      """
      \(machine)
      let worker = Thread(name: "worker") {
          RunLoop.current.add(Port { }, forMode: .default)
          while now < 20ms { _ = RunLoop.current.run(mode: .default, before: now); work(100us) }
      }
      main { worker.start() }
      """, (.spinningRunLoop, "has no time")),
    Case(
      "work of ten milliseconds between them is no spinning",
      """
      \(machine)
      let worker = Thread(name: "worker") {
          for i in 0 ..< 150 { work(10ms); _ = RunLoop.current.run(mode: .default, before: now) }
      }
      main { worker.start() }
      """),
    Case(
      "runs without time that find something to do are none",
      """
      \(machine)
      let port = Port { }
      let worker = Thread(name: "worker") {
          RunLoop.current.add(port, forMode: .default)
          for i in 0 ..< 150 {
              port.send("x")
              _ = RunLoop.current.run(mode: .default, before: now)
              _ = RunLoop.current.run(mode: .default, before: now)
          }
      }
      main { worker.start() }
      """),
  ]

  static let hangs = [
    Case(
      "the body of main", "\(machine)main { work(400ms) }",
      (.mainThreadHang, "the body of 'main' took 400ms of it")),
    Case(
      "a sleep", "\(machine)main { work(100ms); sleep(1s) }",
      (.mainThreadHang, "it slept 1s of it")),
    Case(
      "two sleeps at two places, which are one reason", "\(machine)main { sleep(1s); sleep(1s) }",
      (.mainThreadHang, "the body of 'main' took 2s of it; it slept 2s of it")),
    Case(
      "a sleep and an input in two items",
      """
      \(machine)
      main { DispatchQueue.main.async { sleep(1s) }; DispatchQueue.main.async { io(2s) } }
      """, (.mainThreadHang, "2s; it waited 2s of it for an input or output; it slept 1s of it")),
    Case(
      "a wait for a lock that others have, in a handler",
      """
      \(machine)
      let lock = NSLock()
      let worker = Thread(name: "worker") { lock.withLock { sleep(400ms) } }
      main { worker.start(); Timer.scheduledTimer(withTimeInterval: 100ms, repeats: false) { take() } }
      func take() { lock.withLock { } }
      """, (.mainThreadHang, "took 300ms of it; it waited 300ms of it for lock 'lock'")),
    Case(
      "a sync, behind what came first to the queue and another item",
      """
      \(machine)
      let queue = DispatchQueue(label: "queue")
      main {
          queue.async(name: "slow") { sleep(400ms) }
          queue.async(name: "quick") { sleep(1ms) }
          sleep(1ms)
          queue.sync { }
      }
      """, (.mainThreadHang, "400ms of it in sync for queue 'queue', behind 'slow' and 1 more")),
    Case(
      "a sync, again and again behind another item",
      """
      \(machine)
      let queue = DispatchQueue(label: "queue")
      main {
          for i in 0..<2 {
              queue.async(name: "item \\(i)") { sleep(300ms + 100ms * i) }
              queue.sync { }
          }
      }
      """, (.mainThreadHang, "700ms of it in sync for queue 'queue', behind 'item 1' and others")),
    Case(
      "a barrier on a queue that is read on",
      """
      \(machine)
      let queue = DispatchQueue(label: "queue", attributes: .concurrent)
      main {
          queue.async(name: "reader") { sleep(400ms) }
          sleep(1ms)
          queue.sync(flags: .barrier) { }
      }
      """, (.mainThreadHang, "of it in sync for queue 'queue', behind 'reader'")),
    Case(
      "a sync, behind that of a thread",
      """
      \(machine)
      let queue = DispatchQueue(label: "queue")
      let worker = Thread(name: "worker") { queue.sync { sleep(400ms) } }
      main { worker.start(); sleep(1ms); queue.sync { } }
      """, (.mainThreadHang, "of it in sync for queue 'queue', behind 'worker'")),
    Case(
      "an operation",
      """
      \(machine)
      let queue = OperationQueue(name: "queue")
      let load = BlockOperation(name: "load") { sleep(400ms) }
      main { queue.addOperation(load); load.waitUntilFinished() }
      """, (.mainThreadHang, "400ms of it for operation 'load'")),
    Case(
      "all operations of a queue",
      """
      \(machine)
      let queue = OperationQueue(name: "queue")
      main {
          queue.addOperation(BlockOperation(name: "load") { sleep(400ms) })
          queue.addOperation(BlockOperation(name: "store") { sleep(300ms) })
          queue.waitUntilAllOperationsAreFinished()
      }
      """, (.mainThreadHang, "400ms of it for the 2 operations of 'queue', first 'load'")),
    Case(
      "a work item",
      """
      \(machine)
      let item = DispatchWorkItem(name: "item") { sleep(400ms) }
      main { DispatchQueue.global().async(execute: item); item.wait() }
      """, (.mainThreadHang, "400ms of it for work item 'item'")),
    Case(
      "a join",
      "\(machine)let worker = Thread(name: \"worker\") { sleep(300ms) }\n"
        + "main { worker.start(); worker.join() }",
      (.mainThreadHang, "it waited 300ms of it for the end of 'worker'")),
    Case(
      "a sleep in the run loop in a mode that is not common",
      """
      \(machine)
      main {
          RunLoop.current.add(Port { }, forMode: "mine")
          Timer.scheduledTimer(withTimeInterval: 100ms, repeats: false) {
              _ = CFRunLoopRunInMode("mine", 2s, false)
          }
      }
      expect { main.longestStall == 2s }
      """, (.mainThreadHang, "it slept 2s in its run loop, in a mode that is not common")),
    Case(
      "and none in a mode that is",
      """
      \(machine)
      main {
          CFRunLoopAddCommonMode(RunLoop.current, "mine")
          RunLoop.current.add(Port { }, forMode: "mine")
          Timer.scheduledTimer(withTimeInterval: 100ms, repeats: false) {
              _ = CFRunLoopRunInMode("mine", 2s, false)
          }
      }
      expect { main.longestStall == 0s }
      """),
  ]

  static let waits = [
    Case(
      "who waits for a perform in a mode that nobody runs",
      """
      \(machine)
      let source = Source { }
      \(serving)
      main { worker.start(); perform(on: worker, waitUntilDone: true, modes: ["mine"]) { } }
      """,
      (
        .deadlock,
        "its request in mode 'mine', and 'worker' sleeps in its run loop in mode 'default'"
      )),
    Case(
      "who joins a thread that sleeps in its loop",
      """
      \(machine)
      let source = Source { }
      \(serving)
      main { worker.start(); worker.join() }
      """,
      (
        .deadlock,
        "the end of thread 'worker', which sleeps in its run loop in mode 'default'"
      )),
  ]
}
