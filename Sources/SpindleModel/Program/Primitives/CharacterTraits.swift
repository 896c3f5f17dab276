/// What a character is, as `textTraits` gives it.
package struct CharacterTraits: OptionSet, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  package static let letter = CharacterTraits(rawValue: 1)
  package static let number = CharacterTraits(rawValue: 2)
  package static let whitespace = CharacterTraits(rawValue: 4)
  package static let newline = CharacterTraits(rawValue: 8)
  package static let uppercase = CharacterTraits(rawValue: 16)
  package static let lowercase = CharacterTraits(rawValue: 32)
  package static let punctuation = CharacterTraits(rawValue: 64)
  package static let symbol = CharacterTraits(rawValue: 128)
  package static let hexDigit = CharacterTraits(rawValue: 256)

  /// The traits of a character, by the rules of the standard library.
  package init(_ character: Character) {
    var made: CharacterTraits = []
    if character.isLetter { made.insert(.letter) }
    if character.isNumber { made.insert(.number) }
    if character.isWhitespace { made.insert(.whitespace) }
    if character.isNewline { made.insert(.newline) }
    if character.isUppercase { made.insert(.uppercase) }
    if character.isLowercase { made.insert(.lowercase) }
    if character.isPunctuation { made.insert(.punctuation) }
    if character.isSymbol { made.insert(.symbol) }
    if character.isHexDigit { made.insert(.hexDigit) }
    self = made
  }
}
