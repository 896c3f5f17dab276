/// Statements of random programs that need no more than a thread: values, locks, ways and waits.
///
/// In each `#n` is a name of its own, `#k` a small number, `#t` a time, `#b` 0 or 1, `#l` the number of a lock; `#S` are
/// statements that stand where it does, `#I` those of an item, `#T` of a thread, `#A` of a task.
extension RandomProgram {
  /// What takes time or notes something, in any code.
  static let doing = [
    "work(#t)",
    "work(exponential(#t))",
    "work(uniform(1us, 400us))",
    "count(#k)",
    "mark(\"m#k\")",
    "print(\"p\", #k, now > .distantPast)",
    "work(length(#k))",
    "if Bool(probability: 0.3) { count(#k) }",
    "work(max(1us, normal(50us, 9us)))",
    "work(choice(10us, 20us, 40us))",
    "work(pareto(5us, 2.5))",
    """
    allocate(64KB)
    work(#t)
    free(64KB)
    """,
    """
    autoreleasepool {
        autorelease(4KB)
        work(#t)
    }
    """,
  ]

  /// The same on a thread.
  static let doingOnThread = [
    "io(#t)",
    "yield()",
    "sleep(#t)",
  ]

  /// The same in a task.
  static let doingInTask = [
    "await io(#t)",
    "await Task.yield()",
    "try? await Task.sleep(for: #t)",
  ]

  /// What computes, and knows what must come of it.
  static let values = [
    """
    var #n = [3, 1, #k]
    #n.append(#k)
    #n.sort()
    precondition(#n.reduce(0, +) == #n.map { $0 * 2 }.reduce(0, +) / 2, "map")
    precondition(#n.first ?? 0 == #n.min() ?? 0, "sorted")
    count(#n[2])
    """,
    """
    var #n: [String: Int] = ["a": #k]
    #n["b", default: 1] += #k
    #n["a"] = nil
    precondition(#n.count == 1 && #n["a"] == nil, "dictionary")
    """,
    """
    var #n = Pair()
    #n.a = 5
    #n.swap()
    precondition(#n.b == 5 && #n.a == 0, "struct")
    """,
    """
    let #n: Kind = #k > 3 ? .large : .small
    switch #n {
    case .large: count(#k)
    case .small: work(#t)
    case .none: fatalError("no kind")
    }
    """,
    """
    var #na: Node? = Node(number: #k)
    let #nb = Node(number: #k)
    #nb.other = #na
    #na = nil
    precondition(#nb.other == nil, "weak")
    """,
    """
    let #n: Int? = #k > 2 ? #k : nil
    if let #nx = #n { count(#nx) } else { count(0) }
    """,
    """
    do {
        if #k > 3 { throw "away" }
        count(#k)
    } catch { count(6) }
    """,
    """
    let #n = { (n: Int) -> Int in n + 1 }
    count(#n(#k))
    """,
    """
    let #n = Set([1, 2, 5])
    precondition(#n.contains(5) && #n.count == 3, "set")
    """,
    """
    let #n = "\\(4)" + "x"
    precondition(#n == "4x", "text")
    """,
  ]

  /// What is done under a lock: nothing but work.
  static let guarded = [
    "locks[#l].withLock { work(#t) }",
    "recursive.withLock { recursive.withLock { work(#t) } }",
    "unfair.withLock { work(#t) }",
    "table.withReadLock { work(#t) }",
    "table.withWriteLock { work(#t) }",
    "condition.withLock { condition.broadcast() }",
    "condition.withLock { condition.signal() }",
    "once(token) { work(#t) }",
    """
    locks[1].lock()
    work(#t)
    locks[1].unlock()
    """,
    """
    if locks[2].try() {
        work(#t)
        locks[2].unlock()
    }
    """,
    """
    if locks[0].lock(before: .now() + #t) {
        work(#t)
        locks[0].unlock()
    }
    """,
    """
    if unfair.lockIfAvailable() {
        work(#t)
        unfair.unlock()
    }
    """,
    """
    if table.tryReadLock() {
        work(#t)
        table.unlock()
    }
    """,
    """
    stage.lock()
    work(#t)
    stage.unlock(withCondition: #b)
    """,
    """
    gate.wait()
    work(#t)
    gate.signal()
    """,
    """
    if gate.wait(timeout: .now() + #t) == .success {
        work(#t)
        gate.signal()
    }
    """,
  ]

  /// Waits that hold a thread, and end by themselves.
  static let waits = [
    "condition.withLock { _ = condition.wait(until: .now() + #t) }",
    "if stage.lock(whenCondition: 1, before: .now() + #t) { stage.unlock() }",
    "gpu.run(work: #t, bytes: 64KB)",
    "Thread.current.threadDictionary[\"k\"] = #k",
    "DispatchQueue.concurrentPerform(iterations: 4) { i in work(20us) }",
    """
    let #n = DispatchWorkItem { @Sendable in count(#k) }
    #n.perform()
    _ = #n.wait(timeout: .now() + 1s)
    """,
  ]

  /// Waits that need a worker, which an item may not wait for.
  static let waitsOfThreads = [
    "leaf.sync { count(#k) }",
    "leaf.sync { work(#t) }",
    "concurrent.sync(flags: .barrier) { work(#t) }",
    """
    let #n = Thread(name: "#n", threadPriority: 0.4) { work(#t) }
    #n.start()
    #n.join()
    """,
    "Thread.current.threadPriority = 0.6",
    "operations.addOperations([Operation { count(#k) }], waitUntilFinished: true)",
    """
    RunLoop.current.perform { count(#k) }
    RunLoop.current.run(until: .now() + #t)
    """,
    """
    perform(afterDelay: 10us) { work(5us) }
    RunLoop.current.run(until: .now() + #t)
    """,
  ]

  /// Ways through other statements.
  static let control = [
    """
    for #n in 0 ..< 3 {
        #S
        count(#n)
    }
    """,
    """
    if #k > 3 {
        #S
    } else {
        #S
    }
    """,
    """
    var #n = 2
    while #n > 0 {
        #n -= 1
        #S
    }
    """,
    """
    do {
        defer { count(#k) }
        #S
    }
    """,
    """
    repeat {
        #S
    } while Bool(probability: 0.2)
    """,
  ]
}
