import SpindleModel

/// `await group.reduce(0, +)`, and of a stream: what `for await` with a sum of one's own does.
extension Lowering {
  /// Whether a call joins all that comes into one value.
  func isAwaitedSum(_ name: Word, _ call: CallSite) -> Bool {
    name == "reduce" && call.arguments.first.map { $0.label == nil } == true
  }

  /// Joins what comes, one after the other: each as an array of one, which knows how.
  mutating func awaitedSum(
    _ sequence: Operand, of element: ValueType, _ call: CallSite
  ) -> Operand {
    guard !isWithoutWords, let first = call.arguments.first else { return .unknown }
    noteSuspension("reduce", call.callee.range)
    guard frame.asynchrony.suspending != .no else {
      walkStray(call)
      return .unknown
    }
    let (mark, place) = (scope.count, call.place)
    var made = value(first.value)
    if made.isLiteral, element == .decimal { made = coerce(made, to: element, first.value.range) }
    made.isLiteral = false
    made = storable(made, first.value.range)
    let kept = kept(made, isVariable: true)
    let owner = keeper(of: kept, first.value.range)
    let sum = owner?.register ?? frame.pinned()
    if owner == nil { self.place(kept, in: sum, first.value.range) }
    let group = frame.pinned()
    self.place(sequence, in: group, place)
    let names = ["? sum", "? element", "? group"].map { arena.words.word($0) }
    let meanings: [(Word, Symbol.Meaning, ValueType, OwnedRegister?)] = [
      (names[0], .variable(sum), made.type, owner),
      (names[2], .register(group), sequence.type, nil),
    ]
    for (name, meaning, type, owner) in meanings {
      scope.declare(
        Symbol(
          name: name, meaning: meaning, type: type, place: place, frame: Int32(depth),
          owner: owner))
    }
    let one = arena.expression(
      kind: .array(arena.list([arena.named(names[1], place)])), range: place)
    let total = arena.named(names[0], place)
    let arguments =
      [Expression.Argument(label: nil, labelRange: place, value: total)]
      + call.arguments.dropFirst()
    let callee = arena.member(
      arena.words.word("reduce"), of: one, nameRange(of: call.callee))
    let joined = arena.call(callee, arguments, closures: Array(call.closures), at: call.range)
    let loop = Statement.Loop(
      name: Name(word: names[1], range: place), awaitRange: call.callee.range,
      sequence: arena.named(names[2], place),
      body: arena.block([arena.assignment(to: total, joined, call.range)], call.range))
    lowerFor(loop, call.range)
    let result = shared(.register(sum, made.type), place)
    closeScope(downTo: mark)
    return result
  }
}
