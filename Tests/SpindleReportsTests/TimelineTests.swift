import SpindleModel
import SpindleReports
import Testing

/// Timelines against the marks of one run: A at 1 ms, B and C at 2 ms, C at 3 ms.
@Suite struct TimelineTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let rows: [ExpectationValue.TimelineRow]
    let within: Nanoseconds
    let thread: Measure.ObjectReference?
    let seen: String?
    let location: SourceLocation

    init(
      _ claim: String, _ rows: [ExpectationValue.TimelineRow], within: Double = 0,
      of thread: Measure.ObjectReference? = nil, fails seen: String? = nil,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.rows, self.within) = (claim, rows, milliseconds(within))
      (self.thread, self.seen, self.location) = (thread, seen, location)
    }
  }

  static func at(_ from: Double, _ to: Double? = nil, _ labels: String...)
    -> ExpectationValue.TimelineRow
  {
    .init(
      earliest: Instant(milliseconds(from).rawValue),
      latest: Instant(milliseconds(to ?? from).rawValue), labels: labels)
  }

  static let rows = [
    Row("as written", [at(1, nil, "A"), at(2, nil, "B"), at(2, nil, "C"), at(3, nil, "C")]),
    Row(
      "the order within a moment counts",
      [at(1, nil, "A"), at(2, nil, "C"), at(2, nil, "B"), at(3, nil, "C")],
      fails: """
        entry 2 should be 2ms: "C", but was 2ms: "B":
            1ms: "A"
          > 2ms: "B"
            2ms: "C"
            3ms: "C"
        """),
    Row("any takes every order", [at(1, nil, "A"), at(2, nil, "C", "B"), at(3, nil, "C")]),
    Row(
      "each label of any as often as written",
      [at(1, nil, "A"), at(2, nil, "B", "B"), at(3, nil, "C")],
      fails: """
        entry 2 should be 2ms: any("B", "B"), but was 2ms: "C":
            1ms: "A"
            2ms: "B"
          > 2ms: "C"
            3ms: "C"
        """),
    Row(
      "a label of any is used up", [at(1, nil, "A"), at(2, 3, "B", "B", "C")],
      fails: """
        entry 2 should be 2ms ... 3ms: any("B", "B", "C"), but was 3ms: "C":
            1ms: "A"
            2ms: "B"
            2ms: "C"
          > 3ms: "C"
        """),
    Row("one any over a range", [at(1, nil, "A"), at(2, 3, "C", "B", "C")]),
    Row(
      "a range has an end", [at(1, nil, "A"), at(2, 2.5, "C", "B", "C")],
      fails: """
        entry 2 should be 2ms ... 2.5ms: any("C", "B", "C"), but was 3ms: "C":
            1ms: "A"
            2ms: "B"
            2ms: "C"
          > 3ms: "C"
        """),
    Row(
      "within widens both ends",
      [at(1.5, nil, "A"), at(1.5, nil, "B"), at(2.5, nil, "C"), at(2.5, nil, "C")], within: 0.5),
    Row(
      "but no further",
      [at(1.6, nil, "A"), at(2, nil, "B"), at(2, nil, "C"), at(3, nil, "C")], within: 0.5,
      fails: """
        entry 1 should be 1.6ms: "A", but was 1ms: "A":
          > 1ms: "A"
            2ms: "B"
            2ms: "C"
            3ms: "C"
        """),
    Row(
      "nothing may be left", [at(1, nil, "A"), at(2, nil, "B"), at(2, nil, "C")],
      fails: """
        after the last entry came 3ms: "C":
            1ms: "A"
            2ms: "B"
            2ms: "C"
          > 3ms: "C"
        """),
    Row(
      "nothing may be missing",
      [at(1, nil, "A"), at(2, nil, "B"), at(2, nil, "C"), at(3, nil, "C"), at(4, nil, "D")],
      fails: """
        entry 5 should be 4ms: "D", but no mark is left:
            … 1 before
            2ms: "B"
            2ms: "C"
            3ms: "C"
          > the end
        """),
    Row("one thread's, by name", [at(1, nil, "A"), at(3, nil, "C")], of: .named("first")),
    Row("one thread's, by variable", [at(2, nil, "B"), at(2, nil, "C")], of: .global(GlobalID(0))),
    Row(
      "a thread that never was", [at(2, nil, "B")], of: .named("early"),
      fails: "no thread had the name \"early\""),
    Row("no marks", [], of: .named("silent")),
    Row(
      "no marks, but one is expected", [at(2, nil, "B")], of: .named("silent"),
      fails: "entry 1 should be 2ms: \"B\", but no mark is left; there were no marks"),
  ]

  @Test(arguments: rows)
  func matchesOrTells(row: Row) {
    var log = SmallLog()
    log.addMain()
    log.addThread(1, "first")
    log.addThread(2, "second")
    log.addThread(3, "silent")
    log.mark(1, "A", on: 1)
    log.mark(2, "B", on: 2)
    log.mark(2, "C", on: 2)
    log.mark(3, "C", on: 1)
    log.program.globals = [
      Global(name: "t", format: .thread, isVariable: false, place: SourceRange(0, 0))
    ]
    log.record.globals = [2]
    log.program.expectations = [
      Expectation(
        condition: .compare(
          .equal, .measure(.timeline(of: row.thread, within: row.within)),
          .value(.timeline(row.rows)), nil), place: SourceRange(0, 0))
    ]
    let verdict = ExpectationTests.verdicts(log)[1]
    #expect(verdict.holds == (row.seen == nil), sourceLocation: row.location)
    #expect(verdict.seen == row.seen ?? "", sourceLocation: row.location)
  }

  @Test func aSlotUsedAgainIsAnotherThread() {
    var log = SmallLog()
    log.addThread(1, "old")
    log.mark(1, "A", on: 1)
    log.add(1, .threadEnded, thread: 1)
    log.addThread(1, "new", at: 2)
    log.mark(3, "B", on: 1)
    for (name, label, time) in [("old", "A", 1.0), ("new", "B", 3)] {
      log.program.expectations = [
        Expectation(
          condition: .compare(
            .equal, .measure(.timeline(of: .named(name), within: .zero)),
            .value(.timeline([TimelineTests.at(time, nil, label)])), nil),
          place: SourceRange(0, 0))
      ]
      #expect(ExpectationTests.verdicts(log)[1].holds, "\(name)")
    }
  }
}
