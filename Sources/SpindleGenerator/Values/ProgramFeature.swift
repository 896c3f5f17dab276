/// A feature of the language in a random program: what it declares, and statements that print what it does.
struct ProgramFeature {
  let declarations: String
  let statements: String

  init(_ declarations: String, _ statements: String) {
    (self.declarations, self.statements) = (declarations, statements)
  }

  /// What differs between two programs with the same feature.
  struct Names {
    /// What all its names end in.
    let name: String
    /// Expressions of a whole number, a text and an array of whole numbers.
    let number, text, list: String
    /// A literal from 0 to 3.
    let small: Int
    let seed: Int
  }

  typealias Made = @Sendable (Names) -> ProgramFeature

  /// All features; a new one is a row in one of these lists.
  static let all = types + generics + closures + protocols + patterns + places
}

extension ValueProgram {
  /// Statements about a feature of the language, whose declarations are added.
  mutating func feature(_ indent: String) -> String {
    let made = random.pick(ProgramFeature.all)(
      ProgramFeature.Names(
        name: fresh("x") + "n\(seed)", number: value(.int, 2), text: value(.text, 2),
        list: value(.array(.int), 2), small: random.below(4), seed: seed))
    declarations += made.declarations.isEmpty ? "" : made.declarations + "\n"
    return made.statements.split(separator: "\n").map { "\(indent)\($0)\n" }.joined()
  }
}
