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

  @Test func jsonOfNothingHasNoTimes() {
    let log = SmallLog()
    let text = JSONText.run(
      program: log.program, machine: log.machine, metrics: log.metrics, verdicts: [],
      digest: "0123456789abcdef")
    #expect(text.contains("\"count\": 0,\n        \"meanNanoseconds\": null,"))
    #expect(!text.contains("\"p95Nanoseconds\": 0"))
  }

  @Test func jsonOfAComparison() {
    let comparison = Comparison(variants: [
      .init(label: "a", runs: [1.0, 2].map { ComparisonTests.run(makespan: $0) }),
      .init(label: "b", runs: [2.0, 3.5].map { ComparisonTests.run(makespan: $0) }),
    ])
    let text = comparison.json
    #expect(ExportTests.isBalanced(text))
    #expect(text.contains("\"mean\": 2750000,\n          \"difference\": 1250000,"))
    #expect(text.contains("\"isDifferent\": false"))
  }

  @Test func junit() {
    let report = JUnitText.report([
      TestCase(name: "Traces/a.trace", failures: []),
      TestCase(name: "b.trace", failures: ["x < 3 & \"y\"\nseen\u{1B}"]),
    ])
    #expect(
      report == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="spindle" tests="2" failures="1">
          <testsuite name="spindle" tests="2" failures="1">
            <testcase classname="Traces" name="a.trace"/>
            <testcase classname="spindle" name="b.trace">
              <failure message="x &lt; 3 &amp; &quot;y&quot;">x &lt; 3 &amp; &quot;y&quot;
        seen\u{FFFD}</failure>
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
