import SpindleModel

/// An expression with its place: a pointer to both, so that it is handed on in a register.
struct Expression: BitwiseCopyable, Sendable {
  fileprivate let node: Node<Content>

  /// What it is.
  var kind: Kind { node.value.kind }
  /// Its text.
  var range: SourceRange { node.value.range }

  fileprivate struct Content: BitwiseCopyable, Sendable {
    var kind: Kind
    var range: SourceRange
  }

  enum Kind: BitwiseCopyable, Sendable {
    /// `42`, `1_000`.
    case integer(Int64)
    /// `0.5`: an exact decimal.
    case decimal(FixedDecimal)
    /// `1.5ms`, in nanoseconds.
    case duration(Nanoseconds)
    /// `512KB`, in bytes.
    case size(ByteCount)
    /// `2%`, after `±` only.
    case percent(FixedDecimal)
    /// `"image"`.
    case text(Word)
    /// `"image\(i)"`: at least one value.
    case string(SyntaxList<Segment>)
    /// `true`, `false`.
    case boolean(Bool)
    /// `nil`.
    case none
    /// A name alone; also `_` on the left of an assignment.
    case name(Word)
    /// `.finished`.
    case implicitMember(Word)
    /// `[a, b]`.
    case array(SyntaxList<Expression>)
    /// `[k: v]`; `[:]` is an empty one.
    case dictionary(SyntaxList<Entry>)
    /// `base.name`.
    case member(Node<MemberAccess>)
    /// `callee(arguments) { closures }`.
    case call(Node<Call>)
    /// `base[index]`.
    case element(Node<ElementAccess>)
    /// `!a`, `-a`.
    case prefix(PrefixOperator, Expression)
    /// `a + b`.
    case infix(InfixOperator, Node<Sides>)
    /// `condition ? a : b`.
    case conditional(Node<Conditional>)
    /// `a ..< b`, `a ... b`.
    case range(Node<Bounds>)
    /// `{ i in … }`.
    case closure(Node<Closure>)
    /// `a ?? b`.
    case coalesce(Node<Sides>)
    /// `a!`.
    case unwrap(Expression)
    /// `a?` in front of a member, arguments or an index: nothing more of the chain is done where it is nil.
    case bind(Expression)
    /// The whole of what has a `?` in it: nil where that stops.
    case chain(Expression)
    /// `await a`, and whether a `try` covers it.
    case await(Expression, isTried: Bool)
    /// `AsyncStream<Int>`, in front of a call or a member.
    case specialized(Word, SyntaxList<TypeName>)
    /// `try? a`, `try! a`.
    case attempt(isForced: Bool, Expression)
    /// `let x = a` in a condition.
    case condition(Node<Binding>)
    /// `case .a = b` in a condition.
    case match(Node<PatternTest>)
    /// What could not be read; an error has been reported.
    case missing
  }

  /// `callee(arguments) { closures }`.
  struct Call: BitwiseCopyable, Sendable {
    let callee: Expression
    let arguments: SyntaxList<Argument>
    let closures: SyntaxList<TrailingClosure>
    /// Its text, with the parentheses around it.
    let range: SourceRange
    /// The text that the call's instructions come from: without the closures behind it.
    let place: SourceRange

    /// Creates a call whose whole text is at `range`.
    init(
      callee: Expression, arguments: SyntaxList<Argument>, closures: SyntaxList<TrailingClosure>,
      range: SourceRange
    ) {
      (self.callee, self.arguments, self.closures) = (callee, arguments, closures)
      self.range = range
      if closures.isEmpty {
        place = range
      } else if arguments.isEmpty {
        place = callee.range
      } else {
        place = callee.range.union(arguments[arguments.count - 1].value.range)
      }
    }

    /// Whether it makes a stream of what a closure gives: `AsyncStream(unfolding:)`.
    var isUnfolding: Bool {
      if arguments.first?.label == "unfolding" || closures.first?.label == "unfolding" {
        return true
      }
      // What fills a stream with a buffer is given its input.
      guard let only = closures.first, only.label == nil else { return false }
      return only.closure.parameters.isEmpty
    }

    /// The same call with the parentheses around it.
    func spanning(_ whole: SourceRange) -> Call {
      Call(callee: callee, arguments: arguments, closures: closures, range: whole)
    }
  }

  /// `base.name`.
  struct MemberAccess: BitwiseCopyable, Sendable {
    var base: Expression
    var name: Word
    var nameRange: SourceRange
  }

  /// `base[index]`.
  struct ElementAccess: BitwiseCopyable, Sendable {
    var base: Expression
    var index: Expression
    /// `a[i, default: b]`.
    var fallback: Expression?
  }

  /// What stands on the two sides of an operator.
  struct Sides: BitwiseCopyable, Sendable {
    var left: Expression
    var right: Expression
    var operatorRange: SourceRange
  }

  /// `condition ? first : second`.
  struct Conditional: BitwiseCopyable, Sendable {
    var condition: Expression
    var first: Expression
    var second: Expression
  }

  /// `from ..< to`, `from ... to`.
  struct Bounds: BitwiseCopyable, Sendable {
    var from: Expression
    var to: Expression
    var isClosed: Bool
  }

  /// A stretch of a string literal.
  enum Segment: BitwiseCopyable, Sendable {
    /// Text, with escapes resolved.
    case text(Word)
    /// `\( )`.
    case value(Expression)
  }

  /// `key: value` in brackets.
  struct Entry: BitwiseCopyable, Sendable {
    var key: Expression
    var value: Expression
  }

  /// `label: value` in a call.
  struct Argument: BitwiseCopyable, Sendable {
    /// The label, nil when there is none.
    var label: Word?
    /// The label's place, or the value's when there is none.
    var labelRange: SourceRange
    var value: Expression
  }

  /// `{ … }` or `label: { … }` behind a call.
  struct TrailingClosure: BitwiseCopyable, Sendable {
    /// The label, nil for the first.
    var label: Word?
    var labelRange: SourceRange
    var closure: Closure
    var range: SourceRange
  }

  /// `{ a, b in statements }`.
  struct Closure: BitwiseCopyable, Sendable {
    /// The names of its parameters; `_` for one that is not used.
    var parameters: SyntaxList<Name>
    /// What more is said in front of `in`; nil for nothing.
    var header: Node<ClosureHeader>?
    var body: CodeBlock
    /// Whether there is an `await` in its body that belongs to no closure in it.
    var isAwaiting = false

    /// Whether its body is one expression, and it does not say what that gives.
    var isOneValue: Bool {
      guard header?.result == nil, body.statements.count == 1,
        case .expression = body.statements[0].kind
      else { return false }
      return true
    }
  }

  /// `[n, weak q] (a: Int) -> Bool`.
  struct ClosureHeader: BitwiseCopyable, Sendable {
    var captures: SyntaxList<Capture>
    /// The type of each parameter, `.missing` for one without; none when no parameter has one.
    var types: SyntaxList<TypeName>
    var result: TypeName?
    /// Where it runs, when it says so.
    var isolation = Isolation.unspecified
    /// Whether it may suspend, as it says itself.
    var isAsync = false
    /// Whether it says `@Sendable`.
    var isSendable = false
  }

  /// `n`, `n = a + 1`, `weak q` in a closure's capture list.
  struct Capture: BitwiseCopyable, Sendable {
    var name: Name
    var value: Expression
    var isWeak: Bool
    var isUnowned = false
  }

  /// `case pattern = value` in a condition.
  struct PatternTest: BitwiseCopyable, Sendable {
    var pattern: Pattern
    var value: Expression
  }

  enum PrefixOperator: String, Sendable { case not = "!", minus = "-", plus = "+", invert = "~" }

  enum InfixOperator: String, Sendable, CaseIterable {
    case or = "||", and = "&&"
    case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">"
    case greaterOrEqual = ">=", identical = "===", notIdentical = "!=="
    case add = "+", subtract = "-", multiply = "*", divide = "/", remainder = "%"
    case shiftLeft = "<<", shiftRight = ">>"
    case bitAnd = "&", bitOr = "|", bitXor = "^"
    /// `400ms ± 2%`, in expectations only.
    case plusMinus = "±"
  }
}

extension Expression {
  /// Whether it is `nil`.
  var isNil: Bool {
    if case .none = kind { return true }
    return false
  }

  /// What a `?` or `!` stands behind, or the expression itself.
  var named: Expression {
    switch kind {
    case .bind(let inner), .unwrap(let inner): inner.named
    default: self
    }
  }
}

extension SyntaxArena {
  /// Puts an expression in.
  @inline(__always)
  func expression(kind: Expression.Kind, range: SourceRange) -> Expression {
    Expression(node: node(Expression.Content(kind: kind, range: range)))
  }
}

/// A name where it is written.
struct Name: BitwiseCopyable, Sendable {
  var word: Word
  var range: SourceRange

  /// What it says.
  var text: String { word.text }
}

/// A type as written: `Duration`, `[NSLock]`, `() -> Void`, `Int?`.
struct TypeName: BitwiseCopyable, Sendable {
  enum Kind: BitwiseCopyable, Sendable {
    case name(Word)
    case array(Node<TypeName>)
    case dictionary(key: Node<TypeName>, Node<TypeName>)
    case optional(Node<TypeName>)
    /// With what is written in front of it and of its arrow; nil for nothing.
    case function(
      parameters: SyntaxList<TypeName>, result: Node<TypeName>?, traits: Node<ClosureTraits>?)
    /// `Task<Int, Never>`.
    case generic(Word, SyntaxList<TypeName>)
    case missing
  }

  var kind: Kind
  var range: SourceRange
}
