public import SpindleModel

/// Turns the text of a trace into a program.
public struct Compiler: Sendable {
  private let catalogue: MachineCatalogue
  private let vocabulary: Vocabulary
  /// Whether instructions that busy programs have one after the other are joined to one, which changes
  /// no run; tests turn it off to see that.
  package var joinsInstructions = true
  /// Whether what an earlier program or statement made known is used again, which changes no program.
  ///
  /// Tests turn it off to see that: see `LibraryDeclarations`.
  package var takesShortcuts = true

  /// Reads the files of cost profiles; nil where there are none.
  package var fileReader: Overrides.FileReader?

  /// Creates a compiler for the policies and profiles that the simulator knows.
  public init(catalogue: MachineCatalogue) {
    self.init(catalogue: catalogue, vocabulary: .standard)
  }

  /// Creates a compiler for a vocabulary of one's own.
  init(catalogue: MachineCatalogue, vocabulary: Vocabulary) {
    (self.catalogue, self.vocabulary) = (catalogue, vocabulary)
  }

  /// The program of a trace, and all that is wrong with it, in the order of the text.
  ///
  /// The program is nil exactly when a diagnostic is an error. Linear in the length of the text.
  public func compile(
    _ source: SourceText, overrides: Overrides = Overrides()
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    var overrides = overrides
    overrides.fileReader = overrides.fileReader ?? fileReader
    if let inclusion = Inclusion(source, overrides.fileReader) {
      guard inclusion.diagnostics.isEmpty else { return (nil, inclusion.diagnostics) }
      return compile(inclusion.source, overrides, inclusion.options)
    }
    return compile(source.isSwift ? Inclusion.withTypes(source) : source, overrides, [:])
  }

  /// The names of the Swift files that a trace includes, as it names them.
  package static func includedFiles(
    of source: SourceText, _ files: Overrides.FileReader
  ) -> [String] { Inclusion.names(in: source, files) }

  /// What a text comes to whose files are put behind it.
  private func compile(
    _ source: SourceText, _ overrides: Overrides, _ options: [Int32: FileOptions]
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    let (declarations, mistakes) = GrammarParser.parse(source)
    let main = FrontEnd.mains(of: declarations).first
    if !mistakes.isEmpty {
      return (nil, Compiler.arranged(mistakes, hasMain: main != nil || source.hasSwift))
    }
    var reader = OutlineReader(
      source: source, vocabulary: vocabulary, files: overrides.fileReader)
    var outline = TraceOutline(catalogue, overrides)
    outline.begin(declarations, values: Replacements.names(in: declarations), &reader)
    for declaration in declarations {
      guard case .setting(let section) = declaration.kind else { continue }
      outline.add(section, at: declaration.range, &reader)
    }
    var program: TypedProgram?
    var own = FrontEnd.compile(
      declarations, source, options, overrides, vocabulary,
      sharesLibrary: takesShortcuts, &reader, &program)
    if let program {
      outline.finish(end: main, &reader)
      outline.judge(&reader)
      let named = reader.namesInUse.union(FinalValues(of: declarations).names)
      ProgramWarnings.check(program, named: named, until: outline.settings.until)
      own += program.table.diagnostics
      program.table.dissolve()
    }
    let found = reader.diagnosis.found + own
    return Compiler.result(found, hasMain: main != nil) {
      outline.complete(&reader.program, &reader.code, joined: joinsInstructions)
      return reader.program
    }
  }

  /// What was found, in order, and the program that `make` makes where none of it is an error.
  private static func result(
    _ found: [Diagnostic], hasMain: Bool, _ make: () -> Program
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    let diagnostics = arranged(found, hasMain: hasMain)
    let isRefused = diagnostics.contains { $0.severity == .error }
    return (isRefused ? nil : make(), diagnostics)
  }

  /// The diagnostics in the order of the text, none twice; those of the command line come first.
  ///
  /// Warnings are left out when there are errors: much of what they say would only follow from them.
  ///
  /// A program without a `main` whose statements stand at the top is told one thing: where they go.
  private static func arranged(_ found: [Diagnostic], hasMain: Bool = true) -> [Diagnostic] {
    let hasErrors = found.contains { $0.severity == .error }
    if !hasMain,
      let first = found.filter(\.belongsInMain).min(by: {
        $0.range.lowerBound < $1.range.lowerBound
      })
    {
      return [
        Diagnostic(
          severity: .error, message: Messages.script, range: first.range, source: first.source)
      ]
    }
    let kept = hasErrors ? found.filter { $0.severity == .error } : found
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
