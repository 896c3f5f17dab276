import SpindleModel

// `a[1...]`, `a[..<2]`: a range with one end, which no other place of a trace has.

extension Parser {
  /// Notes a range with one end in the brackets behind `base`, and gives what stands for it; nil where something else
  /// stands.
  mutating func refuseOpenSlice(of base: Expression, _ opening: Token) -> Expression? {
    let isUpTo = current.kind == .halfOpenRange || current.kind == .closedRange
    let end = endOfBracket
    guard isUpTo || end.hasOpenRange else { return nil }
    let inner = SourceRange(Int(current.start), end.position)
    let text = source.text(in: inner).filter { $0 != " " }
    let sign = current.kind == .halfOpenRange ? "..<" : "..."
    let bound = text == sign ? nil : isUpTo ? String(text.dropFirst(3)) : String(text.dropLast(3))
    let whole = source.text(in: base.range)
    report(
      SliceMessage.text(
        whole, from: isUpTo ? nil : bound, to: isUpTo ? bound : nil, isClosed: sign == "..."),
      inner)
    skipToClosing(.rightBracket)
    expectClosing(.rightBracket, opening, SyntaxMessage.bracketEnd)
    height = 1
    return missing(at: Int32(base.range.lowerBound))
  }

  /// Where the bracket is closed that is open, and whether `...` stands in front of that.
  private var endOfBracket: (position: Int, hasOpenRange: Bool) {
    var (position, depth) = (Int(current.start), 0)
    // Nobody writes a longer index.
    let last = min(bytes.count, position + 200)
    while position < last, bytes[position] != UInt8(ascii: "\n") {
      switch bytes[position] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]") where depth == 0:
        var end = position
        while end > Int(current.start), bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
        let isOpen =
          end - Int(current.start) >= 3
          && bytes[(end - 3)..<end].allSatisfy { $0 == UInt8(ascii: ".") }
        return (position, isOpen)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      position += 1
    }
    return (position, false)
  }
}
