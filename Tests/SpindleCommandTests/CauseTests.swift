import SpindleSystem
import Testing

@testable import SpindleCommand

/// A failed time says why: what was injected is what the failure's own text names.
@Suite struct CauseTests {
  /// A cause that is put into a trace, and what must be said of it.
  struct Injected: Sendable, CustomTestStringConvertible {
    let name: String
    /// The trace, with `LENGTH` for how long the culprit takes.
    let trace: String
    /// What the explanation names, with `LENGTH` as above and `REST` for 5 ms less: what is left of it
    /// when the victim comes, which is 5 ms later than the culprit.
    let told: [String]
    let length: Int

    var testDescription: String { "\(name) \(length)ms" }

    func filled(_ text: String) -> String {
      text.replacing("LENGTH", with: "\(length)ms").replacing("REST", with: "\(length - 5)ms")
    }
  }

  private static let main = "main { RunLoop.main.run() }"
  private static let stall = "expect { main.longestStall <= 4ms }"
  private static let victim = "DispatchQueue.main.async(name: \"victim\")"
  private static let culprit = "q.async(name: \"culprit\")"

  private static let forms: [(name: String, body: String, expect: String, told: [String])] = [
    (
      "a lock whose owner works",
      """
      let lock = NSLock()
      at(10ms) { \(culprit) { lock.lock(); work(LENGTH); lock.unlock() } }
      at(15ms) { \(victim) { lock.lock(); lock.unlock() } }
      """, stall,
      ["'victim' waited REST for lock 'lock'", "held by 'culprit' (", "worked for REST"]
    ),
    (
      "a lock whose owner waits for io",
      """
      let lock = NSLock()
      at(10ms) { \(culprit) { lock.lock(); io(LENGTH); lock.unlock() } }
      at(15ms) { \(victim) { lock.lock(); lock.unlock() } }
      """, stall,
      ["'victim' waited REST for lock 'lock'", "held by 'culprit' (", "waited REST for io"]
    ),
    (
      "a queue that is busy",
      """
      at(10ms) { \(culprit) { work(LENGTH) } }
      at(15ms) { \(victim) { q.sync { } } }
      """, stall,
      ["'victim' waited REST in sync for queue 'saver'", "which ran 'culprit' ("]
    ),
    (
      "work on the main thread",
      "at(10ms) { DispatchQueue.main.async(name: \"culprit\") { work(LENGTH) } }", stall,
      ["'culprit' (", "worked LENGTH"]
    ),
    (
      "input on the main thread",
      "at(10ms) { DispatchQueue.main.async(name: \"culprit\") { io(LENGTH) } }", stall,
      ["'culprit' waited LENGTH for io"]
    ),
    (
      "a semaphore",
      """
      let s = DispatchSemaphore(value: 0)
      at(10ms) { \(culprit) { work(LENGTH); s.signal() } }
      at(15ms) { \(victim) { s.wait() } }
      """, stall,
      ["'victim' waited REST for semaphore 's'", "until 'culprit' signalled it"]
    ),
    (
      "a semaphore whose signaller waits behind others",
      """
      let s = DispatchSemaphore(value: 0)
      at(10ms) { \(culprit) { work(LENGTH) }; q.async(name: "late") { s.signal() } }
      at(15ms) { \(victim) { s.wait() } }
      """, stall,
      ["until 'late' signalled it, which began late: LENGTH in queue 'saver', behind 'culprit' ("]
    ),
    (
      "a group",
      """
      let g = DispatchGroup()
      at(10ms) { q.async(name: "culprit", group: g) { work(LENGTH) } }
      at(15ms) { \(victim) { g.wait() } }
      """, stall,
      ["'victim' waited REST for group 'g'", "until 'culprit' left it"]
    ),
    (
      "an item before it in the queue",
      """
      at(10ms) { \(culprit) { work(LENGTH) } }
      at(15ms) { q.async(name: "victim") { } }
      """, "expect { latency(\"victim\").max <= 4ms }",
      ["REST in queue 'saver', behind 'culprit' ("]
    ),
    (
      "a queue that is suspended",
      """
      at(10ms) { q.suspend() }
      at(10ms + LENGTH) { q.resume() }
      at(15ms) { q.async(name: "victim") { } }
      """, "expect { wait(\"victim\").max <= 4ms }",
      ["REST in queue 'saver', which was suspended"]
    ),
    (
      "no core",
      """
      let o = DispatchQueue(label: "other")
      at(10ms) { \(culprit) { work(LENGTH) } }
      at(10ms) { o.async(name: "culprit2") { work(LENGTH) } }
      at(15ms) { \(victim) { } }
      """, "expect { latency(\"victim\").max <= 4ms }",
      ["REST", "without a core, while 'culprit'", "'culprit2'"]
    ),
    (
      "the longest of what makes the whole",
      """
      at(10ms) { \(culprit) { work(LENGTH) } }
      at(15ms) { \(victim) { work(1ms) } }
      """, "expect { makespan <= 12ms }", ["'culprit' (", "LENGTH"]
    ),
    (
      "a sleep that nothing follows", "at(10ms) { \(culprit) { sleep(LENGTH) } }",
      "expect { makespan <= 12ms }", ["'culprit' (", "LENGTH asleep"]
    ),
    (
      "who hands it over late",
      """
      at(10ms) { \(culprit) { work(LENGTH); \(victim) { work(1ms) } } }
      """, "expect { started(\"victim\") <= 12ms }", ["'culprit' (", "LENGTH"]
    ),
  ]

  static let injected: [Injected] = forms.flatMap { form in
    [25, 35, 45, 65, 95].map { length in
      Injected(
        name: form.name,
        trace: """
          trace "injected" { until: 1s }
          machine { platform: .iOS; cores: 2; costs: .zero; policy: .fifo }
          let q = DispatchQueue(label: "saver")
          \(form.body)
          \(main)
          \(form.expect)
          """, told: form.told, length: length)
    }
  }

  @Test func thereAreSeventy() { #expect(CauseTests.injected.count == 70) }

  @Test("a failed time names what was injected", arguments: injected)
  func namesTheCause(_ injected: Injected) throws {
    let text = injected.filled(injected.trace)
    let environment = HostEnvironment(
      variables: ["COLUMNS": "400"], standardInput: Array(text.utf8))
    let call = Invocation("simulate", "-", environment: environment)
    #expect(call.status == .notHeld, "\(call.error)")
    let failure = call.output.drop { $0 != "\n" }
    for part in injected.told { #expect(failure.contains(injected.filled(part)), "\(failure)") }
  }

  /// What the first of two owners did is said of that one.
  @Test func whatAnOwnerDidStandsBehindItsName() {
    let text = """
      trace "Two owners in a row" { until: 1s }
      machine { platform: .iOS; cores: 1; priorityInheritance: false }
      let lock = NSLock()
      let pruner = DispatchQueue(label: "pruner", qos: .background)
      let decoder = DispatchQueue(label: "decoder", qos: .userInitiated, attributes: .concurrent)
      main { pruner.async(name: "prune") { lock.withLock { work(30ms) } } }
      at(5ms) {
          decoder.async(name: "store") { lock.withLock { work(1ms) } }
          decoder.async(name: "decode") { work(400ms) }
      }
      at(6ms) { DispatchQueue.main.async(name: "frame") { lock.withLock { work(1ms) } } }
      expect { main.longestStall <= 4ms }
      """
    let environment = HostEnvironment(
      variables: ["COLUMNS": "400"], standardInput: Array(text.utf8))
    let call = Invocation("simulate", "-", environment: environment)
    #expect(
      call.output.contains(
        "held by 'prune' (6:38) for 424ms, which had no core for 399ms while 'decode' ran "
          + "(policy clutch prefers 'decode' by class, .userInitiated against .background), "
          + "and by 'store' (8:36)"), "\(call.output)")
  }

  /// Of a span that is too long, the path of causes from its start to its end; of a share, the cause of the slowest.
  @Test func spansAndSharesHaveCauses() {
    let text = """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let q = DispatchQueue(label: "q")
      main { }
      every(10ms, count: 3) { i in
          mark("tap \\(i)")
          q.async(name: "frame\\(i)") { work(8ms * (i + 1)); DispatchQueue.main.async { mark("shown \\(i)") } }
      }
      expect {
          span("tap *", "shown *").max <= 10ms
          latency("frame*").share(above: 20ms) <= 10%
      }
      """
    let environment = HostEnvironment(
      variables: ["COLUMNS": "400"], standardInput: Array(text.utf8))
    let output = Invocation("simulate", "-", environment: environment).output
    // The frames end at 18, 36 and 60 ms; the last tap is at 30 ms.
    #expect(
      output.contains(
        "\n  30..60ms, up to 'shown 2', the longest of 3: 'frame1' and 'frame2' 30ms\n"),
      "\(output)")
    #expect(output.contains("share(above: 20ms) was 0.333333333 (33.3%)\n"), "\(output)")
    #expect(output.contains("\n  30..60ms, 'frame2', the slowest of 3: "), "\(output)")
  }

  /// What a test prints has the same causes.
  @Test func testTellsTheCauseToo() throws {
    let folder = TemporaryFolder()
    let injected = CauseTests.injected[0]
    let path = folder.write("injected.trace", injected.filled(injected.trace))
    let call = Invocation("test", path)
    #expect(call.output.contains("held by 'culprit' ("))
  }
}
