import SpindleModel

/// What the world outside would do behind the end of the run.
enum LateArrivals {
  /// Warns of each `at` whose moment lies behind `until`.
  static func check(_ program: TypedProgram, until: Instant?) {
    guard let until else { return }
    for section in program.sections {
      guard case .arrival(let value, _) = section, case .call(let call) = value.kind,
        case .function(let symbol) = call.callee, case .builtin("at") = symbol.implementation,
        case .value(let moment)? = call.arguments.first, let length = length(moment),
        Instant(length) > until
      else { continue }
      program.table.warn(Messages.pastTheEnd("\(until)"), moment.range)
    }
  }

  /// The length that is written out; nil for what a parameter has, or what is computed.
  private static func length(_ value: Typed.Expression) -> Int64? {
    switch value.kind {
    case .constant(let length): value.isParameter ? nil : length
    case .conversion(let inner): length(inner)
    default: nil
    }
  }
}
