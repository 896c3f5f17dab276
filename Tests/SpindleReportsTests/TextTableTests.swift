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

  @Test func theFirstColumnGivesWay() {
    #expect(
      TextTableTests.table.rendered(width: 27) == """
        name            count  note
        a               1,000  é
        a much longer…      7

        """)
  }
}
