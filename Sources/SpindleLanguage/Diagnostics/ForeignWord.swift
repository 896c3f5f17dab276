/// A word that Swift has and the language of traces has not.
struct ForeignWord: Sendable {
  /// What to say about it.
  var message: String
  /// What follows it.
  var kind: Kind

  enum Kind: Sendable {
    /// It can be left out, and what follows stands.
    case superfluous
    /// The whole statement is foreign, its block too.
    case statement
  }

  /// Every such word that is worth an answer of its own.
  static let all: [String: ForeignWord] = {
    var words: [String: ForeignWord] = [:]
    for (word, reason) in superfluous {
      words[word] = ForeignWord(message: "'\(word)' is not needed: \(reason)", kind: .superfluous)
    }
    for word in ["await", "async"] {
      words[word] = ForeignWord(message: concurrency(word), kind: .superfluous)
    }
    words["actor"] = ForeignWord(message: concurrency("actor"), kind: .statement)
    for word in modifiers {
      words[word] = ForeignWord(
        message: "'\(word)' is not needed: a trace has no such modifiers", kind: .superfluous)
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
    "a trace has no '\(name)': Swift concurrency is not in the language ('await' frees its thread, "
      + "a trace's wait holds it)"
  }

  /// The names of Swift concurrency that are no words of their own.
  static let concurrencyTypes: Set<String> = [
    "Task", "MainActor", "TaskGroup", "ThrowingTaskGroup", "DiscardingTaskGroup", "withTaskGroup",
    "withThrowingTaskGroup", "withDiscardingTaskGroup", "withCheckedContinuation",
    "withCheckedThrowingContinuation", "withUnsafeContinuation", "withTaskCancellationHandler",
    "AsyncStream", "AsyncSequence", "Actor", "Sendable",
  ]

  private static let superfluous: [(word: String, reason: String)] = [
    ("try", "any call may throw"),
    ("throws", "any function may throw"),
    ("rethrows", "any function may throw"),
    ("some", "write the type alone"),
  ]

  private static let modifiers = [
    "public", "private", "internal", "fileprivate", "open", "final", "static", "lazy", "override",
    "mutating", "nonisolated", "unowned", "indirect", "package", "convenience", "required",
  ]

  private static let operators = [("and", "&&"), ("or", "||"), ("not", "!")]

  private static let statements: [(word: String, instead: String)] = [
    ("class", "write functions and top-level variables"),
    ("struct", "write functions and top-level variables"),
    ("enum", "write functions and top-level variables"),
    ("protocol", "write functions and top-level variables"),
    ("extension", "write functions and top-level variables"),
    ("init", "write a function"),
    ("deinit", "write a function"),
    ("subscript", "write a function"),
    ("typealias", "write the type itself"),
    ("import", "its whole vocabulary is known everywhere"),
    ("switch", "use 'if' and 'else if'"),
    ("case", "use 'if' and 'else if'"),
    ("default", "use 'else'"),
    ("fallthrough", "use 'if' and 'else if'"),
    ("where", "use an 'if' inside"),
    ("elseif", "use 'else if'"),
    ("elif", "use 'else if'"),
    ("elsif", "use 'else if'"),
    ("as", "every type is known from its value"),
    ("is", "every type is known from its value"),
  ]
}
