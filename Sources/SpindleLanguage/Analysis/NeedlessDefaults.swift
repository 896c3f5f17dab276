import SpindleModel

/// `a ?? b` where `a` is never nil.
enum NeedlessDefaults {
  /// Warns of each default that is never used, at its sign.
  static func check(_ program: TypedProgram) {
    let table = program.table
    for (value, sign) in program.bodies.presentValues {
      let text = table.source.text(in: value.range)
      table.warn(
        Messages.neverNil(text, "\(value.type)", without: "'??' and what follows"), sign)
    }
  }
}
