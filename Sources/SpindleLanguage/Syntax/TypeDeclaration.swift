import SpindleModel

/// `final class Model: Operation { … }`: a type that the trace declares, with its members in order.
struct TypeDeclaration {
  /// The word that declares it.
  enum Keyword: String, CaseIterable {
    case `class`, actor, `struct`, `enum`, `extension`, `protocol`, `typealias`

    /// Whether it declares nothing of its own that a program has.
    var isAddition: Bool { self == .extension || self == .protocol || self == .typealias }
  }

  var keyword: Keyword
  var name: Name
  /// Where its methods run, when it says so.
  var isolation = Isolation.unspecified
  /// Whether it says `@globalActor`.
  var isGlobalActor = false
  /// Whether it is a `struct` with a `var`, each of whose names has a value of its own.
  var isValue = false
  /// Whether it is a `struct`, with a `var` or without.
  var isStruct = false
  /// What stands behind the colon.
  var bases: [Name] = []
  /// What a `protocol` asks for.
  var required: [Requirement] = []
  /// What a `typealias` stands for.
  var aliased: TypeName?
  /// What a value of an `enum` can be.
  var cases: [Case] = []
  var fields: [Field] = []
  var methods: [Method] = []
  var initializers: [Initializer] = []
  /// What runs when nothing holds an instance any more, one behind the other: its own first, then that of each class above.
  var deinitializers: [CodeBlock] = []
  /// Whether something in it was refused without which the rest can't be judged.
  var isBroken = false
  /// Whether that is an `isolated deinit`.
  var endsIsolated = false

  /// Whether a function of an `enum` with values puts another value in the place of its own.
  var changesCases: Bool { !cases.isEmpty && methods.contains(where: \.isMutating) }

  /// `let a: Int`, `static var b = 1`, `weak var c: Model?`, `var d: Int { 1 }`.
  struct Field {
    /// How it holds on to an object.
    enum Hold { case strong, weak, unowned }

    var isStatic: Bool
    var isVariable: Bool
    /// Whether it is `@TaskLocal`.
    var isTaskLocal = false
    var hold = Hold.strong
    var name: Name
    /// Where it may be used, when it says so.
    var isolation = Isolation.unspecified
    var type: TypeName?
    /// nil where `init` gives it one.
    var value: Expression?
    /// What is computed at each read; nil for what is stored.
    var getter: CodeBlock?
    /// Whether it is computed by code that may wait: `get async`.
    var isAsync = false
    /// How many classes stand between the one that declares it and this one: 0 for its own.
    var height = 0
    /// Whether it says `private` or `fileprivate`, and `override`.
    var isPrivate = false
    var isOverride = false
    /// What the trace calls it, where it has another name here.
    var written: Word?
  }

  /// `case done`, `case done = 2`, `case failed(code: Int)`.
  struct Case {
    var name: Name
    /// nil where none is written.
    var raw: Expression?
    /// What each value of this case holds.
    var values: [Value] = []
    /// Whether it is made by a call.
    var isCalled = false

    /// What a case holds.
    struct Value {
      var label: Word?
      var type: TypeName
      /// nil where each use gives it.
      var standard: Expression?
    }
  }

  /// The name of what a `protocol` asks for, and where that runs when it says so.
  struct Requirement {
    var name: Word
    var isolation: Isolation
  }

  /// `func f(a: Int) -> Int { }`.
  struct Method {
    var isStatic: Bool
    /// Whether it may change the value that it is called on.
    var isMutating = false
    /// Whether it is the `set` of what is computed.
    var isSetter = false
    /// Whether it is the `willSet` or `didSet` of what is stored.
    var isObserver = false
    /// How many classes stand between the one that declares it and this one.
    var height = 0
    /// Whether it says `private` or `fileprivate`, and `override`.
    var isPrivate = false
    var isOverride = false
    /// What the trace calls it, where it has another name here.
    var written: Word?
    var function: Declaration.Function
  }

  /// `init(a: Int) { }`.
  struct Initializer {
    /// Whether another `init` sets the fields: `convenience`.
    var isConvenience: Bool
    var isAsync = false
    /// Where it runs, when it says so.
    var isolation = Isolation.unspecified
    var parameters: [Declaration.Function.Parameter]
    var body: CodeBlock
    /// The word `init`.
    var range: SourceRange
  }
}

// MARK: Where members run

extension TypeDeclaration {
  /// Where a member of this name runs, which it says itself or has been told.
  func isolation(ofMember name: Word) -> Isolation {
    methods.first { $0.function.name.word == name && !$0.isStatic }?.function.isolation
      ?? fields.first { $0.name.word == name && !$0.isStatic }?.isolation ?? .unspecified
  }

  /// Gives the members that say nothing of it what is known of where they run.
  mutating func isolateMembers(_ home: (Word, _ isStatic: Bool) -> Isolation) {
    for index in methods.indices where methods[index].function.isolation.isUnspecified {
      methods[index].function.isolation = home(
        methods[index].function.name.word, methods[index].isStatic)
    }
    for index in fields.indices where fields[index].isolation.isUnspecified {
      fields[index].isolation = home(fields[index].name.word, fields[index].isStatic)
    }
  }
}
