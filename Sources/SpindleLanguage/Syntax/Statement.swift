import SpindleModel

/// Statements between braces.
struct CodeBlock: Sendable {
  var statements: [Statement]
  /// From brace to brace.
  var range: SourceRange
}

/// A statement with its place.
struct Statement: Sendable {
  /// What it is.
  var kind: Kind
  /// Its text.
  var range: SourceRange

  enum Kind: Sendable {
    /// A call, mostly.
    case expression(Expression)
    /// `let x: Int = 1`, `var x = 1`, `weak var x = y`.
    indirect case binding(Binding)
    /// `target = value`, `target += value`; the operator is nil for a plain `=`.
    indirect case assignment(Expression, operator: Expression.InfixOperator?, Expression)
    /// `if a { } else if b { } else { }`.
    indirect case `if`([Branch], otherwise: CodeBlock?)
    /// `guard a else { }`.
    indirect case `guard`(Expression, CodeBlock)
    indirect case `while`(Expression, CodeBlock)
    /// `repeat { } while a`.
    indirect case repeatWhile(CodeBlock, Expression)
    /// `for x in sequence { }`; the sequence is a range or an array; `_` names nothing.
    indirect case forIn(Name, Expression, CodeBlock)
    case `break`
    case `continue`
    case `return`(Expression?)
    indirect case `defer`(CodeBlock)
    /// `do { } catch { }`; in the handler `error` is the message.
    indirect case doCatch(CodeBlock, handler: CodeBlock?)
    case `throw`(Expression)
    /// What could not be read; an error has been reported.
    case missing
  }

  /// A condition with what happens when it holds.
  struct Branch: Sendable {
    var condition: Expression
    var body: CodeBlock
  }
}

/// `let` or `var` with its value.
struct Binding: Sendable {
  var isVariable: Bool
  /// The word `weak`, nil when it is not written.
  var weak: SourceRange?
  var name: Name
  var type: TypeName?
  var value: Expression

  /// Whether it does not keep its object alive.
  var isWeak: Bool { weak != nil }
}
