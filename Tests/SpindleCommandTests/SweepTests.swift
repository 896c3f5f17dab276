import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle sweep` and `spindle merge`.
@Suite struct SweepTests {
  /// `n` items of 1 ms on a pool as wide as the machine: they end after n / cores ms, rounded up.
  static let trace = """
    trace "Items"
    machine { platform: .ideal; cores: 2; costs: .zero }
    param n = 4
    let pool = ThreadPool(width: 16)
    main { for i in 0 ..< n { pool.async(name: "item\\(i)") { work(1ms) } } }

    """
  private let folder = TemporaryFolder()

  private func sweep(_ arguments: String..., trace: String = SweepTests.trace) -> Invocation {
    Invocation(["sweep", folder.write("s.trace", trace)] + arguments)
  }

  static let grid = ["--over", "n=1...7", "--over", "cores=1,2,4"]

  @Test func twoAxesMakeAMap() {
    let call = sweep("--over", "n=2,4,8", "--over", "cores=1,2,4")
    #expect(call.status == .held, "\(call.error)")
    // The makespans are 2 1 1, 4 2 1 and 8 4 2: four different ones, in the fifths 0, 1, 2, 4.
    #expect(
      call.output == """
        makespan, by n and cores
        n    1      2      4
        2  2ms ░  1ms    1ms
        4  4ms ▒  2ms ░  1ms
        8  8ms █  4ms ▒  2ms ░

        Best makespan: 1ms at n=2, cores=2.
        The darker, the worse.

        """)
  }

  /// Of several seeds a map has intervals, as rows do; where they do not fit, there are rows.
  @Test func aMapOfSeveralSeedsHasIntervals() {
    let trace = """
      param n = 2
      machine { platform: .ideal; cores: 1; costs: .zero }
      main { for _ in 0 ..< n { work(exponential(10ms)) } }

      """
    let call = sweep(
      "--over", "n=2,20", "--over", "cores=1,2", "--seeds", "4", trace: trace)
    #expect(call.status == .held, "\(call.error)")
    #expect(call.output.contains(#/\n20 +\S+ ±\S+ █ +\S+ ±\S+ █\n/#), "\(call.output)")
    #expect(
      call.output.contains("Means over 4 seeds; ± is half of their 95% confidence interval.\n"),
      "\(call.output)")
    let wide = sweep(
      "--over", "n=2,20", "--over", "cores=1,2,3,4,5,6,7,8", "--seeds", "4", trace: trace)
    #expect(wide.output.contains(#/n +cores +makespan\n/#), "\(wide.output)")
  }

  @Test func oneAxisMakesRows() {
    let call = sweep("--over", "n=2,4", "--measure", "makespan, threads.peak > 100, outcome")
    #expect(
      call.output == """
        n   makespan  threads.peak > 100    outcome
        2        1ms               false   finished
        4        2ms               false   finished

        Best makespan: 1ms at n=2.

        """)
    let seeds = sweep("--over", "n=2,4", "--seeds", "3")
    #expect(
      seeds.output == """
        n          makespan
        2               1ms
        4               2ms

        Best makespan: 1ms at n=2.
        Means over 3 seeds; ± is half of their 95% confidence interval.

        """)
    let csv = sweep("--over", "n=2,4", "--over", "cores=1", "--seeds", "2", "--format", "csv")
    #expect(
      csv.output == """
        n,cores,seed,outcome,makespan [ns]
        2,1,0,finished,2000000
        2,1,1,finished,2000000
        4,1,0,finished,4000000
        4,1,1,finished,4000000

        """)
  }

  @Test(arguments: ["table", "csv", "markdown", "json"])
  func partsJoinToTheSameBytes(format: String) {
    let path = folder.write("s.trace", SweepTests.trace)
    let base =
      ["sweep", path] + SweepTests.grid + ["--measure", "makespan, outcome, threads.peak"]
    let whole = Invocation(base + ["--jobs", "1", "--format", format]).output
    #expect(!whole.isEmpty)
    for jobs in ["2", "4"] {
      #expect(Invocation(base + ["--jobs", jobs, "--format", format]).output == whole)
    }
    var parts: [String] = []
    // Parts are the same whatever the format of the whole.
    let count = format == "csv" ? 16 : 3
    for part in (1...count).reversed() {
      parts.append(folder["part-\(part)"])
      let call = Invocation(
        base + ["--shard", "\(part)/\(count)", "--output", parts[parts.count - 1], "--jobs", "2"])
      #expect(call.status == .held && call.output.isEmpty, "\(call.error)")
    }
    let merged = Invocation(["merge"] + parts + ["--format", format])
    #expect(merged.status == .held, "\(merged.error)")
    #expect(merged.output == whole)
    let file = folder["merged"]
    #expect(Invocation(["merge"] + parts + ["--format", format, "--output", file]).output.isEmpty)
    #expect(folder.read("merged") == whole)
  }

  /// One part in three of a sweep, in a file.
  private func part(_ number: Int, _ name: String, _ more: String...) -> String {
    let path = folder.write("s.trace", SweepTests.trace)
    let call = Invocation(
      ["sweep", path] + SweepTests.grid + more
        + ["--shard", "\(number)/3", "--output", folder[name]])
    #expect(call.status == .held, "\(call.error)")
    return folder[name]
  }

  @Test func partsThatDoNotBelongTogetherAreRefused() throws {
    let (one, two, three) = (part(1, "1"), part(2, "2"), part(3, "3"))
    func refusal(_ paths: String...) -> String {
      let call = Invocation(["merge"] + paths + ["--format", "csv"])
      #expect(call.status == .noInput)
      #expect(call.output.isEmpty)
      return call.error
    }
    #expect(refusal(one, three).contains("part 2/3 is missing"))
    #expect(refusal(two).contains("parts 1/3, 3/3 are missing"))
    #expect(refusal(one, two, one).contains("'\(one)' and '\(one)' are both part 1/3"))
    let other = part(3, "other", "--seed", "7")
    let refused = refusal(one, two, other)
    #expect(
      refused.contains("'\(other)' is of other options, '--seed 7', and not of none"), "\(refused)")
    let measured = part(3, "measured", "--measure", "switches")
    #expect(
      refusal(one, two, measured).contains("of other measures, 'switches', and not 'makespan'"))
    let text = try #require(folder.read("3"))
    let version = folder.write("v", text.replacing("\nversion\t", with: "\nversion\t9."))
    #expect(refusal(one, two, version).contains("is of version 9.\(ToolVersion.text), and not"))
    let trace = folder.write("t", text.replacing("trace\tItems (", with: "trace\tOthers (0"))
    #expect(refusal(one, two, trace).contains("is of another trace, Others (0"))
    let cut = folder.write("c", String(text.prefix(text.count - 8)))
    #expect(refusal(one, two, cut).contains("'\(cut)' can't be joined: "))
    let line = text.split(separator: "\n").dropLast(2).joined(separator: "\n") + "\n"
    #expect(refusal(one, two, folder.write("l", line)).contains("it is cut off behind 6 cells"))
    #expect(
      refusal(one, two, folder.write("n", "n,makespan\n")).contains("is not a part of a sweep"))
    #expect(refusal(one, two, folder["none"]).contains("no such file"))
    #expect(refusal(folder.write("empty", ""), two).contains("it is cut off in its header"))
  }

  /// Each value is right by itself, and one combination leaves a machine without cores.
  static let fragile = """
    param a = 2
    param b = 1
    machine { platform: .ideal; cores: a - b; costs: .zero }
    main { work(1ms) }

    """

  @Test func whatFailsInTheMiddleLeavesNothing() {
    let call = sweep(
      "--over", "a=3,2", "--over", "b=1,2", "--output", folder["out"], "--format", "csv",
      trace: SweepTests.fragile)
    #expect(call.status == .traceErrors)
    #expect(folder.names == ["s.trace"])
  }

  @Test(arguments: [
    (["--over", "m=1,2"], "--over:1:1: error: the trace has no parameter 'm'"),
    (
      ["--over", "n=1,x"],
      "--over:1:3: error: 'n' is of type Int, as in n=4: 'x' does not fit"
    ),
    (
      ["--over", "n=1", "--measure", "mackespan"], "--measure:1:1: error: unknown name 'mackespan'"
    ),
    (
      ["--over", "n=1", "--shard", "4/3"], "spindle: error: '--shard' needs K/N, a part from 1 to N"
    ),
    (
      ["--over", "n=1", "--shard", "1/3", "--json"], "spindle: error: the format of a part is fixed"
    ),
    (["--over", "n=1", "--set", "n=2"], "spindle: error: '--set' and '--over' both give 'n'"),
    (["--cores", "2"], "spindle: error: 'sweep' needs '--over NAME=LIST'"),
    (
      ["--over", "n=1...10000", "--over", "cores=1...10000"],
      "spindle: error: 10000 x 10000 values make more cells than the limit of 10000000"
    ),
  ])
  func mistakesAreUsage(arguments: [String], message: String) {
    let call = Invocation(["sweep", folder.write("s.trace", SweepTests.trace)] + arguments)
    #expect(call.status == .usage)
    #expect(call.error.hasPrefix(message), "\(call.error)")
    #expect(call.output.isEmpty)
  }

  @Test func progressIsForTerminals() {
    let path = folder.write("s.trace", SweepTests.trace)
    let arguments = ["sweep", path] + SweepTests.grid
    #expect(Invocation(arguments).error.isEmpty)
    var terminal = HostEnvironment()
    terminal.errorIsTerminal = true
    let shown = Invocation(arguments, environment: terminal)
    #expect(shown.error.hasPrefix("\rsweep: 1 of 21, 4%"))
    #expect(shown.error.hasSuffix("\r\u{1B}[K"))
    #expect(shown.output == Invocation(arguments).output)
  }

  @Test func executorsAndSeedsVaryToo() {
    let call = sweep(
      "--over", "pool=ThreadPool(width: 1), ThreadPool(width: 2)", "--over", "seed=3...4",
      "--format", "csv")
    #expect(call.output.contains("ThreadPool(width: 1),3,3,finished,4000000\n"))
    #expect(call.output.contains("ThreadPool(width: 2),4,4,finished,2000000\n"))
  }
}
