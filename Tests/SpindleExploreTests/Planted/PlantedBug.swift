import Testing

/// A bug of concurrency that somebody has put into a small program, and the program without it.
///
/// Whoever is involved is called 'one', 'two' or 'main'. The normal run passes in both.
struct PlantedBug: Sendable, CustomTestStringConvertible {
  let name: String
  /// What else the top level has.
  var declarations = ""
  /// What starts 'one' and 'two', with the bug and without it.
  let wrong: String
  let right: String
  /// What waits for both, and looks at what they did.
  var joins = Self.joinsOfThreads
  /// What must hold under every schedule.
  let expected: String

  var testDescription: String { name }

  static let joinsOfThreads = "one.join()\n    two.join()"
  static let joinsOfTasks = "await one.value\n    await two.value"

  /// The trace; the seed draws what others do beside it.
  func text(seed: UInt64, isRight: Bool) -> String {
    var numbers = Numbers(seed &+ 77)
    func noise(_ name: String) -> String {
      "    let \(name) = Thread(name: \"\(name)\") { "
        + numbers.pick([
          "d.withLock { other += 1 }", "d.withLock { other += 2 }; d.withLock { other -= 1 }",
          "_ = free.wait(timeout: .distantFuture); free.signal()", "work(1us)",
          "noise.sync { other += 1 }", "noise.async(group: rest) { other += 1 }",
        ]) + " }\n"
    }
    let threads = noise("x") + noise("y")
    let startsBefore = numbers.below(2) == 0
    return """
      trace "\(name) \(seed)"
      machine { platform: .ideal; cores: \(numbers.pick(["4", "6", "8"])) }
      let a = NSLock()
      let b = NSLock()
      let d = NSLock()
      let free = DispatchSemaphore(value: 1)
      let noise = DispatchQueue(label: "noise")
      let rest = DispatchGroup()
      var first = 0
      var second = 0
      var seen = 1
      var other = 0
      \(declarations)
      main(.tool) {
      \(threads)    x.start()
      \(startsBefore ? "    y.start()\n" : "")    \(isRight ? right : wrong)
      \(startsBefore ? "" : "    y.start()\n")    \(joins)
          x.join()
          y.join()
          rest.wait()
      }
      expect { \(expected) }
      """
  }

  /// Threads 'one' and 'two' that do this and that.
  private static func threads(_ one: String, _ two: String) -> String {
    """
    let one = Thread(name: "one") { \(one) }
        let two = Thread(name: "two") { \(two) }
        one.start()
        two.start()
    """
  }

  private static func tasks(_ one: String, _ two: String) -> String {
    """
    let one = Task.detached(name: "one") { \(one) }
        let two = Task.detached(name: "two") { \(two) }
    """
  }
}

extension PlantedBug {
  static let all = locks + waits + queues + tasks

  private static let locks = [
    PlantedBug(
      name: "order of two variables",
      wrong: threads(
        "a.withLock { first = 1 }; b.withLock { second = 1 }",
        "var f = 0; a.withLock { f = first }; if f == 1 { b.withLock { seen = second } }"),
      right: threads(
        "a.withLock { first = 1; second = 1 }",
        "a.withLock { if first == 1 { seen = second } }"),
      expected: "value(seen) == 1"),
    PlantedBug(
      name: "published too early",
      wrong: threads(
        "a.withLock { first = 1 }; a.withLock { second = 1 }",
        "a.withLock { if first == 1 { seen = second } }"),
      right: threads(
        "a.withLock { second = 1 }; a.withLock { first = 1 }",
        "a.withLock { if first == 1 { seen = second } }"),
      expected: "value(seen) == 1"),
    PlantedBug(
      name: "lock order",
      wrong: threads(
        "a.withLock { b.withLock { first += 1 } }", "b.withLock { a.withLock { first += 1 } }"),
      right: threads(
        "a.withLock { b.withLock { first += 1 } }", "a.withLock { b.withLock { first += 1 } }"),
      expected: "value(first) == 2"),
    PlantedBug(
      name: "lost update",
      wrong: threads(
        "var n = 0; a.withLock { n = first }; a.withLock { first = n + 1 }",
        "var n = 0; a.withLock { n = first }; a.withLock { first = n + 1 }"),
      right: threads("a.withLock { first += 1 }", "a.withLock { first += 1 }"),
      expected: "value(first) == 2"),
    PlantedBug(
      name: "check, then act",
      wrong: threads(
        "var n = 0; a.withLock { n = first }; if n == 0 { a.withLock { first += 1 } }",
        "var n = 0; a.withLock { n = first }; if n == 0 { a.withLock { first += 1 } }"),
      right: threads(
        "a.withLock { if first == 0 { first += 1 } }",
        "a.withLock { if first == 0 { first += 1 } }"),
      expected: "value(first) == 1"),
    PlantedBug(
      name: "used when it is closed",
      wrong: threads(
        "var n = 0; a.withLock { n = seen }; if n == 1 { a.withLock { precondition(seen == 1) } }",
        "a.withLock { seen = 0 }"),
      right: threads(
        "a.withLock { if seen == 1 { precondition(seen == 1) } }", "a.withLock { seen = 0 }"),
      expected: "value(seen) == 0"),
    PlantedBug(
      name: "gives up where the lock is taken",
      wrong: threads(
        "if a.try() { first += 1; a.unlock() }", "if a.try() { first += 1; a.unlock() }"),
      right: threads("a.lock(); first += 1; a.unlock()", "a.lock(); first += 1; a.unlock()"),
      expected: "value(first) == 2"),
    PlantedBug(
      name: "two locks for one variable",
      wrong: threads("a.withLock { first += 1 }", "b.withLock { first += 1 }"),
      right: threads("b.withLock { first += 1 }", "b.withLock { first += 1 }"),
      expected: "value(first) == 2"),
  ]

  private static let waits = [
    PlantedBug(
      name: "lost signal", declarations: "let c = NSCondition()",
      wrong: threads(
        "c.lock(); c.wait(); c.unlock()", "c.lock(); first = 1; c.signal(); c.unlock()"),
      right: threads(
        "c.lock(); while first == 0 { c.wait() }; c.unlock()",
        "c.lock(); first = 1; c.signal(); c.unlock()"),
      expected: "value(first) == 1"),
    PlantedBug(
      name: "changed behind the signal", declarations: "let c = NSCondition()",
      wrong: threads(
        "c.lock(); if first == 0 { c.wait() }; seen = first; c.unlock()",
        "c.lock(); c.signal(); c.unlock(); c.lock(); first = 1; c.unlock()"),
      right: threads(
        "c.lock(); while first == 0 { c.wait() }; seen = first; c.unlock()",
        "c.lock(); first = 1; c.signal(); c.unlock()"),
      expected: "value(seen) == 1"),
    PlantedBug(
      name: "semaphore lets two in", declarations: "let gate = DispatchSemaphore(value: 2)",
      wrong: threads(
        "gate.wait(); first += 1; gate.signal()", "gate.wait(); first += 1; gate.signal()"),
      right: threads(
        "gate.wait(); a.withLock { first += 1 }; gate.signal()",
        "gate.wait(); a.withLock { first += 1 }; gate.signal()"),
      expected: "value(first) == 2"),
    PlantedBug(
      name: "semaphores in two orders",
      declarations: """
        let left = DispatchSemaphore(value: 1)
        let right = DispatchSemaphore(value: 1)
        """,
      wrong: threads(
        "left.wait(); right.wait(); first += 1; right.signal(); left.signal()",
        "right.wait(); left.wait(); first += 1; left.signal(); right.signal()"),
      right: threads(
        "left.wait(); right.wait(); first += 1; right.signal(); left.signal()",
        "left.wait(); right.wait(); first += 1; right.signal(); left.signal()"),
      expected: "value(first) == 2"),
    PlantedBug(
      name: "group entered too late", declarations: "let g = DispatchGroup()",
      wrong: threads("g.enter(); a.withLock { first = 1 }; g.leave()", "work(1us)"),
      right: "g.enter()\n    "
        + threads("a.withLock { first = 1 }; g.leave()", "work(1us)"),
      joins: "work(1ms)\n    g.wait()\n    a.withLock { seen = first }\n    " + joinsOfThreads,
      expected: "value(seen) == 1"),
    PlantedBug(
      name: "group left too early", declarations: "let g = DispatchGroup()",
      wrong: "g.enter()\n    "
        + threads("g.leave(); a.withLock { first = 1 }", "g.wait(); a.withLock { seen = first }"),
      right: "g.enter()\n    "
        + threads("a.withLock { first = 1 }; g.leave()", "g.wait(); a.withLock { seen = first }"),
      expected: "value(seen) == 1"),
  ]

  private static let queues = [
    PlantedBug(
      name: "no barrier",
      declarations: """
        let items = DispatchQueue(label: "items", attributes: .concurrent)
        let g = DispatchGroup()
        """,
      wrong: """
        items.async(name: "one", group: g) { first += 1 }
            items.async(name: "two", group: g) { first += 1 }
        """,
      right: """
        items.async(name: "one", group: g, flags: .barrier) { first += 1 }
            items.async(name: "two", group: g, flags: .barrier) { first += 1 }
        """,
      joins: "g.wait()", expected: "value(first) == 2"),
    PlantedBug(
      name: "waits for a queue under a lock",
      declarations: """
        let items = DispatchQueue(label: "items")
        let g = DispatchGroup()
        """,
      wrong: """
        let one = Thread(name: "one") { a.withLock { items.sync { first += 1 } } }
            one.start()
            sleep(1ms)
            items.async(name: "two", group: g) { a.withLock { second += 1 } }
        """,
      right: """
        let one = Thread(name: "one") { items.sync { first += 1 } }
            one.start()
            sleep(1ms)
            items.async(name: "two", group: g) { a.withLock { second += 1 } }
        """,
      joins: "one.join()\n    g.wait()", expected: "value(first) == 1"),
    PlantedBug(
      name: "dependency too late", declarations: "let operations = OperationQueue()",
      wrong: """
        let one = BlockOperation(name: "one") { a.withLock { first = 1 } }
            let two = BlockOperation(name: "two") { a.withLock { seen = first } }
            operations.addOperation(one)
            operations.addOperation(two)
            two.addDependency(one)
        """,
      right: """
        let one = BlockOperation(name: "one") { a.withLock { first = 1 } }
            let two = BlockOperation(name: "two") { a.withLock { seen = first } }
            two.addDependency(one)
            operations.addOperation(one)
            operations.addOperation(two)
        """,
      joins: "operations.waitUntilAllOperationsAreFinished()", expected: "value(seen) == 1"),
  ]

  private static let tasks = [
    PlantedBug(
      name: "actor entered at an await",
      declarations: """
        actor Cache {
            var kept = 0
            var loads = 0
            func load() async {
                if kept == 0 { await io(1ms); loads += 1; kept = 1 }
            }
            func loadOnce() async {
                if kept == 0 { kept = 1; loads += 1; await io(1ms) }
            }
        }
        let cache = Cache()
        """,
      wrong: tasks("await cache.load()", "await Task.sleep(for: 5ms); await cache.load()"),
      right: tasks("await cache.loadOnce()", "await Task.sleep(for: 5ms); await cache.loadOnce()"),
      joins: joinsOfTasks + "\n    first = await cache.loads", expected: "value(first) == 1"),
    PlantedBug(
      name: "actor asked twice",
      declarations: """
        actor Account {
            var sum = 0
            func set(_ number: Int) { sum = number }
            func add(_ number: Int) { sum += number }
        }
        let account = Account()
        """,
      wrong: tasks(
        "let n = await account.sum; await account.set(n + 1)",
        "await Task.sleep(for: 5ms); let n = await account.sum; await account.set(n + 1)"),
      right: tasks(
        "await account.add(1)", "await Task.sleep(for: 5ms); await account.add(1)"),
      joins: joinsOfTasks + "\n    first = await account.sum", expected: "value(first) == 2"),
    PlantedBug(
      name: "stream ended by the other one",
      declarations: "let (events, input) = AsyncStream.makeStream(of: Int.self)",
      wrong: """
        let reader = Task.detached(name: "reader") { for await _ in events { first += 1 } }
            \(tasks(
          "await io(1ms); _ = input.yield(1)", "await io(3ms); _ = input.yield(2); input.finish()"))
        """,
      right: """
        let reader = Task.detached(name: "reader") { for await _ in events { first += 1 } }
            let one = Task.detached(name: "one") { await io(1ms); _ = input.yield(1) }
            let two = Task.detached(name: "two") {
                _ = input.yield(2)
                await one.value
                input.finish()
            }
        """,
      joins: joinsOfTasks + "\n    await reader.value", expected: "value(first) == 2"),
    PlantedBug(
      name: "resumed twice",
      declarations: """
        var waiting: CheckedContinuation<Int, Never>? = nil
        let ready = DispatchSemaphore(value: 0)
        """,
      wrong: """
        let waiter = Task.detached(name: "waiter") {
                second = await withCheckedContinuation { c in waiting = c; ready.signal() }
            }
            ready.wait()
            \(threads(
          "var n = 0; a.withLock { n = first }; if n == 0 { a.withLock { first = 1 }; waiting?.resume(returning: 1) }",
          "var n = 0; a.withLock { n = first }; if n == 0 { a.withLock { first = 1 }; waiting?.resume(returning: 1) }"
        ))
        """,
      right: """
        let waiter = Task.detached(name: "waiter") {
                second = await withCheckedContinuation { c in waiting = c; ready.signal() }
            }
            ready.wait()
            \(threads(
          "var n = 0; a.withLock { n = first; first = 1 }; if n == 0 { waiting?.resume(returning: 1) }",
          "var n = 0; a.withLock { n = first; first = 1 }; if n == 0 { waiting?.resume(returning: 1) }"
        ))
        """,
      expected: "value(first) == 1"),
  ]
}
