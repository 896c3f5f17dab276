import SpindleModel

/// A class of the trace: its members, as whoever uses them must know them.
struct ClassInfo {
  let name: Name
  /// The type of its instances.
  let type: ValueType
  /// What each instance is too, an operation or a thread, which stands in its field `super`; nil for nothing.
  var parent: HandleClass?
  /// Whether it is a struct with a `var`, each of whose names has a value of its own.
  var isValue = false
  /// Whether it is a struct, with a `var` or without.
  var isStruct = false
  /// Whether it is the cell of a local `var`.
  var isCell = false
  /// Whether something in it was refused without which the rest can't be judged.
  var isBroken = false
  /// Whether each instance is an actor, which has its executor as its first field.
  var isActor = false
  /// What gives the queue that an actor's code runs on; nil where it has none of its own.
  var executor: Expression?
  /// The cases of an `enum` of which some have values, each of whose values is an instance; none for a class.
  var cases: [Case] = []
  /// Whether two of those, or of a struct, can be compared.
  var isEquatable = false
  /// Whether they are errors.
  var isError = false
  /// Whether they are printed as their `description` says.
  var isDescribed = false
  /// What each instance holds, in the order of the text.
  var fields: [Field] = []
  /// What is computed at each read, with the function that does it.
  var computed: [Function] = []
  var methods: [Function] = []
  /// Whether any of what is computed can be set.
  var hasSetters = false
  /// Whether anything is done when one of its fields is set.
  var hasObservers = false
  /// What the class itself has, with its name at the top of the trace.
  var statics: [(name: Word, symbol: Word)] = []

  /// The function that runs when nothing holds an instance any more.
  var deinitializer: Int?
  /// The global actor on which its code runs; nil for none.
  var home: Home?
  /// Where it runs: nil for where the last reference goes.
  var deinitHome: DeinitHome?

  /// Where an `isolated deinit` runs.
  enum DeinitHome {
    case mainActor, ownActor
    /// The global actor with this number among the classes.
    case global(Int)
  }
  /// The functions that fill a new instance; at least one.
  var initializers: [Int] = []

  /// A `let` or `var` that each instance has.
  struct Field {
    var name: Name
    var isVariable: Bool
    var hold: TypeDeclaration.Field.Hold
    /// Where it may be used.
    var isolation = Isolation.unspecified
    /// The type as it is written; nil where the value says it.
    var written: TypeName?
    /// nil where `init` gives it one.
    var value: Expression?
    /// How many classes stand between the one that declares it and this one: what is nearer is made first.
    var height = 0
    /// What the trace calls it, where it has another name here.
    var said: Word?
    /// nil until it is asked for.
    var type: ValueType?

    /// The name that the trace gives it: a `lazy var` has another one, and so has a value of a case.
    var shownName: String {
      if let said { return said.text }
      let text = name.text
      if text.hasPrefix("lazy ") { return String(text.dropFirst("lazy ".count)) }
      guard text != Payload.caseName, let end = text.firstIndex(of: " ") else { return text }
      return String(text[..<end])
    }
  }

  /// A case that may have values.
  struct Case {
    var name: Name
    var values: [Value]

    /// What it holds.
    struct Value {
      var label: Word?
      /// The number of the field that it is in, where it is optional.
      var field: Int
      /// Its type as it is written.
      var type: TypeName
    }
  }

  /// A function with its name.
  struct Function {
    var name: Word
    var ordinal: Int
  }

  /// The number of the field that an actor's executor is in.
  static let executorField: Int32 = 0

  /// The number of the field with this name.
  func field(_ name: Word) -> Int? { fields.firstIndex { $0.name.word == name } }

  /// The name at the top of what the class itself has by this name.
  func symbol(_ name: Word) -> Word? { statics.first { $0.name == name }?.symbol }

  /// The same by its text, where no word may be added: while `main` is read.
  func symbol(named name: String) -> Word? { statics.first { $0.name.text == name }?.symbol }

  /// Whether each instance has something of this name, apart from what an operation or a thread has.
  func hasMember(_ name: Word) -> Bool {
    field(name) != nil || computed.contains { $0.name == name }
      || methods.contains { $0.name == name }
  }

  /// The names of what each instance has.
  var memberNames: [String] {
    (cases.isEmpty ? fields.map(\.name.text) : []) + computed.map(\.name.text)
      + methods.map(\.name.text)
  }
}

/// The classes of the trace.
struct ClassTable {
  private(set) var count = 0
  private var classes: [ClassInfo] = []
  private var ofWord: [Int: Int] = [:]
  private var ofName: [ClassName: Int] = [:]
  /// The classes of what is `static`, by the word that it has at the top.
  private var owners: [Int: Int] = [:]

  /// A stored `static` of a class above that a class below knows by another name.
  struct HiddenStatic {
    /// The class that has it, and its name there.
    var owner: Word
    var name: Word
    var hidden: Word
  }

  /// Those that each class knows, by the name of the class.
  var hiddenStatics: [String: [HiddenStatic]] = [:]

  /// The lists of names that every trace has, and that a type of this one stands in front of.
  var hiddenLists: Set<String> = []

  /// Whether any has something `static`.
  private(set) var hasStatics = false

  /// Whether any local `var` has a cell.
  var hasCells = false

  /// Whether there is none that has instances.
  @inline(__always) var isEmpty: Bool { ofWord.isEmpty && !hasCells }

  subscript(index: Int) -> ClassInfo {
    _read { yield classes[index] }
    _modify { yield &classes[index] }
  }

  /// The names of all that instances compute when it is read.
  private(set) var computedNames: Set<Word> = []

  /// Adds what each instance of a class computes, with the function that does it.
  mutating func addComputed(_ name: Word, _ ordinal: Int, to index: Int) {
    classes[index].computed.append(ClassInfo.Function(name: name, ordinal: ordinal))
    computedNames.insert(name)
  }

  /// Adds what a class itself has, with its name at the top.
  mutating func addStatic(_ name: Word, _ symbol: Word, to index: Int) {
    classes[index].statics.append((name, symbol))
    owners[symbol.index] = index
    hasStatics = true
  }

  /// The class that itself has what a word means at the top; nil for none.
  func owner(of symbol: Word) -> Int? { owners[symbol.index] }

  /// Adds a class with nothing in it.
  mutating func add(_ name: Name, isActor: Bool = false) {
    let className = ClassName(name.text)
    var info = ClassInfo(name: name, type: .instance(className))
    info.isActor = isActor
    ofWord[name.word.index] = append(info, className)
  }

  /// Adds the cell of a local `var`, which no word names; gives its number.
  mutating func addCell(
    _ name: Name, _ type: ValueType, _ hold: TypeDeclaration.Field.Hold
  ) -> Int {
    let className = ClassName("\(name.text) cell \(name.range.lowerBound)")
    var cell = ClassInfo(name: name, type: .instance(className))
    cell.isCell = true
    cell.fields = [
      ClassInfo.Field(name: name, isVariable: hold != .unowned, hold: hold, type: type)
    ]
    return append(cell, className)
  }

  /// Adds what the cases of an `enum` have besides; gives its number.
  ///
  /// No word names it: it has no instances, and stands beside the classes since its functions are theirs.
  mutating func addMembers(ofEnum name: Name, _ className: ClassName) -> Int {
    append(ClassInfo(name: name, type: .choice(className)), className)
  }

  private mutating func append(_ info: ClassInfo, _ className: ClassName) -> Int {
    classes.append(info)
    ofName[className] = count
    count += 1
    return count - 1
  }

  /// What the cases of an `enum` have besides; nil for nothing.
  func members(ofEnum name: ClassName) -> Int? { ofName[name] }

  /// The class that a word names; nil for none.
  @inline(__always)
  func index(of word: Word) -> Int? { isEmpty ? nil : ofWord[word.index] }

  /// The class whose instances have a type.
  func index(of name: ClassName) -> Int {
    guard let index = ofName[name] else { preconditionFailure("a type of no class") }
    return index
  }
}

extension ClassInfo.Field {
  /// What each instance has, as it is declared.
  init(_ field: TypeDeclaration.Field) {
    self.init(
      name: field.name, isVariable: field.isVariable, hold: field.hold, isolation: field.isolation,
      written: field.type, value: field.value, height: field.height, said: field.written)
  }
}
