import SpindleModel

/// One trace as it is written, without meaning yet.
struct SyntaxTree {
  var source: SourceText
  /// Where its parts are.
  var arena: SyntaxArena
  /// What stands at the top, in order.
  var declarations: [Declaration]
}

/// Something that stands at the top of a trace.
struct Declaration {
  /// What it is.
  var kind: Kind
  /// Its text.
  var range: SourceRange

  enum Kind {
    /// `trace "title" { seed: 1 }`; the title is nil when it could not be read.
    case trace(title: String?, settings: [Setting])
    /// `param n = 6`, `param pool = "warm" in ["warm", "cold"]`.
    case parameter(Name, value: Expression, allowed: Expression?)
    /// `machine { cores: 2 }`.
    case machine([Setting])
    case binding(Binding)
    case function(Function)
    /// `final class Model { }`.
    case type(TypeDeclaration)
    /// `main { }`, `main(.tool) { }`; the mode is nil when none is given.
    case main(mode: Expression?, CodeBlock)
    /// `expect { }`.
    case expect(CodeBlock)
    /// `schedule { "a" locks x before "b" locks x }`: what stands between its braces.
    case schedule(SourceRange)
    /// `explore { runs: 500 }`.
    case explore([Setting])
    /// A call at the top: `at(1s) { }`, `every(2s) { i in }`, `arrivals(…) { }`.
    case call(Expression)
    /// What could not be read; an error has been reported.
    case missing
  }

  /// `name: value` in `trace { }` or `machine { }`.
  struct Setting {
    var name: Name
    var value: Expression
  }

  /// `func name(label name: Type = value) -> Type { }`.
  struct Function {
    var name: Name
    /// Where it runs, when it says so.
    var isolation: Isolation
    /// Whether it may suspend.
    var isAsync: Bool
    var parameters: [Parameter]
    var result: TypeName?
    var body: CodeBlock
    /// Whether nobody has to use its result.
    var isDiscardable = false
    /// What it is of a `var` at the top that is computed.
    var role = Role.plain

    enum Role { case plain, getter, setter }

    struct Parameter: BitwiseCopyable, Sendable {
      /// What a call writes; nil for `_`.
      var label: Word?
      var name: Name
      var type: TypeName
      /// Whether the function runs on it: an `isolated` one.
      var isIsolated = false
      /// Whether a call gives it any number of values, which the function has as an array.
      var isVariadic = false
      /// The value when a call leaves it out.
      var standard: Expression?
    }
  }
}
