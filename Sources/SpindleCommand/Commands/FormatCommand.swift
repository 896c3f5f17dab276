import SpindleLanguage
import SpindleModel
import SpindleSystem

/// `spindle format`: brings traces into the canonical form.
struct FormatCommand {
  private let arguments: ParsedArguments
  private let console: Console

  /// Creates the command.
  init(_ arguments: ParsedArguments, _ console: Console) {
    (self.arguments, self.console) = (arguments, console)
  }

  /// Formats every file; goes on after one that can't be read.
  func run() throws(CommandFailure) -> ExitStatus {
    let choice = try arguments.colorChoice()
    try TraceReader.checkStandardInput(arguments.operands)
    try CommandFailure.wrap { () throws(FileFailure) in
      try FileRoles(console).read(arguments.operands)
    }
    var report = DiagnosticReport(color: console.usesColor(choice, onError: true))
    var status = ExitStatus.held
    for path in arguments.operands {
      do {
        status = max(status, try format(path, &report))
      } catch {
        console.complain(error)
        status = max(status, error.status)
      }
    }
    return status
  }

  private func format(
    _ path: String, _ report: inout DiagnosticReport
  ) throws(FileFailure) -> ExitStatus {
    // What is read from a pipe can't be written back to it.
    if path != "-" && !arguments.has(.check) && Files.kind(of: path) == .other {
      throw .noFile(path, .output)
    }
    let source = try TraceReader(console.environment).read(path)
    let (text, diagnostics) = formatted(source)
    report.add(diagnostics, to: console.error)
    if diagnostics.contains(where: { $0.severity == .error }) { return .traceErrors }
    let isCanonical = text.utf8.elementsEqual(source.utf8)
    if arguments.has(.check) {
      if isCanonical { return .held }
      console.output.write("\(source.name)\n")
      return .notHeld
    }
    if path == "-" {
      console.output.write(text)
    } else if !isCanonical {
      try WholeFile.write(text, to: path)
      console.output.write("formatted \(source.name)\n")
    }
    return .held
  }
}
