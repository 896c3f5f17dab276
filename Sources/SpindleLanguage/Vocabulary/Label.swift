/// The label of a formal: a literal of the vocabulary.
///
/// It is copied by its bytes, so that a formal is.
struct Label: BitwiseCopyable, ExpressibleByStringLiteral, Sendable {
  private let literal: StaticString

  init(stringLiteral text: StaticString) { literal = text }

  /// What a call writes.
  var text: String { literal.description }
}
