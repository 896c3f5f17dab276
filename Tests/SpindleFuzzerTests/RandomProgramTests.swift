import SpindleLanguage
import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

@testable import SpindleFuzzer

/// Right programs that are made from seeds, and what their runs are held against.
@Suite struct RandomProgramTests {
  @Test("all that must hold holds", arguments: 1...24)
  func holds(seed: Int) {
    let text = RandomProgram(seed: seed).text
    let result = ProgramJudge(steps: 200_000) { _ in }.judge(text)
    #expect(result.faults == [], "seed \(seed):\n\(text)")
    #expect(result.ran)
  }

  /// What four hundred random programs do not call: what would keep a program from its end, what is drawn too seldom, and
  /// what they do not ask.
  static let leftOut: Set<String> = [
    "queue.dispatchMain", "app.enterBackground", "app.enterForeground", "runLoop.run",
    "runLoop.cancelPerforms", "operation.current", "operation.ownIsCancelled", "operation.asksEnd",
    "task.failure",
    "task.ownExecutor", "taskGroup.waitForAll", "taskGroup.isCancelled", "taskGroup.isEmpty",
    "taskGroup.dropResults", "doing.uncaught", "doing.textHasPrefix", "doing.textHasSuffix",
    "doing.textContains",
    "doing.textCount", "doing.textUppercased", "doing.sample", "doing.textCapitalized",
    "doing.textLowercased",
    "doing.textNumber", "doing.textPart", "doing.textTraits", "doing.textByte", "doing.textScalar",
    "task.current", "asyncStream.yieldDetail", "lock.access",
  ]

  @Test func theVocabularyIsCalled() {
    var used: Set<Primitive> = []
    for seed in 1...400 {
      let source = SourceText(name: "random.trace", RandomProgram(seed: seed).text)
      var compiler = Compiler(catalogue: MachineCatalog.catalogue)
      compiler.joinsInstructions = false
      compiler.compile(source).program?.instructions.withUnsafeBufferPointer {
        for case .perform(let primitive, _, _) in $0 { used.insert(primitive) }
      }
    }
    let missing = Primitive.allCases.filter { !used.contains($0) }.map { "\($0)" }
    #expect(Set(missing).subtracting(Self.leftOut) == [], "of \(Primitive.allCases.count)")
  }

  /// Laws notice what breaks them: a core with two threads, and time that no work accounts for.
  @Test func lawsNotice() {
    let run = TestRun("machine { cores: 1; platform: .ideal }\nmain { work(1ms) }")
    let laws = ConservationLaws()
    guard let program = run.program, let record = run.record else {
      Issue.record("the trace has errors")
      return
    }
    _ = Simulation(program).run(consumers: [laws])
    #expect(laws.violations == [])
    laws.end(record)
    var later = record
    later.cores[0].busy = Nanoseconds(2_000_000)
    laws.end(later)
    #expect(laws.violations.count == 1)
    let runs = LogEntry(time: 1_000_000, event: .threadRuns, core: 0, thread: 0)
    withUnsafePointer(to: runs) {
      laws.receive(UnsafeBufferPointer(start: $0, count: 1))
      laws.receive(UnsafeBufferPointer(start: $0, count: 1))
    }
    #expect(laws.violations.count > 2)
  }
}
