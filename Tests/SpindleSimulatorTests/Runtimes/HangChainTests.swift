import SpindleModel
import TestSupport
import Testing

/// Waits that never end: each way to wait with what should have ended it.
///
/// The finding names who would end the wait and where that work is, or says that nobody does.
@Suite struct HangChainTests {
  /// A hang, and what is said of it.
  struct Hang: Sendable, CustomTestStringConvertible {
    let name: String
    let trace: String
    var kind = Finding.Kind.deadlock
    let explanation: String

    var testDescription: String { name }
  }

  @Test(arguments: hangs) func theChainIsTold(_ hang: Hang) throws {
    let run = TestRun("machine { platform: .iOS; cores: 4; costs: .zero }\n" + hang.trace)
    #expect(run.record?.outcome.kind == .deadlock, "\(run.diagnostics)")
    let findings = run.record?.findings.filter { $0.kind == hang.kind } ?? []
    #expect(findings.map(\.explanation) == [hang.explanation])
  }

  static let hangs =
    hangsOfQueues + hangsOfSemaphores + hangsOfLocks + hangsOfWork + hangsOfTasks + hangsOfPastCode
    + hangsOfUncalledCode
}
