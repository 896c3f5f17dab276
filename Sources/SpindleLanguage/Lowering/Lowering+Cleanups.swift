import SpindleModel

/// `defer`, `do` and `catch`, and the ways out of the code they surround.
extension Lowering {
  /// A `defer` whose block has not ended yet, or the task of an `async let`.
  struct OpenDefer {
    /// What is done when the block ends, however it does.
    enum Body {
      case block(CodeBlock)
      /// The task of an `async let` is cancelled and waited for.
      case endLet(Register)
    }

    var body: Body
    /// The names that the body does not see begin here.
    var mark: Int
    /// The first instruction that the body stands after.
    var start: Int
    var throwing: Int
    /// How many `await`s there were in front of it.
    var awaits: Int
    /// How many registers hold something around it.
    var owned: Int
    var range: SourceRange
  }

  mutating func beginDefer(_ body: CodeBlock, _ range: SourceRange) -> OpenDefer {
    beginDefer(.block(body), range)
  }

  /// Lets the task of an `async let` end with its scope, by whichever way that is left.
  mutating func beginEndOfLet(_ task: Register, _ range: SourceRange) -> OpenDefer {
    // What is cancelled may have to be waited for where nothing else can throw.
    beginDefer(.endLet(task), range)
  }

  private mutating func beginDefer(_ body: OpenDefer.Body, _ range: SourceRange) -> OpenDefer {
    let label = frame.label()
    let selector = frame.allocate()
    frame.cleanups.append(Frame.Cleanup(start: label, selector: selector, lives: lifeMark))
    return OpenDefer(
      body: body, mark: scope.count, start: frame.code.count, throwing: frame.throwing,
      awaits: frame.awaitCount, owned: frame.owned.count, range: range)
  }

  /// Lowers the body of a `defer`, once, and the ways on from there.
  mutating func endDefer(_ open: OpenDefer) {
    closeScope(downTo: open.mark)
    let end = frame.code.count
    let thrown = frame.allocate()
    var origin: Register?
    if frame.isReachable { enterCleanup(.fallThrough, open.range) }
    if frame.throwing > open.throwing {
      origin = frame.allocate()
      frame.catchHere(start: open.start, end: end, error: thrown, origin: origin)
      goHome(behind: open.awaits, open.range)
      releaseOwners(from: open.owned, open.range)
      enterCleanup(.raise, open.range)
    }
    let cleanup = frame.cleanups.removeLast()
    frame.mark(cleanup.start)
    frame.enterReturn(
      Frame.Return(
        type: .void, register: nil, exit: nil, cleanups: frame.cleanups.count,
        loops: frame.loops.count, isDefer: true, lives: lifeMark))
    switch open.body {
    case .block(let block): lowerBlock(block)
    case .endLet(let register):
      let base = frame.allocate()
      emit(.copy(base, from: register), open.range)
      emit(.perform(.task(.endLet), base: base, noSite), open.range)
      goHome(open.range)
    }
    frame.leaveReturn()
    dispatch(cleanup, thrown: thrown, origin: origin, open.range)
  }

  /// Goes to the innermost cleanup, after which `exit` is taken.
  private mutating func enterCleanup(_ exit: Frame.Cleanup.Exit, _ range: SourceRange) {
    let last = frame.cleanups.count - 1
    var cleanup = frame.cleanups[last]
    let known = cleanup.exits.firstIndex(of: exit)
    if known == nil && frame.isReachable {
      cleanup.exits.append(exit)
      cleanup.lacks.append(frame.late.lacks)
    } else if let known, frame.isReachable {
      cleanup.lacks[known] = frame.late.joined(cleanup.lacks[known], frame.late.lacks)
    }
    frame.cleanups[last] = cleanup
    let ordinal = known ?? max(0, cleanup.exits.count - 1)
    emit(.constant(Int64(ordinal), to: cleanup.selector), range)
    frame.jump(cleanup.start, range)
  }

  private mutating func dispatch(
    _ cleanup: Frame.Cleanup, thrown: Register, origin: Register?, _ range: SourceRange
  ) {
    let after = frame.label()
    let test = frame.allocate()
    let cleaned = frame.late.lacks
    for (ordinal, exit) in cleanup.exits.enumerated() {
      let next = frame.label()
      if ordinal < cleanup.exits.count - 1 {
        emit(.constant(Int64(ordinal), to: test), range)
        emit(.equal(test, test, cleanup.selector), range)
        emit(.jumpUnless(test, frame.target(next)), range)
      }
      if !frame.late.isEmpty { frame.late.comeBack(to: cleanup.lacks[ordinal], cleaned) }
      switch exit {
      case .fallThrough:
        frame.jump(after, range)
      case .raise:
        emit(origin.map { .rethrow(thrown, from: $0) } ?? .raise(thrown), range)
        frame.noteThrow()
        frame.isReachable = false
      case .leave, .breakLoop, .continueLoop:
        leave(exit, range)
      }
      frame.mark(next)
    }
    frame.mark(after)
  }

  /// Takes a way out, through the cleanups that lie on it.
  mutating func leave(_ exit: Frame.Cleanup.Exit, _ range: SourceRange) {
    let target = frame.innermost
    let outside =
      switch exit {
      case .breakLoop(let loop), .continueLoop(let loop): frame.loops[loop].cleanups
      case .fallThrough, .raise, .leave: target.cleanups
      }
    if frame.cleanups.count > outside {
      if let cleanup = frame.cleanups.last { release(downTo: cleanup.lives, range) }
      enterCleanup(exit, range)
      return
    }
    switch exit {
    case .breakLoop(let loop), .continueLoop(let loop):
      release(downTo: frame.loops[loop].lives, range)
    case .fallThrough, .raise, .leave:
      if target.exit != nil { release(downTo: target.lives, range) }
    }
    switch exit {
    case .breakLoop(let loop):
      frame.jump(frame.loops[loop].exit, range)
    case .continueLoop(let loop):
      frame.jump(frame.loops[loop].next, range)
    case .fallThrough, .raise, .leave:
      if let label = target.exit {
        frame.jump(label, range)
      } else {
        if isCounting { emit(.releaseOwned, range) }
        emit(target.register.map { .finishWith($0) } ?? .finish, range)
        frame.isReachable = false
      }
    }
  }

  mutating func lowerDo(_ body: CodeBlock, _ handler: CodeBlock?) {
    guard let handler else {
      lowerBlock(body)
      return
    }
    let (start, throwing, owned) = (frame.code.count, frame.throwing, frame.owned.count)
    let awaits = frame.awaitCount
    let thrown = frame.allocate()
    let after = frame.label()
    lowerBlock(body)
    let end = frame.code.count
    var caught: Frame.Caught?
    frame.jump(after, closingBrace(body))
    if frame.throwing > throwing {
      frame.catchHere(start: start, end: end, error: thrown)
      if end > start { caught = .init(error: thrown, handler: frame.handlers.count - 1) }
      frame.throwing = throwing
      goHome(behind: awaits, handler.range)
      releaseOwners(from: owned, handler.range)
    } else if !handler.statements.isEmpty {
      warn(Messages.unreachableCatch, handler.range)
    }
    let (mark, outerStart) = (scope.count, blockStart)
    blockStart = mark
    let name = Name(word: words.error, range: handler.range)
    declareLocal(name, .register(thrown), .string)
    let outer = frame.caught
    frame.caught = caught
    lowerBlock(handler)
    frame.caught = outer
    closeScope(downTo: mark)
    blockStart = outerStart
    frame.mark(after)
  }
}
