import SpindleSystem

/// Where results go to: standard output, or a file that is written whole or not at all.
///
/// A class, since it gives back what it holds when nobody needs it any more.
final class ResultOutput {
  private let console: Console
  private let file: WholeFile?

  /// Begins to write to the file at `path`; `-` and nil are standard output.
  init(_ path: String?, _ console: Console) throws(FileFailure) {
    self.console = console
    if let path, path != "-" { file = try WholeFile(path) } else { file = nil }
  }

  /// Writes a text.
  func write(_ text: String) {
    guard !text.isEmpty else { return }
    if let file { file.write(Array(text.utf8)[...]) } else { console.output.write(text) }
  }

  /// Writes bytes.
  func write(_ bytes: ArraySlice<UInt8>) {
    if let file { file.write(bytes) } else { console.output.write(bytes) }
  }

  /// Puts the file in its place.
  func commit() throws(FileFailure) { try file?.commit() }
}
