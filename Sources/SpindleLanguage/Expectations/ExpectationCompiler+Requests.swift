import SpindleModel

/// What the command line asks of runs: lists of terms that are written as in `expect`.
extension ExpectationCompiler {
  /// The measures of all options, in order.
  ///
  /// Whatever has a value may be asked for: a measure, a sum or quotient of measures, a comparison.
  static func requests(
    _ options: [Overrides.Assignment], on platform: Platform, _ reader: inout OutlineReader
  ) -> [RequestedMeasure] {
    guard !options.isEmpty else { return [] }
    let outer = reader.source
    var (compiler, requests): (ExpectationCompiler, [RequestedMeasure]) = (.init(), [])
    naming(platform, &reader) { reader in
      for option in options {
        for place in listedPlaces(option.value) {
          if let made = compiler.request(option, place, &reader) { requests.append(made) }
        }
      }
    }
    reader.diagnosis.source = outer
    return requests
  }

  private mutating func request(
    _ option: Overrides.Assignment, _ place: SourceRange, _ reader: inout OutlineReader
  ) -> RequestedMeasure? {
    guard place.count > 0 else {
      reader.diagnosis.source = SourceText(name: option.name, option.value)
      reader.error(Messages.emptyMeasure, place)
      return nil
    }
    if let (name, kind) = Self.bareKind(in: option.value, place) {
      reader.diagnosis.source = SourceText(name: option.name, option.value)
      reader.error(Messages.bareKind(name, kind), place)
      return nil
    }
    guard let expression = reader.listed(option.name, option.value, place) else {
      return nil
    }
    guard let made = term(expression, &reader) else {
      refuseLost(expression, &reader)
      return nil
    }
    guard Self.asks(made.term) else {
      reader.error(Messages.constantMeasure, expression.range)
      return nil
    }
    return RequestedMeasure(
      option: option.name, text: reader.source.text(in: place), unit: Self.unit(made),
      term: made.term, sides: Self.sides(expression, made.term, reader.source))
  }

  /// The sides of comparisons that depend on the run, in the order of the text.
  private static func sides(
    _ expression: Grammar.Expression, _ term: ExpectationTerm, _ source: SourceText
  ) -> [ComparedSide] {
    guard case .binary(_, let left, let right) = expression.kind else { return [] }
    switch term {
    case .and(let first, let second), .or(let first, let second):
      return sides(left, first, source) + sides(right, second, source)
    case .compare(let relation, let first, let second, _):
      let worst: (left: ComparedSide.Extreme, right: ComparedSide.Extreme)? =
        switch relation {
        case .less, .lessOrEqual: (.greatest, .least)
        case .greater, .greaterOrEqual: (.least, .greatest)
        case .equal, .notEqual, .contains, .hasPrefix, .hasSuffix: nil
        }
      return [(left, first, worst?.left), (right, second, worst?.right)].compactMap { side in
        asks(side.1) ? ComparedSide(text: source.text(in: side.0.range), worst: side.2) : nil
      }
    case .value, .measure, .arithmetic, .not, .best: return []
    }
  }

  /// A measure of a kind whose pattern stands without quotes: `latency(frame*)`; nil for anything else.
  private static func bareKind(
    in text: String, _ place: SourceRange
  ) -> (name: String, kind: String)? {
    let bytes = Array(text.utf8)[Int(place.lowerBound)..<Int(place.upperBound)]
    let listed = String(decoding: bytes, as: UTF8.self)
    guard let open = listed.firstIndex(of: "("), let close = listed[open...].firstIndex(of: ")")
    else { return nil }
    let (name, kind) = (listed[..<open], listed[listed.index(after: open)..<close])
    guard kind.last == "*" || kind.first == "*", !kind.contains("\""),
      !name.isEmpty && name.allSatisfy({ $0.isLetter })
    else { return nil }
    return (String(name), String(kind))
  }

  /// Whether a term depends on the run.
  private static func asks(_ term: ExpectationTerm) -> Bool {
    switch term {
    case .measure: true
    case .value: false
    case .compare(_, let left, let right, _), .arithmetic(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      asks(left) || asks(right)
    case .not(let inner), .best(let inner, _, _): asks(inner)
    }
  }

  private static func unit(_ made: TypedTerm) -> MeasureUnit {
    switch made.term {
    case .measure(.utilization), .measure(.share): return .share
    default: break
    }
    guard case .plain(let type) = made.type else { return .text }
    switch type.unwrapped {
    case .integer: return .count
    case .boolean: return .truth
    case .duration, .instant: return .duration
    case .size: return .size
    case .decimal: return .decimal
    case .string, .symbol, .options, .choice, .handle, .optionalOf, .arrayOf, .functionOf,
      .dictionary, .set, .other, .void, .null, .unknown:
      return .text
    }
  }

  /// Where the values of a list stand, without the spaces around them: commas outside of brackets and
  /// quotes separate.
  static func listedPlaces(_ text: String) -> [SourceRange] {
    let bytes = Array(text.utf8)
    var (places, start, depth): ([SourceRange], Int, Int) = ([], 0, 0)
    var (isQuoted, isEscaped) = (false, false)
    for (index, byte) in bytes.enumerated() {
      if isQuoted {
        isQuoted = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isQuoted = true
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth <= 0:
        places.append(trimmed(bytes, start, index))
        start = index + 1
      default: break
      }
    }
    return places + [trimmed(bytes, start, bytes.count)]
  }

  private static func trimmed(_ bytes: [UInt8], _ start: Int, _ end: Int) -> SourceRange {
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    var (first, last) = (start, end)
    while first < last && blanks.contains(bytes[first]) { first += 1 }
    while last > first && blanks.contains(bytes[last - 1]) { last -= 1 }
    return SourceRange(first, last)
  }
}
