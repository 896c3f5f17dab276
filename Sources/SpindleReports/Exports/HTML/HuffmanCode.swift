/// A prefix code for the symbols of a block, by how often each comes.
///
/// Source: RFC 1951, section 3.2.2.
struct HuffmanCode {
  /// By symbol: how many bits its code has; 0 for one that never comes.
  private(set) var lengths: [UInt8]
  /// By symbol: its code, the first bit lowest, as Deflate packs them.
  private(set) var codes: [UInt16]

  /// The code of symbols that come so often, with `limit` bits at most; linear but for sorting.
  init(counts: [Int], limit: Int) {
    lengths = Array(repeating: 0, count: counts.count)
    codes = Array(repeating: 0, count: counts.count)
    var counts = counts
    // Counts that are halved often enough have codes of nearly equal lengths, so this ends.
    while !assign(counts, limit) {
      for index in counts.indices where counts[index] > 0 { counts[index] = counts[index] / 2 + 1 }
    }
    makeCodes(limit)
  }

  /// Gives every symbol the depth of its leaf; whether none is deeper than `limit`.
  private mutating func assign(_ counts: [Int], _ limit: Int) -> Bool {
    var leaves = counts.indices.filter { counts[$0] > 0 }
    for index in lengths.indices { lengths[index] = 0 }
    if leaves.count < 2 {
      // A code of one symbol still has a bit.
      for leaf in leaves { lengths[leaf] = 1 }
      return true
    }
    leaves.sort { counts[$0] == counts[$1] ? $0 < $1 : counts[$0] < counts[$1] }
    // Leaves, then inner nodes in the order in which they are made, which is that of their weights.
    var weights = leaves.map { counts[$0] }
    var parents = Array(repeating: 0, count: 2 * leaves.count - 1)
    var (leaf, inner) = (0, leaves.count)
    func lightest() -> Int {
      if leaf < leaves.count && (inner >= weights.count || weights[leaf] <= weights[inner]) {
        leaf += 1
        return leaf - 1
      }
      inner += 1
      return inner - 1
    }
    for node in leaves.count..<(2 * leaves.count - 1) {
      let (one, other) = (lightest(), lightest())
      weights.append(weights[one] + weights[other])
      (parents[one], parents[other]) = (node, node)
    }
    var depths = Array(repeating: 0, count: parents.count)
    for node in (0..<(parents.count - 1)).reversed() { depths[node] = depths[parents[node]] + 1 }
    for (node, symbol) in leaves.enumerated() {
      if depths[node] > limit { return false }
      lengths[symbol] = UInt8(depths[node])
    }
    return true
  }

  /// Numbers the codes of each length in the order of the symbols.
  private mutating func makeCodes(_ limit: Int) {
    var next = Array(repeating: 0, count: limit + 2)
    for length in lengths where length > 0 { next[Int(length) + 1] += 1 }
    for length in 1...(limit + 1) where length > 1 {
      next[length] = (next[length] + next[length - 1]) << 1
    }
    // `next[length]` is the first code of that length, and all of a length fit into its bits.
    precondition(
      next[limit + 1] <= 2 << limit,
      "\(lengths.count) symbols have too short codes for \(limit) bits")
    for (symbol, length) in lengths.enumerated() where length > 0 {
      var (code, reversed) = (next[Int(length)], 0)
      next[Int(length)] += 1
      for _ in 0..<length {
        reversed = reversed << 1 | code & 1
        code >>= 1
      }
      codes[symbol] = UInt16(reversed)
    }
  }
}
