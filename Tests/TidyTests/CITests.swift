import TestSupport
import Testing

/// What is checked of a change is the same every time.
@Suite struct CITests {
  /// A step that is left out when time is short is not left out silently: it is not in `.ci/run`.
  @Test func noStepDependsOnTheClock() throws {
    for (number, line) in try Repository.lines(".ci/run").enumerated() {
      let code = line.prefix { $0 != "#" }
      let reads = ["SECONDS", "date", "EPOCH"].contains { code.contains($0) }
      let decides = ["if ", "while ", "until ", "case ", "[ ", "&&", "||"].contains {
        code.contains($0)
      }
      #expect(!reads || !decides, ".ci/run:\(number + 1): a condition reads the clock")
    }
  }

  /// Each campaign says when it was last run.
  @Test func campaignsAreRecorded() throws {
    let folders = Set(
      Repository.files(below: "Tests/Campaigns", suffix: "").map {
        String($0.split(separator: "/")[2]).lowercased()
      })
    let lines = try Repository.lines(".ci/long.txt").dropFirst(2).filter { !$0.isEmpty }
    let recorded = lines.map { String($0.prefix { $0 != " " }) }
    #expect(Set(recorded) == folders && recorded.count == folders.count)
    let script = try Repository.text(".ci/long")
    for name in folders { #expect(script.contains("  \(name)) Tests/Campaigns/"), "\(name)") }
  }
}
