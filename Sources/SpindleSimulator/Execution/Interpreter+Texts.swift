import SpindleModel

/// What texts are asked, by the standard library's rules, which no place changes.
extension Interpreter {
  mutating func text(_ primitive: DoingPrimitive, _ call: Call) {
    let text = process.kernel.text(process.argument(0, call))
    switch primitive {
    case .textIsBefore: process.give(text < other(call), call)
    case .textHasPrefix: process.give(text.hasPrefix(other(call)), call)
    case .textHasSuffix: process.give(text.hasSuffix(other(call)), call)
    case .textContains:
      let part = other(call)
      // Foundation's, which finds nothing nowhere.
      process.give(!part.isEmpty && text.contains(part), call)
    case .textCount: process.give(Int64(text.count), call)
    case .textUppercased: give(text.uppercased(), call)
    case .textLowercased: give(text.lowercased(), call)
    case .textCapitalized: give(text.withCapitals, call)
    case .textPart:
      let (start, end) = (process.argument(1, call), process.argument(2, call))
      let part = text.dropFirst(Int(max(0, start))).prefix(Int(max(0, end &- max(0, start))))
      give(String(part), call)
    case .textTraits:
      process.give(text.first.map { CharacterTraits($0).rawValue } ?? 0, call)
    case .textNumber:
      // The least number stands for nothing, and so it is none.
      process.give(Int64(text) ?? noValue, call)
    case .textByte:
      let (bytes, place) = (text.utf8, process.argument(1, call))
      let isPlace = place >= 0 && place < bytes.count
      let byte = isPlace ? bytes[bytes.index(bytes.startIndex, offsetBy: Int(place))] : 0
      process.give(isPlace ? Int64(byte) : noValue, call)
    case .textScalar, .work, .io, .sleep, .sleepUntil, .print, .printPart, .mark, .record, .sample,
      .yield,
      .allocate,
      .free, .autorelease, .autoreleasePoolPush, .autoreleasePoolPop, .fatalError, .trap, .uncaught,
      .exit:
      fatalError("\(primitive) asks no text")
    }
  }

  /// The Unicode scalar of a number as a text.
  mutating func scalar(_ number: Int64, _ call: Call) {
    guard let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init) else {
      return process.give(noValue, call)
    }
    give(String(scalar), call)
  }

  private func other(_ call: Call) -> String { process.kernel.text(process.argument(1, call)) }

  private mutating func give(_ text: String, _ call: Call) {
    process.give(Int64(process.kernel.intern(text).index), call)
  }
}

extension String {
  /// A text with a capital letter at the start of each word, the others small.
  ///
  /// Source: swift-corelibs-foundation, NSString.capitalized; run with Swift 6.3.1.
  fileprivate var withCapitals: String {
    var (made, isInWord) = ("", false)
    for letter in self {
      made += letter.isLetter ? (isInWord ? letter.lowercased() : letter.uppercased()) : "\(letter)"
      isInWord = letter.isLetter || letter == "'"
    }
    return made
  }
}
