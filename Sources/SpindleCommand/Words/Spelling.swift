import SpindleLanguage

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
      var distance = editDistance(written, letters)
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
}
