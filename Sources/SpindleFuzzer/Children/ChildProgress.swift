/// What a batch has said so far.
struct ChildProgress {
  /// The input that it is at; 0 before the first.
  var seed = 0
  /// The part of its judgement.
  var part = "start"
  /// How many inputs were run.
  var ran = 0
  /// How many were refused.
  var refused = 0
  /// What did not hold, and by which input.
  var faults: [(seed: Int, fault: String)] = []

  /// Takes in a line.
  mutating func take(_ line: Substring) {
    let words = line.split(separator: " ", maxSplits: 1)
    let rest = words.count > 1 ? String(words[1]) : ""
    switch words.first {
    case "seed": (seed, part) = (Int(rest) ?? 0, "start")
    case "part": part = rest
    case "fault": faults.append((seed, rest))
    case "ran": ran += 1
    case "refused": refused += 1
    default: break
    }
  }
}
