package import SpindleModel
import SpindleSimulator

/// A part of a search that one process makes: what it has come to, without the runs themselves.
///
/// In a file it has a line for each field, with tabs between a name and its values; the last line says how many failures there
/// are, so that a file that was cut is known.
package struct ExplorationPart: Hashable, Sendable {
  /// The first line of the file.
  package static let title = "spindle explore part 1"

  /// What is the same in all parts of one search: the version, the trace's title and digest, and the arguments.
  package var version: String
  package var trace: String
  package var arguments: [String]
  /// Which part it is, from 1, and of how many.
  package var part: Int
  package var parts: Int
  /// What the runs came to.
  package var counts: Counts
  /// The orders of dependent steps that were seen.
  package var orders: [UInt64]
  package var failures: [Failure]

  /// What the runs of a part came to.
  package struct Counts: Hashable, Sendable {
    package var runs = 0
    package var minimizingRuns = 0
    package var failing = 0
    package var unkept = 0
    package var tired = 0
    package var tooLate = 0
    package var cut = 0
    package var unwritten = 0
    package var waiting = 0
    package var isExhausted = false
    /// How many lines the shortest schedule has that waits; -1 for none.
    package var leastWaiting = -1
    /// A bit for each order that no schedule varied.
    package var unvaried = 0

    /// The numbers, in the order of their fields.
    var numbers: [Int] {
      [
        runs, minimizingRuns, failing, unkept, tired, tooLate, cut, unwritten, waiting,
        isExhausted ? 1 : 0, leastWaiting, unvaried,
      ]
    }

    init() {}

    init?(_ numbers: [Int]) {
      guard numbers.count == 12 else { return nil }
      (runs, minimizingRuns, failing) = (numbers[0], numbers[1], numbers[2])
      (unkept, tired, tooLate) = (numbers[3], numbers[4], numbers[5])
      (cut, unwritten, waiting) = (numbers[6], numbers[7], numbers[8])
      (isExhausted, leastWaiting, unvaried) = (numbers[9] == 1, numbers[10], numbers[11])
    }
  }

  /// A way to fail, by the schedule that shows it.
  package struct Failure: Hashable, Sendable {
    /// The number of the run that showed it among those of all parts.
    package var run: Int
    package var count: Int
    package var linesBefore: Int
    /// The least delay in nanoseconds; -1 where it is not known or needs none.
    package var leastDelay: Int64
    /// How the run was drawn; empty where it was not.
    package var drawn: String
    package var schedule: Schedule
  }

  /// Why a file is no part.
  package struct Mistake: Error, Hashable, Sendable {
    /// The mistake, without a full stop.
    package let message: String

    package init(_ message: String) { self.message = message }
  }

  /// What a search has come to, as a part.
  package init(
    _ exploration: Exploration, version: String, trace: String, arguments: [String]
  ) {
    (self.version, self.trace, self.arguments) = (version, trace, arguments)
    (part, parts) = (exploration.bounds.part, exploration.bounds.parts)
    counts = Counts()
    (counts.runs, counts.minimizingRuns) = (exploration.runs, exploration.minimizingRuns)
    (counts.failing, counts.unkept) = (exploration.failing, exploration.unkept)
    (counts.tired, counts.tooLate) = (exploration.tired, exploration.tooLate)
    (counts.cut, counts.unwritten) = (exploration.cut, exploration.unwritten)
    (counts.waiting, counts.isExhausted) = (exploration.waiting, exploration.isExhausted)
    counts.leastWaiting = exploration.leastWaiting ?? -1
    counts.unvaried = exploration.unvaried.reduce(0) { $0 | 1 << Int($1.rawValue) }
    orders = exploration.signatures.sorted()
    failures = exploration.failures.map {
      Failure(
        run: exploration.bounds.numberInAll($0.run), count: $0.count, linesBefore: $0.linesBefore,
        leastDelay: $0.leastDelay?.rawValue ?? -1, drawn: $0.drawn?.name ?? "",
        schedule: $0.trial.schedule)
    }
  }
}

// MARK: The file

extension ExplorationPart {
  /// The text of the file.
  package var text: String {
    var lines = [[Self.title], ["version", version], ["trace", trace], ["arguments"] + arguments]
    lines.append(["part", "\(part)", "\(parts)"])
    lines.append(["counts"] + counts.numbers.map { "\($0)" })
    lines += orders.map { ["order", "\($0)"] }
    for failure in failures {
      lines.append([
        "failure", "\(failure.run)", "\(failure.count)", "\(failure.linesBefore)",
        "\(failure.leastDelay)", failure.drawn,
        failure.schedule.lines.map { "\($0)" }.joined(separator: "; "),
      ])
    }
    lines.append(["end", "\(failures.count)"])
    return lines.map { $0.map(Self.escaped).joined(separator: "\t") + "\n" }.joined()
  }

  /// Reads a file.
  package init(parsing text: String) throws(Mistake) {
    (version, trace, arguments, part, parts) = ("", "", [], 0, 0)
    (counts, orders, failures) = (Counts(), [], [])
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    guard lines.first.map(String.init) == Self.title else {
      throw Mistake("it is not a part of a search")
    }
    var isWhole = false
    for (index, line) in lines.enumerated().dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(Self.plain)
      if isWhole { throw Mistake("there is more behind its end") }
      guard read(fields, &isWhole) else { throw Mistake("line \(index + 1) can't be understood") }
    }
    if !isWhole { throw Mistake("it is cut off") }
  }

  /// Takes a line in; false where it can't be understood.
  private mutating func read(_ fields: [String], _ isWhole: inout Bool) -> Bool {
    let numbers = fields.dropFirst().map { Int($0) }
    switch (fields[0], fields.count) {
    case ("version", 2): version = fields[1]
    case ("trace", 2): trace = fields[1]
    case ("arguments", 2...): arguments = Array(fields.dropFirst())
    case ("part", 3):
      guard let number = numbers[0], let count = numbers[1], number >= 1, number <= count else {
        return false
      }
      (part, parts) = (number, count)
    case ("counts", 2...):
      guard let counts = Counts(numbers.compactMap { $0 }) else { return false }
      self.counts = counts
    case ("order", 2):
      guard let order = UInt64(fields[1]) else { return false }
      orders.append(order)
    case ("failure", 7):
      guard let run = numbers[0], let count = numbers[1], let before = numbers[2],
        let delay = Int64(fields[4]), let schedule = Self.schedule(fields[6])
      else { return false }
      failures.append(
        Failure(
          run: run, count: count, linesBefore: before, leastDelay: delay, drawn: fields[5],
          schedule: schedule))
    case ("end", 2):
      isWhole = numbers[0] == failures.count && parts > 0
      return isWhole
    default: return false
    }
    return true
  }

  private static func schedule(_ text: String) -> Schedule? {
    do { return try Schedule(parsing: text) } catch { return nil }
  }

  private static func escaped(_ field: String) -> String {
    field.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
  }

  private static func plain(_ field: Substring) -> String {
    var (text, isEscaped) = ("", false)
    for character in field {
      if isEscaped {
        text.append(character == "t" ? "\t" : character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return text
  }
}
