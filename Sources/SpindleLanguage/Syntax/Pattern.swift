import SpindleModel

/// What a value is compared with in a `case`.
struct Pattern: BitwiseCopyable, Sendable {
  enum Kind: BitwiseCopyable, Sendable {
    /// A value, a range, a member of a list, `nil`.
    case value(Expression)
    /// `let x`, which takes anything.
    case name(Name, isVariable: Bool)
    /// `let x?`, `.some(let x)`: anything but nil.
    case present(Name, isVariable: Bool)
    /// `.success(let x)`, `.failure(let x)` of what a task gave or threw.
    case outcome(isSuccess: Bool, Name, isVariable: Bool)
    /// `_`.
    case any
    /// What could not be read; an error has been reported.
    case missing
  }

  var kind: Kind
  /// Behind `where`; nil for nothing.
  var filter: Expression?
  var range: SourceRange
}

extension Pattern {
  /// The name that it binds, and whether that is a `var`.
  var name: (Name, Bool)? {
    switch kind {
    case .name(let name, let isVariable), .present(let name, let isVariable),
      .outcome(_, let name, let isVariable):
      (name, isVariable)
    case .value, .any, .missing: nil
    }
  }

  /// Whether nothing is left out by it.
  var takesAll: Bool {
    switch kind {
    case .any, .name, .missing: true
    case .value, .present, .outcome: false
    }
  }

  /// Whether it is nil.
  var isNil: Bool {
    if case .value(let value) = kind, case .none = value.kind { return true }
    return false
  }

  /// The truth that it is; nil for anything else.
  var truth: Bool? {
    if case .value(let value) = kind, case .boolean(let truth) = value.kind { return truth }
    return nil
  }

  /// The member of a list that it is; nil for anything else.
  var memberName: String? {
    if case .outcome(let isSuccess, _, _) = kind { return isSuccess ? "success" : "failure" }
    guard case .value(let value) = kind else { return nil }
    switch value.kind {
    case .implicitMember(let name): return name.text
    case .member(let member): return member.name.text
    default: return nil
    }
  }
}
