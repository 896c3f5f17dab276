package import SpindleModel

/// What a sweep is: all that its results depend on, so that two parts of one have equal headers.
package struct SweepHeader: Hashable, Sendable {
  /// Something that varies over a sweep.
  package struct Axis: Hashable, Sendable {
    /// What it is called.
    package var name: String
    /// Its values as written.
    package var values: [String]
    /// Whether they are machines or quantities, so that one may be expected to be better than another.
    package var isQuantity: Bool

    /// Creates an axis.
    package init(name: String, values: [String], isQuantity: Bool = false) {
      (self.name, self.values, self.isQuantity) = (name, values, isQuantity)
    }
  }

  /// The version of the tool.
  package var version: String
  /// The title of the trace and a digest of its text.
  package var trace: String
  /// The options that are the same for all cells.
  package var options: String
  /// What varies; the last varies fastest.
  package var axes: [Axis]
  /// The measures.
  package var columns: [ComparedColumn]
  /// How many seeds each cell is run with.
  package var seedCount: Int

  /// Creates a header.
  package init(
    version: String, trace: String, options: String, axes: [Axis], columns: [ComparedColumn],
    seedCount: Int
  ) {
    (self.version, self.trace, self.options) = (version, trace, options)
    (self.axes, self.columns, self.seedCount) = (axes, columns, seedCount)
  }

  /// How many cells the grid has; `Int.max` when they are more than that.
  package var cellCount: Int {
    axes.reduce(1) { total, axis in
      let (product, overflow) = total.multipliedReportingOverflow(by: axis.values.count)
      return overflow ? .max : product
    }
  }

  /// The place on each axis of the cell with this number.
  package func places(of cell: Int) -> [Int] {
    var (rest, places) = (cell, [Int](repeating: 0, count: axes.count))
    for index in axes.indices.reversed() {
      places[index] = rest % axes[index].values.count
      rest /= axes[index].values.count
    }
    return places
  }

  /// The value on each axis of the cell with this number.
  package func settings(of cell: Int) -> [String] {
    zip(axes, places(of: cell)).map { $0.values[$1] }
  }

  /// A digest of the bytes of a trace, in 16 digits.
  ///
  /// FNV-1a of 64 bits (Fowler, Noll, Vo): it distinguishes texts that differ by mistake.
  package static func digest(of bytes: some Sequence<UInt8>) -> String {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// One cell of a sweep with what its runs came to.
package struct SweepCell: Hashable, Sendable {
  /// Its number in the grid, from 0.
  package var index: Int
  /// What it ran on.
  package var machine: CoreSpeeds
  /// Its runs, one for each seed.
  package var runs: [Run]

  /// What a sweep keeps of a run.
  package struct Run: Hashable, Sendable {
    /// What it drew from.
    package var seed: UInt64
    /// How it ended.
    package var outcome: Outcome.Kind
    /// Whether the command line ended it.
    package var isCut: Bool
    /// When its last work ended, in nanoseconds.
    package var makespan: Int64
    /// Its work, in nanoseconds of cores.
    package var work: Int64
    /// How long its input and output took together, in nanoseconds.
    package var input: Int64
    /// What each column came to.
    package var values: [MeasuredValue]

    /// Creates a run.
    package init(
      seed: UInt64, outcome: Outcome.Kind, isCut: Bool, makespan: Int64, work: Int64,
      input: Int64, values: [MeasuredValue]
    ) {
      (self.seed, self.outcome, self.isCut, self.values) = (seed, outcome, isCut, values)
      (self.makespan, self.work, self.input) = (makespan, work, input)
    }

    /// How it ended, as it is written.
    var ending: String { outcome == .finished && isCut ? "cut off" : outcome.name }
  }

  /// Creates a cell.
  package init(index: Int, machine: CoreSpeeds, runs: [Run]) {
    (self.index, self.machine, self.runs) = (index, machine, runs)
  }

  /// What it is compared with its neighbours by.
  var facts: AnomalyFinder.Facts {
    AnomalyFinder.Facts(
      machine: machine, work: runs.map(\.work), input: runs.map(\.input),
      makespans: mark == nil ? runs.map(\.makespan) : nil)
  }

  /// How the first run ended that did not end by itself; nil when all did.
  package var mark: String? {
    runs.first { $0.outcome != .finished || $0.isCut }?.ending
  }

  /// The mean of a column over the seeds; nil when a run has no number.
  package func mean(_ column: Int) -> Double? {
    var sum = Int128(0)
    for run in runs {
      guard let number = run.values[column].number else { return nil }
      sum += Int128(number)
    }
    return Double(sum) / Double(runs.count)
  }

  /// Half of the 95 % confidence interval of the mean; nil of one seed, or where a run has no number.
  package func halfWidth(_ column: Int) -> Double? {
    let numbers = runs.compactMap { $0.values[column].number }
    return numbers.count == runs.count ? Sample(numbers).halfWidth() : nil
  }

  /// What a column came to, for people: the mean over the seeds and half of its 95 % confidence interval, or
  /// the text that all have.
  func text(_ column: Int, _ kind: ComparedColumn) -> String {
    if let mean = mean(column) {
      return kind.unit.approximate(mean, halfWidth: kind.isText ? nil : halfWidth(column))
    }
    let first = runs[0].values[column]
    guard case .text(let text) = first, runs.allSatisfy({ $0.values[column] == first }) else {
      return "-"
    }
    return text
  }
}

/// Takes the cells of a sweep, in the order of their numbers, and writes something of them.
package protocol SweepWriter: AnyObject {
  /// The grid is about to come; the text to write first.
  func begin() -> String
  /// The next cell; the text to write for it, which may be none.
  func add(_ cell: SweepCell) -> String
  /// All cells have come; the text to write last.
  func end() -> String
}
