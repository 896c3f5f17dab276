import SpindleModel

extension Parser {
  /// A `schedule` block, whose lines have a form of their own: it ends with the brace that closes it.
  mutating func parseSchedule() -> Declaration.Kind {
    advance()
    let (opening, start) = (current, current.end)
    advance()
    while current.kind != .rightBrace && current.kind != .endOfFile { advance() }
    let inside = SourceRange(Int(start), Int(current.start))
    if current.kind == .endOfFile {
      reportUnclosedBrace(opening)
      return .missing
    }
    advance()
    return .schedule(inside)
  }
}
