import SpindleModel

/// Values that must be known before the run: what is made of them is thrown away.
extension Lowering: ProgramReader {
  var kinds: [WorkKind] { code.kinds }

  var hasAnyName: Bool { code.hasAnyName }

  var samples: [CodeBuilder.SampleUse] { code.samples }

  func performs(_ primitive: Primitive) -> Bool { code.performs(primitive) }

  func text(of value: Int64) -> String { names[Int(value)] }

  mutating func constant(
    _ expression: Expression, _ type: ValueType?, formal: Formal?
  ) -> Operand? {
    let count = checker.diagnosis.count
    let made = unrun(expression, expecting: type, as: type)
    guard made.type != .unknown else { return nil }
    guard made.constant != nil else {
      if checker.diagnosis.count == count { error(Messages.notConstant, expression.range) }
      return nil
    }
    if let formal { checker.checkLiteral(expression, made, formal) }
    return made
  }

  mutating func unrun(_ expression: Expression, expecting type: ValueType?) -> Operand {
    unrun(expression, expecting: type, as: nil)
  }

  private mutating func unrun(
    _ expression: Expression, expecting: ValueType?, as type: ValueType?
  ) -> Operand {
    let depth = self.depth
    beginFrame(.anywhere, name: .none)
    frame.isReachable = false
    var made = value(expression, expecting: expecting)
    if let type { made = coerce(made, to: type, expression.range) }
    demand(frame.code.count == 0, "what is never reached makes no code")
    abandonFrame()
    demand(self.depth == depth, "blocks are left as they were entered")
    return made
  }
}
