import SpindleModel

/// Declarations and their modifiers.
extension Grammar {
  indirect enum DeclarationKind: Sendable {
    case variable(Variable)
    case function(Function)
    case initializer(Function, isFailable: Bool)
    case deinitializer(Block)
    case `subscript`(Subscript)
    case type(TypeDeclaration)
    case `extension`(
      TypeSyntax, inherited: [TypeSyntax], requirements: [Requirement], [Declaration])
    case enumCases([EnumCase])
    case typeAlias(Name, [TypeParameter], TypeSyntax)
    case associatedType(Name, [TypeSyntax], [Requirement])
    /// `main(.tool) { }`.
    case main(isTool: Bool, Block)
    /// A part of a trace that is no code: read by the stage that knows settings.
    case setting(Section)
    /// `include "File.swift"`: read before the text is.
    case include
    /// A statement at the top.
    case statement(Statement)
    case missing
  }

  /// What a trace says beside its code.
  indirect enum Section: Sendable {
    /// `trace "title" { seed: 1 }`; the title is nil when it could not be read.
    case trace(title: String?, [Setting])
    /// `machine { cores: 2 }`.
    case machine([Setting])
    /// `param n = 6`, `param pool = "warm" in ["warm", "cold"]`.
    case parameter(Name, value: Expression, allowed: Expression?)
    /// `expect { }`.
    case expect(Block)
    /// `schedule { "a" locks x before "b" locks x }`: what stands between its braces.
    case schedule(SourceRange)
    /// `explore { runs: 500 }`.
    case explore([Setting])
  }

  /// `name: value` in `trace { }`, `machine { }` or `explore { }`.
  struct Setting: Sendable {
    var name: Name
    var value: Expression
  }

  /// The attributes and modifiers of a declaration.
  struct Modifiers: Sendable {
    var attributes: [Attribute] = []
    /// `private`, `static`, `final` …, with what is in their parentheses: `nonisolated(unsafe)`.
    var words: [(word: Name, argument: String?)] = []

    /// Whether a word is among them.
    func has(_ word: String) -> Bool { words.contains { $0.word.text == word } }
    /// The attribute of this name; nil for none.
    func attribute(_ name: String) -> Attribute? { attributes.first { $0.name.text == name } }
    /// Whether a member belongs to its type.
    var isStatic: Bool {
      has("static") || words.contains { $0.word.text == "class" }
    }
  }

  /// `let a = 1, b: Int`.
  struct Variable: Sendable {
    var isLet: Bool
    var entries: [Entry]
    /// Whether the variable is at the top of a script, and statements of its `main` give it its value.
    var isSetInMain = false

    struct Entry: Sendable {
      var pattern: Pattern
      var type: TypeSyntax?
      var value: Expression?
      var accessors: Accessors?
      var range: SourceRange
    }
  }

  /// The accessors and observers of a variable.
  struct Accessors: Sendable {
    var getter: Block?
    var getterEffects = Effects()
    var getterThrown: TypeSyntax?
    var setter: Block?
    var setterName: Name?
    /// Whether the getter may change `self`, and whether the setter may not.
    var isGetterMutating = false
    var isSetterNonmutating = false
    /// Whether the setter is a `_modify`: a change begins with the getter, also one that replaces the value.
    var readsFirst = false
    var willSet: Block?
    var willSetName: Name?
    var didSet: Block?
    var didSetName: Name?
    /// Whether only `get` or `set` are named, as in a protocol.
    var isRequirement = false
    var requiresSetter = false
    var range: SourceRange
  }

  struct Function: Sendable {
    var name: Name
    var generics: [TypeParameter] = []
    var parameters: [Parameter] = []
    var effects = Effects()
    var thrown: TypeSyntax?
    var result: TypeSyntax?
    var requirements: [Requirement] = []
    /// nil in a protocol.
    var body: Block?
    var range: SourceRange
  }

  struct Parameter: Sendable {
    var label: Name?
    var name: Name
    var type: TypeSyntax
    var isVariadic = false
    var standard: Expression?
  }

  struct TypeParameter: Sendable {
    var name: Name
    var bounds: [TypeSyntax]
  }

  /// `T: P`, `T.Element == Int`.
  struct Requirement: Sendable {
    var left: TypeSyntax
    var right: TypeSyntax
    var isSameType: Bool
  }

  struct Subscript: Sendable {
    var generics: [TypeParameter]
    var parameters: [Parameter]
    var result: TypeSyntax
    var accessors: Accessors
    var range: SourceRange
  }

  struct TypeDeclaration: Sendable {
    enum Keyword: String, Sendable { case `class`, `struct`, `enum`, actor, `protocol` }

    var keyword: Keyword
    var name: Name
    var generics: [TypeParameter]
    var inherited: [TypeSyntax]
    var requirements: [Requirement]
    var members: [Declaration]
  }

  struct EnumCase: Sendable {
    var name: Name
    var values: [Parameter]
    var raw: Expression?
  }
}
