import SpindleModel

/// `for (key, value) in d.sorted { $0.value > $1.value }`: the entries of a dictionary in order.
///
/// A trace has no pairs. What stands for one is its key, with the dictionary that it is of: `$0.key` is the key, and
/// `$0.value` is looked up.
extension Lowering {
  /// The base and the call of `d.sorted(by:)` where that goes through a dictionary; nil for anything else.
  func sortedEntries(_ sequence: Expression) -> (base: Expression, call: CallSite)? {
    guard case .call(let call) = sequence.kind, case .member(let member) = call.callee.kind,
      member.name == words.sorted, checker.isDictionary(member.base),
      let order = call.closures.first?.closure ?? call.arguments.first?.value.closure,
      call.closures.count + call.arguments.count == 1, order.parameters.count == 2
    else { return nil }
    return (member.base, call)
  }

  /// Puts a dictionary and its keys in order into registers, and declares what stands for it; nil where that was refused.
  ///
  /// The caller closes the scope.
  mutating func orderEntries(_ base: Expression, _ call: CallSite) -> OrderedEntries? {
    if isWithoutWords { return nil }
    let made = unwrap(value(base), base.range)
    guard case .dictionaryOf(let types) = made.type else { return nil }
    let entries = frame.pinned()
    place(kept(made, isVariable: false), in: entries, base.range)
    let dictionary = scope.declare(
      Symbol(
        name: arena.words.word("? entries"), meaning: .register(entries), type: made.type,
        place: base.range, frame: Int32(depth)))
    let keys = frame.allocate()
    emit(.entryKeys(keys, of: entries), base.range)
    let outer = pairs
    pairs = dictionary
    let ordered = sorted(keys, types.parameters[0], call)
    pairs = outer
    guard !ordered.type.isUnknown else { return nil }
    return OrderedEntries(
      dictionary: dictionary, entries: entries, keys: register(of: ordered, call.place),
      types: types)
  }

  /// The entries of a dictionary in order.
  struct OrderedEntries {
    /// The symbol of the dictionary.
    let dictionary: Int32
    let entries: Register
    let keys: Register
    let types: FunctionNode
  }

  /// `e.key`, `e.value` of what stands for an entry; nil for anything else.
  mutating func entryMember(
    _ base: Expression, _ name: Word, target: Register?, _ range: SourceRange
  ) -> Operand? {
    guard case .name(let entry) = base.kind, let index = find(entry), scope[index].entries >= 0,
      case .dictionaryOf(let types) = scope[scope[index].entries].type
    else { return nil }
    scope[index].isUsed = true
    guard let key = register(of: index), let entries = register(of: scope[index].entries)
    else { return .unknown }
    switch name.text {
    case "key": return .register(key, types.parameters[0])
    case "value":
      let result = target ?? frame.allocate()
      emit(.entryGet(result, of: entries, key: key), range)
      return shared(.register(result, types.result), range)
    default: return refuse(Messages.wholeEntry(entry.text), range)
    }
  }
}

extension Expression {
  /// The closure that it is; nil for anything else.
  fileprivate var closure: Closure? {
    if case .closure(let closure) = kind { return closure.value }
    return nil
  }
}
