import Foundation
import SpindleCommand
import SpindleSystem
import TestSupport
import Testing

/// A recorded log turns red when one number changes, and says where the runs part.
@Suite struct SensitivityTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let path: String
    let old: String
    let new: String

    init(_ claim: String, _ path: String, _ old: String, _ new: String) {
      (testDescription, self.path, self.old, self.new) = (claim, path, old, new)
    }
  }

  static let rows = [
    Row(
      "a cost", "Traces/notes/A1-thread-cost-apple.trace", "costs: .apple",
      "costs: .apple(wake: 1001ns)"),
    Row(
      "a quantum", "Traces/textbook/round-robin-quantum-4.trace", "quantum: 4ms", "quantum: 4001us"),
    Row("a burst", "Traces/policies/fifo.trace", "work(10ms)", "work(9999us)"),
    Row("a seed", "Traces/notes/E1-modules.trace", "seed: 7", "seed: 8"),
  ]

  @Test("a change of one number is seen", arguments: rows)
  func changeIsSeen(row: Row) throws {
    let text = try Repository.text(row.path)
    #expect(text.contains(row.old))
    let folder = NSTemporaryDirectory() + "spindle-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let log = try Repository.text(row.path.replacing(".trace", with: ".log"))
    try log.write(toFile: folder + "/changed.log", atomically: true, encoding: .utf8)

    let (same, _) = try result(text, in: folder)
    #expect(same == .held)
    let (status, output) = try result(text.replacing(row.old, with: row.new), in: folder)
    #expect(status == .notHeld)
    #expect(output.contains("differs from"), "\(output)")
    #expect(output.hasSuffix("0 passed, 1 failed\n"))
  }

  private func result(
    _ text: String, in folder: String
  ) throws -> (SpindleSystem.ExitStatus, String) {
    let path = folder + "/changed.trace"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let (output, error) = (OutputSink(), OutputSink())
    let status = Tool.run(
      arguments: ["test", path], environment: HostEnvironment(), standardOutput: output,
      standardError: error)
    return (status, output.text + error.text)
  }
}
