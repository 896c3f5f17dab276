import SpindleModel
import SpindleReports
import Testing

/// Results for other programs.
@Suite struct ExportTests {
  @Test func jsonOfARun() {
    var log = ExpectationTests.log
    log.program.title = "a \"title\" \\ with\n\u{1} é"
    let verdict = Verdict(
      text: "switches == 1", place: SourceRange(0, 0), holds: false, seen: "switches was 0")
    let text = JSONText.run(
      program: log.program, machine: log.machine, metrics: log.metrics, verdicts: [verdict],
      digest: "0123456789abcdef")
    #expect(
      text.hasPrefix(
        "{\n  \"format\": 2,\n  \"title\": \"a \\\"title\\\" \\\\ with\\n\\u0001 é\",\n"))
    #expect(text.hasSuffix("  \"digest\": \"0123456789abcdef\"\n}"))
    for part in [
      "\"makespanNanoseconds\": 10000000,", "\"threadsPeak\": 4,", "\"utilization\": 0.5,",
      "\"exitCode\": null,", "\"pattern\": \"image*\",", "\"p95Nanoseconds\": 6000000,",
      "\"kind\": \"starvation\",", "\"holds\": false,", "\"seen\": \"switches was 0\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(ExportTests.isBalanced(text))
  }

  @Test func jsonOfWhatWasPrinted() {
    let log = ExpectationTests.log
    func text(_ output: PrintedLines?) -> String {
      JSONText.run(
        program: log.program, machine: log.machine, metrics: log.metrics, verdicts: [],
        measured: [], output: output, digest: "0123456789abcdef")
    }
    var output = PrintedLines()
    (output.first, output.count) = (["a \"b\"", "c"], 12)
    #expect(
      text(output).contains(
        "  \"output\": [\n    \"a \\\"b\\\"\",\n    \"c\"\n  ],\n  \"outputCount\": 12,\n  \"digest\""
      ))
    #expect(text(PrintedLines()).contains("\"output\": [],\n  \"outputCount\": 0,"))
    #expect(!text(nil).contains("\"output\""))
  }

  @Test func jsonOfNothingHasNoTimes() {
    let log = SmallLog()
    let text = JSONText.run(
      program: log.program, machine: log.machine, metrics: log.metrics, verdicts: [],
      digest: "0123456789abcdef")
    #expect(text.contains("\"count\": 0,\n        \"meanNanoseconds\": null,"))
    #expect(!text.contains("\"p95Nanoseconds\": 0"))
  }

  @Test func jsonOfAComparison() {
    let comparison = ComparisonTests.comparison([
      (label: "a", runs: [1.0, 2].map { ComparisonTests.run(makespan: $0) }),
      (label: "b", runs: [2.0, 3.5].map { ComparisonTests.run(makespan: $0) }),
    ])
    let text = ComparisonReport(comparison).text(.json, style: TextStyle())
    #expect(ExportTests.isBalanced(text))
    #expect(text.contains("\"mean\": 2750000,"))
    #expect(text.contains("\"difference\": 1250000,"))
    #expect(text.contains("\"isDifferent\": false"))
    #expect(text.contains("\"utilization\": 0.5"))
  }

  @Test func junit() {
    let failure = TestFailure(
      .expectation, "x < 3 & \"y\"\nseen\u{1B}", at: TestPlace(line: 7, column: 2))
    let report = JUnitText.report([
      TestCase(name: "Traces/a.trace", failures: [], duration: 1_500_000_000),
      TestCase(name: "b.trace", failures: [failure], duration: 2_001),
      TestCase(name: "c.trace", failures: [], isSkipped: true),
    ])
    let counts = "name=\"spindle\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""
    #expect(
      report == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites \(counts) time="1.500002">
          <testsuite \(counts) time="1.500002">
            <testcase classname="Traces" name="a.trace" file="Traces/a.trace" line="1" time="1.500000"/>
            <testcase classname="spindle" name="b.trace" file="b.trace" line="7" time="0.000002">
              <failure type="expectation" message="x &lt; 3 &amp; &quot;y&quot;">x &lt; 3 &amp; &quot;y&quot;
        seen\u{FFFD}</failure>
            </testcase>
            <testcase classname="spindle" name="c.trace" file="c.trace" line="1" time="0.000000">
              <skipped message="unchanged since it passed"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  /// Whether brackets outside of strings come in pairs.
  private static func isBalanced(_ json: String) -> Bool {
    var open: [Character] = []
    var (isString, isEscaped) = (false, false)
    for character in json {
      if isString {
        if character == "\"" && !isEscaped { isString = false }
        isEscaped = character == "\\" && !isEscaped
        continue
      }
      switch character {
      case "\"": isString = true
      case "{", "[": open.append(character)
      case "}": if open.popLast() != "{" { return false }
      case "]": if open.popLast() != "[" { return false }
      default: break
      }
    }
    return open.isEmpty && !isString
  }
}
