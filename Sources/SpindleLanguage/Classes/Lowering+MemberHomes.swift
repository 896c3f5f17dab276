import SpindleModel

/// Members that belong to an actor, and are used from elsewhere.
extension Lowering {
  /// Where an `init` runs: what a `struct` is given by itself runs where it is called.
  ///
  /// Source: SE-0316; SE-0411.
  func isolation(
    of initializer: TypeDeclaration.Initializer, in declaration: TypeDeclaration, _ info: ClassInfo
  ) -> Isolation {
    if info.isActor { return .own }
    if initializer.range == info.name.range { return .unspecified }
    return initializer.isolation.isUnspecified ? declaration.isolation : initializer.isolation
  }

  /// What comes before an `init` and behind it, where it belongs to an actor.
  ///
  /// One that is not written runs where its class belongs if that is awaited and its fields have values that run code.
  /// Source: SE-0411.
  mutating func hop(
    to signature: FunctionSignature, of info: ClassInfo, _ call: CallSite, _ actuals: Actuals
  ) -> CallHop {
    let range = call.callee.range
    if signature.isAsync {
      noteSuspension(info.name.text, range)
      return CallHop(before: nil, comesBack: true)
    }
    if !signature.isolation.isUnspecified {
      return beginCall(of: signature, call, actuals, range)
    }
    guard let home = info.home else { return .none }
    noteMaybe()
    let runsCode = info.fields.contains { $0.value.map { !isPlainValue($0) } ?? false }
    guard runsCode, frame.asynchrony.awaits > 0, frame.asynchrony.suspending == .yes,
      isElsewhere(home)
    else { return .none }
    return CallHop(before: .home(home), comesBack: true)
  }

  /// Whether a field's value is written out, so that nothing runs for it.
  private func isPlainValue(_ value: Expression) -> Bool {
    switch value.kind {
    case .integer, .decimal, .duration, .size, .text, .boolean, .none, .implicitMember, .closure:
      true
    case .array(let elements): elements.isEmpty
    case .dictionary(let entries): entries.isEmpty
    default: false
    }
  }

  /// In front of reading a `var` of an actor, or of a class on one, from elsewhere.
  mutating func beginRead(
    _ info: ClassInfo, _ number: Int, of instance: Register, _ range: SourceRange
  ) -> CallHop {
    let isolation = info.fields[number].isolation
    let target: Home? = if case .own = isolation { .object(instance) } else { home(of: isolation) }
    guard let target, isElsewhere(target), visit(target, info.fields[number].name.text, range)
    else { return .none }
    return CallHop(before: .home(target), comesBack: true)
  }

  /// In front of reading what a class itself has and an actor guards, from elsewhere; nil where it is read here.
  ///
  /// Of a `let` that is not awaited Swift's compiler says only in its latest mode.
  mutating func beginStaticRead(_ index: Int32, _ range: SourceRange) -> CallHop? {
    guard let target = statics.homes[index], isElsewhere(target) else { return nil }
    if case .shared = scope[index].meaning {} else if frame.asynchrony.awaits == 0 { return nil }
    guard visit(target, scope[index].name.text, range) else { return nil }
    return CallHop(before: .home(target), comesBack: true)
  }

  /// Reports that a `var` at the top, or of a type itself, which an actor guards is set from elsewhere.
  mutating func checkChange(of index: Int32, _ range: SourceRange) {
    guard let target = statics.homes[index], isElsewhere(target) else { return }
    let name = scope[index].name.text
    if target == .mainActor, frame.asynchrony.suspending != .yes {
      if frame.asynchrony.isOutside { error(Messages.mainActorFromOutside(name), range) }
      return
    }
    var actor = "MainActor"
    if case .global(let number) = target { actor = checker.classes[number].name.text }
    refuseChange(Messages.guardedVariable(name, actor), range)
  }

  /// Reports that a `var` of an actor, or of a class on one, is set from elsewhere.
  ///
  /// What functions do that can't wait is left to Swift's compiler, as reading there is.
  mutating func checkChange(
    _ info: ClassInfo, _ number: Int, of symbol: Int32?, _ range: SourceRange
  ) {
    let (name, isolation) = (info.fields[number].name.text, info.fields[number].isolation)
    if let target = home(of: isolation) {
      if frame.asynchrony.suspending == .yes, isElsewhere(target) {
        refuseChange(Messages.mainStateChanged(name, info.name.text), range)
      } else if frame.asynchrony.isOutside, target == .mainActor {
        error(Messages.mainActorFromOutside(name), range)
      }
      return
    }
    guard case .own = isolation else { return }
    if case .symbol(let own) = frame.asynchrony.home, own == symbol { return }
    refuseChange(Messages.actorStateChanged(name, info.name.text), range)
  }

  /// Reports a change of what belongs to an actor, which no `await` in front of it allows.
  private mutating func refuseChange(_ message: String, _ range: SourceRange) {
    guard let target = awaitedTarget, range.lowerBound >= target.lowerBound,
      range.upperBound <= target.upperBound
    else { return error(message, range) }
    // That the 'await' is idle needs no word any more.
    noteMaybe()
    error(Messages.awaitChangesNothing(message), range)
  }
}
