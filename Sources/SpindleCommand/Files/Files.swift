#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads files and folders, and writes to descriptors.
///
/// Plain calls of the C library: they start faster than larger libraries do.
enum Files {
  /// What a path leads to.
  enum Kind { case file, folder, other, missing }

  /// What stands at `path`; symbolic links are followed.
  static func kind(of path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    return kind(of: status)
  }

  /// The bytes of the file at `path`, all of them.
  static func read(_ path: String) throws(FileFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .reading(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .reading(path, errno) }
    if kind(of: status) == .folder { throw .folder(path) }
    return try readAll(descriptor, path: path, expecting: Int(status.st_size))
  }

  /// Everything up to the end of standard input.
  static func readStandardInput() throws(FileFailure) -> [UInt8] {
    try readAll(STDIN_FILENO, path: "-", expecting: 0)
  }

  /// The names in the folder at `path`, in the order of their bytes, without hidden ones.
  static func names(inFolder path: String) throws(FileFailure) -> [String] {
    guard let folder = opendir(path) else { throw .reading(path, errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The files below the folder at `path` whose name ends with `suffix`.
  ///
  /// They come in the order of the bytes of their names, folder by folder. Links to folders are
  /// not followed.
  static func files(below path: String, suffix: String) throws(FileFailure) -> [String] {
    var found: [String] = []
    let prefix = path.hasSuffix("/") ? path : path + "/"
    for name in try names(inFolder: path) {
      let full = prefix + name
      var status = stat()
      guard lstat(full, &status) == 0 else { continue }
      if kind(of: status) == .folder {
        found += try files(below: full, suffix: suffix)
      } else if name.hasSuffix(suffix) && kind(of: full) != .folder {
        found.append(full)
      }
    }
    return found
  }

  /// Writes all of `bytes` to an open descriptor.
  static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, path: String
  ) throws(FileFailure) {
    var number: Int32 = 0
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        #if canImport(Glibc)
          let count = Glibc.write(descriptor, rest.baseAddressOfSlice, rest.count)
        #else
          let count = Darwin.write(descriptor, rest.baseAddressOfSlice, rest.count)
        #endif
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          number = errno
          return
        }
      }
    }
    if number != 0 { throw .writing(path, number) }
  }

  private static func kind(of status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// Reads up to the end.
  ///
  /// One byte more than expected is asked for, so that a file of the size
  /// that the system stated needs two calls; a pipe, which states none, grows by halves.
  private static func readAll(
    _ descriptor: Int32, path: String, expecting size: Int
  ) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var step = max(size, 65_535) + 1
    if size > 0 && size < 65_535 { step = size + 1 }
    while true {
      var number: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: step) { buffer, count in
        var got = 0
        repeat {
          #if canImport(Glibc)
            got = Glibc.read(descriptor, buffer.baseAddress, step)
          #else
            got = Darwin.read(descriptor, buffer.baseAddress, step)
          #endif
        } while got < 0 && errno == EINTR
        number = got < 0 ? errno : 0
        count = max(0, got)
      }
      if number != 0 { throw .reading(path, number) }
      if chunk.isEmpty { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count < Int32.max else {
        throw FileFailure(purpose: .input, message: "'\(path)' is larger than 2 GB")
      }
      step = max(65_536, min(bytes.count / 2, 64 << 20))
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The address of the first byte.
  fileprivate var baseAddressOfSlice: UnsafeRawPointer? {
    base.baseAddress.map { $0 + startIndex }
  }
}
