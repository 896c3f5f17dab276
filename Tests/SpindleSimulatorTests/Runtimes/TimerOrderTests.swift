import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// Timers that are due at one instant: who was made first fires first.
///
/// The first four were seen on the real library on Linux, twenty times each.
@Suite struct TimerOrderTests {
  struct Rule: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let body: String
    /// The marks at 30 ms.
    let marks: String

    init(_ claim: String, _ body: String, _ marks: String) {
      (testDescription, self.body, self.marks) = (claim, body, marks)
    }
  }

  static let rules = [
    Rule(
      "grids that meet",
      """
      Timer.scheduledTimer(withTimeInterval: 6ms, repeats: true) { note("A") }
      Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true) { note("B") }
      """, "AB"),
    Rule(
      "made in one order and added in the other",
      """
      let a = Timer(fireAt: 30ms, interval: 0s, repeats: false) { note("A") }
      let b = Timer(fireAt: 30ms, interval: 0s, repeats: false) { note("B") }
      RunLoop.current.add(b, forMode: .default)
      RunLoop.current.add(a, forMode: .default)
      """, "AB"),
    Rule(
      "a date that is set anew",
      """
      let a = Timer.scheduledTimer(withTimeInterval: 30ms, repeats: false) { note("A") }
      Timer.scheduledTimer(withTimeInterval: 30ms, repeats: false) { note("B") }
      a.fireDate = 30ms
      """, "BA"),
    Rule(
      "one that is made later, in a handler",
      """
      Timer.scheduledTimer(withTimeInterval: 10ms, repeats: false) {
          let late = Timer(fireAt: 30ms, interval: 0s, repeats: false) { note("late") }
          RunLoop.current.add(late, forMode: .default)
      }
      Timer.scheduledTimer(withTimeInterval: 30ms, repeats: false) { note("early ") }
      """, "early late"),
    Rule(
      "grids that meet, the shorter one made last",
      """
      Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true) { note("B") }
      Timer.scheduledTimer(withTimeInterval: 6ms, repeats: true) { note("A") }
      """, "BA"),
    Rule(
      "in another mode, to which they were added later and in the other order",
      """
      let a = Timer(fireAt: 30ms, interval: 0s, repeats: false) { note("A") }
      let b = Timer(fireAt: 30ms, interval: 0s, repeats: false) { note("B") }
      RunLoop.current.add(a, forMode: .default)
      RunLoop.current.add(b, forMode: .default)
      RunLoop.current.add(b, forMode: "other")
      RunLoop.current.add(a, forMode: "other")
      RunLoop.current.run(mode: "other", before: 31ms)
      """, "AB"),
    Rule(
      "delayed performs, and a timer between them",
      """
      perform(afterDelay: 30ms) { note("A") }
      Timer.scheduledTimer(withTimeInterval: 30ms, repeats: false) { note("B") }
      perform(afterDelay: 30ms) { note("C") }
      """, "ABC"),
    Rule(
      "of three, when the first has been invalidated",
      """
      let a = Timer.scheduledTimer(withTimeInterval: 30ms, repeats: false) { note("A") }
      Timer.scheduledTimer(withTimeInterval: 30ms, repeats: false) { note("B") }
      Timer.scheduledTimer(withTimeInterval: 15ms, repeats: true) { note("C") }
      a.invalidate()
      """, "BC"),
  ]

  /// In one pass, each when the loop wakes for it, and in one pass after the thread was busy.
  @Test(arguments: rules, ["iOS", "linux"])
  func isTheOrderOfMaking(_ rule: Rule, platform: String) {
    for busy in [0, 29] {
      var limits = RunLimits()
      limits.checksInvariants = true
      let run = TestRun(
        """
        machine { platform: .\(platform); cores: 1; costs: .zero }
        var seen = ""
        func note(_ name: String) { if now >= 30ms && now < 31ms { seen += name } }
        let worker = Thread(name: "worker") {
            \(rule.body)
            if now < 30ms { work(\(busy)ms) }
            RunLoop.current.run(until: 31ms)
        }
        main { worker.start() }
        expect { value(seen) == "\(rule.marks)" }
        """, limits: limits)
      #expect(run.record != nil, "\(run.messages)")
      #expect(!run.verdicts.contains { !$0.holds }, "busy for \(busy) ms\n\(run.log)")
    }
  }
}
