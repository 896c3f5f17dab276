import SpindleModel

/// An expression with its place.
struct Expression: Sendable {
  /// What it is.
  var kind: Kind
  /// Its text.
  var range: SourceRange

  enum Kind: Sendable {
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
    case text(String)
    /// `"image\(i)"`: at least one value.
    case string([Segment])
    /// `true`, `false`.
    case boolean(Bool)
    /// `nil`.
    case none
    /// A name alone; also `_` on the left of an assignment.
    case name(String)
    /// `.finished`.
    case implicitMember(String)
    /// `[a, b]`.
    case array([Expression])
    /// `[k: v]`; `[:]` is an empty one.
    case dictionary([Entry])
    /// `base.name`.
    indirect case member(Expression, name: String, nameRange: SourceRange)
    /// `callee(arguments) { closures }`.
    case call(Call)
    /// `base[index]`.
    indirect case element(Expression, index: Expression)
    /// `!a`, `-a`.
    indirect case prefix(PrefixOperator, Expression)
    /// `a + b`.
    indirect case infix(InfixOperator, Expression, Expression, operatorRange: SourceRange)
    /// `condition ? a : b`.
    indirect case conditional(Expression, Expression, Expression)
    /// `a ..< b`, `a ... b`.
    indirect case range(Expression, Expression, isClosed: Bool)
    /// `{ i in … }`.
    indirect case closure(Closure)
    /// What could not be read; an error has been reported.
    case missing
  }

  /// `callee(arguments) { closures }`.
  ///
  /// A class, since calls are what most of a trace consists of, and are handed on a lot.
  final class Call: Sendable {
    let callee: Expression
    let arguments: [Argument]
    let closures: [TrailingClosure]
    let range: SourceRange
    /// The text that the call's instructions come from: without the closures behind it.
    let place: SourceRange

    /// Creates a call whose whole text is at `range`.
    init(
      callee: Expression, arguments: [Argument], closures: [TrailingClosure], range: SourceRange
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

    /// The same call with the parentheses around it, if there are any.
    func spanning(_ whole: SourceRange) -> Call {
      if whole == range { return self }
      return Call(callee: callee, arguments: arguments, closures: closures, range: whole)
    }
  }

  /// A stretch of a string literal.
  enum Segment: Sendable {
    /// Text, with escapes resolved.
    case text(String)
    /// `\( )`.
    case value(Expression)
  }

  /// `key: value` in brackets.
  struct Entry: Sendable {
    var key: Expression
    var value: Expression
  }

  /// `label: value` in a call.
  struct Argument: Sendable {
    /// The label, nil when there is none.
    var label: String?
    /// The label's place, or the value's when there is none.
    var labelRange: SourceRange
    var value: Expression
  }

  /// `{ … }` or `label: { … }` behind a call.
  struct TrailingClosure: Sendable {
    /// The label, nil for the first.
    var label: String?
    var labelRange: SourceRange
    var closure: Closure
    var range: SourceRange
  }

  /// `{ a, b in statements }`.
  struct Closure: Sendable {
    /// The names of its parameters; `_` for one that is not used.
    var parameters: [Name]
    var body: CodeBlock
  }

  enum PrefixOperator: String, Sendable { case not = "!", minus = "-", plus = "+" }

  enum InfixOperator: String, Sendable, CaseIterable {
    case or = "||", and = "&&"
    case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">"
    case greaterOrEqual = ">=", identical = "===", notIdentical = "!=="
    case add = "+", subtract = "-", multiply = "*", divide = "/", remainder = "%"
    /// `400ms ± 2%`, in expectations only.
    case plusMinus = "±"
  }
}

/// A name where it is written.
struct Name: Sendable {
  var text: String
  var range: SourceRange
}

/// A type as written: `Duration`, `[NSLock]`, `() -> Void`, `Int?`.
struct TypeName: Sendable {
  indirect enum Kind: Sendable {
    case name(String)
    case array(TypeName)
    case optional(TypeName)
    case function(parameters: [TypeName], result: TypeName?)
    case missing
  }

  var kind: Kind
  var range: SourceRange
}
