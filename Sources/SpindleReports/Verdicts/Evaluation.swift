import SpindleModel

/// Why a measure has no value in a run: a name that is not unique, an item that never ran.
struct Unanswerable: Error {
  /// Why a term has no answer.
  enum Cause: Hashable {
    /// The element does not exist.
    case noElement
    /// It never came about: no item, thread, mark or value has the name.
    case never
    /// It began, and never ended.
    case neverEnded
    /// It is not a kind of thing that can be asked for this.
    case notAnswering
    /// Several things have the name.
    case notOne
    /// The values can't be compared or calculated with.
    case notComparable
    /// A division by zero, or a number past 64 bits.
    case outOfRange
  }

  /// Why it has none.
  let cause: Cause
  /// One sentence without a full stop, in the words of the trace.
  let explanation: String
}

/// A run that has ended, to be asked whether terms hold in it.
struct Evaluation {
  let program: Program
  let metrics: RunMetrics
  let record: RunRecord
  let names: NameTable
  let observations: Observations
  /// The place of each pattern among the kinds of the metrics, that of the kind that the trace named
  /// before that of another.
  private let kindIndices: [String: Int]

  init(
    program: Program, metrics: RunMetrics, record: RunRecord, names: NameTable,
    observations: Observations
  ) {
    (self.program, self.metrics, self.record) = (program, metrics, record)
    (self.names, self.observations) = (names, observations)
    kindIndices = Dictionary(
      metrics.kinds.indices.map { (metrics.kinds[$0].pattern, $0) },
      uniquingKeysWith: { first, second in
        !metrics.kinds[first].isNamed && metrics.kinds[second].isNamed ? second : first
      })
  }

  /// The numbers of the kind with this pattern; nil when the run had no work of it.
  func metrics(ofKind pattern: String) -> KindMetrics? {
    kindIndices[pattern].map { metrics.kinds[$0] }
  }

  /// Whether a term whose value is a truth holds.
  func holds(_ term: ExpectationTerm) throws(Unanswerable) -> Bool {
    switch term {
    case .compare(let comparison, let left, let right, let tolerance):
      return try holds(comparison, left, right, tolerance)
    case .and(let left, let right):
      guard try holds(left) else { return false }
      return try holds(right)
    case .or(let left, let right):
      if try holds(left) { return true }
      return try holds(right)
    case .not(let inner): return try !holds(inner)
    case .best(let inner, _, _):
      // Whether it is worse than the record is decided by the code that has the record.
      _ = try value(inner)
      return true
    case .value, .measure, .arithmetic:
      guard case .boolean(let truth) = try value(term) else {
        throw Unanswerable(
          cause: .notComparable, explanation: "an expectation is a truth or a comparison")
      }
      return truth
    }
  }

  /// The value of a term.
  func value(_ term: ExpectationTerm) throws(Unanswerable) -> ExpectationValue {
    switch term {
    case .value(let value): return value
    case .measure(let measure): return try value(measure)
    case .arithmetic(let operation, let left, let right):
      return try Quantities.result(operation, value(left), value(right))
    case .compare, .and, .or, .not, .best: return .boolean(try holds(term))
    }
  }

  private func holds(
    _ comparison: ExpectationTerm.Relation, _ left: ExpectationTerm, _ right: ExpectationTerm,
    _ tolerance: ExpectationTerm.Tolerance?
  ) throws(Unanswerable) -> Bool {
    if let timeline = timelineDifference(left, right) {
      return try negated(comparison, isEqual: timeline.difference == nil)
    }
    let seen = try value(left)
    let expected = try value(right)
    if isSet(left) || isSet(right) {
      return try negated(comparison, isEqual: isSubset(seen, expected) && isSubset(expected, seen))
    }
    switch comparison {
    case .equal: return Quantities.areEqual(seen, expected, tolerance)
    case .notEqual: return !Quantities.areEqual(seen, expected, tolerance)
    case .less: return try Quantities.isLess(seen, expected)
    case .lessOrEqual: return try !Quantities.isLess(expected, seen)
    case .greater: return try Quantities.isLess(expected, seen)
    case .greaterOrEqual: return try !Quantities.isLess(seen, expected)
    case .contains, .hasPrefix, .hasSuffix:
      guard case .string(let text) = seen, case .string(let part) = expected else { return false }
      if comparison == .hasPrefix { return text.hasPrefix(part) }
      if comparison == .hasSuffix { return text.hasSuffix(part) }
      return part.isEmpty || text.firstRange(of: part) != nil
    }
  }

  private func negated(
    _ comparison: ExpectationTerm.Relation, isEqual: Bool
  ) throws(Unanswerable) -> Bool {
    switch comparison {
    case .equal: return isEqual
    case .notEqual: return !isEqual
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .contains, .hasPrefix, .hasSuffix:
      throw Unanswerable(
        cause: .notComparable, explanation: "these values have no order; compare them with == or !="
      )
    }
  }

  /// Whether a term's elements are compared without regard to order and repetition.
  private func isSet(_ term: ExpectationTerm) -> Bool {
    switch term {
    case .measure(.findings), .measure(.values), .value(.table): true
    default: false
    }
  }

  private func isSubset(_ left: ExpectationValue, _ right: ExpectationValue) -> Bool {
    switch (left, right) {
    case (.list(let some), .list(let all)):
      Set(some.map(Quantities.canonical)).isSubset(of: all.map(Quantities.canonical))
    case (.table(let some), .table(let all)):
      Set(some.map(canonical)).isSubset(of: all.map(canonical))
    case (.list(let some), .table(let rows)): some.isEmpty && rows.isEmpty
    case (.table(let rows), .list(let some)): some.isEmpty && rows.isEmpty
    default: false
    }
  }

  private func canonical(_ row: ExpectationValue.TableRow) -> ExpectationValue.TableRow {
    .init(key: row.key, value: Quantities.canonical(row.value))
  }

  /// What a register's or variable's value is as a constant.
  func constant(_ value: Int64, _ format: ValueFormat) -> ExpectationValue {
    if value == noValue { return .none }
    switch format {
    case .integer, .array: return .integer(value)
    case .boolean: return .boolean(value != 0)
    case .duration, .instant: return .duration(Nanoseconds(value))
    case .size: return .size(ByteCount(value))
    case .decimal: return .decimal(FixedDecimal(billionths: value))
    case .string, .quoted: return .string(ValueText.name(value, names))
    case .symbol: return .symbol(ValueText.name(value, names))
    case .thread: return .string(observations.name(of: value) ?? "")
    case .object: return .string("object \(value)")
    }
  }
}
