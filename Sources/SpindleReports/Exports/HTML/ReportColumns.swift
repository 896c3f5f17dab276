/// Tables of numbers by column, as a report holds them: similar values are adjacent, so that they compress
/// well.
///
/// The encoding of a column is stored with its name, so that the page can read all of them by one loop.
struct ReportColumns {
  /// How the numbers of a column are written.
  enum Form: String {
    /// Bytes.
    case bytes = "b"
    /// Numbers of 32 bits, each by itself.
    case numbers = "i"
    /// Numbers of 32 bits, each as the difference to the one before.
    case steps = "k"
    /// Lengths of time.
    case lengths = "t"
    /// Lengths of time of both signs.
    case signed = "s"
    /// Moments, each as the difference to the one before.
    case moments = "d"
  }

  /// The columns in order: name, form, how many numbers.
  private(set) var list: [JSONValue] = []
  /// The numbers of all of them, one column behind the other.
  private(set) var bytes: [UInt8] = []

  /// Adds a column.
  mutating func add(_ name: String, _ form: Form, _ values: [Int64]) {
    list.append(.array([.string(name), .string(form.rawValue), .integer(Int64(values.count))]))
    var last: Int64 = 0
    for value in values {
      switch form {
      case .bytes: bytes.append(UInt8(truncatingIfNeeded: value))
      case .numbers, .signed: put(ReportColumns.folded(value))
      case .lengths: put(UInt64(bitPattern: max(0, value)))
      case .steps, .moments:
        put(ReportColumns.folded(value &- last))
        last = value
      }
    }
  }

  /// Adds a column with a number for each element.
  mutating func add<Element>(
    _ name: String, _ form: Form, _ elements: [Element], _ value: (Element) -> Int64
  ) {
    add(name, form, elements.map(value))
  }

  /// Small numbers of both signs as small ones without.
  private static func folded(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }

  /// Seven bits a byte, the lowest first.
  private mutating func put(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }
}
