import SpindleLanguage
import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

@testable import SpindleReports

/// The parts of a critical path follow one another and fill the time from the first to the makespan.
@Suite struct PathSumTests {
  @Test("the parts of the critical path add up", arguments: TraceTests.paths)
  func pathsAddUp(path: String) throws {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let source = SourceText(name: path, try Repository.text(path))
    guard let program = compiler.compile(source).program else { return }
    var limits = RunLimits()
    limits.steps = TraceTests.steps
    let store = TimelineStore()
    let record = Simulation(program, limits: limits).run(consumers: [Timeline(store)])
    guard let last = store.lastPath, let cause = store.causeOfMakespan() else { return }
    #expect(cause.from == .start && cause.to == record.makespan)
    var time = last.path.start
    for step in last.path.steps {
      #expect(step.piece.start == time && step.piece.length > 0)
      time = step.piece.end
    }
    #expect(time == last.time)
    let told = store.links(of: last.path).reduce(0) { $0 + $1.length }
    #expect(told == last.time.nanoseconds - last.path.start.nanoseconds)
  }
}
