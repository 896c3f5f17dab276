extension Prelude {
  /// Texts.
  static let texts = """
    protocol StringProtocol {}
    @builtin(String)
    struct String: Hashable, Comparable, StringProtocol, Sendable, Codable, CustomStringConvertible {
      @builtin(concatenate) static func + (a: String, b: String) -> String
      @inlined static func += (a: inout String, b: String) { a = a + b }
      @builtin(equal) static func == (a: String, b: String) -> Bool
      @builtin(notEqual) static func != (a: String, b: String) -> Bool
      @builtin(textIsBefore) static func < (a: String, b: String) -> Bool
      @builtin(emptyText) init()
      @builtin(describeValue) init<T>(_ value: T)
      @builtin(describeValue) init<T>(describing value: T)
      @builtin(describeValue) init<T>(reflecting value: T)
      init(repeating part: String, count: Int) {
        var made = ""
        for _ in 0 ..< count { made = made + part }
        self = made
      }
      @builtin(textCount) var count: Int { get }
      @inlined var isEmpty: Bool { self == "" }
      @builtin(textHasPrefix) func hasPrefix(_ part: String) -> Bool
      @builtin(textHasSuffix) func hasSuffix(_ part: String) -> Bool
      @builtin(textContains) func contains(_ part: String) -> Bool
      @builtin(textUppercased) func uppercased() -> String
      @builtin(textLowercased) func lowercased() -> String
      @builtin(textCapitalized) var capitalized: String { get }
      @inlined mutating func append(_ part: String) { self = self + part }
      @inlined var description: String { self }
    }
    typealias Substring = String
    """
}
