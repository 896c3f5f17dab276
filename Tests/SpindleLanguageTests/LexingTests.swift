@testable import SpindleLanguage
import Testing

/// Text to tokens: each row shows the tokens' kinds and texts, `↵` before the first of a line.
@Suite struct LexingTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let tokens: String
    let location: SourceLocation

    init(
      _ claim: String, _ text: String, _ tokens: String, location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.text, self.tokens, self.location) = (claim, text, tokens, location)
    }
  }

  static let rows = [
    Row("nothing", "", ""),
    Row("the mark of an editor is no token", "\u{FEFF}a", "identifier:a"),
    Row("words", "a _b c1 _", "↵identifier:a identifier:_b identifier:c1 underscore:_"),
    Row("names in any script", "größe 数", "↵identifier:größe identifier:数"),
    Row(
      "reserved words", "let lets continue continues",
      "↵let:let identifier:lets continue:continue identifier:continues"),
    Row("numbers", "42 1_000 0.5", "↵number:42 number:1_000 number:0.5"),
    Row("units belong to their number", "1.5ms 5sec 3µs", "↵number:1.5ms number:5sec number:3µs"),
    Row("a range is no fraction", "0..<5", "↵number:0 halfOpenRange:..< number:5"),
    Row("a closed range", "1 ... 2", "↵number:1 closedRange:... number:2"),
    Row("a member of a number", "5.x", "↵number:5 dot:. identifier:x"),
    Row("a plain text", #""a b""#, #"↵string:"a b""#),
    Row("a text with an escaped quote", #""a\"b" c"#, #"↵string:"a\"b" identifier:c"#),
    Row("a text with a value", #""a\(f("x"))b" c"#, #"↵string:"a\(f("x"))b" identifier:c"#),
    Row(
      "values in values", #""\("\("x")")" y"#, #"↵string:"\("\("x")")" identifier:y"#),
    Row("a text ends with its line", "\"a\nb", "↵unterminatedString:\"a ↵identifier:b"),
    Row(
      "an open value ends with its line", "\"\\(a\nb", "↵unterminatedString:\"\\(a ↵identifier:b"),
    Row("a backslash at the end", "\"\\", "↵unterminatedString:\"\\"),
    Row(
      "the longest sign", "a === b == c = d",
      "↵identifier:a identical:=== identifier:b equal:== identifier:c assign:= identifier:d"),
    Row(
      "signs that negate", "!a != b !== c",
      "↵not:! identifier:a notEqual:!= identifier:b notIdentical:!== identifier:c"),
    Row(
      "signs that assign", "+= -= *= /= %=",
      "↵plusAssign:+= minusAssign:-= starAssign:*= slashAssign:/= percentAssign:%="),
    Row("an arrow is no minus", "-> - a", "↵arrow:-> minus:- identifier:a"),
    Row("a tolerance", "1 ± 2%", "↵number:1 plusMinus:± number:2 percent:%"),
    Row(
      "signs of Swift only", "a ?? b++ & c",
      "↵identifier:a coalesce:?? identifier:b unknownOperator:++ bitAnd:& identifier:c"
    ),
    Row(
      "a choice of two members", "a ?.b : .c",
      "↵identifier:a question:? dot:. identifier:b colon:: dot:. identifier:c"),
    Row("a member of an optional", "a?.b", "↵identifier:a unknownOperator:?. identifier:b"),
    Row(
      "comments are white space", "a // b\nc /* d */ e", "↵identifier:a ↵identifier:c identifier:e"),
    Row("comments nest", "a /* /* */ */ b", "↵identifier:a identifier:b"),
    Row("a comment over lines is a new line", "a /*\n*/ b", "↵identifier:a ↵identifier:b"),
    Row("an open comment", "a /* /* */", "↵identifier:a unterminatedComment:/*"),
    Row(
      "strange characters", "a # \u{0} @x",
      "↵identifier:a unknownCharacter:# unknownCharacter:\u{0} unknownCharacter:@x"),
    Row(
      "wrong quotes hold together", "'a b' “c d” e",
      "↵unknownCharacter:'a b' unknownCharacter:“c d” identifier:e"),
    Row("lines of any kind", "a\r\nb\n\nc", "↵identifier:a ↵identifier:b ↵identifier:c"),
  ]

  @Test("tokens", arguments: rows)
  func checkTokens(row: Row) {
    let bytes = Array(row.text.utf8)
    let shown = bytes.withUnsafeBufferPointer { pointer in
      var lexer = Lexer(pointer)
      var tokens: [String] = []
      var token = lexer.next()
      while token.kind != .endOfFile {
        let text = String(decoding: pointer[Int(token.start)..<Int(token.end)], as: UTF8.self)
        tokens.append("\(token.isFirstOnLine ? "↵" : "")\(token.kind):\(text)")
        token = lexer.next()
        if token.kind == .unterminatedComment { lexer.position = lexer.limit }
      }
      return tokens.joined(separator: " ")
    }
    #expect(shown == row.tokens, sourceLocation: row.location)
  }

  static let invalid: [(claim: String, bytes: [UInt8], offset: Int?)] = [
    ("ASCII", Array("main { work(1ms) } // and so on".utf8), nil),
    ("two, three and four bytes", Array("é 数 😀".utf8), nil),
    ("a byte that never is", [0x61, 0xFF], 1),
    ("a lone continuation", [0x61, 0x62, 0x80], 2),
    ("cut off", [0x61, 0xE2, 0x82], 1),
    ("longer than needed", [0xC0, 0x80], 0),
    ("longer than needed, three bytes", [0xE0, 0x80, 0x80], 0),
    ("half of a pair", [0xED, 0xA0, 0x80], 0),
    ("beyond the last character", [0xF4, 0x90, 0x80, 0x80], 0),
    ("behind eight bytes of ASCII", Array("12345678".utf8) + [0xFE], 8),
    ("a wrong third byte", [0xE2, 0x82, 0x41], 0),
  ]

  @Test("the first byte that is not UTF-8", arguments: invalid.indices)
  func invalidBytes(index: Int) {
    let row = LexingTests.invalid[index]
    #expect(row.bytes.withUnsafeBufferPointer(firstInvalidUTF8) == row.offset, "\(row.claim)")
  }

  @Test func reservedWordsAreAtMostEightLetters() {
    for (text, kind) in Keywords.all {
      #expect(text.utf8.count <= 8)
      #expect(kind.isKeyword && kind.isWord, "\(text)")
    }
  }
}
