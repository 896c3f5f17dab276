import SpindleModel

/// The counts of accelerators, by name.
struct AcceleratorTally {
  /// What each thread's request takes that is under way, by the thread's slot.
  private var underWay: [Int32: Int64] = [:]
  private var accelerators: [AcceleratorMetrics] = []
  private var names: [Int32] = []

  mutating func began(_ entry: LogEntry) {
    underWay[entry.thread] = entry.value
    accelerators[place(of: entry.object)].served.add(entry.value)
  }

  mutating func ended(_ entry: LogEntry) {
    // What began before the window is unknown.
    guard let length = underWay.removeValue(forKey: entry.thread) else { return }
    accelerators[place(of: entry.object)].waited.add(Swift.max(0, entry.value - length))
  }

  /// Forgets the counts; requests under way stay so.
  mutating func restart() { (accelerators, names) = ([], []) }

  /// The accelerators, in the order in which they were used first.
  func result(names known: NameTable) -> [AcceleratorMetrics] {
    accelerators.indices.map { index in
      var accelerator = accelerators[index]
      if names[index] >= 0 { accelerator.name = known.text(NameID(Int(names[index]))) }
      return accelerator
    }
  }

  /// A run has few accelerators.
  private mutating func place(of name: Int32) -> Int {
    if let known = names.firstIndex(of: name) { return known }
    names.append(name)
    accelerators.append(AcceleratorMetrics(name: ""))
    return accelerators.count - 1
  }
}
