import SpindleLanguage
import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// What holds of tasks, whatever they do: an actor has one at a time, the main actor too, children end before their scope
/// does, and nobody waits for ever.
@Suite struct RandomTaskTests {
  @Test("children end before their scope", arguments: 0..<60)
  func structure(seed: UInt64) throws {
    var traces = RandomTaskTraces(seed: seed)
    let text = traces.text()
    var limits = RunLimits()
    limits.checksInvariants = true
    let run = TestRun(text, limits: limits)
    #expect(run.diagnostics.filter { $0.severity == .error }.isEmpty, "\(run.messages)\n\(text)")
    let outcome = try #require(run.record?.outcome)
    #expect(outcome.kind == .finished, "\(outcome) of\n\(text)")
    let marks = run.log.split(separator: "\n").compactMap { line -> String? in
      let parts = line.split(separator: " mark \"")
      return parts.count == 2 ? String(parts[1].dropLast()) : nil
    }
    #expect(marks.last == "done", "a wake-up was lost: \(text)")
    #expect(run.log.contains("record \"most\" = 1\n"), "two were on the main actor: \(text)")
    #expect(run.log.contains("record \"most in actors\" = 1\n"), "two were on an actor: \(text)")
    var place: [String: Int] = [:]
    for (index, mark) in marks.enumerated() { place[mark] = index }
    for (scope, children) in traces.childrenOf {
      guard let end = place["scope \(scope)"] else { continue }
      for child in children {
        // A group that was cancelled runs its children all the same.
        let ended = try #require(place["end \(child)"], "child \(child) never ended:\n\(text)")
        #expect(ended < end, "child \(child) ended behind scope \(scope):\n\(text)")
      }
    }
  }

  @Test("the same with and without shortcuts", arguments: 0..<10)
  func shortcuts(seed: UInt64) {
    var traces = RandomTaskTraces(seed: seed)
    let text = traces.text()
    let plain = TestRun(text, joined: false, shortcuts: [])
    #expect(TestRun(text).digest == plain.digest, "\(text)")
  }
}
