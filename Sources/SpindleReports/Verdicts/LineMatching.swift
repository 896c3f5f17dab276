/// Which elements of two sequences belong to each other: a long common subsequence.
///
/// Elements that each side has once are matched first, as many as keep their order, and the gaps between them
/// likewise (patience diff, by Bram Cohen); where there are none, small gaps by the longest common
/// subsequence, and large ones from their start on, each time with the nearest that continues alike.
struct LineMatching<Element: Hashable> {
  private let old: [Element]
  private let new: [Element]
  private(set) var pairs: [(old: Int, new: Int)] = []
  /// Up to how many pairs of elements are compared one by one.
  private let smallGap = 40_000
  /// How many elements are skipped at once, at most, where none is unique.
  private let farthest = 32

  /// Matches two sequences; pairs come in order.
  init(_ old: [Element], _ new: [Element]) {
    (self.old, self.new) = (old, new)
    var gaps = [(old.indices, new.indices)]
    while let (left, right) = gaps.popLast() { match(left, right, &gaps) }
    pairs.sort { $0.old < $1.old }
    assert(
      zip(pairs, pairs.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new },
      "two matches of one element, or crossing ones")
  }

  private mutating func match(
    _ left: Range<Int>, _ right: Range<Int>, _ gaps: inout [(Range<Int>, Range<Int>)]
  ) {
    var (left, right) = (left, right)
    while let first = left.first, let other = right.first, old[first] == new[other] {
      pairs.append((first, other))
      (left, right) = (left.dropFirst(), right.dropFirst())
    }
    while let last = left.last, let other = right.last, old[last] == new[other] {
      pairs.append((last, other))
      (left, right) = (left.dropLast(), right.dropLast())
    }
    if left.isEmpty || right.isEmpty { return }
    if left.count * right.count <= smallGap { return matchSmall(left, right) }
    let unique = increasing(uniquePairs(left, right))
    if unique.isEmpty { return matchNearest(left, right) }
    var (oldStart, newStart) = (left.lowerBound, right.lowerBound)
    for pair in unique {
      pairs.append(pair)
      gaps.append((oldStart..<pair.old, newStart..<pair.new))
      (oldStart, newStart) = (pair.old + 1, pair.new + 1)
    }
    gaps.append((oldStart..<left.upperBound, newStart..<right.upperBound))
  }

  /// From the start on; where two elements differ, the nearest two that are equal, and the next as well.
  private mutating func matchNearest(_ left: Range<Int>, _ right: Range<Int>) {
    var (i, j) = (left.lowerBound, right.lowerBound)
    func goOn(_ i: Int, _ j: Int) -> Bool {
      guard i < left.upperBound && j < right.upperBound && old[i] == new[j] else { return false }
      let isLast = i + 1 == left.upperBound || j + 1 == right.upperBound
      return isLast || old[i + 1] == new[j + 1]
    }
    while i < left.upperBound && j < right.upperBound {
      if old[i] == new[j] {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
        continue
      }
      var step = (old: 1, new: 1)
      search: for distance in 1...farthest {
        for skipped in 0...distance where goOn(i + skipped, j + distance - skipped) {
          step = (skipped, distance - skipped)
          break search
        }
      }
      (i, j) = (i + step.old, j + step.new)
    }
  }

  /// The elements that each side has exactly once.
  private func uniquePairs(_ left: Range<Int>, _ right: Range<Int>) -> [(old: Int, new: Int)] {
    var places: [Element: (old: Int, new: Int, oldCount: Int, newCount: Int)] = [:]
    for index in left {
      let known = places[old[index]] ?? (0, 0, 0, 0)
      places[old[index]] = (index, known.new, known.oldCount + 1, known.newCount)
    }
    for index in right {
      guard let known = places[new[index]] else { continue }
      places[new[index]] = (known.old, index, known.oldCount, known.newCount + 1)
    }
    return left.compactMap { index in
      guard let known = places[old[index]], known.oldCount == 1, known.newCount == 1 else {
        return nil
      }
      return (index, known.new)
    }
  }

  /// As many of the pairs, which come in the order of the old side, as are in order on the new side.
  private func increasing(_ all: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
    // The last of the best sequence of each length, and the predecessor of each pair.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: all.count)
    for (index, pair) in all.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if all[ends[middle]].new < pair.new { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : -1
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var chain: [(old: Int, new: Int)] = []
    var index = ends.last ?? -1
    while index >= 0 {
      chain.append(all[index])
      index = before[index]
    }
    return chain.reversed()
  }

  /// The longest common subsequence, by its table.
  private mutating func matchSmall(_ left: Range<Int>, _ right: Range<Int>) {
    let width = right.count + 1
    var lengths = [Int32](repeating: 0, count: (left.count + 1) * width)
    for i in (0..<left.count).reversed() {
      for j in (0..<right.count).reversed() {
        let isEqual = old[left.lowerBound + i] == new[right.lowerBound + j]
        lengths[i * width + j] =
          isEqual
          ? lengths[(i + 1) * width + j + 1] + 1
          : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var (i, j) = (0, 0)
    while i < left.count && j < right.count {
      if old[left.lowerBound + i] == new[right.lowerBound + j] {
        pairs.append((left.lowerBound + i, right.lowerBound + j))
        (i, j) = (i + 1, j + 1)
      } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
  }
}
