/// Up to how much of a machine any set of threads may ask for and be in time, in millionths.
enum RealtimeBounds {
  /// n (2^(1/n) − 1), rounded down: fixed priorities by period on one core.
  ///
  /// Source: Liu, Layland, "Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment", 1973.
  static func byPeriod(_ count: Int) -> Int64 {
    demand(count > 0, "the bound of no threads is asked for")
    if count == 1 { return 1_000_000 }
    // The largest x for which (1 + x/n)^n is not more than 2.
    var (low, high) = (0 as Int64, 1_000_000 as Int64)
    while low < high {
      let middle = (low + high + 1) / 2
      if isAtMostTwo(middle, count) { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Whether (1 + x/n)^n is not more than 2, rounded up in each step.
  private static func isAtMostTwo(_ millionths: Int64, _ count: Int) -> Bool {
    let one: Int128 = 1 << 60
    let whole = Int128(count) * 1_000_000
    let factor = one + (Int128(millionths) * one + whole - 1) / whole
    var power = one
    for _ in 0..<count {
      power = ((power * factor) >> 60) + 1
      if power > 2 * one { return false }
    }
    return true
  }

  /// m − (m − 1) u, rounded down: the earliest deadline first on m cores, where no thread asks for more than u.
  ///
  /// Source: Goossens, Funk, Baruah, "Priority-Driven Scheduling of Periodic Task Systems on
  /// Multiprocessors", 2003.
  static func byDeadline(cores: Int, largest: Int64) -> Int64 {
    demand(cores > 0 && largest >= 0, "a bound for \(cores) cores and a share of \(largest)")
    return Int64(cores) * 1_000_000 - Int64(cores - 1) * min(1_000_000, largest)
  }

  /// m²/(3m − 2), rounded down, for sets where no thread asks for more than m/(3m − 2); nil for others.
  ///
  /// Source: Andersson, Baruah, Jonsson, "Static-Priority Scheduling on Multiprocessors", 2001.
  static func byPeriod(cores: Int, largest: Int64) -> Int64? {
    let (count, below) = (Int64(cores), Int64(3 * cores - 2))
    if largest > count * 1_000_000 / below { return nil }
    return count * count * 1_000_000 / below
  }
}
