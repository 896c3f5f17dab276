import SpindleModel

/// `include "../Sources/Feed/ImageCache.swift"`: the Swift files that a trace drives, as they are in the app.
///
/// The files are read behind the text of the trace, so that one offset names a place in any of them.
struct Inclusion {
  /// The text of the trace with all files that it includes behind it.
  private(set) var source: SourceText
  private(set) var diagnostics: [Diagnostic] = []
  /// How the files are compiled, by the offset of their first byte.
  private(set) var options: [Int32: FileOptions] = [:]

  /// A file that is included, or several by a pattern.
  private struct Line {
    var paths: [(text: String, range: SourceRange)] = []
    var options = FileOptions()
  }

  private let own: SourceText

  /// Reads the files that a trace includes; nil where it includes none.
  init?(_ source: SourceText, _ files: Overrides.FileReader?) {
    self.init(of: source)
    let lines = Self.hasWord(source) ? readLines() : []
    guard !lines.isEmpty else { return nil }
    guard let files else {
      report("this trace is compiled where no files are read", lines[0].paths[0].range)
      return
    }
    var seen: Set<String> = []
    for line in lines {
      for path in line.paths { add(path.text, path.range, line.options, files, &seen) }
    }
    self.source = Self.withTypes(self.source)
  }

  /// A text with the types behind it that each Swift file may name.
  static func withTypes(_ source: SourceText) -> SourceText {
    source.including(SourceText(name: AppFiles.typesName, AppFiles.types))
  }

  /// The names of the files that a trace includes, as far as they are known.
  static func names(in source: SourceText, _ files: Overrides.FileReader) -> [String] {
    guard hasWord(source) else { return [] }
    var inclusion = Inclusion(of: source)
    return inclusion.readLines().flatMap(\.paths).flatMap { path -> [String] in
      if path.text.hasPrefix(AppFiles.folder) { return [] }
      guard path.text.contains("*") else { return [path.text] }
      return (try? files.matches(path.text, source.name).get()) ?? []
    }
  }

  private init(of source: SourceText) { (self.source, own) = (source, source) }

  private mutating func add(
    _ path: String, _ range: SourceRange, _ options: FileOptions, _ files: Overrides.FileReader,
    _ seen: inout Set<String>
  ) {
    guard path.hasSuffix(".swift") else {
      return report("'include' takes Swift files, whose names end in '.swift'", range)
    }
    var names = [path]
    if path.contains("*") {
      switch files.matches(path, own.name) {
      case .success(let found): names = found
      case .failure(let error): return report(error.message, range)
      }
    }
    for name in names where seen.insert(name).inserted {
      switch read(name, files) {
      case .success(let text):
        guard source.utf8.count + text.utf8.count < Int(Int32.max) else {
          return report("the files of this trace are longer than 2 GB", range)
        }
        self.options[Int32(source.utf8.count + 1)] = options
        source = source.including(text)
      case .failure(let error): report(error.message, range)
      }
    }
  }

  private func read(
    _ name: String, _ files: Overrides.FileReader
  ) -> Result<SourceText, Overrides.FileReader.Unreadable> {
    if let text = AppFiles.text(of: name) { return .success(SourceText(name: name, text)) }
    return files.read(name, own.name)
  }

  private mutating func report(_ message: String, _ range: SourceRange) {
    diagnostics.append(
      Diagnostic(severity: .error, message: message, range: range, source: own))
  }

  // MARK: Lines

  /// Whether a text may include anything: most need not be looked through.
  private static func hasWord(_ source: SourceText) -> Bool {
    source.utf8.withUnsafeBufferPointer { bytes in
      let word = Array("include".utf8)
      guard bytes.count > word.count else { return false }
      for start in 0..<(bytes.count - word.count) where bytes[start] == word[0] {
        if (1..<word.count).allSatisfy({ bytes[start + $0] == word[$0] }) { return true }
      }
      return false
    }
  }

  /// The lines of a trace that include files, outside of all braces.
  private mutating func readLines() -> [Line] {
    var lines: [Line] = []
    own.utf8.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes)
      var (token, depth) = (lexer.next(), 0)
      while token.kind != .endOfFile, token.kind != .unterminatedComment {
        if token.kind == .leftBrace { depth += 1 }
        if token.kind == .rightBrace { depth -= 1 }
        let isWord = depth == 0 && text(token, bytes) == "include"
        token = lexer.next()
        guard isWord, token.kind == .string else { continue }
        lines.append(readLine(&lexer, &token, bytes))
      }
    }
    return lines
  }

  private mutating func readLine(
    _ lexer: inout Lexer, _ token: inout Token, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Line {
    var line = Line()
    while token.kind == .string {
      line.paths.append((String(text(token, bytes).dropFirst().dropLast()), token.range))
      token = lexer.next()
      guard token.kind == .comma else { break }
      token = lexer.next()
    }
    guard token.kind == .leftBrace, !token.isFirstOnLine else { return line }
    token = lexer.next()
    while token.kind != .rightBrace, token.kind != .endOfFile {
      let name = token
      token = lexer.next()
      guard token.kind == .colon else { continue }
      var value = ""
      token = lexer.next()
      let start = token.start
      var end = token.end
      while ![.semicolon, .comma, .rightBrace, .endOfFile].contains(token.kind),
        !token.isFirstOnLine || token.start == start
      {
        value += text(token, bytes)
        end = token.end
        token = lexer.next()
      }
      if !line.options.set(text(name, bytes), value) {
        report(FileOptions.expected, SourceRange(Int(name.start), Int(end)))
      }
      if token.kind == .semicolon || token.kind == .comma { token = lexer.next() }
    }
    if token.kind == .rightBrace { token = lexer.next() }
    return line
  }

  private func text(_ token: Token, _ bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
  }
}
