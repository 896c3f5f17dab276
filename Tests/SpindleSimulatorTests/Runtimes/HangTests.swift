import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// What is said of a main thread that could not answer: for what, and for how long.
@Suite struct HangTests {
  /// Five reasons, of which the three largest are told, with the largest first.
  @Test func aHangNamesItsThreeLargestReasons() throws {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      let lock = NSLock()
      let signal = DispatchSemaphore(value: 0)
      let group = DispatchGroup()
      main {
          group.enter()
          Thread.detachNewThread { lock.lock(); sleep(200ms); lock.unlock() }
          sleep(1us)
          lock.lock(); lock.unlock()
          _ = signal.wait(timeout: .now() + 300ms)
          _ = group.wait(timeout: .now() + 400ms)
          group.leave()
          sleep(500ms)
          io(600ms)
      }
      """)
    let finding = try #require(run.record?.findings.first)
    #expect(finding.kind == .mainThreadHang)
    #expect(
      finding.explanation.hasSuffix(
        "it waited 600ms of it for an input or output; it slept 500.001ms of it; "
          + "it waited 400ms of it for group 'group'"), "\(finding.explanation)")
  }

  /// What is called costs more than all that the body itself did until the last of it.
  @Test func aHangOfCostsNamesThem() throws {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 2; costs: .apple }
      main { DispatchQueue.concurrentPerform(iterations: 2_000_000) { _ in } }
      """)
    let finding = try #require(run.record?.findings.first)
    #expect(finding.kind == .mainThreadHang)
    #expect(
      finding.explanation.contains("; the costs of its calls took "), "\(finding.explanation)")
  }
}
