import SpindleModel

/// An operation's own `start()`: what it finds above itself, and what its queue asks when it has returned.
extension Lowering {
  /// What the library's `start()` is called in a class that has one of its own and calls it, which no trace can write.
  static let startOfLibrary = "start of the library"

  /// Gives a class whose own `start()` calls `super.start()` what that does: it says that the operation executes, runs
  /// `main()`, and says that it has finished; of one that was cancelled only the last.
  ///
  /// Each is told with the class's own property where it has one.
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, start; Apple, Operation, start().
  func addStart(to type: inout TypeDeclaration) {
    let starts = type.methods.filter {
      $0.function.name.text == "start" || $0.function.name.text == "super start"
    }
    guard
      starts.contains(where: { source.text(in: $0.function.body.range).contains("super.start") })
    else { return }
    let place = type.name.range
    let own = arena.named(words.own, place)
    let run = arena.call(arena.member(arena.words.word("main"), of: own, place), at: place)
    let runs =
      says("isExecuting", true, place) + [Statement(kind: .expression(run), range: place)]
      + says("isExecuting", false, place)
    let wasFinished = above("isFinished", place)
    let leave = arena.choice(
      wasFinished, [Statement(kind: .return(nil), range: place)], place)
    let main = arena.choice(arena.not(above("isCancelled", place), place), runs, place)
    let body = arena.block([leave, main] + says("isFinished", true, place), place)
    let name = Name(word: arena.words.word(Lowering.startOfLibrary), range: place)
    let function = Declaration.Function(
      name: name, isolation: .unspecified, isAsync: false, parameters: [], result: nil, body: body)
    type.methods.append(TypeDeclaration.Method(isStatic: false, function: function))
  }

  /// `super.name` of an operation's own class.
  private func above(_ name: String, _ place: SourceRange) -> Expression {
    let parent = arena.member(words.parent, of: arena.named(words.own, place), place)
    return arena.member(arena.words.word(name), of: parent, place)
  }

  /// `super.key = value; didChangeValue(forKey: "key")`.
  private func says(_ key: String, _ value: Bool, _ place: SourceRange) -> [Statement] {
    let truth = arena.expression(kind: .boolean(value), range: place)
    let text = arena.expression(kind: .text(arena.words.word(key)), range: place)
    let label = Expression.Argument(
      label: arena.words.word("forKey"), labelRange: place, value: text)
    let told = arena.member(
      arena.words.word("didChangeValue"), of: arena.named(words.own, place), place)
    return [
      arena.assignment(to: above(key, place), truth, place),
      Statement(kind: .expression(arena.call(told, [label], at: place)), range: place),
    ]
  }

  // MARK: An end that nobody announced

  /// `if super.asked, self.isFinished, !super.isFinished { super.isFinished = self.isFinished }`: where the library
  /// asks the property of a class itself, it is asked once where its end is known, else twice.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, OperationQueue._schedule and observeValue.
  func askForEnd(of own: Expression, _ place: SourceRange) -> Statement {
    let parent = arena.member(words.parent, of: own, place)
    let name = words.isFinished
    let (inner, outer) = (arena.member(name, of: own, place), arena.member(name, of: parent, place))
    let publish = arena.assignment(to: outer, inner, place)
    let isNew = arena.choice(arena.not(outer, place), [publish], place)
    let asked = arena.member(words.asksEnd, of: parent, place)
    return arena.choice(asked, [arena.choice(inner, [isNew], place)], place)
  }

  /// Whether the library asks for the end of an operation; nil where a member is anything else.
  mutating func endIsAsked(_ base: Expression, _ name: Word, _ range: SourceRange) -> Operand? {
    guard case .member(let above) = base.kind, above.name == words.parent,
      name.text == KnownWords.asksEnd
    else { return nil }
    let register = frame.allocate()
    place(value(base, target: register), in: register, range)
    emit(.perform(.operation(.asksEnd), base: register, noSite), range)
    return .register(register, .boolean)
  }

  /// In front of `waitUntilFinished()`: on Linux it asks a class's own `isFinished` first.
  mutating func askBeforeWait(_ base: Expression, _ index: Int, _ range: SourceRange) {
    let info = checker.classes[index]
    guard info.parent == .operation, isRepeatable(base),
      info.computed.contains(where: { $0.name.text == "isFinished" })
    else { return }
    lower(askForEnd(of: base, range))
  }
}
