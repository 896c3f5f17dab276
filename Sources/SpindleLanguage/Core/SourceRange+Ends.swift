import SpindleModel

extension SourceRange {
  /// Its first byte: the brace that opens a block.
  var firstByte: SourceRange { SourceRange(Int(lowerBound), Int(lowerBound) + 1) }
  /// Its last byte: the brace that closes a block, or the sign that ends an expression.
  var lastByte: SourceRange { SourceRange(Int(upperBound) - 1, Int(upperBound)) }
}
