import SpindleModel

/// What cores draw.
extension SettingsCompiler {
  /// `busyMilliwatts: 3000, idleMilliwatts: 100`; one that is left out is 0, and nil where both are.
  func power(
    _ busy: Actual, _ idle: Actual, _ call: Node<Expression.Call>,
    _ reader: inout some ConstantReader
  ) -> CorePower? {
    let (drawnBusy, drawnIdle) = (
      milliwatts(busy, "busyMilliwatts", call, &reader),
      milliwatts(idle, "idleMilliwatts", call, &reader)
    )
    if drawnBusy == nil && drawnIdle == nil { return nil }
    return CorePower(busy: drawnBusy ?? 0, idle: drawnIdle ?? 0)
  }

  private func milliwatts(
    _ actual: Actual, _ label: String, _ call: Node<Expression.Call>,
    _ reader: inout some ConstantReader
  ) -> Int64? {
    guard case .argument(let ordinal) = actual else { return nil }
    let expression = call.arguments[ordinal].value
    guard let value = reader.constant(expression, .integer)?.constant else { return nil }
    if value < 0 {
      reader.error(Messages.tooSmall(label, least: "0"), expression.range)
    } else if value > CorePower.largest {
      reader.error(Messages.tooLarge(label, most: "\(CorePower.largest)"), expression.range)
    }
    return value
  }
}
