import SpindleSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program of its own beside this one, which runs real threads of the libraries.
struct HostTool {
  /// Its name, which is that of its product.
  let name: String

  static let calibrate = HostTool(name: "spindle-calibrate")
  static let validate = HostTool(name: "spindle-validate")

  /// Where it is: beside the file that this process runs.
  var path: String {
    let path = Executable.path
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return folder + name
  }

  /// What it prints; throws where it is not there.
  func output(
    _ arguments: [String], heard: (String) -> Void = { _ in }
  ) throws(FileFailure) -> String {
    if access(path, X_OK) != 0 {
      throw FileFailure(
        purpose: .input,
        message: "'\(path)' is not there: 'swift build --product \(name)' builds "
          + "what measures, and it belongs beside 'spindle'")
    }
    return try ChildProcess.output(of: path, arguments, environment: [], heard: heard)
  }
}
