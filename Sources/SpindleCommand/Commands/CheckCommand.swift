import SpindleLanguage
import SpindleModel

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
    try CommandFailure.wrap { () throws(FileFailure) in
      try FileRoles(console).read(arguments.operands)
    }
    var status = ExitStatus.held
    for path in arguments.operands {
      do {
        let source = try TraceReader(console.environment).read(path)
        var report = DiagnosticReport(color: color)
        report.add(TraceRun.compiler.compile(source).diagnostics, to: console.output)
        status = max(status, report.status)
      } catch {
        console.complain(error)
        status = max(status, error.status)
      }
    }
    return status
  }
}
