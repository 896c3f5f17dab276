import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// Windows of a run, next to one another, are the run.
@Suite struct WindowSumTests {
  static let measures = """
    count(of: "*"), switches, migrations, threads.created, clusterMigrations, cache.refills, \
    threads.peak, memory.peak, latency("*").max, main.longestStall, running("*").peak, utilization
    """

  static let paths = Effort.sample(TraceTests.paths, oneIn: 4)

  @Test("windows sum up to the run", arguments: paths)
  func windowsSumUp(path: String) throws {
    var overrides = Overrides()
    overrides.measures = [.init(name: "--measure", value: WindowSumTests.measures)]
    let source = SourceText(name: path, try Repository.text(path))
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    guard let program = compiler.compile(source, overrides: overrides).program else { return }
    var limits = RunLimits()
    limits.steps = TraceTests.steps
    let (metrics, plain) = (Metrics(), MeasureEvaluator(program))
    let all = RunWindows(program, starts: [.start])
    let record = Simulation(program, limits: limits).run(consumers: [metrics, plain, all])
    let whole = metrics.result
    let expected = plain.values(whole, record)
    let end = whole.span.rawValue
    // Nothing happens in a run of no length.
    guard end > 0 else { return }
    #expect(all.values(whole, record) == expected, "one window from the start is the run")
    guard end >= 7 else { return }
    let starts = (0..<7).map { Instant(Int64(Int128(end) * Int128($0) / 7)) }
    let parts = RunWindows(program, starts: starts)
    _ = Simulation(program, limits: limits).run(consumers: [parts])
    let values = parts.allValues(whole, record)
    try #require(values.count == 7)
    // What is counted adds up.
    for index in 0..<6 {
      let sum = values.reduce(Int64(0)) { $0 + ($1[index].number ?? 0) }
      #expect(sum == expected[index].number, "\(program.measures[index].text)")
    }
    // The greatest is in one of them.
    for index in 6..<11 {
      let greatest = values.compactMap { $0[index].number }.max()
      #expect(greatest == expected[index].number, "\(program.measures[index].text)")
    }
    // Shares, by the lengths of the windows, to the ninth digit of each.
    let lengths = zip(starts, starts.dropFirst() + [Instant(end)]).map { ($1 - $0).rawValue }
    let used = zip(values, lengths).reduce(Int128(0)) {
      $0 + Int128($1.0[11].number ?? 0) * Int128($1.1)
    }
    let share = Int64(used / Int128(end))
    #expect((share - (expected[11].number ?? 0)).magnitude <= 2, "utilization")
  }
}
