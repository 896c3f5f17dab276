import SpindleModel

/// Takes a trace through what checks and lowers it, declaration by declaration, in the order that names
/// need: settings and code are made side by side, expectations when all code is there.
struct TraceCompiler {
  var lowering: Lowering
  private var settings: SettingsCompiler
  private(set) var outline = Outline()

  /// The declarations that have been met, by kind.
  struct Outline {
    fileprivate(set) var trace: (settings: [Declaration.Setting], range: SourceRange)?
    fileprivate(set) var machine: (settings: [Declaration.Setting], range: SourceRange)?
    fileprivate(set) var bindings: [Binding] = []
    fileprivate(set) var main: (mode: Expression?, range: SourceRange)?
    /// Functions, main and arrivals, in the order of the text.
    fileprivate(set) var bodies: [Body] = []
    fileprivate(set) var expectations: [CodeBlock] = []
    fileprivate(set) var schedule: SourceRange?
    fileprivate(set) var explore: (settings: [Declaration.Setting], range: SourceRange)?

    enum Body {
      case function(Declaration.Function, ordinal: Int)
      case main(CodeBlock)
      case arrival(Expression)
      case members(Lowering.OpenClass)
    }
  }

  /// Creates the compiler of one trace, whose tree has its words in `words`.
  init(
    source: SourceText, words: WordTable, catalogue: MachineCatalogue, vocabulary: Vocabulary,
    overrides: Overrides, usesForms: Bool, countedObjects: Set<HandleClass>, cells: Set<Int32>
  ) {
    lowering = Lowering(
      source: source, words: words, vocabulary: vocabulary,
      replacements: overrides.replacements, files: overrides.fileReader, usesForms: usesForms,
      countedObjects: countedObjects, cells: cells)
    settings = SettingsCompiler(catalogue: catalogue, overrides: overrides)
  }

  /// Compiles a whole tree; what is wrong with it is complete afterwards.
  mutating func compile(_ tree: SyntaxTree, isWhole: Bool) {
    lowering.storedValues.unsearched = tree
    begin(tree)
    if outline.main == nil && isWhole {
      let end = lowering.source.utf8.count
      if let place = Parser.mainAttribute(in: lowering.source) {
        lowering.error(Messages.mainOfType(lowering.source.text(in: place)), place)
      } else {
        lowering.error(Messages.noMain, SourceRange(end, end))
      }
    }
    lowerTop()
    lowerBodies()
    finish()
  }

  /// Compiles a program whose code another front end makes: only settings and expectations of the tree are looked at.
  mutating func compile(
    settingsOf tree: SyntaxTree, main: SourceRange?,
    _ emit: (inout Lowering) -> Bool
  ) {
    settings.checkOptionNames(tree, &lowering)
    for declaration in tree.declarations {
      switch declaration.kind {
      case .trace, .machine, .parameter, .expect, .schedule, .explore: add(declaration)
      case .binding, .function, .type, .main, .call, .missing: break
      }
    }
    if let main { outline.main = (nil, main) }
    if emit(&lowering) { finish(isTyped: true) }
  }

  /// The names at the top that settings and expectations use.
  var namesInUse: Set<String> {
    Set(lowering.checker.scope.symbols.lazy.filter(\.isUsed).map(\.name.text))
  }

  /// When the run ends at the latest, where the trace or an option says that.
  var until: Instant? { settings.until }

  /// Whether the trace says what is done.
  var hasMain: Bool { outline.main != nil }

  // MARK: Steps, which the reading of long texts takes one by one

  /// Takes in what stands in a tree, which may be the first part of one.
  mutating func begin(_ tree: SyntaxTree) {
    settings.checkOptionNames(tree, &lowering)
    // Whatever stands in front of a class may name it.
    let declarations = lowering.merged(tree.declarations)
    for declaration in declarations {
      if case .type(let type) = declaration.kind { lowering.declareClass(type) }
    }
    for declaration in declarations { add(declaration) }
    lowering.shareStored()
  }

  /// Lowers the values at the top and the closures in them.
  mutating func lowerTop() {
    lowering.lowerInitializers(outline.bindings)
    lowering.lowerPostponed()
  }

  /// Lowers the bodies that have been met and not been lowered.
  mutating func lowerBodies() {
    for body in outline.bodies {
      switch body {
      case .function(let function, let ordinal): lowering.lowerFunction(function, ordinal)
      case .main(let block): lowering.lowerMain(block)
      case .arrival(let call): lowering.lowerArrival(call)
      case .members(let open): lowering.lower(open)
      }
    }
    outline.bodies = []
  }

  /// Passes over the last body that was met, which somebody else lowers; whether there was one.
  mutating func passOverLastBody() -> Bool { outline.bodies.popLast() != nil }

  /// Notes where `main` ends, once that is known.
  mutating func endMain(at end: Int32) { outline.main?.range.upperBound = end }

  /// Compiles what needs all code, and judges the whole; with `isTyped` the front end with types judges the code.
  mutating func finish(isTyped: Bool = false) {
    demand(outline.bodies.isEmpty, "all bodies are lowered when expectations are compiled")
    settings.applyTraceSettings(outline.trace?.settings ?? [], &lowering)
    settings.applyMachineSettings(outline.machine?.settings ?? [], &lowering)
    if let explore = outline.explore {
      settings.applyExploreSettings(explore.settings, at: explore.range, &lowering)
    }
    settings.applyOptions(&lowering)
    lowering.program.expectations = ExpectationCompiler.compile(
      outline.expectations, end: outline.main?.range ?? SourceRange(0, 0),
      on: settings.machine.platform, &lowering)
    lowering.program.measures = ExpectationCompiler.requests(
      settings.overrides.measures, on: settings.machine.platform, &lowering)
    lowering.settle()
    settings.judgeParameters(&lowering.checker)
    if isTyped { return }
    lowering.usage.judgeArrivals(until: settings.until, &lowering.checker)
    lowering.usage.judge(lowering.globals, &lowering.checker)
  }

  /// The program, in which `joined` instructions stand for several where that may be.
  mutating func program(joined: Bool) -> Program {
    if joined { lowering.code.joinInstructions() }
    settings.finish(into: &lowering.program)
    if let schedule = settings.overrides.schedule {
      lowering.program.schedule = ProgramSchedule(schedule)
    }
    lowering.code.finish(into: &lowering.program)
    return lowering.program
  }

  // MARK: Declarations

  /// Takes in the next declaration.
  mutating func add(_ declaration: Declaration) {
    switch declaration.kind {
    case .trace(let title, let settings):
      guard isFirst("trace", outline.trace?.range, declaration) else { return }
      outline.trace = (settings, declaration.range)
      if let title { lowering.program.title = title }
    case .machine(let settings):
      guard isFirst("machine", outline.machine?.range, declaration) else { return }
      outline.machine = (settings, declaration.range)
    case .parameter(let name, let value, let allowed):
      settings.declareParameter(name, value, allowed, &lowering)
    case .binding(let binding):
      outline.bindings.append(binding)
      let declared = lowering.checker.declareAtTop(binding.name, .pending, .unknown)
      if let declared {
        lowering.checker.scope[declared].isExpectedToBeUsed = true
        lowering.statics.homes[declared] = lowering.home(of: binding.isolation)
      }
      if let second = binding.second {
        lowering.checker.declareAtTop(second, .pending, .unknown)
      }
    case .function(let function):
      outline.bodies.append(.function(function, ordinal: lowering.functions.count))
      lowering.noteObserver(function, lowering.functions.count)
      lowering.declareFunction(function)
      lowering.noteComputed(function)
      if function.role != .setter, let declared = lowering.topSymbol(function.name) {
        lowering.checker.scope[declared].isExpectedToBeUsed = true
      }
    case .type(let type):
      guard let (statics, rest) = lowering.declareMembers(type) else { return }
      outline.bindings += statics
      outline.bodies.append(.members(rest))
    case .main(let mode, let body):
      guard isFirst("main", outline.main?.range, declaration) else { return }
      outline.main = (mode, declaration.range)
      outline.bodies.append(.main(body))
      lowering.setMode(mode)
    case .expect(let block): outline.expectations.append(block)
    case .schedule(let lines):
      guard isFirst("schedule", outline.schedule, declaration) else { return }
      outline.schedule = declaration.range
      lowering.program.schedule = schedule(lines)
    case .explore(let settings):
      guard isFirst("explore", outline.explore?.range, declaration) else { return }
      outline.explore = (settings, declaration.range)
    case .call(let call): outline.bodies.append(.arrival(call))
    case .missing: break
    }
  }

  /// What a `schedule` block says; its text is between its braces.
  private mutating func schedule(_ range: SourceRange) -> ProgramSchedule? {
    let source = lowering.checker.source
    let first = source.lineNumber(at: range.lowerBound)
    // The place of a line of the block, without the space around its words.
    func place(_ number: Int) -> SourceRange {
      let next = first + number - 1
      var start = number == 1 ? range.lowerBound : source.lineStarts[next - 1]
      var end = range.upperBound
      if next < source.lineStarts.count { end = min(source.lineStarts[next], end) }
      while start < end, source.utf8[Int(start)] <= 0x20 { start += 1 }
      while end > start, source.utf8[Int(end) - 1] <= 0x20 { end -= 1 }
      return SourceRange(Int(start), Int(end))
    }
    do {
      let lines = try Schedule.placed(source.text(in: range))
      return ProgramSchedule(Schedule(lines.map(\.line)), places: lines.map { place($0.number) })
    } catch {
      lowering.error(error.message, place(error.line))
      return nil
    }
  }

  /// Whether a declaration is the only one of its kind; reports when it is not.
  private mutating func isFirst(
    _ name: String, _ earlier: SourceRange?, _ declaration: Declaration
  ) -> Bool {
    guard let earlier else { return true }
    let line = lowering.checker.line(earlier)
    lowering.error(Messages.twice(name, line: line), declaration.range)
    return false
  }
}
