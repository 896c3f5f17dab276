/// Wordings about the form of classes, in alphabetical order.
extension SyntaxMessage {
  static func expectedCase(_ found: String) -> String {
    "an 'enum' of a trace has cases, functions and what it computes, not \(found)"
  }
}
