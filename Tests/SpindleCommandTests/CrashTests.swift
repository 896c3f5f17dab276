import SpindleSystem
import Testing

@testable import SpindleCommand

/// A crash is told with the calls that led to it, and with what was done with the object that it is about.
@Suite struct CrashTests {
  private func call(_ trace: String, _ command: String, _ arguments: String...) -> String {
    let text = "machine { platform: .macOS; cores: 2; costs: .zero }\n" + trace
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array(text.utf8))
    return Invocation([command, "-"] + arguments, environment: environment).flat
  }

  private static let pen = """
    final class Pen {
        private let ink = DispatchQueue(label: "ink")
        var left: Int { ink.sync { 3 } }
        func refill() { ink.async { print(self) } }
        deinit { print(left) }
    }
    func write() {
        let pen = Pen()
        pen.refill()
    }
    main {
        write()
        sleep(1s)
    }

    """

  @Test func callsLeadThroughADeinit() {
    let told = """
      calls Pen.left at 4:21 Pen.deinit at 6:20, run when the last reference was released in closure at \
      5:31 on 'worker-1' in 'ink.async:5' last uses of DispatchQueue 'ink' 0s: main makes DispatchQueue "ink", \
      serial (3:23) 0s: main submits nameless "ink.async:5" to "ink" (5:21)
      """
    let summary = call(Self.pen, "simulate")
    #expect(summary.contains(told), "\(summary)")
    let finding = call(Self.pen, "explain", "--finding", "1")
    #expect(finding.contains("Pen.deinit at 6:20, run when the last"), "\(finding)")
    let page = call(Self.pen, "explain")
    #expect(page.contains("dispatch_sync called on queue already owned"), "\(page)")
    #expect(page.contains("calls, innermost first: Pen.left at 4:21"), "\(page)")
  }

  @Test func callsOfFunctionsAndTasks() {
    let trace = """
      func divide(_ a: Int, by b: Int) -> Int { a / b }
      func half(_ n: Int) async -> Int { divide(n, by: 0) }
      main { Task(name: "t") { print(await half(4)) } }

      """
    let told = call(trace, "simulate")
    #expect(
      told.contains("calls divide at 2:43 half at 3:36 closure at 4:38 on 'worker-1' in 't'"),
      "\(told)")
  }

  @Test func deepStacksAreCut() {
    let trace = "func down(_ n: Int) { down(n + 1) }\nmain { down(0) }\n"
    let told = call(trace, "simulate")
    // 8 MB of stack have room for 32,768 frames of 256 bytes: of main, and of 32,767 calls.
    #expect(told.contains("stack overflow"), "\(told)")
    #expect(told.contains(" down at 2:23 and 32760 more on 'main'"), "\(told)")
  }

  /// A crash that a library raises, and what has to be said of its object.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let trace: String
    let uses: String

    init(_ claim: String, _ trace: String, _ uses: String) {
      (testDescription, self.trace, self.uses) = (claim, trace, uses)
    }
  }

  static let rows = [
    Row(
      "a semaphore that dies while taken",
      "var turns: DispatchSemaphore? = DispatchSemaphore(value: 1)\nmain {\nturns?.wait()\nturns = nil\n}\n",
      "of DispatchSemaphore 'turns' 0s: world makes DispatchSemaphore \"turns\", count 1 (2:33) "
        + "0s: main passes \"turns\", count 0 (4:1)"),
    Row(
      "a group that is left too often",
      "let g = DispatchGroup()\nmain {\ng.enter()\ng.leave()\ng.leave()\n}\n",
      "of DispatchGroup 'g' 0s: world makes DispatchGroup \"g\" (2:9) "
        + "0s: main enters \"g\", count 1 (4:1) 0s: main leaves \"g\", count 0 (5:1)"),
    Row(
      "a queue that is resumed too often",
      "let q = DispatchQueue(label: \"q\")\nmain {\nq.suspend()\nq.resume()\nq.resume()\n}\n",
      "of DispatchQueue 'q' 0s: world makes DispatchQueue \"q\", serial (2:9) "
        + "0s: main suspends queue \"q\", suspended 1 (4:1) 0s: main resumes queue \"q\", suspended 0 (5:1)"
    ),
    Row(
      "a queue that dies suspended",
      "var q: DispatchQueue? = DispatchQueue(label: \"q\")\nmain {\nq?.suspend()\nq = nil\n}\n",
      "0s: main suspends queue \"q\", suspended 1 (4:1)"),
    Row(
      "an unfair lock that is taken again",
      "let lock = OSAllocatedUnfairLock()\nfunc inner() { lock.lock() }\nmain {\nlock.lock()\ninner()\n}\n",
      "0s: main locks \"lock\" (5:1)"),
    Row(
      "an operation that is added after its end",
      "let queue = OperationQueue()\nlet op = BlockOperation { work(1ms) }\nmain {\nqueue.addOperation(op)\n"
        + "sleep(5ms)\nqueue.addOperation(op)\n}\n",
      "of Operation 'op' 0s: world makes Operation \"op\" (3:10) 0s: main submits \"op\" to \"queue\", "
        + "operation (5:1) 0s: worker-1 starts \"op\", waited 0s 1ms: worker-1 ends \"op\", latency 1ms"
    ),
  ]

  @Test("objects are told with their last uses", arguments: rows)
  func objectsHaveTheirLastUses(row: Row) {
    let told = call(row.trace, "simulate")
    #expect(told.contains("outcome crashed"), "\(told)")
    #expect(told.contains("last uses"), "\(told)")
    #expect(told.contains(row.uses), "\(told)")
  }

  @Test func failedTestsAndProblemsHaveTheCrash() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/pen.trace"
    let trace = "machine { platform: .macOS; cores: 2; costs: .zero }\n" + Self.pen
    let file = try WholeFile(path)
    file.write(Array(trace.utf8)[...])
    try file.commit()
    for command in [["test"], ["simulate", "--quiet"]] {
      let told = Invocation(command + [path]).flat
      #expect(told.contains("dispatch_sync called on queue already owned"), "\(told)")
      #expect(
        told.contains("calls, innermost first: Pen.left at 4:21 Pen.deinit at 6:20"), "\(told)")
      #expect(told.contains("last uses of DispatchQueue 'ink'"), "\(told)")
    }
  }

  @Test func resultsInJSONHaveTheCrash() {
    let told = call(Self.pen, "simulate", "--json")
    #expect(
      told.contains(#""function": "Pen.deinit", "place": "6:20", "isDeinit": true"#), "\(told)")
    #expect(told.contains(#""object": "DispatchQueue 'ink'""#), "\(told)")
  }
}
