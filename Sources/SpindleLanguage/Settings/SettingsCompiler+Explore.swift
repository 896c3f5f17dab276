import SpindleModel

/// What an `explore` block asks.
extension SettingsCompiler {
  mutating func applyExploreSettings(
    _ settings: [Grammar.Setting], at place: SourceRange, _ reader: inout OutlineReader
  ) {
    var asked = RequestedExploration(place: place)
    for setting in distinct(settings, ["runs", "reversals", "late"], "explore", &reader) {
      let value = setting.value
      switch setting.name.text {
      case "late":
        guard let late = reader.constant(value, .duration)?.constant else { continue }
        if late <= 0 { reader.error(Messages.positive("late"), value.range) }
        asked.late = Nanoseconds(late)
      case let name:
        guard let count = reader.constant(value, .integer)?.constant else { continue }
        if count <= 0 { reader.error(Messages.positive(name), value.range) }
        if name == "runs" { asked.runs = Int(count) } else { asked.reversals = Int(count) }
      }
    }
    exploration = asked
  }
}
