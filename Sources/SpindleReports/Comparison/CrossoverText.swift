/// Crossovers in words.
struct CrossoverText {
  private typealias Stretch = CrossoverSearch.Stretch

  private let crossovers: Crossovers
  private let style: TextStyle

  /// How many intervals of one pair are printed; JSON has them all.
  private static let longest = 8
  /// Up to this number of variants each pair is printed; of more only which are the best.
  private static let mostPaired = 3

  /// Whether the text ends with how they were found.
  private let tellsMethod: Bool

  init(_ crossovers: Crossovers, _ style: TextStyle, tellsMethod: Bool) {
    (self.crossovers, self.style, self.tellsMethod) = (crossovers, style, tellsMethod)
  }

  /// All groups, and how they were found.
  var text: String {
    var lines: [String] = []
    for group in crossovers.groups {
      if !lines.isEmpty { lines.append("") }
      if !group.label.isEmpty { lines.append(style.paint(group.label, .bold)) }
      let indent = group.label.isEmpty ? "" : "  "
      if group.isUnmoved { lines += style.fitted(indent + unmoved) }
      for pair in group.pairs where group.designs.count <= CrossoverText.mostPaired {
        lines += style.fitted(indent + sentence(on: pair, of: group))
      }
      if group.designs.count > 2 {
        lines += style.fitted(indent + style.paint("best: ", .bold) + best(of: group))
      }
    }
    if tellsMethod { lines += [""] + style.wrapped(method, indent: "") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Which variant is the best, from where on.
  private func best(of group: Crossovers.Group) -> String {
    group.best(on: crossovers.scale).enumerated().map { index, best in
      let designs = best.designs.map { group.designs[$0] }
      let names = TimelineStore.list(designs, atMost: designs.count)
      let alike = best.designs.count > 1 ? "\(names) alike" : names
      return index == 0 ? alike : "from \(value(best.first, isFirst: index == 1)) on \(alike)"
    }.joined(separator: "; ")
  }

  /// The text where nothing changes along the scale.
  private var unmoved: String {
    "nothing depends on \(crossovers.parameter): each variant has the same \(crossovers.measure) at every value"
  }

  /// The sentence about two variants.
  private func sentence(on pair: Crossovers.Pair, of group: Crossovers.Group) -> String {
    let (first, second) = (group.designs[pair.first], group.designs[pair.second])
    let stretches = pair.stretches
    guard let last = stretches.last else { return "" }
    if stretches.count == 1 {
      return "\(claim(last.verdict, first, second)) over the whole range"
    }
    if stretches.count == 2 {
      let change = change(stretches[0], last, isFirst: true)
      if last.verdict.isBetter || !stretches[0].verdict.isBetter {
        return "\(claim(last.verdict, first, second)) from \(change) on; below, "
          + short(stretches[0].verdict, first, second, isClaimed: last.verdict.isBetter)
      }
      return "\(claim(stretches[0].verdict, first, second)) below \(change); from there on, "
        + short(last.verdict, first, second, isClaimed: stretches[0].verdict.isBetter)
    }
    return several(pair.stretches, first, second)
  }

  /// Three stretches or more, one after another.
  private func several(_ stretches: [Stretch], _ first: String, _ second: String) -> String {
    var text = claim(stretches[0].verdict, first, second)
    var isClaimed = stretches[0].verdict.isBetter
    for index in 1..<min(stretches.count, CrossoverText.longest) {
      let change = change(stretches[index - 1], stretches[index], isFirst: index == 1)
      let isLast = index == stretches.count - 1
      text += index == 1 ? " below \(change); from there " : "; from \(change) "
      let verdict = stretches[index].verdict
      text += "\(isLast ? "on, " : "")\(short(verdict, first, second, isClaimed: isClaimed))"
      isClaimed = isClaimed || verdict.isBetter
    }
    let more = stretches.count - CrossoverText.longest
    return more > 0 ? text + "; and \(Int64(more).counted("more change"))" : text
  }

  private var isByMakespan: Bool { crossovers.measure == "makespan" }

  /// What the better one of two is.
  private var better: String { isByMakespan ? "faster" : "better" }

  /// A verdict as a sentence.
  private func claim(_ verdict: PairVerdict, _ first: String, _ second: String) -> String {
    switch verdict {
    case .firstIsBetter: "\(first) is \(better) than \(second)"
    case .secondIsBetter: "\(second) is \(better) than \(first)"
    case .noDifference:
      crossovers.seedCount > 1
        ? "there is no difference between \(first) and \(second)"
        : isByMakespan
          ? "\(first) and \(second) take equally long" : "\(first) and \(second) are equal"
    case .onlyFirstFinishes: "\(first) finishes and \(second) does not"
    case .onlySecondFinishes: "\(second) finishes and \(first) does not"
    case .neitherFinishes: "neither \(first) nor \(second) finishes"
    }
  }

  /// A verdict behind a sentence on the same two; `isClaimed` if that already states that one is better.
  private func short(
    _ verdict: PairVerdict, _ first: String, _ second: String, isClaimed: Bool
  ) -> String {
    let what = isClaimed ? "" : " \(better)"
    return switch verdict {
    case .firstIsBetter: "\(first) is\(what)"
    case .secondIsBetter: "\(second) is\(what)"
    case .noDifference:
      crossovers.seedCount > 1
        ? "there is no difference"
        : isByMakespan ? "they take equally long" : "they are equal"
    case .onlyFirstFinishes: "only \(first) finishes"
    case .onlySecondFinishes: "only \(second) finishes"
    case .neitherFinishes: "neither finishes"
    }
  }

  /// The value at which the verdict changes: the first one that was seen behind the change, or both
  /// that it lies between, where they are further apart than was wanted.
  private func change(_ left: Stretch, _ right: Stretch, isFirst: Bool) -> String {
    let scale = crossovers.scale
    if scale.isClose(left.last, right.first) { return value(right.first, isFirst: isFirst) }
    return value(left.last, isFirst: isFirst) + " to " + scale.text(right.first)
  }

  private func value(_ value: Int64, isFirst: Bool) -> String {
    let text = crossovers.scale.text(value)
    return isFirst ? "\(crossovers.parameter) = \(text)" : text
  }

  private var method: String {
    let scale = crossovers.scale
    let count = Int64(scale.samples.count)
    var text = "By \(crossovers.measure), in \(Int64(crossovers.runCount).counted("run")): at "
    text +=
      "\(count.counted("value")) of \(crossovers.parameter) from \(scale.text(scale.lower)) to "
    text += "\(scale.text(scale.upper)), and at more between neighbours that differ, until they "
    text += "are within 1%. A change that reverts between two sampled values is missed."
    if crossovers.seedCount > 1 {
      text += "\nA difference counts when the 95% confidence interval of \(crossovers.seedCount) "
      text += "seeds, compared in pairs, does not contain 0."
    } else if crossovers.drawsNumbers {
      text +=
        "\nThe trace draws numbers, and this is what one seed draws: '--seeds 20' separates chance "
      text += "from effect."
    }
    if crossovers.groups.contains(where: { $0.designs.count > CrossoverText.mostPaired }) {
      text +=
        "\nOf more than \(CrossoverText.mostPaired) variants only the best are listed; '--format json' has "
      text += "every pair, and '--set NAME=A,B' compares two."
    }
    return text
  }
}

extension PairVerdict {
  /// Whether both finish and one is faster.
  fileprivate var isBetter: Bool { self == .firstIsBetter || self == .secondIsBetter }
}
