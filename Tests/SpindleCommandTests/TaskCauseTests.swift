import SpindleSystem
import Testing

@testable import SpindleCommand

/// Times of Swift tasks say why they were what they were: who was awaited, who held the actor, who resumed.
@Suite struct TaskCauseTests {
  private static let latency = "expect { latency(\"victim\").max <= 4ms }"
  /// The victim, which waits 5 ms after the culprit has begun.
  private static func victim(_ body: String) -> String {
    "await Task.detached(name: \"victim\") { await Task.sleep(for: 5ms); \(body) }.value"
  }

  /// What is injected into `main` behind what stands at the top, and what must be said: `LENGTH` is how long
  /// the culprit takes, `REST` what is left of that after 5 ms.
  private static let forms: [(name: String, top: String, body: String, told: [String])] = [
    (
      "a task that is awaited", "",
      """
      let slow = Task.detached(name: "culprit") { work(LENGTH) }
      \(victim("await slow.value"))
      """,
      ["5ms asleep", "REST awaiting a task", "'culprit' (", "which had a thread for REST"]
    ),
    (
      "an actor that is held", "actor X { func busy(_ d: Duration) { work(d) } }\nlet x = X()",
      """
      let slow = Task.detached(name: "culprit") { await x.busy(LENGTH) }
      \(victim("await x.busy(1ms)"))
      await slow.value
      """,
      ["REST queued for actor 'x', held by 'culprit' ("]
    ),
    (
      "a child of a group", "",
      """
      await Task.detached(name: "victim") {
          await withTaskGroup { group in
              group.addTask(name: "short") { work(1ms) }
              group.addTask(name: "culprit") { work(LENGTH) }
          }
      }.value
      """,
      ["LENGTH awaiting its group", "of which 'culprit' (", "ended last"]
    ),
    (
      "a continuation", "",
      """
      await Task.detached(name: "victim") {
          await withCheckedContinuation { c in
              DispatchQueue.global().async(name: "culprit") { work(LENGTH); c.resume() }
          }
      }.value
      """,
      ["LENGTH for its continuation", "which 'culprit' (", "resumed"]
    ),
    (
      "an element of a stream", "let (numbers, input) = AsyncStream.makeStream(of: Int.self)",
      """
      Task.detached(name: "culprit") { work(LENGTH); input.yield(1); input.finish() }
      \(victim("for await _ in numbers { }"))
      """,
      ["REST for an element of a stream", "which came from 'culprit' ("]
    ),
    (
      "a sleep", "",
      "await Task.detached(name: \"victim\") { await Task.sleep(for: LENGTH) }.value",
      ["LENGTH asleep at"]
    ),
    (
      "a pool that is busy", "",
      """
      for _ in 0 ..< 2 { Task.detached(name: "culprit") { work(LENGTH) } }
      await Task.detached(name: "victim") { work(1ms) }.value
      """,
      ["LENGTH until 'worker-", "dequeued it: 'culprit", "worked LENGTH"]
    ),
    (
      "a task that the awaited one awaits", "",
      """
      let slow = Task.detached(name: "culprit") { work(LENGTH) }
      let middle = Task.detached(name: "middle") { await slow.value }
      \(victim("await middle.value"))
      """,
      ["REST awaiting a task", "'middle' (", "which waited REST awaiting a task"]
    ),
  ]

  private static func machine(_ top: String, _ body: String, _ expect: String) -> String {
    """
    trace "injected" { until: 1s }
    machine { platform: .linux; cores: 2; costs: .zero }
    \(top)
    main(.tool) {
    \(body)
    }
    \(expect)
    """
  }

  private func failure(of trace: String) -> String {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "400"], standardInput: Array(trace.utf8))
    let call = Invocation("simulate", "-", environment: environment)
    #expect(call.status == .notHeld, "\(call.error)")
    return String(call.output.drop { $0 != "\n" })
  }

  @Test("a failed time of a task names what was injected", arguments: 0..<8, [25, 35, 45, 65, 95])
  func namesTheCause(_ index: Int, _ length: Int) {
    let form = TaskCauseTests.forms[index]
    func filled(_ text: String) -> String {
      text.replacing("LENGTH", with: "\(length)ms").replacing("REST", with: "\(length - 5)ms")
    }
    let failure = failure(
      of: filled(TaskCauseTests.machine(form.top, form.body, TaskCauseTests.latency)))
    for part in form.told { #expect(failure.contains(filled(part)), "\(form.name): \(failure)") }
  }

  // MARK: Paths

  /// Three tasks by hand: `a` has the actor for 30 ms, `b` wants it from 5 ms on for 10 ms, `c` awaits `b`
  /// and then works 7 ms: 30 + 10 + 7.
  @Test func thePathGoesThroughActorsAndAwaits() {
    let failure = failure(
      of: TaskCauseTests.machine(
        "actor X { func busy(_ d: Duration) { work(d) } }\nlet x = X()",
        """
        Task.detached(name: "a") { await x.busy(30ms) }
        let b = Task.detached(name: "b") { await Task.sleep(for: 5ms); await x.busy(10ms) }
        await Task.detached(name: "c") { await b.value; work(7ms) }.value
        """, "expect { makespan <= 1ms }"))
    #expect(
      failure.contains("0..47ms: 'a' (6:1) 30ms; then 'b' (7:9) 10ms; then 'c' (8:7) 7ms"),
      "\(failure)")
  }

  /// The old code resumes after 20 ms, `late` works 3 ms more, `long` awaits it and works 4 ms, and the
  /// main function 2 ms when its group is done; `short` is on no path.
  @Test func thePathGoesThroughResumesAndGroups() {
    let failure = failure(
      of: TaskCauseTests.machine(
        "",
        """
        let late = Task.detached(name: "late") {
            await withCheckedContinuation { c in
                DispatchQueue.global().async(name: "old") { work(20ms); c.resume() }
            }
            work(3ms)
        }
        await withTaskGroup { group in
            group.addTask(name: "short") { work(1ms) }
            group.addTask(name: "long") { await late.value; work(4ms) }
        }
        work(2ms)
        """, "expect { makespan <= 1ms }"))
    #expect(failure.contains("0..29ms: 'old' ("), "\(failure)")
    for part in ["'old' (7:9) 20ms; then 'late' (", "3ms; then 'long' (", "4ms; then 'main' 2ms"] {
      #expect(failure.contains(part), "\(failure)")
    }
  }

  /// A task hands the next one over when it has worked 6 ms; that one sleeps 10 ms, and nobody else worked
  /// as late: the path ends with a sleep.
  @Test func thePathGoesThroughSubmissionsAndSleeps() {
    let failure = failure(
      of: TaskCauseTests.machine(
        "",
        """
        await Task.detached(name: "first") {
            work(6ms)
            await Task.detached(name: "second") { await Task.sleep(for: 10ms) }.value
        }.value
        """, "expect { makespan <= 1ms }"))
    #expect(
      failure.contains("0..16ms: 'first' (5:7) 6ms; then 'second' (7:11) 10ms (10ms asleep at 7:"),
      "\(failure)")
  }

  // MARK: Words between parts

  /// What is short altogether is named last and followed nothing.
  @Test func smallerPartsAreNoLaterOnes() {
    let failure = failure(
      of: TaskCauseTests.machine(
        "", "DispatchQueue.global().async(name: \"victim\") { io(200ms); work(4ms) }; sleep(300ms)",
        TaskCauseTests.latency))
    #expect(failure.contains("; and 4ms of smaller parts"), "\(failure)")
    #expect(!failure.contains("then and"), "\(failure)")
  }

  /// Ten threads make each the next one: their sorts are told, 2 + 4 + 6 + 8 + 10 and 1 + 3 + 5 + 7 + 9 ms.
  @Test func theSumsOfALongPathDoNotFollowOneAnother() {
    let failure = failure(
      of: TaskCauseTests.machine(
        """
        func step(_ n: Int) {
            if n > 10 { return }
            if n % 2 == 0 {
                Thread.detachNewThread(name: "even") { work(1ms * n); step(n + 1) }
            } else {
                Thread.detachNewThread(name: "odd") { work(1ms * n); step(n + 1) }
            }
        }
        """, "step(1)", "expect { makespan <= 1ms }"
      ).replacing("main(.tool)", with: "main"))
    #expect(failure.contains("0..55ms: 5 'even', 30ms, the longest: "), "\(failure)")
    #expect(failure.contains("; 5 'odd', 25ms, the longest: "), "\(failure)")
    #expect(!failure.contains("; then "), "\(failure)")
  }
}
