/// Something that the command line asks of a run in the language of expectations: `--measure`.
@usableFromInline package struct RequestedMeasure: Hashable, Sendable {
  /// The option that asks: `--measure`.
  @usableFromInline package var option: String
  /// As it was written, without the spaces around it.
  @usableFromInline package var text: String
  /// What its values are.
  @usableFromInline package var unit: MeasureUnit
  /// What is computed when a run has ended.
  package var term: ExpectationTerm
  /// What its comparisons are about: each side that is no constant, as it was written.
  package var sides: [ComparedSide]

  /// Creates a request.
  package init(
    option: String, text: String, unit: MeasureUnit, term: ExpectationTerm,
    sides: [ComparedSide] = []
  ) {
    (self.option, self.text, self.unit, self.term) = (option, text, unit, term)
    self.sides = sides
  }
}

/// A side of a comparison that depends on the run.
package struct ComparedSide: Hashable, Sendable {
  /// As it was written.
  package var text: String
  /// Which of several values is the farthest from meeting the comparison; nil where no order says so.
  package var worst: Extreme?

  /// One end of several values.
  package enum Extreme: Hashable, Sendable { case least, greatest }

  /// Creates a side.
  package init(text: String, worst: Extreme?) { (self.text, self.worst) = (text, worst) }
}

/// What the values of a measure are, and so how they are computed with and written.
@usableFromInline package enum MeasureUnit: String, Hashable, Sendable, CaseIterable {
  /// A whole number.
  case count
  /// Nanoseconds.
  case duration
  /// Bytes.
  case size
  /// Billionths.
  case decimal
  /// Billionths of a whole, written in percent.
  case share
  /// 0 or 1.
  case truth
  /// A text, with which nothing is computed.
  case text
}
