/// The label of a formal: a literal of the vocabulary, or a word of the trace.
///
/// It is copied by its bytes, so that a formal is.
struct Label: BitwiseCopyable, ExpressibleByStringLiteral, Sendable {
  private enum Origin: BitwiseCopyable, Sendable {
    case vocabulary(StaticString)
    case trace(Word)
  }

  private let origin: Origin

  init(stringLiteral text: StaticString) { origin = .vocabulary(text) }

  /// The label of a function's parameter.
  init(_ word: Word) { origin = .trace(word) }

  /// The word of a function's parameter; nil for one of the vocabulary.
  var word: Word? { if case .trace(let word) = origin { word } else { nil } }

  /// What a call writes.
  var text: String {
    switch origin {
    case .vocabulary(let text): text.description
    case .trace(let word): word.text
    }
  }
}

extension Label? {
  /// Whether both are nothing, or the same text.
  static func == (label: Label?, word: Word?) -> Bool {
    switch (label, word) {
    case (let label?, let word?): label.text == word.text
    case (nil, nil): true
    default: false
    }
  }
}
