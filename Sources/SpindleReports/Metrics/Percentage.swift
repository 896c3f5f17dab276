/// A share of a whole, in hundredths of a percent, rounded to the nearest.
public struct Percentage: Hashable, Comparable, Sendable {
  /// Hundredths of a percent: 10,000 is the whole.
  public var hundredths: Int64

  /// Creates a share of `hundredths` hundredths of a percent.
  public init(hundredths: Int64) {
    self.hundredths = hundredths
  }

  /// Creates the share that `part` is of `whole`; nothing when the whole is nothing.
  public init(_ part: Int64, of whole: Int64) {
    guard whole > 0 else {
      hundredths = 0
      return
    }
    let scaled = Int128(part) * 10_000
    hundredths = Int64(clamping: (scaled + Int128(whole) / 2) / Int128(whole))
  }

  /// Nothing of it.
  public static let zero = Percentage(hundredths: 0)

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
