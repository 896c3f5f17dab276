import SpindleLanguage
import SpindleModel
import Testing

/// Durations from files beside a trace: what the files may say, and what is wrong with others.
@Suite struct MeasuredTimesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let unit: String
    let report: String

    var testDescription: String { name }

    init(_ name: String, _ file: String, unit: String = "", _ report: String = "ok") {
      (self.name, self.file, self.unit, self.report) = (name, file, unit, report)
    }
  }

  static let rows = [
    Row("with units", "5ms, 7ms\n1.5s // slow\n# none\n250us; 3min 1h 9ns\r\n"),
    Row("bare numbers", "5\n7.25\n", unit: ", unit: 1ms"),
    Row("both", "5 7us", unit: ", unit: 1s"),
    Row(
      "no unit", "3ms\n5",
      "'5' in line 2 of t.txt needs a unit: drawn(from: \"…\", unit: 1ms)"),
    Row("no number", "3ms x", "'x' in line 1 of t.txt is not a duration"),
    Row("below nothing", "-3ms", "'-3ms' in line 1 of t.txt is not a duration"),
    Row("longer than may be", "100001h", "'100001h' in line 1 of t.txt is not a duration"),
    Row(
      "more than a number holds", "99999999999999999999ms",
      "'99999999999999999999' in line 1 of t.txt is not a duration"),
    Row("two points", "1.2.3ms", "'1.2.3ms' in line 1 of t.txt is not a duration"),
    Row("nothing", "// 5ms\n", "no duration in t.txt"),
  ]

  @Test(arguments: rows)
  func comesTo(row: Row) {
    var overrides = Overrides()
    overrides.fileReader = Overrides.FileReader { file, _ in
      .success(SourceText(name: file, row.file))
    }
    let text = "main { work(drawn(from: \"t.txt\"\(row.unit))) }"
    let report = CompilerSupport.report(text, overrides)
    #expect(report == (row.report == "ok" ? "ok" : "1:25: error: \(row.report)"))
  }

  @Test func withoutFiles() {
    let report = CompilerSupport.report("main { work(drawn(from: \"t.txt\")) }")
    #expect(report == "1:25: error: a file can't be read here")
  }

  /// As many as the documentation says, and not one more.
  @Test func aHundredThousandAreTheMost() {
    func report(_ count: Int) -> String {
      var overrides = Overrides()
      let file = String(repeating: "5ms ", count: count)
      overrides.fileReader = Overrides.FileReader { name, _ in
        .success(SourceText(name: name, file))
      }
      return CompilerSupport.report("main { work(drawn(from: \"t.txt\")) }", overrides)
    }
    #expect(report(100_000) == "ok")
    #expect(report(100_001).hasPrefix("1:25: error: "))
  }
}
