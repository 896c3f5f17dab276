import SpindleModel

/// Names that a condition binds: `if let x = a`, `while let`, `guard let`.
extension Lowering {
  /// Whether a condition binds a name.
  func binds(_ condition: Expression) -> Bool {
    switch condition.kind {
    case .condition, .match: true
    case .infix(.and, let sides): binds(sides.left) || binds(sides.right)
    default: false
    }
  }

  /// A condition with what it binds, up to `closeCondition`.
  struct OpenCondition {
    fileprivate var mark: Int
    fileprivate var outerStart: Int
  }

  /// Begins the names of a condition; nil for one that binds none.
  mutating func openCondition(_ condition: Expression) -> OpenCondition? {
    guard binds(condition) else { return nil }
    defer { blockStart = scope.count }
    return OpenCondition(mark: scope.count, outerStart: blockStart)
  }

  /// Ends them.
  mutating func closeCondition(_ open: OpenCondition?) {
    guard let open else { return }
    closeScope(downTo: open.mark)
    blockStart = open.outerStart
  }

  /// `guard let x = a else { }`: the names are there behind it, and not in its body.
  mutating func lowerBindingGuard(_ condition: Expression, _ body: CodeBlock) {
    let (mark, outerStart) = (scope.count, blockStart)
    let (otherwise, next) = (frame.label(), frame.label())
    let (temporaries, lives) = (frame.temporaries.count, frame.owned.count)
    blockStart = mark
    branch(condition, when: false, to: otherwise)
    releaseTemporaries(from: temporaries, condition.range)
    let held = frame.owned.count
    blockStart = outerStart
    let bound = scope.symbols[mark...].map { $0 }
    scope.close(downTo: mark)
    let (isReached, isReachedOtherwise) = (frame.isReachable, frame.isReachableOtherwise)
    frame.jump(next, condition.range)
    frame.mark(otherwise)
    releaseOwners(from: lives, upTo: held, condition.range)
    lowerBlock(body)
    if frame.isReachable { error(Messages.guardFallsThrough, closingBrace(body)) }
    frame.isReachable = false
    frame.mark(next)
    (frame.isReachable, frame.isReachableOtherwise) = (isReached, isReachedOtherwise)
    for symbol in bound {
      if let earlier = scope.find(symbol.name), Int(earlier) >= blockStart,
        scope[earlier].frame == symbol.frame
      {
        let line = checker.line(scope[earlier].place)
        error(Messages.redeclared(symbol.name.text, line: line), symbol.place)
      } else {
        scope.declare(symbol)
      }
    }
  }

  /// Jumps to `label` when there is a value to bind, or none, as `wanted` says.
  mutating func branchBinding(_ binding: Binding, when wanted: Bool, to label: Frame.Label) {
    let range = binding.value.range
    if isOwnName(binding.value), binding.name.word == words.own {
      // What is no object is never gone: `guard let self`.
      if wanted { frame.jump(label, range) }
      return
    }
    let annotated = binding.type.map { checker.type($0) }
    let plain = frame.pinned()
    var made = optional(
      value(
        binding.value, expecting: annotated.map { .optional($0) } ?? presence(of: binding.value)),
      binding.value)
    if let annotated, !made.type.isUnknown { made = coerce(made, to: .optional(annotated), range) }
    guard case .optionalOf(let wrapped) = made.type else {
      if !made.type.isUnknown {
        let text = source.text(in: range)
        error(
          made.type == .null
            ? Messages.untypedNil
            : Messages.neverNil(text, "\(made.type)", without: "the 'let'"), range)
      }
      _ = frame.target(label)
      declareLocal(binding.name, .register(plain), .unknown)
      return
    }
    let value = kept(made, isVariable: binding.isVariable)
    let isShared = hasCell(binding.name, isVariable: binding.isVariable) && !wanted
    let isNameless = binding.name.word.isUnderscore
    let owner = isShared || isNameless ? nil : keeper(of: value, range)
    let register = owner?.register ?? plain
    if owner == nil { place(value, in: register, range) }
    if wanted {
      jump(ifPresent: register, to: label, range)
    } else {
      jump(ifMissing: register, to: label, range)
    }
    if isShared {
      return declareCell(binding.name, .register(register, wrapped.type), range)
    }
    let declared = declareLocal(
      binding.name, binding.isVariable ? .variable(register) : .register(register), wrapped.type,
      isExpectedToBeUsed: !binding.isVariable && binding.name.word != words.own, owner: owner)
    if let declared { scope[declared].canBeShared = binding.isVariable && !wanted }
  }
}
