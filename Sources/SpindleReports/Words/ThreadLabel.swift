import SpindleModel

/// What a thread is called: by its own name, or after the executor that made it.
struct ThreadLabel: Hashable {
  /// The number of its own name, or -1.
  var name: Int32 = -1
  /// The number of its executor's name, or -1.
  var executor: Int32 = -1
  /// Its place among all threads of its executor, from 1.
  var ordinal: Int64 = 0

  /// The name; nil for a thread that has none and no executor.
  func text(_ names: NameTable) -> String? {
    if name >= 0 { return names.text(NameID(Int(name))) }
    if executor >= 0 { return "\(names.text(NameID(Int(executor))))-\(ordinal)" }
    return nil
  }
}

/// Counts the threads of each executor, to call those without a name after it.
struct ThreadLabels {
  /// By the number of the executor's name.
  private(set) var counts: ContiguousArray<Int64> = []

  init() {}

  /// What the thread that `entry` makes is called.
  mutating func label(_ entry: LogEntry) -> ThreadLabel {
    let executor = Int(entry.subject)
    guard executor >= 0 else { return ThreadLabel(name: entry.object) }
    if executor >= counts.count {
      counts.append(contentsOf: repeatElement(0, count: executor + 1 - counts.count))
    }
    counts[executor] += 1
    return ThreadLabel(name: entry.object, executor: entry.subject, ordinal: counts[executor])
  }

  /// How many threads the executor of this name has made.
  func count(_ executor: NameID) -> Int64 {
    let index = Int(executor.index)
    return index >= 0 && index < counts.count ? counts[index] : 0
  }
}
