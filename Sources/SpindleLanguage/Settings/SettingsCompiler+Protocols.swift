import SpindleModel

/// What a machine says of the priority of who has a lock.
extension SettingsCompiler {
  mutating func applyResourceProtocol(
    _ setting: Grammar.Setting, _ reader: inout OutlineReader
  ) {
    guard
      let chosen: ResourceProtocol = oneOf("resource protocol", setting.value, &reader)
    else { return }
    choose(chosen, setting, &reader)
  }

  /// `priorityInheritance: true`, which is short for `.inheritance`, and `false` for `.none`.
  mutating func applyPriorityInheritance(
    _ setting: Grammar.Setting, _ reader: inout OutlineReader
  ) {
    guard let truth = reader.constant(setting.value, .boolean)?.constant else { return }
    choose(truth != 0 ? .inheritance : .none, setting, &reader)
  }

  private mutating func choose(
    _ chosen: ResourceProtocol, _ setting: Grammar.Setting, _ reader: inout OutlineReader
  ) {
    if machine.resourceProtocol != nil {
      reader.error(Messages.twoProtocols, setting.name.range)
      return
    }
    machine.resourceProtocol = chosen
  }
}
