import TestSupport
import Testing

/// Every claim of the notes has a trace that begins with it.
@Suite struct ClaimTests {
  /// The claims of the five notes, by the letters and numbers that traces call them by.
  static let claims = """
    A1 A1b A2 A3 A4 A5 A6 A7 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26 A27
    A29 A30 A31 A32 A33 A34 A36 A37 A38 A39 A40 A41 A42 A43 A44
    B1 B2 B3 B4 B5 B6 B7 B9
    C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14 C15 C16 C17 C18 C19 C20 C21 C22 C23 C25 C26
    D1 D2 D3 D4 D5 D7 D8 D9 D10 D11 D12 D13 D14 D15
    E1 E2 E3 E4 E5 E6 E7 E8 E9 E10
    """.split { $0 == " " || $0 == "\n" }.map(String.init)

  static let traces = Repository.files(below: "Traces/notes", suffix: ".trace")

  @Test func everyClaimHasATrace() throws {
    var claimed: Set<String> = []
    for path in ClaimTests.traces { claimed.formUnion(try ClaimTests.named(path)) }
    for claim in ClaimTests.claims { #expect(claimed.contains(claim), "no trace claims \(claim)") }
  }

  @Test func everyTraceBeginsWithTheClaimOfItsName() throws {
    #expect(!ClaimTests.traces.isEmpty)
    for path in ClaimTests.traces {
      let file = path.split(separator: "/").last ?? ""
      let id = String(file.prefix { $0 != "-" })
      #expect(try ClaimTests.named(path).contains(id), "\(path) does not begin with 'Claim \(id)'")
    }
  }

  /// The claims that the comment of a trace begins with, as in `// Claims A1, B2 and C3.`.
  static func named(_ path: String) throws -> [String] {
    let first = try Repository.lines(path).first ?? ""
    var words = first.split(separator: " ").dropFirst()
    guard first.hasPrefix("// "), let word = words.popFirst(), word == "Claim" || word == "Claims"
    else {
      return []
    }
    var found: [String] = []
    while let word = words.popFirst() {
      let id = String(word.prefix { $0.isLetter || $0.isNumber })
      if isClaim(id) { found.append(id) } else if id != "and" && id != "to" { break }
    }
    return found
  }

  private static func isClaim(_ word: String) -> Bool {
    guard let letter = word.first, ("A"..."E").contains(letter) else { return false }
    return word.dropFirst().first?.isNumber == true
  }

  @Test func aClaimIsReadFromTheFirstWords() throws {
    #expect(try ClaimTests.named("Traces/notes/A1b-stack-size.trace") == ["A1b"])
    #expect(
      try ClaimTests.named("Traces/notes/A33-five-priorities.trace") == ["A33", "C20", "D9", "D10"])
  }
}
