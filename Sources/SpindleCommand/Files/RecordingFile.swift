import SpindleRecordings

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
  let count: Int

  /// Opens the plain file at `path`.
  private init(_ path: String) throws(FileFailure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .reading(path, errno) }
    var status = stat()
    count = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
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

  /// The recording at `path`; `-` is standard input, and what is no plain file is read whole.
  static func bytes(
    _ path: String, _ environment: HostEnvironment
  ) throws(FileFailure) -> any RecordingBytes {
    if path == "-" {
      if let given = environment.standardInput { return RecordingInMemory(given) }
      return RecordingInMemory(try Files.readStandardInput())
    }
    switch Files.kind(of: path) {
    case .file, .missing: return try RecordingFile(path)
    case .folder, .other: return RecordingInMemory(try Files.read(path))
    }
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
