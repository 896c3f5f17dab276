import SpindleModel

/// Cost profiles that stand in files of their own.
///
/// A file of costs holds one profile as a trace writes it, `.linux(wake: 1us, …)`, with comments: it is read as
/// the value of `costs:` is, and what is wrong with it is told in its own text.
extension SettingsCompiler {
  /// The end of the name of such a file, by which an option's value is known to be one.
  static let costsEnding = ".costs"

  /// A profile of the catalogue, or that of the file which a text names.
  mutating func costs(_ expression: Grammar.Expression, _ reader: inout OutlineReader)
    -> Configuration?
  {
    guard let name = expression.literalText else {
      return configuration(expression, catalogue.costs, "cost profile", &reader)
    }
    return costs(inFile: name, at: expression.range, &reader)
  }

  /// The costs that an option asks for, by name or by file.
  mutating func costs(option text: String, _ reader: inout OutlineReader) -> Configuration? {
    guard text.hasSuffix(Self.costsEnding) else {
      if Self.isFileName(text) {
        reader.diagnosis.source = SourceText(name: "--costs", text)
        reader.error(Messages.costsNeedEnding, SourceRange(0, text.utf8.count))
        return nil
      }
      return reader.option("--costs", text).flatMap { costs($0, &reader) }
    }
    reader.diagnosis.source = SourceText(name: "--costs", text)
    return costs(inFile: text, at: SourceRange(0, text.utf8.count), &reader)
  }

  /// Whether what is no profile looks as the name of a file: with a folder, or an ending.
  private static func isFileName(_ text: String) -> Bool {
    if text.contains("(") { return false }
    return text.contains("/") || text.dropFirst().contains(".")
  }

  private mutating func costs(
    inFile name: String, at range: SourceRange, _ reader: inout OutlineReader
  ) -> Configuration? {
    let outer = reader.source
    defer { reader.diagnosis.source = outer }
    guard let fileReader = overrides.fileReader else {
      reader.error(Messages.noCostFiles, range)
      return nil
    }
    switch fileReader.read(name, outer.name) {
    case .failure(let mistake):
      reader.error(mistake.message, range)
      return nil
    case .success(let source):
      if let place = source.utf8.withUnsafeBufferPointer({ firstInvalidUTF8($0) }) {
        reader.diagnosis.source = source
        reader.error(
          SyntaxMessage.notUTF8(source.utf8[place]), SourceRange(place, place + 1))
        return nil
      }
      let text = String(decoding: source.utf8, as: UTF8.self)
      guard let expression = reader.option(source.name, text),
        var found = configuration(expression, catalogue.costs, "cost profile", &reader)
      else { return nil }
      found.file = name
      return found
    }
  }
}
