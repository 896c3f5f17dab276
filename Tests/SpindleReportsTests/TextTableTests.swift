import SpindleReports
import Testing

/// Columns of text.
@Suite struct TextTableTests {
  private static var table: TextTable {
    var table = TextTable(columns: [.init("name", .left), .init("count"), .init("note", .left)])
    table.add(["a", "1,000", "é"])
    table.add(["a much longer name", "7"])
    return table
  }

  @Test func columnsAreAligned() {
    #expect(
      TextTableTests.table.rendered() == """
        name                count  note
        a                   1,000  é
        a much longer name      7

        """)
  }

  /// What says of what it is goes on below, with the first column again.
  @Test func columnsThatDoNotFitStandBelow() {
    var table = TextTable(columns: [
      .init("work", .left), .init("count"), .init("wait p50"), .init("p95"), .init("latency p50"),
      .init("p95"),
    ])
    table.add(["a", "1", "2ms", "3ms", "4ms", "5ms"])
    #expect(table.folded(width: 80) == table.rendered().split(separator: "\n").map(String.init))
    #expect(
      table.folded(width: 40) == [
        "work  count  wait p50  p95", "a         1       2ms  3ms",
        "work  latency p50  p95", "a             4ms  5ms",
      ])
  }

  /// What tells names apart is at their ends.
  @Test(arguments: [
    ("jobs.async:8#2", "jobs.as…:8#2"), ("a.async:8#12", "a.async:8#12"),
    ("queue.async:12", "que….async:12"), ("download of picture 17", "download o…17"),
    ("a much longer name", "a much long…"),
  ])
  func theEndOfANameStays(name: String, shown: String) {
    var table = TextTable(columns: [.init("item", .left), .init("time")])
    table.add([name, "1ms"])
    let line = table.rendered(width: shown.count + 6).split(separator: "\n").last ?? ""
    #expect(line == shown + String(repeating: " ", count: 12 - min(12, shown.count)) + "   1ms")
  }

  @Test func theFirstColumnGivesWay() {
    #expect(
      TextTableTests.table.rendered(width: 27) == """
        name            count  note
        a               1,000  é
        a much longer…      7

        """)
  }
}
