import Testing

/// Programs that make one kind of thing without end; `// here` stands in the line that makes it.
struct StorageRow: Sendable, CustomTestStringConvertible {
  /// What there is most of at the end, as the crash calls it.
  let kind: String
  let trace: String

  var testDescription: String { "\(kind): \(trace)" }

  /// `statement` again and again, after `before` and with `around` at the top level.
  static func endless(
    _ kind: String, _ statement: String, around: String = "", before: String = ""
  ) -> StorageRow {
    StorageRow(
      kind: kind,
      trace: """
        machine { platform: .ideal; cores: 1 }
        \(around)
        main {
            \(before)
            while true {
                \(statement)  // here
            }
        }
        """)
  }

  /// A function that calls itself by way of `statement`, on a thread with a stack of 1 GB.
  static func deep(_ kind: String, _ statement: String, around: String = "") -> StorageRow {
    StorageRow(
      kind: kind,
      trace: """
        machine { platform: .ideal; cores: 1 }
        \(around)
        func f() {
            \(statement)  // here
        }
        main {
            Thread(name: "deep", stackSize: 1GB) { f() }.start()
        }
        """)
  }

  static let values = [
    endless("texts", "s = s + \"b\"", around: "var s = \"a\""),
    endless("texts", "Thread.detachNewThread { }", before: "Thread.current.name = \"main\""),
    endless("arrays", "a.append(1)", around: "var a = [1]"),
    endless("arrays", "let a = [1, 2, 3]"),
    endless(
      "arrays", "let n = q.operations.count", around: "let q = OperationQueue()",
      before: "q.isSuspended = true; q.addOperation { }"),
    deep("calls and closures", "f()"),
    endless(
      "values kept by keys",
      "let q = DispatchQueue(label: \"q\"); q.setSpecific(key: \"k\", value: 1)"),
    endless(
      "instances of classes", "let m = N(); m.next = last; last = m",
      around: "final class N { var next: N? }\nvar last: N? = nil"),
    endless("tasks, and what they wait for", "Task { }"),
    endless("objects that were released", "let g = DispatchGroup(); g.release()"),
  ]

  static let threads = [
    endless("threads", "each.async { }", around: "let each = ThreadPerTask()"),
    endless("threads", "let t = Thread(name: \"t\") { }"),
    endless("locks", "let l = NSLock()"),
    endless("semaphores", "let s = DispatchSemaphore(value: 1)"),
    endless("groups", "let g = DispatchGroup()"),
    endless("executors", "let p = ThreadPool(width: 1)"),
    endless("once tokens", "let o = DispatchOnce()"),
    endless("background tasks", "let t = app.beginBackgroundTask { }"),
    deep("autorelease pools", "autoreleasepool { f() }"),
    endless(
      "marks and lines that expectations ask about", "mark(\"m\")",
      around: "expect { crash.message == \"\" }"),
  ]

  static let queues = [
    StorageRow(
      kind: "items of work",
      trace: """
        machine { platform: .ideal; cores: 1 }
        let q = DispatchQueue(label: "q")
        func f() {
            q.async { f(); f() }  // here
        }
        main { f() }
        """),
    endless("items of work", "pool.async { }", around: "let pool = ThreadPool(width: 1)"),
    endless(
      "items of work", "g.notify(queue: .main) { }", around: "let g = DispatchGroup()",
      before: "g.enter()"),
    endless("items of work", "io(1h, queue: q) { }", around: "let q = DispatchQueue(label: \"q\")"),
    StorageRow(
      kind: "items of work",
      trace: """
        machine { platform: .ideal; cores: 1 }
        let pool = ThreadPool(width: 1)
        main { pool.async { sleep(1h) } }
        every(1ns) {
            pool.async { }  // here
        }
        """),
    endless("dispatch queues", "let q = DispatchQueue(label: \"q\")"),
    endless("work items", "let w = DispatchWorkItem { }"),
    endless("finalizers", "q.finalizer { }", around: "let q = DispatchQueue(label: \"q\")"),
    endless(
      "dispatch sources", "kept.append(DispatchSource.makeUserDataAddSource(queue: .main))",
      around: "var kept: [DispatchSource] = []"),
    endless("pipes", "let p = Pipe()"),
    endless("accelerators", "let a = Accelerator()"),
    endless("processes", "let p = Process(1h)"),
    endless(
      "messages", "s.send(1)",
      around: "let s = DispatchSource.makeMachReceiveSource(queue: .main)"),
    endless(
      "moments that are waited for", "s.schedule(deadline: .now() + 1h)",
      around: "let s = DispatchSource.makeTimerSource(queue: .main)",
      before: "s.setEventHandler { }; s.resume()"),
  ]

  static let operations = [
    endless("operations", "let o = Operation { }"),
    endless("operation queues", "let q = OperationQueue()"),
    endless(
      "closures of operations", "o.addExecutionBlock { }", around: "let o = BlockOperation { }"),
    endless(
      "dependencies of operations",
      "let o = Operation { }; for p in all { o.addDependency(p) }; all.append(o)",
      before: "var all = [Operation { }]"),
  ]

  static let runLoops = [
    endless(
      "run loops, their modes and what is in these",
      "CFRunLoopAddCommonMode(RunLoop.main, RunLoop.Mode(\"m\\(i)\")); i += 1", before: "var i = 0"),
    endless("timers", "let t = Timer(timeInterval: 1h, repeats: true) { t in }"),
    endless("timers", "perform(afterDelay: 1h) { }"),
    StorageRow(
      kind: "timers",
      trace: """
        machine { platform: .ideal; cores: 1 }
        main {
            let t = Timer.scheduledTimer(withTimeInterval: 1us, repeats: true) { t in
                perform(afterDelay: 1h) { }  // here
            }
        }
        """),
    endless("run loop sources", "let s = Source { }"),
    endless("ports", "let p = Port { m in }"),
    endless("ports", "io(1h, runLoop: RunLoop.main) { }"),
    endless("messages", "port.send(\"x\")", around: "let port = Port { m in }"),
    endless("observers", "let o = RunLoop.main.observe(.allActivities) { a in }"),
    endless("performed blocks and selectors", "RunLoop.main.perform { }"),
    StorageRow(
      kind: "performed blocks and selectors",
      trace: """
        machine { platform: .ideal; cores: 1 }
        func f() {
            perform(on: Thread.main) { f(); f() }  // here
        }
        main { f() }
        """),
  ]
}
