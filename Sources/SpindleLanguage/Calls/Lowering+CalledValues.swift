import SpindleModel

/// Values that are called though they are no closures: `model(4)`, `.init(1)`.
extension Lowering {
  /// `model(4)` as `model.callAsFunction(4)`; nil where the type of what is called has no such method.
  mutating func calledAsFunction(_ type: ValueType, _ call: CallSite) -> CallSite? {
    guard let name = type.className, !type.isResult,
      checker.classes[checker.classes.index(of: name)].methods.contains(where: {
        $0.name == words.callAsFunction
      })
    else { return nil }
    return renamed(call, arena.member(words.callAsFunction, of: call.callee, call.callee.range))
  }

  /// Calls the method of a value that no name alone stands for.
  mutating func call(
    _ named: CallSite, of made: Operand, isUsed: Bool, target: Register?
  ) -> Operand {
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    let range = named.callee.range
    let own = arena.member(words.callAsFunction, of: standIn(for: made, range), range)
    return lowerCall(renamed(named, own), isUsed: isUsed, expecting: nil, target: target)
  }

  /// The type that `.init(…)` makes where a value of it is wanted; nil where it has no name.
  mutating func madeType(_ expecting: ValueType?, _ call: CallSite) -> Expression? {
    let name: String
    switch expecting?.unwrapped {
    case .handle(let handle):
      guard let type = vocabulary.type(of: handle) else { return nil }
      name = type.name
    case .instance(let own): name = own.text
    case .integer: name = "Int"
    case .decimal: name = "Decimal"
    case .string: name = "String"
    case .instant where call.arguments.first?.label == "timeIntervalSinceNow": name = "Date"
    default: return nil
    }
    if isWithoutWords { return nil }
    return arena.named(arena.words.word(name), call.callee.range)
  }

  /// Whether no words can be added here, since another thread reads on and adds its own: then the whole tree is needed.
  var isWithoutWords: Bool {
    mutating get {
      if arena.closesWords { storedValues.needTree() }
      return arena.closesWords
    }
  }
}
