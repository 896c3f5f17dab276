import SpindleModel

/// `print(a, b, separator: "-", terminator: "")`, `print()`.
extension Lowering {
  /// A call of `print` that says how its text goes on, or that prints nothing; nil for any other.
  mutating func printParts(_ call: CallSite) -> Operand? {
    guard call.closures.isEmpty else { return nil }
    let values = call.arguments.prefix { $0.label == nil }
    let options = call.arguments.dropFirst(values.count)
    let labels = options.compactMap { $0.label?.text }
    guard
      labels == ["separator"] || labels == ["terminator"] || labels == ["separator", "terminator"]
        || call.arguments.isEmpty
    else { return nil }
    let base = frame.allocate()
    var texts: [String: TextPiece] = [:]
    var pieces: [TextPiece] = []
    for (argument, isFollowed) in zip(values, areFollowed(call.arguments.map(\.value))) {
      let made = value(argument.value)
      let kept = isFollowed ? steady(made, argument.value) : made
      pieces.append(piece(kept, argument.value.range))
    }
    for option in options {
      let made = coerce(value(option.value, expecting: .string), to: .string, option.value.range)
      texts[option.label?.text ?? ""] = piece(made, option.value.range)
    }
    let separator = texts["separator"] ?? .literal(" ")
    var whole: [TextPiece] = []
    for (index, piece) in pieces.enumerated() {
      if index > 0 { whole.append(separator) }
      whole.append(piece)
    }
    if let terminator = texts["terminator"] { whole.append(terminator) }
    place(join(whole, base, call.place), in: base, call.place)
    let isPart = texts["terminator"] != nil
    emit(.perform(.doing(isPart ? .printPart : .print), base: base, noSite), call.place)
    frame.next = Int(base.index)
    return .void
  }
}
