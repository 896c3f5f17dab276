import SpindleLanguage
import SpindleSystem
import Testing

@testable import SpindleCommand

/// The command line, taken apart.
@Suite struct OptionTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let arguments: [String]
    let message: String

    init(_ arguments: String, _ message: String) {
      (testDescription, self.message) = (arguments, message)
      self.arguments = arguments.split(separator: " ").map { $0 == "''" ? "" : String($0) }
    }
  }

  static let mistakes = [
    Row("simulte", "unknown command 'simulte'; did you mean 'simulate'?"),
    Row("frobnicate", "unknown command 'frobnicate'"),
    Row("--versoin", "unknown option '--versoin'; did you mean '--version'?"),
    Row("help simulte", "unknown command 'simulte'; did you mean 'simulate'?"),
    Row("help test check", "'help' takes one of COMMAND|TOPIC, and 'check' is one more"),
    Row("simulate", "'simulate' needs FILE..."),
    Row("compare", "'compare' needs FILE..."),
    Row("sweep a b --over n=1", "'sweep' takes one FILE, and 'b' is one more"),
    Row("completions zsh fish", "'completions' takes one of bash|zsh|fish, and 'fish' is one more"),
    Row(
      "compare a --policy fifo", "'compare' has no option '--policy'; did you mean '--policies'?"),
    Row(
      "simulate a --policies fifo",
      "'simulate' has no option '--policies'; did you mean '--policy'?"),
    Row(
      "simulate a --set jobs=1,2",
      "'--set' takes one value, not 'jobs=1,2'; 'compare --set' takes a list"),
    Row(
      "simulate a --policy fifo,sjf",
      "'--policy' takes one value, not 'fifo,sjf'; 'compare --policies' takes a list"),
    Row(
      "simulate a --cores 1,2",
      "'--cores' takes one value, not '1,2'; 'compare --cores' takes a list"),
    Row(
      "simulate a --costs zero,apple",
      "'--costs' takes one value, not 'zero,apple'; 'compare --costs' takes a list"),
    Row("compare a --costs zero,zero", "'--costs' names 'zero' twice"),
    Row("compare a --crossover unit", "'--crossover' needs NAME=LOW...HIGH, not 'unit'"),
    Row("compare a --crossover unit=1", "'--crossover' needs NAME=LOW...HIGH, not 'unit=1'"),
    Row("compare a --crossover unit=..2", "'--crossover' needs NAME=LOW...HIGH, not 'unit=..2'"),
    Row("compare a --crossover unit=1..", "'--crossover' needs NAME=LOW...HIGH, not 'unit=1..'"),
    Row(
      "compare a --crossover unit=1....2", "'--crossover' needs NAME=LOW...HIGH, not 'unit=1....2'"),
    Row(
      "compare a --crossover n=1..2 --set n=1,2", "'--set' and '--crossover' both give 'n'"),
    Row("simulate a --cores 1-4", "'--cores' needs a whole number of at least 1, not '1-4'"),
    Row("compare a --cores 2,two", "'--cores' needs a whole number of at least 1, not 'two'"),
    Row("simulate a --seed abc", "'--seed' needs a whole number of at least 0, not 'abc'"),
    Row("compare a --seed -5", "'--seed' needs a whole number of at least 0, not '-5'"),
    Row(
      "test -", "'test' needs files: it reads no standard input, since logs are beside traces"),
    Row(
      "simulate a --polcy fifo", "'simulate' has no option '--polcy'; did you mean '--policy'?"),
    Row("simulate a --frobnicate", "'simulate' has no option '--frobnicate'"),
    Row("simulate a -x", "'simulate' has no option '-x'"),
    Row("simulate a --policy", "'--policy' needs a value: --policy POLICY"),
    Row("simulate a --policy --json", "'--policy' needs a value: --policy POLICY"),
    Row("simulate a --json=yes", "'--json' takes no value"),
    Row("simulate a --seed 1 --seed 2", "'--seed' is given twice"),
    Row("simulate a --set n", "'--set' needs NAME=VALUE, not 'n'"),
    Row("simulate a --set =1", "'--set' needs NAME=VALUE, not '=1'"),
    Row("simulate a --set n=", "'--set' needs NAME=VALUE, not 'n='"),
    Row("simulate a --set n=1 --set n=2", "'--set' gives 'n' twice"),
    Row("simulate a --steps 0", "'--steps' needs a whole number of at least 1, not '0'"),
    Row("simulate a --steps x", "'--steps' needs a whole number of at least 1, not 'x'"),
    Row("simulate a --color red", "'--color' needs auto, always or never, not 'red'"),
    Row("simulate - -", "standard input, '-', can be read only once"),
    Row("simulate a b --log l", "'--log' takes the log of one trace, not of 2"),
    Row("simulate a --log - --json", "'--json' and '--log -' both write to standard output"),
    Row("simulate ''", "operand 1 is empty"),
    Row("compare a --replace p", "'--replace' needs NAME=LIST, not 'p'"),
    Row("compare a --cores 1,,2", "'--cores' has an empty value in '1,,2'"),
    Row("compare a --cores 1,2,1", "'--cores' names '1' twice"),
    Row(
      "compare a --set n=1 --set n=2",
      "'--set' gives 'n' twice; '--set n=1,2' gives it several values"),
    Row(
      "explain a stall",
      "'explain' takes one of FILE|FINDING, and 'stall' is one more; the option is '--stall'"),
    Row("compare a --seeds 0", "'--seeds' needs a whole number from 1 to 100000, not '0'"),
    Row("test a --jobs 0", "'--jobs' needs a whole number from 1 to 256, not '0'"),
    Row("completions tcl", "no completions for 'tcl', only for bash, zsh, fish"),
    Row(
      "completions bsh", "no completions for 'bsh', only for bash, zsh, fish; did you mean 'bash'?"),
  ]

  @Test("a mistake is named, with the usage line, and exits with 64", arguments: mistakes)
  func mistakeIsNamed(row: Row) {
    let call = Invocation(row.arguments)
    #expect(call.status == .usage)
    #expect(call.output.isEmpty)
    let lines = call.error.split(separator: "\n")
    #expect(lines.first.map { String($0) } == "spindle: error: \(row.message)")
    #expect(lines.count == 2)
    #expect(lines.last?.hasPrefix("usage: spindle ") == true)
  }

  @Test func noArgumentsShowTheOverviewOnStandardError() {
    let call = Invocation()
    #expect(call.status == .usage)
    #expect(call.error == Invocation("help").output)
    #expect(call.output.isEmpty)
  }

  @Test func valuesStandBehindEqualSignsOrBehindTheOption() throws {
    let command = try #require(OptionTable.command(named: "simulate"))
    let parsed = try ParsedArguments(
      ["--policy=fifo", "a", "--seed", "-5", "--set", "n=a=b", "--set=m = 2", "--", "--json"],
      for: command)
    #expect(parsed[.policy] == "fifo")
    #expect(parsed[.seed] == "-5")
    #expect(parsed.operands == ["a", "--json"])
    #expect(!parsed.has(.json))
    let assignments = try parsed.assignments(.set)
    #expect(
      assignments == [
        Overrides.Assignment(name: "n", value: "a=b"), Overrides.Assignment(name: "m", value: "2"),
      ])
  }

  @Test func everyOverrideReachesTheCompiler() throws {
    let command = try #require(OptionTable.command(named: "simulate"))
    let parsed = try ParsedArguments(
      ["a", "--policy", "p", "--costs", "c", "--platform", "f", "--seed", "7", "--until", "2s"],
      for: command)
    let overrides = try parsed.overrides()
    #expect(overrides.policy == "p")
    #expect(overrides.costs == "c")
    #expect(overrides.platform == "f")
    #expect(overrides.seed == "7")
    #expect(overrides.until == "2s")
  }

  static let lists: [(text: String, values: [String])] = [
    ("1,4,16", ["1", "4", "16"]),
    ("fifo, roundRobin(quantum: 10ms)", ["fifo", "roundRobin(quantum: 10ms)"]),
    ("a(b, c), [d, e], {f, g}", ["a(b, c)", "[d, e]", "{f, g}"]),
    ("a((b, c), d), e", ["a((b, c), d)", "e"]),
    (#""a, b", "c\", d""#, [#""a, b""#, #""c\", d""#]),
    (#""(", b"#, [#""(""#, "b"]),
    ("  a  ", ["a"]),
    ("a,", ["a", ""]),
    ("", [""]),
    ("é, ü", ["é", "ü"]),
  ]

  @Test("commas outside parentheses and quotes separate", arguments: lists)
  func commasSeparate(row: (text: String, values: [String])) {
    #expect(ListText.values(row.text) == row.values)
  }

  static let spellings: [(name: String, proposal: String)] = [
    ("--polisy", "; did you mean '--policy'?"),
    ("--ploicy", "; did you mean '--policy'?"),
    ("--p", ""),
    ("--jsonn", "; did you mean '--json'?"),
    ("--xxxxxx", ""),
    ("--policies", "; did you mean '--policy'?"),
    ("--seeds", "; did you mean '--seed'?"),
    ("", ""),
  ]

  @Test("the nearest name is proposed when it is near", arguments: spellings)
  func nearestIsProposed(row: (name: String, proposal: String)) {
    #expect(Spelling.proposal(row.name, in: ["--policy", "--json", "--seed"]) == row.proposal)
  }
}
