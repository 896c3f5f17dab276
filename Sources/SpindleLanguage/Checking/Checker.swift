import SpindleModel

/// What every part of the walk over a trace knows and says: which names mean what, which functions there
/// are, and what is wrong so far.
///
/// It makes no code. Whoever checks something is handed it, and can touch nothing else.
struct Checker {
  var diagnosis: Diagnosis
  var scope = Scope()
  /// The functions of the trace, by ordinal.
  var functions: [FunctionSignature] = []
  /// Those at the top that have the name of an earlier one and other labels, by the ordinal of the first.
  var overloads: [Int: [Int]] = [:]
  /// The classes of the trace.
  var classes = ClassTable()
  /// The functions of which a second one was refused: which is meant by a call is unknown.
  var overloaded: Set<String> = []
  /// The functions in the open blocks that are declared further down.
  var laterFunctions: [Word] = []
  /// What an extension of a type of the library was to add, as `Type.member`.
  var refusedMembers: Set<String> = []
  /// Which values are in seconds, read when a mistake asks first.
  lazy var secondsWords = SecondsWords(source)
  /// What a `typealias` stands for, by its name.
  var aliases: [String: TypeName] = [:]
  /// The errors that have an `errorDescription`, in the order of the text.
  var describedErrors: [Word] = []
  /// The class above each class that has one.
  var parents: [String: String] = [:]
  /// The types that were told of that they have no order of their own.
  var unordered: Set<String> = []
  /// The types that conform to each protocol, in the order of the text.
  var conforming: [String: [Name]] = [:]
  /// Its `enum`s.
  var enums = EnumTable()
  /// The class whose member is being lowered, and whether that is one of the class itself; -1 for none.
  var ownClass = -1
  /// The functions that may change the value that they are called on.
  var mutating: Set<Int> = []
  var isStaticMember = false
  /// Whether only names at the top can be seen: in the default of a parameter.
  var seesOnlyTop = false
  /// The first symbol that is seen all the same: those that the code at hand declares itself.
  var firstSeen = Int32.max
  let vocabulary: Vocabulary
  /// Where parts of the tree are that stand in no text; its words are those of the trace, to which
  /// nothing is added while `main` is read.
  let arena: SyntaxArena
  let words: KnownWords

  /// Creates what is known of a trace before its first declaration.
  init(source: SourceText, words table: WordTable, vocabulary: Vocabulary) {
    (diagnosis, self.vocabulary) = (Diagnosis(of: source), vocabulary)
    arena = SyntaxArena(words: table)
    words = KnownWords(table)
  }

  // MARK: Diagnostics

  /// The text that the present walk is over.
  var source: SourceText { diagnosis.source }

  /// Reports a mistake.
  mutating func error(_ message: String, _ range: SourceRange) { diagnosis.error(message, range) }

  /// Reports what is legal but surely wrong.
  mutating func warn(_ message: String, _ range: SourceRange) { diagnosis.warn(message, range) }

  /// Reports a mistake, and gives the operand that stands for it.
  mutating func refuse(_ message: String, _ range: SourceRange) -> Operand {
    error(message, range)
    return .unknown
  }

  /// The number of the line in which a place begins.
  func line(_ place: SourceRange) -> Int { diagnosis.line(place) }

  /// The nearest of the known names; nil after many searches.
  mutating func proposal(_ name: String, _ known: [String]) -> String? {
    diagnosis.proposal(name) { known }
  }

  /// The nearest of all names that can be seen here, and of `others`; nil after many searches.
  mutating func proposalOfName(_ name: String, _ others: () -> (before: [String], after: [String]))
    -> String?
  {
    let symbols = scope.symbols
    return diagnosis.proposal(name) {
      let others = others()
      return others.before + symbols.map(\.name.text) + others.after
    }
  }

  // MARK: Names

  /// The symbol that `name` means here.
  ///
  /// Inlined with what it asks, since a call that only reads would be handed a copy of the whole.
  @inline(__always)
  func find(_ name: Word) -> Int32? {
    let found = seesOnlyTop ? findFromAbove(name) : scope.find(name)
    return ownClass < 0 ? found : hidden(found, name)
  }

  /// The symbol that `name` means where what is around is not seen.
  @inline(__always)
  private func findFromAbove(_ name: Word) -> Int32? {
    guard let found = scope.find(name), found >= firstSeen else { return scope.findAtTop(name) }
    return found
  }

  /// The symbol that was found, unless a member of the class around hides it: what stands at the top is
  /// farther away.
  @inline(__always)
  private func hidden(_ found: Int32?, _ name: Word) -> Int32? {
    guard let found, scope[found].frame < 0 else { return found }
    let own = classes[ownClass]
    let isMember =
      isStaticMember ? own.symbol(name) != nil : !seesOnlyTop && own.hasMember(name)
    return isMember ? nil : found
  }

  /// Declares a name at the top, which must be new.
  ///
  /// Gives its symbol; nil when there is an earlier one, which stays.
  @discardableResult
  mutating func declareAtTop(
    _ name: Name, _ meaning: Symbol.Meaning, _ type: ValueType
  ) -> Int32? {
    if let earlier = scope.findAtTop(name.word) {
      var isFunction = false
      if case .function = meaning, case .function = scope[earlier].meaning { isFunction = true }
      let line = line(scope[earlier].place)
      error(Messages.redeclared(name.text, line: line, isFunction: isFunction), name.range)
      if isFunction { overloaded.insert(name.text) }
      return nil
    }
    return scope.declare(
      Symbol(name: name.word, meaning: meaning, type: type, place: name.range, frame: -1))
  }

  /// The class that a name means where it is no variable: its own name, or `Self`; nil for none.
  @inline(__always)
  func classIndex(of name: Word) -> Int? {
    if name == words.ownType, ownClass >= 0, case .instance = classes[ownClass].type {
      return ownClass
    }
    return classes.index(of: name)
  }

  /// Whether a name is that of a type of the trace.
  @inline(__always)
  func isDeclaredType(_ name: Word) -> Bool {
    classes.index(of: name) != nil || enums.index(of: name.text) != nil
  }

  /// The class, or what stands for an `enum`, whose `static` members a name may have; nil for none.
  func staticsIndex(of name: Word) -> Int? {
    if name == words.ownType, ownClass >= 0 { return ownClass }
    if let index = classes.index(of: name) { return index }
    guard let number = enums.index(of: name.text), case .choice(let type) = enums[number].type
    else {
      return nil
    }
    return classes.members(ofEnum: type)
  }

  /// Whether an expression begins with a name that the trace has given to nothing, so that it may be
  /// that of a type.
  ///
  /// Mutating, as all here that are asked for each call: what only reads would be handed a copy of the whole.
  @inline(__always)
  mutating func isFree(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .name(let name): find(name) == nil
    case .member(let member):
      if case .name(let name) = member.base.kind { find(name) == nil } else { false }
    case .integer, .decimal, .duration, .size, .percent, .text, .string, .boolean, .none,
      .implicitMember, .array, .dictionary, .call, .element, .prefix, .infix, .conditional, .range,
      .closure, .coalesce, .unwrap, .bind, .chain, .await, .specialized, .attempt, .condition,
      .match,
      .missing:
      false
    }
  }

  /// The closure or function that `expression` names, nil when it names none.
  mutating func namedClosure(_ expression: Expression) -> NamedClosure? {
    let found: Int32? =
      switch expression.kind {
      case .name(let name): find(name)
      case .member(let member): staticFunction(member.value)
      default: nil
      }
    guard let index = found else { return nil }
    if case .function(let ordinal) = scope[index].meaning {
      let signature = functions[ordinal]
      guard !signature.formals.contains(where: { $0.takesClosure }) else { return nil }
      scope[index].isUsed = true
      return NamedClosure(
        callee: .function(ordinal), parameters: signature.formals.map(\.type),
        result: signature.result, traits: traits(of: signature))
    }
    guard case .functionOf(let function) = scope[index].type else { return nil }
    scope[index].isUsed = true
    return NamedClosure(
      callee: .symbol(index), parameters: Array(function.parameters), result: function.result,
      traits: function.traits)
  }
}

extension Checker {
  /// Notes that the code of the program uses a parameter of the trace.
  mutating func noteParameter(_ name: String) {
    guard let index = scope.symbols.firstIndex(where: { $0.name.text == name }) else { return }
    scope[Int32(index)].isUsed = true
  }
}

extension Checker {
  /// The symbol of `Store.load`, a function of a class itself; nil for any other member.
  func staticFunction(_ member: Expression.MemberAccess) -> Int32? {
    guard case .name(let type) = member.base.kind, let owner = classIndex(of: type),
      let symbol = classes[owner].symbol(member.name), let index = scope.findAtTop(symbol),
      case .function = scope[index].meaning
    else { return nil }
    return index
  }
}

/// A function of the trace.
struct FunctionSignature {
  var name: String
  var formals: [Formal]
  /// The defaults of the parameters, where they have one.
  var standards: [Expression?]
  var result: ValueType
  /// Whether nobody has to use that.
  var isDiscardable = false
  /// Whether it may suspend, and where it runs.
  var isAsync = false
  var isolation = Isolation.unspecified
  /// The parameter on whose actor it runs; nil for none.
  var isolatedParameter: Int?
  /// How many classes stand between the one that declares it and its own; nil for what is no method.
  var height: Int?
  var block: BlockID
  /// Whether a closure given for a parameter may outlive the call.
  var escapes: [Bool]

  /// Which labels a call of it writes; nil for none.
  var labels: [String?] { formals.map { $0.label?.text } }
}

/// Something with a name that may stand where a closure is taken.
struct NamedClosure {
  enum Callee {
    /// A closure that the function around was given, by its symbol.
    case symbol(Int32)
    /// A function of the trace, by its ordinal.
    case function(Int)
    /// A method, by its ordinal, and the symbol of the instance whose it is.
    case method(Int, of: Int32)
  }

  var callee: Callee
  var parameters: [ValueType]
  var result: ValueType
  var traits: FunctionNode.Traits = []

  /// Its type.
  var type: ValueType { .function(parameters: parameters, result: result, traits: traits) }

  /// Whether it does with the first of the arguments that a closure for `formal` is given.
  func fits(_ formal: Formal) -> Bool {
    guard case .functionOf(let wanted) = formal.type.unwrapped,
      parameters.count <= wanted.parameters.count, wanted.result.accepts(result)
    else { return false }
    return zip(parameters, wanted.parameters).allSatisfy { $0.accepts($1) }
  }
}

/// Whether evaluating an expression has no effect and changes nothing.
func isSimple(_ expression: Expression) -> Bool {
  switch expression.kind {
  case .integer, .decimal, .duration, .size, .text, .boolean, .none, .name, .implicitMember:
    true
  case .prefix(_, let inner): isSimple(inner)
  case .infix(_, let sides): isSimple(sides.left) && isSimple(sides.right)
  case .percent, .string, .array, .dictionary, .member, .call, .element, .conditional, .range,
    .closure, .coalesce, .unwrap, .bind, .chain, .await, .specialized, .attempt, .condition, .match,
    .missing:
    false
  }
}

/// The place of the name that a call is written with.
@inline(__always)
func nameRange(of callee: Expression) -> SourceRange {
  if case .member(let member) = callee.kind { return member.nameRange }
  return callee.range
}

/// The place of the brace that ends a block.
func closingBrace(_ block: CodeBlock) -> SourceRange {
  SourceRange(
    max(Int(block.range.lowerBound), Int(block.range.upperBound) - 1), Int(block.range.upperBound)
  )
}

/// The closure that is written for a formal, nil when a name stands for it.
@inline(__always)
func closureLiteral(_ actual: Actual, _ call: CallSite) -> Expression.Closure? {
  switch actual {
  case .absent: return nil
  case .closure(let ordinal): return call.closures[ordinal].closure
  case .argument(let ordinal):
    if case .closure(let closure) = call.arguments[ordinal].value.kind { return closure.value }
    return nil
  }
}
