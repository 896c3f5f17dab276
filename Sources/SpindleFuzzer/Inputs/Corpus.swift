import Foundation

/// The traces that inputs are made of.
struct Corpus: Sendable {
  /// Their texts, in the order of their paths.
  let texts: [String]
  /// Their words, each once.
  let words: [String]
  /// Those of their lines that are whole statements of code that runs.
  let lines: [String]

  /// Reads all traces below a folder.
  init(folder: String) throws { try self.init(texts: Corpus.texts(in: folder)) }

  /// The texts of all traces below a folder, in the order of their paths.
  static func texts(in folder: String) throws -> [String] {
    var paths: [String] = []
    let all = FileManager.default.enumerator(atPath: folder)
    while let path = all?.nextObject() as? String {
      if path.hasSuffix(".trace") { paths.append(folder + "/" + path) }
    }
    return try paths.sorted().map { try String(contentsOfFile: $0, encoding: .utf8) }
  }

  /// Takes texts as they are.
  init(texts: [String]) throws {
    guard !texts.isEmpty else { throw NoTraces() }
    self.texts = texts
    var (words, lines): (Set<String>, Set<String>) = ([], [])
    for text in texts {
      for token in TraceTokens(text).tokens where token.kind == .word { words.insert(token.text) }
      let all = text.split(separator: "\n", omittingEmptySubsequences: false)
      for place in Corpus.statements(all) { lines.insert(String(all[place])) }
    }
    // Some traces have neither.
    self.words = words.isEmpty ? ["work"] : words.sorted()
    self.lines = lines.isEmpty ? ["work(1ms)"] : lines.sorted()
  }

  /// The places of the lines that are whole statements of code that runs.
  static func statements(_ lines: [Substring]) -> [Int] {
    var runs = false
    return lines.indices.filter { index in
      let line = lines[index]
      guard line.first == " " else {
        runs = ["main", "func", "at", "every", "arrivals"].contains { line.hasPrefix($0) }
        return false
      }
      return runs && isStatement(line)
    }
  }

  /// Whether a line can be moved without parting brackets.
  private static func isStatement(_ line: Substring) -> Bool {
    let code = TraceTokens(String(line)).tokens.filter { $0.kind != .comment && $0.kind != .space }
    guard !code.isEmpty else { return false }
    var depth = 0
    for token in code where token.kind == .sign {
      if "{([".contains(token.text) { depth += 1 }
      if "})]".contains(token.text) { depth -= 1 }
      if depth < 0 { return false }
    }
    return depth == 0
  }

  /// There is nothing to make inputs of.
  struct NoTraces: Error, CustomStringConvertible {
    let description = "there are no traces in that folder"
  }
}
