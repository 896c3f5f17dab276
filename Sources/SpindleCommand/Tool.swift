import SpindleHost
import SpindleModel
package import SpindleSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The command-line tool: arguments in, text and an exit status out.
package enum Tool {
  /// Runs the process's own arguments and ends the process with their exit status.
  ///
  /// A closed pipe behind standard output ends the process quietly, as it does other tools.
  package static func main() -> Never {
    signal(SIGPIPE, SIG_DFL)
    PartialFiles.removeAtTheEnd()
    let output = OutputSink(descriptor: STDOUT_FILENO, name: "standard output")
    let error = OutputSink(descriptor: STDERR_FILENO, name: "standard error", follows: output)
    if let mistake = argumentThatIsNoText() {
      error.write("spindle: error: \(mistake)\n")
      exit(ExitStatus.usage.rawValue)
    }
    var status = run(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: .ofThisProcess(),
      standardOutput: output, standardError: error)
    output.flush()
    if let failure = output.failure {
      error.write("spindle: error: \(failure.message)\n")
      status = max(status, .noOutput)
    }
    exit(status.rawValue)
  }

  /// Names an argument that the run-time has repaired, so that it is not what was given.
  private static func argumentThatIsNoText() -> String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      let bytes = (0..<strlen(argument)).map { UInt8(bitPattern: argument[$0]) }
      if String(validating: bytes, as: UTF8.self) == nil {
        return "argument \(index) is not valid UTF-8: '\(FileName.shown(bytes: bytes))'"
      }
    }
    return nil
  }

  /// Runs one command line, without the tool's own name in front.
  package static func run(
    arguments: [String], environment: HostEnvironment, standardOutput: OutputSink,
    standardError: OutputSink
  ) -> ExitStatus {
    let console = Console(
      environment: environment, output: standardOutput, error: standardError)
    guard let first = arguments.first else {
      console.error.write(Usage.overview(width: console.environment.width))
      return .usage
    }
    if first == "-h" || first == "--help" {
      console.output.write(Usage.overview(width: console.environment.width))
      return .held
    }
    if first == "--version" {
      console.output.write("spindle \(ToolVersion.text)\n")
      return .held
    }
    guard let command = OptionTable.command(named: first) else {
      console.complain(unknownCommand(first))
      console.error.write(Usage.line + "\n")
      return .usage
    }
    do {
      let parsed = try ParsedArguments(Array(arguments.dropFirst()), for: command)
      if parsed.asksForHelp {
        console.output.write(Usage.help(for: command, width: console.environment.width))
        return .held
      }
      return try perform(parsed, console)
    } catch {
      switch error {
      case .usage(let message):
        console.complain(message)
        console.error.write(Usage.line(for: command) + "\n")
        return .usage
      case .file(let failure):
        console.complain(failure)
        return failure.status
      }
    }
  }

  private static func perform(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(CommandFailure) -> ExitStatus {
    switch arguments.command.name {
    case .`init`: try InitCommand(arguments, console).run()
    case .simulate: try SimulateCommand(arguments, console).run()
    case .compare: try CompareCommand(arguments, console).run()
    case .explore: try ExploreCommand(arguments, console).run()
    case .explain: try ExplainCommand(arguments, console).run()
    case .timeline: try TimelineCommand(arguments, console).run()
    case .diff: try DiffCommand(arguments, console).run()
    case .sweep: try SweepCommand(arguments, console).run()
    case .merge: try MergeCommand(arguments, console).run()
    case .tune: try TuneCommand(arguments, console).run()
    case .test: try TestCommand(arguments, console).run()
    case .verify: try VerifyCommand(arguments, console).run()
    case .reduce: try ReduceCommand(arguments, console).run()
    case .check: try CheckCommand(arguments, console).run()
    case .import: try ImportCommand(arguments, console).run()
    case .replay: try ReplayCommand(arguments, console).run()
    case .calibrate: try CalibrateCommand(arguments, console).run()
    case .validate: try ValidateCommand(arguments, console).run()
    case .format: try FormatCommand(arguments, console).run()
    case .completions: try CompletionsCommand(arguments, console).run()
    case .help: try help(arguments, console)
    }
  }

  private static func help(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(CommandFailure) -> ExitStatus {
    guard let name = arguments.operands.first else {
      console.output.write(Usage.overview(width: console.environment.width))
      return .held
    }
    if let topic = HelpTopic(rawValue: name) {
      console.output.write(Usage.help(for: topic, width: console.environment.width))
      return .held
    }
    guard let command = OptionTable.command(named: name) else {
      throw .usage(unknownCommand(name))
    }
    console.output.write(Usage.help(for: command, width: console.environment.width))
    return .held
  }

  private static func unknownCommand(_ name: String) -> String {
    let isOption = name.hasPrefix("-") && name != "-"
    let known = OptionTable.commands.map(\.name.rawValue) + ["--help", "--version"]
    return UsageText.unknown(
      isOption ? "option" : "command", name, near: Spelling.proposal(name, in: known))
  }
}
