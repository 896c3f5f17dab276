#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Something that the world outside did not do: read a file, write one.
package struct FileFailure: Error, Hashable, Sendable {
  /// What was asked of the file.
  package enum Purpose: Hashable, Sendable { case input, output }

  /// What was asked of the file.
  package let purpose: Purpose
  /// What went wrong, naming the file, without a full stop.
  package let message: String

  /// Creates a failure; names in `message` stand as they are, and are shown as they may be.
  package init(purpose: Purpose, message: String) {
    (self.purpose, self.message) = (purpose, FileName.shown(message))
  }

  /// What the tool answers with.
  package var status: ExitStatus {
    switch purpose {
    case .input: .noInput
    case .output: .noOutput
    }
  }

  /// The failure of a read, as the system's error number says it.
  package static func reading(_ path: String, _ number: Int32) -> FileFailure {
    switch number {
    case ENOENT, ENOTDIR: FileFailure(purpose: .input, message: "no such file: '\(path)'")
    case EISDIR: folder(path)
    default:
      FileFailure(purpose: .input, message: "cannot read '\(path)': \(description(number))")
    }
  }

  /// The failure of a write, as the system's error number says it.
  package static func writing(_ path: String, _ number: Int32) -> FileFailure {
    FileFailure(purpose: .output, message: "cannot write '\(path)': \(description(number))")
  }

  /// Files that are to be created exist.
  static func existing(_ paths: [String]) -> FileFailure {
    let names = paths.map { "'\($0)'" }.joined(separator: " and ")
    let pronoun = paths.count == 1 ? "it exists" : "they exist"
    return FileFailure(
      purpose: .output, message: "cannot create \(names): \(pronoun); nothing was written")
  }

  /// A file, or what comes from a pipe, has more than `limit` bytes.
  package static func tooLarge(_ path: String, _ limit: Int) -> FileFailure {
    let most = limit % (1 << 20) == 0 ? "\(limit >> 20)MB" : "2GB"
    return FileFailure(
      purpose: .input, message: "'\(path)' is larger than \(most), the most that is read")
  }

  /// A folder stands where a file is asked for.
  package static func folder(_ path: String) -> FileFailure {
    FileFailure(
      purpose: .input, message: "'\(path)' is a folder; only 'spindle test' takes folders")
  }

  /// A device or a pipe stands where a file is asked for.
  package static func noFile(_ path: String, _ purpose: Purpose) -> FileFailure {
    let verb = purpose == .input ? "read" : "rewrite"
    return FileFailure(
      purpose: purpose, message: "cannot \(verb) '\(path)': it is not a regular file")
  }

  private static func description(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
  }
}
