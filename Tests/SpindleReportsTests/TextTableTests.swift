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

  @Test func theFirstColumnGivesWay() {
    #expect(
      TextTableTests.table.rendered(width: 27) == """
        name            count  note
        a               1,000  é
        a much longer…      7

        """)
  }
}
