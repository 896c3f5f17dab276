import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator
import SpindleSystem
import TestSupport
import Testing

@testable import SpindleCommand

/// What `spindle explain --critical-path` says a run would come to is what a trace that says so comes to.
@Suite struct WhatIfAnalysisTests {
  private func explain(_ trace: String) -> Invocation {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "200"], standardInput: Array(trace.utf8))
    return Invocation(["explain", "-", "--critical-path"], environment: environment)
  }

  /// The lock lets the two sleepers work one after the other, and each also works without it.
  private let locked = """
    trace "locked"
    machine { cores: 2; costs: .zero }
    let lock = NSLock()
    let q = DispatchQueue(label: "q")
    func half(_ n: Duration) { work(n) }
    main {
      q.async(name: "a") { lock.withLock { work(30ms) }; half(10ms) }
      Thread(name: "t") { lock.lock(); work(20ms); lock.unlock(); work(5ms) }.start()
    }
    """

  @Test func fasterWorkAndNoLock() {
    let call = explain(locked)
    #expect(call.status == .held, "\(call.error)")
    #expect(call.output.contains("Critical path, makespan 55ms"))
    // 't' waits for the lock until 30 ms and works for 25: with 'a' in four fifths until 24 ms.
    #expect(
      call.output.contains("'a' (7:3) a fifth faster: makespan 49ms, 6ms less"), "\(call.output)")
    // Its own 25 ms take 20.
    #expect(call.output.contains("'t' (8:3) a fifth faster: makespan 50ms, 5ms less"))
    // Side by side: 40 ms of 'a' beside 25 ms of 't'.
    #expect(call.output.contains("without lock 'lock': makespan 40ms, 15ms less"))
  }

  /// What is called in place belongs to the item, and what others hand over does not.
  @Test func functionsAndLoopsAreFaster() {
    let call = explain(
      """
      trace "loops"
      machine { cores: 1; costs: .zero }
      let q = DispatchQueue(label: "q")
      func step(_ n: Int) { for i in 0..<n { if i % 2 == 0 { work(10ms) } else { work(5ms) } } }
      main {
        q.async(name: "first") { step(4); q.async(name: "inner") { step(2) } }
        for i in 0..<3 { q.async(name: "more\\(i)") { step(1) } }
      }
      """)
    // 30 ms, three times 10 ms and 15 ms: 75 ms; a fifth of 30 is 6, and of the three 6 as well.
    #expect(call.output.contains("'first' (6:3) a fifth faster: makespan 69ms, 6ms less"))
    #expect(call.output.contains("all 3 'more*' (7:20) a fifth faster: makespan 69ms, 6ms less"))
    #expect(call.output.contains("'inner' (6:37) a fifth faster: makespan 72ms, 3ms less"))
  }

  /// A change that does not help is told as one, and a run that would end otherwise too.
  @Test func helpIsNotPromised() {
    let call = explain(
      """
      trace "either"
      machine { cores: 2; costs: .zero }
      let p = ThreadPool(width: 2)
      main {
        p.async(name: "a") { work(10ms) }
        p.async(name: "b") { work(10ms) }
      }
      """)
    #expect(
      call.output.contains("'b' (6:3) a fifth faster: makespan 10ms still")
        || call.output.contains("'a' (5:3) a fifth faster: makespan 10ms still"), "\(call.output)")
  }

  /// Every change of every trace makes a sound program, and one that takes no longer to be looked at.
  @Test func changesAreSound() throws {
    var taken = 0
    for path in Repository.files(below: "Traces", suffix: ".trace")
    where path.utf8.count % 11 == 0 {
      let source = SourceText(name: path, try Repository.text(path))
      var compiler = Compiler.standard
      compiler.joinsInstructions = false
      guard let program = compiler.compile(source).program else { continue }
      var limits = RunLimits()
      limits.steps = 100_000
      let store = TimelineStore()
      _ = Simulation(program, limits: limits).run(consumers: [Timeline(store)])
      for remedy in store.remedies() {
        guard let changed = ProgramChange.program(program, with: remedy.change) else { continue }
        #expect(changed.fault() == nil, "\(path): \(remedy.label)")
        _ = Simulation(changed, limits: limits).run(consumers: [])
        taken += 1
      }
    }
    #expect(taken > 30)
  }
}
