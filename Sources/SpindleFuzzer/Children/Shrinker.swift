/// Makes a failing input small.
///
/// Source: A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002:
/// pieces are left out, first large ones and then smaller ones, as long as it still fails.
struct Shrinker {
  /// Whether a text still fails in the same way.
  let fails: (String) throws -> Bool
  /// How often that may still be asked.
  private(set) var triesLeft: Int

  /// Creates a shrinker.
  init(tries: Int, fails: @escaping (String) throws -> Bool) {
    (triesLeft, self.fails) = (tries, fails)
  }

  /// The smallest text that was found; it fails as `text` does.
  mutating func shrunk(_ text: String) throws -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    var size = lines.count + 1
    while lines.count < size && triesLeft > 0 {
      size = lines.count
      lines = try leaveOut(lines) { $0.joined(separator: "\n") + "\n" }
    }
    let tokens = TraceTokens(lines.joined(separator: "\n") + "\n").tokens.map(\.text)
    return try leaveOut(tokens) { $0.joined() }.joined()
  }

  /// What is left of some pieces when those that are not needed are left out.
  private mutating func leaveOut(
    _ pieces: [String], joined: ([String]) -> String
  ) throws -> [String] {
    var pieces = pieces
    var size = (pieces.count + 1) / 2
    while size > 0 {
      var start = 0
      while start < pieces.count {
        guard triesLeft > 0 else { return pieces }
        var fewer = pieces
        fewer.removeSubrange(start..<min(start + size, pieces.count))
        triesLeft -= 1
        if try !fewer.isEmpty && fails(joined(fewer)) { pieces = fewer } else { start += size }
      }
      size = size == 1 ? 0 : (size + 1) / 2
    }
    return pieces
  }
}
