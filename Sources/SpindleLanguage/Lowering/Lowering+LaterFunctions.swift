import SpindleModel

/// Functions of a body that use each other: the one above has a copy of the one further down in it.
///
/// In Swift both see each other, where neither takes what is declared behind the first. A function has no state of its own, so
/// a copy does what it does; what both change is shared by its place anyway.
extension Lowering {
  /// In the body of a function: declares those further down in the block around it that it names.
  mutating func copyLaterFunctions(namedIn body: CodeBlock) {
    guard !later.functions.isEmpty, later.copies < LaterFunctions.most,
      later.depth < LaterFunctions.deepest
    else { return }
    // The nearest one stands last.
    for function in later.functions.reversed() {
      let name = function.name
      if let found = find(name.word),
        Int(scope[found].frame) == depth || scope[found].place == name.range
      {
        continue
      }
      guard later.copies < LaterFunctions.most, isNamed(name, in: body.range) else { continue }
      let (mark, errors) = (scope.count, checker.diagnosis.count)
      later.copies += 1
      later.depth += 1
      lowerLocalFunction(function)
      later.depth -= 1
      let isWrong = checker.diagnosis.hasErrors(since: errors)
      // Where it stands it is looked at for itself.
      checker.diagnosis.retract(to: errors)
      if isWrong { scope.close(downTo: mark) }
    }
  }

  /// Notes a function of a `main` whose statements come one by one: of a second one the first must know.
  mutating func noteFunctions(in statement: Statement) {
    guard case .function = statement.kind else { return }
    later.inMain += 1
    if later.inMain > 1 { storedValues.needTree() }
  }

  /// Whether a word stands somewhere in the text.
  func isNamed(_ name: Name, in range: SourceRange) -> Bool {
    let text = name.text
    return source.utf8.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes)
      lexer.position = Int(range.lowerBound)
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile || token.start >= range.upperBound { return false }
        guard token.kind == .identifier || token.kind.isText else { continue }
        let word = String(decoding: bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
        // What is in a text's `\\( )` is not looked into any further.
        if token.kind == .identifier ? word == text : word.contains(text) { return true }
      }
    }
  }
}

/// The functions that stand further down in the blocks that are open, and how many copies of such there are.
struct LaterFunctions {
  /// The one that comes next stands last.
  var functions: [Statement.LocalFunction] = []
  /// How many stand in a `main` of which no more is known.
  var inMain = 0
  var copies = 0
  var depth = 0

  /// Each copy takes as long as the function: a text with many that use each other ends in good time.
  static let most = 64
  static let deepest = 3
}
