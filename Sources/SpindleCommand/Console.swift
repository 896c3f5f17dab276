/// What surrounds a command: where it writes to, and what it knows of its host.
struct Console {
  /// The host as the process sees it.
  let environment: HostEnvironment
  /// Standard output.
  let output: OutputSink
  /// Standard error.
  let error: OutputSink

  /// Writes one message of the tool's own to standard error.
  func complain(_ message: String) {
    error.write("spindle: error: \(FileName.shown(message))\n")
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
