import SpindleSystem

/// What surrounds a command: where it writes to, and what it knows of its host.
struct Console {
  /// The host as the process sees it.
  let environment: HostEnvironment
  /// Standard output.
  let output: OutputSink
  /// Standard error.
  let error: OutputSink

  /// What a person answers, line by line.
  let answers: LineReader

  /// Creates a console that reads what the environment has for it.
  init(environment: HostEnvironment, output: OutputSink, error: OutputSink) {
    (self.environment, self.output, self.error) = (environment, output, error)
    answers = LineReader(environment.standardInput)
  }

  /// The next line of standard input, without its end; nil behind the last.
  func readLine() -> String? { answers.next() }

  /// Writes one message of the tool's own to standard error.
  func complain(_ message: String) {
    error.write("spindle: error: \(FileName.shown(message))\n")
  }

  /// Writes one remark of the tool's own to standard error.
  func warn(_ message: String) {
    error.write("spindle: warning: \(FileName.shown(message))\n")
  }

  /// Says on standard error what went wrong with a file.
  func complain(_ failure: FileFailure) {
    complain(failure.message)
  }

  /// Whether colour is wanted on standard output or standard error.
  func usesColor(_ choice: ColorChoice, onError: Bool = false) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      (onError ? environment.errorIsTerminal : environment.outputIsTerminal)
        && environment.allowsColor
    }
  }
}

/// When output is coloured.
enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal, and only while `NO_COLOR` is not set.
  case auto
  case always
  case never
}

/// Reads standard input line by line.
///
/// A class, since each line is read once.
final class LineReader {
  private var given: ArraySlice<UInt8>?

  /// Reads `given`, or the process's own standard input where that is nil.
  init(_ given: [UInt8]?) { self.given = given?[...] }

  /// The next line, without its end; nil when there is none.
  func next() -> String? {
    guard let rest = given else { return readLine(strippingNewline: true) }
    if rest.isEmpty { return nil }
    let line = rest.prefix { $0 != 0x0A }
    given = rest.dropFirst(line.count + 1)
    return String(decoding: line, as: UTF8.self)
  }
}
