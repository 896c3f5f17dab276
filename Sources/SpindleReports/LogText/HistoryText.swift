package import SpindleModel

/// The history of a value in words.
package enum HistoryText {
  /// How many writes are listed from the beginning and from the end.
  private static let (first, rest) = (10, 30)

  /// A line for each write, where one name has them all without that.
  package static func lines(_ history: ValueHistory, _ source: SourceText) -> [String] {
    let writes = history.writes
    let names = Set(writes.map(\.name)).count
    let told = writes.map { line($0, source, hasName: names > 1) }
    let left = told.count - first - rest
    if left <= 1 { return told }
    return told.prefix(first) + ["… \(Int64(left).grouped) more"] + told.suffix(rest)
  }

  /// How often what has a name was written and read: `written 2 times, never read`.
  package static func counts(_ history: ValueHistory) -> String {
    let (writes, reads) = (history.writeCount, history.readCount)
    return (writes == 0 ? "never written" : "written \(times(writes))")
      + (reads == 0 ? ", never read" : ", read \(times(reads))")
  }

  /// Who wrote a value, where and when: `by 'worker-1' in 'job', load at 6:26, called by closure at 9:32, at 5ms`.
  package static func writer(_ write: ValueHistory.Write, _ source: SourceText) -> String {
    var text = "by '\(write.thread)'"
    if let item = write.item, !item.isEmpty, item != write.thread { text += " in '\(item)'" }
    let calls = write.calls.map { $0.text(in: source) }
    if let innermost = calls.first {
      text += ", \(innermost)"
      if calls.count > 1 { text += ", called by \(calls.dropFirst().joined(separator: ", "))" }
    } else if let place = write.place {
      text += " at \(source.position(of: place))"
    }
    return text
  }

  private static func line(
    _ write: ValueHistory.Write, _ source: SourceText, hasName: Bool
  ) -> String {
    let verb = write.isRecord ? "recorded " : hasName ? "set to " : ""
    let name = hasName ? "'\(write.name)' " : ""
    return "\(write.time): \(name)\(verb)\(write.value), \(writer(write, source))"
  }

  private static func times(_ count: Int64) -> String {
    count == 1 ? "once" : "\(count.grouped) times"
  }
}
