import SpindleModel

/// Locks at the top that are taken and never given back.
struct LockUses {
  /// How a lock is used in the text.
  private struct Use {
    var name: String
    var firstLock: SourceRange?
    var locks = 0
    var others = 0
    var place: Int32 { firstLock?.lowerBound ?? 0 }
  }

  private var locks: [ObjectName: Use] = [:]

  /// Warns of locks that nothing ever frees, where they are taken first.
  static func check(_ program: TypedProgram, _ objects: NamedObjects) {
    var uses = LockUses()
    for binding in objects.bindings where binding.isAtTop && binding.isLet {
      guard case .perform(.lock(.make)) = binding.row.action,
        binding.value.type.arguments.allSatisfy(\.isVoid),
        isTakenAndFreed(binding.value.type.nominal?.handle)
      else { continue }
      uses.locks[binding.name] = Use(name: binding.text)
    }
    if uses.locks.isEmpty { return }
    program.walk(TypedWalk(visit: { uses.note($0) }))
    let missing = uses.locks.values.filter { $0.locks > 0 && $0.others == 0 }
    for use in missing.sorted(by: { $0.place < $1.place }) {
      if let first = use.firstLock { program.table.warn(Messages.neverUnlocked(use.name), first) }
    }
  }

  /// Whether a lock of this class has to be released by its owner.
  private static func isTakenAndFreed(_ handle: HandleClass?) -> Bool {
    switch handle {
    case .mutex, .recursive, .conditionLock, .unfair, .readWrite: true
    default: false
    }
  }

  private mutating func note(_ value: Typed.Expression) {
    switch value.kind {
    case .global(let variable, _): locks[ObjectName(variable)]?.others += 1
    case .call(let call):
      guard case .function(let symbol) = call.callee, case .row(let row) = symbol.implementation,
        row.traits.contains(.locks), let receiver = call.receiver,
        let name = ObjectName(receiver), let use = locks[name]
      else { return }
      // The name itself is met behind the call that it is a part of.
      locks[name]?.others -= 1
      locks[name]?.locks += 1
      if use.firstLock.map({ call.nameRange.lowerBound < $0.lowerBound }) ?? true {
        locks[name]?.firstLock = call.nameRange
      }
    default: break
    }
  }
}
