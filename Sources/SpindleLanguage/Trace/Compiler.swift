public import SpindleModel

/// Which of the two front ends reads a trace.
package enum FrontEnds: Sendable {
  /// The one without types alone.
  case untyped
  /// The one without types takes what the other one refuses, and long texts.
  case typedThenUntyped
  /// The one with types alone.
  case typed
}

/// Turns the text of a trace into a program.
public struct Compiler: Sendable {
  private let catalogue: MachineCatalogue
  private let vocabulary: Vocabulary
  /// Whether instructions that busy programs have one after the other are joined to one, which changes
  /// no run; tests turn it off to see that.
  package var joinsInstructions = true
  /// Whether what an earlier program or statement made known is used again, which changes no program.
  ///
  /// Tests turn it off to see that: see `LongText`, `CallForms` and `LibraryDeclarations`.
  package var takesShortcuts = true
  /// Which of the two front ends reads a trace.
  package var frontEnds = FrontEnds.typedThenUntyped
  /// From how many bytes on a `main` is read by a thread of its own, which changes no program; tests
  /// set it to 0 to see that.
  package var readsAheadFrom = StatementReader.leastLength

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
      return compileTyped(inclusion.source, overrides, inclusion.options)
    }
    if source.isSwift { return compileTyped(Inclusion.withTypes(source), overrides) }
    if frontEnds == .typed { return compileTyped(source, overrides) }
    let isLong = takesShortcuts && source.utf8.count > Compiler.longest
    let form = frontEnds == .untyped || isLong ? nil : typedForm(of: source)
    let first = form.map { compileTyped($0, source, overrides) }
    if let first, first.program != nil { return first }
    let long = takesShortcuts ? compileLong(source, overrides) : nil
    let made = long ?? compileWhole(source, overrides)
    if made.program != nil || frontEnds == .untyped { return made }
    let read = form ?? typedForm(of: source)
    let typed = first ?? compileTyped(read, source, overrides)
    if typed.program != nil { return typed }
    let isRead = read.diagnostics.isEmpty
    return (nil, Compiler.joined(made.diagnostics, typed.diagnostics, isRead: isRead))
  }

  /// What to say of a program that neither front end takes.
  ///
  /// The one without types has more to say of a mistake in a trace. But it takes much of Swift for a mistake: where it
  /// reports a limit of its own in a line in which the other one finds nothing, it has not read the program as Swift does,
  /// and its words are used only where both find something at the same place. A word that it names is a limit only if the
  /// other one could read the text. It does not find a mistake in an option for a trace that it cannot read.
  private static func joined(
    _ found: [Diagnostic], _ typed: [Diagnostic], isRead: Bool
  ) -> [Diagnostic] {
    if typed.contains(where: isInOption) {
      return found.contains(where: isInOption) ? found : typed
    }
    func line(_ diagnostic: Diagnostic) -> Int {
      diagnostic.source.fileLine(at: diagnostic.range.lowerBound).line
    }
    let errors = found.filter { $0.severity == .error }
    let wrong = typed.filter { $0.severity == .error }.map(line)
    let limits = errors.filter { isRead ? $0.isOwnLimit : $0.isLimitOfForm }
    if limits.map(line).allSatisfy(wrong.contains) { return found }
    let places = typed.map(\.range.lowerBound)
    let worded = errors.filter { places.contains($0.range.lowerBound) }
    let known = worded.map(\.range.lowerBound)
    return arranged(worded + typed.filter { !known.contains($0.range.lowerBound) })
  }

  /// Whether a mistake is in an option.
  private static func isInOption(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.source.fileLine(at: diagnostic.range.lowerBound).file.hasPrefix("--")
  }

  /// How many bytes the front end with types reads first: it is slower and keeps the tree of the whole text.
  static let longest = 256 * 1_024

  /// The names of the Swift files that a trace includes, as it names them.
  package static func includedFiles(
    of source: SourceText, _ files: Overrides.FileReader
  ) -> [String] { Inclusion.names(in: source, files) }

  /// What a trace comes to by the front end with types.
  private func compileTyped(
    _ source: SourceText, _ overrides: Overrides, _ options: [Int32: FileOptions] = [:]
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    compileTyped(typedForm(of: source, options), source, overrides)
  }

  /// A text as the front end with types reads it.
  private func typedForm(
    of source: SourceText, _ options: [Int32: FileOptions] = [:]
  ) -> TypedForm {
    TypedForm(source, settings: Parser.parse(source.ownTrace), options)
  }

  private func compileTyped(
    _ form: TypedForm, _ source: SourceText, _ overrides: Overrides
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    if !form.diagnostics.isEmpty { return (nil, Compiler.arranged(form.diagnostics)) }
    var reader = OutlineReader(
      source: source, words: form.tree.arena.words, vocabulary: vocabulary,
      files: overrides.fileReader)
    var outline = TraceOutline(catalogue, overrides)
    outline.begin(
      form.tree, values: Replacements.names(in: form.declarations), &reader)
    for declaration in form.tree.declarations { outline.add(declaration, &reader) }
    let main = TypedFrontEnd.mains(of: form.declarations).first
    var program: TypedProgram?
    var own = TypedFrontEnd.compile(
      form, source, overrides.replacements, vocabulary, sharesLibrary: takesShortcuts, &reader,
      &program)
    if let program {
      outline.finish(end: main, &reader)
      outline.judge(&reader.checker)
      let named = reader.namesInUse.union(FinalValueTexts(of: form.tree).names)
      ProgramWarnings.check(program, named: named, until: outline.settings.until)
      own += program.table.diagnostics
      program.table.dissolve()
    }
    let found = reader.checker.diagnosis.found + own
    return Compiler.result(found, hasMain: main != nil) {
      outline.complete(&reader.program, &reader.code, joined: joinsInstructions)
      return reader.program
    }
  }

  /// What a trace comes to whose tree is kept until all of it has been read.
  private func compileWhole(
    _ source: SourceText, _ overrides: Overrides
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    let (own, found) = Parser.parse(source)
    // What is nested too deeply has been cut off: more about it would be about the cut.
    let tooDeep = SyntaxMessage.tooDeep(Parser.deepestNesting)
    if found.contains(where: { $0.message == tooDeep }) { return (nil, Compiler.arranged(found)) }
    let tree = LibraryText.completing(own)
    let source = tree.source
    var compiler = self.compiler(source, tree.arena.words, overrides)
    let isWhole = !found.contains { $0.severity == .error }
    compiler.compile(tree, isWhole: isWhole)
    // What turned out to be counted, and shared by closures: more of the one may come of the other.
    var (counted, cells): (Set<HandleClass>, Set<Int32>) = ([], [])
    while true {
      let needed = counted.union(compiler.lowering.neededLives)
      let shared = cells.union(compiler.lowering.cells.wanted)
      if needed == counted && shared == cells { break }
      (counted, cells) = (needed, shared)
      compiler = self.compiler(
        source, tree.arena.words, overrides, countedObjects: counted, cells: cells)
      compiler.compile(tree, isWhole: isWhole)
    }
    let meant = Compiler.independent(
      compiler.lowering.checker.diagnosis.found, of: found, in: source)
    return result(&compiler, found + meant)
  }

  /// What a trace comes to without keeping its tree; nil for traces with which that does not do.
  ///
  /// It does when the form is right and `main` needs nothing that stands behind it, as in most.
  func compileLong(
    _ source: SourceText, _ overrides: Overrides
  ) -> (program: Program?, diagnostics: [Diagnostic])? {
    Parser.reading(source) { parser in
      var compiler = self.compiler(source, parser.arena.words, overrides)
      let isDone =
        LongText.compile(&compiler, &parser, readsAheadFrom: readsAheadFrom)
        && compiler.lowering.neededLives.isEmpty && compiler.lowering.cells.wanted.isEmpty
        && LibraryText.needed(by: parser.arena.words) == nil
      return isDone ? result(&compiler, compiler.lowering.checker.diagnosis.found) : nil
    }
  }

  private func compiler(
    _ source: SourceText, _ words: WordTable, _ overrides: Overrides,
    countedObjects: Set<HandleClass> = [], cells: Set<Int32> = []
  ) -> TraceCompiler {
    TraceCompiler(
      source: source, words: words, catalogue: catalogue, vocabulary: vocabulary,
      overrides: overrides, usesForms: takesShortcuts, countedObjects: countedObjects,
      cells: cells)
  }

  private func result(
    _ compiler: inout TraceCompiler, _ found: [Diagnostic]
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    Compiler.result(found, hasMain: compiler.main != nil) {
      compiler.program(joined: joinsInstructions)
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
