/// Every wording about the form of a trace, in alphabetical order.
enum SyntaxMessage {
  static func argumentEnd(opening: Int) -> (String) -> String {
    {
      $0.isEmpty
        ? "expected ',' or ')': the '(' of line \(opening) is still open"
        : "expected ',' or ')' before \($0)"
    }
  }

  static let assignmentInExpression =
    "'=' assigns, and is a statement of its own; did you mean '=='?"

  static func bindingWithoutValue(_ word: String) -> String {
    "a '\(word)' needs a value: '\(word) name = value'"
      + (word == "let" ? ", which may be 'if a { 1 } else { 2 }' or a 'switch'" : "")
  }

  static func bracketEnd(opening: Int) -> (String) -> String {
    {
      $0.isEmpty
        ? "expected ',' or ']': the '[' of line \(opening) is still open"
        : "expected ',' or ']' before \($0)"
    }
  }

  static func branchValues(_ word: String) -> String {
    word == "if"
      ? "an 'if' that is a value has an 'else', and one expression in each branch"
      : "a 'switch' that is a value has one expression in each case"
  }
  static let chainedComparison = "comparisons can't be chained; join two of them with '&&'"

  static func colonInTernary(_ found: String) -> String {
    found.isEmpty ? "'?' needs a ':' with the other value" : "expected ':' before \(found)"
  }

  static func conditionMissing(_ word: String) -> String {
    "expected a condition behind \(word)"
  }

  static let decimalWithoutZero = "a decimal begins with a digit: write '0.5', not '.5'"

  static func declarationInBody(_ word: String) -> String {
    "'\(word)' is only allowed at the top of a trace"
  }

  static func detachedUnit(_ number: String, _ unit: String) -> String {
    "a unit follows its number without a space; did you mean '\(number)\(unit)'?"
  }

  static let emptyCase = "a case needs a statement; 'break' does nothing"

  static func expectedBlock(_ what: String) -> (String) -> String {
    {
      $0.isEmpty
        ? "\(what) needs a block: '{ … }'" : "expected '{' for the block of \(what) before \($0)"
    }
  }

  static let expectedCase = "a 'switch' holds cases: 'case value:' or 'default:'"

  static func expectedDeclaration(_ found: String) -> String {
    "expected a declaration at the top of the trace, not \(found)"
  }

  static func expectedEnd(_ found: String) -> String {
    "expected nothing more, not \(found)"
  }

  static func expectedExpression(_ found: String) -> String {
    switch found {
    case "": "expected a value"
    case "'if'", "'switch'":
      "expected a value, not \(found): write 'a ? b : c', or a 'var' that each branch sets"
    default: "expected a value, not \(found)"
    }
  }

  static func expectedMember(_ found: String) -> String {
    found.isEmpty
      ? "expected a member's name after '.'" : "expected a member's name after '.', not \(found)"
  }

  static func expectedName(_ what: String) -> (String) -> String {
    { $0.isEmpty ? "expected a name for \(what)" : "expected a name for \(what), not \($0)" }
  }

  static func expectedSign(_ sign: String, _ why: String) -> (String) -> String {
    { $0.isEmpty ? "expected '\(sign)' \(why)" : "expected '\(sign)' \(why), not \($0)" }
  }

  static func expectedStatement(_ found: String) -> String {
    "expected a statement, not \(found)"
  }

  static func expectedType(_ found: String) -> String {
    found.isEmpty ? "expected a type" : "expected a type, not \(found)"
  }

  /// What to write instead of words with a sign in front.
  private static let directives: [String: String] = [
    "#available": ": leave the condition out", "#unavailable": ": leave the condition out",
    "#if": ": leave the line out", "#else": ": leave the line out",
    "#elseif": ": leave the line out",
    "#endif": ": leave the line out", "#warning": ": leave the line out",
    "#Preview": ": leave it out", "#keyPath": ": write the text, as in \"isExecuting\"",
    "#function": ": write the text", "#file": ": write the text", "#line": ": write the number",
    "#fileID": ": write the text", "#expect": ": write the condition alone in 'expect { … }'",
    "#require": ": write the condition alone in 'expect { … }'",
  ]

  /// About a token that the language can't have anywhere.
  static func foreign(_ text: String) -> String {
    if let proposal = proposals[text] {
      return "'\(text)' is not part of the language; \(proposal)"
    }
    switch text.unicodeScalars.first {
    case "'": return "a text needs double quotes: \"…\""
    case "“", "”": return "a text needs straight double quotes: \"…\""
    case "`": return "names need no backquotes"
    case "#" where text == "#":
      return "'#' is not part of the language; a comment begins with '//', and a text needs "
        + "plain quotes"
    case "#": return "a trace has no '\(text)'" + (directives[text] ?? "")
    case "@" where text != "@":
      return "a trace has no '\(text)': write out its meaning"
    case .some(let scalar) where scalar.value < 0x20 || !scalar.isPrintable:
      let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
      let digits = String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
      return "the character U+\(digits) is not part of the language"
    default: return "'\(text)' is not part of the language"
    }
  }

  static func foreignMember(_ text: String) -> String {
    "'\(text)' is not a member; an element is written 'a[i]'"
  }

  static let forInWithoutSequence = "'for' is written 'for x in a ..< b' or 'for x in array'"

  static let labelWithoutLoop = "a label belongs before a loop, 'do', 'if' or 'switch'"
  static let loneBlock = "a block needs something to run it: 'do { … }' runs it in place"
  static let machineCall = "settings need braces: 'machine { platform: .iOS; cores: 4 }'"

  static func notUTF8(_ byte: UInt8) -> String {
    let digits = (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    return "a trace is written in UTF-8, and the byte 0x\(digits) is not allowed here"
  }

  static func numberFinerThanByte(_ text: String) -> String {
    "'\(text)' is not a whole number of bytes"
  }

  static func numberFinerThanNanosecond(_ text: String) -> String {
    "'\(text)' is finer than a nanosecond"
  }

  static func numberTooLarge(_ text: String, _ bound: Bound) -> String {
    "'\(text)' does not fit: \(bound.rawValue)"
  }

  static func numberTooLong(_ text: String) -> String {
    "'\(text)' has more than 9 digits after the point"
  }

  static let optionalChaining =
    "'?' belongs before '.', '(', '[' or an assignment: 'x?.cancel()'"

  static let ownOperator = "a trace has no operators of its own: write a method"
  static let parameterType = "a 'param' takes its type from its value: 'param name = value'"

  /// Several values for a parameter: `first` is one of them, and `all` how they are listed.
  static func parameterValues(_ name: String, first: String, all: String) -> String {
    "a 'param' has one value, and behind 'in' those that it may have: "
      + "'param \(name) = \(first) in \(all)'"
  }

  static func parenthesisEnd(opening: Int) -> (String) -> String {
    {
      $0.isEmpty
        ? "expected ')': the '(' of line \(opening) is still open" : "expected ')' before \($0)"
    }
  }

  static let percentWithUnit = "a percentage has no unit"
  static let rangeChain = "a range has two ends"
  static let rangeQuestion =
    "'in' is only allowed after 'for'; compare with the ends of a range: x >= a && x <= b"
  static let repeatWhile = "'repeat { … }' ends with 'while' and a condition"

  static func reservedName(_ word: String) -> String {
    "'\(word)' is a word of the language and can't be a name"
  }

  static func settingForm(_ found: String) -> String {
    found.isEmpty
      ? "expected a setting: 'name: value'" : "expected a setting: 'name: value', not \(found)"
  }

  static let settingSeparator = "settings are separated by a new line or ';'"

  static let shorthandBesideNames = "a closure has either names for its parameters or '$0'"
  static let shorthandTooLarge = "a closure has at most 16 parameters"

  static func statementAtTop(_ word: String) -> String {
    "'\(word)' is not allowed at the top of a trace; it belongs in 'main { … }' or a function"
  }

  static func statementEnd(_ found: String) -> String {
    "a statement ends at the line's end or at ';': \(found) can't follow here"
  }

  static let titleWithValue = "the title is plain text"

  static func tooDeep(_ limit: Int) -> String {
    "this is nested more than \(limit) levels deep"
  }

  static let traceTitle = "'trace' needs a title: 'trace \"…\"'"

  static func unclosedBrace(before found: String) -> String {
    "this '{' is not closed before \(found)"
  }

  static let unicodeEscape = "'\\u{…}' holds 1 to 6 hexadecimal digits that name a character"

  static func unknownDeclaration(_ name: String, nearest: String) -> String {
    "unknown name '\(name)'; did you mean '\(nearest)'?"
  }

  static let unknownEscape =
    "unknown escape; escapes are \\n, \\t, \\r, \\0, \\\\, \\\", \\u{…} and \\( )"

  static func unknownUnit(_ unit: String, in text: String) -> String {
    let digits = String(text.dropLast(unit.count))
    if digits == "0", let first = unit.utf8.first, "xXbBoO".utf8.contains(first),
      unit.utf8.count > 1
    {
      return "a number is written in decimal digits"
    }
    if let near = unitNames[unit] ?? unitNames[unit.lowercased()] ?? nearest(unit, in: units) {
      return "unknown unit '\(unit)'; did you mean '\(digits)\(near)'?"
    }
    return "unknown unit '\(unit)'; the units are \(units.joined(separator: ", "))"
  }

  static func unmatchedSign(_ sign: String) -> String {
    "this '\(sign)' closes nothing"
  }

  static let unterminatedComment = "this comment is not closed; '*/' closes it"
  static let unterminatedString = "this text is not closed; '\"' closes it, on the same line"
  static let unterminatedValue = "this '\\(' is not closed; ')' closes it, before the text's '\"'"
  static let valueAtTop = "a value alone is not allowed at the top of a trace"

  /// How large a number can be.
  enum Bound: String {
    case integer = "a number has 64 bits"
    case unsigned = "a number without a sign has 63 bits here, so it is below 2^63"
    case decimal = "a decimal is below 9.3 billion"
    case duration = "a length of time is at most 100,000h"
    case size = "a size is at most 1,073,741,824GB, which is 1 EB"
    case percentage = "a percentage is below 9.3 billion"
  }

  private static let proposals: [String: String] = [
    "++": "did you mean '+= 1'?", "--": "did you mean '-= 1'?",
    "?.": "'?' belongs after a value", "..": "did you mean '..<' or '...'?",
    "…": "did you mean '...'?", "≤": "did you mean '<='?", "≥": "did you mean '>='?",
    "≠": "did you mean '!='?", "×": "did you mean '*'?", "÷": "did you mean '/'?",
    "−": "did you mean '-'?", "–": "did you mean '-'?",
    "~=": "'1 ... 9 ~= x' is written (1 ... 9).contains(x)",
    "→": "did you mean '->'?", "≈": "write '== 5ms ± 2%', or '== 5ms ± 1ms'",
    "&+": "write '+', which stops the program where the sum does not fit",
    "&-": "write '-', which stops the program where the difference does not fit",
    "&*": "write '*', which stops the program where the product does not fit",
    "&+=": "write '+=', which stops the program where the sum does not fit",
    "&-=": "write '-=', which stops the program where the difference does not fit",
    "&*=": "write '*=', which stops the program where the product does not fit",
  ]

  private static let units = ["ns", "us", "ms", "s", "min", "h", "B", "KB", "MB", "GB"]

  private static let unitNames = [
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "msecs": "ms",
    "millis": "ms", "millisecond": "ms", "milliseconds": "ms", "µs": "us", "μs": "us",
    "usec": "us", "microseconds": "us", "micros": "us", "nsec": "ns", "nanoseconds": "ns",
    "nanos": "ns", "m": "min", "minute": "min", "minutes": "min", "mins": "min", "hr": "h",
    "hour": "h", "hours": "h", "b": "B", "byte": "B", "bytes": "B", "k": "KB", "kb": "KB",
    "kib": "KB", "mb": "MB", "mib": "MB", "M": "MB", "g": "GB", "gb": "GB", "gib": "GB",
  ]
}

extension Unicode.Scalar {
  /// Whether it can be shown by itself.
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      false
    default: true
    }
  }
}
