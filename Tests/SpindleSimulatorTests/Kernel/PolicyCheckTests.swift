import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// The kernel stops with the policy's name when an answer can't be right.
@Suite struct PolicyCheckTests {
  /// A policy that is wrong in one way.
  struct Wrong: SchedulingPolicy {
    enum Way: String, CaseIterable, Sendable { case unready, emptyQuantum, lazy, idleVictim }

    let name = "wrong"
    let way: Way
    private var ready = FIFOQueue<ThreadID>()

    init(_ way: Way) { self.way = way }

    mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
      ready.append(thread)
    }

    mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
      switch way {
      case .unready: ThreadID(77)
      case .lazy: nil
      case .emptyQuantum, .idleVictim: ready.popFirst()
      }
    }

    mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
      way == .emptyQuantum ? .zero : nil
    }

    func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
      way == .idleVictim ? CoreID(9) : nil
    }
  }

  private static let text = """
    machine { platform: .ideal; cores: 1 }
    main {
        Thread.detachNewThread { work(1ms) }
        Thread.detachNewThread { work(1ms) }
        work(1ms)
    }
    """

  @Test func aRightPolicyRuns() {
    let run = TestRun(Self.text)
    #expect(run.record?.outcome.kind == .finished)
  }

  @Test func threadThatIsNotReadyTraps() async { await expectTrap(.unready) }
  @Test func emptyQuantumTraps() async { await expectTrap(.emptyQuantum) }
  @Test func idleCoreWithReadyThreadsTraps() async { await expectTrap(.lazy) }
  @Test func preemptingAnIdleCoreTraps() async { await expectTrap(.idleVictim) }

  private func expectTrap(_ way: Wrong.Way) async {
    switch way {
    case .unready: await #expect(processExitsWith: .failure) { Self.run(.unready) }
    case .emptyQuantum: await #expect(processExitsWith: .failure) { Self.run(.emptyQuantum) }
    case .lazy: await #expect(processExitsWith: .failure) { Self.run(.lazy) }
    case .idleVictim: await #expect(processExitsWith: .failure) { Self.run(.idleVictim) }
    }
  }

  private static func run(_ way: Wrong.Way) {
    guard let program = TestRun(text).program else { return }
    _ = Simulation(program, policy: Wrong(way)).run()
  }
}
