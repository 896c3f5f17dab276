import SpindleModel
import SpindleRecordings
import SpindleSystem

/// `spindle import`: makes a trace of a recording of a real machine.
struct ImportCommand {
  private let arguments: ParsedArguments
  private let console: Console
  private let choice: RecordingChoice

  /// Creates the command; throws when its options contradict each other.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    (self.arguments, self.console) = (arguments, console)
    choice = try ImportedRecording.choice(arguments)
  }

  /// Reads the recording and writes the trace.
  func run() throws(CommandFailure) -> ExitStatus {
    let output = try CommandFailure.wrap { () throws(FileFailure) in
      if let path = arguments[.output], path != "-" {
        var roles = FileRoles(console)
        try roles.write(path)
        try roles.read(arguments.operands)
      }
      return try ResultOutput(arguments[.output], console)
    }
    let file = try ImportedRecording.Opened(arguments, console)
    try file.check(arguments)
    if let trace = try file.workload(choice) {
      output.write(String(decoding: trace.utf8, as: UTF8.self))
    } else {
      let recording = try ImportedRecording(file, choice)
      let trace = recording.trace(try recording.program())
      output.write(String(decoding: trace.utf8, as: UTF8.self))
      if let warning = recording.warning { console.warn(warning) }
    }
    try CommandFailure.wrap { () throws(FileFailure) in try output.commit() }
    return .held
  }
}
