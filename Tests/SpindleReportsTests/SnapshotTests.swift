import SpindleModel
import SpindleReports
import Testing

/// What is recorded beside a trace, and where two records part.
@Suite struct SnapshotTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let recorded: String
    let seen: String
    let difference: String?
    let location: SourceLocation

    init(
      _ claim: String, _ recorded: String, _ seen: String, _ difference: String?,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.recorded, self.seen) = (claim, recorded, seen)
      (self.difference, self.location) = (difference, location)
    }
  }

  static let rows = [
    Row("equal texts do not part", "a\nb\n", "a\nb\n", nil),
    Row(
      "context before, three lines after", "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
      "line 5:\n  2\n  3\n  4\n- 5\n- 6\n- 7\n+ x\n+ 6\n+ 7\n"),
    Row("the first line", "a\nb\n", "x\nb\n", "line 1:\n- a\n- b\n+ x\n+ b\n"),
    Row("a line more", "a\n", "a\nb\n", "line 2:\n  a\n- (the end)\n+ b\n"),
    Row("a line less", "a\nb\n", "a\n", "line 2:\n  a\n- b\n+ (the end)\n"),
    Row("an empty record", "", "a\n", "line 1:\n- (the end)\n+ a\n"),
    Row("a missing line break", "a", "a\n", "the texts differ in line breaks only\n"),
  ]

  @Test(arguments: rows)
  func partsAtTheFirstLine(row: Row) {
    let difference = Snapshot.difference(recorded: row.recorded, seen: row.seen)
    #expect(difference?.text == row.difference, sourceLocation: row.location)
  }

  @Test(arguments: [(0, true), (195, true), (196, false), (5_000, false)])
  func aLongLogIsSummed(marks: Int, isWhole: Bool) {
    var log = SmallLog(kinds: ["a*"])
    for index in 0..<marks { log.mark(Double(index), "m") }
    let (metrics, recorder) = (Metrics(), SnapshotRecorder())
    log.run([metrics, recorder], chunk: 64)
    let text = recorder.text(metrics.result)
    let lines = text.split(separator: "\n")
    #expect(lines.count <= 200)
    #expect((text == log.text()) == isWhole)
    #expect(lines.contains { $0.hasSuffix(log.digest) })
    #expect(lines.contains { $0.contains("entries") && $0.contains("\(marks)") })
  }
}
