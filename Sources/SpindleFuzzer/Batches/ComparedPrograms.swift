import Foundation
import SpindleGenerator
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun

/// Random Swift programs in one file for `swiftc`, and beside it what Spindle prints for each.
///
/// `Tests/Campaigns/RealSwift/generated.sh` compiles the file, runs it, and compares.
struct ComparedPrograms {
  let kind: GeneratedKind
  let seeds: ClosedRange<Int>
  let folder: String

  /// A program: what it declares, and how the function is called that prints.
  private func program(_ seed: Int) -> (text: String, call: String) {
    switch kind {
    case .values:
      let program = ValueProgram(seed: seed)
      return (program.text, "\(program.entry)()")
    case .tasks:
      let program = TaskProgram(seed: seed)
      return (program.text, "await \(program.entry)()")
    }
  }

  /// Writes `programs.swift` and `simulated.txt` into the folder.
  ///
  /// - Throws: what the file system throws.
  func write() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var (whole, calls, printed) = ("import Foundation\nimport Synchronization\n\n", "", "")
    for seed in seeds {
      let program = program(seed)
      whole += "// == \(seed)\n\(program.text)"
      calls += "    print(\"== \(seed)\")\n    \(program.call)\n"
      printed += "== \(seed)\n" + simulated(program.text, program.call)
    }
    whole += main(calls)
    try whole.write(toFile: "\(folder)/programs.swift", atomically: true, encoding: .utf8)
    try printed.write(toFile: "\(folder)/simulated.txt", atomically: true, encoding: .utf8)
  }

  private func main(_ calls: String) -> String {
    "@main struct Main {\n  static func main() async {\n\(calls)  }\n}\n"
  }

  /// What a program prints here, or why it does not.
  private func simulated(_ text: String, _ call: String) -> String {
    let source = SourceText(name: "generated.swift", text + main("    \(call)\n"))
    // What Swift prints is printed on Linux: where tasks block all threads of the pool, an iPhone would deadlock.
    var overrides = Overrides()
    overrides.platform = Platform.linux.rawValue
    let (program, diagnostics) = Compiler.standard.compile(source, overrides: overrides)
    guard let program else {
      var text = ""
      for error in diagnostics.filter({ $0.severity == .error }).prefix(3) {
        let line = source.line(source.lineNumber(at: error.range.lowerBound))
        text += "error: " + error.message + "\n  " + line + "\n"
      }
      return text
    }
    let output = PrintedOutput(limit: .max)
    let run = TraceRun(program, .judged(limits: RunLimits()), consumers: [output])
    var lines = output.result.first
    if case let outcome = run.record.outcome, outcome.kind != .finished {
      lines.append("\(outcome.kind.name): \(outcome.message)")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
