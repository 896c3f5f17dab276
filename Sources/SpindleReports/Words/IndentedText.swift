extension String {
  /// The text two columns further in, each line with its end.
  package var indented: String {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    let end = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
    return lines[..<end].map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
  }
}
