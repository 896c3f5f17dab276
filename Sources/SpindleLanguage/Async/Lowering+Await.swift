import SpindleModel

/// `await`, and where code goes on behind it.
extension Lowering {
  /// The value of `await inner`, which says that others may get in between.
  mutating func awaited(
    _ inner: Expression, expecting: ValueType?, target: Register?, _ range: SourceRange
  ) -> Operand {
    let isUsed = beginAwait(range)
    let made = value(inner, expecting: expecting, target: target)
    endAwait(isUsed, range)
    return made
  }

  /// `await inner` as a statement.
  mutating func lowerAwaited(_ inner: Expression, _ range: SourceRange) {
    let isUsed = beginAwait(range)
    lowerForEffect(inner)
    endAwait(isUsed, range)
  }

  /// Begins what an `await` covers; gives whether something around it needs an `await`.
  private mutating func beginAwait(_ range: SourceRange) -> Bool {
    if frame.asynchrony.suspending == .no { error(misplacedAwait(), range) }
    if frame.asynchrony.isMain { program.mainIsAsync = true }
    let isUsed = frame.asynchrony.isUsed
    frame.asynchrony.awaits += 1
    frame.asynchrony.isUsed = false
    return isUsed
  }

  private mutating func endAwait(_ isUsed: Bool, _ range: SourceRange) {
    if !frame.asynchrony.isUsed && frame.asynchrony.suspending != .no && !isLenient {
      warn(Messages.idleAwait, SourceRange(Int(range.lowerBound), Int(range.lowerBound) + 5))
    }
    frame.asynchrony.awaits -= 1
    frame.asynchrony.isUsed = isUsed || frame.asynchrony.awaits > 0
  }

  private func misplacedAwait() -> String {
    if frame.asynchrony.isMain { return Messages.awaitInApp }
    switch frame.context {
    case .function(let ordinal): return Messages.awaitInFunction(functions[ordinal].name)
    case .top: return Messages.awaitAtTop
    case .thread, .world, .anywhere: return Messages.awaitInClosure
    }
  }

  /// Something is made whose task may leave its thread in it: there must be an `await` around it.
  mutating func noteSuspension(_ name: String, _ range: SourceRange) {
    needThread(name, range)
    if frame.asynchrony.awaits > 0 {
      frame.asynchrony.isUsed = true
    } else if frame.asynchrony.suspending == .no {
      error(Messages.asyncCallInSync(name), range)
    } else {
      error(Messages.missingAwait(name, source.text(in: range)), range)
    }
  }

  // MARK: Executors

  /// The number of the executor that the present code runs on.
  var ownExecutor: Int64 { frame.asynchrony.isOnMain ? 0 : -1 }

  /// Goes on at an executor: -1 the pool, 0 the main actor.
  mutating func hop(to executor: Int64, _ range: SourceRange) {
    let next = frame.next
    let register = frame.allocate()
    emit(.constant(executor, to: register), range)
    emit(.perform(.task(.hop), base: register, noSite), range)
    frame.next = next
  }

  /// Behind a wait, after which a task is in the pool: goes back to the actor that the code belongs to.
  mutating func goHome(_ range: SourceRange) {
    frame.throwing += 1
    if frame.asynchrony.isOnMain && frame.asynchrony.suspending != .no { hop(to: 0, range) }
  }

  // MARK: Functions

  /// A call of a function of Swift concurrency, or of a name of it that a trace has not; nil for others.
  mutating func asyncNamed(
    _ name: Word, _ call: CallSite, isUsed: Bool, expecting: ValueType?, target: Register?
  ) -> Operand? {
    if ForeignWord.concurrencyTypes.contains(name.text) {
      return refuse(ForeignWord.concurrency(name.text), call.callee.range)
    }
    return asyncScope(name.text, call, isUsed: isUsed, expecting: expecting, target: target)
  }

  /// What a function's body is of Swift concurrency.
  func asynchrony(of signature: FunctionSignature) -> Frame.Asynchrony {
    var made = Frame.Asynchrony()
    made.suspending = signature.isAsync ? .yes : .no
    made.isOnMain = signature.isolation == .mainActor
    return made
  }

  /// Begins the body of an asynchronous function: it goes on where the function runs.
  ///
  /// One without a body stays where it was called, as what the compiler can prove to be useless is left
  /// out. Source: SE-0338.
  mutating func beginAsync(_ signature: FunctionSignature, _ body: CodeBlock) {
    frame.asynchrony = asynchrony(of: signature)
    guard signature.isAsync, !body.statements.isEmpty else { return }
    let place = SourceRange(Int(body.range.lowerBound), Int(body.range.lowerBound) + 1)
    hop(to: signature.isolation == .mainActor ? 0 : -1, place)
  }

  /// Comes before the call of a function; gives whether that goes on where this code does not run.
  ///
  /// An asynchronous function needs an `await`, and so does one of the main actor from elsewhere.
  mutating func beginCall(of signature: FunctionSignature, _ range: SourceRange) -> Bool {
    let isOnMain = signature.isolation == .mainActor
    let isElsewhere = isOnMain != frame.asynchrony.isOnMain
    if signature.isAsync {
      noteSuspension(signature.name, range)
      return isElsewhere
    }
    guard isOnMain, isElsewhere, frame.asynchrony.suspending == .yes else { return false }
    noteSuspension(signature.name, range)
    hop(to: 0, range)
    return true
  }

  /// Behind the call of a function that went on elsewhere.
  mutating func endCall(isElsewhere: Bool, _ range: SourceRange) {
    if isElsewhere && frame.asynchrony.suspending != .no { hop(to: ownExecutor, range) }
  }
}
