import SpindleModel

/// Ways out of code: `return`, `break`, `continue`, and the `defer`s on them.
extension Emitter {
  /// A `defer` whose block has not ended.
  struct OpenDefer {
    /// What is done when the block ends, however it does.
    enum Body {
      case statements([Typed.Statement])
      /// The task of an `async let` is cancelled and waited for.
      case endLet(Register)
    }

    var body: Body
    /// How many `await`s there were in front of it.
    var awaits: Int
    var start: Int
    var throwing: Int
    /// How many registers own something around it, and how many of them until their scopes end.
    var owned: Int
    var scoped: Int
    var range: SourceRange
  }

  func beginDefer(_ body: OpenDefer.Body, _ range: SourceRange) -> OpenDefer {
    let label = code.frame.label()
    let selector = allocate()
    code.frame.cleanups.append(
      Frame.Cleanup(start: label, selector: selector, lives: lifeMark))
    return OpenDefer(
      body: body, awaits: code.frame.awaitCount, start: code.frame.code.count,
      throwing: code.frame.throwing, owned: code.frame.owned.count,
      scoped: code.frame.scoped.count, range: range)
  }

  /// The body of a `defer`, once, and the ways on from there.
  func endDefer(_ open: OpenDefer) {
    endScope(from: open.scoped, open.range)
    let end = code.frame.code.count
    let thrown = allocate()
    var origin: Register?
    if code.frame.isReachable { enterCleanup(.fallThrough, open.range) }
    if code.frame.throwing > open.throwing {
      let register = allocate()
      origin = register
      code.frame.catchHere(start: open.start, end: end, error: thrown, origin: register)
      goHome(behind: open.awaits, open.range)
      releaseOwners(from: open.owned, open.range)
      enterCleanup(.raise, open.range)
    }
    let cleanup = code.frame.cleanups.removeLast()
    code.frame.mark(cleanup.start)
    code.frame.enterReturn(
      Frame.Return(
        cleanups: code.frame.cleanups.count, loops: code.frame.loops.count, lives: lifeMark))
    switch open.body {
    case .statements(let body): emitBlock(body)
    case .endLet(let task): endLet(task, open.range)
    }
    code.frame.leaveReturn()
    dispatch(cleanup, thrown: thrown, origin: origin, open.range)
  }

  /// Does `finish` where code from `start` to `end` throws, and throws on.
  func onThrow(from start: Int, to end: Int, _ range: SourceRange, _ finish: () -> Void) {
    let after = code.frame.label()
    code.frame.jump(after, expansion ?? range)
    let (thrown, origin) = (code.frame.pinned(), code.frame.pinned())
    code.frame.catchHere(start: start, end: end, error: thrown, origin: origin)
    finish()
    emit(.rethrow(thrown, from: origin), range)
    code.frame.noteThrow()
    code.frame.isReachable = false
    code.frame.mark(after)
  }

  func enterCleanup(_ exit: Frame.Cleanup.Exit, _ range: SourceRange) {
    let last = code.frame.cleanups.count - 1
    let known = code.frame.cleanups[last].exits.firstIndex(of: exit)
    if known == nil, code.frame.isReachable { code.frame.cleanups[last].exits.append(exit) }
    let cleanup = code.frame.cleanups[last]
    let ordinal = known ?? max(0, cleanup.exits.count - 1)
    emit(.constant(Int64(ordinal), to: cleanup.selector), range)
    code.frame.jump(cleanup.start, expansion ?? range)
  }

  func dispatch(
    _ cleanup: Frame.Cleanup, thrown: Register, origin: Register?, _ range: SourceRange
  ) {
    let after = code.frame.label()
    let test = allocate()
    for (ordinal, exit) in cleanup.exits.enumerated() {
      let next = code.frame.label()
      if ordinal < cleanup.exits.count - 1 {
        emit(.constant(Int64(ordinal), to: test), range)
        emit(.equal(test, test, cleanup.selector), range)
        emit(.jumpUnless(test, code.frame.target(next)), range)
      }
      switch exit {
      case .fallThrough: code.frame.jump(after, expansion ?? range)
      case .raise:
        emit(origin.map { .rethrow(thrown, from: $0) } ?? .raise(thrown), range)
        code.frame.noteThrow()
        code.frame.isReachable = false
      case .leave, .breakLoop, .continueLoop: leave(exit, range)
      }
      code.frame.mark(next)
    }
    code.frame.mark(after)
  }

  /// Takes a way out, through the cleanups on it.
  func leave(_ exit: Frame.Cleanup.Exit, _ range: SourceRange) {
    let target = code.frame.innermost
    let outside =
      switch exit {
      case .breakLoop(let loop), .continueLoop(let loop): code.frame.loops[loop].cleanups
      case .fallThrough, .raise, .leave: target.cleanups
      }
    if code.frame.cleanups.count > outside {
      if let cleanup = code.frame.cleanups.last { release(downTo: cleanup.lives, range) }
      return enterCleanup(exit, range)
    }
    switch exit {
    case .breakLoop(let loop):
      release(downTo: code.frame.loops[loop].lives, range)
      code.frame.jump(code.frame.loops[loop].exit, expansion ?? range)
    case .continueLoop(let loop):
      release(downTo: code.frame.loops[loop].lives, range)
      code.frame.jump(code.frame.loops[loop].next, expansion ?? range)
    case .fallThrough, .raise, .leave:
      if let label = target.exit {
        release(downTo: target.lives, range)
        code.frame.jump(label, expansion ?? range)
      } else {
        finish(with: target.register, range)
      }
    }
  }

  /// Leaves the frame, which releases what it owns.
  private func finish(with value: Register?, _ range: SourceRange) {
    releaseOwned(range)
    emit(value.map { .finishWith($0) } ?? .finish, range)
    code.frame.isReachable = false
  }

  /// `return`, with a value that is in a register, and that who called owns from then on.
  func emitReturn(_ value: Register?, _ type: SwiftType, _ range: SourceRange) {
    let innermost = code.frame.innermost
    if innermost.exit == nil, innermost.register == nil, let value, lifeKind(type) == nil,
      code.frame.cleanups.count <= innermost.cleanups
    {
      return finish(with: value, range)
    }
    if innermost.exit == nil, innermost.register == nil, let value {
      // The value outlives what a `defer` does.
      let kept = code.frame.pinned()
      code.frame.innermost.register = kept
      emit(.copy(kept, from: value), range)
    } else if let register = innermost.register, let value {
      emit(.copy(register, from: value), range)
    }
    if let register = code.frame.innermost.register, value != nil, let kind = lifeKind(type) {
      emit(.keep(register, kind), range)
    }
    leave(.leave, range)
  }

  /// The loop or block that `break` or `continue` means.
  func reachable(_ label: String?, isBreak: Bool) -> Int? {
    var index = code.frame.loops.count
    while index > code.frame.innermost.loops {
      index -= 1
      if let label {
        if code.frame.loops[index].label == label { return index }
      } else if isBreak ? code.frame.loops[index].endsBreak : code.frame.loops[index].isLoop {
        return index
      }
    }
    return nil
  }

  /// Runs `body` as what a `break` leaves.
  ///
  /// Gives whether it falls through.
  @discardableResult
  func inLoop(
    _ label: String?, exit: Frame.Label, next: Frame.Label, isLoop: Bool = true,
    endsBreak: Bool = true, lives: Frame.LifeMark? = nil, _ body: () -> Void
  ) -> Bool {
    code.frame.loops.append(
      Frame.Loop(
        exit: exit, next: next, cleanups: code.frame.cleanups.count, label: label,
        isLoop: isLoop, endsBreak: endsBreak, lives: lives ?? lifeMark))
    body()
    return code.frame.loops.removeLast().fallsThrough
  }
}
