extension TaskProgram {
  /// Ways to hand work to others and to wait for all of it, as statements that end with `return`.
  private static let parts: [@Sendable (inout TaskProgram, Int, String) -> String] = [
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      "  DispatchQueue.concurrentPerform(iterations: \(count)) { i in cell.add(\(work)) }\n  return cell.sum\n"
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      """
        let group = DispatchGroup()
        for i in 0..<\(count) { DispatchQueue.global(\(p.qos())).async(group: group) { cell.add(\(work)) } }
        group.wait()
        return cell.sum

      """
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      """
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "q"\(p.kind()))
        for i in 0..<\(count) {
          group.enter()
          queue.async { cell.add(\(work)); group.leave() }
        }
        let ready = DispatchSemaphore(value: 0)
        group.notify(queue: queue) { cell.add(1); ready.signal() }
        ready.wait()
        return cell.sum

      """
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      """
        let done = DispatchSemaphore(value: 0)
        for i in 0..<\(count) { Thread { cell.add(\(work)); done.signal() }.start() }
        for _ in 0..<\(count) { done.wait() }
        return cell.sum

      """
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      """
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = \(1 + p.below(3))
        for i in 0..<\(count) { queue.addOperation { cell.add(\(work)) } }
        queue.waitUntilAllOperationsAreFinished()
        return cell.sum

      """
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      p.chain(count, work)
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      """
        let queue = DispatchQueue(label: "q", attributes: .concurrent)
        for i in 0..<\(count) { queue.async { cell.add(\(work)) } }
        queue.async(flags: .barrier) { cell.note("total \\(cell.sum)") }
        queue.sync(flags: .barrier) { cell.add(2) }
        print(cell.all)
        return cell.sum

      """
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      """
        let item = DispatchWorkItem { cell.add(\(p.number())) }
        let ready = DispatchSemaphore(value: 0)
        item.notify(queue: .global()) { cell.add(3); ready.signal() }
        DispatchQueue.global().async(execute: item)
        item.wait()
        ready.wait()
        return cell.sum

      """
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      p.conditions(count, work)
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      """
        let total = Mutex(\(p.below(9)))
        DispatchQueue.concurrentPerform(iterations: \(count)) { i in total.withLock { $0 += \(work) } }
        cell.add(total.withLock { $0 })
        return cell.sum

      """
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      p.sameThread()
    },
    { (p: inout TaskProgram, count: Int, work: String) -> String in
      """
        let queue = DispatchQueue(label: "q")
        let inner = DispatchQueue(label: "inner", target: queue)
        for i in 0..<\(count) { (i % 2 == 0 ? queue : inner).async { cell.add(\(work)) } }
        queue.sync { cell.add(\(p.number())) }
        return inner.sync { cell.sum }

      """
    },
  ]

  /// Statements of a function of `n` that hand work to others, wait for all of it, and return a sum.
  mutating func parallel() -> String {
    let count = 1 + below(4)
    let work = with("i") { $0.number() }
    return "  let cell = Cell\(seed)()\n" + values.random.pick(Self.parts)(&self, count, work)
  }

  private mutating func kind() -> String {
    values.random.pick(["", ", attributes: .concurrent", ", qos: .utility"])
  }

  private mutating func qos() -> String {
    values.random.pick(["", "qos: .utility", "qos: .userInitiated", "qos: .background"])
  }

  /// Operations one after the other, some of which are cancelled.
  private mutating func chain(_ count: Int, _ work: String) -> String {
    let cancels = below(2) == 0 ? "    if i == 1 { operation.cancel() }\n" : ""
    return """
        let queue = OperationQueue()
        var last: Operation?
        for i in 0..<\(count) {
          let operation = BlockOperation { cell.note("op \\(\(work))") }
          if let last { operation.addDependency(last) }
      \(cancels)    operation.completionBlock = { cell.add(1) }
          last = operation
          queue.addOperation(operation)
        }
        queue.waitUntilAllOperationsAreFinished()
        print(cell.all, last?.isFinished ?? false)
        return cell.all.count

      """
  }

  /// One that waits for a condition that the others make true.
  private mutating func conditions(_ count: Int, _ work: String) -> String {
    """
      let condition = NSCondition()
      let left = Cell\(seed)()
      for i in 0..<\(count) {
        DispatchQueue.global().async {
          cell.add(\(work))
          condition.lock()
          left.add(1)
          condition.\(values.random.pick(["signal", "broadcast"]))()
          condition.unlock()
        }
      }
      condition.lock()
      while left.sum < \(count) { condition.wait() }
      condition.unlock()
      return cell.sum

    """
  }

  /// What is done at once, with a lock that may be taken twice.
  private mutating func sameThread() -> String {
    """
      let lock = NSRecursiveLock()
      func down(_ depth: Int) -> Int {
        lock.lock()
        defer { lock.unlock() }
        return depth == 0 ? \(number()) : down(depth - 1) + depth
      }
      cell.add(down(\(1 + below(4))))
      let thread = lock.try()
      if thread { lock.unlock() }
      print("taken", thread)
      return cell.sum

    """
  }

  /// Work that prints in the order of a serial queue, a statement that is waited for at its end.
  mutating func ordered() -> String {
    let name = fresh("q") + "n\(seed)"
    let count = 1 + below(4)
    let work = with("i") { $0.number() }
    let outer = values.scope
    values.scope = [ProgramVariable(name: "i", type: .int)]
    let own = number()
    values.scope = outer
    declarations += """
      func \(name)() {
        let queue = DispatchQueue(label: "ordered")
        for i in 0..<\(count) { queue.async { print("line", i, \(own)) } }
        queue.sync { print("all") }
      }

      """
    return "\(name)()\n  for i in 0..<\(count) { await MainActor.run { print(i, \(work)) } }"
  }
}
