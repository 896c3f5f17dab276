/// The candidate that is nearest to `name`; nil when none is near.
///
/// Near is an edit distance of at most a third of the name's length, where a swap of neighbours
/// counts as one edit; two names that differ in case only are always near. Of several that are
/// equally near, the first. Linear in the candidates.
func nearest(_ name: String, in candidates: some Sequence<String>) -> String? {
  let letters = Array(name.utf8)
  // Longer than any name of the vocabulary: nobody mistyped it.
  guard (1...64).contains(letters.count) else { return nil }
  let lowered = name.lowercased()
  var limit = letters.count / 3
  var best: String?
  for candidate in candidates where candidate != name {
    if candidate.lowercased() == lowered { return candidate }
    let other = Array(candidate.utf8)
    guard abs(other.count - letters.count) <= limit else { continue }
    let distance = editDistance(letters, other)
    guard distance <= limit else { continue }
    best = candidate
    // Only a better one counts from now on.
    limit = distance - 1
  }
  return best
}

/// How many insertions, deletions, replacements and swaps of neighbours make `left` into `right`.
///
/// Source: the optimal string alignment distance; R. Wagner and M. Fischer, "The String-to-String
/// Correction Problem", 1974, with transpositions.
package func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var beforeLast = Array(repeating: 0, count: right.count + 1)
  var last = Array(0...right.count)
  for row in 0..<left.count {
    var line = [row + 1]
    line.reserveCapacity(right.count + 1)
    for column in 0..<right.count {
      let isEqual = left[row] == right[column]
      var cost = min(
        last[column + 1] + 1, line[column] + 1, last[column] + (isEqual ? 0 : 1))
      if row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      line.append(cost)
    }
    (beforeLast, last) = (last, line)
  }
  return last[right.count]
}
