import SpindleModel
import SpindleReports
import SpindleSystem

/// A file that a run is exported to, as the command line says it.
struct ExportRequest: Hashable, Sendable {
  /// In which format.
  let format: ExportFormat
  /// Where to; `-` for standard output.
  let path: String

  /// Reads `FORMAT=FILE`, or a `FILE` whose name ends as those of a format do.
  init(_ text: String) throws(CommandFailure) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let known = ExportFormat.allCases.map(\.rawValue)
    if parts.count == 2, let format = ExportFormat(rawValue: String(parts[0])) {
      guard !parts[1].isEmpty else {
        throw .usage(UsageText.exportFileNeeded(text))
      }
      (self.format, path) = (format, String(parts[1]))
    } else if let format = ExportFormat(fileName: text) {
      (self.format, path) = (format, text)
    } else {
      let proposal = parts.count == 2 ? Spelling.proposal(String(parts[0]), in: known) : ""
      throw .usage(UsageText.exportUnknown(text, near: proposal, of: known.joined(separator: ", ")))
    }
  }
}

/// The files that the log of one run goes to.
struct RunFiles {
  private var files: [WholeFile] = []
  /// What writes them.
  private(set) var consumers: [any LogConsumer] = []

  /// Starts to write the log and the exports of a run; `-` is standard output.
  init(
    log: String?, exports: [ExportRequest], _ console: Console
  ) throws(CommandFailure) {
    if let log {
      let write = try sink(log, console)
      consumers.append(LogText(limit: nil, write: write))
    }
    for export in exports {
      let write = try sink(export.path, console)
      consumers.append(Timeline(export.format.makeExport(write: write)))
    }
  }

  private mutating func sink(
    _ path: String, _ console: Console
  ) throws(CommandFailure) -> (ArraySlice<UInt8>) -> Void {
    let output = console.output
    if path == "-" { return { output.write($0) } }
    let file = try CommandFailure.wrap { () throws(FileFailure) in try WholeFile(path) }
    files.append(file)
    return { file.write($0) }
  }

  /// Puts every file in its place; where one can't be, those behind it stay as they were.
  func commit() throws(CommandFailure) {
    for file in files {
      try CommandFailure.wrap { () throws(FileFailure) in try file.commit() }
    }
  }
}
