import SpindleModel

/// Names for values that are at hand where an expression is wanted.
extension Lowering {
  /// An expression that is a value: a name that no text can have, declared last in the scope that is open.
  ///
  /// The caller closes that scope.
  mutating func standIn(for value: Operand, _ range: SourceRange) -> Expression {
    scope.declare(
      Symbol(
        name: words.changed, meaning: .register(register(of: value, range)), type: value.type,
        place: range, frame: Int32(depth)))
    return arena.named(words.changed, range)
  }
}
