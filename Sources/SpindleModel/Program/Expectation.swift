/// What must hold when a run ends.
@usableFromInline package struct Expectation: Hashable, Sendable {
  /// A term whose value is a truth.
  package var condition: ExpectationTerm
  /// Where it stands in the trace.
  @usableFromInline package var place: SourceRange

  /// Creates an expectation.
  package init(condition: ExpectationTerm, place: SourceRange) {
    (self.condition, self.place) = (condition, place)
  }
}

/// A checked expression of an `expect` block, with parameters already bound.
package indirect enum ExpectationTerm: Hashable, Sendable {
  /// A constant.
  case value(ExpectationValue)
  /// Something that a run tells: `outcome`, `latency("image*").p95`.
  case measure(Measure)
  /// A comparison; a tolerance widens `==` and `!=`.
  case compare(Relation, ExpectationTerm, ExpectationTerm, Tolerance?)
  /// A sum, difference, product, quotient or remainder.
  case arithmetic(Arithmetic, ExpectationTerm, ExpectationTerm)
  case and(ExpectationTerm, ExpectationTerm)
  case or(ExpectationTerm, ExpectationTerm)
  case not(ExpectationTerm)
  /// A ratchet: whether a number is no worse than the best that was recorded, or not by more than that.
  case best(ExpectationTerm, MeasurePreference, Tolerance?)

  /// How two values are compared.
  package enum Relation: String, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// The second text stands somewhere in the first.
    case contains = "contains"
    /// The first text begins with the second.
    case hasPrefix = "hasPrefix"
    /// The first text ends with the second.
    case hasSuffix = "hasSuffix"
  }

  /// How two values are joined.
  package enum Arithmetic: String, Hashable, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
  }

  /// How far a value may lie from the one that is expected.
  package enum Tolerance: Hashable, Sendable {
    /// Hundredths of the expected value: `± 2%`.
    case percent(FixedDecimal)
    /// A quantity like the expected one: `± 5ms`.
    case absolute(Int64)
  }
}

/// What can be asked of a run that has ended.
package enum Measure: Hashable, Sendable {
  // The run.
  case outcome, makespan, output, findings, values, crashMessage, crashPlace
  /// The value of a `var` at the top when the run ended.
  case finalValue(GlobalID)

  // Marks with their times: all, or one thread's.
  case timeline(of: ObjectReference?, within: Nanoseconds)

  // One item by its unique name.
  case started(String), ended(String), threadOf(String), cpu(of: ObjectReference)
  /// Where an operation was in its life when the run ended.
  case state(of: ObjectReference)
  /// How many different threads ran the items.
  case threadCount(of: [String])
  /// Whether each one ended before the next began.
  case order([String])

  // Kinds of work by pattern.
  case itemTime(ItemTime, String, Statistic), count(of: String), runningPeak(String)
  /// How many ended in a second.
  case rate(of: String)

  // Values that the trace measures itself, by the patterns of their keys.
  case sampleValue(Samples, Statistic), sampleCount(Samples)

  // Times between two points, and the share of times above a limit.
  case spanTime(Span, Statistic), spanCount(Span), openSpans(Span), share(above: Limit)

  // The machine.
  case threadsPeak, threadsCreated, threadsLive, threadsCreatedBy(ObjectReference)
  case memoryPeak, switches, migrations, clusterMigrations, cacheRefills, cacheRefillTime
  case utilization, mainLongestStall, energy

  /// Which time of an item of work.
  package enum ItemTime: String, Hashable, Sendable, CaseIterable {
    /// From being handed over to its end: the time in the system, or turnaround time.
    case latency
    /// From being handed over to its beginning: the queueing delay. Textbooks on scheduling call it response time.
    case wait
    /// All time in which it could have run and had no core, before it began and after: what textbooks on
    /// scheduling call waiting time.
    case waiting
    /// From the arrival from outside that led to it, over everything that handed the work on, to its end.
    case sinceArrival = "latency from arrival"

    /// The time of some work as expectations spell it: `latency("request*", from: .arrival)`.
    package func spelled(of pattern: String) -> String {
      self == .sinceArrival ? "latency(\(pattern), from: .arrival)" : "\(rawValue)(\(pattern))"
    }
  }

  /// From one point of a run to another one: a mark, or an item's submission, then its end.
  package struct Span: Hashable, Sendable {
    /// The name or pattern of the points where the times begin.
    package var start: String
    /// The name or pattern of the points where they end.
    package var end: String

    /// Creates a span.
    package init(from start: String, to end: String) { (self.start, self.end) = (start, end) }
  }

  /// What was given to `sample` under the keys of a pattern.
  package struct Samples: Hashable, Sendable {
    /// The key, or a pattern of keys.
    package var pattern: String
    /// What their values are.
    package var format: ValueFormat

    /// Creates samples.
    package init(_ pattern: String, _ format: ValueFormat) {
      (self.pattern, self.format) = (pattern, format)
    }
  }

  /// Values of which a share is asked.
  package enum Quantities: Hashable, Sendable {
    case items(ItemTime, String)
    case span(Span)
    case samples(Samples)
  }

  /// A limit of values.
  package struct Limit: Hashable, Sendable {
    /// Which values.
    package var quantities: Quantities
    /// The greatest value that is not above it; of times in nanoseconds.
    package var greatest: Int64

    /// Creates a limit.
    package init(of quantities: Quantities, _ greatest: Int64) {
      (self.quantities, self.greatest) = (quantities, greatest)
    }
  }

  /// What is asked of a distribution of times.
  package enum Statistic: String, Hashable, Sendable, CaseIterable {
    case mean, min, p50, p90, p95, p99, max
  }

  /// An object of the trace that can be named at its end.
  package enum ObjectReference: Hashable, Sendable {
    /// The value of a `let` at the top.
    case global(GlobalID)
    /// An element of an array at the top.
    case element(GlobalID, index: Int64)
    /// A thread by its name.
    case named(String)
  }
}

/// A constant in an expectation.
package indirect enum ExpectationValue: Hashable, Sendable {
  case integer(Int64)
  case boolean(Bool)
  case duration(Nanoseconds)
  case size(ByteCount)
  case decimal(FixedDecimal)
  case string(String)
  /// A name with a point in front: `.finished`.
  case symbol(String)
  case list([ExpectationValue])
  /// `["key": value]`, in the order of the text.
  case table([TableRow])
  /// `[0s: "a", 1s: any("b", "c")]`, in the order of the text.
  case timeline([TimelineRow])
  /// `nil`.
  case none

  /// A key with its value.
  package struct TableRow: Hashable, Sendable {
    package var key: String
    package var value: ExpectationValue

    /// Creates a row.
    package init(key: String, value: ExpectationValue) {
      (self.key, self.value) = (key, value)
    }
  }

  /// One entry of a timeline: when, and which marks.
  package struct TimelineRow: Hashable, Sendable {
    /// The earliest moment at which the marks may stand.
    package var earliest: Instant
    /// The latest moment at which the marks may stand.
    package var latest: Instant
    /// One label, or for `any(…)` several that may come in any order.
    package var labels: [String]

    /// Creates an entry.
    package init(earliest: Instant, latest: Instant, labels: [String]) {
      (self.earliest, self.latest, self.labels) = (earliest, latest, labels)
    }
  }
}
