import TestSupport
import Testing

/// Where a switch has a `default`, what is new goes there without a word: the simulator has few.
@Suite struct DefaultTests {
  /// What may have a `default` that does not stop the run, each with how many and why.
  static let reasons: [String: (count: Int, reason: String)] = [
    "Execution/Interpreter+Instances.swift": (1, "instructions that name no instance"),
    "Execution/Interpreter+NextEvent.swift": (1, "numbers of events, the frequent ones first"),
    "Execution/Interpreter+ObjectLives.swift": (1, "instructions that reach no code and no timer"),
    "Execution/Interpreter+Run.swift": (2, "numbers of events, the frequent ones first"),
    "Execution/Interpreter+StepShapes.swift": (3, "calls that no other thread can notice"),
    "Execution/Interpreter+Steps.swift": (5, "instructions and calls that are no steps"),
    "Execution/RemainingWork/CodeReach.swift": (
      3, "instructions that lead nowhere else and hand on no value"
    ),
    "Execution/Shortcuts/Interpreter+ArrivalShapes.swift": (1, "a shape that it knows, or none"),
    "Execution/Shortcuts/Interpreter+StraightLine.swift": (
      2, "what is not plain goes step by step"
    ),
    "Execution/Shortcuts/RoundStep+Instructions.swift": (
      4, "what may change something: loops with it are run round by round"
    ),
    "Policies/ActivePolicy.swift": (1, "types of policies, of which any may be added"),
    "Policies/NiceValues.swift": (1, "numbers: names of classes"),
    "Policies/Textbook/MultilevelQueue.swift": (1, "numbers: priorities"),
    "Policies/TimeshareLoad.swift": (1, "numbers: priorities"),
    "Policies/XNU/ClutchBucket.swift": (1, "numbers: priorities"),
    "Races/HappensBefore+Log.swift": (1, "events of the log, most of which order nothing"),
    "Races/LockOrder.swift": (2, "instructions and primitives, most of which take no lock"),
    "Schedules/AskedEnds.swift": (1, "calls that ask for the end of nothing"),
    "Schedules/StepActors.swift": (2, "events of the log that say nothing of who does what"),
    "Runtimes/Concurrency/TaskStatus.swift": (1, "primitives, most of which need no status lock"),
    "Runtimes/Dispatch/DispatchQueues.swift": (1, "numbers: names of classes"),
    "Runtimes/Operations/OperationEnds.swift": (1, "texts of the trace"),
    "Runtimes/Operations/OperationFrame.swift": (1, "numbers in a register"),
    "Runtimes/Operations/OperationRecord.swift": (2, "texts of the trace, and names of classes"),
    "Runtimes/RunLoops/RunLoopFrame.swift": (1, "numbers in a register, which are checked there"),
    "Runtimes/Threads/ThreadRuntime.swift": (1, "numbers: names of classes"),
  ]

  @Test func nothingNewIsSwallowed() throws {
    let root = "Sources/SpindleSimulator"
    var found: [String: Int] = [:]
    for path in Repository.files(below: root, suffix: ".swift") {
      for line in try Repository.lines(path) {
        let code = SourceTests.withoutTexts(line)
        guard code.drop(while: { $0 == " " }).hasPrefix("default:"), !code.contains("fatalError(")
        else { continue }
        found[String(path.dropFirst(root.count + 1)), default: 0] += 1
      }
    }
    for (path, count) in found.sorted(by: { $0.key < $1.key }) {
      let allowed = DefaultTests.reasons[path]?.count ?? 0
      #expect(count <= allowed, "\(path) has \(count) defaults that swallow what is new")
    }
    for (path, allowed) in DefaultTests.reasons {
      #expect(
        found[path] == allowed.count, "\(path): \(allowed.reason); it has \(found[path] ?? 0)")
    }
  }
}
