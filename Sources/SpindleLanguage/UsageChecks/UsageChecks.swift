import SpindleModel

/// Watches how a trace uses what it declares, and says what is legal but surely wrong.
///
/// It is told what the walk meets, and never asks for code: taking it away changes no program. Names are
/// known by the place where they are bound.
struct UsageChecks {
  /// How the locks at the top are used, by symbol.
  private var locks: [Int32: LockUse] = [:]
  /// The objects that wait to be started.
  private var idle = IdleObjects()
  private var operations = OperationForms()
  /// The places of the names that global queues are bound to.
  private var globalQueues: Set<Int32> = []
  /// The places of the names that threads are bound to which something else made, and may have started.
  private var handedThreads: Set<Int32> = []
  /// The moments of the arrivals that come once, where they are known.
  private var moments: [(moment: Instant, place: SourceRange)] = []

  /// How a lock is used in the text.
  private struct LockUse {
    var firstLock: SourceRange
    var locks = 0
    var others = 0
  }

  // MARK: What the walk meets

  /// Notes what a `let` is bound to, when it is written there in full; `isReplaced` when the command
  /// line puts something else in its place.
  mutating func noteBinding(
    _ binding: Binding, _ type: ValueType, isAtTop: Bool, isReplaced: Bool, _ checker: inout Checker
  ) {
    operations.note(binding, type, &checker)
    if type == .handle(.thread), !makesThread(binding.value, &checker) {
      handedThreads.insert(binding.name.range.lowerBound)
    }
    guard !binding.isVariable, case .handle(let handle) = type,
      case .call(let call) = binding.value.kind, !isReplaced
    else { return }
    if handle == .queue, isGlobalQueue(binding.value, &checker) {
      globalQueues.insert(binding.name.range.lowerBound)
      return
    }
    idle.note(binding, handle, call, isAtTop: isAtTop, &checker)
  }

  /// Whether an expression makes a thread itself.
  private func makesThread(_ expression: Expression, _ checker: inout Checker) -> Bool {
    guard case .call(let call) = expression.kind else { return false }
    return IdleObjects.makesObject(call, .thread, &checker)
  }

  /// Notes a lock that a `let` at the top is bound to.
  mutating func noteLock(_ symbol: Int32, _ handle: HandleClass, _ place: SourceRange) {
    switch handle {
    case .mutex, .recursive, .conditionLock, .unfair, .readWrite:
      locks[symbol] = LockUse(firstLock: place)
    case .thread, .condition, .semaphore, .group, .threadPerTask, .threadPool, .taskExecutor,
      .executor, .runLoop,
      .timer, .source, .port, .observer, .runLoopItem, .queue, .workItem, .dispatchSource, .pipe,
      .process, .onceToken, .operation, .operationQueue, .backgroundTask, .accelerator,
      .task, .taskGroup, .continuation, .asyncStream, .streamInput, .taskResult:
      break
    }
  }

  /// Notes that a name is written.
  @inline(__always)
  mutating func noteUse(of index: Int32, boundAt place: SourceRange) {
    if !locks.isEmpty { locks[index]?.others += 1 }
    if !idle.isEmpty { idle.noteUse(boundAt: place) }
  }

  /// Notes that a name is assigned to.
  mutating func noteAssignment(to index: Int32) { locks[index]?.others += 1 }

  /// Notes that a lock is taken by name, not handed on.
  mutating func noteLocking(_ base: Expression, _ range: SourceRange, _ checker: inout Checker) {
    guard case .name(let name) = base.kind, let index = checker.find(name),
      let use = locks[index]
    else { return }
    locks[index]?.others -= 1
    locks[index]?.locks += 1
    if use.locks == 0 { locks[index]?.firstLock = range }
  }

  /// Whether it wants to be told of members.
  @inline(__always)
  var watchesMembers: Bool { !idle.isEmpty }

  /// Notes that a member of what `base` names is used.
  mutating func noteMember(_ member: Word, of base: Expression, _ checker: inout Checker) {
    idle.noteMember(member, of: base, &checker)
  }

  /// Notes an arrival that comes once, at a known moment.
  mutating func noteArrival(at moment: Instant, _ place: SourceRange) {
    moments.append((moment, place))
  }

  /// Notes of which form the operation is that the closures of a call are given.
  mutating func noteOperationClosures(_ member: Member, _ call: CallSite) {
    operations.noteClosures(member, call)
  }

  // MARK: What is wrong with one call

  /// Refuses a function of an operation that its form does not have.
  func checkOperation(
    _ member: Word, of base: Expression, _ range: SourceRange, _ checker: inout Checker
  ) {
    operations.check(member, of: base, range, &checker)
  }

  /// Refuses to set what an operation says for itself where the library says it.
  func checkOperation(
    setting property: String, of base: Expression, _ range: SourceRange, _ checker: inout Checker
  ) {
    operations.check(setting: property, of: base, range, &checker)
  }

  /// Warns of a barrier for a global queue.
  func checkBarrier(_ base: Expression, _ call: CallSite, _ checker: inout Checker) {
    guard let place = call.place(of: "barrier", in: "flags"), isGlobalQueue(base, &checker) else {
      return
    }
    checker.warn(Messages.barrierOnGlobalQueue, place)
  }

  /// Whether an expression can only be a global queue.
  private func isGlobalQueue(_ expression: Expression, _ checker: inout Checker) -> Bool {
    if case .name(let name) = expression.kind {
      guard !globalQueues.isEmpty, let symbol = checker.find(name) else { return false }
      return globalQueues.contains(checker.scope[symbol].place.lowerBound)
    }
    guard case .call(let call) = expression.kind, case .member(let member) = call.callee.kind,
      member.name == "global", case .name(let name) = member.base.kind
    else { return false }
    return name.text == HandleClass.queue.name && checker.find(name) == nil
  }

  // MARK: What the whole text shows

  /// Warns of arrivals behind the end of the run.
  func judgeArrivals(until: Instant?, _ checker: inout Checker) {
    guard let until else { return }
    for (moment, place) in moments where moment > until {
      checker.warn(Messages.pastTheEnd("\(until)"), place)
    }
  }

  /// Warns of objects that nothing ever starts, and of locks that nothing ever frees.
  func judge(_ globals: Globals, _ checker: inout Checker) {
    for (index, symbol) in checker.scope.symbols.enumerated()
    where symbol.type == .handle(.thread) {
      guard !symbol.isUsed, !symbol.isWritten, globals.global(of: Int32(index)) != nil,
        !handedThreads.contains(symbol.place.lowerBound)
      else { continue }
      checker.warn(Messages.neverStarted(symbol.name.text), symbol.place)
    }
    judgeNames(&checker)
    idle.judge(&checker)
    for index in checker.scope.symbols.indices {
      guard let use = locks[Int32(index)], use.locks > 0, use.others == 0 else { continue }
      let name = checker.scope[Int32(index)].name.text
      checker.warn(Messages.neverUnlocked(name), use.firstLock)
    }
  }
}

extension UsageChecks {
  /// Warns of names at the top that nothing uses, and of a `var` there that is set and never read.
  ///
  /// What does something by being there, as a timer or an instance of a class, is used by that.
  private func judgeNames(_ checker: inout Checker) {
    for symbol in checker.scope.symbols where symbol.isExpectedToBeUsed && !symbol.isUsed {
      demand(symbol.frame < 0, "only the names at the top are left when a text is judged")
      let name = symbol.name.text
      if case .function = symbol.meaning {
        checker.warn(Messages.unusedName(name), symbol.place)
      } else if isPassive(symbol.type), !idle.watches(symbol.place) {
        // What holds an object is set to let go of that, too.
        if !symbol.isWritten {
          checker.warn(Messages.unusedName(name), symbol.place)
        } else if !symbol.type.hasIdentity && !symbol.type.isFunction {
          checker.warn(Messages.unreadName(name), symbol.place)
        }
      }
    }
  }

  /// Whether a value does nothing unless somebody uses it.
  private func isPassive(_ type: ValueType) -> Bool {
    switch type {
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .options,
      .choice, .functionOf:
      true
    case .optionalOf(let inner), .arrayOf(let inner), .setOf(let inner): isPassive(inner.type)
    case .dictionaryOf(let entries): isPassive(entries.result)
    case .handle(let handle):
      handle.isLock || [.queue, .operationQueue, .group, .semaphore].contains(handle)
    case .void, .null, .generic, .instance, .unknown: false
    }
  }
}

extension Node<Expression.Call> {
  /// Where an option is named in the argument with this label: alone or in a list; nil when it is not.
  func place(of option: StaticString, in label: StaticString) -> SourceRange? {
    guard let given = value.arguments.first(where: { $0.label == label })?.value else { return nil }
    let options = if case .array(let elements) = given.kind { Array(elements) } else { [given] }
    return options.first { written in
      if case .implicitMember(option) = written.kind { return true }
      return false
    }?.range
  }
}
