/// Which moments a recording can have: one that is further than two days from the first is damaged.
struct RecordedMoments {
  /// The message about an impossible one.
  static let mistake = "the time is more than two days from that of the first event"
  private static let longest: Int64 = 200_000_000_000_000

  private var first: Int64?

  /// Whether it can have this one too.
  mutating func has(_ time: Int64) -> Bool {
    guard time >= 0 else { return false }
    guard let first else {
      first = time
      return true
    }
    return abs(time - first) <= Self.longest
  }
}
