#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads a file line by line, in memory that does not grow with it.
///
/// A class, since it closes what it has opened.
package final class FileLines {
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// The longest line that is taken.
  private static let longest = 1 << 26

  /// Opens the file at `path`.
  package init(_ path: String) throws(FileFailure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .reading(path, errno) }
    if Files.kind(of: path) == .folder { throw .folder(path) }
  }

  deinit { close(descriptor) }

  /// The next line without its end; nil behind the last.
  ///
  /// What follows the last end of a line is a
  /// line too, unless it is empty.
  package func next() throws(FileFailure) -> String? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { position = end + 1 }
        return try text(buffer[position..<end])
      }
      if isAtEnd {
        guard position < buffer.count else { return nil }
        defer { position = buffer.count }
        return try text(buffer[position...])
      }
      buffer.removeFirst(position)
      (position, searched) = (0, buffer.count)
      if buffer.count > FileLines.longest {
        throw FileFailure(purpose: .input, message: "cannot read '\(path)': a line is too long")
      }
      let more = try Files.readSome(descriptor, count: 1 << 16, path: path)
      if more.isEmpty { isAtEnd = true }
      buffer += more
    }
  }

  private func text(_ line: ArraySlice<UInt8>) throws(FileFailure) -> String {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw FileFailure(purpose: .input, message: "cannot read '\(path)': it is not valid UTF-8")
    }
    return text
  }
}
