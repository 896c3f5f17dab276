import SpindleModel

/// What cores draw.
extension SettingsCompiler {
  /// `busyMilliwatts: 3000, idleMilliwatts: 100`; one that is left out is 0, and nil where both are.
  func power(
    _ busy: Grammar.Expression?, _ idle: Grammar.Expression?, _ reader: inout OutlineReader
  ) -> CorePower? {
    let (drawnBusy, drawnIdle) = (
      milliwatts(busy, "busyMilliwatts", &reader),
      milliwatts(idle, "idleMilliwatts", &reader)
    )
    if drawnBusy == nil && drawnIdle == nil { return nil }
    return CorePower(busy: drawnBusy ?? 0, idle: drawnIdle ?? 0)
  }

  private func milliwatts(
    _ expression: Grammar.Expression?, _ label: String, _ reader: inout OutlineReader
  ) -> Int64? {
    guard let expression, let value = reader.constant(expression, .integer)?.constant else {
      return nil
    }
    if value < 0 {
      reader.error(Messages.tooSmall(label, least: "0"), expression.range)
    } else if value > CorePower.largest {
      reader.error(Messages.tooLarge(label, most: "\(CorePower.largest)"), expression.range)
    }
    return value
  }
}
