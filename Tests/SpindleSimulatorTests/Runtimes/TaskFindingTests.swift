import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// What is said of tasks and the main thread that wait for each other.
@Suite struct TaskFindingTests {
  private static let machine = "machine { platform: .iOS; cores: 2; costs: .zero }\n"

  /// The only finding of a run, and the places that it names, as the text at each.
  private func finding(_ text: String) throws -> (finding: Finding, places: [String]) {
    let text = Self.machine + text
    let run = TestRun(text)
    #expect(run.messages == [])
    let finding = try #require(run.record?.findings.first, "\(run.log)")
    #expect(run.record?.findings.count == 1)
    let bytes = Array(text.utf8)
    return (
      finding,
      finding.places.map {
        String(decoding: bytes[Int($0.lowerBound)..<Int($0.upperBound)], as: UTF8.self)
      }
    )
  }

  @Test func aDeadlockNamesTheAwaitedCodeOfTheMainActor() throws {
    let (finding, places) = try finding(
      """
      main {
          let done = DispatchSemaphore(value: 0)
          Task.detached(name: "visitor") { await MainActor.run { print("x") }; done.signal() }
          done.wait()
      }
      """)
    #expect(finding.kind == .deadlock)
    #expect(finding.explanation.hasSuffix("can't run the main actor's code that 'visitor' awaits"))
    #expect(
      places.contains { $0.hasPrefix("MainActor.run") || $0.contains("MainActor") }, "\(places)")
  }

  /// The same of a task that is on the main actor itself: that it could be a detached one helps there.
  @Test func aDeadlockOfATaskOfTheMainActorNamesTheRemedy() throws {
    let (finding, _) = try finding(
      """
      main {
          let done = DispatchSemaphore(value: 0)
          Task(name: "own") { done.signal() }
          done.wait()
      }
      """)
    #expect(finding.kind == .deadlock)
    #expect(finding.explanation.hasSuffix("one created by 'Task.detached' is not"))
  }

  /// The first call waits with the lock in hand, and the second one then finds the thread to have it.
  @Test func aLockThatATaskTookAwayNamesTheTask() throws {
    let (finding, places) = try finding(
      """
      actor A { let lock = NSLock(); func take() async { lock.lock(); await io(1ms); lock.unlock() } }
      let a = A()
      main(.tool) {
          async let first: Void = a.take()
          async let second: Void = a.take()
          _ = await first
          _ = await second
      }
      """)
    #expect(finding.kind == .selfDeadlock)
    #expect(
      finding.explanation.hasSuffix(
        "'lock', acquired by 'first', which is suspended in `await` with it"),
      "\(finding.explanation)")
    #expect(places.contains("io(1ms)"), "\(places)")
  }

  /// A task that has come back and takes its own lock again is the one that waits.
  @Test func aLockThatATaskHasStillIsItsThreads() throws {
    let (finding, _) = try finding(
      """
      let lock = NSLock()
      main(.tool) { await Task.detached(name: "one") { lock.lock(); await io(1ms); lock.lock(); lock.unlock() }.value }
      """)
    #expect(finding.kind == .selfDeadlock)
    #expect(finding.explanation.hasSuffix("which is itself"), "\(finding.explanation)")
  }

  /// By hand: all three look at 100, the first one that comes back changes it, and the second one is told.
  @Test func tasksOfOneNameAreToldApart() throws {
    let (finding, _) = try finding(
      """
      actor Account {
          var balance = 100
          func take() async { if balance > 60 { await io(5ms); balance -= 60 } }
      }
      let account = Account()
      main { for _ in 0 ..< 3 { Task { await account.take() } } }
      """)
    #expect(finding.kind == .actorReentrancy)
    #expect(finding.explanation.hasPrefix("'Task:7#2' read"), "\(finding.explanation)")
    #expect(finding.explanation.contains(", 'Task:7' changed it meanwhile, and 'Task:7#2' changed"))
  }
}
