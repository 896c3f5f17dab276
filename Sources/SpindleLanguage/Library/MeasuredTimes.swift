import SpindleModel

/// A file of durations: numbers with their units, or bare ones, apart by blanks, commas or lines; `//` and `#` begin
/// comments.
enum MeasuredTimes {
  /// What is wrong with a file.
  struct Mistake: Error {
    let message: String
  }

  /// The durations in nanoseconds, in their order; bare numbers count `unit`s.
  static func read(
    _ text: SourceText, unit: Int64?, most: Int
  ) -> Result<[Int64], Mistake> {
    var times: [Int64] = []
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated() {
      var line = Substring(String(decoding: bytes, as: UTF8.self))
      for comment in ["//", "#"] {
        if let start = line.firstRange(of: comment) { line = line[..<start.lowerBound] }
      }
      for word in line.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isWhitespace }) {
        guard let time = time(word, unit: unit) else {
          let needsUnit = unit == nil && word.allSatisfy { $0.isNumber || $0 == "." }
          return .failure(
            Mistake(
              message: Messages.noTime(
                String(word.prefix(20)), file: text.name, line: index + 1, needsUnit: needsUnit)))
        }
        guard times.count < most else {
          return .failure(Mistake(message: Messages.tooManyTimes(most, file: text.name)))
        }
        times.append(time)
      }
    }
    return times.isEmpty
      ? .failure(Mistake(message: Messages.noTimes(file: text.name))) : .success(times)
  }

  private static let units: [(String, Int64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000),
    ("h", 3_600_000_000_000),
  ]

  /// A number with its unit, or of `unit`s, rounded to whole nanoseconds; nil for anything else, and for what is
  /// longer than a duration may be.
  private static func time(_ word: Substring, unit: Int64?) -> Int64? {
    var (number, scale) = (word, unit)
    if let (name, length) = units.first(where: { word.hasSuffix($0.0) }) {
      (number, scale) = (word.dropLast(name.count), length)
    }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard let scale, parts.count <= 2,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let whole = Int64(parts[0])
    else { return nil }
    var (time, overflow) = whole.multipliedReportingOverflow(by: scale)
    if overflow { return nil }
    if parts.count == 2 {
      let digits = parts[1].prefix(9)
      guard let fraction = Int64(digits) else { return nil }
      var power: Int64 = 1
      for _ in digits { power *= 10 }
      let share = fraction.multipliedFullWidth(by: scale)
      let (rounded, carry) = share.low.addingReportingOverflow(UInt64(power / 2))
      let (part, _) = power.magnitude.dividingFullWidth(
        (UInt64(share.high) + (carry ? 1 : 0), rounded))
      time += Int64(part)
    }
    return time <= Nanoseconds.longest.rawValue ? time : nil
  }
}
