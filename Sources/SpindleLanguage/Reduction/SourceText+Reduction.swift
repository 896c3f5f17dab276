package import SpindleModel

extension SourceText {
  /// The text of a trace with its seed set to `seed`: in its `trace { }`, which it gets where it has none.
  ///
  /// Unchanged where the text has errors in its form.
  package func with(seed: Int64) -> SourceText {
    let (declarations, diagnostics) = GrammarParser.parse(self)
    guard diagnostics.isEmpty else { return self }
    for declaration in declarations {
      guard case .setting(.trace(_, let settings)) = declaration.kind else { continue }
      if let known = settings.first(where: { $0.name.text == "seed" }) {
        return replacing(known.value.range, by: "\(seed)")
      }
      if let first = settings.first {
        let start = Int(first.name.range.lowerBound)
        return replacing(SourceRange(start, start), by: "seed: \(seed); ")
      }
      var title = text(in: declaration.range)
      if title.hasSuffix("}"), let brace = title.lastIndex(of: "{") {
        title = String(title[..<brace])
      }
      return replacing(declaration.range, by: "\(title) { seed: \(seed) }")
    }
    let start = Int(declarations.first?.range.lowerBound ?? 0)
    return replacing(SourceRange(start, start), by: "trace \"Reduced\" { seed: \(seed) }\n")
  }

  private func replacing(_ range: SourceRange, by text: String) -> SourceText {
    let (start, end) = (Int(range.lowerBound), Int(range.upperBound))
    return SourceText(name: name, utf8: utf8[..<start] + Array(text.utf8) + utf8[end...])
  }

  /// The words in the texts in quotation marks of a stretch of a trace: letters, up to what is none.
  package func quotedWords(in range: SourceRange) -> Set<String> {
    var found: Set<String> = []
    utf8.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes)
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile || token.start >= range.upperBound { break }
        guard token.kind == .string, token.start >= range.lowerBound else { continue }
        let text = text(in: SourceRange(Int(token.start), Int(token.end)))
        found.formUnion(text.split { !$0.isLetter }.map(String.init))
      }
    }
    return found
  }

  /// The words in the texts in quotation marks of a trace, apart from those of what it expects.
  package var quotedWordsOfProgram: Set<String> {
    GrammarParser.parse(self).declarations.reduce(into: []) { words, declaration in
      if case .setting(.expect) = declaration.kind { return }
      words.formUnion(quotedWords(in: declaration.range))
    }
  }
}
