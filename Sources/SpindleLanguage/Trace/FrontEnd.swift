import SpindleModel

/// Declarations, checking and emission, one behind the other.
///
/// `TraceOutline` takes in settings before it, and compiles expectations behind it.
enum FrontEnd {
  /// The place of each `main`, of which there has to be one.
  static func mains(of declarations: [Grammar.Declaration]) -> [SourceRange] {
    declarations.compactMap { if case .main = $0.kind { $0.range } else { nil } }
  }

  private static func checkMains(
    _ declarations: [Grammar.Declaration], _ table: DeclarationTable
  ) {
    let mains = mains(of: declarations)
    if mains.isEmpty, let name = mainFunction(in: declarations) {
      table.report(Messages.mainFunction, name.range)
    } else if mains.isEmpty {
      let end = table.source.utf8.count
      table.report(Messages.noMain, SourceRange(end, end))
    } else if mains.count > 1 {
      let line = table.source.lineNumber(at: mains[0].lowerBound)
      table.report(Messages.twice("main", line: line), mains[1])
    }
  }

  /// The name of a function at the top that is meant to be `main`; nil for none.
  private static func mainFunction(in declarations: [Grammar.Declaration]) -> Grammar.Name? {
    for declaration in declarations {
      if case .function(let function) = declaration.kind, function.name.text == "main" {
        return function.name
      }
    }
    return nil
  }

  /// Makes the code of a program; the mistakes in it, and neither code nor the program with its types where there is one.
  ///
  /// A mistake in the value of an option, which is read behind the text, is one in a text of its own.
  static func compile(
    _ declarations: [Grammar.Declaration], _ source: SourceText,
    _ options: [Int32: FileOptions], _ overrides: Overrides,
    _ vocabulary: Vocabulary, sharesLibrary: Bool,
    _ reader: inout OutlineReader, _ program: inout TypedProgram?
  ) -> [Diagnostic] {
    let found = read(
      declarations, source, options, overrides, vocabulary, sharesLibrary: sharesLibrary, &reader,
      &program)
    return found.map { diagnostic in
      let (text, range) = (diagnostic.source, diagnostic.range)
      guard let part = text.part(at: range.lowerBound), part.name.hasPrefix("--") else {
        return diagnostic
      }
      let end = text.parts.first { $0.start > part.start }.map { Int($0.start) - 1 }
      let value = Array(text.utf8[Int(part.start)..<(end ?? text.utf8.count)])
      return Diagnostic(
        severity: diagnostic.severity, message: diagnostic.message,
        range: SourceRange(
          Int(range.lowerBound - part.start), Int(range.upperBound - part.start)),
        source: SourceText(name: part.name, utf8: value))
    }
  }

  private static func read(
    _ declarations: [Grammar.Declaration], _ source: SourceText,
    _ options: [Int32: FileOptions], _ overrides: Overrides,
    _ vocabulary: Vocabulary, sharesLibrary: Bool,
    _ reader: inout OutlineReader, _ program: inout TypedProgram?
  ) -> [Diagnostic] {
    var finals = FinalValues(of: declarations)
    let assignments = overrides.replacements
    let written = SwiftMain(declarations, of: source)
    if !written.diagnostics.isEmpty { return written.diagnostics }
    let replaced = Replacements(assignments, in: written.declarations, of: source, vocabulary)
    if !replaced.diagnostics.isEmpty { return replaced.diagnostics }
    var source = replaced.source
    finals.add(overrides.measures, behind: &source)
    let declarations = replaced.declarations + finals.declarations
    if !assignments.isEmpty || finals.ranges.count > finals.ownCount {
      reader.program.source = source
    }
    let table = Declarer.declare(
      declarations, of: source, vocabulary, options, sharesLibrary: sharesLibrary)
    table.asked = Set(finals.names)
    defer { if program == nil { table.dissolve() } }
    let bodies = BodyTable(table)
    for parameter in reader.parameters {
      bodies.parameters[parameter.name] = (
        parameter.value, table.type(parameter.type) ?? .error
      )
    }
    let typed = bodies.check()
    // What does not do for what it replaces is all there is to say: the rest would follow from it.
    let unfit = replaced.mistakes(bodies)
    if !unfit.isEmpty { return unfit }
    Reach.check(typed)
    checkMains(declarations, table)
    ProgramAnalysis.check(typed)
    if table.hasErrors || reader.diagnosis.hasErrors { return table.diagnostics }
    let emitter = Emitter.emitted(typed, bodies, reader.code, reader.program, reader.files)
    if table.hasErrors { return table.diagnostics }
    for parameter in reader.parameters where bodies.usedParameters.contains(parameter.name) {
      reader.find(parameter.name).map { reader.names.use($0) }
    }
    program = typed
    (reader.code, reader.program) = (emitter.code, emitter.program)
    declareVariables(of: typed, finals, emitter, in: &reader)
    declareFunctions(of: table, in: &reader)
    return []
  }

  /// Lets expectations name what the program has at the top, and what they compute of it.
  private static func declareVariables(
    of typed: TypedProgram, _ finals: FinalValues, _ emitter: Emitter,
    in reader: inout OutlineReader
  ) {
    var numbers: [String: Int] = [:]
    for (number, name) in finals.names.enumerated() { numbers[name] = number }
    for section in typed.sections {
      guard case .variables(let symbols, let value, _) = section else { continue }
      for symbol in symbols {
        if let number = numbers[symbol.name] {
          let isAsked = number >= finals.ownCount
          note(symbol, computing: finals.ranges[number], isAsked: isAsked, emitter, in: &reader)
        } else {
          declare(symbol, symbols.count == 1 ? value : nil, emitter, in: &reader)
        }
      }
    }
  }

  /// Tells expectations the functions at the top, which no run can be asked for.
  private static func declareFunctions(
    of table: DeclarationTable, in reader: inout OutlineReader
  ) {
    for (name, symbols) in table.globals.sorted(by: { $0.key < $1.key }) {
      let own = symbols.first { ($0 as? FunctionSymbol)?.isOfLibrary == false }
      guard let own, reader.find(name) == nil else { continue }
      reader.declare(Grammar.Name(text: name, range: own.range), .unknown)
    }
  }

  /// Lets an expectation ask for what a closure at the top gives, or with `isAsked` an option.
  private static func note(
    _ closure: VariableSymbol, computing range: SourceRange, isAsked: Bool, _ emitter: Emitter,
    in reader: inout OutlineReader
  ) {
    guard let made = emitter.globals[ObjectIdentifier(closure)],
      case .function(let function) = emitter.bodies.type(of: closure)
    else { return }
    let type = emitter.namedType(of: function.result)
    let block = reader.code.reserveBlock()
    reader.code.beginFrame(name: reader.code.intern("value"))
    let (register, base) = (reader.code.frame.allocate(), reader.code.frame.allocate())
    reader.code.frame.emit(.loadGlobal(register, made), range)
    reader.code.frame.emit(.callClosure(register, base: base, reader.code.site()), range)
    reader.code.frame.emit(.finishWith(base), range)
    reader.code.frame.isReachable = false
    reader.code.endFrame(block, range)
    let global = GlobalID(reader.program.globals.count)
    reader.program.globals.append(
      Global(
        name: emitter.table.source.text(in: range), format: emitter.format(of: function.result),
        told: type.toldFormat, isVariable: true, place: range,
        handle: emitter.handle(of: function.result)))
    reader.program.finalValues.append(FinalValue(block: block, global: global))
    guard isAsked else {
      reader.finalValues[range] = (global, type)
      return
    }
    reader.askedValues[emitter.table.source.text(in: range)] = (global, type)
    reader.askedNames.insert(closure.name)
  }

  /// Lets expectations name a variable at the top.
  private static func declare(
    _ symbol: VariableSymbol, _ value: Typed.Expression?, _ emitter: Emitter,
    in reader: inout OutlineReader
  ) {
    guard let global = emitter.globals[ObjectIdentifier(symbol)] else { return }
    reader.declare(
      Grammar.Name(text: symbol.name, range: symbol.range),
      constant: symbol.isLet ? value?.constant : nil, global: global,
      emitter.namedType(of: symbol.type))
  }
}
