import SpindleLanguage
import SpindleModel
import SpindleReports

/// One `--over` of a search: a scale, or a list.
struct TuneAxis: Sendable {
  private let axis: VariantAxis
  private let scale: ValueScale?

  /// Reads `NAME=LOW...HIGH` or `NAME=LIST`.
  init(_ assignment: Overrides.Assignment, _ program: Program) throws(CommandFailure) {
    let subject = VariantAxis.Subject(assignment.name, of: program)
    scale = try TuneAxis.scale(assignment, subject)
    axis =
      scale != nil
      ? VariantAxis(subject: subject, values: [])
      : try VariantAxis(subject, list: assignment.value, option: "--over")
        .expanded(by: program.parameters)
  }

  /// What is searched.
  var search: TuneSearch.Axis { scale.map { .scale($0) } ?? .list(axis.values.count) }

  /// What it is called.
  var name: String { axis.name }

  /// The variant at a point.
  static func variant(
    _ axes: [TuneAxis], _ point: TuneSearch.Point, base: Overrides
  ) -> TraceVariant {
    precondition(
      axes.count == point.count, "a point of \(point.count) values has \(axes.count) axes")
    let single = zip(axes, point).map { axis, value in
      VariantAxis(
        subject: axis.axis.subject,
        values: [axis.scale?.text(value) ?? axis.axis.values[Int(value)]])
    }
    return VariantAxis.variant(single, at: single.map { _ in 0 }, base: base)
  }

  /// The scale of a parameter or of cores between two bounds; nil for a list.
  private static func scale(
    _ assignment: Overrides.Assignment, _ subject: VariantAxis.Subject
  ) throws(CommandFailure) -> ValueScale? {
    switch subject {
    case .parameter, .cores: break
    case .policy, .replacement, .platform, .costs, .seed, .file, .schedule: return nil
    }
    let text = assignment.value
    guard let dots = RangeText.dots(text), text[dots].count == 3, !text.contains(","),
      !text.contains(" by "), !text.contains("\"")
    else { return nil }
    guard let low = RangeText.value(ListText.trimmed(text[..<dots.lowerBound])),
      let high = RangeText.value(ListText.trimmed(text[dots.upperBound...])),
      low.kind == high.kind
    else {
      throw .usage(UsageText.axisForm(text))
    }
    guard low.value < high.value else {
      throw .usage(UsageText.axisOrder(text))
    }
    return ValueScale(low.kind, from: low.value, to: high.value)
  }
}
