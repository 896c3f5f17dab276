import SpindleSystem

@testable import SpindleCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One call of the tool without a process, with all that it wrote.
struct Invocation {
  let status: ExitStatus
  let output: String
  let error: String

  /// Calls the tool.
  init(_ arguments: String..., environment: HostEnvironment = HostEnvironment()) {
    self.init(arguments, environment: environment)
  }

  /// Calls the tool.
  init(_ arguments: [String], environment: HostEnvironment = HostEnvironment()) {
    let (output, error) = (OutputSink(), OutputSink())
    status = Tool.run(
      arguments: arguments, environment: environment, standardOutput: output,
      standardError: error)
    self.output = output.text
    self.error = error.text
  }
}

extension Invocation {
  /// The output with one space for each break between words: where lines are wrapped depends on how long the
  /// path of the temporary folder is.
  var flat: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

/// A folder of its own for one test, removed when the test is done; a class for its `deinit`.
final class TemporaryFolder {
  let path: String

  init() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let folder = parent.isEmpty ? "/tmp" : parent
    var template = Array("\(folder)/spindle-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { fatalError("no temporary folder") }
    path = String(cString: made)
  }

  deinit { TemporaryFolder.remove(path) }

  /// The path of `name` in the folder.
  subscript(name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and gives its path back; folders on the way are made.
  @discardableResult
  func write(_ name: String, _ text: String) -> String {
    let parts = name.split(separator: "/")
    for count in 1..<max(parts.count, 1) {
      mkdir(self[parts.prefix(count).joined(separator: "/")], 0o755)
    }
    let full = self[name]
    guard let file = fopen(full, "w") else { fatalError("cannot write \(full)") }
    fputs(text, file)
    fclose(file)
    return full
  }

  /// Removes a file.
  func remove(_ name: String) {
    unlink(self[name])
  }

  /// The text of a file, nil when there is none.
  func read(_ name: String) -> String? {
    guard let file = fopen(self[name], "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// All names in the folder, hidden ones too, sorted.
  var names: [String] { TemporaryFolder.names(path).sorted() }

  /// All names in a folder, hidden ones too.
  static func names(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String) {
    for name in names(path) {
      let full = "\(path)/\(name)"
      if unlink(full) != 0 { remove(full) }
    }
    rmdir(path)
  }
}
