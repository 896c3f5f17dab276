/// What threads are called in a trace: as the recording has it, and as names of the language.
struct TraceNames {
  /// By thread: a name that no other thread has.
  private(set) var shown: [String] = []
  /// By thread: a name of the language, of its function.
  private(set) var functions: [String] = []
  private var taken: Set<String> = []

  /// Words that are not for threads: the language's own, and what a trace may call.
  private static let reserved: Set<String> = [
    "abs", "all", "allocate", "any", "app", "arrivals", "as", "assert", "at", "autorelease",
    "autoreleasepool", "break", "case", "catch", "choice", "class", "continue", "cores", "default",
    "defer", "do", "drawn", "else", "enum", "every", "exit", "expect", "exponential", "extension",
    "false", "fatalError", "for", "free", "func", "guard", "if", "import", "in", "init", "inout",
    "io", "is", "isCancelled", "let", "machine", "main", "mark", "max", "min", "nil", "normal",
    "now", "once", "param", "pareto", "perform", "performInBackground", "precondition", "print",
    "protocol", "raise", "record", "repeat", "return", "self", "sleep", "some", "static", "struct",
    "switch", "throw", "throws", "trace", "true", "try", "uniform", "var", "weak", "where", "while",
    "work", "yield",
  ]

  /// Names the threads of a program, each by what the recording calls it and by its number.
  init(_ threads: [(name: String, number: Int32)]) {
    var counts: [String: Int] = [:]
    for thread in threads { counts[thread.name, default: 0] += 1 }
    var seen: Set<String> = []
    for thread in threads {
      var name = Self.printable(thread.name)
      if name.isEmpty { name = "thread" }
      if counts[thread.name] != 1 || name == "main" || seen.contains(name) {
        name += " \(thread.number)"
      }
      while !seen.insert(name).inserted { name += "'" }
      shown.append(name)
      functions.append(unique(Self.identifier(name)))
    }
  }

  /// A name of the language that nothing else has, as near to `name` as can be.
  mutating func unique(_ name: String) -> String {
    var result = Self.reserved.contains(name) ? name + "Thread" : name
    var number = 2
    while !taken.insert(result).inserted {
      result = "\(name)_\(number)"
      number += 1
    }
    return result
  }

  /// Longer names are cut.
  private static let longest = 64

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: scalar != "\"" && scalar != "\\" && scalar != "\u{FFFD}"
    }
  }

  /// A name without what no text may hold.
  static func printable(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.prefix(longest).map { isPlain($0) ? $0 : "?" }))
  }

  /// A name in the manner of the language: `worker-0` is `worker0`, `oot.default-qos` `ootDefaultQos`.
  static func identifier(_ name: String) -> String {
    var result = ""
    var isStart = false
    for character in name {
      guard character.isASCII, character.isLetter || character.isNumber else {
        isStart = !result.isEmpty
        continue
      }
      if result.isEmpty {
        result = character.isNumber ? "thread\(character)" : character.lowercased()
      } else {
        result += isStart ? character.uppercased() : String(character)
      }
      isStart = false
    }
    return result.isEmpty ? "thread" : result
  }
}
