#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads files and folders, and writes to descriptors.
///
/// Plain calls of the C library: they start faster than larger libraries do.
package enum Files {
  /// What a path leads to.
  package enum Kind { case file, folder, other, missing }

  /// What stands at `path`; symbolic links are followed.
  package static func kind(of path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    return kind(of: status)
  }

  /// The one spelling of the path of what is there, without links; `path` itself of what is not.
  package static func resolved(_ path: String) -> String {
    guard let full = realpath(path, nil) else { return path }
    defer { free(full) }
    return String(cString: full)
  }

  /// The most bytes that any file may have: what the parts of a text are numbered by.
  private static let greatest = Int(Int32.max) - 1
  /// The most bytes that a trace may have, 256 MB: some five million items that are written out, for which two to
  /// four GB of the host's memory are needed.
  package static let greatestTrace = 256 << 20

  /// The bytes of the file at `path`, all of them; throws before it reads where it has more than `limit`.
  package static func read(_ path: String, atMost limit: Int = greatest) throws(FileFailure)
    -> [UInt8]
  {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .reading(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .reading(path, errno) }
    if kind(of: status) == .folder { throw .folder(path) }
    let size = Int(status.st_size)
    if kind(of: status) == .file && size > limit { throw .tooLarge(path, limit) }
    return try readAll(descriptor, path: path, expecting: size, atMost: limit)
  }

  /// The first bytes of the file at `path`; nil where it can't be read or is no plain file.
  package static func start(of path: String, count: Int) -> [UInt8]? {
    guard kind(of: path) == .file else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    do {
      return try readSome(descriptor, count: count, path: path)
    } catch {
      return nil
    }
  }

  /// Whether the file at `path` begins with a text.
  package static func begins(_ path: String, with text: String) -> Bool {
    start(of: path, count: text.utf8.count)?.elementsEqual(text.utf8) ?? false
  }

  /// Makes the folders that a file at `path` lies in, as far as they can be made.
  package static func makeFolder(of path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for count in 2..<max(2, parts.count) {
      mkdir(parts.prefix(count).joined(separator: "/"), 0o700)
    }
  }

  /// Everything up to the end of standard input.
  package static func readStandardInput(atMost limit: Int = greatest) throws(FileFailure) -> [UInt8]
  {
    try readAll(STDIN_FILENO, path: "-", expecting: 0, atMost: limit)
  }

  /// The names in the folder at `path`, in the order of their bytes, without hidden ones.
  private static func names(inFolder path: String) throws(FileFailure) -> [[UInt8]] {
    guard let folder = opendir(path) else { throw .reading(path, errno) }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        Array(bytes.prefix { $0 != 0 })
      }
      if name.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// What was found below a folder.
  package struct Found {
    /// The files.
    package var paths: [String] = []
    /// What may be such a file and can't be read, by its name as it may be shown.
    package var unreadable: [(name: String, failure: FileFailure)] = []

    /// Nothing found yet.
    package init() {}
  }

  /// The files below the folder at `path` whose name ends with `suffix`.
  ///
  /// They come in the order of the bytes of their names, folder by folder. Links to folders are
  /// not followed.
  package static func files(below path: String, suffix: String) throws(FileFailure) -> Found {
    var found = Found()
    try find(below: path, suffix: suffix, &found)
    return found
  }

  private static func find(
    below path: String, suffix: String, _ found: inout Found
  ) throws(FileFailure) {
    let prefix = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
    for bytes in try names(inFolder: path) {
      var status = stat()
      let raw = Array(prefix.utf8) + bytes
      guard lstat(raw.map { CChar(bitPattern: $0) } + [0], &status) == 0 else { continue }
      let isFolder = kind(of: status) == .folder
      guard isFolder || bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { continue }
      guard let full = String(validating: raw, as: UTF8.self) else {
        let name = FileName.shown(bytes: raw)
        let message = "cannot read '\(name)': its name is not valid UTF-8"
        found.unreadable.append((name, FileFailure(purpose: .input, message: message)))
        continue
      }
      if isFolder {
        try find(below: full, suffix: suffix, &found)
        continue
      }
      switch kind(of: full) {
      case .folder: continue
      case .file, .missing: found.paths.append(full)
      // Who opens a pipe waits for somebody at its other end.
      case .other: found.unreadable.append((full, .noFile(full, .input)))
      }
    }
  }

  /// Writes all of `bytes` to an open descriptor.
  package static func write(
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
    _ descriptor: Int32, path: String, expecting size: Int, atMost limit: Int
  ) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var step = max(size, 65_535) + 1
    if size > 0 && size < 65_535 { step = size + 1 }
    while true {
      let chunk = try readSome(descriptor, count: step, path: path)
      if chunk.isEmpty { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      if bytes.count > limit { throw .tooLarge(path, limit) }
      step = max(65_536, min(bytes.count / 2, 64 << 20))
    }
  }

  /// Reads up to `count` bytes, none only at the end.
  package static func readSome(
    _ descriptor: Int32, count limit: Int, path: String
  ) throws(FileFailure) -> [UInt8] {
    var number: Int32 = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var got = 0
      repeat {
        #if canImport(Glibc)
          got = Glibc.read(descriptor, buffer.baseAddress, limit)
        #else
          got = Darwin.read(descriptor, buffer.baseAddress, limit)
        #endif
      } while got < 0 && errno == EINTR
      number = got < 0 ? errno : 0
      count = max(0, got)
    }
    if number != 0 { throw .reading(path, number) }
    return chunk
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The address of the first byte.
  fileprivate var baseAddressOfSlice: UnsafeRawPointer? {
    base.baseAddress.map { $0 + startIndex }
  }
}
