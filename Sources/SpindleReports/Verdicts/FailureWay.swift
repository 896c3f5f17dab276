package import SpindleModel

/// In which way something goes wrong in a run, without the amounts: what two runs have in common that fail
/// for the same reason.
///
/// A value that is there and wrong is another way than one that is missing, one that is too small another than
/// one that is too large, nothing at all (0, no text, no elements) is another than too little, and one wrong text
/// is another than the next, apart from the numbers in it.
package struct FailureWay: Hashable, Sendable {
  /// One thing that is wrong.
  enum Part: Hashable, Sendable {
    /// A wait that can't end: for what kind of thing, and why not.
    case wait(WaitReason, Finding.Obstacle)
    /// Waiters in a cycle: 1, 2 or, for more, 3.
    case cycle(Int)
    /// How many different things are waited for that only a signal could free: 2 or, for more, 3.
    case unsignalled(Int)
    /// How the run ended; the message is the simulated library's.
    case outcome(Outcome.Kind, message: String)
    /// Both sides of `&&` or `||`, apart.
    case both([Part], [Part])
    /// A condition that is false and compares nothing.
    case isFalse
    /// A term that has no answer.
    case unanswerable(Unanswerable.Cause)
    /// A timeline that differs.
    case marks(TimelineMatch.Parting)
    /// Rows of a table, in the order of those expected, and whether there are more.
    case rows([Row], hasMore: Bool)
    /// A list of symbols, each once.
    case symbols([String])
    /// A list that is the beginning of the one expected, or has it as its beginning.
    case length(isShort: Bool)
    /// A plain value, or the first element of a list that differs.
    case value(Value)
  }

  /// How a row of a table is.
  enum Row: Hashable, Sendable {
    case asExpected, missing
    case wrong(Value)
  }

  /// How a plain value fails to be another.
  enum Value: Hashable, Sendable {
    case isEmpty, list, none, table, tooLarge, tooSmall, unordered, zero
    case symbol(String)
    /// A text that is there, with `#` for each number in it.
    case text(String)
    case truth(Bool)
  }

  private var parts: [Part]

  /// The way in which an expectation fails that a trace states.
  init(_ condition: ExpectationTerm, _ evaluation: Evaluation) {
    let outcome = evaluation.record.outcome
    parts = evaluation.ways(condition) + [.outcome(outcome.kind, message: outcome.message)]
  }

  /// What the threads of a finding wait for, independent of their names and number.
  package init(_ finding: Finding) {
    var seen: Set<Part> = []
    parts = finding.statement.waits.map { .wait($0.reason, $0.obstacle) }
      .filter { seen.insert($0).inserted }
      .sorted { FailureWay.rank($0) < FailureWay.rank($1) }
    if let cycle = finding.statement.cycle { parts.append(.cycle(min(cycle, 3))) }
    let unsignalled = Set(
      finding.statement.waits.filter { $0.obstacle == .signal }
        .compactMap { $0.subjects.last { $0.isSignalled } })
    if unsignalled.count > 1 { parts.append(.unsignalled(min(unsignalled.count, 3))) }
  }

  /// A text with `#` for each run of digits.
  fileprivate static func numberless(_ text: String) -> String {
    var result = ""
    for character in text {
      if !character.isNumber {
        result.append(character)
      } else if result.last != "#" {
        result.append("#")
      }
    }
    return result
  }

  /// The order of waits: by reason, then by what keeps them from ending.
  private static func rank(_ part: Part) -> Int {
    guard case .wait(let reason, let obstacle) = part else { return .max }
    let obstacles = Finding.Obstacle.allCases
    return Int(reason.rawValue) * obstacles.count + (obstacles.firstIndex(of: obstacle) ?? 0)
  }
}

extension Finding.Subject {
  /// Whether it is something that is signalled, not a waiter or signaller.
  fileprivate var isSignalled: Bool { role == .semaphore || role == .condition }
}

extension Evaluation {
  /// In which way each comparison of a condition fails that does; empty where all hold.
  fileprivate func ways(_ term: ExpectationTerm) -> [FailureWay.Part] {
    do {
      switch term {
      case .and(let left, let right), .or(let left, let right):
        return [.both(ways(left), ways(right))]
      case .compare(let comparison, let left, let right, _):
        return try holds(term) ? [] : [way(comparison, left, right)]
      case .not, .measure, .value, .arithmetic, .best: return try holds(term) ? [] : [.isFalse]
      }
    } catch {
      return [.unanswerable(error.cause)]
    }
  }

  private func way(
    _ comparison: ExpectationTerm.Relation, _ left: ExpectationTerm, _ right: ExpectationTerm
  ) throws(Unanswerable) -> FailureWay.Part {
    if let timeline = timelineDifference(left, right) { return timeline.way ?? .isFalse }
    // The constant is the expected value, on either side.
    var (seen, expected) = (try value(left), try value(right))
    if case .value = left { swap(&seen, &expected) }
    switch (seen, expected) {
    case (.table(let rows), .table(let others)):
      let ways = try others.map { other throws(Unanswerable) -> FailureWay.Row in
        guard let row = rows.first(where: { $0.key == other.key }) else { return .missing }
        return Quantities.areEqual(row.value, other.value, nil)
          ? .asExpected : .wrong(try way(row.value, other.value))
      }
      return .rows(ways, hasMore: rows.count > others.count)
    case (.list(let some), .list(let all)):
      if isSymbols(some) && isSymbols(all) {
        return .symbols(Set(some.map(ValueText.text)).sorted())
      }
      if some.isEmpty { return .value(.isEmpty) }
      guard let (found, wanted) = zip(some, all).first(where: { !Quantities.areEqual($0, $1, nil) })
      else { return .length(isShort: some.count < all.count) }
      return .value(try way(found, wanted))
    default: return .value(try way(seen, expected))
    }
  }

  private func isSymbols(_ values: [ExpectationValue]) -> Bool {
    values.allSatisfy { if case .symbol = $0 { true } else { false } }
  }

  /// How one plain value fails to be another.
  private func way(
    _ seen: ExpectationValue, _ expected: ExpectationValue
  ) throws(Unanswerable) -> FailureWay.Value {
    switch (seen, expected) {
    case (.none, _): return .none
    case (.symbol(let name), _): return .symbol(name)
    case (.boolean(let truth), _): return .truth(truth)
    case (.string(let text), _): return text.isEmpty ? .isEmpty : .text(FailureWay.numberless(text))
    case (.list(let elements), _): return elements.isEmpty ? .isEmpty : .list
    case (.table, _), (.timeline, _): return .table
    case (.integer(0), _), (.duration(.zero), _), (.size(.zero), _): return .zero
    case (.decimal(let decimal), _) where decimal.billionths == 0: return .zero
    case (.integer, _), (.duration, _), (.size, _), (.decimal, _):
      if try Quantities.isLess(seen, expected) { return .tooSmall }
      return try Quantities.isLess(expected, seen) ? .tooLarge : .unordered
    }
  }
}
