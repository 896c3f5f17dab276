import SpindleLanguage
import SpindleModel
import Testing

/// What is said of dispatch: warnings with their near misses, and proposals.
@Suite struct DispatchCheckTests {
  typealias Row = CheckingTests.Row

  @Test(arguments: idle + barriers + moments + proposals)
  func isTold(row: Row) {
    #expect(CompilerSupport.report(row.text) == row.report, sourceLocation: row.location)
  }

  private static let source = "let s = DispatchSource.makeUserDataAddSource()"

  static let idle = [
    Row(
      "a source that is prepared and never resumed",
      "\(source)\nmain { s.setEventHandler { s.cancel() }; s.add(data: 1); _ = s.isCancelled }",
      """
      1:5: warning: the source 's' is never resumed, and delivers nothing until then
      """),
    Row(
      "one that is resumed in a closure", "\(source)\nmain { s.setEventHandler { s.resume() } }",
      "ok"),
    Row("one that is activated", "\(source)\nmain { s.activate() }", "ok"),
    Row(
      "one that is handed on",
      "\(source)\nfunc f(_ s: DispatchSource) { s.resume() }\nmain { f(s) }", "ok"),
    Row("one that has another name besides", "\(source)\nmain { let t = s; t.resume() }", "ok"),
    Row(
      "one that a function gives may be resumed already",
      "\(source)\nfunc f() -> DispatchSource { s.resume(); return s }\nlet t = f()\nmain { t.add(data: 1) }",
      "ok"),
    Row(
      "one of a 'var' may be another",
      "var s = DispatchSource.makeTimerSource()\nmain { s.cancel() }", "ok"),
    Row(
      "a local one, and another of its name",
      "\(source)\nmain { s.resume()\nif now > 0s { \(source); s.cancel() } }",
      """
      3:19: warning: the source 's' is never resumed, and delivers nothing until then
      """),
    Row(
      "nothing keeps it", "main { DispatchSource.makeTimerSource(); DispatchWorkItem { } }",
      """
      1:23: warning: this source is never resumed: nothing keeps it
      1:42: warning: this work item is never run: nothing keeps it
      """),
    Row(
      "a work item that is only asked",
      "let w = DispatchWorkItem { }\nmain { w.cancel(); w.notify(queue: .main) { }; w.wait() }",
      """
      1:5: warning: the work item 'w' is never given to a queue, nor performed
      """),
    Row(
      "one that is performed", "let w = DispatchWorkItem { }\nmain { w.cancel(); w.perform() }",
      "ok"),
    Row(
      "one that a queue, a group or an item is given",
      "let a = DispatchWorkItem { }\nlet b = DispatchWorkItem { }\nlet c = DispatchWorkItem { }\nlet g = DispatchGroup()\nmain { DispatchQueue.main.async(execute: a); g.notify(queue: .main, work: b); a.notify(queue: .main, execute: c) }",
      "ok"),
    Row(
      "a local one that nothing uses is told of once", "main { let w = DispatchWorkItem { } }",
      """
      1:12: warning: 'w' is never used
      """),
    Row(
      "a queue that is never activated",
      "let q = DispatchQueue(label: \"q\", attributes: [.concurrent, .initiallyInactive])\nmain { q.async { }; q.resume() }",
      """
      1:5: warning: the queue 'q' is never activated, and runs nothing until then
      """),
    Row(
      "one that is activated, and one that is active",
      "let q = DispatchQueue(attributes: .initiallyInactive)\nlet r = DispatchQueue(attributes: .concurrent)\nmain { q.activate(); r.async { } }",
      "ok"),
  ]

  private static let noBarrier =
    "warning: a global queue has no barriers: this is submitted like any other work"

  static let barriers = [
    Row(
      "a barrier on a global queue",
      "main { DispatchQueue.global(qos: .utility).sync(flags: [.enforceQoS, .barrier]) { } }",
      "1:70: \(noBarrier)"),
    Row(
      "by its name", "let q = DispatchQueue.global()\nmain { q.async(flags: .barrier) { } }",
      "2:23: \(noBarrier)"),
    Row(
      "on a queue of one's own, with another name in between",
      "let q = DispatchQueue.global()\nmain { q.async { }\nif now > 0s { let q = DispatchQueue(); q.async(flags: .barrier) { } } }",
      "ok"),
    Row(
      "other flags on a global queue",
      "main { DispatchQueue.global().async(flags: .enforceQoS) { } }",
      "ok"),
  ]

  static let moments = [
    Row(
      "a length where a moment is meant",
      "let w = DispatchWorkItem { }\nmain { DispatchQueue.main.asyncAfter(deadline: 2s, execute: w); _ = w.wait(timeout: 1s) }",
      "ok"),
    Row(
      "a length where a moment is meant that has passed",
      "let w = DispatchWorkItem { }\nmain { sleep(2s); DispatchQueue.main.asyncAfter(deadline: 2s, execute: w); _ = w.wait(timeout: 1s) }",
      """
      2:59: warning: a deadline is a moment: 2s after the run began, which has passed, since this runs from 2s on; did you mean '.now() + 2s', or 'Instant(2s)'?
      2:96: warning: a timeout is a moment: 1s after the run began, which has passed, since this runs from 2s on; did you mean '.now() + 1s', or 'Instant(1s)'?
      """),
    Row(
      "what may be passed over takes no time for sure",
      "let s = DispatchSemaphore(value: 0)\nmain { if now > 0s { sleep(2s) }; _ = s.wait(timeout: 1s); while now < 9s { sleep(5s) }; _ = s.wait(timeout: 1s) }",
      "ok"),
    Row(
      "a closure begins after it was made, and no earlier than its time",
      "let s = DispatchSemaphore(value: 0)\nlet q = DispatchQueue()\nmain { q.async { _ = s.wait(timeout: 1s) }; perform(afterDelay: 3s) { _ = s.wait(timeout: 3s) }; sleep(1s); q.async { _ = s.wait(timeout: 1s) } }",
      """
      3:91: warning: a timeout is a moment: 3s after the run began, which has passed, since this runs from 3s on; did you mean '.now() + 3s', or 'Instant(3s)'?
      3:139: warning: a timeout is a moment: 1s after the run began, which has passed, since this runs from 1s on; did you mean '.now() + 1s', or 'Instant(1s)'?
      """),
    Row(
      "a moment", "main { DispatchQueue.main.asyncAfter(deadline: .now() + 2s) { } }", "ok"),
    Row(
      "'.never' is a length of a timer only",
      "\(source)\nmain { s.resume(); s.schedule(deadline: .now(), repeating: .never); work(.never) }",
      """
      2:74: error: unknown member 'never' of Duration
      """),
  ]

  static let proposals = [
    Row(
      "what only the type has, and only its objects have",
      "let q = DispatchQueue()\nmain { q.main.async { }; DispatchQueue.async { }; q.global().async { } }",
      """
      2:10: error: unknown member 'main' of DispatchQueue; did you mean 'DispatchQueue.main'?
      2:40: error: 'async' is a member of each DispatchQueue, not of the type
      2:53: error: unknown member 'global' of DispatchQueue; did you mean 'DispatchQueue.global'?
      """),
    Row(
      "a call that fits no overload is judged by the one with its labels",
      "let q = DispatchQueue()\nmain { io(1s, queue: q); io(1s) { }; q.asyncAfter(deadline: .now()) }",
      """
      2:8: error: 'io' needs a closure
      2:33: error: 'io' takes no closure here
      2:40: error: 'asyncAfter' needs a closure
      """),
    Row(
      "a signal with its point and without", "main { raise(.SIGHUP); raise(SIGTERM) }", "ok"),
    Row(
      "labels of other interfaces",
      "main { _ = DispatchQueue(name: \"q\", qualityOfService: .utility)\nDispatchQueue.main.asyncAfter(deadLine: .now()) { } }",
      """
      1:26: error: unknown argument 'name' of 'DispatchQueue'; did you mean 'label'?
      2:31: error: unknown argument 'deadLine' of 'asyncAfter'; did you mean 'deadline'?
      """),
    Row(
      "what is over when the call returns may set what a closure is lent",
      "let q = DispatchQueue()\nlet t = DispatchOnce()\nlet o = Mutex(0)\nmain { o.withLock { n in\nq.sync { n += 1 }\nonce(t) { n += 1 }\nq.concurrentPerform(iterations: 2) { n += 1 } } }",
      "ok"),
    Row(
      "what runs later, wherever it is made, reads nothing of that",
      "let q = DispatchQueue()\nlet o = Mutex([1])\nmain { o.withLock { a in q.concurrentPerform(iterations: 2) {\na.append(1)\na[0] = 2\nq.async { record(\"n\", a.count) } } } }",
      """
      6:9: error: a closure that may run later, or on several threads, can't use 'a', which is 'inout'; give its value to a 'var' of its own
      """),
  ]

  @Test(
    "the phase of the pool's monitor is less than its period",
    arguments: [
      ("0s", Int64(0)), ("250ms", 250_000_000), ("999999999ns", 999_999_999), ("1s", nil),
      ("2s", nil), ("-1ms", nil),
    ])
  func monitorPhase(text: String, phase: Int64?) {
    let made = CompilerSupport.compile("machine { monitorPhase: \(text) }\nmain { }")
    #expect(made.program?.machine.monitorPhase?.rawValue == phase)
    #expect(made.diagnostics.count == (phase == nil ? 1 : 0))
  }

  @Test(
    "a value under a key has the type of the first one in the text, and queues' keys are apart from threads'"
  )
  func specifics() {
    let text = """
      let q = DispatchQueue()
      main {
        if DispatchQueue.getSpecific(key: "k") == 5s { mark("x") }
        Thread.current.threadDictionary["k"] = 3
        q.setSpecific(key: "k", value: 5s)
        q.setSpecific(key: "k", value: nil)
      }
      """
    #expect(CompilerSupport.report(text) == "ok")
  }

  @Test("what the command line puts in the place of a global queue may know barriers")
  func replacedQueue() {
    var overrides = Overrides()
    overrides.replacements = [
      Overrides.Assignment(name: "q", value: "DispatchQueue(attributes: .concurrent)")
    ]
    let text = "let q = DispatchQueue.global()\nmain { q.async(flags: .barrier) { } }"
    #expect(CompilerSupport.report(text, overrides) == "ok")
  }
}
