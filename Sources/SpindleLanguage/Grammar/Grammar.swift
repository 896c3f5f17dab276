import SpindleModel

/// The tree of a text as it is written: nothing is rewritten, nothing is left out.
///
/// It is the first stage of the front end. A tree is a value without identity; a stage behind it adds what
/// it finds out in trees of its own.
enum Grammar {
  /// A name where it is written.
  struct Name: Hashable, Sendable {
    var text: String
    var range: SourceRange

    /// Whether it is made of signs: `==`.
    var isOperator: Bool { text.first.map { !$0.isLetter && $0 != "_" && $0 != "$" } ?? false }
  }

  /// An expression with its place.
  struct Expression: Sendable {
    let kind: Kind
    let range: SourceRange
  }

  /// A statement with its place.
  struct Statement: Sendable {
    let kind: StatementKind
    let range: SourceRange
  }

  /// Statements between braces.
  struct Block: Sendable {
    var statements: [Statement]
    /// From brace to brace.
    var range: SourceRange
  }

  /// A type as it is written.
  struct TypeSyntax: Sendable {
    let kind: TypeKind
    let range: SourceRange

    /// Whether it is written with `!`.
    var isImplicit: Bool {
      if case .implicit = kind { return true }
      return false
    }

    /// Whether it is `some P`.
    var isOpaque: Bool { if case .some = kind { true } else { false } }

    /// Whether it is `Self` or `Self?`.
    var isSelf: Bool {
      switch kind {
      case .name("Self", let arguments): arguments.isEmpty
      case .optional(let inner): inner.isSelf
      default: false
      }
    }
  }

  /// A pattern with its place.
  struct Pattern: Sendable {
    let kind: PatternKind
    let range: SourceRange

    /// Whether the source has no text for it, as in `catch where isLate`.
    var isUnwritten: Bool { range.lowerBound == range.upperBound }
  }

  /// A declaration with its modifiers.
  struct Declaration: Sendable {
    var kind: DeclarationKind
    var modifiers: Modifiers
    let range: SourceRange
  }
}

// MARK: Expressions

extension Grammar {
  indirect enum Kind: Sendable {
    case integer(Int64)
    /// A number with a fraction or an exponent, in billionths.
    case decimal(Int64)
    /// `1.5ms`, in nanoseconds.
    case duration(Int64)
    /// `512KB`, in bytes.
    case size(Int64)
    /// `2%` in expectations, in billionths of a hundredth.
    case percent(Int64)
    case boolean(Bool)
    case `nil`
    case string([Segment])
    /// A name, with type arguments where they are written: `x`, `Stack<Int>`.
    case name(String, [TypeSyntax])
    /// `.red`.
    case implicitMember(Name)
    case array([Expression])
    case dictionary([(key: Expression, value: Expression)])
    /// `(a, b: c)`, `()`; never one element without a label.
    case tuple([Argument])
    /// `base.name`; the name of a tuple's element may be a number.
    case member(Expression, Name, [TypeSyntax])
    /// `load(_:completion:)`: a function by its labels.
    case compound(Expression, [String])
    case call(Call)
    /// `base[arguments]`.
    case subscripted(Expression, [Argument])
    case prefix(Name, Expression)
    case binary(Name, Expression, Expression)
    case ternary(Expression, Expression, Expression)
    /// `from ... to`, either of which may be missing.
    case range(from: Expression?, to: Expression?, isClosed: Bool, sign: SourceRange)
    case closure(Closure)
    /// `a!`.
    case forced(Expression)
    /// `a?` within a chain.
    case questioned(Expression)
    /// The whole postfix expression that has a `?` in it.
    case chain(Expression)
    /// `try a`, `try? a`, `try! a`.
    case attempt(Attempt, Expression)
    case await(Expression)
    case cast(Expression, Cast, TypeSyntax)
    /// `&a` as an argument.
    case reference(Expression)
    /// `\.a?.b`, `\T.a[0]`: the members of a value that `keyPathRoot` names.
    case keyPath(root: TypeSyntax?, Expression)
    /// `if` or `switch` as a value.
    case choice(Statement)
    /// A type where a value is expected: `[Int]()`, `(Int, String).self`.
    case type(TypeSyntax)
    /// `_` on the left of an assignment.
    case discard
    /// What has a word for it, and no meaning here: `#selector(…)`, `/a+/`.
    case foreign(String)
    /// What could not be read; an error has been reported.
    case missing
  }

  enum Attempt: Sendable { case plain, optional, forced }

  enum Cast: Sendable { case test, coerce, optional, forced }

  /// A part of a text in quotes.
  enum Segment: Sendable {
    /// Text, with escapes resolved.
    case text(String)
    /// `\( )`.
    case value(Expression)
  }

  /// `label: value`, in a call, a subscript or a tuple.
  struct Argument: Sendable {
    var label: Name?
    var value: Expression
    /// Whether it is a closure behind the parentheses.
    var isTrailing = false
  }

  /// `callee(arguments) { closure } label: { closure }`.
  struct Call: Sendable {
    var callee: Expression
    var arguments: [Argument]
    /// The call without the closures behind it.
    var place: SourceRange
    /// Whether parentheses are written.
    var hasParentheses: Bool
  }

  /// `{ [captures] (parameters) async throws -> Result in statements }`.
  struct Closure: Sendable {
    var attributes: [Attribute] = []
    var captures: [Capture] = []
    /// nil where none are written: `$0` and the like are its parameters.
    var parameters: [ClosureParameter]?
    var effects = Effects()
    var thrown: TypeSyntax?
    var result: TypeSyntax?
    var body: Block
    /// How many parameters `$0`, `$1` … ask for.
    var shorthandCount = 0
    /// How many parameters in front of these were written for what stands around it: the index of an element.
    var outerCount = 0
    var range: SourceRange
  }

  struct ClosureParameter: Sendable {
    var name: Name
    var type: TypeSyntax?
    var isInout = false
  }

  /// `n`, `n = a + 1`, `weak q` in the list of a closure.
  struct Capture: Sendable {
    enum Strength: Sendable { case strong, weak, unowned }

    var strength: Strength
    var name: Name
    var value: Expression
  }

  /// What may happen in a function besides its result.
  struct Effects: Hashable, Sendable {
    var isAsync = false
    var isThrowing = false
    /// Whether it throws only what a function throws that it is given: `rethrows`.
    var isRethrowing = false
  }
}

// MARK: Types

extension Grammar {
  indirect enum TypeKind: Sendable {
    /// `Int`, `Array<Int>`.
    case name(String, [TypeSyntax])
    /// `Clock.Instant`.
    case member(TypeSyntax, Name, [TypeSyntax])
    case array(TypeSyntax)
    case dictionary(TypeSyntax, TypeSyntax)
    case optional(TypeSyntax)
    /// `T!`: an optional whose value is taken where one is needed.
    case implicit(TypeSyntax)
    case tuple([(label: Name?, type: TypeSyntax)])
    case function(
      parameters: [(label: Name?, type: TypeSyntax)], effects: Effects, thrown: TypeSyntax?,
      result: TypeSyntax)
    /// `some P`, `any P`.
    case some(TypeSyntax)
    case any(TypeSyntax)
    /// `A & B`.
    case composition([TypeSyntax])
    /// `T.Type`.
    case metatype(TypeSyntax)
    /// `inout T`, `@escaping T`, `sending T`.
    case attributed(TypeSyntax, attributes: [Attribute], isInout: Bool)
    case missing
  }

  /// `@Sendable`, `@MainActor`, `@builtin(add)`.
  struct Attribute: Sendable {
    var name: Name
    /// The text in its parentheses; nil if it has none.
    var argument: String?
    /// Whether it may be a property wrapper: others of the language begin with small letters, and those of the program are
    /// types.
    var mayBeWrapper: Bool { name.text.first?.isUppercase == true }
    /// What they are of a property wrapper, and its type arguments.
    var arguments: [Argument] = []
    var typeArguments: [TypeSyntax] = []
  }
}

// MARK: Patterns

extension Grammar {
  indirect enum PatternKind: Sendable {
    /// `_`.
    case any
    /// `x` within `let` or `var`.
    case name(Name, isVariable: Bool)
    /// `(a, b)`.
    case tuple([(label: Name?, pattern: Pattern)])
    /// `.failed(let code)`, `Stage.failed`: the type in front is an expression.
    case enumCase(owner: Expression?, Name, [(label: Name?, pattern: Pattern)]?)
    /// `x?`.
    case some(Pattern)
    /// `is T`.
    case isType(TypeSyntax)
    /// `x as T`.
    case asType(Pattern, TypeSyntax)
    /// Anything that is compared by `~=`.
    case value(Expression)
    case missing
  }
}

// MARK: Statements

extension Grammar {
  indirect enum StatementKind: Sendable {
    case expression(Expression)
    case declaration(Declaration)
    /// `target = value`, `target += value` with the operator.
    case assignment(Expression, Name?, Expression)
    case `if`(Conditional)
    case `guard`([Condition], Block)
    case `while`([Condition], Block)
    case repeatWhile(Block, Expression)
    case forIn(Loop)
    case `switch`(Selection)
    case labelled(Name, Statement)
    case `break`(Name?)
    case `continue`(Name?)
    case `fallthrough`
    case `return`(Expression?)
    case `defer`(Block)
    case doCatch(Block, thrown: TypeSyntax?, [Catch])
    case `throw`(Expression)
    case missing
  }

  /// `if a { } else if b { } else { }`.
  struct Conditional: Sendable {
    var conditions: [Condition]
    var body: Block
    /// The `else`: a block, or one that holds another `if` alone.
    var otherwise: Block?
  }

  enum Condition: Sendable {
    case expression(Expression)
    /// `let x = a`, `case .a(let b) = c`; the value is nil for `if let x`.
    case pattern(Pattern, TypeSyntax?, Expression, isOptional: Bool)
    /// `#available(…)`.
    case available
  }

  struct Loop: Sendable {
    var isTried: Bool
    var isAwaited: Bool
    var pattern: Pattern
    var type: TypeSyntax?
    var sequence: Expression
    var filter: Expression?
    var body: Block
  }

  struct Selection: Sendable {
    var subject: Expression
    var cases: [Case]
    var range: SourceRange

    struct Case: Sendable {
      /// None for `default`.
      var items: [(pattern: Pattern, filter: Expression?)]
      var isDefault: Bool
      var body: Block
      var range: SourceRange
    }
  }

  struct Catch: Sendable {
    /// None for a plain `catch`.
    var items: [(pattern: Pattern, filter: Expression?)]
    var body: Block
  }
}
