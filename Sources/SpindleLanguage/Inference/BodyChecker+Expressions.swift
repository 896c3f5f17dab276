import SpindleModel

/// The types of expressions.
extension BodyChecker {
  /// An expression with its type, which `expected` helps to find; the type found may be another one.
  func infer(_ syntax: Grammar.Expression, _ expected: SwiftType?) -> Typed.Expression {
    let range = syntax.range
    var expected = expected.map { solver.shallow($0) }
    // That anything is expected says nothing of what it is.
    if expected == .any { expected = nil }
    switch syntax.kind {
    case .integer(let value):
      let made = integer(value, expected, range)
      made.isBeyondInt = value < 0
      return made
    case .decimal(let value):
      let type = expected.flatMap { numeric($0, takesIntegers: false) } ?? solver.variable(.decimal)
      return node(.decimal(value), type, range)
    case .duration(let value):
      // A length takes the type of time that is expected, in seconds where that is a number.
      if let wanted = expected?.unwrappedFully, wanted.nominal?.builtin == .double {
        return Typed.Expression(.constant(value), known.double, range)
      }
      return Typed.Expression(.constant(value), known.duration, range)
    case .size(let value): return Typed.Expression(.constant(value), known.size, range)
    case .percent: return refuse(Messages.strayPercent, range)
    case .boolean(let value):
      return Typed.Expression(.constant(value ? 1 : 0), known.boolean, range)
    case .nil: return inferNil(expected, range)
    case .string(let segments): return inferText(segments, range)
    case .name(let name, let arguments): return inferName(name, arguments, expected, range)
    case .implicitMember(let name): return inferImplicit(name, nil, expected, range)
    case .array(let elements): return inferArray(elements, expected, range)
    case .dictionary(let entries): return inferDictionary(entries, expected, range)
    case .tuple(let elements): return inferTuple(elements, expected, range)
    case .member(let base, let name, let arguments):
      return inferMember(base, name, arguments, expected, range)
    case .compound(let base, let labels): return inferCompound(base, labels, expected, range)
    case .call(let call): return inferCall(call, expected, range)
    case .subscripted(let base, let arguments):
      return inferSubscript(base, arguments, expected, range)
    case .prefix(let sign, let operand): return inferPrefix(sign, operand, expected, range)
    case .binary(let sign, let left, let right):
      return inferBinary(sign, left, right, expected, range)
    case .ternary(let condition, let first, let second):
      return inferTernary(condition, first, second, expected, range)
    case .range(let from, let to, let isClosed, _):
      return inferRange(from, to, isClosed, expected, range)
    case .closure(let closure): return inferClosure(closure, expected, isExpanded: false)
    case .forced(let inner):
      let value = infer(inner, expected.map { known.optional($0) })
      guard let wrapped = solver.shallow(value.type).wrapped else {
        if value.type.isError { return value }
        return refuse(
          "'!' is for an optional, and this is \(solver.shown(value.type))", range.lastByte)
      }
      return node(.forced(value), wrapped, range)
    case .questioned(let inner):
      let value = infer(inner, nil)
      if isProgram(value.type) { return value }
      if case .metatype(let type) = solver.shallow(value.type) {
        // `Int?` as a value.
        let optional = known.optional(type)
        return Typed.Expression(.metatype(optional), .metatype(optional), range)
      }
      guard let wrapped = solver.shallow(value.type).wrapped else {
        if value.type.isError { return value }
        return refuse(
          "'?' is for an optional, and this is \(solver.shown(value.type))", range.lastByte)
      }
      return node(.bound(value), wrapped, range)
    case .chain(let inner):
      let value = infer(inner, nil)
      if value.type.isError { return value }
      let type = solver.shallow(value.type)
      // `String?.self` is a type.
      if case .metatype = type { return value }
      return node(.chain(value), type.wrapped == nil ? known.optional(type) : type, range)
    case .attempt(let kind, let inner): return inferAttempt(kind, inner, expected, range)
    case .await(let inner):
      let outer = isAwaited
      isAwaited = true
      defer { isAwaited = outer }
      if !mayAwait { report(awaitElsewhere, range) }
      let value = infer(inner, expected)
      return node(.await(value), value.type, range)
    case .cast(let inner, let cast, let type): return inferCast(inner, cast, type, range)
    case .reference(let inner):
      let value = infer(inner, nil)
      return node(.reference(value), value.type, range)
    case .keyPath(let root, let path): return inferKeyPath(root, path, expected, range)
    case .choice(let statement): return inferChoice(statement, expected, range)
    case .type(let type):
      return Typed.Expression(.metatype(resolve(type)), .metatype(resolve(type)), range)
    case .discard: return refuse("'_' has no value", range)
    case .foreign(let word): return inferForeign(word, expected, range)
    case .missing: return failed(range)
    }
  }

  // MARK: Literals

  /// The type of numbers that is expected; nil where anything else is.
  private func numeric(_ type: SwiftType, takesIntegers: Bool) -> SwiftType? {
    switch solver.shallow(type) {
    case .nominal(let nominal, let arguments):
      switch nominal.builtin {
      case .double: return type
      case .integer, .fixedInteger:
        return takesIntegers && Prelude.bounds(of: nominal) != nil ? type : nil
      case .optional: return arguments.first.flatMap { numeric($0, takesIntegers: takesIntegers) }
      default: return nil
      }
    case .parameter:
      return nil
    case .variable: return nil
    default: return nil
    }
  }

  func integer(
    _ value: Int64, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    if let type = expected.flatMap({ numeric($0, takesIntegers: true) }) {
      return node(.integer(value), type, range)
    }
    let type = solver.variable(.integer)
    if let expected, solver.literal(expected) != nil { _ = solver.unify(type, expected) }
    return node(.integer(value), type, range)
  }

  func inferNil(_ expected: SwiftType?, _ range: SourceRange) -> Typed.Expression {
    if let expected, expected.wrapped != nil { return node(.nil, expected, range) }
    if let expected, let made = inferOwnNil(expected, range) { return made }
    let type = known.optional(solver.variable())
    if let expected { _ = solver.attempt { $0.unify(expected, type) } }
    return node(.nil, type, range)
  }

  private func inferText(
    _ segments: [Grammar.Segment], _ range: SourceRange
  ) -> Typed.Expression {
    if segments.count == 1, case .text(let text) = segments[0] {
      return Typed.Expression(.text(text), known.string, range)
    }
    let made = segments.map { segment -> Typed.Segment in
      switch segment {
      case .text(let text): return .text(text)
      case .value(let value): return .value(infer(value, nil))
      }
    }
    return Typed.Expression(.interpolation(made), known.string, range)
  }

  private func inferArray(
    _ elements: [Grammar.Expression], _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    var (element, isSet) = (Optional<SwiftType>.none, false)
    if let wanted = expected?.unwrappedFully, case .nominal(let nominal, let arguments) = wanted {
      if nominal.builtin == .array || nominal.builtin == .set {
        (element, isSet) = (arguments.first, nominal.builtin == .set)
      } else if nominal.builtin == .options {
        return inferOptions(elements, nominal, wanted, range)
      } else if let made = inferOwnArray(elements, wanted, range) {
        return made
      }
    }
    let type = element ?? solver.variable()
    let made = inferElements(elements, &element, type)
    let array = node(.array(made), known.array(element ?? type), range)
    guard isSet, let wanted = expected?.unwrappedFully else { return array }
    return node(.conversion(array), wanted, range)
  }

  /// Values that share one type.
  private func inferElements(
    _ elements: [Grammar.Expression], _ wanted: inout SwiftType?, _ type: SwiftType
  ) -> [Typed.Expression] {
    if let wanted, !solver.isOpen(wanted) { return elements.map { check($0, wanted) } }
    var made = elements.map { isContextual($0) ? nil : Optional(infer($0, nil)) }
    var joined = type
    for case let value? in made { joined = common(joined, value.type) ?? joined }
    for (index, element) in elements.enumerated() where made[index] == nil {
      let value = infer(element, joined)
      joined = common(joined, value.type) ?? joined
      made[index] = value
    }
    wanted = joined
    return made.compactMap { $0 }.map { convert($0, to: joined) }
  }

  private func inferDictionary(
    _ entries: [(key: Grammar.Expression, value: Grammar.Expression)], _ expected: SwiftType?,
    _ range: SourceRange
  ) -> Typed.Expression {
    if let wanted = expected?.unwrappedFully, let made = inferOwnDictionary(entries, wanted, range)
    {
      return made
    }
    var (key, value) = (Optional<SwiftType>.none, Optional<SwiftType>.none)
    if case .nominal(let nominal, let arguments)? = expected?.unwrappedFully,
      nominal.builtin == .dictionary
    {
      (key, value) = (arguments[0], arguments[1])
    }
    let keyType = key ?? solver.variable()
    let valueType = value ?? solver.variable()
    let keys = inferElements(entries.map(\.key), &key, keyType)
    let values = inferElements(entries.map(\.value), &value, valueType)
    let type = SwiftType.nominal(known.dictionary, [key ?? keyType, value ?? valueType])
    requirements.append((key ?? keyType, known.hashable, range))
    return node(.dictionary(zip(keys, values).map { ($0, $1) }), type, range)
  }

  private func inferOptions(
    _ elements: [Grammar.Expression], _ nominal: Nominal, _ type: SwiftType, _ range: SourceRange
  ) -> Typed.Expression {
    var bits: Int64 = 0
    for element in elements {
      let value = check(element, type)
      guard case .options(_, let more) = value.kind else { continue }
      bits |= more
      bodies.optionPlaces[range, default: []].append((more, element.range))
    }
    guard let family = nominal.family else { return failed(range) }
    return Typed.Expression(.options(family, bits), type, range)
  }

  private func inferTuple(
    _ elements: [Grammar.Argument], _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    var wanted: [SwiftType.TupleElement] = []
    if case .tuple(let parts)? = expected?.unwrappedFully, parts.count == elements.count {
      wanted = parts
    }
    let made = elements.enumerated().map { index, element in
      wanted.isEmpty ? infer(element.value, nil) : check(element.value, wanted[index].type)
    }
    let type = SwiftType.tuple(
      zip(elements, made).enumerated().map { index, pair in
        SwiftType.TupleElement(
          label: pair.0.label?.text ?? (wanted.isEmpty ? nil : wanted[index].label),
          type: wanted.isEmpty ? pair.1.type : wanted[index].type)
      })
    return node(.tuple(made), type, range)
  }

  private func inferRange(
    _ from: Grammar.Expression?, _ to: Grammar.Expression?, _ isClosed: Bool,
    _ expected: SwiftType?,
    _ range: SourceRange
  ) -> Typed.Expression {
    var bound = expected?.unwrappedFully.arguments.first ?? solver.variable()
    let first = from.map { infer($0, bound) }
    let second = to.map { infer($0, bound) }
    if let first { bound = join(bound, first.type, range) }
    if let second { bound = join(bound, second.type, range) }
    let nominal: Nominal
    switch (first, second) {
    case (.some, .some): nominal = isClosed ? known.closedRange : known.range
    case (.some, nil): nominal = known.partialFrom
    case (nil, .some): nominal = isClosed ? known.partialThrough : known.partialUpTo
    case (nil, nil): return node(.instance([]), .nominal(known.unbounded, []), range)
    }
    let parts = [first, second].compactMap { $0 }.map { convert($0, to: bound) }
    requirements.append((bound, known.comparable, range))
    return node(.instance(parts), .nominal(nominal, [bound]), range)
  }

  // MARK: Choices

  private func inferTernary(
    _ condition: Grammar.Expression, _ first: Grammar.Expression, _ second: Grammar.Expression,
    _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    let truth = check(condition, known.boolean)
    if let expected, !expected.hasVariables {
      return node(
        .ternary(truth, check(first, expected), check(second, expected)), expected, range)
    }
    let isFirstOpen = isContextual(first) && !isContextual(second)
    let one = isFirstOpen ? nil : infer(first, expected)
    let other = infer(second, one?.type ?? expected)
    let whole = one ?? infer(first, other.type)
    let type = join(whole.type, other.type, range)
    return node(.ternary(truth, convert(whole, to: type), convert(other, to: type)), type, range)
  }

  /// `if` or `switch` as a value: what each branch gives is assigned to a local.
  private func inferChoice(
    _ statement: Grammar.Statement, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    if !isChoice(statement) {
      var word = "if"
      if case .switch = statement.kind { word = "switch" }
      return refuse(SyntaxMessage.branchValues(word), range)
    }
    // Each branch is a statement, whose types are found at its end: so are those of what stands in front of it.
    settleEarly()
    let type = expected ?? solver.variable()
    let result = local("choice", type, isVariable: true, range)
    let outer = choiceResult
    choiceResult = result
    defer { choiceResult = outer }
    let made = checkStatement(statement, isBranch: true)
    return node(.choice(made, result: result), result.type, range)
  }

  private func inferAttempt(
    _ kind: Grammar.Attempt, _ inner: Grammar.Expression, _ expected: SwiftType?,
    _ range: SourceRange
  ) -> Typed.Expression {
    let (outer, errors) = (isTried, raised)
    isTried = true
    defer { isTried = outer }
    guard kind == .optional else {
      let value = infer(inner, expected)
      if kind == .forced { raised = errors }
      return node(.attempt(kind, value), value.type, range)
    }
    // The value of `try?` is optional once, whatever is in it (SE-0230).
    let value = infer(inner, expected?.wrapped ?? expected)
    raised = errors
    let type = solver.shallow(value.type)
    if type.wrapped != nil || type.isError { return node(.attempt(.optional, value), type, range) }
    return node(
      .attempt(.optional, node(.wrapped(value), known.optional(type), value.range)),
      known.optional(type), range)
  }

  private func inferForeign(
    _ word: String, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    switch word {
    case "#isolation":
      // The function that is given it runs there; the value says nothing more.
      if let expected, !solver.isOpen(expected) { return node(.nil, expected, range) }
      return refuse("'#isolation' is the default of an 'isolated' parameter here", range)
    case "#line":
      let line = Int64(table.current.fileLine(at: range.lowerBound).line)
      return integer(line, expected, range)
    case "#function":
      return Typed.Expression(.text(functionName), known.string, range)
    case "#file", "#fileID", "#filePath":
      return Typed.Expression(
        .text(table.source.fileLine(at: range.lowerBound).file), known.string, range)
    case "#selector": return refuse(Messages.selector, range)
    default: return refuse("'\(word)' is not in a trace", range)
    }
  }

  /// Whether the type of an expression depends on what is expected of it.
  func isContextual(_ syntax: Grammar.Expression) -> Bool {
    switch syntax.kind {
    case .implicitMember, .nil, .closure, .keyPath: return true
    case .array(let elements): return elements.isEmpty || elements.contains(where: isContextual)
    case .dictionary(let entries): return entries.isEmpty
    case .call(let call):
      if case .implicitMember = call.callee.kind { return true }
      return false
    case .member(let base, _, _), .subscripted(let base, _), .forced(let base):
      return isContextual(base)
    case .ternary(_, let first, let second), .binary(_, let first, let second):
      return isContextual(first) && isContextual(second)
    case .attempt(_, let inner), .await(let inner), .chain(let inner): return isContextual(inner)
    case .tuple(let elements): return elements.contains { isContextual($0.value) }
    case .name(let name, _):
      return GrammarParser.Precedence.of(name) != nil
    case .choice: return true
    default: return false
    }
  }
}
