import SpindleModel

/// Reference counts: what expressions, names and scopes retain, and when they release it.
///
/// An expression has its value in a register that is valid until the full expression around it ends: what it makes or
/// reads from a place that may change is in a temporary, a register that owns it. A name owns its value until its scope
/// ends. Fields, elements, variables at the top and closures retain what is stored in them by themselves when the program
/// runs. The caller owns what it gives to a function; the result of a function belongs to the caller.
///
/// Source: *The Swift Programming Language*, "Automatic Reference Counting"; swift:docs/OwnershipManifesto.md.
extension Emitter {
  /// What a value of a type retains; nil for nothing that is counted.
  func lifeKind(_ type: SwiftType) -> LifeKind? {
    guard isCounting else { return nil }
    switch type {
    case .function: return .closure
    case .tuple(let elements): return elements.isEmpty ? nil : .instance
    case .existential(let protocols):
      return protocols.contains(known.errorProtocol) ? nil : .instance
    case .nominal(let nominal, let arguments):
      switch nominal.builtin {
      case .optional: return arguments.first.flatMap(lifeKind)
      case .array, .set: return arguments.first.flatMap(lifeKind)?.array
      case .dictionary: return arguments.last.flatMap(lifeKind)?.array
      case .handle: return nominal.handle.flatMap(lifeKind)
      case nil: return isInstance(type) ? .instance : nil
      default: return nil
      }
    case .parameter, .member:
      assertionFailure("\(type) has no argument")
      return nil
    case .metatype, .variable, .error: return nil
    }
  }

  /// The word that tells the runtime what it retains with a value of a type.
  func lifeWord(_ type: SwiftType) -> Int64 { Int64(lifeKind(type)?.raw ?? 0) }

  /// What the value of a variable retains: nothing where the variable is weak.
  func lifeKind(of local: Typed.Local) -> LifeKind? {
    local.strength == .strong ? lifeKind(concrete(local.type)) : nil
  }

  func lifeKind(of variable: VariableSymbol, _ type: SwiftType) -> LifeKind? {
    variable.strength == .strong ? lifeKind(type) : nil
  }

  // MARK: Temporaries

  /// A register that owns what it has until the full expression at hand ends.
  func temporary(_ kind: LifeKind) -> Register {
    let owner = code.frame.owner(kind)
    code.frame.temporaries.append(owner)
    return owner.register
  }

  /// A new value, which belonged to nothing yet: now a temporary owns it.
  func owning(_ fresh: Register, _ type: SwiftType, _ range: SourceRange) -> Register {
    guard let kind = lifeKind(type) else { return fresh }
    return owning(fresh, kind, range)
  }

  func owning(_ fresh: Register, _ kind: LifeKind, _ range: SourceRange) -> Register {
    let owner = temporary(kind)
    emit(.hold(owner, from: fresh, kind), range)
    return owner
  }

  /// A value that something else owns, which may release it: now a temporary owns it, too.
  func retained(_ value: Register, _ type: SwiftType, _ range: SourceRange) -> Register {
    guard let kind = lifeKind(type) else { return value }
    let owner = temporary(kind)
    emit(.retain(owner, from: value, kind), range)
    return owner
  }

  /// The value of a temporary that alone owns it, which belongs to nothing from then on: what is given it takes it over.
  func moved(_ value: Register, _ range: SourceRange) -> Register {
    guard code.frame.temporaries.contains(where: { $0.register == value }) else { return value }
    let result = allocate()
    emit(.copy(result, from: value), range)
    emit(.constant(noValue, to: value), range)
    return result
  }

  /// A register for the value of an expression that has several branches.
  func joined(_ type: SwiftType) -> Register {
    lifeKind(type).map(temporary) ?? allocate()
  }

  /// Puts a value into a register that owns what it has where that is counted.
  func assign(
    _ target: Register, from value: Register, _ type: SwiftType, _ range: SourceRange
  ) {
    guard let kind = lifeKind(type) else { return emit(.copy(target, from: value), range) }
    if isKept(target) { return replaceKept(target, by: value, kind, range) }
    emit(.retain(target, from: value, kind), range)
  }

  /// Releases the temporaries that came after the first `mark` for an expression, but for its value.
  ///
  /// In `make().name` the instance is gone when its name has been read: run with Swift 6.3.1, with and without `-O`.
  func settle(
    _ value: Register, _ type: SwiftType, from mark: Int, _ range: SourceRange
  ) -> Register {
    guard code.frame.temporaries.count > mark else { return value }
    var kept: OwnedRegister?
    var result = value
    if let kind = lifeKind(type) {
      kept = code.frame.temporaries[mark...].last { $0.register == value }
      if kept == nil {
        result = retained(value, type, range)
        kept = OwnedRegister(register: result, kind: kind)
      }
    }
    releaseTemporaries(from: mark, but: kept?.register, range)
    code.frame.temporaries.removeSubrange(mark...)
    if let kept { code.frame.temporaries.append(kept) }
    return result
  }

  /// Releases temporaries, which stay what they are: they have nothing from then on.
  func releaseTemporaries(
    from mark: Int, but kept: Register? = nil, _ range: SourceRange
  ) {
    release(code.frame.temporaries[mark...], but: kept, range)
  }

  /// Releases what registers own, the last one first.
  func release(
    _ owners: ArraySlice<OwnedRegister>, but kept: Register? = nil, _ range: SourceRange
  ) {
    for owner in owners.reversed() where owner.register != kept {
      emit(.release(owner.register, owner.kind), range)
    }
  }

  /// Ends a full expression: its temporaries are released.
  func endTemporaries(from mark: Int, _ range: SourceRange) {
    guard code.frame.temporaries.count > mark else { return }
    releaseTemporaries(from: mark, range)
    code.frame.temporaries.removeSubrange(mark...)
  }

  /// Does what is a full expression.
  func inTemporaries(_ range: SourceRange, _ body: () -> Void) {
    let mark = code.frame.temporaries.count
    body()
    endTemporaries(from: mark, range)
  }

  // MARK: Scopes

  /// A register that owns what it has until the scope at hand ends.
  func scopedRegister(_ kind: LifeKind) -> Register {
    let owner = code.frame.owner(kind)
    code.frame.scoped.append(owner)
    return owner.register
  }

  /// What is alive here.
  var lifeMark: Frame.LifeMark {
    Frame.LifeMark(
      symbols: code.frame.scoped.count, temporaries: code.frame.temporaries.count)
  }

  /// Releases what came after `mark`, on a way out.
  func release(downTo mark: Frame.LifeMark, _ range: SourceRange) {
    guard isCounting else { return }
    releaseTemporaries(from: min(mark.temporaries, code.frame.temporaries.count), range)
    releaseScoped(from: mark.symbols, range)
  }

  private func releaseScoped(from mark: Int, _ range: SourceRange) {
    guard code.frame.scoped.count > mark else { return }
    release(code.frame.scoped[mark...], range)
  }

  /// Ends a scope: what its names own is released, the last declared first.
  func endScope(from mark: Int, _ range: SourceRange) {
    guard code.frame.scoped.count > mark else { return }
    releaseScoped(from: mark, range)
    code.frame.scoped.removeSubrange(mark...)
  }

  /// Does what is a scope of its own.
  func inScope(_ range: SourceRange, _ body: () -> Void) {
    let mark = code.frame.scoped.count
    body()
    endScope(from: mark, range)
  }

  /// Releases what registers own that came after the first `mark`: an error led past their ends, or a pattern that did not
  /// fit.
  func releaseOwners(from mark: Int, upTo end: Int? = nil, _ range: SourceRange) {
    let end = end ?? code.frame.owned.count
    guard isCounting, end > mark else { return }
    release(code.frame.owned[mark..<end], range)
  }

  // MARK: Blocks

  /// Ends a block: all that it owns is released.
  func endFrame(_ block: BlockID, _ range: SourceRange) {
    ownCaptures()
    releaseOwned(range)
    endErrors(range)
    code.endFrame(block, range)
  }

  /// Releases all that the block owns, in front of its end.
  func releaseOwned(_ range: SourceRange) {
    if isCounting { emit(.releaseOwned, range) }
  }

  /// Notes what the block owns of what it captures.
  private func ownCaptures() {
    guard isCounting else { return }
    for (ordinal, symbol) in code.frame.captures.enumerated() {
      guard let kind = symbols[symbol]?.kind, !code.frame.borrowed.contains(symbol) else {
        continue
      }
      code.frame.owned.append(
        OwnedRegister(register: Register(Frame.captureBase + ordinal), kind: kind))
    }
  }

  /// At the end of a block: what is thrown out of it goes home first, where the block releases what it owns.
  ///
  /// Source: swift:lib/SILOptimizer/Mandatory/OptimizeHopToExecutor.cpp, which leaves out a hop before a `throw`.
  private func endErrors(_ range: SourceRange) {
    guard code.frame.mayFailElsewhere, code.frame.throwing > 0,
      code.frame.owned.contains(where: { $0.register.index < Frame.captureBase })
    else { return }
    let end = code.frame.code.count
    emit(.finish, range)
    let (thrown, origin) = (allocate(), allocate())
    code.frame.catchHere(start: 0, end: end, error: thrown, origin: origin)
    hop(to: code.frame.asynchrony.home, range)
    emit(.rethrow(thrown, from: origin), range)
    code.frame.isReachable = false
  }

  /// A new array, dictionary or set without elements, which a temporary owns.
  func makeCollection(_ type: SwiftType, _ range: SourceRange) -> Register {
    let result = allocate()
    emit(.arrayMake(result, base: result, count: 0), range)
    return beginning(result, type, range)
  }

  /// Whether an element is read where its array stands, so that what has the array dies no sooner than the element is
  /// read: one of a property, by an index whose evaluation changes nothing.
  ///
  /// Run with Swift 6.3.1: `make().list[0]`.
  func isReadInPlace(_ call: Typed.Call) -> Bool {
    guard isCounting, case .field? = call.receiver?.kind,
      case .value(let index)? = call.arguments.first
    else { return false }
    switch index.kind {
    case .integer, .constant: return true
    default: return false
    }
  }
}
