import SpindleModel

/// Turns the tree of a trace into code in one walk, and says what is wrong with what the code means.
///
/// Each expression is visited once: its type is found and its instructions are made together. What
/// is wrong gets the type `unknown`, which goes with everything, so that it is told once.
///
/// What it knows and what it makes lie in rooms of their own: names and mistakes in the checker, code
/// in the builder, what the text alone shows to be wrong in the usage checks.
struct Lowering {
  var checker: Checker
  var code: CodeBuilder
  var usage = UsageChecks()
  var needs = ThreadNeeds()
  /// The values at the top that the program keeps.
  var globals = Globals()
  var storedValues: StoredValues
  /// What is `static` and no plain value.
  var statics = Statics()
  /// What functions read of values at the top, where initialisers call any.
  var earlyReads = EarlyReads()
  /// What stands beside the code: arrivals, main, the names of threads.
  var program = Program()
  /// What the command line puts in the place of executors at the top.
  let replacements: [Overrides.Assignment]
  /// The symbol from which on the innermost block's own symbols begin.
  var blockStart = 0
  /// Closures at the top whose bodies wait until every name at the top has a type.
  var postponed: [PostponedClosure] = []
  /// The name of the `let` or `var` that the next call's object is bound to.
  var boundName: Word?
  /// The `var` of the top level that the present assignment sets.
  var changing: GlobalID?
  /// Whether a captured `var` is passed over: in what is given to something unknown.
  var isLenient = false
  /// Where the chains lead that are being made, innermost last, when something before a `?` is nil.
  var chainExits: [Frame.Label] = []
  /// The functions of bodies that are closures, by the place of their name.
  var localFunctions: [Int32: Int] = [:]
  /// The type that is wanted of the call at hand.
  var wantedResult: ValueType?
  /// The first moment at which the next closure can run that is made.
  var closuresBegin = Instant.start
  /// Where the closure runs that is lowered next, when that is called where it stands.
  var closureCaller: Frame.Context?
  /// What is assigned to behind an `await`.
  var awaitedTarget: SourceRange?
  /// The parameters whose own values are being put in.
  var standards = OpenStandards()
  /// The functions further down in the bodies that are open.
  var later = LaterFunctions()
  /// The symbol of the dictionary whose keys the closure that runs next is given for its entries; -1 for none.
  var pairs: Int32 = -1
  /// The `var`s that are being changed where they are: their observers are called later.
  var unobserved: [Unobserved] = []
  /// Whether the name that is assigned next is one at the top: `self.n = n`.
  var assignsTop = false
  /// The label of the loop or `switch` that is lowered next.
  var pendingLabel: Word?
  /// Which objects of the library are counted.
  var libraryLives: LibraryLives
  /// Whether what is changed in place gives nothing of what was there.
  var changesBlindly = true
  /// Which local `var`s closures share.
  var cells: Cells
  /// How many blocks are open, and how many when only main's own is; -1 outside of that.
  var openBlocks = 0
  var mainBlocks = -1
  /// What parts of what is changed are called meanwhile, one within another: they are there before another thread
  /// reads on, which then alone adds words.
  let partWords: [Word]
  /// How many values were held where the expression began that is being lowered: it lets go of what came after.
  var temporariesOfCall = 0
  /// The call whose value nothing takes.
  var dropped: SourceRange?
  /// Whether what is lowered is the value of a `let` at the top, which is there until the end.
  var isTopForGood = false
  /// The `enum`s with values of which one is being printed or compared.
  var openPayloads: [Int] = []
  /// The `init` whose code is being lowered.
  var initialization: Initialization?
  /// What is known of the closure of the task that is being made, and what it was found to give.
  var taskClosure: TaskClosure?
  var taskResult = ValueType.unknown
  /// Whether the group at hand says nothing of what its tasks give.
  var groupIsUnsaid = false
  /// What the continuation hands over whose closure is being lowered, as far as that is not said but found out.
  var foundHandover: ValueType?
  /// `$id` and `id` of each task-local: words are not looked up any more while a long text is read ahead.
  var taskLocalNames: [(sigil: Word, name: Word)] = []
  /// Reads the files that the trace names; nil if the caller reads no files.
  let files: Overrides.FileReader?
  /// What the forms of calls mean.
  var forms: CallForms

  /// Creates the lowering of one trace, whose tree has its words in `words`.
  init(
    source: SourceText, words: WordTable, vocabulary: Vocabulary,
    replacements: [Overrides.Assignment], files: Overrides.FileReader?, usesForms: Bool,
    countedObjects: Set<HandleClass>, cells: Set<Int32>
  ) {
    self.files = files
    partWords = (0..<32).map { words.word("? part \($0)") }
    libraryLives = LibraryLives(counted: countedObjects)
    self.cells = Cells(places: cells)
    checker = Checker(source: source, words: words, vocabulary: vocabulary)
    checker.classes.hasCells = !cells.isEmpty
    code = CodeBuilder(length: source.utf8.count, known: program.names)
    (storedValues, self.replacements) = (StoredValues(), replacements)
    forms = CallForms(isUsed: usesForms)
    program.source = source
    // Without its folders, so that a log does not depend on where the trace lies.
    program.title = source.name.split(separator: "/").last.map(String.init) ?? ""
  }
}

// MARK: What it has of the checker

extension Lowering {
  @inline(__always)
  var scope: Scope {
    _read { yield checker.scope }
    _modify { yield &checker.scope }
  }

  @inline(__always)
  var functions: [FunctionSignature] {
    _read { yield checker.functions }
    _modify { yield &checker.functions }
  }

  @inline(__always)
  var vocabulary: Vocabulary { checker.vocabulary }

  @inline(__always)
  var arena: SyntaxArena { checker.arena }

  @inline(__always)
  var words: KnownWords { checker.words }

  var source: SourceText { checker.source }

  /// The symbol that `name` means here.
  @inline(__always)
  func find(_ name: Word) -> Int32? { checker.find(name) }

  mutating func error(_ message: String, _ range: SourceRange) { checker.error(message, range) }

  mutating func warn(_ message: String, _ range: SourceRange) { checker.warn(message, range) }

  mutating func refuse(_ message: String, _ range: SourceRange) -> Operand {
    checker.refuse(message, range)
  }

  mutating func proposal(_ name: String, _ known: [String]) -> String? {
    checker.proposal(name, known)
  }
}

// MARK: What it has of the builder

extension Lowering {
  /// The block that is being made.
  @inline(__always)
  var frame: Frame {
    @inline(__always) _read { yield code.frame }
    @inline(__always) nonmutating _modify { yield &code.frame }
  }

  /// How many blocks are around it.
  @inline(__always)
  var depth: Int { code.depth }

  /// The texts of the program, by number.
  @inline(__always)
  var names: [String] { _read { yield code.names } }

  mutating func intern(_ text: String) -> NameID { code.intern(text) }

  @inline(__always)
  mutating func intern(_ word: Word) -> NameID { code.intern(word) }

  mutating func reserveBlock() -> BlockID { code.reserveBlock() }

  mutating func beginFrame(_ context: Frame.Context, name: NameID, result: ValueType = .void) {
    code.beginFrame(context, name: name, result: result)
  }

  mutating func endFrame(_ block: BlockID, _ place: SourceRange) {
    ownCaptures()
    if !frame.late.isEmpty { judgeLateValues() }
    if isCounting { emit(.releaseOwned, place) }
    endErrors(place)
    endUncaught(place)
    code.endFrame(block, place)
  }

  mutating func abandonFrame() { code.abandonFrame() }

  mutating func site() -> SiteID { code.site() }

  /// Appends an instruction to the present block.
  @inline(__always)
  mutating func emit(_ instruction: Instruction, _ place: SourceRange) {
    frame.emit(instruction, place)
  }

  /// The register of a symbol's value in the present block, which captures it where it must.
  mutating func register(of index: Int32) -> Register? {
    let (meaning, owner) = (scope[index].meaning, Int(scope[index].frame))
    switch meaning {
    case .register(let own): return code.register(of: index, in: own, ofFrame: owner)
    case .variable(let own) where code.copiesVariables(ofFrame: owner):
      return code.register(of: index, in: own, ofFrame: owner)
    case .variable, .cell, .constant, .global, .shared, .function, .pending: return nil
    }
  }
}

// MARK: What the whole text decides

extension Lowering {
  /// Settles what can be known only when all functions are.
  mutating func settle() {
    finishClasses()
    needs.judge(&checker)
    judgeEarlyReads()
    judgeWeakReferences()
    code.settleClosureFrees { functions[$0.function].escapes[$0.parameter] }
  }
}

/// A closure at the top of the trace whose body is lowered later.
struct PostponedClosure {
  var closure: Expression.Closure
  var block: BlockID
  var context: Frame.Context
  var parameters: [ValueType]
  var result: ValueType
  /// The name of the one captured value: the index of an array's element.
  var captured: Name?
  var start = ClosureStart()
}
