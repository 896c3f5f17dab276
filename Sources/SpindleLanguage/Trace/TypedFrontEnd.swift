import SpindleModel

/// The front end with types: declarations, checking and emission, one behind the other.
///
/// It takes programs that the other front end refuses. Settings and expectations are compiled as they are for all
/// traces; `Lowering` lends the code and the names that they need.
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
    _ form: TypedForm, _ source: SourceText, _ vocabulary: Vocabulary,
    _ lowering: inout Lowering, _ program: inout TypedProgram?
  ) -> [Diagnostic] {
    let finals = FinalValueTexts(of: form.tree)
    let written = SwiftMain(form.declarations, of: source)
    if !written.diagnostics.isEmpty { return written.diagnostics }
    let declarations = written.declarations + finals.declarations(in: source)
    // A mistake in the settings is reported already.
    if lowering.checker.diagnosis.hasErrors { return lowering.checker.diagnosis.found }
    let table = Declarer.declare(declarations, of: source, vocabulary, form.options)
    defer { if program == nil { table.dissolve() } }
    if table.hasErrors { return table.diagnostics }
    let bodies = BodyTable(table)
    for (name, parameter) in constantsAtTop(of: lowering) {
      guard let type = table.type(parameter.type) else { continue }
      bodies.parameters[name] = (parameter.value, type)
    }
    let typed = bodies.check()
    Reach.check(typed)
    checkMains(mains(of: declarations), table)
    if !table.hasErrors { ProgramAnalysis.check(typed) }
    if table.hasErrors { return table.diagnostics }
    let emitter = Emitter(bodies, lowering.code, lowering.program)
    emitter.files = lowering.files
    emitter.emit(typed)
    if table.hasErrors { return table.diagnostics }
    for (name, _) in constantsAtTop(of: lowering) where bodies.usedParameters.contains(name) {
      lowering.checker.noteParameter(name)
    }
    program = typed
    (lowering.code, lowering.program) = (emitter.code, emitter.program)
    var places: [String: SourceRange] = [:]
    for (number, range) in finals.ranges.enumerated() {
      places[FinalValueTexts.name(number)] = range
    }
    for section in typed.sections {
      guard case .variables(let symbols, let value, _) = section else { continue }
      for symbol in symbols {
        if let range = places[symbol.name] {
          note(symbol, computing: range, emitter, in: &lowering)
        } else {
          declare(symbol, symbols.count == 1 ? value : nil, emitter, in: &lowering)
        }
      }
    }
    return []
  }

  /// Lets an expectation ask for what a closure at the top gives.
  private static func note(
    _ closure: VariableSymbol, computing range: SourceRange, _ emitter: Emitter,
    in lowering: inout Lowering
  ) {
    guard let made = emitter.globals[ObjectIdentifier(closure)],
      case .function(let function) = emitter.bodies.type(of: closure)
    else { return }
    let type = emitter.valueType(of: function.result)
    if type == .unknown { return }
    let block = lowering.reserveBlock()
    lowering.beginFrame(.asked, name: lowering.intern("value"))
    let (register, base) = (lowering.frame.allocate(), lowering.frame.allocate())
    lowering.emit(.loadGlobal(register, made), range)
    lowering.emit(.callClosure(register, base: base, lowering.code.site()), range)
    lowering.emit(.finishWith(base), range)
    lowering.frame.isReachable = false
    lowering.endFrame(block, range)
    let global = GlobalID(lowering.program.globals.count)
    lowering.program.globals.append(
      Global(
        name: lowering.source.text(in: range), format: emitter.format(of: function.result),
        told: type.toldFormat, isVariable: true, place: range,
        handle: emitter.handle(of: function.result)))
    lowering.program.finalValues.append(FinalValue(block: block, global: global))
    lowering.knownFinalValues[range] = (global, type)
  }

  /// The parameters of the trace with their values.
  private static func constantsAtTop(
    of lowering: Lowering
  ) -> [(String, (value: Int64, type: ValueType))] {
    lowering.checker.scope.symbols.compactMap { symbol in
      guard case .constant(let value) = symbol.meaning else { return nil }
      return (symbol.name.text, (value, symbol.type))
    }
  }

  /// Lets expectations name a variable at the top.
  private static func declare(
    _ symbol: VariableSymbol, _ value: Typed.Expression?, _ emitter: Emitter,
    in lowering: inout Lowering
  ) {
    guard let global = emitter.globals[ObjectIdentifier(symbol)] else { return }
    let name = Name(word: lowering.arena.words.word(symbol.name), range: symbol.range)
    var meaning: Symbol.Meaning = symbol.isLet ? .global(global) : .shared(global)
    if symbol.isLet, let constant = value?.constant { meaning = .constant(constant) }
    let type = emitter.valueType(of: symbol.type)
    guard let index = lowering.checker.declareAtTop(name, meaning, type) else { return }
    lowering.globals.note(index, global)
  }
}
