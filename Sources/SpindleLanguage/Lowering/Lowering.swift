import SpindleModel

/// Turns a tree into a program in one walk, and says all that is wrong with its meaning.
///
/// Each expression is visited once: its type is found and its instructions are made together. What
/// is wrong gets the type `unknown`, which goes with everything, so that it is told once.
struct Lowering {
  var program = Program()
  var diagnostics: [Diagnostic] = []
  /// The text that the present walk is over: the trace, or an option of the command line.
  var source: SourceText
  let catalogue: MachineCatalogue
  let overrides: Overrides
  let vocabulary: Vocabulary
  /// Where parts of the tree are that stand in no text; its words are those of the trace, to which
  /// nothing is added while `main` is read.
  let arena: SyntaxArena
  /// Where those parts of the tree are that are needed for longer than a moment.
  var trees: [SyntaxArena]
  var scope = Scope()
  /// The symbol from which on the innermost block's own symbols begin.
  var blockStart = 0
  /// The functions of the trace, by ordinal.
  var functions: [FunctionSignature] = []
  /// Closures at the top whose bodies wait until every name at the top has a type.
  var postponed: [PostponedClosure] = []
  /// Calls from the world outside and from the top: to be judged when all functions are known.
  var threadlessCalls: [ThreadlessCall] = []
  var closureFrees: [ClosureFree] = []
  /// The types of the values that are kept under keys.
  var storedTypes: [StoredKey: ValueType] = [:]
  /// The tree, until it is searched for values that are kept under keys.
  var unsearched: SyntaxTree?
  /// Whether the walk is over a part of the tree, and something asked for what is in the rest.
  var needsWholeTree = false
  /// The name of the `let` or `var` that the next call's object is bound to.
  var boundName: Word?
  /// How the locks at the top are used, by symbol.
  var lockUses: [Int32: LockUse] = [:]
  /// The objects that wait to be started, in the order of the text, and which name means which: by
  /// the place where it is bound.
  var idleObjects: [IdleObject] = []
  var idleIndex: [Int32: Int] = [:]
  /// How operations were made, by the places of the names that stand for them.
  var operationForms: [Int32: OperationForm] = [:]
  /// The places of the names that global queues are bound to.
  var globalQueues: Set<Int32> = []
  /// The symbols at the top that the program keeps.
  var globals: [Int32: GlobalID] = [:]
  /// The symbol of each of those, by the global's number.
  var symbolOfGlobal: [Int: Int32] = [:]
  /// The parameters of the trace.
  var parameterSymbols: [Int32] = []
  /// The moments of the arrivals that come once, where they are known.
  var arrivalMoments: [(Instant, SourceRange)] = []
  /// Whether an expectation that counts is about the outcome.
  var speaksOfOutcome = false
  /// Whether only names at the top can be seen: in the default of a parameter.
  var seesOnlyTop = false
  /// The `var` of the top level that the present assignment sets.
  var changing: GlobalID?
  /// Whether a captured `var` is passed over: in what is given to something unknown.
  var isLenient = false
  /// From how many bytes on a `main` is read by a thread of its own.
  var readsAheadFrom = StatementReader.leastLength
  /// How many names were looked up for a proposal; looking through all of them takes long.
  var proposals = 0
  /// The patterns of the kinds of work, once an expectation names one.
  var knownKinds: KindNames?
  /// What the program is known to do, or not to do, anywhere.
  var performed: [Primitive: Bool] = [:]
  /// The blocks that are being made, outermost first; behind them, some whose storage is used again.
  let frames: FrameStack
  /// The innermost one.
  private var current: UnsafeMutablePointer<Frame>
  private(set) var depth = -1
  /// The name of blocks that are closures.
  let closureName: NameID
  let words: KnownWords
  /// What the forms of calls mean.
  var forms = CallForms()
  /// The texts of the program's names, and others that are put together here.
  let texts = WordTable()
  /// The number in the program of each of these texts, by the text's number; -1 where it has none.
  private var nameOfText: [Int32] = []
  /// The same of each word of the trace.
  private var nameOfWord: [Int32] = []
  /// The kind of work whose pattern is the name with this number, or -1.
  private var kindOfName: [Int32] = []
  private var namelessCounts: [String: Int] = [:]

  /// Creates the lowering of one trace, whose tree is in `tree`.
  init(
    source: SourceText, tree: SyntaxArena, catalogue: MachineCatalogue, vocabulary: Vocabulary,
    overrides: Overrides
  ) {
    (self.source, self.catalogue, self.overrides) = (source, catalogue, overrides)
    (self.vocabulary, trees) = (vocabulary, [tree])
    arena = SyntaxArena(words: tree.words)
    words = KnownWords(arena.words)
    // As much as a generated trace needs; memory that is not written to costs nothing.
    frames = FrameStack(expecting: source.utf8.count / 10)
    current = frames[0]
    program.source = source
    // Without its folders, so that a log does not depend on where the trace lies.
    program.title = source.name.split(separator: "/").last.map(String.init) ?? ""
    let known = program.names
    program.names = []
    closureName = NameID(known.count)
    for name in known { _ = intern(name) }
    _ = intern("closure")
    program.blocks.reserveCapacity(source.utf8.count / 32)
    program.sites.reserveCapacity(source.utf8.count / 16)
  }

  /// The block that is being made.
  var frame: Frame {
    _read { yield current.pointee }
    nonmutating _modify { yield &current.pointee }
  }

  // MARK: Diagnostics

  /// Reports a mistake.
  mutating func error(_ message: String, _ range: SourceRange) {
    diagnostics.append(
      Diagnostic(severity: .error, message: message, range: range, source: source))
  }

  /// Reports what is legal but surely wrong.
  mutating func warn(_ message: String, _ range: SourceRange) {
    diagnostics.append(
      Diagnostic(severity: .warning, message: message, range: range, source: source))
  }

  /// Reports a mistake, and gives the operand that stands for it.
  mutating func refuse(_ message: String, _ range: SourceRange) -> Operand {
    error(message, range)
    return .unknown
  }

  // MARK: Names and kinds

  /// The number of a text.
  mutating func intern(_ text: String) -> NameID {
    let index = texts.word(text).index
    nameOfText.grow(toHold: index)
    if nameOfText[index] >= 0 { return NameID(Int(nameOfText[index])) }
    let name = NameID(program.names.count)
    nameOfText[index] = name.index
    program.names.append(text)
    return name
  }

  /// The number of a word of the trace.
  mutating func intern(_ word: Word) -> NameID {
    let index = word.index
    nameOfWord.grow(toHold: index)
    if nameOfWord[index] < 0 { nameOfWord[index] = intern(word.text).index }
    return NameID(Int(nameOfWord[index]))
  }

  /// The kind of work whose items are named like `pattern`.
  mutating func kind(pattern: NameID) -> Int64 {
    let index = Int(pattern.index)
    if index >= kindOfName.count {
      let missing = max(program.names.count, index + 1) - kindOfName.count
      kindOfName.append(contentsOf: repeatElement(-1, count: missing))
    }
    if kindOfName[index] >= 0 { return Int64(kindOfName[index]) }
    kindOfName[index] = Int32(program.kinds.count)
    program.kinds.append(WorkKind(pattern: program.names[index], isNamed: true))
    return Int64(kindOfName[index])
  }

  /// A kind of its own for the nameless work that `submitter` takes at one place.
  mutating func namelessKind(_ submitter: String) -> Int64 {
    let ordinal = namelessCounts[submitter, default: 0] + 1
    namelessCounts[submitter] = ordinal
    let pattern = ordinal == 1 ? submitter : "\(submitter)#\(ordinal)"
    program.kinds.append(WorkKind(pattern: pattern, isNamed: false))
    return Int64(program.kinds.count - 1)
  }

  // MARK: Frames

  /// Where the outermost block runs.
  var outermostContext: Frame.Context {
    frames[0].pointee.context
  }

  /// A block that will be made.
  mutating func reserveBlock() -> BlockID {
    program.blocks.append(
      Block(entry: 0, end: 0, registerCount: 0, captureCount: 0, parameterCount: 0, name: .none))
    return BlockID(program.blocks.count - 1)
  }

  /// Begins a block within the present one.
  mutating func beginFrame(_ context: Frame.Context, name: NameID, result: ValueType = .void) {
    depth += 1
    current = frames[depth]
    frame.reset(context: context, name: name, result: result)
  }

  /// Ends the present block, puts it into the program, and goes back to the one around it.
  mutating func endFrame(_ block: BlockID, _ place: SourceRange) {
    frame.emit(.finish, place)
    let (high, captureCount) = (frame.high, frame.captures.count)
    let counterBase = captureCount + high + frame.pinnedCount
    let code = frame.code
    let entry = Int32(code.position)
    for (index, site) in frame.countedSites.enumerated() {
      program.sites[Int(site.index)].counter = Int32(counterBase + index)
      let counter = Register(counterBase + index)
      code.insert(.constant(0, to: counter), place)
    }
    let offset = Int32(code.position)
    let isFinal =
      captureCount == 0 && frame.pinnedCount == 0 && frame.labels.isEmpty && frame.handlers.isEmpty
    let relocation =
      isFinal
      ? nil
      : Relocation(captureCount: captureCount, high: high, offset: offset, labels: frame.labels)
    code.complete(relocation)
    let end = Int32(code.position)
    for free in frame.frees {
      closureFrees.append(
        ClosureFree(
          instruction: free.instruction + Int(offset), function: free.function,
          parameter: free.parameter))
    }
    program.blocks[Int(block.index)] = Block(
      entry: entry, end: end,
      registerCount: Int32(counterBase + frame.countedSites.count),
      captureCount: Int32(captureCount), parameterCount: Int32(frame.parameterCount),
      usesKey: frame.salt > 0,
      handlers: relocation.map { frame.handlers.map($0.final) } ?? [], name: frame.name
    )
    abandonFrame()
  }

  /// Leaves the present block without putting it into the program.
  mutating func abandonFrame() {
    frame.code.removeAll()
    depth -= 1
    if depth >= 0 { current = frames[depth] }
  }

  /// The register of a symbol's value in the present block, which captures it where it must.
  mutating func register(of index: Int32) -> Register? {
    let symbol = scope[index]
    let register: Register
    switch symbol.meaning {
    case .register(let own): register = own
    case .variable(let own) where copiesVariables(ofFrame: Int(symbol.frame)): register = own
    default: return nil
    }
    if Int(symbol.frame) == depth { return register }
    if let captured = frame.captureIndex[index] {
      return Register(Frame.captureBase + Int(captured))
    }
    let ordinal = frame.captures.count
    frame.captures.append(index)
    frame.captureIndex[index] = Int32(ordinal)
    return Register(Frame.captureBase + ordinal)
  }

  /// Whether all blocks between the one at depth `frame` and this one read local `var`s as they are
  /// when they are made.
  func copiesVariables(ofFrame frame: Int) -> Bool {
    guard frame < depth else { return true }
    return self.frame.copiesVariables
      && ((frame + 1)..<depth).allSatisfy { frames[$0].pointee.copiesVariables }
  }

  /// A site at this place of the present block.
  mutating func site() -> SiteID {
    frame.salt += 1
    let site = SiteID(program.sites.count)
    program.sites.append(Site(salt: frame.salt, counter: -1))
    if frame.loopDepth > 0 { frame.countedSites.append(site) }
    return site
  }

  /// Appends an instruction to the present block.
  @inline(__always)
  mutating func emit(_ instruction: Instruction, _ place: SourceRange) {
    frame.emit(instruction, place)
  }
}

extension [Int32] {
  /// Sees to it that there is an element at `index`; new ones are -1.
  mutating func grow(toHold index: Int) {
    guard index >= count else { return }
    append(contentsOf: repeatElement(-1, count: Swift.max(index + 1, count * 2) - count))
  }
}

/// Words that the lowering compares names with.
struct KnownWords {
  /// What the object is called to which bare names may belong.
  let own: Word
  let append: Word
  /// What a handler calls what was thrown.
  let error: Word
  let now: Word

  /// Finds the words in a trace's table.
  init(_ words: WordTable) {
    (own, append) = (words.word("self"), words.word("append"))
    (error, now) = (words.word("error"), words.word("now"))
  }
}

/// No site: for what neither creates nor draws nor calls.
let noSite = SiteID(-1)

/// A function of the trace.
struct FunctionSignature {
  var name: String
  var formals: [Formal]
  /// The defaults of the parameters, where they have one.
  var standards: [Expression?]
  var result: ValueType
  var block: BlockID
  /// Whether a closure given for a parameter may outlive the call.
  var escapes: [Bool]
  /// The first member that needs a thread, nil when there is none.
  var need: String?
  /// The functions that call this one.
  var callers: [Int] = []
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
}

/// A call of a function by code that runs on no thread.
struct ThreadlessCall {
  var function: Int
  var isTop: Bool
  var place: SourceRange
  var source: SourceText
}

/// How a lock is used in the text.
struct LockUse {
  var firstLock: SourceRange
  var locks = 0
  var others = 0
}
