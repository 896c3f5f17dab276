/// The words, numbers and signs of a trace; together they are the text, to the byte.
///
/// Of its own rather than the language's lexer, whose mistakes it is to find.
struct TraceTokens {
  /// What a token is.
  enum Kind { case word, number, text, comment, space, lineEnd, sign }

  /// A stretch of the text.
  struct Token {
    var kind: Kind
    var text: String
  }

  /// The tokens in their order.
  var tokens: [Token] = []

  /// Takes a text apart.
  init(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let first = rest.first {
      let (kind, count) = TraceTokens.next(first, rest)
      var token = ""
      token.unicodeScalars.append(contentsOf: rest.prefix(count))
      tokens.append(Token(kind: kind, text: token))
      rest = rest.dropFirst(count)
    }
  }

  /// The text.
  var text: String { tokens.map(\.text).joined() }

  /// The places of all tokens of a kind.
  func places(of kind: Kind) -> [Int] { tokens.indices.filter { tokens[$0].kind == kind } }

  private static func next(
    _ first: Unicode.Scalar, _ rest: ArraySlice<Unicode.Scalar>
  ) -> (Kind, Int) {
    switch first {
    case "\n": return (.lineEnd, 1)
    case " ", "\t", "\r":
      return (.space, rest.prefix { $0 == " " || $0 == "\t" || $0 == "\r" }.count)
    case "\"": return (.text, textLength(rest))
    case "/" where rest.dropFirst().first == "/":
      return (.comment, rest.prefix { $0 != "\n" }.count)
    default: break
    }
    if isDigit(first) { return (.number, numberLength(rest)) }
    if isLetter(first) {
      return (.word, rest.prefix { isLetter($0) || isDigit($0) }.count)
    }
    return (.sign, 1)
  }

  /// Digits, a point with digits, and a unit.
  private static func numberLength(_ rest: ArraySlice<Unicode.Scalar>) -> Int {
    var count = rest.prefix { isDigit($0) || $0 == "_" }.count
    let fraction = rest.dropFirst(count)
    if fraction.first == ".", let digit = fraction.dropFirst().first, isDigit(digit) {
      count += 1 + fraction.dropFirst().prefix { isDigit($0) }.count
    }
    return count + rest.dropFirst(count).prefix { isLetter($0) }.count
  }

  /// Up to the closing quote, or the end of the line.
  private static func textLength(_ rest: ArraySlice<Unicode.Scalar>) -> Int {
    var (count, isEscaped) = (1, false)
    for scalar in rest.dropFirst() {
      if scalar == "\n" { return count }
      count += 1
      if !isEscaped && scalar == "\"" { return count }
      isEscaped = !isEscaped && scalar == "\\"
    }
    return count
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar == "_"
  }
}
