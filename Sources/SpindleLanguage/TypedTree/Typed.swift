import SpindleModel

/// The tree of a program whose names are resolved and whose types are known.
///
/// Checking makes it, and nothing changes it afterwards. Types in the body of a generic function name its type
/// parameters; emission replaces them by their arguments.
enum Typed {
  /// An expression with its type.
  ///
  /// What it is and its type are read at each step of every pass, and changed by whole assignments: to check at run time
  /// that no two accesses overlap would cost more than the passes themselves.
  final class Expression {
    @exclusivity(unchecked) var kind: Kind
    @exclusivity(unchecked) var type: SwiftType
    let range: SourceRange
    /// Whether it is an optional whose value is taken where one is needed.
    var isImplicit = false
    /// Whether it is a literal beyond the largest or the least `Int`, of which it has the lower 64 bits.
    var isBeyondInt = false
    /// Whether it is a parameter of the trace, which has another value in another run.
    var isParameter = false

    init(_ kind: Kind, _ type: SwiftType, _ range: SourceRange) {
      (self.kind, self.type, self.range) = (kind, type, range)
    }

    /// Whether it names a type, as `Job.self` does; another value of a metatype may be a subclass, or any type.
    var namesType: Bool { if case .metatype = kind { true } else { false } }

    /// The number, the length or the size that it is as it is written; nil for any other value.
    var constant: Int64? {
      switch kind {
      case .constant(let value): value
      case .integer(let value) where type.nominal?.builtin == .integer: value
      default: nil
      }
    }

    /// What the world outside does by a call, as the library's text calls it; nil for any other value.
    var arrival: String? {
      guard case .call(let call) = kind, case .function(let symbol) = call.callee,
        case .builtin(let name) = symbol.implementation,
        ["at", "every", "threadNames"].contains(name)
      else { return nil }
      return name
    }

    /// The closure that it is as it is written; nil for any other value.
    var closureLiteral: Closure? {
      switch kind {
      case .closure(let closure): closure
      case .conversion(let inner): inner.closureLiteral
      default: nil
      }
    }
  }

  indirect enum Kind {
    /// A number, a length, a size or a truth, as its type has it.
    case constant(Int64)
    /// The literal of a whole number, whose type may be one with a fraction.
    case integer(Int64)
    /// The literal of a number with a fraction, in billionths.
    case decimal(Int64)
    case text(String)
    case interpolation([Segment])
    case `nil`
    case local(Local)
    /// A variable at the top or a `static` one, with the type arguments of its type.
    case global(VariableSymbol, Substitution)
    /// A stored property of an instance.
    case field(Expression, VariableSymbol)
    /// An element of a tuple.
    case element(Expression, Int)
    case call(Call)
    case closure(Closure)
    /// A function or method as a value, with the receiver that is bound to it.
    case function(FunctionSymbol, Substitution, receiver: Expression?)
    case localFunction(LocalFunction)
    case wrapped(Expression)
    case forced(Expression)
    /// A chain: nil where a `bound` in it has no value.
    case chain(Expression)
    case bound(Expression)
    case ternary(Expression, Expression, Expression)
    /// `a ?? b`, and whether `b` may be nil too.
    case coalesce(Expression, Expression, keepsOptional: Bool = false)
    case logical(Expression, Expression, isAnd: Bool)
    /// `a === b`.
    case identity(Expression, Expression, isEqual: Bool)
    case nilTest(Expression, isEqual: Bool)
    /// Gives locals their values, then the value of the last part.
    case bind([(local: Local, value: Expression)], Expression)
    case tuple([Expression])
    /// An instance of a `struct` of the library, with the values of its stored properties.
    case instance([Expression])
    case array([Expression])
    case dictionary([(key: Expression, value: Expression)])
    /// An instance as one of a class above, or a value as one of a protocol, or a function as one with more effects.
    case conversion(Expression)
    /// The value in an optional, and the elements of an array or the values of a dictionary, as values of another type:
    /// the last part is made of what the local has.
    case optionalConversion(Expression, Local, Expression)
    case elementConversion(Expression, Local, Expression)
    case cast(Expression, Grammar.Cast, SwiftType)
    case metatype(SwiftType)
    case attempt(Grammar.Attempt, Expression)
    case await(Expression)
    /// `if` or `switch` as a value: each branch assigns it.
    case choice(Statement, result: Local)
    /// `&place`.
    case reference(Expression)
    /// An assignment in a chain.
    case assign(Expression, Expression)
    /// A name of a closed list.
    case symbol(SymbolFamily, String)
    case options(SymbolFamily, Int64)
    /// A property of the vocabulary, with its object.
    case property(Property, Expression?)
    /// A stored property or a variable that is read where it belongs.
    case visit(Expression, HopTarget)
    case error
  }

  enum Segment {
    case text(String)
    case value(Expression)
  }

  /// A closure.
  final class Closure {
    var parameters: [Local] = []
    /// The list of captures: names with their values.
    var captures: [(local: Local, value: Expression, strength: Grammar.Capture.Strength)] = []
    var body: [Statement] = []
    var result = SwiftType.void
    var type: FunctionType
    /// The type of the errors that it throws by itself.
    var errors = SwiftType.error
    /// Where it runs.
    var isolation = Isolation.nonisolated
    /// Whether it looks at its entry whether it runs there.
    var checksIsolation = false
    let range: SourceRange
    let scope: FunctionScope

    init(_ type: FunctionType, _ range: SourceRange, _ scope: FunctionScope) {
      (self.type, self.range, self.scope) = (type, range, scope)
    }
  }

  /// A function that is declared in a body.
  final class LocalFunction {
    let symbol: FunctionSymbol
    var parameters: [Local] = []
    var body: [Statement] = []
    /// The variables around it that its body uses.
    var captured: [Local] { scope.captured }
    let scope: FunctionScope

    init(_ symbol: FunctionSymbol, _ scope: FunctionScope) {
      (self.symbol, self.scope) = (symbol, scope)
    }
  }

  /// A variable or parameter of a body.
  final class Local {
    let name: String
    var type: SwiftType
    let isVariable: Bool
    let range: SourceRange
    /// The function or closure that declares it.
    let scope: FunctionScope
    /// Whether a closure that is not expanded, or a local function, uses it: a `var` is in a box then.
    var isCaptured = false
    var strength = Grammar.Capture.Strength.strong
    var isInout = false
    /// Whether it is a parameter of function type that is not `@escaping`.
    var staysInCall = false
    /// Whether some expression names it.
    var isUsed = false
    /// Whether a `let` gets its value behind its declaration.
    var isLate = false
    /// Whether it is `self`.
    var isSelf = false
    /// Whether its type is written with `!`.
    var isImplicit = false
    /// Whether it is the parameter on whose actor a function runs.
    var isIsolated = false
    /// Whether it is the actor of the calling code, which no value is here.
    var isCaller = false
    /// Whether it is what an `async let` gives.
    var isAsyncLet = false
    /// Whether what an `async let` gives is read behind a `try`.
    var isTried = false

    init(
      _ name: String, _ type: SwiftType, isVariable: Bool, _ range: SourceRange,
      _ scope: FunctionScope
    ) {
      (self.name, self.type, self.isVariable) = (name, type, isVariable)
      (self.range, self.scope) = (range, scope)
    }
  }

  /// A function, a closure or a top-level section: whose locals are whose.
  final class FunctionScope {
    let parent: FunctionScope?
    /// What reports the locals of scopes around it that it uses.
    var captured: [Local] = []
    var isExpanded = false
    /// Where its code runs.
    var isolation = Isolation.nonisolated
    /// Whether the program says that, in this function or closure itself.
    var saysIsolation = false
    /// Whether it is a `@Sendable` closure that cannot suspend and belongs to no actor.
    var mayRunAnywhere = false
    /// Whether it is a function or `main`, and no closure.
    var isFunction = false
    /// `self`, where there is one.
    var ownSelf: Local?
    var isAsync = false

    init(_ parent: FunctionScope?) { self.parent = parent }

    /// Notes that the body uses a local, which all scopes between it and the local's own capture.
    func note(_ local: Local) {
      var scope: FunctionScope? = self
      while let one = scope, one !== local.scope {
        if !one.captured.contains(where: { $0 === local }) { one.captured.append(local) }
        if !one.isExpanded { local.isCaptured = true }
        scope = one.parent
      }
    }
  }
}

// MARK: Statements

extension Typed {
  struct Statement {
    var kind: StatementKind
    var range: SourceRange
    /// Where the whole declaration stands that it is, from its first word on; nil where `range` says that.
    var whole: SourceRange?
    /// Whether the text has it; the compiler writes `super.init()` at the end of an initialiser.
    var isWritten = true
  }

  indirect enum StatementKind {
    case expression(Expression)
    /// `let pattern = value`.
    case binding(Pattern, Expression, isVariable: Bool)
    /// A variable that gets its value later.
    case declaration(Local)
    case asyncLet(Local, Closure, kindRange: SourceRange)
    case assignment(Expression, Expression)
    /// `(a, b[i]) = value`: all places are evaluated in front of the value; nil for `_`.
    case tupleAssignment([Expression?], Expression)
    case discard(Expression)
    case `if`([Condition], [Statement], [Statement])
    case `guard`([Condition], [Statement])
    case `while`([Condition], [Statement], label: String?)
    case repeatWhile([Statement], Expression, label: String?)
    case forIn(Loop, label: String?)
    case `switch`(Selection, label: String?)
    case block([Statement], label: String?)
    /// Statements that declare names for those behind them.
    case several([Statement])
    case `break`(String?)
    case `continue`(String?)
    case `fallthrough`
    case `return`(Expression?)
    case `throw`(Expression)
    case `defer`([Statement])
    case doCatch([Statement], [Catch], error: Local?, label: String?)
    case localFunction(LocalFunction)
  }

  enum Condition {
    case expression(Expression)
    case pattern(Pattern, Expression)
  }

  struct Loop {
    var pattern: Pattern
    var sequence: Expression
    var element: SwiftType
    var isAwaited: Bool
    var filter: Expression?
    var body: [Statement]
    /// For a sequence of the program's own: the calls that make its iterator and its next element.
    var iteration: Iteration?
  }

  /// How a sequence that a program declares is gone through.
  struct Iteration {
    var iterator: Local
    var make: Expression
    var next: Expression
  }

  struct Selection {
    var subject: Expression
    var value: Local
    var cases: [Case]

    struct Case {
      /// Empty for `default`.
      var items: [(pattern: Pattern, filter: Expression?)]
      var body: [Statement]
      var range: SourceRange
      /// The names that each of several patterns binds, by one local for all.
      var isDefault: Bool
    }
  }

  struct Catch {
    var items: [(pattern: Pattern, filter: Expression?)]
    var body: [Statement]
    /// Where its statements stand, from brace to brace.
    var place: SourceRange

    /// Whether it catches every error.
    var catchesAll: Bool {
      items.isEmpty
        || items.contains { item in
          switch item.pattern.kind {
          case .any, .local: item.filter == nil
          default: false
          }
        }
    }
  }

  // MARK: Patterns

  struct Pattern {
    var kind: PatternKind
    var type: SwiftType
    var range: SourceRange
  }

  indirect enum PatternKind {
    case any
    case local(Local)
    case tuple([Pattern])
    case enumCase(CaseSymbol, [Pattern]?)
    case some(Pattern)
    case none
    case isType(SwiftType)
    case asType(Pattern, SwiftType)
    /// A comparison of the value that `subject` names with something: a truth.
    case test(Expression, subject: Local)
    /// A name of a closed list.
    case symbol(SymbolFamily, String)
  }
}
