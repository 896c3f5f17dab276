/// Wordings about what is asked of a run, in alphabetical order.
extension Messages {
  static func assertedExpectation(_ name: String, _ condition: String) -> String {
    "'\(name)' is for code; 'expect' has the condition alone: \(condition)"
  }
  static func bareKind(_ name: String, _ kind: String) -> String {
    "the pattern of a kind needs quotes: \(name)(\"\(kind)\")"
  }
  static func collectionMeasure(_ name: String, _ what: String) -> String {
    "'\(name)' is \(what), which can't be asked for: keep what matters of it, such as \(name).count, in a 'var' of its own "
      + "at the top, and ask 'value' of that"
  }
  static func incomparable(_ name: String, _ type: String) -> String {
    "'\(name)' is of type \(type), which an expectation can't compare: ask 'value' of a part of it, such as a number"
  }
  static func listInList(_ type: String?) -> String {
    type.map { "expected \($0), found a list" }
      ?? "what is recorded is one value, such as a number or a text, and not a list: write [\"n\": 3]"
  }
  static func measureElement(_ measure: String, _ comparisons: [String]) -> String {
    let forms = comparisons.map { "'\(measure) \($0)'" }.joined(separator: " or ")
    return "'\(measure)' is asked for as a whole: write \(forms)"
  }
  static func textForm(_ name: String) -> String {
    "'\(name)' takes a text: crash.message.\(name)(\"released\")"
  }
  static func unaskedWord(_ name: String, _ answer: String) -> String {
    "'\(name)' can't be asked for; \(answer)"
  }
  static func valueOfText(_ key: String) -> String {
    "'value' takes the name of a 'var' at the top; what is recorded is asked for as 'values == [\(key): 3]'"
  }
}
