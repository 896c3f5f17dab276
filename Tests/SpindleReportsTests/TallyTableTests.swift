import Testing

@testable import SpindleReports

/// A tally table holds its filler wherever nothing was counted, and moves what it has when it grows.
@Suite struct TallyTableTests {
  @Test(arguments: [0, 1, 15, 16, 17, 1_000])
  func reachesAnyNumber(last: Int) {
    // Texts that are too long to stand in the record itself, so that moving them matters.
    let filler = "a text that stands on the heap, as it is long"
    var table = TallyTable<String>()
    table.reach(last, filledWith: filler)
    #expect(table.count == last + 1)
    #expect((0...last).allSatisfy { table[$0].pointee == filler })
    table[last].pointee += "!"
    table.reach(last / 2, filledWith: filler)
    #expect(table.count == last + 1)
    table.append("another text that stands on the heap, as it is long too")
    table.reach(last + 100, filledWith: filler)
    #expect(table[last].pointee == filler + "!")
    #expect(table[last + 1].pointee.hasPrefix("another"))
    #expect(table[last + 2].pointee == filler)
    #expect(table.count == last + 101)
  }
}
