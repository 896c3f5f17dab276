import SpindleModel

/// Options of the command line: texts of their own.
extension OutlineReader {
  /// Reads an option's text as an expression; later mistakes are reported in that text.
  ///
  /// The prefix precedes the expression in the text that a diagnostic shows.
  mutating func option(
    _ name: String, prefix: String = "", _ text: String
  ) -> Grammar.Expression? {
    let whole = SourceText(name: name, prefix + text)
    return read(whole, SourceRange(prefix.utf8.count, whole.utf8.count))
  }

  /// Reads one value of an option's list as an expression; later mistakes are reported in the
  /// text of the whole option.
  mutating func listed(
    _ name: String, _ text: String, _ place: SourceRange
  ) -> Grammar.Expression? {
    read(SourceText(name: name, text), place)
  }

  private mutating func read(_ text: SourceText, _ place: SourceRange) -> Grammar.Expression? {
    diagnosis.source = text
    let (expression, found) = GrammarParser.parseExpression(in: text, at: place)
    diagnosis.add(found)
    return found.contains { $0.severity == .error } ? nil : expression
  }
}
