import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import Testing

/// What a user of the library writes, from outside the package: this target sees nothing else.
@Suite struct LibraryTests {
  static let text = """
    trace "two clients"

    main {
      let pool = ThreadPool(width: 2)
      for index in 0..<4 {
        pool.async(name: "job \\(index)") { work(10ms) }
      }
    }
    """

  @Test func aTextIsRunAndRead() throws {
    var overrides = Overrides()
    overrides.platform = "ideal"
    overrides.cores = "2"
    let source = SourceText(name: "clients.trace", LibraryTests.text)

    // The lines of the README.
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (compiled, diagnostics) = compiler.compile(source, overrides: overrides)
    let program = try #require(compiled, "\(renderedReport(diagnostics))")

    let (metrics, ends) = (Metrics(), ItemEnds())
    let record = Simulation(program, policy: LastInFirstOut())
      .run(consumers: [metrics, Timeline(ends)])
    #expect(record.outcome.kind == .finished)
    #expect(metrics.result.makespan == Instant.start + .milliseconds(20))

    #expect(ends.names.sorted() == ["job 0", "job 1", "job 2", "job 3"])
    #expect(program.title == "two clients")
  }

  @Test func whatATraceExpectsIsJudged() throws {
    let text = LibraryTests.text + "\nexpect { makespan == 1s }"
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let compiled = compiler.compile(SourceText(name: "unmet.trace", text)).program
    let program = try #require(compiled)
    let (metrics, evaluator) = (Metrics(), ExpectationEvaluator(program))
    let record = Simulation(program).run(consumers: [metrics, evaluator])
    let verdicts = evaluator.verdicts(metrics.result, record)
    #expect(verdicts.contains { !$0.holds && $0.text == "makespan == 1s" })
  }

  @Test func aPolicyOfOnesOwnDecides() throws {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    var overrides = Overrides()
    overrides.platform = "ideal"
    overrides.cores = "1"
    let source = SourceText(
      name: "order.trace",
      """
      trace "order"

      main {
        for index in 0..<3 {
          Thread(name: "worker \\(index)") { mark("\\(index)") }.start()
        }
      }
      """)
    let program = try #require(compiler.compile(source, overrides: overrides).program)
    let marks = Marks()
    _ = Simulation(program, policy: LastInFirstOut()).run(consumers: [Timeline(marks)])
    #expect(marks.texts == ["2", "1", "0"])
  }

  @Test func whatIsWrongIsTold() {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (program, diagnostics) = compiler.compile(SourceText(name: "bad", "main { work(5) }"))
    #expect(program == nil)
    #expect(diagnostics.contains { $0.severity == .error })
  }
}

/// A consumer: the names of the items in the order in which they end.
final class ItemEnds: TimelineConsumer {
  private(set) var names: [String] = []
  private var run: RunDescription?

  func begin(_ run: RunDescription) { self.run = run }

  func itemEnded(_ item: ItemSlice) {
    if let run { names.append(item.name(in: run.names, run.program)) }
  }
}

/// A consumer: the texts of the marks.
final class Marks: TimelineConsumer {
  private(set) var texts: [String] = []
  private var run: RunDescription?

  func begin(_ run: RunDescription) { self.run = run }

  func noted(_ note: TimelineNote) {
    if let run, note.kind == .mark { texts.append(run.names.text(note.name)) }
  }
}

/// A policy: the thread that became ready last runs first, until it blocks.
struct LastInFirstOut: SchedulingPolicy {
  private var ready: [ThreadID] = []

  let name = "lastInFirstOut"

  mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    ready.append(thread)
  }

  mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? { ready.popLast() }

  mutating func quantum(for thread: ThreadID) -> Nanoseconds? { nil }
}
