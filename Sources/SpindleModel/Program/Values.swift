/// How a value in a register is to be read and written.
///
/// Every value is 64 bits wide and its type is known when the program is made, so values carry no
/// tag at run time.
@usableFromInline package enum ValueFormat: UInt8, Hashable, Sendable {
  /// A whole number.
  case integer
  /// 0 or 1.
  case boolean
  /// Nanoseconds.
  case duration
  /// Nanoseconds since the run began.
  case instant
  /// Bytes.
  case size
  /// Billionths.
  case decimal
  /// The number of a name, written as it is.
  case string
  /// The number of a name, written with a point in front: `.success`.
  case symbol
  /// A thread, written as its name.
  case thread
  /// Any other object, written as its name.
  case object
  /// An array of anything.
  case array
  /// The number of a name, written in quotes as a part of what is printed is: `"a\n"`.
  case quoted
}

extension ValueFormat {
  /// Whether it counts or measures something, so that there are means of it.
  package var isMeasured: Bool {
    switch self {
    case .integer, .duration, .size, .decimal: true
    case .boolean, .instant, .string, .symbol, .thread, .object, .array, .quoted: false
    }
  }
}

/// The value of a register that holds nothing: `nil`.
@usableFromInline package let noValue = Int64.min

/// The names that the simulator itself must be able to give: results of calls, states, classes.
///
/// They are the first names of every program, in this order, so that the number of each is known.
@usableFromInline @frozen package enum WellKnownName: Int, CaseIterable, Sendable {
  case success, timedOut
  case finished, deadlock, crashed, killed, timeLimit, stepLimit
  case userInteractive, userInitiated, `default`, utility, background, unspecified
  case main
  /// The text without a letter.
  case empty

  /// The name's number, which is its place here.
  @inlinable package var id: NameID { NameID(rawValue) }

  /// The name: what it is called here.
  @usableFromInline package var text: String { WellKnownName.texts[rawValue] }

  // Written out, since the language takes long to tell what a case is called.
  private static let texts = [
    "success", "timedOut", "finished", "deadlock", "crashed", "killed", "timeLimit", "stepLimit",
    "userInteractive", "userInitiated", "default", "utility", "background", "unspecified", "main",
    "",
  ]
}
