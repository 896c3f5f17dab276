import SpindleModel

/// `let y: A`, which gets its value later, once on each way.
///
/// Source: *The Swift Programming Language*, "Constants and Variables": a constant that has no value yet gets one before it is
/// read for the first time.
extension Lowering {
  /// Declares a name whose value comes later.
  mutating func lowerLateBinding(_ binding: Binding) {
    guard let written = binding.type else { return }
    let errors = checker.diagnosis.count
    var type = checker.type(written)
    if checker.diagnosis.count > errors { type = .unknown }
    let late = frame.late.declare(isVariable: binding.isVariable)
    let mark = scope.count
    declareLate(binding, type)
    // What is said twice is no name of its own.
    guard scope.count > mark else { return }
    scope[Int32(scope.count - 1)].late = late
    noteBinding(binding, type, isAtTop: false)
  }

  private mutating func declareLate(_ binding: Binding, _ type: ValueType) {
    if hasCell(binding.name, isVariable: binding.isVariable) {
      return declareEmptyCell(binding.name, type, binding.name.range)
    }
    let life = lifeKind(type)
    let owner = life.map { frame.owner($0) }
    let register = owner?.register ?? frame.allocate()
    let declared = declareLocal(
      binding.name, binding.isVariable ? .variable(register) : .register(register), type,
      isExpectedToBeUsed: true, owner: owner)
    if let declared {
      scope[declared].canBeShared = binding.isVariable
      scope[declared].isKept = life.map { isToTheEnd($0) } ?? false
    }
  }

  /// Notes that a name is read, and reports it where it may be without a value.
  mutating func noteReading(_ index: Int32, _ range: SourceRange) {
    guard scope[index].late >= 0 else { return }
    let (late, owner) = (scope[index].late, Int(scope[index].frame))
    guard frame.isReachable, !code.hasValue(late, inFrame: owner) else { return }
    let name = scope[index].name.text
    error(
      owner == depth ? Messages.noValueYet(name) : Messages.noValueForClosure(name), range)
    // Once is enough.
    code.forgive(late, inFrame: owner)
  }

  /// Notes that a name is about to be set: who changes it reads it, and so does a closure that shares it.
  mutating func noteAssigning(_ index: Int32, isChange: Bool, _ range: SourceRange) {
    let isOutside = Int(scope[index].frame) != depth
    if isOutside, case .register = scope[index].meaning { return }
    if isChange || isOutside { noteReading(index, range) }
  }

  /// Notes that a name has a value now, and reports a second one.
  mutating func noteSetting(_ index: Int32, _ range: SourceRange) {
    let late = scope[index].late
    guard late >= 0, frame.isReachable, Int(scope[index].frame) == depth else { return }
    guard case .again = frame.late.set(late, range) else { return }
    error(Messages.secondValue(scope[index].name.text), range)
    frame.late.forgive(late)
  }

  /// Ends the scope of names.
  mutating func closeLate(from mark: Int) {
    for index in mark..<max(mark, scope.count) where scope[Int32(index)].late >= 0 {
      frame.late.close(scope[Int32(index)].late)
    }
  }

  /// Reports each `let` that a loop sets again.
  mutating func judgeLateValues() {
    for fault in frame.late.faults {
      error(Messages.secondValue(source.text(in: fault.place)), fault.place)
    }
  }
}
