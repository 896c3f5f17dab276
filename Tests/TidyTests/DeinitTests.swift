import TestSupport
import Testing

/// The counts of what a run holds go before the tables that count in them, so no `deinit` may use them.
@Suite struct DeinitTests {
  /// The files that give the counts themselves back.
  private static let owners: Set<String> = [
    "Sources/SpindleSimulator/Core/HoldModel.swift",
    "Sources/SpindleSimulator/Execution/Interpreter.swift",
  ]

  /// The bodies of the `deinit`s in lines of code.
  static func bodies(in lines: [String]) -> [[String]] {
    var bodies: [[String]] = []
    var depth = 0
    for line in lines {
      let begins = depth == 0 && line.contains("deinit {")
      if begins { bodies.append([]) }
      guard begins || depth > 0 else { continue }
      bodies[bodies.count - 1].append(line)
      depth += line.count { $0 == "{" } - line.count { $0 == "}" }
    }
    return bodies
  }

  @Test func noTableGivesBackWhatItCounts() throws {
    var found = 0
    for path in Repository.files(below: "Sources/SpindleSimulator", suffix: ".swift") {
      let lines = try Repository.lines(path).map { SourceTests.withoutTexts($0) }
      for body in Self.bodies(in: lines) {
        found += 1
        let uses = body.filter { $0.contains("storage") }
        if Self.owners.contains(path) {
          // The last that is done: nothing behind it counts.
          #expect(uses.count == 1, "\(path)")
          let last = body.last { $0.contains("(") }
          #expect(last?.contains("storage.deallocate()") == true, "\(path): \(body)")
        } else {
          #expect(uses.isEmpty, "\(path): a deinit uses the counts: \(uses)")
        }
      }
    }
    // Tables, arenas and queues have one each: the rule is about something.
    #expect(found > 8)
  }

  @Test func bodiesAreFound() {
    let code = [
      "struct A {", "  deinit { a() }", "  func f() { storage.take() }", "  deinit {",
      "    if x { storage.give() }", "  }", "}",
    ]
    #expect(Self.bodies(in: code).map(\.count) == [1, 3])
  }
}
