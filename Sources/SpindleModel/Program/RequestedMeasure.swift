/// Something that the command line asks of a run in the language of expectations: `--measure`.
public struct RequestedMeasure: Hashable, Sendable {
  /// The option that asks: `--measure`.
  public var option: String
  /// As it was written, without the spaces around it.
  public var text: String
  /// What its values are.
  public var unit: MeasureUnit
  /// What is computed when a run has ended.
  package var term: ExpectationTerm

  /// Creates a request.
  package init(option: String, text: String, unit: MeasureUnit, term: ExpectationTerm) {
    (self.option, self.text, self.unit, self.term) = (option, text, unit, term)
  }
}

/// What the values of a measure are, and so how they are computed with and written.
public enum MeasureUnit: String, Hashable, Sendable, CaseIterable {
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
