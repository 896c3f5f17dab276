import SpindleModel

/// Statements between braces.
struct CodeBlock: BitwiseCopyable, Sendable {
  var statements: SyntaxList<Statement>
  /// From brace to brace.
  var range: SourceRange
}

/// A statement with its place.
///
/// Small enough to be handed on in registers: what takes more room stands apart.
struct Statement: BitwiseCopyable, Sendable {
  /// What it is.
  var kind: Kind
  /// Its text.
  var range: SourceRange

  enum Kind: BitwiseCopyable, Sendable {
    /// A call, mostly.
    case expression(Expression)
    /// `let x: Int = 1`, `var x = 1`, `weak var x = y`.
    case binding(Node<Binding>)
    /// `target = value`, `target += value`.
    case assignment(Node<Assignment>)
    /// `if a { } else if b { } else { }`.
    case `if`(Node<Choice>)
    /// `guard a else { }`.
    case `guard`(Node<Branch>)
    case `while`(Node<Branch>)
    /// `repeat { } while a`.
    case repeatWhile(Node<Branch>)
    /// `for x in sequence { }`.
    case forIn(Node<Loop>)
    /// `switch a { case 1: … default: … }`.
    case `switch`(Node<Selection>)
    /// `outer: for … { }`.
    case labelled(Node<Labelled>)
    /// `let a = 1, b = 2`: one statement each.
    case several(SyntaxList<Statement>)
    /// `break`, `break outer`.
    case `break`(Word?)
    case `continue`(Word?)
    /// `func f() { }` in a body.
    case function(Node<LocalFunction>)
    /// Goes on with the next case of a `switch`.
    case `fallthrough`
    case `return`(Expression?)
    case `defer`(Node<CodeBlock>)
    /// `do { } catch { }`.
    case doCatch(Node<Attempt>)
    case `throw`(Expression)
    /// What could not be read; an error has been reported.
    case missing
  }

  /// Whether its tree is needed until the block around it ends.
  var isDefer: Bool {
    if case .defer = kind { return true }
    return false
  }

  /// `target = value`, `target += value`.
  struct Assignment: BitwiseCopyable, Sendable {
    var target: Expression
    /// nil for a plain `=`.
    var operation: Expression.InfixOperator?
    var assigned: Expression
  }

  /// A condition with the block that it decides about.
  struct Branch: BitwiseCopyable, Sendable {
    var condition: Expression
    var body: CodeBlock
  }

  /// `if a { } else if b { } else { }`.
  struct Choice: BitwiseCopyable, Sendable {
    var branches: SyntaxList<Branch>
    var otherwise: CodeBlock?
  }

  /// `func f(a: Int) -> Int { }` in a body.
  struct LocalFunction: BitwiseCopyable, Sendable {
    var name: Name
    var isolation: Isolation
    var isAsync: Bool
    var parameters: SyntaxList<Declaration.Function.Parameter>
    var result: TypeName?
    var body: CodeBlock
  }

  /// `switch a { case 1: … default: … }`.
  struct Selection: BitwiseCopyable, Sendable {
    var value: Expression
    /// The values behind the first, of `switch (a, b)`.
    var rest = SyntaxList<Expression>()
    var cases: SyntaxList<Case>
    /// From brace to brace.
    var range: SourceRange
  }

  /// `case .a, .b where c: …`, `default: …`.
  struct Case: BitwiseCopyable, Sendable {
    /// None for `default`.
    var patterns: SyntaxList<Pattern>
    var body: CodeBlock
    /// The words in front of the colon.
    var range: SourceRange
  }

  /// `outer: for … { }`.
  struct Labelled: BitwiseCopyable, Sendable {
    var label: Name
    var statement: Statement
  }

  /// `for x in sequence { }`.
  struct Loop: BitwiseCopyable, Sendable {
    /// `_` names nothing.
    var name: Name
    /// The second name of `(i, x)`; nil when there is one name.
    var second: Name?
    /// The word `await`, nil when it is not written.
    var awaitRange: SourceRange?
    /// Only what meets it runs the body; nil when all does.
    var filter: Expression?
    /// A range or an array.
    var sequence: Expression
    var body: CodeBlock
  }

  /// `do { } catch { }`.
  struct Attempt: BitwiseCopyable, Sendable {
    var body: CodeBlock
    /// Here `error` is the message.
    var handler: CodeBlock?
  }
}

/// `let` or `var` with its value.
struct Binding: BitwiseCopyable, Sendable {
  var isVariable: Bool
  /// The word `weak`, nil when it is not written.
  var weak: SourceRange?
  /// Whether it is `async let`.
  var isAsync = false
  /// Whether it is `let y: Int`, which gets its value later.
  var isSetLater = false
  /// Whether it is `@TaskLocal`.
  var isTaskLocal = false
  /// Where it may be used, at the top.
  var isolation = Isolation.unspecified
  /// Whether it is a `static` that gets its value when it is first used.
  var isLazy = false
  var name: Name
  /// The second name of `let (a, b)`; nil when there is one name.
  var second: Name?
  var type: TypeName?
  var value: Expression

  /// Whether it does not keep its object alive.
  var isWeak: Bool { weak != nil }
}
