/// A share of a whole, in hundredths of a percent, rounded to the nearest.
public struct Percentage: Hashable, Comparable, Sendable {
  /// Hundredths of a percent: 10,000 is the whole.
  public var hundredths: Int64

  /// Creates a share of `hundredths` hundredths of a percent.
  package init(hundredths: Int64) {
    self.hundredths = hundredths
  }

  /// Creates the share that `part` is of `whole`; nothing when the whole is nothing.
  package init(_ part: Int64, of whole: Int64) { self.init(Int128(part), of: Int128(whole)) }

  /// Creates the share that `part` is of `whole`, both below 2^112; nothing when the whole is nothing.
  package init(_ part: Int128, of whole: Int128) {
    hundredths = whole > 0 ? Int64(clamping: (part * 10_000 + whole / 2) / whole) : 0
  }

  /// Nothing of it.
  package static let zero = Percentage(hundredths: 0)

  public static func < (left: Percentage, right: Percentage) -> Bool {
    left.hundredths < right.hundredths
  }
}

extension Percentage: CustomStringConvertible {
  /// The share with one digit after the point: `12.3%`.
  public var description: String {
    let tenths = (hundredths.magnitude + 5) / 10
    return "\(hundredths < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)%"
  }
}
