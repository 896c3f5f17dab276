import SpindleSystem

/// `spindle completions`: prints the completion script of a shell.
struct CompletionsCommand {
  private let arguments: ParsedArguments
  private let console: Console

  /// Creates the command.
  init(_ arguments: ParsedArguments, _ console: Console) {
    (self.arguments, self.console) = (arguments, console)
  }

  /// Prints the script.
  func run() throws(CommandFailure) -> ExitStatus {
    let name = arguments.operands[0]
    guard let shell = Shell(rawValue: name) else {
      let known = Shell.allCases.map(\.rawValue)
      throw .usage(
        UsageText.noCompletions(
          name, known: known.joined(separator: ", "), near: Spelling.proposal(name, in: known)))
    }
    console.output.write(Completions.script(for: shell))
    return .held
  }
}
