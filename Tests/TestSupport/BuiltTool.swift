import Foundation

/// The tool as it was built with the tests.
public enum BuiltTool {
  /// What a process left behind.
  public struct Result: Sendable {
    /// The exit status.
    public let status: Int32
    /// What it wrote to standard output.
    public let output: String
    /// What it wrote to standard error.
    public let error: String
  }

  /// The path of the tool, nil when it is not beside the tests.
  public static let path: String? = {
    let places = CommandLine.arguments + [Bundle.main.executablePath ?? ""]
    for place in places {
      var folder = (place as NSString).deletingLastPathComponent
      // A test bundle on macOS is a folder with folders in it.
      for _ in 0..<4 where folder.count > 1 {
        let candidate = folder + "/spindle"
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder)
        if exists && !isFolder.boolValue { return candidate }
        folder = (folder as NSString).deletingLastPathComponent
      }
    }
    return nil
  }()

  /// Runs the tool in the repository's root, with nothing on standard input and no colours; with
  /// `kilobytes` of addresses, where that is said.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], kilobytes: Int? = nil
  ) throws -> Result {
    guard let path else { throw Missing() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    if let kilobytes {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", "ulimit -v \(kilobytes) && exec \"$0\" \"$@\"", path] + arguments
    }
    process.currentDirectoryURL = URL(fileURLWithPath: Repository.root)
    var variables = ProcessInfo.processInfo.environment
    for name in ["CI", "COLUMNS"] { variables[name] = nil }
    process.environment = variables.merging(environment) { $1 }
    let (output, error) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, error)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = error.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      error: String(decoding: complaint, as: UTF8.self))
  }

  /// The tool is not where it should be.
  struct Missing: Error, CustomStringConvertible {
    let description = "the tool 'spindle' was not built beside the tests"
  }
}
