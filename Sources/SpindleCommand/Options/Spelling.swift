/// Finds what was probably meant.
enum Spelling {
  /// `; did you mean 'name'?` for the nearest of `known`, or nothing when none is near.
  ///
  /// Near is a distance of at most a third of the name's length, dashes not counted, or another ending
  /// of the same word, such as that of a plural.
  static func proposal(_ name: String, in known: [String]) -> String {
    let written = Array(name.utf8)
    let limit = max(1, written.drop { $0 == UInt8(ascii: "-") }.count / 3)
    var best: (distance: Int, name: String)?
    for candidate in known {
      let letters = Array(candidate.utf8)
      var distance = distance(written, letters)
      if haveOneStem(written, letters) { distance = min(distance, limit) }
      if distance <= limit && distance < best?.distance ?? Int.max { best = (distance, candidate) }
    }
    guard let best else { return "" }
    return "; did you mean '\(best.name)'?"
  }

  /// Whether two names begin alike, at least four letters long, and at most the last letter of the
  /// shorter is not in the longer.
  private static func haveOneStem(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let common = zip(left, right).prefix { $0 == $1 }.map(\.0)
    let letters = common.count { $0 != UInt8(ascii: "-") }
    return letters >= 4 && common.count >= min(left.count, right.count) - 1
  }

  /// How many letters must be put in, left out, changed or swapped with their neighbour.
  ///
  /// Source: Damerau (1964), in the form that lets each pair be swapped at most once.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1] + Array(repeating: 0, count: right.count)
      for j in right.indices {
        let change = last[j] + (left[i] == right[j] ? 0 : 1)
        row[j + 1] = min(change, last[j + 1] + 1, row[j] + 1)
        if i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j] {
          row[j + 1] = min(row[j + 1], before[j - 1] + 1)
        }
      }
      (before, last) = (last, row)
    }
    return last[right.count]
  }
}
