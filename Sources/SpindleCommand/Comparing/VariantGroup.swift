import SpindleLanguage
import SpindleModel

/// Variants that differ in the value of one axis only, to be compared in pairs.
struct VariantGroup: Sendable {
  /// What its variants have in common; empty when no other axis is given.
  let label: String
  /// Its variants, with what tells each from the others.
  let designs: [TraceVariant]

  /// One group for each combination of all axes but the first that has several values, which varies
  /// in each group; nil when none has.
  ///
  /// `parameters` are those of the trace.
  static func groups(
    _ axes: [VariantAxis], base: Overrides, parameters: [Parameter]
  ) -> [VariantGroup]? {
    guard let index = axes.firstIndex(where: { $0.values.count > 1 }) else { return nil }
    var others = axes
    let axis = others.remove(at: index)
    return VariantAxis.variants(others, base: base).map { common in
      var designs = VariantAxis.variants([axis], base: common.overrides)
      for number in designs.indices where axis.subject != .file {
        designs[number].file = common.file
      }
      if let words = axis.words(parameters) {
        for (number, word) in words.enumerated() { designs[number].label = word }
      }
      return VariantGroup(label: common.label, designs: designs)
    }
  }
}

extension VariantAxis {
  /// The values of a parameter that is a text, without quotes; nil for another axis.
  ///
  /// In sentences they are names enough.
  fileprivate func words(_ parameters: [Parameter]) -> [String]? {
    guard case .parameter(let name) = subject,
      parameters.first(where: { $0.name == name })?.value.hasPrefix("\"") == true
    else { return nil }
    return values.map { value in
      value.hasPrefix("\"") && value.hasSuffix("\"") && value.count > 1
        ? String(value.dropFirst().dropLast()) : value
    }
  }
}
