import SpindleSystem
import Testing

@testable import SpindleCommand

/// What `spindle explain` says of findings, of stalls without an end and of the moment of a crash.
@Suite struct ExplanationTests {
  private func call(_ trace: String, _ command: String, _ arguments: String...) -> Invocation {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array(trace.utf8))
    return Invocation([command, "-"] + arguments, environment: environment)
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  /// Pairs of one race count as one finding in the summary, and so they do behind '--finding'.
  @Test func numbersAreThoseOfTheSummary() {
    let trace = """
      machine { platform: .macOS; cores: 4; costs: .zero }
      var hits = 0
      let lock = NSLock()
      main {
          for i in 0 ..< 4 {
              Thread.detachNewThread(name: "t\\(i)") {
                  if i > 0 { sleep(1ms * i) }
                  hits += i
                  if hits > 9 { hits = 0 }
              }
          }
          sleep(300ms)
          lock.lock()
          lock.lock()
      }

      """
    let summary = call(trace, "simulate").output
    let kinds = lines(summary).compactMap { line -> String? in
      let parts = line.split(separator: " ").map(String.init)
      guard parts.count == 5, ["error:", "warning:", "note:"].contains(parts[1]), parts[3] == "at"
      else { return nil }
      return "\(parts[2]) at \(parts[4])"
    }
    #expect(kinds.count == 3 && kinds[0].hasPrefix("dataRace"), "\(summary)")
    #expect(summary.contains("more pair of accesses to it"), "\(summary)")
    for (index, kind) in kinds.enumerated() {
      let page = call(trace, "explain", "--finding", "\(index + 1)")
      #expect(page.output.hasPrefix("Finding \(index + 1): \(kind)\n"), "\(page.output)")
    }
    let more = call(trace, "explain", "--finding", "4")
    #expect(more.status == .usage && more.error.contains("takes 1 to 3"), "\(more.error)")
  }

  @Test func threadsThatWaitAlikeAreFolded() {
    let page = call(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let first = DispatchSemaphore(value: 0), second = DispatchSemaphore(value: 0)
      main {
          for _ in 0 ..< 9 { Thread.detachNewThread { first.wait() } }
          for i in 0 ..< 12 { Thread.detachNewThread(name: "b\\(i)") { sleep(1ms); second.wait() } }
          sleep(100ms)
      }

      """, "explain", "--at", "50ms")
    let lines = lines(page.output)
    #expect(lines.count { $0.contains("waited") && $0.contains("semaphore 'first'") } == 2)
    #expect(lines.count { $0.contains("waited") && $0.contains("semaphore 'second'") } == 2)
    #expect(lines.contains { $0.hasSuffix("and 7 more like them") }, "\(page.output)")
    #expect(lines.contains { $0.hasSuffix("and 10 more like them") }, "\(page.output)")
    // The picture folds lanes that look the same.
    #expect(lines.contains { $0.contains("drawn alike") }, "\(page.output)")
    // Whoever is asked about one thread is told of that one.
    let one = call(
      "main { Thread.detachNewThread(name: \"x\") { sleep(5ms) }; sleep(9ms) }\n", "explain",
      "--at", "2ms",
      "--thread", "x")
    #expect(one.output.contains("waited 5ms asleep at 1:44"), "\(one.output)")
  }

  /// What each thread did when a crash or an exit ended the process.
  @Test(arguments: ["fatalError(\"over\")", "exit(3)"])
  func theMomentOfTheEndIsTold(end: String) {
    let trace = """
      machine { platform: .macOS; cores: 2; costs: .zero }
      let gate = DispatchSemaphore(value: 0)
      main {
          Thread.detachNewThread(name: "waiter") { gate.wait() }
          Thread.detachNewThread(name: "breaker") {
              work(7ms)
              \(end)
          }
      }

      """
    let page = call(trace, "explain", "--at", "7ms").output
    #expect(page.contains("'breaker', in 'breaker' (5:5): ran on core"), "\(page)")
    #expect(page.contains("0..7ms, until the process ended"), "\(page)")
    #expect(page.contains("'waiter'") && page.contains("for semaphore 'gate' at 4:46"), "\(page)")
    #expect(!page.contains("no thread is there"))
  }

  @Test func aStallWithoutAnEndComesFirst() {
    // Longer than the wait without an end, which the run soon ends.
    let long = call(
      """
      machine { platform: .macOS; cores: 2; costs: .zero }
      let done = DispatchGroup()
      main { work(80ms) }
      at(200ms) { DispatchQueue.main.async { done.enter(); work(3ms); done.wait() } }

      """, "explain", "--stall"
    ).output
    let lines = lines(long)
    #expect(lines.first == "The main thread does not respond from 200ms on", "\(long)")
    #expect(long.contains("waits without an end for group 'done' at 4:65"), "\(long)")
    #expect(lines.contains("Longest stall of the main thread, 80ms"), "\(long)")
    // One that others end later, or that the end of the run cuts off, has an end.
    let short = call(
      """
      machine { platform: .macOS; cores: 2; costs: .zero }
      let done = DispatchSemaphore(value: 0)
      main { DispatchQueue.global().async { sleep(30ms); done.signal() }; done.wait() }

      """, "explain", "--stall"
    ).output
    #expect(short.hasPrefix("Longest stall of the main thread, 30ms"), "\(short)")
  }

  /// What a trace lists for a parameter is not known where the trace has mistakes: only these are told.
  @Test(arguments: ["simulate", "compare"])
  func aMistakeIsToldAloneBesideAll(command: String) {
    let trace = """
      param size = 1ms in [1ms, 2ms]
      main { slep(size) }

      """
    let made = call(trace, command, "--set", "size=all")
    #expect(made.status == .traceErrors)
    #expect(
      made.error.hasPrefix("-:2:8: error: unknown name 'slep'")
        || made.error.contains("error: unknown name 'slep'"), "\(made.error)")
    #expect(!made.error.contains("--set"), "\(made.error)")
    let unknown = call(trace.replacing("slep", with: "sleep"), command, "--set", "sise=all")
    #expect(unknown.error.contains("did you mean 'size'"), "\(unknown.error)")
  }

  /// One percent, a quarter and all of the time: a core that is hardly busy looks hardly busy.
  @Test func picturesShowShares() throws {
    func lane(_ length: String, _ name: String, _ lanes: String) throws -> String {
      let trace = """
        machine { platform: .ideal; cores: 1; costs: .zero }
        let pool = ThreadPool(width: 1)
        main { sleep(40s) }
        arrivals(every: 1s, count: 40) { i in pool.async(name: "tick") { work(\(length)) } }

        """
      let picture = call(trace, "timeline", "--by", lanes).output
      let line = try #require(lines(picture).first { $0.hasPrefix(name) }, "\(picture)")
      // What is behind the first second, when the first item comes.
      return String(line.dropFirst(name.count + 2 + 6))
    }
    for (name, lanes) in [("pool-1", "thread"), ("core 0", "core")] {
      let hardly = try lane("10ms", name, lanes)
      #expect(Set(hardly).isSubset(of: ["▁", ".", " "]), "\(hardly)")
      let half = try lane("125ms", name, lanes)
      #expect(half.contains("▄") && !half.contains("█"), "\(half)")
      let all = try lane("1s", name, lanes)
      #expect(!all.contains(".") && !all.contains("▁"), "\(all)")
    }
  }
}
