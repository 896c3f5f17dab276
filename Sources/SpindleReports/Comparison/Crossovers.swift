/// Where, as a parameter grows, one variant becomes better than another.
package struct Crossovers: Sendable {
  /// The parameter that grows.
  package let parameter: String
  /// What is compared of the runs, as the language of expectations spells it.
  package let measure: String
  /// The values that were sampled.
  package let scale: ValueScale
  /// How many seeds each variant was run with.
  package let seedCount: Int
  /// How many runs it took.
  package let runCount: Int
  /// Whether the runs depend on their seed, according to the traces.
  package let drawsNumbers: Bool
  /// Variants that differ only in what is compared.
  package let groups: [Group]

  /// Variants with all that they have in common, such as a machine.
  package struct Group: Sendable {
    /// Distinguishes it from the other groups; empty when it is the only one.
    package let label: String
    /// The labels of its variants.
    package let designs: [String]
    /// The pairs of its variants: each with all behind it.
    package let pairs: [Pair]
    /// Whether every variant gave the same result at every sampled value.
    package let isUnmoved: Bool

    /// Creates a group.
    package init(label: String, designs: [String], pairs: [Pair], isUnmoved: Bool = false) {
      (self.label, self.designs, self.pairs) = (label, designs, pairs)
      self.isUnmoved = isUnmoved
    }
  }

  /// Two variants with what was found about them.
  package struct Pair: Sendable {
    /// The one, by its place among the designs.
    package let first: Int
    /// The other.
    package let second: Int
    /// The verdicts along the scale.
    package let stretches: [CrossoverSearch.Stretch]

    /// Creates a pair.
    package init(first: Int, second: Int, stretches: [CrossoverSearch.Stretch]) {
      (self.first, self.second, self.stretches) = (first, second, stretches)
    }

    /// The verdict at a value.
    func verdict(at value: Int64) -> PairVerdict? {
      stretches.last { $0.first <= value }?.verdict
    }
  }

  /// Creates a finding.
  package init(
    parameter: String, measure: String = "makespan", scale: ValueScale, seedCount: Int,
    runCount: Int, drawsNumbers: Bool = false, groups: [Group]
  ) {
    (self.parameter, self.scale, self.groups) = (parameter, scale, groups)
    self.measure = measure
    (self.seedCount, self.runCount) = (seedCount, runCount)
    self.drawsNumbers = drawsNumbers
  }

  /// What to read: for each group the best along the scale, and each pair in words.
  ///
  /// How they were found is left out unless `tellsMethod`.
  package func text(style: TextStyle, tellsMethod: Bool = true) -> String {
    CrossoverText(self, style, tellsMethod: tellsMethod).text
  }

  /// The same as JSON: `JSONText.crossovers`.
  package var json: String { JSONText.crossovers(self) }
}

extension Crossovers.Group {
  /// The variants that none is better than, from a value on.
  struct Best: Hashable, Sendable {
    var first: Int64
    var designs: [Int]
  }

  /// The best variants along a scale, ascending, each as long as it stays so.
  func best(on scale: ValueScale) -> [Best] {
    let changes = pairs.flatMap { $0.stretches.dropFirst().map(\.first) }
    var found: [Best] = []
    for value in Set(changes + [scale.lower]).sorted() {
      let beaten = pairs.compactMap { pair -> Int? in
        guard let verdict = pair.verdict(at: value) else { return nil }
        if verdict == .neitherFinishes { return nil }
        return verdict.prefersFirst ? pair.second : verdict.prefersSecond ? pair.first : nil
      }
      let best = designs.indices.filter { !beaten.contains($0) }
      // Changes are known to 1 % only: where three meet, none may seem the best for a moment.
      if best.isEmpty || found.last?.designs == best { continue }
      found.append(Best(first: value, designs: best))
    }
    return found
  }
}
