@testable import SpindleLanguage
import SpindleModel
import Testing

/// Traces with random damage: reading, showing the errors and formatting always end, in order.
@Suite struct ParsingMutationTests {
  @Test("damaged traces", arguments: 0..<40)
  func mutations(seed: Int) {
    var random = Random(seed: UInt64(seed))
    for sample in SampleTraces.all {
      var bytes = Array(sample.utf8)
      for _ in 0..<25 {
        mutate(&bytes, &random)
        check(bytes, seed)
      }
    }
  }

  private func check(_ bytes: [UInt8], _ seed: Int) {
    let source = SourceText(name: "x", utf8: bytes)
    let (tree, diagnostics) = GrammarParser.parse(source)
    let places = diagnostics.map(\.range.lowerBound)
    #expect(places == places.sorted(), "seed \(seed)")
    #expect(Set(places).count == places.count, "no place has two errors, seed \(seed)")
    checkPlaces(diagnostics, in: source, seed)
    #expect(renderedReport(diagnostics).utf8.isEmpty == diagnostics.isEmpty)
    // What the parser could not read is a gap in the tree, and each gap comes with an error.
    #expect(!tree.shown.contains("¿") || !diagnostics.isEmpty, "seed \(seed): \(bytes.shown)")
    FormattingTests.checkProperties(source, "seed \(seed)")
  }

  /// What is found wrong with a text is a place in it.
  private func checkPlaces(_ found: [Diagnostic], in source: SourceText, _ seed: Int) {
    let count = Int32(source.utf8.count)
    for range in found.map(\.range) {
      #expect(
        0 <= range.lowerBound && range.lowerBound <= range.upperBound && range.upperBound <= count,
        "seed \(seed)")
    }
  }

  @Test("texts that end anywhere")
  func prefixes() {
    for sample in SampleTraces.all {
      let bytes = Array(sample.utf8)
      for end in 0...bytes.count {
        let source = SourceText(name: "x", utf8: Array(bytes[..<end]))
        checkPlaces(GrammarParser.parse(source).diagnostics, in: source, end)
      }
    }
  }

  /// There is always an answer: a program, or what is wrong.
  @Test("programs that end anywhere", arguments: ParsingMutationTests.openForms)
  func compiledPrefixes(form: String) {
    let bytes = Array(form.utf8)
    for end in 0...bytes.count {
      let text = String(decoding: bytes[..<end], as: UTF8.self)
      let (program, found) = CompilerSupport.compile(text)
      #expect((program == nil) == found.contains { $0.severity == .error }, "\(text)")
    }
  }

  /// What the samples have not, each with an end that may be missing.
  private static let openForms = [
    "func () {}", "struct S { func < (a: S, b: S) -> Bool { true } }",
    "func f<T: P>() where T: Q {}",
    "class C { init?(a: Int) throws { self.a = a }; subscript(i: Int) -> Int { get { i } } }",
    "let x = { [weak self] (a: Int) async throws -> Int in a }; let p: any P & Q = \\.a.b[0]?.c",
    "enum E: Int { case a = 1, b(c: Int) }; @MainActor extension E: P { static var x: Int { 1 } }",
    "let s = \"\"\"\n  a \\(b)\n  \"\"\"; let c = a ? b : c; for case let (x, y)? in z where x {}",
    "let a: Foo<Int> = f", "main { for x in y { } }", "func f<T>(a: T) rethrows -> some P { a }",
    "main { let all = a.map { f($4611686018427387904) }; switch a { case .b(let c) where c: break } }",
  ]

  /// Deletes, repeats, swaps or replaces a stretch of bytes, mostly a word or a sign.
  private func mutate(_ bytes: inout [UInt8], _ random: inout Random) {
    guard bytes.count > 8 else { return }
    let start = random.below(bytes.count - 1)
    let end = min(bytes.count, start + 1 + random.below(random.below(4) == 0 ? 40 : 3))
    switch random.below(6) {
    case 0: bytes.removeSubrange(start..<end)
    case 1: bytes.insert(contentsOf: Array(bytes[start..<end]), at: random.below(bytes.count))
    case 2: bytes.swapAt(start, random.below(bytes.count))
    case 3: bytes[start] = UInt8(truncatingIfNeeded: random.below(256))
    default:
      let word = ParsingMutationTests.words[random.below(ParsingMutationTests.words.count)]
      bytes.replaceSubrange(start..<(random.below(2) == 0 ? start : end), with: Array(word.utf8))
    }
  }

  private static let words = [
    "{", "}", "(", ")", "[", "]", "\"", "\\(", "/*", "*/", "//", "\n", ";", ",", ":", ".", "=",
    " in ", " if ", " else ", " func ", " let ", " repeat ", " while ", " - ", "-", "!", "?", " ? ",
    "..<", "%", "±", "5sec", "1ms", "é", "switch ", "try ", "main {", "\nexpect {", "@", "#", "$0",
    "$99999999", "func (", " init", " async let ", " as! ", " where ", " case .",
    " [weak self] in ",
  ]
}

/// Numbers that look random and are the same each time.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, limit)))
  }
}
