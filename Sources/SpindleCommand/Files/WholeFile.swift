#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is written whole or not at all.
///
/// What is written goes into a hidden file beside it, which takes its place only when all is
/// there. What is no plain file, such as `/dev/null` or a pipe, is written to directly. A class,
/// since the consumer of a log that writes into it outlives the function that makes both.
final class WholeFile {
  private let path: String
  private let temporary: String?
  private var descriptor: Int32
  private var failure: FileFailure?

  /// Starts to write the file at `path`; what stands there stays until `commit`.
  init(_ path: String) throws(FileFailure) {
    let target = WholeFile.resolved(path)
    switch Files.kind(of: target) {
    case .folder:
      throw FileFailure(purpose: .output, message: "cannot write '\(path)': it is a folder")
    case .other:
      (self.path, temporary) = (path, nil)
      descriptor = open(target, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw .writing(path, errno) }
    case .file, .missing:
      if Files.kind(of: target) == .file && access(target, W_OK) != 0 {
        throw .writing(path, errno)
      }
      let name = WholeFile.temporaryName(beside: target)
      (self.path, temporary) = (target, name)
      descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0 { throw .writing(path, errno) }
      var status = stat()
      if stat(target, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
    }
  }

  deinit { discard() }

  /// Writes the next bytes; a failure is kept for `commit` to report.
  func write(_ bytes: ArraySlice<UInt8>) {
    guard failure == nil else { return }
    do {
      try Files.write(bytes, to: descriptor, path: path)
    } catch {
      failure = error
    }
  }

  /// Puts the file in its place, or throws and leaves everything as it was.
  func commit() throws(FileFailure) {
    defer { discard() }
    if let failure { throw failure }
    let closed = close(descriptor)
    descriptor = -1
    if closed != 0 { throw .writing(path, errno) }
    guard let temporary else { return }
    if rename(temporary, path) != 0 { throw .writing(path, errno) }
  }

  /// Writes `text` as the whole file at `path`.
  static func write(_ text: String, to path: String) throws(FileFailure) {
    let file = try WholeFile(path)
    file.write(Array(text.utf8)[...])
    try file.commit()
  }

  /// Removes what was written so far; harmless after a commit, when the name is free.
  private func discard() {
    if descriptor >= 0 {
      close(descriptor)
      descriptor = -1
      if let temporary { unlink(temporary) }
    } else if let temporary, access(temporary, F_OK) == 0 {
      unlink(temporary)
    }
  }

  /// The file that a symbolic link leads to, so that the link itself stays.
  private static func resolved(_ path: String) -> String {
    guard let full = realpath(path, nil) else { return path }
    defer { free(full) }
    return String(cString: full)
  }

  private static func temporaryName(beside path: String) -> String {
    let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    let start = cut ?? path.startIndex
    return "\(path[..<start]).\(path[start...]).\(getpid()).partial"
  }
}
