import SpindleModel

/// What only some runs of a trace expect, and what `expect` does not take.
extension ExpectationCompiler {
  /// Names of what is refused are known all the same.
  func declareNames(of declaration: Grammar.Declaration, _ reader: inout OutlineReader) {
    guard case .variable(let variable) = declaration.kind else { return }
    for entry in variable.entries {
      guard case .name(let name, _) = entry.pattern.kind, reader.find(name.text) == nil else {
        continue
      }
      reader.declare(name, .unknown)
    }
  }

  /// `if platform == .linux { … } else { … }`: the expectations of one branch count, and all are checked.
  mutating func compile(
    _ choice: Grammar.Conditional, isTaken: Bool, _ reader: inout OutlineReader
  ) {
    var truth: Int64 = 1
    for condition in choice.conditions {
      guard case .expression(let expression) = condition else {
        reader.error(Messages.notAnExpectation, choice.body.range)
        continue
      }
      let known = parameterCondition(expression, &reader)
      if known == nil { refuseLost(expression, &reader) }
      truth = min(truth, known ?? 0)
    }
    compile(choice.body, isTaken: isTaken && truth != 0, &reader)
    if let otherwise = choice.otherwise {
      compile(otherwise, isTaken: isTaken && truth == 0, &reader)
    }
  }
}
