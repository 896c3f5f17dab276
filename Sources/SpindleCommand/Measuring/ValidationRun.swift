import SpindleModel

/// One real run of a program, read from what `spindle-validate run` prints.
struct ValidationRun: Hashable {
  /// How long it took.
  let took: Nanoseconds
  /// How many threads the process had at its end; nil where the system does not say.
  let threads: Int64?
  /// Which share of one processor others had meanwhile, in thousandths; nil where the system does not say.
  let others: Int64?

  /// Up to this share, and the run counts.
  static let mostOthers: Int64 = 120

  /// Reads a run; nil where the program did not print one.
  init?(_ text: String) {
    var numbers: [String: Int64] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let number = Int64(words[1]) else { return nil }
      numbers[String(words[0])] = number
    }
    guard let took = numbers["took"], took >= 0 else { return nil }
    self.took = Nanoseconds(took)
    (threads, others) = (numbers["threads"], numbers["others"])
  }

  /// Whether others left the machine alone.
  var isQuiet: Bool { (others ?? 0) <= Self.mostOthers }
}

/// What came of all runs of a program, and of its simulation.
struct ValidatedCall: Hashable {
  private(set) var runs: [ValidationRun] = []
  /// What was predicted.
  var predicted = Nanoseconds.zero
  var predictedThreads: Int64 = 0

  /// Takes one more run.
  mutating func add(_ run: ValidationRun) { runs.append(run) }

  /// How many runs count.
  var quietCount: Int { runs.count { $0.isQuiet } }

  /// The runs that count, or all where hardly any does.
  private var counting: [ValidationRun] {
    let quiet = runs.filter(\.isQuiet)
    return quiet.count >= 2 ? quiet : runs
  }

  /// Whether what was measured is that of a machine that others left alone.
  var isQuiet: Bool { quietCount >= 2 }

  private var times: [Nanoseconds] { counting.map(\.took).sorted() }

  /// The middle one, of an even number the mean of the middle two; 0 where there is none.
  var median: Nanoseconds {
    let times = times
    if times.isEmpty { return .zero }
    let (low, high) = (times[(times.count - 1) / 2].rawValue, times[times.count / 2].rawValue)
    return Nanoseconds(low + (high - low) / 2)
  }
  /// The shortest and the longest.
  var least: Nanoseconds { times.first ?? .zero }
  var most: Nanoseconds { times.last ?? .zero }
  /// How many threads most of the runs had at the end.
  var threads: Int64? {
    let counts = counting.compactMap(\.threads).sorted()
    return counts.isEmpty ? nil : counts[counts.count / 2]
  }

  /// By how much the prediction is off, as a share of the median.
  var error: Double {
    median == .zero ? 0 : Double(predicted.rawValue - median.rawValue) / Double(median.rawValue)
  }
}
