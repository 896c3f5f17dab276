import SpindleModel

/// An object that does nothing until somebody says so: a dispatch source, a work item, a queue that
/// is made inactive.
struct IdleObject {
  var name: String
  var place: SourceRange
  var handle: HandleClass
  /// Whether it is bound at the top of the trace.
  var isAtTop: Bool
  /// How often it is named.
  var uses = 0
  /// How often it is named only to prepare or to ask it.
  var idleUses = 0

  /// Whether a member starts it.
  func isStarted(by member: String) -> Bool {
    switch handle {
    case .workItem: member == "perform"
    case .dispatchSource: member == "resume" || member == "activate"
    default: member == "activate"
    }
  }

  /// What is said when nothing starts it.
  var warning: String {
    switch handle {
    case .workItem: Messages.neverSubmitted(name)
    case .dispatchSource: Messages.neverResumed(name)
    default: Messages.neverActivated(name)
    }
  }
}

/// Warnings about dispatch that the text alone justifies.
extension Lowering {
  /// Notes what a `let` is bound to, when it is written there in full.
  mutating func noteBinding(_ binding: Binding, _ type: ValueType, isAtTop: Bool) {
    noteOperation(binding, type)
    guard !binding.isVariable, case .handle(let handle) = type,
      case .call(let call) = binding.value.kind,
      !(isAtTop && overrides.replacements.contains { $0.name == binding.name.text })
    else { return }
    let key = binding.name.range.lowerBound
    switch handle {
    case .dispatchSource, .workItem: break
    case .queue where isGlobalQueue(binding.value):
      globalQueues.insert(key)
      return
    case .queue where names("initiallyInactive", in: "attributes", of: call) != nil: break
    default: return
    }
    guard makesObject(call, handle) else { return }
    idleIndex[key] = idleObjects.count
    idleObjects.append(
      IdleObject(
        name: binding.name.text, place: binding.name.range, handle: handle, isAtTop: isAtTop))
  }

  /// Where an option is named in an argument: alone or in a list.
  private func names(
    _ option: String, in label: String, of call: CallSite
  ) -> SourceRange? {
    guard let given = call.arguments.first(where: { $0.label == label })?.value else { return nil }
    let options = if case .array(let elements) = given.kind { Array(elements) } else { [given] }
    return options.first { $0.kind.isImplicitMember(option) }?.range
  }

  /// Whether a call makes a new object of a class, and does not only hand one on.
  private func makesObject(_ call: CallSite, _ handle: HandleClass) -> Bool {
    switch call.callee.kind {
    case .name(let name): name == handle.name && find(name) == nil
    case .member(let member):
      if case .name(let name) = member.base.kind {
        name == handle.name && find(name) == nil
      } else {
        false
      }
    default: false
    }
  }

  /// Notes that a name is written.
  mutating func noteUse(of symbol: Symbol) {
    guard let index = idleIndex[symbol.place.lowerBound] else { return }
    idleObjects[index].uses += 1
  }

  /// Notes that a member of what `base` names is used.
  mutating func noteMember(_ member: Word, of base: Expression) {
    guard !idleObjects.isEmpty, case .name(let name) = base.kind, let symbol = find(name),
      let index = idleIndex[scope[symbol].place.lowerBound],
      !idleObjects[index].isStarted(by: member.text)
    else { return }
    idleObjects[index].idleUses += 1
  }

  /// Warns of objects that nothing ever starts.
  mutating func warnOfIdleObjects() {
    for object in idleObjects where object.uses == object.idleUses {
      // A local name that nothing uses at all has been told already.
      guard object.isAtTop || object.uses > 0 else { continue }
      warn(object.warning, object.place)
    }
  }

  // MARK: Barriers

  /// Whether an expression can only be a global queue.
  private func isGlobalQueue(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .name(let name):
      guard !globalQueues.isEmpty, let symbol = find(name) else { return false }
      return globalQueues.contains(scope[symbol].place.lowerBound)
    case .call(let call):
      guard case .member(let member) = call.callee.kind, member.name == "global",
        case .name(let name) = member.base.kind
      else { return false }
      return name == HandleClass.queue.name && find(name) == nil
    default: return false
    }
  }

  /// Warns of a barrier for a global queue.
  mutating func checkBarrier(_ base: Expression, _ call: CallSite) {
    guard let place = names("barrier", in: "flags", of: call), isGlobalQueue(base) else { return }
    warn(Messages.barrierOnGlobalQueue, place)
  }
}

extension Expression.Kind {
  /// Whether it is `.name`.
  fileprivate func isImplicitMember(_ name: String) -> Bool {
    if case .implicitMember(name) = self { return true }
    return false
  }
}
