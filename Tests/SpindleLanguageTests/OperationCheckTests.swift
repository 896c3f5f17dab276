import SpindleLanguage
import SpindleModel
import Testing

/// What is said of operations: bare names in their closures, `threadNames`, `state(of:)`.
@Suite struct OperationCheckTests {
  typealias Row = CheckingTests.Row

  @Test(arguments: names + forms + top)
  func isTold(row: Row) {
    #expect(CompilerSupport.report(row.text) == row.report, sourceLocation: row.location)
  }

  private static let start = "let o = Operation(isAsynchronous: true) { "
  private static let end = " }\nmain { o.start() }"

  static let names = [
    Row("members of the operation", start + "isFinished = !isExecuting; finish()" + end, "ok"),
    Row("any member", start + "addDependency(o); queuePriority = .high; cancel()" + end, "ok"),
    Row("self", start + "print(self.isCancelled); self.finish()" + end, "ok"),
    Row(
      "in a closure inside",
      start + "Thread.detachNewThread { isExecuting = true; finish() }" + end,
      "ok"),
    Row(
      "a name of the trace comes first",
      "func finish() { }\n" + start + "let isFinished = 3; print(isFinished + 1); finish()" + end,
      "ok"),
    Row("a closure may name its operation", start + "x in x.finish(); o.finish()" + end, "ok"),
    Row(
      "then there is no self", start + "x in self.finish(); x.finish()" + end,
      "1:48: error: 'self.finish()' is a member of an operation: use it in the closure of one"),
    Row(
      "a function may report for the operation that calls it",
      "func end() { isFinished = true; didChangeValue(forKey: \"isFinished\"); finish() }\n"
        + start + "end()" + end, "ok"),
    Row(
      "but not from a closure of its own",
      "func end() { Thread.detachNewThread { finish() } }\n" + start + "end()" + end,
      "1:39: error: 'finish()' is a member of an operation: use it in the closure of one"),
    Row(
      "nor does main", "main { isExecuting = true }",
      "1:8: error: 'isExecuting' is a member of an operation: use it in the closure of one"),
    Row(
      "a member that can't be set", start + "isCancelled = true" + end,
      "1:43: error: 'isCancelled' can only be read"),
    Row(
      "a mistaken member is no member", start + "finsh()" + end,
      "1:43: error: unknown name 'finsh'; did you mean 'finish'?"),
    Row(
      "a readiness is asked, and can't wait",
      "let o = Operation { }\nmain { o.ready(when: { io(1ms); return true }); o.start() }",
      "2:24: error: 'io' needs a thread, and the world outside has none; hand it to one: DispatchQueue.main.async { … }"
    ),
    Row(
      "a readiness is true or false",
      "let o = Operation { }\nmain { o.ready(when: { 3 }); o.start() }",
      "2:24: error: expected Bool, found Int"),
  ]

  private static let plain = "let o = Operation { "

  static let forms = [
    Row(
      "more blocks for a plain one",
      "let o = Operation { }\nmain { o.addExecutionBlock { }; o.start() }",
      "2:10: error: only a BlockOperation takes more than one block"),
    Row(
      "more blocks for an asynchronous one", start + "addExecutionBlock { }; finish()" + end,
      "1:43: error: only a BlockOperation takes more than one block"),
    Row(
      "more blocks for a block operation",
      "let o = BlockOperation { }\nmain { o.addExecutionBlock { }; o.start() }", "ok"),
    Row(
      "more blocks for one that a parameter names",
      "func more(_ o: Operation) { o.addExecutionBlock { } }\nlet o = BlockOperation { }\nmain { more(o); o.start() }",
      "ok"),
    Row(
      "a plain one that reports for itself", plain + "finish()" + end,
      "1:21: error: 'finish' is for an operation that reports for itself: make it with isAsynchronous: true"
    ),
    Row(
      "a plain one that sets its state", plain + "self.isFinished = true" + end,
      "1:26: error: 'isFinished' is for an operation that reports for itself: make it with isAsynchronous: true"
    ),
    Row(
      "by the name that its closure gives it",
      "let o = BlockOperation { x in x.isExecuting = true" + end,
      "1:33: error: 'isExecuting' is for an operation that reports for itself: make it with isAsynchronous: true"
    ),
    Row(
      "from outside", "let o = Operation { }\nmain { o.start(); o.finish() }",
      "2:21: error: 'finish' is for an operation that reports for itself: make it with isAsynchronous: true"
    ),
    Row("asking is for all", plain + "print(isFinished, isExecuting)" + end, "ok"),
    Row(
      "one that a value makes asynchronous",
      "func make(_ own: Bool) -> Operation { return Operation(isAsynchronous: own) { finish() } }\nlet o = make(true)\nmain { o.start() }",
      "ok"),
    Row(
      "a key that there is not", start + "didChangeValue(forKey: \"isfinished\")" + end,
      "1:66: error: no operation has a key 'isfinished'; did you mean 'isFinished'?"),
    Row(
      "nor before a change", start + "willChangeValue(forKey: \"status\"); finish()" + end,
      "1:67: error: no operation has a key 'status'"),
    Row(
      "a key that there is", start + "didChangeValue(forKey: \"isCancelled\"); finish()" + end, "ok"
    ),
  ]

  static let top = [
    Row("names of threads", "threadNames(\"1403\", \"3307\")\nmain { }", "ok"),
    Row(
      "none", "threadNames()\nmain { }",
      "1:1: error: threadNames takes the names of the pool's threads, such as \"1403\""),
    Row(
      "a computed one", "threadNames(\"a\\(1)\")\nmain { }",
      "1:13: error: threadNames takes the names of the pool's threads, such as \"1403\""),
    Row(
      "the state of an operation, and of an element",
      "let o = Operation { }\nlet all = [o]\nmain { o.start() }\nexpect { state(of: o) == .finished; state(of: all[0]) != .enqueued }",
      "ok"),
    Row(
      "a state that there is not",
      "let o = Operation { }\nmain { o.start() }\nexpect { state(of: o) == .done }",
      "3:26: error: unknown member 'done' of OperationState; there are .initialized, .enqueued, .dispatching, .starting, .executing, .finishing, .finished"
    ),
    Row(
      "the state of something else",
      "let q = OperationQueue()\nmain { }\nexpect { state(of: q) == .finished }",
      "3:20: error: state(of:) needs an operation at the top of the trace; 'q' is not one"),
  ]

  /// A closure that is given its operation has it as its first parameter, also without a name for it.
  @Test func closuresTakeTheirOperation() throws {
    let program = try CompilerSupport.program(
      """
      let o = BlockOperation { } teardown: { }
      main { o.addExecutionBlock { print(name) }; o.completionBlock = { }; o.start() }
      """)
    let counts = program.blocks.filter { program.names[Int($0.name.index)] == "closure" }
      .map(\.parameterCount)
    #expect(counts.sorted() == [0, 1, 1, 1])
  }

  @Test func threadNamesKeepTheirOrder() throws {
    let program = try CompilerSupport.program(
      "threadNames(\"b\", \"a\")\nthreadNames(\"c\")\nmain { }")
    #expect(program.threadNames.map { program.names[Int($0.index)] } == ["b", "a", "c"])
  }
}
