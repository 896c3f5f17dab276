import SpindleModel

/// A word, literal or sign of a trace: what it is and where it stands, without its text.
struct Token: Hashable, Sendable {
  /// What it is.
  var kind: Kind
  /// What stands before it.
  var flags: Flags
  /// The offset of its first byte.
  var start: Int32
  /// The offset behind its last byte.
  var end: Int32
  /// The bytes of a word of ASCII letters that has at most eight, the first one lowest; else 0.
  var letters: UInt64 = 0

  /// Whether it is the first on its line.
  var isFirstOnLine: Bool { flags.contains(.newlineBefore) }
  /// Whether white space or a comment stands before it.
  var hasSpaceBefore: Bool { flags.contains(.spaceBefore) }

  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// The line begins between the previous token and this one.
    static let newlineBefore = Flags(rawValue: 1)
    /// White space, a line break or a comment stands before it.
    static let spaceBefore = Flags(rawValue: 2)
    /// A string that has a backslash: escapes or values.
    static let hasEscapes = Flags(rawValue: 4)
  }

  enum Kind: UInt8, Hashable, Sendable {
    case endOfFile
    case identifier
    /// `_` alone.
    case underscore
    /// Digits, a fraction, and the letters right behind them.
    case number
    /// From quote to quote, all that is in it included.
    case string
    /// A string that the end of its line cuts off.
    case unterminatedString
    /// The opening of a `/*` that nothing closes.
    case unterminatedComment
    /// Only where the lexer was asked to keep comments.
    case lineComment, blockComment
    /// Characters that no token begins with.
    case unknownCharacter
    /// A sign that Swift may have and the language has not: `++`, `&+`.
    case unknownOperator

    case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
    case comma, colon, semicolon, dot, arrow, question
    case assign, plusAssign, minusAssign, starAssign, slashAssign, percentAssign
    case shiftLeft, shiftRight, shiftLeftAssign, shiftRightAssign
    case bitAnd, bitOr, bitXor, bitNot, bitAndAssign, bitOrAssign, bitXorAssign
    case plus, minus, star, slash, percent, not, plusMinus
    case equal, notEqual, identical, notIdentical, less, lessOrEqual, greater, greaterOrEqual
    case and, or, coalesce, closedRange, halfOpenRange

    case `let`, `var`, `func`, `if`, `else`, `guard`, `while`, `repeat`, `for`, `in`
    case `break`, `continue`, `return`, `defer`, `do`, `catch`, `throw`, `true`, `false`, `nil`

    /// Whether it is a reserved word.
    var isKeyword: Bool { rawValue >= Kind.let.rawValue }
    /// Whether a value may begin with it, and no operator.
    var startsOperand: Bool {
      switch self {
      case .identifier, .number, .string, .leftParenthesis, .leftBracket, .not, .true, .false,
        .nil:
        true
      default: false
      }
    }
    /// Whether it is a word that is a value.
    var isLiteral: Bool { self == .true || self == .false || self == .nil }
    /// Whether it can be a member's name or a label: any word.
    var isWord: Bool { self == .identifier || isKeyword }
    /// Whether no expression goes on with it.
    var endsExpression: Bool {
      switch self {
      case .rightParenthesis, .rightBracket, .rightBrace, .comma, .colon, .semicolon, .endOfFile:
        true
      default: false
      }
    }
    /// Whether it is a text in quotes, closed or not.
    var isText: Bool { self == .string || self == .unterminatedString }
  }
}

extension Token {
  /// Its text's place.
  var range: SourceRange { SourceRange(Int(start), Int(end)) }
}
