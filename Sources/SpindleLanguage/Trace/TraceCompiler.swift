import SpindleModel

/// Takes a trace through what checks and lowers it, declaration by declaration, in the order that names
/// need: settings and code are made side by side, expectations when all code is there.
struct TraceCompiler {
  var lowering: Lowering
  private var outline: TraceOutline
  private var bindings: [Binding] = []
  private(set) var main: (mode: Expression?, range: SourceRange)?
  /// Functions, main and arrivals, in the order of the text.
  private var bodies: [Body] = []

  private enum Body {
    case function(Declaration.Function, ordinal: Int)
    case main(CodeBlock)
    case arrival(Expression)
    case members(Lowering.OpenClass)
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
    outline = TraceOutline(catalogue, overrides)
  }

  /// Compiles a whole tree; what is wrong with it is complete afterwards.
  mutating func compile(_ tree: SyntaxTree, isWhole: Bool) {
    lowering.storedValues.unsearched = tree
    begin(tree)
    if main == nil && isWhole {
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

  // MARK: Steps, which the reading of long texts takes one by one

  /// Takes in what stands in a tree, which may be the first part of one.
  mutating func begin(_ tree: SyntaxTree) {
    outline.begin(tree, values: Self.replaceableNames(of: tree), &lowering)
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
    lowering.lowerInitializers(bindings)
    lowering.lowerPostponed()
  }

  /// Lowers the bodies that have been met and not been lowered.
  mutating func lowerBodies() {
    for body in bodies {
      switch body {
      case .function(let function, let ordinal): lowering.lowerFunction(function, ordinal)
      case .main(let block): lowering.lowerMain(block)
      case .arrival(let call): lowering.lowerArrival(call)
      case .members(let open): lowering.lower(open)
      }
    }
    bodies = []
  }

  /// Passes over the last body that was met, which somebody else lowers; whether there was one.
  mutating func passOverLastBody() -> Bool { bodies.popLast() != nil }

  /// Notes where `main` ends, once that is known.
  mutating func endMain(at end: Int32) { main?.range.upperBound = end }

  /// Compiles what needs all code, and judges the whole.
  mutating func finish() {
    demand(bodies.isEmpty, "all bodies are lowered when expectations are compiled")
    outline.finish(end: main?.range, &lowering)
    lowering.settle()
    outline.judge(&lowering.checker)
    lowering.usage.judgeArrivals(until: outline.settings.until, &lowering.checker)
    lowering.usage.judge(lowering.globals, &lowering.checker)
  }

  /// The program, in which `joined` instructions stand for several where that may be.
  mutating func program(joined: Bool) -> Program {
    outline.complete(&lowering.program, &lowering.code, joined: joined)
    return lowering.program
  }

  // MARK: Declarations

  /// Takes in the next declaration.
  mutating func add(_ declaration: Declaration) {
    switch declaration.kind {
    case .trace, .machine, .parameter, .expect, .schedule, .explore:
      outline.add(declaration, &lowering)
    case .binding(let binding):
      bindings.append(binding)
      let declared = lowering.checker.declareAtTop(binding.name, .pending, .unknown)
      if let declared {
        lowering.checker.scope[declared].isExpectedToBeUsed = true
        lowering.statics.homes[declared] = lowering.home(of: binding.isolation)
      }
      if let second = binding.second {
        lowering.checker.declareAtTop(second, .pending, .unknown)
      }
    case .function(let function):
      bodies.append(.function(function, ordinal: lowering.functions.count))
      lowering.noteObserver(function, lowering.functions.count)
      lowering.declareFunction(function)
      lowering.noteComputed(function)
      if function.role != .setter, let declared = lowering.topSymbol(function.name) {
        lowering.checker.scope[declared].isExpectedToBeUsed = true
      }
    case .type(let type):
      guard let (statics, rest) = lowering.declareMembers(type) else { return }
      bindings += statics
      bodies.append(.members(rest))
    case .main(let mode, let body):
      guard TraceOutline.isFirst("main", main?.range, declaration.range, &lowering) else { return }
      main = (mode, declaration.range)
      bodies.append(.main(body))
      lowering.setMode(mode)
    case .call(let call): bodies.append(.arrival(call))
    case .missing: break
    }
  }

  /// The names of the values that options can replace.
  private static func replaceableNames(of tree: SyntaxTree) -> [String] {
    tree.declarations.flatMap { declaration -> [String] in
      switch declaration.kind {
      case .binding(let binding): binding.isVariable ? [] : [binding.name.text]
      case .type(let type):
        type.fields.filter { !$0.isVariable && $0.value != nil }.map {
          "\(type.name.text).\($0.name.text)"
        }
      case .trace, .machine, .parameter, .function, .main, .expect, .schedule, .explore, .call,
        .missing:
        []
      }
    }
  }
}
