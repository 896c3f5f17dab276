import SpindleSystem

/// Why a command gave up before it had a result.
enum CommandFailure: Error {
  /// The command line asks for something that there is not; the message has no full stop.
  case usage(String)
  /// The world outside did not do as asked.
  case file(FileFailure)

  /// Does something with files, whose failure is the command's.
  static func wrap<Result>(
    _ body: () throws(FileFailure) -> Result
  ) throws(CommandFailure) -> Result {
    do {
      return try body()
    } catch {
      throw .file(error)
    }
  }
}
