/// Wordings about forms that Swift has too, in alphabetical order.
extension SyntaxMessage {
  static func branchWithoutIf(_ word: String) -> String {
    "this '\(word)' belongs to no '#if'"
  }

  static func expectedAccessor(_ found: String) -> String {
    "expected 'get', 'set', 'willSet' or 'didSet', not \(found)"
  }

  static func expectedDeclared(_ found: String) -> String {
    found.isEmpty
      ? "expected a declaration behind these words"
      : "expected a declaration behind these words, not \(found)"
  }

  /// About what is in the braces of a type; of an extension where there is no keyword.
  static func expectedMember(of keyword: String?) -> (String) -> String {
    let members =
      switch keyword {
      case "enum": "'case', 'var', 'func'"
      case "protocol", nil: "'var', 'func', 'init'"
      default: "'let', 'var', 'func', 'init'"
      }
    return { "expected a member of the \(keyword ?? "extension") (\(members)), not \($0)" }
  }

  static let hash = "'#' is not part of the language; a comment begins with '//'"

  static func nestedBinding(_ word: String) -> String {
    "this '\(word)' is behind another 'let' or 'var', which is enough"
  }

  /// About a word in a body that begins no declaration there; nil for any other word.
  static func misplaced(_ word: String) -> String? {
    switch word {
    case "extension", "import": declarationInBody(word)
    case "init", "deinit", "subscript": "'\(word)' belongs in a type"
    case "case": strayCase(word)
    default: nil
    }
  }

  static func noDigit(_ digit: String, _ radix: String) -> String {
    "'\(digit)' is not a digit of a \(radix) number"
  }

  static func noDigits(_ radix: String) -> String { "a \(radix) number needs a digit" }

  static func nothingKnown(_ word: String) -> String {
    let word = word.filter { $0 != "'" }
    return "a '\(word)' needs a type or a value: '\(word) name: Int' or '\(word) name = value'"
  }

  static let openBranch = "this '#if' has no '#endif'"
  static let openLines = "this text is not closed; '\"\"\"' closes it, on a line of its own"

  /// About a word of other languages; nil for any other word.
  static func otherWord(_ word: String) -> String? {
    if let sign = wordsForSigns[word] { return "a trace has no '\(word)'; use '\(sign)'" }
    return wordsForElse.contains(word) ? "a trace has no '\(word)'; use 'else if'" : nil
  }

  static let protocolBody = "what a protocol asks for has no body; an extension of it may have one"
  static let computedLet = "a 'let' has a value and computes none: write 'var'"
  static let repeatCount = "'repeat' does not count: write 'for _ in 0 ..< n { … }'"
  static let setterAlone = "a property with a 'set' also needs a 'get'"

  /// About characters that Swift has nowhere; nil for others, which are only at a wrong place.
  static func strange(_ text: String) -> String? {
    switch text.unicodeScalars.first {
    case "@", "\\": return nil
    case "#": return text == "#" ? hash : nil
    case "&", "~": return nil
    default: return foreign(text)
    }
  }

  static func strayCase(_ word: String) -> String { "a '\(word)' belongs in a 'switch'" }

  static let wordsForElse = WordSet(["elseif", "elif", "elsif"])
  static let wordsForSigns = ["and": "&&", "or": "||", "not": "!"]
}
