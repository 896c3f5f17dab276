import SpindleModel

/// Ratchets: `best(makespan) ± 2%`.
extension ExpectationCompiler {
  /// The term of an expectation that is a ratchet; nil when it is something else, or was refused.
  mutating func best(_ expression: Grammar.Expression, _ reader: inout OutlineReader) -> TypedTerm?
  {
    var (ratchet, width): (Grammar.Expression, Grammar.Expression?) = (expression, nil)
    if let sides = expression.sides, sides.operation == .plusMinus {
      (ratchet, width) = (sides.left, sides.right)
    }
    guard case .call(let call) = ratchet.kind, case .name(let name, _) = call.callee.kind,
      name == Vocabulary.best, reader.find(name) == nil
    else { return nil }
    if call.arguments.isEmpty {
      reader.error(Messages.incompleteMeasure(Vocabulary.best), call.callee.range)
      return refused
    }
    let formals = [Formal(label: nil, type: .unknown, isOptional: false, slot: 0)]
    guard reader.match(formals, call, name: Vocabulary.best, call.callee.range) != nil else {
      return refused
    }
    let asked = call.arguments[0].value
    guard let made = term(asked, &reader) else {
      refuseLost(asked, &reader)
      return refused
    }
    guard case .plain(let type) = made.type, type.isOrdered,
      let better = MeasurePreference(made.term)
    else {
      if made.type != .plain(.unknown) {
        reader.error(Messages.noBest(reader.source.text(in: asked.range)), asked.range)
      }
      return refused
    }
    var allowed: ExpectationTerm.Tolerance?
    if let width {
      guard let tolerance = tolerance(width, .equal, type, &reader) else { return refused }
      allowed = tolerance
    }
    return TypedTerm(term: .best(made.term, better, allowed), type: .plain(.boolean))
  }

  /// What stands for a ratchet of which an error has been told.
  private var refused: TypedTerm {
    TypedTerm(term: .value(.boolean(true)), type: .plain(.unknown))
  }
}
