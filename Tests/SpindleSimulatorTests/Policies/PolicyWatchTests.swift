import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator
import TestSupport
import Testing

/// What a policy prefers is noted without a change of the run.
@Suite struct PolicyWatchTests {
  @Test(arguments: ["policies", "textbook", "locks"])
  func theRunIsTheSame(folder: String) throws {
    var choices = 0
    for path in Repository.files(below: "Traces/" + folder, suffix: ".trace") {
      let compiler = Compiler(catalogue: MachineCatalog.catalogue)
      let source = SourceText(name: path, try Repository.text(path))
      guard let program = compiler.compile(source).program else { continue }
      func run(isWatched: Bool) -> (digest: String, report: PolicyReport?) {
        let digest = LogDigest()
        var simulation = Simulation(program)
        simulation.watchesPolicy = isWatched
        let record = simulation.run(consumers: [digest])
        return (digest.text, record.policyReport)
      }
      let (plain, watched) = (run(isWatched: false), run(isWatched: true))
      #expect(plain.digest == watched.digest, "\(path)")
      #expect(plain.report == nil)
      choices += watched.report?.choices.count ?? 0
    }
    #expect(choices > 0)
  }

  /// What explains a run makes it again under the policy that was asked for, and not under that of its machine.
  @Test func aRunIsExplainedUnderItsPolicy() throws {
    let program = try #require(
      Compiler.standard.compile(
        SourceText(
          name: "two threads",
          """
          trace "two threads"
          machine { cores: 1; policy: .fifo }
          main { Thread.detachNewThread { work(10ms) }; work(10ms) }
          """)
      ).program)
    var request = RunRequest()
    request.policy = RoundRobin(quantum: .milliseconds(1))
    let (run, again) = (TraceRun(program, request), LogDigest())
    run.explain(to: [again])
    #expect(again.text == run.digest)
    #expect(TraceRun(program).digest != run.digest)
  }
}
