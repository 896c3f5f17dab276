import Synchronization
public import Testing

/// Attaches to a test that fails what its runs say: summary, log and timeline of each.
///
/// `swift test --attachments-path FOLDER` keeps them. Of many runs in one test the last eight are attached.
public struct RunAttachments: TestTrait, SuiteTrait, TestScoping {
  /// Whether it is for the tests of a suite too.
  public var isRecursive: Bool { true }

  /// A scope for each test case, and none for a suite.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  /// Performs a test case, and attaches what it ran when it fails.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let runs = SimulatedRuns()
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      runs.fail()
      return issue
    }
    try await SimulatedRuns.$current.withValue(runs) {
      do {
        try await watch.provideScope(for: test, testCase: testCase, performing: function)
      } catch {
        // The issue of an error is made behind this scope.
        runs.fail()
        runs.attach()
        throw error
      }
      runs.attach()
    }
  }
}

extension Trait where Self == RunAttachments {
  /// Attaches summary, log and timeline of each run to a test that fails.
  public static var attachingRuns: Self { Self() }
}

/// The runs of the test that is going on.
final class SimulatedRuns: Sendable {
  @TaskLocal static var current: SimulatedRuns?
  private static let most = 8

  private struct State {
    var runs: [(number: Int, run: SimulatedRun)] = []
    var count = 0
    var hasFailed = false
  }

  private let state = Mutex(State())

  func add(_ run: SimulatedRun) {
    state.withLock { state in
      state.count += 1
      state.runs.append((state.count, run))
      if state.runs.count > SimulatedRuns.most { state.runs.removeFirst() }
    }
  }

  func fail() { state.withLock { $0.hasFailed = true } }

  /// Attaches what is there, if the test has failed.
  func attach() {
    let runs = state.withLock { $0.hasFailed ? $0.runs : [] }
    for (number, run) in runs {
      Attachment.record(run.summary, named: "run-\(number)-summary.txt")
      Attachment.record(run.timeline, named: "run-\(number)-timeline.txt")
      Attachment.record(run.log, named: "run-\(number).log")
    }
  }
}
