import TestSupport
import Testing

/// What the kernel keeps is written by the kernel alone.
///
/// The compiler refuses to write a record of its tables that is only read; what it can't see inside one
/// module is who takes the way that is meant for the kernel's own files.
@Suite struct KernelTests {
  private static let own = ["Core", "Kernel"].map { "Sources/SpindleSimulator/\($0)/" }
  private static let others = Repository.files(
    below: "Sources/SpindleSimulator", suffix: ".swift"
  ).filter { path in !own.contains { path.hasPrefix($0) } }

  @Test func onlyTheKernelWritesItsTables() throws {
    #expect(KernelTests.others.count > 80)
    for path in KernelTests.others {
      for (number, line) in try Repository.lines(path).enumerated()
      where KernelTests.writes(SourceTests.withoutTexts(line)) {
        Issue.record("\(path):\(number + 1) writes what the kernel keeps: use one of its verbs")
      }
    }
  }

  @Test(
    "a write is seen",
    arguments: [
      "    process.kernel.threads.writable[thread].phase = 2",
      "    UnsafeMutablePointer(mutating: record).pointee.frame = 3",
      "    kernel.mainWait = nil",
      "    process.kernel.hold.isSuspended = true",
      "    kernel.readyCount &+= 1",
    ])
  func writeIsSeen(line: String) {
    #expect(KernelTests.writes(line))
  }

  @Test(
    "reading is none",
    arguments: [
      "    if kernel.readyCount == 0 { return }", "    let now = process.kernel.now",
      "    self.kernel = kernel", "    kernel.threads.at(thread).setPhase(2)",
    ])
  func readingIsNone(line: String) {
    #expect(!KernelTests.writes(line))
  }

  private static func writes(_ line: String) -> Bool {
    if line.contains(".writable") || line.contains("mutating: ") { return true }
    return line.firstMatch(of: #/kernel\.[A-Za-z.]+ [-+&|]*= /#) != nil
  }
}
