import SpindleModel

/// The front end with types: declarations, checking and emission, one behind the other.
///
/// It reads each program first, apart from long texts. `TraceOutline` takes in settings before it, and compiles
/// expectations behind it.
enum TypedFrontEnd {
  /// The place of each `main`, of which there has to be one.
  static func mains(of declarations: [Grammar.Declaration]) -> [SourceRange] {
    declarations.compactMap { if case .main = $0.kind { $0.range } else { nil } }
  }

  private static func checkMains(_ mains: [SourceRange], _ table: DeclarationTable) {
    if mains.isEmpty {
      let end = table.source.utf8.count
      table.report(Messages.noMain, SourceRange(end, end))
    } else if mains.count > 1 {
      let line = table.source.lineNumber(at: mains[0].lowerBound)
      table.report(Messages.twice("main", line: line), mains[1])
    }
  }

  /// Makes the code of a program; the mistakes in it, and neither code nor the program with its types where there is one.
  static func compile(
    _ form: TypedForm, _ source: SourceText, _ assignments: [Overrides.Assignment],
    _ vocabulary: Vocabulary, sharesLibrary: Bool,
    _ reader: inout OutlineReader, _ program: inout TypedProgram?
  ) -> [Diagnostic] {
    let finals = FinalValueTexts(of: form.tree)
    let written = SwiftMain(form.declarations, of: source)
    if !written.diagnostics.isEmpty { return written.diagnostics }
    // A mistake in the settings is reported already.
    if reader.checker.diagnosis.hasErrors { return reader.checker.diagnosis.found }
    let replaced = Replacements(assignments, in: written.declarations, of: source, vocabulary)
    if !replaced.diagnostics.isEmpty { return replaced.diagnostics }
    let declarations = replaced.declarations + finals.declarations(in: source)
    let source = replaced.source
    if !assignments.isEmpty { reader.program.source = source }
    let table = Declarer.declare(
      declarations, of: source, vocabulary, form.options, sharesLibrary: sharesLibrary)
    defer { if program == nil { table.dissolve() } }
    if table.hasErrors { return table.diagnostics }
    let bodies = BodyTable(table)
    for parameter in reader.parameters {
      guard let type = table.type(parameter.type) else { continue }
      bodies.parameters[parameter.name] = (parameter.value, type)
    }
    let typed = bodies.check()
    replaced.check(bodies)
    Reach.check(typed)
    checkMains(mains(of: declarations), table)
    if !table.hasErrors { ProgramAnalysis.check(typed) }
    if table.hasErrors { return table.diagnostics }
    let emitter = Emitter(bodies, reader.code, reader.program)
    emitter.files = reader.files
    emitter.emit(typed)
    if table.hasErrors { return table.diagnostics }
    for parameter in reader.parameters where bodies.usedParameters.contains(parameter.name) {
      reader.checker.noteParameter(parameter.name)
    }
    program = typed
    (reader.code, reader.program) = (emitter.code, emitter.program)
    var places: [String: SourceRange] = [:]
    for (number, range) in finals.ranges.enumerated() {
      places[FinalValueTexts.name(number)] = range
    }
    for section in typed.sections {
      guard case .variables(let symbols, let value, _) = section else { continue }
      for symbol in symbols {
        if let range = places[symbol.name] {
          note(symbol, computing: range, emitter, in: &reader)
        } else {
          declare(symbol, symbols.count == 1 ? value : nil, emitter, in: &reader)
        }
      }
    }
    return []
  }

  /// Lets an expectation ask for what a closure at the top gives.
  private static func note(
    _ closure: VariableSymbol, computing range: SourceRange, _ emitter: Emitter,
    in reader: inout OutlineReader
  ) {
    guard let made = emitter.globals[ObjectIdentifier(closure)],
      case .function(let function) = emitter.bodies.type(of: closure)
    else { return }
    let type = emitter.valueType(of: function.result)
    if type == .unknown { return }
    let block = reader.code.reserveBlock()
    reader.code.beginFrame(.asked, name: reader.code.intern("value"))
    let (register, base) = (reader.code.frame.allocate(), reader.code.frame.allocate())
    reader.code.frame.emit(.loadGlobal(register, made), range)
    reader.code.frame.emit(.callClosure(register, base: base, reader.code.site()), range)
    reader.code.frame.emit(.finishWith(base), range)
    reader.code.frame.isReachable = false
    reader.code.endFrame(block, range)
    let global = GlobalID(reader.program.globals.count)
    reader.program.globals.append(
      Global(
        name: reader.source.text(in: range), format: emitter.format(of: function.result),
        told: type.toldFormat, isVariable: true, place: range,
        handle: emitter.handle(of: function.result)))
    reader.program.finalValues.append(FinalValue(block: block, global: global))
    reader.finalValues[range] = (global, type)
  }

  /// Lets expectations name a variable at the top.
  private static func declare(
    _ symbol: VariableSymbol, _ value: Typed.Expression?, _ emitter: Emitter,
    in reader: inout OutlineReader
  ) {
    guard let global = emitter.globals[ObjectIdentifier(symbol)] else { return }
    let name = Name(word: reader.checker.arena.words.word(symbol.name), range: symbol.range)
    var meaning: Symbol.Meaning = symbol.isLet ? .global(global) : .shared(global)
    if symbol.isLet, let constant = value?.constant { meaning = .constant(constant) }
    let type = emitter.valueType(of: symbol.type)
    guard let index = reader.checker.declareAtTop(name, meaning, type) else { return }
    reader.globals.note(index, global)
  }
}
