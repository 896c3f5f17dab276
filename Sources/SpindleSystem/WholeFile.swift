#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is written whole or not at all.
///
/// What is written goes into a hidden file beside it, which takes its place only when all is there
/// and on the disk. The file keeps its rights and its owner, and a symbolic link to it stays one.
/// A class, since the consumer of a log that writes into it outlives the function that makes both.
///
/// There are two exceptions. A file that can't be replaced by one of its kind, since it has other
/// names, another owner, or a folder that may not be written, is written in place: all at once at
/// the end, from a file without a name; who looks or pulls the plug at that moment finds a part.
/// And what is no plain file, such as `/dev/null` or a pipe, is written to directly.
package final class WholeFile {
  /// How what is written gets to where it belongs.
  private enum Way {
    /// By a file that takes the place of the one there.
    case replacing(PartialFile, LinkedPath)
    /// By copying what stands in a file without a name.
    case copying(UnsafeMutablePointer<FILE>)
    /// At once.
    case direct
  }

  private let path: String
  private let way: Way
  private var descriptor: Int32
  private var failure: FileFailure?

  /// Starts to write the file at `path`; what stands there stays until `commit`.
  package init(_ path: String) throws(FileFailure) {
    self.path = path
    switch Files.kind(of: path) {
    case .folder:
      throw FileFailure(purpose: .output, message: "cannot write '\(path)': it is a folder")
    case .other:
      way = .direct
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw .writing(path, errno) }
    case .file, .missing:
      (way, descriptor) = try WholeFile.begin(path)
    }
  }

  deinit { closeAll() }

  /// Writes the next bytes; a failure is kept for `commit` to report.
  package func write(_ bytes: ArraySlice<UInt8>) {
    guard failure == nil else { return }
    do {
      try Files.write(bytes, to: descriptor, path: path)
    } catch {
      failure = error
    }
  }

  /// Puts the file in its place, or throws and leaves everything as it was.
  package func commit() throws(FileFailure) {
    defer { closeAll() }
    if let failure { throw failure }
    switch way {
    case .replacing(let partial, let target):
      try WholeFile.sync(descriptor, path)
      let closed = close(descriptor)
      descriptor = -1
      if closed != 0 { throw .writing(path, errno) }
      let number = partial.replace(target)
      if number != 0 { throw .writing(path, number) }
    case .copying: try copy()
    case .direct:
      let closed = close(descriptor)
      descriptor = -1
      if closed != 0 { throw .writing(path, errno) }
    }
  }

  /// Writes `text` as the whole file at `path`.
  package static func write(_ text: String, to path: String) throws(FileFailure) {
    let file = try WholeFile(path)
    file.write(Array(text.utf8)[...])
    try file.commit()
  }

  /// Finds the way in which a plain file can be written, and where to write to.
  private static func begin(_ path: String) throws(FileFailure) -> (Way, Int32) {
    guard let target = LinkedPath(path) else { throw .writing(path, ELOOP) }
    var (old, seen) = (stat(), stat())
    let exists = stat(path, &old) == 0
    if !exists && errno != ENOENT { throw .writing(path, errno) }
    if exists && access(path, W_OK) != 0 { throw .writing(path, errno) }
    // A link of the system's own may lead to a file that has lost its name.
    let isNamed = lstat(target.path, &seen) == 0 && seen.st_ino == old.st_ino
    if !exists || (old.st_nlink == 1 && isNamed) {
      do {
        let partial = try PartialFile(beside: target)
        if !exists || partial.takeOver(old) {
          return (.replacing(partial, target), partial.descriptor)
        }
        close(partial.descriptor)
      } catch {
        if !exists || ![EACCES, EPERM, EROFS].contains(error.number) {
          throw .writing(path, error.number)
        }
      }
    }
    guard let nameless = tmpfile() else { throw .writing(path, errno) }
    return (.copying(nameless), fileno(nameless))
  }

  /// Writes what was kept over what stands in the file.
  private func copy() throws(FileFailure) {
    let output = open(path, O_WRONLY | O_CLOEXEC)
    guard output >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw .writing(path, errno) }
    defer { close(output) }
    var length: off_t = 0
    while true {
      let bytes = try Files.readSome(descriptor, count: 1 << 20, path: path)
      if bytes.isEmpty { break }
      try Files.write(bytes[...], to: output, path: path)
      length += off_t(bytes.count)
    }
    if ftruncate(output, length) != 0 { throw .writing(path, errno) }
    try WholeFile.sync(output, path)
  }

  /// Waits until all that was written is on the disk.
  private static func sync(_ descriptor: Int32, _ path: String) throws(FileFailure) {
    // Some file systems have nothing to wait for, and say so.
    if fsync(descriptor) != 0 && ![EINVAL, ENOTSUP, EROFS].contains(errno) {
      throw .writing(path, errno)
    }
  }

  /// Gives back what is open, and removes what was not put in its place.
  private func closeAll() {
    switch way {
    case .replacing(let partial, _):
      if descriptor >= 0 { close(descriptor) }
      partial.discard()
    case .copying(let nameless): if descriptor >= 0 { fclose(nameless) }
    case .direct: if descriptor >= 0 { close(descriptor) }
    }
    descriptor = -1
  }
}
