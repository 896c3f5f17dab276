import SpindleModel

/// What expectations compute from the values at the top when the run is over.
extension Lowering {
  mutating func finalValue(of expression: Expression) -> (global: GlobalID, type: ValueType)? {
    let (range, errors) = (expression.range, checker.diagnosis.count)
    let block = reserveBlock()
    beginFrame(.asked, name: intern("value"))
    frame.asynchrony.isOver = true
    let register = frame.allocate()
    let made = storable(value(expression, target: register), range)
    place(kept(made, isVariable: true), in: register, range)
    emit(.finishWith(register), range)
    frame.isReachable = false
    endFrame(block, range)
    if made.type == .unknown {
      if checker.diagnosis.count == errors {
        error(Messages.notATopValue(source.text(in: range)), range)
      }
      return nil
    }
    let global = GlobalID(program.globals.count)
    program.globals.append(
      Global(
        name: source.text(in: range), format: made.type.format, told: made.type.toldFormat,
        isVariable: true, place: range, handle: made.type.handle, isClosure: made.type.isFunction))
    program.finalValues.append(FinalValue(block: block, global: global))
    return (global, made.type)
  }
}
