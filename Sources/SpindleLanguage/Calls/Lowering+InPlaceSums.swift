import SpindleModel

/// `words.reduce(into: [String: Int]()) { counts, word in counts[word, default: 0] += 1 }`.
extension Lowering {
  /// A loop over an array, whose body changes a variable that is given then: `{ var counts = [String: Int]();
  /// for word in words { … }; return counts }()`.
  mutating func reduceInPlace(
    _ array: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    let rest = arena.node(
      Expression.Call(
        callee: call.callee, arguments: arena.list(call.arguments.dropFirst()),
        closures: call.closures, range: call.range))
    guard let first = call.arguments.first, let body = scopeBody(rest, []),
      (1...2).contains(body.parameters.count), !hasReturn(body.body.range)
    else {
      walkStray(call)
      return refuse(Messages.reduceIntoForm, call.range)
    }
    let (mark, place) = (scope.count, call.place)
    defer { scope.close(downTo: mark) }
    let all = standIn(for: .register(array, .array(element)), place)
    let sum = body.parameters[0]
    let each =
      body.parameters.count > 1
      ? body.parameters[1] : Name(word: arena.words.word("_"), range: sum.range)
    let start = Binding(
      isVariable: true, weak: nil, name: sum, type: nil, value: first.value)
    let loop = Statement.Loop(name: each, sequence: all, body: body.body)
    let result = arena.named(sum.word, sum.range)
    let whole = Expression.Closure(
      parameters: SyntaxList(),
      body: arena.block(
        [
          Statement(kind: .binding(arena.node(start)), range: place),
          Statement(kind: .forIn(arena.node(loop)), range: place),
          Statement(kind: .return(result), range: place),
        ], body.body.range))
    return run(.literal(whole, taken: taken(by: body)), [], nil)
  }

  /// What to say of `Dictionary(…)`.
  func dictionaryForm(_ call: CallSite) -> String {
    guard let first = call.arguments.first, first.label == "grouping" else {
      return Messages.dictionaryForm
    }
    let elements = source.text(in: first.value.range)
    return Messages.dictionaryOfGroups(elements.utf8.count > 40 ? "list" : elements)
  }

  /// Whether there is a `return` in some text.
  private func hasReturn(_ range: SourceRange) -> Bool {
    source.utf8.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes)
      lexer.position = Int(range.lowerBound)
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile || token.start >= range.upperBound { return false }
        if token.kind == .return { return true }
      }
    }
  }
}
