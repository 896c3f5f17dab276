import TestSupport
import Testing

/// What other packages see is little: a trace, its run, what is measured of it, its timeline, a policy.
@Suite struct PublicDeclarationTests {
  /// How many public declarations there are at most; it only ever becomes less.
  static let bound = 350

  @Test func theirNumberIsBounded() throws {
    var counts: [String: Int] = [:]
    for path in Repository.files(below: "Sources", suffix: ".swift") {
      let module = String(path.split(separator: "/")[1])
      counts[module, default: 0] += try PublicDeclarationTests.count(in: path)
    }
    let all = counts.values.reduce(0, +)
    let list = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    #expect(all <= PublicDeclarationTests.bound, "\(all) public declarations: \(list)")
    // The bound follows what was reached.
    #expect(all > PublicDeclarationTests.bound - 10, "the bound can be \(all)")
  }

  /// The declarations of a file that are public by their own modifier.
  private static func count(in path: String) throws -> Int {
    try Repository.lines(path).count { line in
      let words = SourceTests.withoutTexts(line).split(separator: " ")
      guard let at = words.firstIndex(of: "public") else { return false }
      return !words.contains("import")
        && words[..<at].allSatisfy { $0.hasPrefix("@") || $0 == "nonisolated" || $0 == "final" }
    }
  }
}
