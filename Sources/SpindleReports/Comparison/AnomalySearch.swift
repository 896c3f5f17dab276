import SpindleModel

/// Finds variants that are worse where one expects them to be better: with more cores, or with less work.
///
/// Both can be: Graham, "Bounds on multiprocessing timing anomalies", SIAM Journal on Applied
/// Mathematics 17, 1969.
package struct AnomalySearch: Sendable {
  /// What a variant is compared by.
  package struct Variant: Sendable {
    /// The value of what varies, by axis.
    package var settings: [String]
    /// How many cores its machine has.
    package var cores: Int
    /// Whether all its cores are equally fast.
    package var hasEqualCores: Bool
    /// The work that was done, by seed, in nanoseconds of cores.
    package var work: [Int64]
    /// When the last work ended, by seed; nil when a run did not end by itself.
    package var makespans: [Int64]?

    /// Creates a variant.
    package init(
      settings: [String], cores: Int, hasEqualCores: Bool, work: [Int64], makespans: [Int64]?
    ) {
      (self.settings, self.cores, self.hasEqualCores) = (settings, cores, hasEqualCores)
      (self.work, self.makespans) = (work, makespans)
    }
  }

  /// An axis that may show an anomaly.
  package enum Axis: Hashable, Sendable {
    /// The number of cores, or a parameter that is a number, a duration or a size.
    case quantity
    /// Something that has no order.
    case other
  }

  private let names: [String]
  private let axes: [Axis]
  private let variants: [Variant]

  /// How many anomalies are told.
  private static let most = 5

  /// Looks at variants, whose settings are called `names`.
  package init(names: [String], axes: [Axis], variants: [Variant]) {
    precondition(names.count == axes.count, "each axis has a name")
    (self.names, self.axes, self.variants) = (names, axes, variants)
  }

  /// What was found, a sentence each.
  package var sentences: [String] {
    var found: [String] = []
    for axis in axes.indices where axes[axis] != .other {
      for (one, other) in neighbours(axis) {
        if let sentence = sentence(one, other) { found.append(sentence) }
      }
    }
    let more = found.count - AnomalySearch.most
    guard more > 0 else { return found }
    return found.prefix(AnomalySearch.most) + ["And \(more) more anomalies."]
  }

  /// The pairs of variants that follow each other on an axis and agree on all others, in the order of
  /// the variants.
  private func neighbours(_ axis: Int) -> [(Int, Int)] {
    var last: [[String]: Int] = [:]
    var pairs: [(Int, Int)] = []
    for (index, variant) in variants.enumerated() {
      var others = variant.settings
      others[axis] = ""
      if let before = last.updateValue(index, forKey: others) { pairs.append((before, index)) }
    }
    return pairs
  }

  /// What is to be said of two variants; nil when neither has more cores or less work and takes longer.
  private func sentence(_ one: Int, _ other: Int) -> String? {
    let (first, second) = (variants[one], variants[other])
    if first.cores != second.cores {
      let (few, many) = first.cores < second.cores ? (one, other) : (other, one)
      return times(many, few).map {
        "Anomaly: with more cores it takes longer, \(name(many)): \($0.slow), and "
          + "\(name(few)): \($0.fast)."
      }
    }
    guard first.hasEqualCores, second.hasEqualCores else { return nil }
    let isLess = zip(first.work, second.work).allSatisfy { $0 < $1 }
    guard isLess || zip(first.work, second.work).allSatisfy({ $0 > $1 }) else { return nil }
    let (less, more) = isLess ? (one, other) : (other, one)
    return times(less, more).map {
      "Anomaly: with less work it takes longer, \(name(less)): \($0.slow), and "
        + "\(name(more)): \($0.fast)."
    }
  }

  /// The mean makespans of two variants when that of the first is really greater.
  private func times(_ slow: Int, _ fast: Int) -> (slow: String, fast: String)? {
    guard let first = variants[fast].makespans, let second = variants[slow].makespans else {
      return nil
    }
    let difference = PairedDifference(
      first: first.map(Double.init), second: second.map(Double.init))
    // What costs add is no anomaly.
    guard difference.isReal, difference.mean * 100 >= Sample(first).mean else { return nil }
    return (
      MeasureUnit.duration.approximate(Sample(second).mean),
      MeasureUnit.duration.approximate(Sample(first).mean)
    )
  }

  private func name(_ variant: Int) -> String {
    zip(names, variants[variant].settings).map { "\($0)=\($1)" }.joined(separator: ", ")
  }
}
