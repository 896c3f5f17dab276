import SpindleModel
import SpindleReports
import Testing

/// What is recorded beside a trace.
@Suite struct SnapshotTests {
  @Test(arguments: [(0, true), (195, true), (196, false), (5_000, false)])
  func aLongLogIsDigested(marks: Int, isWhole: Bool) throws {
    var log = SmallLog(kinds: ["a*"])
    for index in 0..<marks { log.mark(Double(index), "m") }
    let (metrics, recorder) = (Metrics(), SnapshotRecorder())
    log.run([metrics, recorder], chunk: 64)
    let text = recorder.text(metrics.result)
    let lines = text.split(separator: "\n")
    #expect(lines.count <= 200)
    #expect((text == log.text()) == isWhole)
    #expect(recorder.isLong == !isWhole)
    #expect(lines.contains { $0.hasSuffix(log.digest) })
    #expect(lines.contains { $0.contains("entries") && $0.contains("\(marks)") })
    switch Snapshot.read(Array(text.utf8)) {
    case .success(.log(let bytes)): #expect(isWhole && bytes == Array(text.utf8))
    case .success(.layers(let record)):
      #expect(!isWhole)
      #expect(recorder.difference(record, metrics.result) == nil)
    case .failure(let failure): Issue.record("\(failure)")
    }
  }

  @Test(arguments: [
    ("# spindle log 2\n# summary of a log of more than 200 lines\n", "is of an older form"),
    ("# t\n# layers 1 of a log of 300 lines\nentries x\n", "is of an older form"),
    ("# t\n# layers 2 of x entries, digest 1\n", "is damaged"),
    ("# t\n# layers 2 of 300 entries, digest 1\n", "is damaged"),
    ("# t\n# layers 2 of 300 entries, digest 1\nlayers x\n", "is damaged"),
    ("# t\n# layers 2 of 300 entries, digest 1\nuntil 1s 2 AAAA\n", "is damaged"),
    ("# t\n# layers 2 of 300 entries, digest 1\nsteps AA.\n", "is damaged"),
  ])
  func whatIsNoRecordIsTold(text: String, reason: String) {
    guard case .failure(let failure) = Snapshot.read(Array(text.utf8)) else {
      Issue.record("read")
      return
    }
    #expect(failure.reason == reason)
  }

  /// The same step every millisecond: levels do not tell the stretches apart.
  @Test func aRunThatRepeatsIsCutEvenly() throws {
    func recorded(_ change: (inout SmallLog) -> Void) -> (SnapshotRecorder, RunMetrics) {
      var log = SmallLog()
      log.addMain()
      for index in 0..<40_000 { log.mark(Double(index), "m") }
      change(&log)
      let (metrics, recorder) = (Metrics(), SnapshotRecorder())
      log.run([metrics, recorder], chunk: 512)
      return (recorder, metrics.result)
    }
    let (old, metrics) = recorded { _ in }
    let (new, newMetrics) = recorded { log in
      let other = log.name("other")
      log.replaceEntry(20_001) { $0.object = other }
    }
    let difference = try #require(new.difference(old.record(metrics), newMetrics))
    #expect(difference.layers == [.order])
    let stretch = try #require(difference.otherSteps.first).recorded
    #expect(stretch.from <= .seconds(20) && stretch.to >= .seconds(20))
    #expect(stretch.to.rawValue - stretch.from.rawValue < 7_000_000_000)
    #expect(difference.text.contains("other steps from "))
  }
}

/// Where two logs part, in lines.
@Suite struct LogComparisonTests {
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
      "three lines before, and only those that differ", "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      "1\n2\n3\n4\nx\n6\n7\ny\n9\n",
      "line 5:\n  2\n  3\n  4\n- 5\n+ x\n  (2 lines as recorded)\n- 8\n+ y\n"),
    Row("the first line", "a\nb\n", "x\nb\n", "line 1:\n- a\n+ x\n"),
    Row("a line more", "a\n", "a\nb\n", "line 2:\n  a\n- (the end)\n+ b\n"),
    Row("a line less", "a\nb\n", "a\n", "line 2:\n  a\n- b\n+ (the end)\n"),
    Row("a line between", "a\nb\n", "a\nx\nb\n", "line 2:\n  a\n+ x\n"),
    Row("an empty record", "", "a\n", "line 1:\n- (the end)\n+ a\n"),
    Row("a missing line break", "a", "a\n", "the texts differ in line breaks only\n"),
    Row(
      "the same steps later", " 1ms 0 a\n 2ms 0 b\n 3ms 0 c\n", " 1ms 0 a\n 4ms 0 b\n 5ms 0 c\n",
      "from 2ms on, line 2:\n   1ms 0 a\n-  2ms 0 b\n+  4ms 0 b\n"
        + "2 steps the same at other times: 2ms later\n"),
    Row(
      "steps that were taken out, and the rest earlier", " 1ms 0 a\n 2ms 0 b\n 3ms 0 c\n",
      " 1ms 0 a\n 2.5ms 0 c\n",
      "from 2ms on, line 2:\n   1ms 0 a\n-  2ms 0 b\n-  3ms 0 c\n+  2.5ms 0 c\n"),
    Row(
      "the digest says nothing where others do", " 1ms 0 a\n# entries 1, digest 1\n",
      " 1ms 0 b\n# entries 1, digest 2\n", "from 1ms on, line 1:\n-  1ms 0 a\n+  1ms 0 b\n"),
  ]

  @Test(arguments: rows)
  func tellsLinesThatDiffer(row: Row) {
    // However it comes, in pieces of any size.
    for size in [1, 3, 1_000] {
      let comparison = LogComparison(Array(row.recorded.utf8))
      let seen = Array(row.seen.utf8)
      for start in stride(from: 0, to: seen.count, by: size) {
        comparison.add(seen[start..<min(seen.count, start + size)])
      }
      #expect(comparison.isEqual == (row.difference == nil), sourceLocation: row.location)
      guard let difference = row.difference else { continue }
      #expect(comparison.text == difference, sourceLocation: row.location)
    }
  }

  /// One line of 30,000 is gone, another is new: two lines are told.
  @Test func longLogsAreComparedLineByLine() {
    let lines = (0..<30_000).map { " \($0)us 0 step \($0 % 1_000)" }
    var other = lines
    other.remove(at: 9_000)
    other.insert(" 20001us 0 new", at: 20_000)
    let comparison = LogComparison(Array((lines.joined(separator: "\n") + "\n").utf8))
    comparison.add(Array((other.joined(separator: "\n") + "\n").utf8)[...])
    #expect(
      comparison.text
        == """
        from 9000us on, line 9001:
           8997us 0 step 997
           8998us 0 step 998
           8999us 0 step 999
        -  9000us 0 step 0
          (11000 lines as recorded)
        +  20001us 0 new

        """.replacing("11000", with: "11,000"))
  }
}
