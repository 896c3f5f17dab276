import SpindleRecordings
import SpindleSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A recording in a file, of which only what is asked for is in memory.
///
/// A class, since it closes what it has opened.
final class RecordingFile: RecordingBytes {
  private let path: String
  private let descriptor: Int32
  private(set) var count: Int

  /// What a pipe has is read so far into memory, before it goes into a file.
  private static let shortest = 1 << 20

  /// Opens the plain file at `path`.
  private init(_ path: String) throws(FileFailure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .reading(path, errno) }
    var status = stat()
    count = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Takes a file that is open, and empty.
  private init(_ path: String, _ descriptor: Int32) {
    (self.path, self.descriptor, count) = (path, descriptor, 0)
  }

  deinit { close(descriptor) }

  func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw FileFailure.reading(path, errno)
    }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try Files.readSome(descriptor, count: count - bytes.count, path: path)
      if more.isEmpty { break }
      if bytes.isEmpty { bytes = more } else { bytes += more }
    }
    return bytes
  }

  /// The recording at `path`; `-` is standard input.
  ///
  /// What is no plain file can be read once and not again: it goes into a file without a name, unless it is short.
  static func bytes(
    _ path: String, _ environment: HostEnvironment
  ) throws -> any RecordingBytes {
    if path == "-" {
      if let given = environment.standardInput { return RecordingInMemory(given) }
      return try kept(STDIN_FILENO, "-", environment)
    }
    switch Files.kind(of: path) {
    case .file, .missing: return try RecordingFile(path)
    case .folder: throw FileFailure.folder(path)
    case .other:
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { throw FileFailure.reading(path, errno) }
      defer { close(descriptor) }
      return try kept(descriptor, path, environment)
    }
  }

  /// All that comes from a descriptor, up to its end.
  private static func kept(
    _ descriptor: Int32, _ path: String, _ environment: HostEnvironment
  ) throws -> any RecordingBytes {
    var start: [UInt8] = []
    while start.count <= shortest {
      let more = try Files.readSome(descriptor, count: shortest, path: path)
      if more.isEmpty { return RecordingInMemory(start) }
      start += more
    }
    // What has no end, and is no recording, would fill the disk.
    try RecordingFormat.check(start: start)
    let folder = environment.temporaryFolder
    let copy = try nameless(in: folder)
    let file = RecordingFile(path, copy)
    try Files.write(start[...], to: copy, path: folder)
    file.count = start.count
    while true {
      let more = try Files.readSome(descriptor, count: shortest, path: path)
      if more.isEmpty { break }
      try Files.write(more[...], to: copy, path: folder)
      file.count += more.count
    }
    return file
  }

  /// A file that goes when it is closed, however this process ends.
  private static func nameless(in folder: String) throws(FileFailure) -> Int32 {
    var name = Array("\(folder)/spindle-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    if descriptor < 0 { throw .writing(folder, errno) }
    unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}

extension CommandFailure {
  /// Does something with the recording that is called `name`: what is wrong with it is the failure of a
  /// file that can't be read.
  static func wrap<Result>(
    recording name: String, _ body: () throws -> Result
  ) throws(CommandFailure) -> Result {
    do {
      return try body()
    } catch let mistake as RecordingMistake {
      throw .file(FileFailure(purpose: .input, message: mistake.sentence(of: name)))
    } catch let failure as FileFailure {
      throw .file(failure)
    } catch {
      throw .file(FileFailure(purpose: .input, message: "cannot read '\(name)': \(error)"))
    }
  }
}
