import SpindleModel

/// A `Result` as a text.
extension Lowering {
  /// The type of a `Result` as Swift writes it in front of a part: `Swift.Result<Swift.Int, main.Bad>`.
  mutating func resultName(_ info: ClassInfo) -> String {
    let success = info.cases.first { $0.name.word == words.success }?.values.first
    let part = success.map { checker.type($0.type) } ?? .void
    let failure = info.name.text.dropLast().split(separator: " ").last.map(String.init) ?? ""
    return "Swift.Result<\(fullName(of: part)), \(fullName(ofError: failure))>"
  }

  private func fullName(ofError name: String) -> String {
    ["Error", "Never", "CancellationError"].contains(name) ? "Swift.\(name)" : "main.\(name)"
  }

  /// A type with the module and all that it is made of.
  private mutating func fullName(of type: ValueType) -> String {
    switch type {
    case .integer: "Swift.Int"
    case .boolean: "Swift.Bool"
    case .string: "Swift.String"
    case .decimal: "Swift.Double"
    case .duration: "Swift.Duration"
    case .void: "()"
    case .optionalOf(let inner): "Swift.Optional<\(fullName(of: inner.type))>"
    case .arrayOf(let inner): "Swift.Array<\(fullName(of: inner.type))>"
    case .setOf(let inner): "Swift.Set<\(fullName(of: inner.type))>"
    case .dictionaryOf(let types):
      "Swift.Dictionary<\(fullName(of: types.parameters[0])), \(fullName(of: types.result))>"
    case .choice(let name): "main.\(name.text)"
    case .instance(let name):
      type.isResult
        ? resultName(checker.classes[checker.classes.index(of: name)])
        : "main.\(name.text)"
    case .instant, .size, .symbol, .options, .handle, .generic, .functionOf, .null, .unknown:
      "\(type)"
    }
  }

  /// The text of what a task gave or threw: `success(3)`.
  ///
  /// The parts are read in front of the text that it stands in.
  mutating func outcomeText(_ made: Operand, _ range: SourceRange) -> TextPiece {
    let result = frame.pinned()
    let base = eachOutcome(of: made, range) { lowering, isSuccess, part in
      var pieces: [TextPiece] = [.literal(isSuccess ? "success(" : "failure("), .literal(")")]
      if !part.type.isVoid {
        lowering.readOutcome(isSuccess, into: part, range)
        pieces.insert(.written(part.base, part.type), at: 1)
      }
      lowering.place(lowering.join(pieces, result, range), in: result, range)
    }
    frame.next = Int(base.index)
    return .value(result, .string)
  }
}
