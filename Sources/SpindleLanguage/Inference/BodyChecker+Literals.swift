import SpindleModel

/// Literals as values of the program's own types: `let size: Money = 5`, `let flags: Options = [.fast]`.
extension BodyChecker {
  /// What a type says of the literals that it can be made from, and the label of the initialiser for it.
  private enum LiteralForm: String {
    case integer = "integerLiteral"
    case decimal = "floatLiteral"
    case boolean = "booleanLiteral"
    case text = "stringLiteral"
    case array = "arrayLiteral"
    case dictionary = "dictionaryLiteral"
    case none = "nilLiteral"

    var protocolName: String {
      switch self {
      case .integer: "ExpressibleByIntegerLiteral"
      case .decimal: "ExpressibleByFloatLiteral"
      case .boolean: "ExpressibleByBooleanLiteral"
      case .text: "ExpressibleByStringLiteral"
      case .array: "ExpressibleByArrayLiteral"
      case .dictionary: "ExpressibleByDictionaryLiteral"
      case .none: "ExpressibleByNilLiteral"
      }
    }
  }

  /// A literal as a value of a type that can be made from it; nil for any other value or type.
  func madeFromLiteral(_ value: Typed.Expression, _ type: SwiftType) -> Typed.Expression? {
    guard case .nominal(let nominal, _) = type, mayHaveLiterals(nominal) else { return nil }
    let form: LiteralForm
    switch value.kind {
    case .integer: form = .integer
    case .decimal: form = .decimal
    case .text, .interpolation: form = .text
    case .constant where value.type == known.boolean: form = .boolean
    default: return nil
    }
    guard let candidate = initializer(for: form, nominal, type, value.range) else { return nil }
    return call(
      candidate, [value], value.range, Grammar.Name(text: form.rawValue, range: value.range))
  }

  /// A value as one of `AnyHashable`, which takes whatever is hashable; nil for any other type.
  func madeHashable(
    _ value: Typed.Expression, _ source: SwiftType, _ type: SwiftType
  ) -> Typed.Expression? {
    guard let nominal = type.nominal, nominal.isLibrary, nominal.name == "AnyHashable",
      source.nominal !== nominal,
      solver.literal(source) != nil
        || !solver.isOpen(source) && conforms(source, to: known.hashable),
      let candidate = initializers(of: type, value.range).first
    else { return nil }
    return call(candidate, [value], value.range, Grammar.Name(text: "init", range: value.range))
  }

  /// `[a, b]` as a value of a type that can be made from it; nil for any other type.
  func inferOwnArray(
    _ elements: [Grammar.Expression], _ type: SwiftType, _ range: SourceRange
  ) -> Typed.Expression? {
    guard case .nominal(let nominal, _) = type, mayHaveLiterals(nominal),
      let candidate = initializer(for: .array, nominal, type, range)
    else { return nil }
    let element = elementType(candidate)
    let made = elements.map { infer($0, element) }
    return call(
      candidate, made, range, Grammar.Name(text: LiteralForm.array.rawValue, range: range))
  }

  /// `[a: b]` as a value of a type that can be made from it; nil for any other type.
  func inferOwnDictionary(
    _ entries: [(key: Grammar.Expression, value: Grammar.Expression)], _ type: SwiftType,
    _ range: SourceRange
  ) -> Typed.Expression? {
    guard case .nominal(let nominal, _) = type, mayHaveLiterals(nominal),
      let candidate = initializer(for: .dictionary, nominal, type, range),
      case .tuple(let parts) = elementType(candidate), parts.count == 2
    else { return nil }
    let made = entries.map { entry in
      let (key, value) = (check(entry.key, parts[0].type), check(entry.value, parts[1].type))
      return node(.tuple([key, value]), .tuple(parts), key.range.union(value.range))
    }
    return call(
      candidate, made, range, Grammar.Name(text: LiteralForm.dictionary.rawValue, range: range))
  }

  /// Whether `nil` is a value of a type of the program's own.
  func hasNil(_ type: SwiftType) -> Bool {
    guard case .nominal(let nominal, _) = solver.shallow(type), mayHaveLiterals(nominal) else {
      return false
    }
    return isMade(nominal, from: .none)
  }

  /// `nil` as a value of a type that can be made from it; nil for any other type.
  func inferOwnNil(_ type: SwiftType, _ range: SourceRange) -> Typed.Expression? {
    guard case .nominal(let nominal, _) = type, mayHaveLiterals(nominal),
      let candidate = initializer(for: .none, nominal, type, range)
    else { return nil }
    let nothing = Typed.Expression(.tuple([]), .void, range)
    return call(
      candidate, [nothing], range, Grammar.Name(text: LiteralForm.none.rawValue, range: range))
  }

  /// What the library represents in a way of its own has literals of its own.
  private func mayHaveLiterals(_ nominal: Nominal) -> Bool {
    nominal.builtin == nil && nominal.kind != .protocol
  }

  /// The type of what an initialiser takes several of.
  private func elementType(_ candidate: Candidate) -> SwiftType {
    candidate.symbol.parameters[0].type.substituting(candidate.substitution)
  }

  private func isMade(_ nominal: Nominal, from form: LiteralForm) -> Bool {
    nominal.allProtocols.contains { $0.isLibrary && $0.name == form.protocolName }
  }

  private func initializer(
    for form: LiteralForm, _ nominal: Nominal, _ type: SwiftType, _ range: SourceRange
  ) -> Candidate? {
    guard isMade(nominal, from: form) else { return nil }
    return initializers(of: type, range).first { candidate in
      let parameters = candidate.symbol.parameters
      return parameters.count == 1 && parameters[0].label == form.rawValue
    }
  }
}
