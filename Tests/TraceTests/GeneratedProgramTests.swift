import Foundation
import SpindleReports
import SpindleRun
import TestSupport
import Testing

@testable import SpindleLanguage
@testable import SpindleModel

/// Random programs beside what Swift 6.3 printed for them.
///
/// `Tests/Campaigns/RealSwift/generated.sh` made each, compiled it with `swiftc`, and ran it. The campaign compares any
/// number of others.
@Suite struct GeneratedProgramTests {
  /// A program and its output.
  struct Program: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let printed: [String]
    var testDescription: String { name }
  }

  static let values = programs("values")
  static let tasks = programs("tasks")

  /// The programs of a file, each behind a line `// == SEED` and in front of a line `// prints`.
  private static func programs(_ kind: String) -> [Program] {
    guard let whole = try? Repository.text("Tests/Reviewed/generated/\(kind).txt") else {
      return []
    }
    return whole.components(separatedBy: "// == ").dropFirst().map { block in
      let parts = block.components(separatedBy: "// prints\n")
      let seed = block.prefix { $0.isNumber }
      let lines = parts[1].split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return Program(
        name: "\(kind) \(seed)", text: "// " + parts[0], printed: lines.map { String($0) })
    }
  }

  @Test func allAreThere() {
    #expect(Self.values.count == 50 && Self.tasks.count == 50)
  }

  @Test(arguments: values) func valuesPrintWhatSwiftPrints(program: Program) {
    Self.check(program, call: "body")
  }

  @Test(arguments: tasks) func tasksPrintWhatSwiftPrints(program: Program) {
    Self.check(program, call: "await body")
  }

  private static func check(_ program: Program, call: String) {
    let seed = program.name.split(separator: " ")[1]
    let text =
      program.text + "@main struct Main { static func main() async { \(call)\(seed)() } }\n"
    // Its threads are Linux's: on an iPhone tasks that block all threads of the pool would deadlock.
    var overrides = Overrides()
    overrides.platform = Platform.linux.rawValue
    let (compiled, found) = Compiler.standard.compile(
      SourceText(name: "generated.swift", text), overrides: overrides)
    #expect(found.filter { $0.severity == .error }.map(\.message) == [])
    guard let compiled else { return }
    let output = PrintedOutput(limit: .max)
    let run = TraceRun(compiled, .judged(limits: RunLimits()), consumers: [output])
    #expect(run.record.outcome.kind == .finished)
    // A text of several lines is one line of the output.
    let printed = output.result.first.joined(separator: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(printed.map { String($0) } == program.printed)
  }
}
