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
    /// `.failed(let code, _)`: a case, with a pattern for each of its values.
    case payload(Node<CasePattern>)
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

/// A case with patterns for its values: `.failed(code: let code, _)`.
struct CasePattern: BitwiseCopyable, Sendable {
  /// The type in front of it; nil where none is written.
  var owner: Expression?
  var name: Name
  var elements: SyntaxList<Element>

  /// The pattern of one value.
  struct Element: BitwiseCopyable, Sendable {
    /// nil where none is written.
    var label: Name?
    var pattern: Pattern
  }
}

extension Pattern {
  /// The name that it binds, and whether that is a `var`.
  var name: (Name, Bool)? {
    switch kind {
    case .name(let name, let isVariable), .present(let name, let isVariable): (name, isVariable)
    case .value, .payload, .any, .missing: nil
    }
  }

  /// Whether it binds any name.
  var binds: Bool {
    if case .payload(let node) = kind { return node.value.elements.contains { $0.pattern.binds } }
    return name.map { !$0.0.word.isUnderscore } ?? false
  }

  /// Whether nothing is left out by it.
  var takesAll: Bool {
    switch kind {
    case .any, .name, .missing: true
    case .value, .present, .payload: false
    }
  }

  /// Whether of a value that may be nil it is that: `nil`, or `.none`, which of any other is a case.
  var isNil: Bool {
    guard case .value(let value) = kind else { return false }
    return value.isNil || memberName == "none"
  }

  /// The truth that it is; nil for anything else.
  var truth: Bool? {
    if case .value(let value) = kind, case .boolean(let truth) = value.kind { return truth }
    return nil
  }

  /// The member of a list that it is, with any values; nil for anything else.
  var memberName: String? {
    if case .payload(let node) = kind {
      let isWhole = node.value.elements.allSatisfy { $0.pattern.takesAll }
      return isWhole ? node.value.name.text : nil
    }
    guard case .value(let value) = kind else { return nil }
    switch value.kind {
    case .implicitMember(let name): return name.text
    case .member(let member): return member.name.text
    default: return nil
    }
  }

  /// The patterns of the parts of a tuple; nil for anything else.
  var tupleParts: [Pattern]? {
    guard case .payload(let node) = kind, node.value.name.word == "(" else { return nil }
    return node.value.elements.map(\.pattern)
  }

  /// The case that it names, with what it says of its values; nil for anything else.
  var namedCase:
    (name: String, range: SourceRange, elements: SyntaxList<CasePattern.Element>, isCalled: Bool)?
  {
    switch kind {
    case .payload(let node):
      return (node.value.name.text, node.value.name.range, node.value.elements, true)
    case .value(let value):
      switch value.kind {
      case .implicitMember(let name): return (name.text, value.range, SyntaxList(), false)
      case .member(let member):
        return (member.name.text, member.nameRange, SyntaxList(), false)
      default: return nil
      }
    case .name, .present, .any, .missing: return nil
    }
  }
}
