import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle compare --crossover`.
@Suite struct CrossoverCommandTests {
  /// Without costs, the parts take `unit * parts` as a whole, a little less than 10 ms at a fixed
  /// price, and `unit * parts / 2` in halves with a thread each on two cores.
  static let trace = """
    machine { platform: .ideal; cores: 2 }
    param design = "fixed" in ["fixed", "whole", "halves"]
    param unit = 1ms
    param parts = 1
    let pool = ThreadPerTask()
    let done = DispatchGroup()
    main {
        if design == "fixed" {
            work(9.99995ms)
        } else if design == "whole" {
            work(unit * parts)
        } else {
            for _ in 0 ..< 2 { pool.async(group: done) { work(unit * parts / 2) } }
            done.wait()
        }
    }
    expect { makespan <= 20ms }

    """

  private func call(_ arguments: String...) -> Invocation {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", Self.trace)
    return Invocation(["compare", path] + arguments)
  }

  @Test func theValueThatIsComputedIsFound() {
    // The whole reaches the fixed price at just under 10 ms, the halves at just under 20 ms; what is
    // said is at most 1 % above.
    let call = call("--set", "design=all", "--crossover", "unit=1us..1s")
    #expect(call.error.isEmpty)
    #expect(call.status == .held)
    let lines = call.output.split(separator: "\n").map(String.init)
    let wholes = ["10ms", "10.1ms"].map {
      "fixed is faster than whole from unit = \($0) on; below, whole is"
    }
    let halves = ["20ms", "20.1ms", "20.2ms"].map {
      "fixed is faster than halves from unit = \($0) on; below, halves is"
    }
    #expect(wholes.contains(lines[0]))
    #expect(halves.contains(lines[1]))
    #expect(lines[2] == "halves is faster than whole over the whole range")
    #expect(lines[3].hasPrefix("best: halves; from unit = 20"))
    #expect(lines[3].hasSuffix(" on fixed"))
  }

  @Test func otherAxesMakeGroups() {
    let call = call(
      "--set", "design=whole,halves", "--set", "parts=1,2", "--cores", "1,2", "--costs", "zero",
      "--crossover", "unit=1us..10us")
    #expect(call.status == .held)
    let headings = call.output.split(separator: "\n").filter { $0.hasPrefix("parts=") }
    #expect(
      headings == [
        "parts=1, 1 core", "parts=1, 2 cores", "parts=2, 1 core", "parts=2, 2 cores",
      ])
    // On one core the halves take as long as the whole.
    #expect(
      call.output.contains("1 core\n  whole and halves take equally long over the whole range\n"))
    #expect(call.output.contains("2 cores\n  halves is faster than whole over the whole range\n"))
    // Two variants of each of four groups at 17 values.
    #expect(call.output.contains("in 136 runs"))
  }

  @Test func outputDoesNotDependOnJobs() {
    let arguments = [
      "--set", "design=fixed,whole", "--crossover", "unit=1ms..20ms", "--seeds", "2",
    ]
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", Self.trace)
    let one = Invocation(["compare", path] + arguments + ["--jobs", "1"])
    let three = Invocation(["compare", path] + arguments + ["--jobs", "3"])
    #expect(one.status == .held)
    #expect(one.output == three.output)
    #expect(Invocation(["compare", path] + arguments + ["--json"]).output.hasPrefix("{"))
  }

  @Test func expectationsCountOnRequest() {
    let call = call(
      "--set", "design=fixed,whole", "--crossover", "unit=1ms..21ms", "--expect")
    #expect(call.status == .notHeld)
    #expect(call.flat.contains(" whole, unit=21ms: "))
    #expect(!call.flat.contains(" fixed, unit="))
  }

  /// Nothing uses either parameter; the range lists all of its values, the list not.
  @Test func aListThatHasEveryValueIsARangeOfValues() {
    let trace = """
      param design = "a" in ["a", "b"]
      param range = 1 in 1 ... 8
      param list = 1 in [1, 2, 4]
      main { work(design == "a" ? 1ms : 2ms) }
      """
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", trace)
    let arguments = ["compare", path, "--set", "design=all", "--crossover"]
    let call = Invocation(arguments + ["range=1...8"])
    #expect(call.status == .held)
    #expect(
      call.flat.hasPrefix(
        "nothing depends on range: each variant has the same makespan at every value a is faster than b "
          + "over the whole range"))
    #expect(!call.output.contains("one seed"))
    let refused = Invocation(arguments + ["list=1...4"])
    #expect(refused.status == .usage)
    #expect(
      refused.error.contains(
        "'--crossover' also tries intermediate values, and 'list' accepts only the values that it lists: "
          + "compare with '--set list=all', or remove the list"))
  }

  @Test func oneSeedOfWhatIsDrawnIsSaidToBeOne() {
    let trace = """
      machine { cores: 1; costs: .zero }
      param first = true
      param unit = 1ms
      main { work(first ? unit : exponential(2ms)) }
      """
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", trace)
    let arguments = ["compare", path, "--set", "first=true,false", "--crossover", "unit=1ms...9ms"]
    let one = Invocation(arguments)
    #expect(
      one.flat.contains("this is what one seed draws: '--seeds 20' separates chance from effect."))
    #expect(!Invocation(arguments + ["--seeds", "3"]).flat.contains("one seed"))
  }

  struct Mistake: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let message: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let designs = ["--set", "design=all", "--crossover"]
  static let mistakes = [
    Mistake(
      arguments: ["--crossover", "unit=1ms..2ms"],
      message: "spindle: error: '--crossover' needs a list with several values"),
    Mistake(
      arguments: designs + ["unit=2ms..1ms"],
      message:
        "spindle: error: '--crossover' needs the lower bound first, not 2ms...1ms"
    ),
    Mistake(
      arguments: designs + ["size=1..2"],
      message: "--crossover:1:1: error: the trace has no parameter 'size'"),
    Mistake(
      arguments: designs + ["unit=1..2"],
      message: "--crossover:1:6: error: a duration needs a unit; did you mean '1ms'?"),
    Mistake(
      arguments: ["--set", "parts=1,2", "--crossover", "design=fixed..whole"],
      message:
        "spindle: error: '--crossover' needs a whole number, a duration or a size, and 'design' has another type"
    ),
    Mistake(
      arguments: designs + ["unit=1ms..2ms", "--seeds", "100000"],
      message:
        "spindle: error: '--crossover' may need 1149 variants, and 100000 seeds of each are too "
        + "many runs"),
    Mistake(
      arguments: designs + ["unit=1ms..2ms", "--costs", "zero, none"],
      message:
        "--costs:1:1: error: unknown cost profile 'none'; there are .apple, .notes, .linux, .zero"),
  ]

  @Test("a mistake is named", arguments: mistakes)
  func mistakesAreNamed(row: Mistake) {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", Self.trace)
    let call = Invocation(["compare", path] + row.arguments)
    #expect(call.status == .usage)
    #expect(call.output.isEmpty)
    #expect(call.error.split(separator: "\n").first.map(String.init) == row.message)
  }

  static let values: [(text: String, kind: ValueScale.Kind?, value: Int64)] = [
    ("42", .number, 42), ("-7", .number, -7), ("0s", .duration, 0), ("999ns", .duration, 999),
    ("1.5ms", .duration, 1_500_000), ("-0.5us", .duration, -500),
    ("1.000000001s", .duration, 1_000_000_001),
    ("4KB", .size, 4_096), ("17B", .size, 17), ("3GB", .size, 3_221_225_472), ("0.5", nil, 0),
    ("true", nil, 0),
    ("\"word\"", nil, 0),
  ]

  @Test("values are read as a trace spells them", arguments: values)
  func valuesAreRead(row: (text: String, kind: ValueScale.Kind?, value: Int64)) {
    let read = CrossoverRange.value(row.text)
    #expect(read?.kind == row.kind)
    #expect((read?.value ?? 0) == row.value)
    if let read, row.value > 0 {
      #expect(ValueScale(read.kind, from: 0, to: row.value).text(read.value) == row.text)
    }
  }

  @Test func machinesAreAxesToo() throws {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", Self.trace)
    let call = Invocation("compare", path, "--platform", "ideal,linux", "--costs", "zero,apple")
    #expect(call.status == .held)
    for label in ["ideal, zero", "ideal, apple", "linux, zero", "linux, apple"] {
      #expect(call.output.contains(label))
    }
    #expect(Invocation("compare", path, "--costs", "apple").output.contains("\napple "))
  }
}
