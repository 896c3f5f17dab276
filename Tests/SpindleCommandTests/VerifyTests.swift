import SpindleSystem
import TestSupport
import Testing

@testable import SpindleCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `spindle verify`: runs that must be the same.
@Suite struct VerifyTests {
  private func verify(_ folder: TemporaryFolder, _ arguments: [String]) throws -> RunningTool.End {
    let words = (["verify"] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let process = try RunningTool(
      ["verify"], through: "exec \"$0\" \(words) >\(folder["out"]) 2>\(folder["err"])")
    return process.wait()
  }

  @Test func oneSentenceSaysThatRunsAreTheSame() throws {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", SimulateTests.holds)
    #expect(try verify(folder, [path]) == .exit(0))
    let output = folder.read("out") ?? ""
    // In this process, in four others, four at once, and without consumers: ten.
    #expect(output.hasPrefix("\(path): deterministic: 10 runs agree (hash seeds, environments"))
    #expect(output.split(separator: "\n").count == 1)
    #expect(try verify(folder, [path, "--quiet"]) == .exit(0))
    #expect(folder.read("out") == "")
  }

  /// A tool that answers something else stands for one whose runs differ.
  @Test func anotherBuildThatDiffersIsTold() throws {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", SimulateTests.holds)
    let other = folder.write("other", "#!/bin/sh\necho '{'\necho '  \"format\": 0'\n")
    chmod(other, 0o755)
    #expect(try verify(folder, [path, "--with", other]) == .exit(ExitStatus.notTheSame.rawValue))
    let output = folder.read("out") ?? ""
    #expect(
      output.hasPrefix("\(path): not deterministic: differs by '\(other)'\n  line 2:\n    {\n"))
    #expect(try verify(folder, [path, "--with", folder["no"]]) == .exit(66))
    #expect(try verify(folder, [folder.write("m", SimulateTests.mistaken)]) == .exit(2))
    #expect(try verify(folder, ["-"]) == .exit(64))
  }
}
