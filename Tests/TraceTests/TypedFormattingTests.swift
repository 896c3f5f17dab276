import SpindleLanguage
import SpindleModel
import SpindleRun
import TestSupport
import Testing

/// The form of programs with all kinds of Swift.
@Suite struct TypedFormattingTests {
  /// The spellings and programs that are taken.
  static func texts() throws -> [String] {
    let rows = try SpellingTests.files.flatMap { try SpellingTests.rows(of: $0) }
    let texts =
      rows.map { $0.text.joined(separator: "\n") }
      + TypedProgram.all.map { TypedFrontEndTests.text(of: $0, "body()") }
      + TypedProgram.suspending.map { TypedFrontEndTests.text(of: $0, "await body()") }
    return texts.filter { text in
      Compiler.standard.compile(SourceText(name: "t", text)).program != nil
    }
  }

  @Test func keepsEachToken() throws {
    let texts = try Self.texts()
    #expect(texts.count > 600)
    for text in texts {
      let (made, found) = formatted(SourceText(name: "t", text))
      #expect(found.map(\.message) == [], "\(text)")
      #expect(Self.tokens(of: made) == Self.tokens(of: text))
      #expect(formatted(SourceText(name: "t", made)).text == made)
      let source = SourceText(name: "t", made)
      #expect(Compiler.standard.compile(source).program != nil, "\(made)")
    }
  }

  /// A text without its white space, and without the `;` that a line break replaces.
  private static func tokens(of text: String) -> String {
    text.filter { !$0.isWhitespace && $0 != ";" }
  }
}
