import SpindleModel
import SpindleSimulator

/// What `spindle-calibrate` has measured, read from what it printed.
struct Calibration: Hashable {
  /// One field of a cost profile.
  struct Cost: Hashable {
    let field: String
    /// The middle of all rounds, and where the middle half of them lies.
    let median: Nanoseconds
    let low: Nanoseconds
    let high: Nanoseconds

    /// Whether others disturbed it: the middle half of its rounds reaches over five times its lower end, and
    /// over 20 us, since small costs vary by more and matter less.
    ///
    /// `hostShare` does not decide: it is not the cost of an operation, but how much of each millisecond others took. On
    /// a machine that is left alone that may be next to nothing in one round and ten times as much in the next.
    var isDisturbed: Bool {
      if field == "hostShare" { return false }
      let apart = high.rawValue - low.rawValue
      return apart > 20_000 && apart / 4 > low.rawValue
    }
  }

  /// In the order in which profiles have them.
  let costs: [Cost]
  /// The share of the processors that others had meanwhile, in thousandths.
  let noise: Int

  /// More than this, in thousandths, and nothing that was measured is this machine's own.
  static let mostNoise = 100

  /// Whether others left the machine alone.
  var isQuiet: Bool { noise <= Self.mostNoise }

  /// The profile whose values stand where nothing was measured.
  static var base: String {
    #if canImport(Darwin)
      "apple"
    #else
      "linux"
    #endif
  }

  /// Reads what the measuring process printed; nil where a line is none of its own, or something is missing.
  init?(_ text: String) {
    var (found, noise): ([String: Cost], Int?) = ([:], nil)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      switch (words.first, words.count) {
      case ("rounds", 2), ("round", 2): continue
      case ("noise", 2): noise = Int(words[1])
      case ("field", 5):
        let numbers = words[2...].compactMap { Int64($0) }
        guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        found[String(words[1])] = Cost(
          field: String(words[1]), median: Nanoseconds(numbers[0]), low: Nanoseconds(numbers[1]),
          high: Nanoseconds(numbers[2]))
      default: return nil
      }
    }
    guard let noise, !found.isEmpty else { return nil }
    self.noise = noise
    let known = MachineCatalog.catalogue.costs.first?.parameters.map(\.label) ?? []
    costs = known.compactMap { found[$0] }
    if costs.count != found.count { return nil }
  }

  /// The middle of several measurements; nil where there is none, or they don't have the same fields.
  init?(middleOf all: [Calibration]) {
    guard let first = all.first else { return nil }
    let fields = first.costs.map(\.field)
    if all.contains(where: { $0.costs.map(\.field) != fields }) { return nil }
    func middle<Value: Comparable>(_ value: (Calibration) -> Value) -> Value {
      all.map(value).sorted()[all.count / 2]
    }
    noise = middle(\.noise)
    costs = fields.indices.map { index in
      Cost(
        field: fields[index], median: middle { $0.costs[index].median },
        low: middle { $0.costs[index].low }, high: middle { $0.costs[index].high })
    }
  }

  /// The costs that others disturbed for a while, however little they had of the processors in all.
  var disturbed: [Cost] { costs.filter(\.isDisturbed) }

  /// The noise as a share of the processors.
  var noiseText: String { "\(noise / 10).\(noise % 10)%" }

  /// The fields that were not measured.
  var unmeasured: [String] {
    let known = MachineCatalog.catalogue.costs.first { $0.name == Calibration.base }
    let measured = Set(costs.map(\.field))
    return (known?.parameters ?? []).map(\.label).filter { !measured.contains($0) }
  }

  /// The file of costs, for a machine with so many cores and so much memory.
  func file(named name: String, cores: Int, memory: ByteCount) -> String {
    var text = """
      // Costs that 'spindle calibrate' measured, each with its interquartile range; other processes
      // used \(noiseText) of the processors. The machine:
      //   \(Calibration.machine(costs: name, cores: cores, memory: memory))
      .\(Calibration.base)(

      """
    for (index, cost) in costs.enumerated() {
      let value = "    \(cost.field): \(cost.median)" + (index + 1 < costs.count ? "," : "")
      text += value.padded(to: 32) + "// \(cost.low) ... \(cost.high)\n"
    }
    return text + ")\n"
  }

  /// The costs as a trace writes them, without a file.
  var expression: String {
    let list = costs.map { "\($0.field): \($0.median)" }.joined(separator: ", ")
    return ".\(Calibration.base)(\(list))"
  }

  /// The platform of this machine.
  static var platform: String { base == "apple" ? "macOS" : "linux" }

  /// The `machine` block of a trace that uses the file.
  static func machine(costs: String, cores: Int, memory: ByteCount) -> String {
    "machine { platform: .\(platform); cores: \(cores); memory: \(memory); costs: \"\(costs)\" }"
  }

  /// The costs beside those of the profile that they replace.
  var table: String {
    let known = MachineCatalog.catalogue.costs.first { $0.name == Calibration.base }
    var text =
      "cost".padded(to: 16) + "median".padded(to: 14) + "interquartile range".padded(to: 30)
    text += ".\(Calibration.base)\n"
    for cost in costs {
      let standard = known?.parameters.first { $0.label == cost.field }?.standard ?? 0
      text += cost.field.padded(to: 16) + cost.median.description.padded(to: 14)
      text += "\(cost.low) ... \(cost.high)".padded(to: 30) + "\(Nanoseconds(standard))\n"
    }
    return text
  }
}

extension String {
  /// The text with blanks behind it, at least one.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
