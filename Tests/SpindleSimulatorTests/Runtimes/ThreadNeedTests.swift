import SpindleModel
import TestSupport
import Testing

/// What needs a thread and comes to code without one by a way that no check sees: a crash that says so.
@Suite struct ThreadNeedTests {
  /// What code does, the name by which it is told, and what stands at the top for it.
  struct Row: Sendable, CustomTestStringConvertible {
    let statement: String
    let need: String
    let top: String

    init(_ statement: String, _ need: String, _ top: String = "") {
      (self.statement, self.need, self.top) = (statement, need, top)
    }

    var testDescription: String { statement }

    /// Whether the top of a trace may do it: it takes a lock that nobody else can have.
    var isFreeAtTop: Bool {
      keepsLock || statement == "l.unlock()" || statement.contains("withLock")
    }

    /// Whether it has a lock behind that.
    var keepsLock: Bool { statement == "l.lock()" }
  }

  static let rows: [Row] = [
    Row("work(1ms)", "work"), Row("work(0ms)", "work"), Row("work(exponential(1ms))", "work"),
    Row("var d = 1ms; d += 1ms; work(d)", "work"), Row("io(1ms)", "io"), Row("sleep(1ms)", "sleep"),
    Row("sleep(until: now + 1s)", "sleep"), Row("Thread.sleep(forTimeInterval: 1s)", "sleep"),
    Row("yield()", "yield"), Row("autorelease(1KB)", "autorelease"),
    Row("autoreleasepool { print(1) }", "autoreleasepool"),
    Row("t.join()", "join", "let t = Thread(joinable: true) { }"),
    Row("_ = t.join(timeout: now + 1s)", "join", "let t = Thread(joinable: true) { }"),
    Row("print(Thread.current.name)", "current"), Row("print(Thread.isMainThread)", "isMainThread"),
    Row("Thread.exit()", "exit"), Row("print(RunLoop.current.currentMode == nil)", "current"),
    Row("l.lock()", "lock", "let l = NSLock()"), Row("l.unlock()", "unlock", "let l = NSLock()"),
    Row("l.withLock { print(1) }", "lock", "let l = NSRecursiveLock()"),
    Row("l.withLock { $0 += 1 }", "lock", "let l = Mutex(0)"),
    Row("print(l.lock(before: now + 1s))", "lock", "let l = NSLock()"),
    Row("print(l.try())", "try", "let l = NSLock()"),
    Row("l.lock(whenCondition: 1)", "lock", "let l = NSConditionLock(condition: 1)"),
    Row(
      "print(l.lock(whenCondition: 1, before: now + 1s))", "lock",
      "let l = NSConditionLock(condition: 1)"),
    Row("print(l.tryLock(whenCondition: 1))", "try", "let l = NSConditionLock(condition: 1)"),
    Row("l.unlock(withCondition: 1)", "unlock", "let l = NSConditionLock(condition: 1)"),
    Row("c.wait()", "wait", "let c = NSCondition()"),
    Row("print(c.wait(until: now + 1s))", "wait", "let c = NSCondition()"),
    Row("l.readLock()", "readLock", "let l = ReadWriteLock()"),
    Row("l.writeLock()", "writeLock", "let l = ReadWriteLock()"),
    Row("print(l.tryReadLock())", "tryReadLock", "let l = ReadWriteLock()"),
    Row("print(l.tryWriteLock())", "tryWriteLock", "let l = ReadWriteLock()"),
    Row("l.withReadLock { print(1) }", "readLock", "let l = ReadWriteLock()"),
    Row("l.withWriteLock { print(1) }", "writeLock", "let l = ReadWriteLock()"),
    Row("s.wait()", "wait", "let s = DispatchSemaphore(value: 1)"),
    Row("g.wait()", "wait", "let g = DispatchGroup()"),
    Row("item.wait()", "wait", "let item = DispatchWorkItem { }"),
    Row("item.perform()", "perform", "let item = DispatchWorkItem { }"),
    Row("q.sync { print(1) }", "sync", "let q = DispatchQueue(label: \"q\")"),
    Row(
      "q.sync(execute: item)", "sync",
      "let q = DispatchQueue(label: \"q\")\nlet item = DispatchWorkItem { }"),
    Row(
      "print(DispatchQueue.getSpecific(key: \"k\") ?? 1)", "getSpecific",
      """
      let q = DispatchQueue(label: "q")
      func keep() { q.setSpecific(key: "k", value: 1) }
      """),
    Row("DispatchQueue.concurrentPerform(iterations: 2) { i in print(i) }", "concurrentPerform"),
    Row("dispatchMain()", "dispatchMain"),
    Row("dispatchPrecondition(condition: .onQueue(.main))", "dispatchPrecondition"),
    Row("dispatchPrecondition(condition: .notOnQueue(.main))", "dispatchPrecondition"),
    Row("once(token) { print(1) }", "once", "let token = DispatchOnce()"),
    Row("gpu.run(work: 1ms)", "run", "let gpu = Accelerator(name: \"gpu\")"),
    Row("RunLoop.main.run()", "run"), Row("RunLoop.main.run(until: now + 1s)", "run"),
    Row("_ = RunLoop.main.run(mode: .default, before: now + 1s)", "run"),
    Row("CFRunLoopRun()", "CFRunLoopRun"),
    Row("_ = CFRunLoopRunInMode(.defaultMode, 1s, false)", "CFRunLoopRunInMode"),
    Row("print(RunLoop.main.limitDate(forMode: .default) == nil)", "limitDate"),
    Row("perform(afterDelay: 1s) { print(1) }", "perform"),
    Row("cancelPreviousPerforms()", "cancelPreviousPerforms"),
    Row("timer.fire()", "fire", "let timer = Timer(timeInterval: 1s, repeats: false) { _ in }"),
    Row(
      "_ = Timer.scheduledTimer(withTimeInterval: 1s, repeats: false) { _ in }", "scheduledTimer"),
    Row("op.start()", "start", "let op = BlockOperation { }"),
    Row("op.waitUntilFinished()", "waitUntilFinished", "let op = BlockOperation { }"),
    Row("print(isCancelled)", "isCancelled"),
    Row("print(OperationQueue.current == nil)", "current"),
    Row(
      "queue.waitUntilAllOperationsAreFinished()", "waitUntilAllOperationsAreFinished",
      "let queue = OperationQueue()"),
    Row(
      "queue.addOperations([BlockOperation { }], waitUntilFinished: true)", "waitUntilFinished",
      "let queue = OperationQueue()"),
    Row("print(Task.isCancelled)", "isCancelled"),
    Row("_ = try? Task.checkCancellation()", "checkCancellation"),
    Row("print(Task.currentPriority == .low)", "currentPriority"),
    Row("print(Task.basePriority == nil)", "basePriority"),
    Row("print(Task.name ?? \"none\")", "name"),
    Row("MainActor.assumeIsolated { print(1) }", "assumeIsolated"),
    Row("MainActor.preconditionIsolated()", "assumeIsolated"),
    Row(
      "Trace.$id.withValue(1) { print(1) }", "withValue",
      "enum Trace { @TaskLocal static var id = 0 }"),
  ]

  /// Ways to code that runs without a thread, with the thing in the place of `%`.
  static let ways: [(name: String, trace: String)] = [
    (
      "a closure that 'main' keeps and 'at' calls",
      """
      var f: () -> Void = { }
      main { f = { % } }
      at(1s) { f() }
      """
    ),
    (
      "an array of closures in 'arrivals'",
      """
      var list: [() -> Void] = []
      main { list.append { % } }
      arrivals(every: 1s, count: 2) { list.forEach { $0() } }
      """
    ),
    (
      "the 'deinit' of what 'at' lets go of",
      """
      final class Screen { deinit { % } }
      var screen: Screen? = Screen()
      main { }
      at(1s) { screen = nil }
      """
    ),
  ]

  @Test(arguments: rows)
  func crashesInTheWorldOutside(row: Row) {
    for (way, trace) in Self.ways {
      let run = Self.run(trace, row)
      #expect(Self.errors(of: run) == [], "\(way)")
      #expect(run.record?.outcome.kind == .crashed, "\(way)\n\(run.log)")
      #expect(
        run.record?.outcome.message
          == "'\(row.need)' needs a thread, and the world outside has none; hand it to one: DispatchQueue.main.async { … }",
        "\(way)")
      #expect(run.record?.outcome.place != nil, "\(way)")
    }
  }

  @Test(arguments: rows)
  func crashesAtTheTop(row: Row) {
    let run = Self.run("let f: () -> Void = { % }\nlet made: Void = f()\nmain { _ = made }", row)
    #expect(Self.errors(of: run) == [])
    if row.keepsLock {
      #expect(
        run.record?.outcome.message
          == "the top of a trace takes 'l' and never lets go of it: take it in 'main'")
      return
    }
    if row.isFreeAtTop {
      #expect(run.record?.outcome.kind == .finished, "\(run.log)")
      return
    }
    #expect(run.record?.outcome.kind == .crashed, "\(run.log)")
    #expect(
      run.record?.outcome.message
        == "'\(row.need)' needs a thread, and the top of a trace has none: write it in 'main'")
    #expect(run.record?.outcome.place != nil)
  }

  /// What is done is known before the run where the closure is called where it stands.
  @Test(arguments: rows)
  func isRefusedWhereItStands(row: Row) {
    let atTop = Self.run("let made: Void = { % }()\nmain { _ = made }", row)
    let isToldAtTop = atTop.messages.contains { $0.contains("the top of a trace has none") }
    let outside = Self.run("main { }\nat(1s) { { % }() }", row)
    let isTold = outside.messages.contains { $0.contains("the world outside has none") }
    // Whether this needs one depends on what it is given.
    let isSeen = !row.statement.contains("waitUntilFinished: true")
    #expect(isToldAtTop == (isSeen && !row.isFreeAtTop), "\(atTop.messages)")
    #expect(isTold == isSeen, "\(outside.messages)")
  }

  @Test func nothingIsMissing() {
    var done: Set<Primitive> = []
    for row in Self.rows {
      for instruction in Self.run("main { % }", row).program?.instructions ?? [] {
        if case .perform(let primitive, _, _) = instruction { done.insert(primitive) }
      }
    }
    let missing = Primitive.allCases.filter { $0.threadNeed != nil && !done.contains($0) }
    // An operation alone says so of itself, and tasks alone can do the others.
    let others: Set<String> = ["operation", "task", "taskGroup", "continuation", "asyncStream"]
    #expect(missing.filter { !others.contains(String("\($0)".prefix { $0 != "." })) } == [])
  }

  private static func errors(of run: TestRun) -> [String] {
    run.messages.filter { $0.contains(": error: ") }
  }

  private static func run(_ trace: String, _ row: Row) -> TestRun {
    TestRun(
      """
      machine { platform: .iOS; cores: 2 }
      \(row.top)
      \(trace.replacing("%", with: row.statement))
      """)
  }
}
