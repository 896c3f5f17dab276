import SpindleModel
import Testing

@testable import SpindleReports

/// What a finding says, as text and as data.
@Suite struct FindingStatementTests {
  private static let wait = FindingStatement(
    waiting: .lock, .owner,
    "\("reader", .thread) waits for \("store", .lock), held by \("writer", .owner)")

  private static func finding(_ statement: FindingStatement) -> Finding {
    Finding(kind: .deadlock, time: .start, places: [], statement: statement)
  }

  @Test func textHasNamesInQuotesAndAmountsWithUnits() {
    let statement: FindingStatement =
      "\("a", .thread) of priority \("high", .priority) threw \("late", .error) after \(.milliseconds(2), .waited) at \(Instant(5), .woken) with \(3, .items) in \(ByteCount(2_048), .used)\(words: "!")"
    #expect(statement.text == "'a' of priority high threw \"late\" after 2ms at 5ns with 3 in 2KB!")
  }

  @Test func dataAreInTheOrderOfTheText() {
    let statement = FindingStatement(
      cycleOf: 2,
      [Self.wait, Self.wait].joined(separator: ", and ") + " for \(.milliseconds(1), .waited)")
    #expect(
      statement.subjects.map(\.name) == ["reader", "store", "writer", "reader", "store", "writer"])
    #expect(
      statement.amounts == [Finding.Amount(measure: .waited, value: .duration(.milliseconds(1)))])
    #expect(statement.waits.map(\.reason) == [.lock, .lock])
    #expect(statement.waits[1].subjects.map(\.role) == [.thread, .lock, .owner])
    #expect(statement.cycle == 2)
    #expect(Self.wait.cycle == nil)
  }

  @Test func wordsAloneHaveNoData() {
    let statement = FindingStatement(words: "'a' waits for lock 'b'")
    #expect(statement.subjects.isEmpty && statement.waits.isEmpty && statement.amounts.isEmpty)
    #expect(FindingStatement(words: "").isEmpty && !statement.isEmpty)
  }

  /// Two findings that differ in words, names and amounts alone fail in the same way.
  @Test func wordsNamesAndAmountsAreNoWayOfFailing() {
    let reworded = FindingStatement(
      waiting: .lock, .owner,
      "\("b", .thread) blocks on \("l", .lock) since \(3, .items) of \("c", .owner)")
    #expect(FailureWay(Self.finding(Self.wait)) == FailureWay(Self.finding(reworded)))
    let twice = Self.wait + " and " + reworded
    #expect(FailureWay(Self.finding(Self.wait)) == FailureWay(Self.finding(twice)))
  }

  @Test func reasonsObstaclesAndCyclesAre() {
    let ways = [
      Self.wait, FindingStatement(waiting: .sync, .owner, "x"),
      FindingStatement(waiting: .lock, .readers, "x"), FindingStatement(cycleOf: 1, Self.wait),
      FindingStatement(cycleOf: 2, Self.wait), FindingStatement(cycleOf: 3, Self.wait), "x",
    ].map { FailureWay(Self.finding($0)) }
    #expect(Set(ways).count == ways.count)
    let four = FailureWay(Self.finding(FindingStatement(cycleOf: 4, Self.wait)))
    #expect(ways[5] == four, "three and four waiters in a cycle are alike")
  }

  /// The order in which waits stand in a text decides nothing.
  @Test func waitsHaveNoOrder() {
    let other = FindingStatement(waiting: .semaphore, .signal, "\("c", .thread) waits")
    #expect(
      FailureWay(Self.finding(Self.wait + other)) == FailureWay(Self.finding(other + Self.wait)))
  }

  @Test func jsonHasTheFields() {
    let text = JSONText.fields(Self.wait + " for \(.milliseconds(1), .waited)").text
    #expect(text.contains(#""for": "lock""#) || text.contains(#""for":"lock""#), "\(text)")
    #expect(text.contains("1000000"))
  }
}
