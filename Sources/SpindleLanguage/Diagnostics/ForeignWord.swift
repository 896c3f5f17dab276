/// A word that Swift has and the language of traces has not.
struct ForeignWord: Sendable {
  /// What to say about it.
  var message: String
  /// What follows it.
  var kind: Kind

  enum Kind: Sendable {
    /// It changes nothing, and is taken as nothing.
    case noise
    /// It can be left out, and what follows stands.
    case superfluous
    /// The whole statement is foreign, its block too.
    case statement
  }

  /// Every such word that is worth an answer of its own.
  static let all: [String: ForeignWord] = {
    var words: [String: ForeignWord] = [:]
    for word in noise { words[word] = ForeignWord(message: "", kind: .noise) }
    for (word, instead) in refused {
      words[word] = ForeignWord(message: "a trace has no '\(word)'; \(instead)", kind: .superfluous)
    }
    for (word, sign) in operators {
      words[word] = ForeignWord(
        message: "a trace has no '\(word)'; use '\(sign)'", kind: .superfluous)
    }
    for (word, instead) in statements {
      words[word] = ForeignWord(
        message: "a trace has no '\(word)'; \(instead)", kind: .statement)
    }
    return words
  }()

  /// What to say of a name that belongs to Swift concurrency.
  static func concurrency(_ name: String) -> String {
    "a trace has no '\(name)'; of Swift concurrency it has tasks, groups, continuations and streams"
  }

  /// What Swift's compiler wants to know and a run does not depend on: any call may throw, every name of
  /// a trace is seen everywhere in it.
  private static let noise = [
    "throws", "rethrows", "some", "any", "public", "private", "internal", "fileprivate", "open",
    "package", "final", "static", "nonisolated", "override", "mutating", "nonmutating",
    "convenience", "required", "dynamic", "borrowing", "consuming", "sending", "indirect",
  ]

  /// Words that would change something, and what to write instead.
  private static let refused: [(word: String, instead: String)] = [
    ("lazy", "a 'let' or 'var' gets its value at its declaration"),
    ("unowned", "use 'weak var'"),
  ]

  /// Attributes that change nothing here.
  ///
  /// `@MainActor` says where asynchronous code runs; where code can't suspend it moves nothing: Swift's
  /// compiler only lets code call it that runs there already.
  static let attributes: Set<String> = [
    "@escaping", "@Sendable", "@MainActor", "@concurrent", "@discardableResult", "@objc",
    "@objcMembers",
    "@nonobjc", "@inlinable", "@inline", "@usableFromInline", "@frozen", "@available",
    "@preconcurrency", "@unchecked", "@convention", "@IBAction", "@IBOutlet", "@testable",
    "@retroactive", "@noescape", "@unknown", "@warn_unqualified_access", "@NSManaged",
    "@UIApplicationMain", "@NSApplicationMain", "@main", "@Published", "@Observable",
    "@ObservationIgnored", "@ObservationTracked",
  ]

  private static let operators = [("and", "&&"), ("or", "||"), ("not", "!")]

  private static let statements: [(word: String, instead: String)] = [
    ("actor", "an actor belongs at the top of a trace"),
    ("class", "a class belongs at the top of a trace"),
    ("struct", "a struct belongs at the top of a trace, or in a class"),
    ("enum", "an 'enum' belongs at the top of a trace, or in a class"),
    ("protocol", "where it is named, name the class that conforms to it"),
    ("extension", "write its members in the class itself"),
    ("init", "write a function"),
    ("deinit", "write a function"),
    ("subscript", "write methods: 'func value(for key: String) -> Int?', and one that sets it"),
    ("typealias", "write the type itself"),
    ("case", "a 'case' belongs in a 'switch'"),
    ("where", "use an 'if' inside"),
    ("elseif", "use 'else if'"),
    ("elif", "use 'else if'"),
    ("elsif", "use 'else if'"),
    ("as", "every type is known from its value"),
    ("is", "every type is known from its value"),
  ]
}
