extension Lexer {
  /// The sign that begins with `first` at the position, as long as it can be, and its length.
  func sign(_ first: UInt8) -> (kind: Token.Kind, length: Int) {
    switch first {
    case UInt8(ascii: "."): dots()
    case UInt8(ascii: "="): equals(one: .assign, two: .equal, three: .identical)
    case UInt8(ascii: "!"): equals(one: .not, two: .notEqual, three: .notIdentical)
    case UInt8(ascii: "+"): arithmetic(.plus, assigning: .plusAssign)
    case UInt8(ascii: "*"): arithmetic(.star, assigning: .starAssign)
    case UInt8(ascii: "/"): arithmetic(.slash, assigning: .slashAssign)
    case UInt8(ascii: "%"): arithmetic(.percent, assigning: .percentAssign)
    case UInt8(ascii: "-"):
      following(1) == UInt8(ascii: ">") ? (.arrow, 2) : arithmetic(.minus, assigning: .minusAssign)
    case UInt8(ascii: "<"), UInt8(ascii: ">"): comparison(first)
    case UInt8(ascii: "&") where wrapping > 1: (.unknownOperator, wrapping)
    case UInt8(ascii: "&"): following(1) == first ? (.and, 2) : bits(.bitAnd, .bitAndAssign)
    case UInt8(ascii: "|"): following(1) == first ? (.or, 2) : bits(.bitOr, .bitOrAssign)
    case UInt8(ascii: "?"): question()
    case UInt8(ascii: "~") where following(1) == UInt8(ascii: "="): (.unknownOperator, 2)
    case UInt8(ascii: "^"): bits(.bitXor, .bitXorAssign)
    case UInt8(ascii: "~"): (.bitNot, 1)
    case 0xC2 where following(1) == 0xB1: (.plusMinus, 2)
    default: (.unknownCharacter, 1)
    }
  }

  /// The length of the `&+` or `&+=` that a `&` begins; 1 for none.
  private var wrapping: Int {
    switch following(1) {
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"):
      following(2) == UInt8(ascii: "=") ? 3 : 2
    default: 1
    }
  }

  private func bits(
    _ plain: Token.Kind, _ assigning: Token.Kind
  ) -> (kind: Token.Kind, length: Int) {
    following(1) == UInt8(ascii: "=") ? (assigning, 2) : (plain, 1)
  }

  private func dots() -> (kind: Token.Kind, length: Int) {
    guard following(1) == UInt8(ascii: ".") else { return (.dot, 1) }
    switch following(2) {
    case UInt8(ascii: "."): return (.closedRange, 3)
    case UInt8(ascii: "<"): return (.halfOpenRange, 3)
    default: return (.unknownOperator, 2)
    }
  }

  private func equals(
    one: Token.Kind, two: Token.Kind, three: Token.Kind
  ) -> (kind: Token.Kind, length: Int) {
    guard following(1) == UInt8(ascii: "=") else { return (one, 1) }
    return following(2) == UInt8(ascii: "=") ? (three, 3) : (two, 2)
  }

  private func arithmetic(
    _ plain: Token.Kind, assigning: Token.Kind
  ) -> (kind: Token.Kind, length: Int) {
    if following(1) == UInt8(ascii: "=") { return (assigning, 2) }
    let isDoubled = following(1) == following(0)
    return isDoubled && (plain == .plus || plain == .minus) ? (.unknownOperator, 2) : (plain, 1)
  }

  private func comparison(_ first: UInt8) -> (kind: Token.Kind, length: Int) {
    let isLess = first == UInt8(ascii: "<")
    if following(1) == UInt8(ascii: "=") { return (isLess ? .lessOrEqual : .greaterOrEqual, 2) }
    if following(1) == first {
      guard following(2) == UInt8(ascii: "=") else { return (isLess ? .shiftLeft : .shiftRight, 2) }
      return (isLess ? .shiftLeftAssign : .shiftRightAssign, 3)
    }
    return (isLess ? .less : .greater, 1)
  }

  private func question() -> (kind: Token.Kind, length: Int) {
    switch following(1) {
    case UInt8(ascii: "?"): (.coalesce, 2)
    case UInt8(ascii: ".") where following(2) != UInt8(ascii: "."): (.unknownOperator, 2)
    default: (.question, 1)
    }
  }
}
