import SpindleRun
import SpindleSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Keeps what a command writes apart from what it reads, and from what else it writes.
///
/// Files are told apart by what they are and not by how they are called. All that is written is
/// named first.
struct FileRoles {
  private var written: [FileIdentity: String] = [:]
  private let readsStandardInput: Bool
  /// The costs that an option names, which may be files.
  private let costs: [String]
  /// So much of a trace is looked through for the costs that it names.
  private static let lookedThrough = 1 << 20

  /// Begins with the outputs that a process has anyway, which may be one.
  ///
  /// `costs` is what an option says that may name files of costs, one or a list.
  init(_ console: Console, costs: String? = nil) {
    self.costs = ListText.values(costs ?? "").filter { $0.hasSuffix(".costs") }
    readsStandardInput = console.environment.standardInput == nil
    if let output = console.output.identity { written[output] = "standard output" }
    if let error = console.error.identity, written[error] == nil {
      written[error] = "standard error"
    }
  }

  /// Notes that the file at `path` will be written; throws when it is one of those before.
  mutating func write(_ path: String) throws(FileFailure) {
    guard let identity = FileIdentity(path: path) else { return }
    if let other = written.updateValue("'\(path)'", forKey: identity) {
      throw FileFailure(
        purpose: .output,
        message: "cannot write '\(path)': it is the same file as \(other), which is written too")
    }
  }

  /// Throws when the trace or log at `path`, which will be read, is one that will be written, or a file of
  /// costs is that it is run with.
  func read(_ path: String) throws(FileFailure) {
    try readOne(path)
    for file in costs { try readOne(file) }
    guard !written.isEmpty, path != "-", path.hasSuffix(".trace"),
      let text = Files.start(of: path, count: FileRoles.lookedThrough)
    else { return }
    for file in NamedFiles.named(in: text, of: path) { try readOne(file) }
  }

  private func readOne(_ path: String) throws(FileFailure) {
    let isStandardInput = path == "-"
    if isStandardInput && !readsStandardInput { return }
    let identity =
      isStandardInput ? FileIdentity(descriptor: STDIN_FILENO) : FileIdentity(path: path)
    guard let identity, let output = written[identity] else { return }
    let input = isStandardInput ? "standard input" : "'\(path)'"
    throw FileFailure(
      purpose: .output,
      message: "cannot write \(output): it is the same file as \(input), which is read")
  }

  /// Does so for each of several.
  func read(_ paths: [String]) throws(FileFailure) {
    for path in paths { try read(path) }
  }
}
