import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// `spindle check`: says what is wrong with traces.
struct CheckCommand {
  private let arguments: ParsedArguments
  private let console: Console

  /// Creates the command.
  init(_ arguments: ParsedArguments, _ console: Console) {
    (self.arguments, self.console) = (arguments, console)
  }

  /// Reads and checks every file; goes on after one that can't be read.
  func run() throws(CommandFailure) -> ExitStatus {
    let color = console.usesColor(try arguments.colorChoice())
    try TraceReader.checkStandardInput(arguments.operands)
    let sarif = arguments[.sarif]
    try CommandFailure.wrap { () throws(FileFailure) in
      var roles = FileRoles(console)
      if let sarif, sarif != "-" { try roles.write(sarif) }
      try roles.read(arguments.operands)
    }
    // What is for programs has standard output for itself.
    let sink = sarif == "-" ? console.error : console.output
    var (status, cases) = (ExitStatus.held, [TestCase]())
    for path in arguments.operands {
      do {
        let source = try TraceReader(console.environment).read(path)
        var report = DiagnosticReport(color: color)
        let diagnostics = Compiler.standard.compile(source).diagnostics
        report.add(diagnostics, to: sink)
        cases.append(
          TestCase(name: path, failures: [], notices: diagnostics.map { TestNotice($0) }))
        status = max(status, report.status)
      } catch {
        console.complain(error)
        cases.append(TestCase(name: path, failures: [TestFailure(.file, error.message)]))
        status = max(status, error.status)
      }
    }
    if let sarif {
      try CommandFailure.wrap { () throws(FileFailure) in
        let output = try ResultOutput(sarif, console)
        output.write(SARIFText.report(cases, version: ToolVersion.text))
        try output.commit()
      }
    }
    return status
  }
}
