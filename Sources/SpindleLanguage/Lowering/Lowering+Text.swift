import SpindleModel

/// Texts with values in them.
extension Lowering {
  /// The value of a string literal with values in it.
  mutating func text(
    _ segments: SyntaxList<Expression.Segment>, target: Register?, _ range: SourceRange
  ) -> Operand {
    let result = target ?? frame.allocate()
    var pieces: [TextPiece] = []
    // A variable that stands before a call is read before it.
    let lastCall =
      segments.lastIndex { segment in
        guard case .value(let expression) = segment else { return false }
        return !isSimple(expression) && !isQuiet(expression)
      } ?? 0
    for (index, segment) in segments.enumerated() {
      switch segment {
      case .text(let text): pieces.append(.literal(text.text))
      case .value(let expression):
        var made = value(expression)
        if index < lastCall { made = steady(made, expression) }
        pieces.append(piece(made, expression.range))
      }
    }
    return join(pieces, result, range)
  }

  /// A stretch of a text that is to be put together.
  enum TextPiece {
    case literal(String)
    case value(Register, ValueFormat)
    /// As Swift writes what is no plain value: a collection, an optional.
    case written(Register, ValueType)
  }

  /// A value as a stretch of a text.
  mutating func piece(_ made: Operand, _ range: SourceRange) -> TextPiece {
    if let text = described(made, range) { return piece(text, range) }
    switch made.type {
    case .unknown: return .literal("")
    case .arrayOf, .dictionaryOf, .setOf, .optionalOf:
      return .written(register(of: made, range), made.type)
    case .void, .functionOf:
      error(Messages.notPrintable("\(made.type)"), range)
      return .literal("")
    case .null: return .literal("nil")
    case .instance(let name):
      guard payloads(of: made.type) == nil, structure(of: made.type) == nil else {
        return .written(register(of: made, range), made.type)
      }
      return .literal(name.text)
    case .symbol(.mode): return piece(modeText(made, range), range)
    // A priority writes its type in front, as `TaskPriority.high`.
    case .symbol(.taskPriority): return .written(register(of: made, range), made.type)
    case .symbol(let family) where family.isWrittenByName:
      var plain = made
      plain.type = .string
      return piece(plain, range)
    case .handle(.taskResult), .generic(.taskResult, _): return outcomeText(made, range)
    case .handle(let handle), .generic(let handle, _):
      if made.type.format == .object { return piece(made, handle, range) }
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .choice,
      .options:
      break
    }
    guard let constant = made.constant else {
      return .value(register(of: made, range), made.type.format)
    }
    return .literal(written(constant, made.type))
  }

  /// An object of the library as a stretch of a text: its name, or where that can't be read its type's.
  private mutating func piece(
    _ made: Operand, _ handle: HandleClass, _ range: SourceRange
  ) -> TextPiece {
    let members = vocabulary.instances[Int(handle.rawValue)]
    guard let property = members.property("label") ?? members.property("name"),
      property.type == .string, !property.needsThread, !property.suspends
    else { return .literal("\(made.type)") }
    let receiver = Receiver(object: made, window: frame.allocate())
    return piece(read(property, object: receiver, target: nil, range), range)
  }

  /// The text of all pieces, in `result` unless it is known before the run.
  mutating func join(_ pieces: [TextPiece], _ result: Register, _ range: SourceRange) -> Operand {
    var merged: [TextPiece] = []
    var literal = ""
    for piece in pieces {
      switch piece {
      case .literal(let text): literal += text
      case .value, .written:
        if !literal.isEmpty { merged.append(.literal(literal)) }
        literal = ""
        merged.append(piece)
      }
    }
    if merged.isEmpty { return .constant(Int64(intern(literal).index), .string) }
    if !literal.isEmpty { merged.append(.literal(literal)) }
    emit(.textBegin, range)
    for piece in merged {
      switch piece {
      case .literal(let text): emit(.textLiteral(intern(text)), range)
      case .value(let register, let format): emit(.textValue(register, format), range)
      case .written(let register, let type): appendText(of: register, type, range)
      }
    }
    emit(.textEnd(result), range)
    return .register(result, .string)
  }

  /// What a name's kind is called: its literal, with a `*` for each value in it.
  func pattern(of expression: Expression) -> String {
    switch expression.kind {
    case .text(let text): return text.text
    case .string(let segments):
      var pattern = ""
      for segment in segments {
        if case .text(let text) = segment { pattern += text.text } else { pattern += "*" }
      }
      return pattern
    case .infix(.add, let sides): return pattern(of: sides.left) + pattern(of: sides.right)
    case .name(let name):
      if let index = find(name), case .constant(let value) = scope[index].meaning,
        scope[index].type == .string
      {
        return names[Int(value)]
      }
      return "*"
    default: return "*"
    }
  }
}
