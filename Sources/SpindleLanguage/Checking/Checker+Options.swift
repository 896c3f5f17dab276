import SpindleModel

/// Options of the command line: texts of their own.
extension Checker {
  /// Reads an option's text as an expression; from then on, mistakes are told in that text.
  ///
  /// The prefix is what stands before the expression in the text that is shown.
  mutating func option(_ name: String, prefix: String = "", _ text: String) -> Expression? {
    diagnosis.source = SourceText(name: name, prefix + text)
    let blank = String(repeating: " ", count: prefix.utf8.count)
    let (expression, found) = Parser.parseExpression(
      SourceText(name: name, blank + text), in: arena)
    diagnosis.add(found)
    return found.contains { $0.severity == .error } ? nil : expression
  }

  /// Reads one value of an option's list as an expression; from then on, mistakes are told in the
  /// text of the whole option.
  mutating func listed(_ name: String, _ text: String, _ place: SourceRange) -> Expression? {
    diagnosis.source = SourceText(name: name, text)
    let bytes = Array(text.utf8)
    let blank = Array(repeating: UInt8(ascii: " "), count: Int(place.lowerBound))
    let one = bytes[Int(place.lowerBound)..<Int(place.upperBound)]
    let (expression, found) = Parser.parseExpression(
      SourceText(name: name, utf8: blank + one), in: arena)
    diagnosis.add(found)
    return found.contains { $0.severity == .error } ? nil : expression
  }

  mutating func refuseReplacement(_ assignment: Overrides.Assignment) {
    let outer = source
    diagnosis.source = SourceText(name: "--replace", "\(assignment.name)=\(assignment.value)")
    error(
      Messages.noExecutor(assignment.name, nearest: nil),
      SourceRange(0, assignment.name.utf8.count))
    diagnosis.source = outer
  }
}
