import SpindleModel

/// The way to compile texts of a million lines: each statement of `main` is lowered as soon as it is read,
/// and its tree is gone before the next one comes.
///
/// The tree of a text takes several times the text's memory, and a program of a million lines is read
/// in half the time when it is never there as a whole. What comes out is the same.
enum LongText {
  /// Compiles the text that `parser` is at the beginning of, as far as that does.
  ///
  /// False when it does not: the form is not right, or `main` needs what stands behind it. Then nothing
  /// of the compiler is of use. A `main` of `readsAheadFrom` bytes and more is read by a thread of its own.
  static func compile(
    _ compiler: inout TraceCompiler, _ parser: inout Parser, readsAheadFrom: Int
  ) -> Bool {
    var tree = SyntaxTree(
      source: compiler.lowering.source, arena: parser.arena, declarations: [])
    while let declaration = parser.nextDeclaration() {
      tree.declarations.append(declaration)
      if parser.openMain != nil { break }
    }
    guard let opening = parser.openMain, parser.diagnostics.isEmpty,
      !parser.declaresNames(behind: opening.end)
    else { return false }
    compiler.begin(tree)
    guard compiler.passOverLastBody() else { return false }
    compiler.lowerTop()
    compiler.lowerBodies()
    var main = LongMain(readsAheadFrom: readsAheadFrom)
    guard main.lower(opening, &parser, &compiler.lowering) else { return false }
    compiler.endMain(at: parser.previousEnd)
    while let declaration = parser.nextDeclaration() {
      switch declaration.kind {
      case .parameter, .binding, .function, .type, .main: return false
      case .trace, .machine, .expect, .schedule, .explore, .call, .missing:
        compiler.add(declaration)
      }
    }
    guard !compiler.lowering.storedValues.needsWholeTree, parser.diagnostics.isEmpty else {
      return false
    }
    compiler.lowerBodies()
    compiler.finish()
    return withExtendedLifetime(main) { !compiler.lowering.storedValues.needsWholeTree }
  }
}

/// The body of `main` while it is read.
private struct LongMain {
  let readsAheadFrom: Int
  /// Where those parts of the tree are that are needed for longer than a moment.
  private var trees: [SyntaxArena] = []

  init(readsAheadFrom: Int) { self.readsAheadFrom = readsAheadFrom }

  /// Lowers the body that begins with the brace `opening`, as far as its form is right.
  mutating func lower(
    _ opening: Token, _ parser: inout Parser, _ lowering: inout Lowering
  ) -> Bool {
    var main = lowering.beginMain()
    let statements = parser.beginMain(opening)
    let isLong = lowering.source.utf8.count - Int(opening.end) >= readsAheadFrom
    let isReadAhead = isLong ? lowerAhead(statements, &parser, &main, &lowering) : nil
    guard isReadAhead ?? lower(statements, &parser, &main, &lowering) else { return false }
    parser.endMain()
    let end = Int(parser.previousEnd)
    lowering.endMain(&main, SourceRange(end - 1, end))
    return parser.diagnostics.isEmpty
  }

  /// Lowers each statement as soon as it is read, as far as their form is right.
  private func lower(
    _ statements: Parser.OpenStatements, _ parser: inout Parser, _ main: inout Lowering.OpenMain,
    _ lowering: inout Lowering
  ) -> Bool {
    let ownMark = lowering.arena.mark
    var (statements, mark) = (statements, parser.arena.mark)
    while let statement = parser.nextStatement(&statements) {
      guard parser.diagnostics.isEmpty, !lowering.storedValues.needsWholeTree else { return false }
      lowering.noteFunctions(in: statement)
      lowering.lower(statement, in: &main.block)
      lowering.arena.forget(downTo: ownMark)
      if statement.isDefer { mark = parser.arena.mark } else { parser.arena.forget(downTo: mark) }
    }
    return true
  }

  /// The same, while another thread reads on; nil when there is none.
  private mutating func lowerAhead(
    _ statements: Parser.OpenStatements, _ parser: inout Parser, _ main: inout Lowering.OpenMain,
    _ lowering: inout Lowering
  ) -> Bool? {
    var ahead = RoomAhead()
    let ownMark = lowering.arena.mark
    // From here on only the other thread adds words.
    lowering.arena.closesWords = true
    defer { lowering.arena.closesWords = false }
    let isRead = StatementReader.read(&parser, statements) { batch in
      for statement in batch.statements {
        if lowering.storedValues.needsWholeTree { return .refused }
        lowering.noteFunctions(in: statement)
        lowering.lower(statement, in: &main.block)
        lowering.arena.forget(downTo: ownMark)
      }
      let keepsTree = batch.statements.contains(where: \.isDefer)
      if keepsTree { trees.append(batch.arena) }
      return .done(wanting: ahead.next(lowering.code.stack), keepsTree: keepsTree)
    }
    return isRead.map {
      $0 && parser.diagnostics.isEmpty && !lowering.storedValues.needsWholeTree
    }
  }
}
