import SpindleModel
import SpindleRun
import SpindleSimulator
import SpindleSystem
import Testing

@testable import SpindleCommand

/// What is asked of runs on the command line: `--measure`, `--sort`, `--pareto`, `--format`, ranges.
@Suite struct MeasureTests {
  /// The first item works `n` ms, the others 1 ms each, one after another on one core: with n = 4 the
  /// latencies are 4, 5 and 6 ms, since all came at 0.
  static let trace = """
    machine { platform: .ideal; cores: 1; costs: .zero }
    param n = 4
    let pool = ThreadPool(width: 1)
    main {
        pool.async(name: "long") { work(1ms * n) }
        for i in 0 ..< 2 { pool.async(name: "short\\(i)") { work(1ms) } }
    }

    """
  /// A frame each 10 ms for ever.
  static let endless = """
    machine { platform: .iOS; cores: 1; costs: .zero }
    param d = 4ms
    main {}
    every(10ms) { i in DispatchQueue.main.async(name: "frame\\(i)") { work(d) } }

    """
  private let folder = TemporaryFolder()

  private func compare(_ arguments: String..., trace: String = MeasureTests.trace) -> Invocation {
    Invocation(["compare", folder.write("m.trace", trace)] + arguments)
  }

  @Test func theQuotesOfAKindAreAskedFor() {
    let call = compare("--set", "n=4,8", "--measure", "latency(short*).max")
    #expect(call.status == .usage)
    #expect(call.error.contains("the pattern of a kind needs quotes: latency(\"short*\")"))
  }

  @Test func measuresAreTheColumns() {
    let call = compare(
      "--set", "n=4,8", "--measure", "latency(\"short*\").max, makespan - ended(\"long\")",
      "--measure", "latency(\"short*\").max > 6ms, outcome")
    #expect(call.status == .held)
    // The last ends at (n + 2) ms, 6 and 10: two thirds more. Behind the long one come 2 ms.
    for text in ["+66.7%", "2ms", "finished", "true*", "false"] {
      #expect(call.output.contains(text), "\(text)")
    }
    #expect(!call.output.contains("Equal everywhere"))
  }

  @Test func whatIsEqualEverywhereIsALine() {
    let call = compare("--set", "n=4,8")
    #expect(call.output.contains("Equal everywhere: "))
    // All are one item each but the two short ones, of which there is a kind.
    #expect(call.output.contains("long p95"))
    #expect(call.output.contains("short* p95"))
    #expect(!call.output.contains("-0.0%"))
  }

  @Test(
    "a measure that can't be asked is shown in the option's text",
    arguments: [
      ("latency(\"short*\").p98", "1:19: error: unknown member 'p98' of latency"),
      ("makespan, , switches", "1:11: error: a measure is missing here"),
      ("makespan, 3ms", "1:11: error: this is the same in every run"),
      ("mackespan", "1:1: error: unknown name 'mackespan'; did you mean 'makespan'?"),
      ("stall", "1:1: error: unknown name 'stall'; did you mean 'main.longestStall'?"),
    ])
  func mistakesHaveAPlace(measure: String, message: String) {
    for command in ["simulate", "compare"] {
      let path = folder.write("m.trace", MeasureTests.trace)
      let call = Invocation(command, path, "--measure", measure)
      #expect(call.status == .usage)
      #expect(call.error.hasPrefix("--measure:\(message)"), "\(call.error)")
      #expect(call.error.contains("\n1 | \(measure)\n"))
      #expect(call.output.isEmpty)
    }
  }

  @Test func aRunThatIsCutOffIsMarkedAndWinsNothing() {
    let cut = compare("--set", "d=4ms,2ms", "--until", "1s", trace: MeasureTests.endless)
    #expect(cut.output.contains("\nd=4ms    cut off"), "\(cut.output)")
    #expect(cut.output.contains("\nd=2ms    cut off"), "\(cut.output)")
    #expect(!cut.output.contains("*:"))
    #expect(cut.output.contains("were cut off are neither ranked nor compared"))
    // What ends before the moment is not cut off.
    for (option, mark) in [("--until=1s", "\"until\""), ("--seed=1", "null")] {
      let path = folder.write("e.trace", MeasureTests.endless)
      let alone = Invocation(["simulate", path, "--steps", "50000", "--json", option])
      #expect(alone.output.contains("\"cutOff\": \(mark),"), "\(alone.output)")
      let said = Invocation(["simulate", path, "--steps", "50000", option]).output
      #expect(said.contains("outcome     cut off at 1s") == (mark != "null"), "\(said)")
    }
    let whole = compare("--set", "n=4,8", "--until", "1s")
    #expect(!whole.output.contains("cut off"))
    #expect(whole.output.contains("*: the best"))
    // Nor is what the trace itself limits.
    let limited = "trace \"t\" { until: 1s }\n" + MeasureTests.endless
    #expect(!compare("--set", "d=4ms,2ms", trace: limited).output.contains("cut off"))
  }

  @Test func csvHasALineForEachRun() {
    let call = compare(
      "--set", "n=4,8", "--seeds", "2", "--format", "csv", "--measure",
      "makespan, latency(\"short*\").max <= 6ms, utilization")
    #expect(
      call.output == """
        variant,n,seed,outcome,makespan [ns],"latency(""short*"").max <= 6ms",utilization
        n=4,4,0,finished,6000000,1,1
        n=4,4,1,finished,6000000,1,1
        n=8,8,0,finished,10000000,0,1
        n=8,8,1,finished,10000000,0,1

        """)
  }

  @Test func markdownAndJSONHaveTheSameNumbers() {
    let markdown = compare("--set", "n=4,8", "--measure", "makespan", "--format", "markdown")
    #expect(
      markdown.output == """
        | variant | makespan |
        |:--|--:|
        | n=4 | **6ms** |
        | n=8 | 10ms (+66.7%) |

        """)
    let json = compare("--set", "n=4,8", "--measure", "makespan", "--json")
    #expect(json.output.contains("\"difference\": 4000000,"))
    #expect(
      json.output
        == compare(
          "--set", "n=4,8", "--measure", "makespan", "--format", "json"
        ).output)
  }

  @Test func sortedTheBestComesFirst() {
    let call = compare(
      "--set", "n=8,4,6", "--measure", "makespan", "--sort", "makespan", "--format", "csv")
    let labels = call.output.split(separator: "\n").dropFirst().map { $0.prefix(3) }
    #expect(labels == ["n=4", "n=6", "n=8"])
    let more = compare("--set", "n=8,4,6", "--sort", "count(of: \"*\")", "--format", "csv")
    #expect(more.status == .held)
    #expect(more.output.contains("n=8"))
  }

  /// With more short items less share of the time is the long one's: width 1 has the least threads,
  /// width 2 the shorter makespan, and what is worse in both is not on the front.
  @Test func theFrontIsMarked() {
    let trace = MeasureTests.trace.replacing("cores: 1", with: "cores: 2")
    let call = compare(
      "--replace", "pool=ThreadPool(width: 1), ThreadPool(width: 2), ThreadPool(width: 3)",
      "--pareto", "makespan, threads.created", trace: trace)
    // The table is too wide for one: each variant has a row in both.
    let marked = call.output.split(separator: "\n").compactMap { line in
      line.firstIndex(of: "◆").map { String(line[..<$0]) }
    }
    #expect(
      Set(marked) == ["ThreadPool(width: 1) ", "ThreadPool(width: 2) ", ""], "\(call.output)")
  }

  @Test func severalFilesAreAList() {
    let (one, two) = (folder.write("a.trace", Self.trace), folder.write("b.trace", Self.endless))
    let call = Invocation(
      "compare", one, two, "--until", "1s", "--measure", "makespan", "--format", "csv")
    #expect(call.output.hasPrefix("variant,file,seed,outcome,makespan [ns]\n"))
    #expect(call.output.contains("\(one),\(one),0,finished,6000000\n"))
    #expect(call.output.contains(",cut off,"))
    let twice = Invocation("compare", one, one)
    #expect(twice.status == .usage)
    #expect(twice.error.contains("is given '\(one)' twice"))
  }

  @Test func allPoliciesAreCompared() {
    let call = compare("--policies", "all", "--measure", "makespan", "--format", "csv")
    let lines = call.output.split(separator: "\n")
    #expect(lines.count == MachineCatalog.policyNames.count + 1)
    for (line, name) in zip(lines.dropFirst(), MachineCatalog.policyNames) {
      #expect(line.hasPrefix("\(name),\(name),"))
    }
  }

  @Test(arguments: [
    ("1...4", ["1", "2", "3", "4"]), ("1...100 by 40", ["1", "41", "81"]), ("5...5", ["5"]),
    ("-1...1", ["-1", "0", "1"]), ("1ms...2ms by 500us", ["1ms", "1.5ms", "2ms"]),
    ("1KB...3KB by 1KB", ["1KB", "2KB", "3KB"]), ("\"a...b\"", ["\"a...b\""]), ("all", ["all"]),
  ])
  func rangesStandForValues(text: String, values: [String]) throws {
    #expect(try RangeText.expanded(text, option: "--set") == values)
  }

  @Test(arguments: [
    "1..4", "4...1", "1...4ms", "1ms...4ms", "1...4 by 0", "1...4 by 1ms", "1...1000000", "a...b",
  ])
  func rangesThatAreNone(text: String) {
    #expect(throws: CommandFailure.self) { try RangeText.expanded(text, option: "--set") }
  }

  @Test func crossoversGoByAMeasure() {
    // A pool of two is faster for every n, but has more threads.
    let arguments = [
      "--replace", "pool=ThreadPool(width: 1), ThreadPool(width: 2)", "--crossover", "n=1...8",
    ]
    let path = folder.write(
      "c.trace", MeasureTests.trace.replacing("cores: 1", with: "cores: 2"))
    let makespan = Invocation(["compare", path] + arguments)
    #expect(makespan.output.contains("ThreadPool(width: 2) is faster than ThreadPool(width: 1)"))
    let threads = Invocation(["compare", path] + arguments + ["--measure", "threads.peak"])
    #expect(threads.output.contains("ThreadPool(width: 1) is better than ThreadPool(width: 2)"))
    #expect(threads.output.contains("By threads.peak, in"))
    for (measure, message) in [
      ("makespan, switches", "takes one measure, not 2"),
      ("outcome", "values of 'outcome' are not better or worse than others"),
    ] {
      let call = Invocation(["compare", path] + arguments + ["--measure", measure])
      #expect(call.status == .usage)
      #expect(call.error.contains(message))
    }
  }

  @Test func simulateSaysWhatWasAsked() {
    let path = folder.write("m.trace", MeasureTests.trace)
    let call = Invocation("simulate", path, "--measure", "latency(\"long\").max, outcome")
    #expect(
      call.output.contains("measured    latency(\"long\").max: 4ms\n            outcome: finished"))
    let json = Invocation("simulate", path, "--measure", "makespan", "--json")
    #expect(
      json.output.contains(
        "\"measure\": \"makespan\",\n      \"unit\": \"nanoseconds\",\n      \"value\": 6000000"))
    #expect(!Invocation("simulate", path, "--json").output.contains("\"measures\""))
    let csv = Invocation("simulate", path, "--measure", "makespan", "--format", "csv")
    #expect(csv.output == "variant,seed,outcome,makespan [ns]\nm.trace,0,finished,6000000\n")
    let none = Invocation("simulate", path, "--format", "csv")
    #expect(none.status == .usage)
    let unknown = Invocation("compare", path, "--format", "cvs")
    #expect(unknown.error.contains("not 'cvs'; did you mean 'csv'?"))
  }
}
