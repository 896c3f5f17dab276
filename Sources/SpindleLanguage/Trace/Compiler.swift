public import SpindleModel

/// What the command line says against the trace's own text.
public struct Overrides: Hashable, Sendable {
  /// `--set name=value`, in order; the value as the trace would write it, or a bare word for a string.
  public var parameters: [Assignment] = []
  /// `--replace name=expression`: the value of a top-level `let` that is an executor.
  public var replacements: [Assignment] = []
  /// `--policy`, as the trace would write it; the point may be left out.
  public var policy: String?
  /// `--costs`, likewise.
  public var costs: String?
  /// `--platform`, likewise.
  public var platform: String?
  /// `--cores`: a number.
  public var cores: String?
  /// `--seed`: a number.
  public var seed: String?
  /// `--until`: a duration.
  public var until: String?

  /// A name with a text to be read as an expression.
  public struct Assignment: Hashable, Sendable {
    public var name: String
    public var value: String

    /// Creates an assignment.
    public init(name: String, value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// Creates overrides that change nothing.
  public init() {}
}

/// Turns the text of a trace into a program.
public struct Compiler: Sendable {
  private let catalogue: MachineCatalogue
  private let vocabulary: Vocabulary
  /// Whether instructions that busy programs have one after the other are joined to one, which changes
  /// no run; tests turn it off to see that.
  package var joinsInstructions = true
  /// From how many bytes on a `main` is read by a thread of its own, which changes no program; tests
  /// set it to 0 to see that.
  package var readsAheadFrom = StatementReader.leastLength

  /// Creates a compiler for the policies and profiles that the simulator knows.
  public init(catalogue: MachineCatalogue) {
    self.init(catalogue: catalogue, vocabulary: .standard)
  }

  /// Creates a compiler for a vocabulary of one's own.
  init(catalogue: MachineCatalogue, vocabulary: Vocabulary) {
    (self.catalogue, self.vocabulary) = (catalogue, vocabulary)
  }

  private func lowering(
    _ source: SourceText, _ tree: SyntaxArena, _ overrides: Overrides
  ) -> Lowering {
    Lowering(
      source: source, tree: tree, catalogue: catalogue, vocabulary: vocabulary,
      overrides: overrides)
  }

  /// The program of a trace, and all that is wrong with it, in the order of the text.
  ///
  /// The program is nil exactly when a diagnostic is an error. Linear in the length of the text.
  public func compile(
    _ source: SourceText, overrides: Overrides = Overrides()
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    compileReading(source, overrides: overrides) ?? compileWhole(source, overrides: overrides)
  }

  /// What a trace comes to whose tree is kept until all of it has been read.
  func compileWhole(
    _ source: SourceText, overrides: Overrides
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    let (tree, found) = Parser.parse(source)
    // What is nested too deeply has been cut off: more about it would be about the cut.
    let tooDeep = SyntaxMessage.tooDeep(Parser.deepestNesting)
    if found.contains(where: { $0.message == tooDeep }) { return (nil, Compiler.arranged(found)) }
    var lowering = self.lowering(source, tree.arena, overrides)
    lowering.lower(tree, isWhole: !found.contains { $0.severity == .error })
    let diagnostics = Compiler.arranged(
      found + Compiler.independent(lowering.diagnostics, of: found, in: source))
    let isRefused = diagnostics.contains { $0.severity == .error }
    if isRefused { return (nil, diagnostics) }
    return (finished(&lowering), diagnostics)
  }

  private func finished(_ lowering: inout Lowering) -> Program {
    if joinsInstructions { lowering.joinInstructions() }
    (lowering.program.instructions, lowering.program.places) = lowering.frames.code.take()
    return lowering.program
  }

  /// What a trace comes to whose form is right and whose `main` needs nothing that stands behind
  /// it, as most do: without keeping its tree, which takes several times the memory of the text.
  ///
  /// The same as all at once would give; nil for the other traces.
  func compileReading(
    _ source: SourceText, overrides: Overrides
  ) -> (program: Program?, diagnostics: [Diagnostic])? {
    Parser.reading(source) { parser in
      var lowering = self.lowering(source, parser.arena, overrides)
      lowering.readsAheadFrom = readsAheadFrom
      guard lowering.lower(reading: &parser) else { return nil }
      let diagnostics = Compiler.arranged(lowering.diagnostics)
      let isRefused = diagnostics.contains { $0.severity == .error }
      if isRefused { return (nil, diagnostics) }
      return (finished(&lowering), diagnostics)
    }
  }

  /// The diagnostics about the meaning of lines whose form is right; what is said of the others may
  /// only follow from their form.
  private static func independent(
    _ found: [Diagnostic], of syntax: [Diagnostic], in source: SourceText
  ) -> [Diagnostic] {
    let lines = Set(syntax.map { source.lineNumber(at: $0.range.lowerBound) })
    guard !lines.isEmpty else { return found }
    return found.filter { diagnostic in
      diagnostic.source.name != source.name
        || !lines.contains(source.lineNumber(at: diagnostic.range.lowerBound))
    }
  }

  /// The diagnostics in the order of the text, none twice; those of the command line come first.
  ///
  /// Warnings are left out when there are errors: much of what they say would only follow from them.
  private static func arranged(_ found: [Diagnostic]) -> [Diagnostic] {
    let hasErrors = found.contains { $0.severity == .error }
    // Whoever moves something into `main` writes one.
    let getsMain = hasErrors && found.contains { $0.message.hasSuffix(Messages.intoMain) }
    let kept =
      hasErrors
      ? found.filter { $0.severity == .error && !(getsMain && $0.message == Messages.noMain) }
      : found
    let order = kept.indices.sorted { left, right in
      let (a, b) = (kept[left], kept[right])
      let (isOptionA, isOptionB) = (a.source.name.hasPrefix("--"), b.source.name.hasPrefix("--"))
      if isOptionA != isOptionB { return isOptionA }
      return isOptionA || a.range.lowerBound == b.range.lowerBound
        ? left < right : a.range.lowerBound < b.range.lowerBound
    }
    var arranged: [Diagnostic] = []
    for index in order {
      let next = kept[index]
      let isRepeated = arranged.last.map {
        $0.range == next.range && $0.message == next.message && $0.source.name == next.source.name
      }
      if isRepeated != true { arranged.append(next) }
    }
    return arranged
  }
}
