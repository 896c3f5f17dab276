import SpindleModel
import SpindleSystem

/// Reads the texts of traces.
struct TraceReader {
  private let environment: HostEnvironment

  /// Creates a reader; `environment` says what stands on standard input.
  init(_ environment: HostEnvironment) {
    self.environment = environment
  }

  /// The text of the trace at `path`; `-` is standard input.
  func read(_ path: String) throws(FileFailure) -> SourceText {
    guard path == "-" else {
      return SourceText(
        name: FileName.shown(path), utf8: try Files.read(path, atMost: Files.greatestTrace))
    }
    if let given = environment.standardInput { return SourceText(name: "<stdin>", utf8: given) }
    return SourceText(
      name: "<stdin>", utf8: try Files.readStandardInput(atMost: Files.greatestTrace))
  }

  /// Refuses to read standard input twice.
  static func checkStandardInput(_ paths: [String]) throws(CommandFailure) {
    if paths.filter({ $0 == "-" }).count > 1 {
      throw .usage(UsageText.inputTwice)
    }
  }
}
