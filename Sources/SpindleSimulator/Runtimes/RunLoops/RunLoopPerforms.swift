import SpindleModel

/// What threads are asked to perform: in order, and found by the modes that it is for.
struct RunLoopPerforms {
  private var records: [RunLoopPerform?] = []
  /// The number of the first of the records.
  private var base = 0
  /// For each mode the numbers of what is for it, and of some that have been taken.
  private var byMode: [NameID: RunLoopBacklog<Int>] = [:]
  /// How many of the records have been taken, from the first on.
  private var head = 0

  /// All of them, in order.
  var all: [RunLoopPerform] { records.compactMap { $0 } }

  /// Adds one at the end.
  mutating func append(_ perform: RunLoopPerform) {
    assert(head <= records.count, "\(head) of \(records.count) performs were taken")
    for mode in perform.modes {
      byMode[mode, default: RunLoopBacklog()].append(base + records.count)
    }
    records.append(perform)
  }

  /// The number of the first one that is for a mode; nil when there is none.
  mutating func first(forMode mode: NameID) -> Int? {
    while let number = byMode[mode]?.first {
      if number >= base && records[number - base] != nil { return number }
      _ = byMode[mode]?.removeFirst()
    }
    return nil
  }

  /// The one with a number that `first(forMode:)` gave.
  subscript(number: Int) -> RunLoopPerform? { records[number - base] }

  /// Takes one out that `first(forMode:)` found.
  mutating func take(_ number: Int) -> RunLoopPerform? {
    assert(records[number - base] != nil, "perform \(number) was taken before")
    let perform = records[number - base]
    records[number - base] = nil
    while head < records.count && records[head] == nil { head += 1 }
    if head > 64 && head * 2 > records.count {
      records.removeFirst(head)
      (base, head) = (base + head, 0)
    }
    return perform
  }
}
