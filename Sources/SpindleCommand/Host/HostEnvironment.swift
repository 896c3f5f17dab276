#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a command knows of the process that it runs in; a test makes its own.
package struct HostEnvironment: Sendable {
  /// The environment variables.
  package var variables: [String: String]
  /// Whether standard output is a terminal.
  package var outputIsTerminal: Bool
  /// Whether standard error is a terminal.
  package var errorIsTerminal: Bool
  /// The terminal's width in columns, nil when there is none.
  package var terminalColumns: Int?
  /// How many processors the host has.
  package var processorCount: Int
  /// What stands on standard input; nil reads the process's own.
  package var standardInput: [UInt8]?

  /// Creates the environment of a process without a terminal.
  package init(
    variables: [String: String] = [:], outputIsTerminal: Bool = false,
    errorIsTerminal: Bool = false, terminalColumns: Int? = nil, processorCount: Int = 1,
    standardInput: [UInt8]? = []
  ) {
    self.variables = variables
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
    self.terminalColumns = terminalColumns
    self.processorCount = processorCount
    self.standardInput = standardInput
  }

  /// The environment of the running process; reads the few variables that the tool heeds.
  package static func ofThisProcess() -> HostEnvironment {
    var variables: [String: String] = [:]
    for name in [
      "CI", "COLUMNS", "GITHUB_ACTIONS", "HOME", "NO_COLOR", "TERM", "TMPDIR", "XDG_CACHE_HOME",
    ] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    let isTerminal = isatty(STDOUT_FILENO) == 1
    return HostEnvironment(
      variables: variables, outputIsTerminal: isTerminal,
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      terminalColumns: isTerminal ? columns(of: STDOUT_FILENO) : nil,
      processorCount: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))), standardInput: nil)
  }

  /// The width to write for: `COLUMNS`, else the terminal's, else 80; from 40 to 400.
  var width: Int {
    let stated = variables["COLUMNS"].flatMap { Int($0) } ?? terminalColumns ?? 80
    return min(max(stated, 40), 400)
  }

  /// Where files stand for a moment, with no slash behind it: what `TMPDIR` says, else `/tmp`.
  ///
  /// Source: POSIX.1-2017, Base Definitions, 8.3, "TMPDIR".
  var temporaryFolder: String {
    var folder = (variables["TMPDIR"] ?? "")[...]
    while folder.count > 1 && folder.last == "/" { folder.removeLast() }
    return folder.isEmpty ? "/tmp" : folder == "/" ? "" : String(folder)
  }

  /// Whether a continuous-integration service runs the tool.
  var isContinuousIntegration: Bool { !(variables["CI"] ?? "").isEmpty }

  /// Whether GitHub Actions runs the tool, and reads commands in what it prints.
  var isGitHubActions: Bool { variables["GITHUB_ACTIONS"] == "true" }

  /// Whether a terminal may be given colours.
  var allowsColor: Bool {
    (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
  }

  /// Whether the cursor of a terminal may be moved.
  var allowsCursor: Bool { variables["TERM"] != "dumb" && !isContinuousIntegration }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    #if canImport(Darwin)
      let request = UInt(0x4008_7468)  // TIOCGWINSZ, a macro that Swift can't import
    #else
      let request = UInt(TIOCGWINSZ)
    #endif
    guard ioctl(descriptor, request, &size) == 0 && size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
