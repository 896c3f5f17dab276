import SpindleModel

/// What is asked of a run: names and calls in `expect` to measures.
extension ExpectationCompiler {
  mutating func measure(
    named name: String, _ range: SourceRange, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    if let row = Vocabulary.measure(name) {
      return TypedTerm(term: .measure(row.measure), type: row.type)
    }
    if Vocabulary.measureWords.contains(name) {
      reader.error(Messages.incompleteMeasure(name), range)
      return nil
    }
    if let answer = Vocabulary.unaskedWord(name) {
      reader.error(Messages.unaskedWord(name, answer), range)
      return nil
    }
    let near =
      Vocabulary.summaryWord(name)
      ?? reader.proposal(name, Vocabulary.measureWords + reader.names.all.map(\.name))
    let isAsked = near == nil && reader.source.name.hasPrefix("--")
    reader.error(
      isAsked
        ? Messages.unknownMeasure(name, Vocabulary.measureSpellings)
        : Messages.unknownName(name, nearest: near), range)
    return nil
  }

  /// `threads.peak`, `latency("a*").p95`, `threads(of: "a").count`.
  mutating func memberMeasure(
    _ base: Grammar.Expression, _ name: String, _ nameRange: SourceRange,
    _ reader: inout OutlineReader
  ) -> TypedTerm? {
    switch base.kind {
    case .name(let owner, _):
      if let row = Vocabulary.measure("\(owner).\(name)") {
        return TypedTerm(term: .measure(row.measure), type: row.type)
      }
      let known = Vocabulary.measures.filter { $0.path.hasPrefix(owner + ".") }
        .map { String($0.path.dropFirst(owner.utf8.count + 1)) }
      guard known.isEmpty else {
        refuseStatistic(name, of: owner, known, nameRange, &reader)
        return nil
      }
      if reader.find(owner) == nil {
        guard let made = measure(named: owner, base.range, &reader) else { return nil }
        refuseMember(name, of: base, made.type, nameRange, &reader)
      } else {
        reader.error(Messages.notMeasurable(owner), base.range)
      }
      return nil
    case .call(let call):
      guard case .name(let owner, _) = call.callee.kind else { break }
      return statistic(owner, expression: base, call, name, nameRange, &reader)
    case .member, .subscripted, .forced:
      guard asks(base, reader) else { break }
      return memberOfMember(base, name, nameRange, &reader)
    case .missing: return nil
    default: break
    }
    reader.error(Messages.notMeasurable(reader.source.text(in: base.range)), base.range)
    return nil
  }

  mutating func refuseStatistic(
    _ name: String, of owner: String, _ known: [String], _ range: SourceRange,
    _ reader: inout OutlineReader
  ) {
    reader.error(
      Messages.unknownMember(name, of: owner, nearest: reader.proposal(name, known), known), range)
  }

  /// Reports a member of a measure that has none, and says how the measure is compared.
  mutating func refuseMember(
    _ name: String, of measure: Grammar.Expression, _ type: Vocabulary.MeasureType,
    _ range: SourceRange,
    _ reader: inout OutlineReader
  ) {
    let text = reader.source.text(in: measure.range)
    reader.error(Messages.measureMember(name, of: text, type.comparisons), range)
  }

  private mutating func statistic(
    _ owner: String, expression: Grammar.Expression, _ call: Grammar.Call, _ name: String,
    _ nameRange: SourceRange, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    switch owner {
    case "latency", "wait", "waiting":
      guard let (time, pattern) = itemTime(owner, call, &reader) else { return nil }
      guard let statistic = Measure.Statistic(rawValue: name) else {
        refuseStatistic(
          name, of: owner, Measure.Statistic.allCases.map(\.rawValue), nameRange, &reader)
        return nil
      }
      return TypedTerm(
        term: .measure(.itemTime(time, pattern, statistic)), type: .plain(.duration))
    case "span":
      guard let span = span(call, &reader) else { return nil }
      switch name {
      case "count": return TypedTerm(term: .measure(.spanCount(span)), type: .plain(.integer))
      case "open": return TypedTerm(term: .measure(.openSpans(span)), type: .plain(.integer))
      default:
        guard let statistic = Measure.Statistic(rawValue: name) else {
          let known = Measure.Statistic.allCases.map(\.rawValue) + ["count", "open"]
          refuseStatistic(name, of: owner, known, nameRange, &reader)
          return nil
        }
        return TypedTerm(
          term: .measure(.spanTime(span, statistic)), type: .plain(.duration))
      }
    case "samples": return sampleStatistic(call, name, nameRange, &reader)
    case "running":
      guard let pattern = kindPattern(call, label: nil, owner, &reader) else { return nil }
      guard name == "peak" else {
        refuseStatistic(name, of: owner, ["peak"], nameRange, &reader)
        return nil
      }
      return TypedTerm(term: .measure(.runningPeak(pattern)), type: .plain(.integer))
    case "threads":
      guard let names = names(call, label: "of", owner, &reader) else { return nil }
      guard name == "count" else {
        refuseStatistic(name, of: owner, ["count"], nameRange, &reader)
        return nil
      }
      return TypedTerm(term: .measure(.threadCount(of: names)), type: .plain(.integer))
    default:
      guard let made = callMeasure(call, &reader) else { return nil }
      refuseMember(name, of: expression, made.type, nameRange, &reader)
      return nil
    }
  }

  // MARK: Calls

  mutating func callMeasure(_ call: Grammar.Call, _ reader: inout OutlineReader) -> TypedTerm? {
    if case .member(let base, let member, _) = call.callee.kind, member.text == "created",
      case .name("threads", _) = base.kind
    {
      guard let object = object(call, label: "by", "created", &reader) else { return nil }
      return TypedTerm(term: .measure(.threadsCreatedBy(object)), type: .plain(.integer))
    }
    guard case .name(let name, _) = call.callee.kind else {
      if case .member(let base, let member, _) = call.callee.kind {
        return memberCall(member, of: base, call, &reader)
      } else {
        reader.error(
          Messages.notMeasurable(reader.source.text(in: call.callee.range)), call.callee.range)
      }
      return nil
    }
    switch name {
    case "started", "ended", "thread":
      guard let item = string(call, label: nil, name, &reader) else { return nil }
      warnOfUnknownItem(item, call.arguments[0].value.range, &reader)
      switch name {
      case "started": return TypedTerm(term: .measure(.started(item)), type: .plain(.duration))
      case "ended": return TypedTerm(term: .measure(.ended(item)), type: .plain(.duration))
      default: return TypedTerm(term: .measure(.threadOf(item)), type: .plain(.string))
      }
    case "cpu":
      guard let object = object(call, label: "of", name, &reader) else { return nil }
      return TypedTerm(term: .measure(.cpu(of: object)), type: .plain(.duration))
    case "state":
      guard let object = object(call, label: "of", name, &reader) else { return nil }
      guard isOperation(object, reader) else {
        let text = reader.source.text(in: call.arguments[0].value.range)
        reader.error(Messages.noState(text), call.arguments[0].value.range)
        return nil
      }
      return TypedTerm(
        term: .measure(.state(of: object)), type: .plain(.symbol(.operationState)))
    case "count":
      guard let pattern = kindPattern(call, label: "of", name, &reader) else { return nil }
      return TypedTerm(term: .measure(.count(of: pattern)), type: .plain(.integer))
    case "rate":
      guard let pattern = kindPattern(call, label: "of", name, &reader) else { return nil }
      return TypedTerm(term: .measure(.rate(of: pattern)), type: .plain(.decimal))
    case "order":
      guard let names = names(call, label: nil, name, &reader) else { return nil }
      if names.count < 2 { reader.error(Messages.orderOfOne, call.place) }
      return TypedTerm(term: .measure(.order(names)), type: .plain(.boolean))
    case "value": return finalValue(call, &reader)
    case "timeline": return timelineMeasure(call, &reader)
    case _ where name == Vocabulary.best && reader.find(name) == nil:
      reader.error(Messages.bestAlone, call.place)
      return nil
    case "latency", "wait", "waiting", "span", "samples", "running", "threads":
      reader.error(Messages.incompleteMeasure(name), call.callee.range)
      return nil
    default: return refuseMeasure(name, call, &reader)
    }
  }

  private mutating func refuseMeasure(
    _ name: String, _ call: Grammar.Call, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    if Vocabulary.measure(name) != nil {
      reader.error(Messages.calledMeasure(name), call.callee.range)
    } else if Vocabulary.measureWords.contains(name) || reader.find(name) != nil {
      reader.error(Messages.notMeasurable(name), call.callee.range)
    } else if let answer = Vocabulary.unaskedWord(name) {
      reader.error(Messages.unaskedWord(name, answer), call.callee.range)
    } else if let condition = assertedCondition(name, call, reader) {
      reader.error(Messages.assertedExpectation(name, condition), call.callee.range)
    } else {
      let near =
        Vocabulary.summaryWord(name) ?? reader.proposal(name, Vocabulary.measureWords)
      reader.error(Messages.unknownName(name, nearest: near), call.callee.range)
    }
    return nil
  }

  private mutating func finalValue(_ call: Grammar.Call, _ reader: inout OutlineReader)
    -> TypedTerm?
  {
    let formals = [Formal(label: nil, type: .unknown, isOptional: false, slot: 0)]
    guard reader.match(formals, call, name: "value", call.callee.range) != nil else { return nil }
    let expression = call.arguments[0].value
    guard case .name(let name, _) = expression.kind, let number = reader.find(name) else {
      switch expression.kind {
      case .missing: break
      case .string:
        let key = reader.source.text(in: expression.range)
        reader.error(Messages.valueOfText(key), expression.range)
      case .name(let name, _):
        reader.error(Messages.notATopValue(name), expression.range)
      default:
        guard let (global, type) = reader.finalValue(of: expression) else { return nil }
        let text = reader.source.text(in: expression.range)
        if refusesComparison(of: text, type, expression.range, &reader) { return nil }
        return TypedTerm(term: .measure(.finalValue(global)), type: .plain(type))
      }
      return nil
    }
    reader.names.use(number)
    guard let global = reader.names[number].global else {
      reader.error(Messages.notATopValue(name), expression.range)
      return nil
    }
    let type = reader.names[number].type
    if type == .unknown || refusesComparison(of: name, type, expression.range, &reader) {
      return nil
    }
    return TypedTerm(term: .measure(.finalValue(global)), type: .plain(type))
  }

  // MARK: Arguments

  mutating func string(
    _ call: Grammar.Call, label: Label?, _ name: String, also others: [Formal] = [],
    _ reader: inout OutlineReader
  ) -> String? {
    let formals = [Formal(label: label, type: .string, isOptional: false, slot: 0)] + others
    guard reader.match(formals, call, name: name, call.callee.range) != nil,
      let made = reader.constant(call.arguments[0].value, .string)?.constant
    else { return nil }
    return reader.text(of: made)
  }

  /// The pattern of a kind of work; one that no work of the trace has is worth a warning.
  mutating func kindPattern(
    _ call: Grammar.Call, label: Label?, _ name: String, also others: [Formal] = [],
    _ reader: inout OutlineReader
  ) -> String? {
    guard let pattern = string(call, label: label, name, also: others, &reader) else { return nil }
    if !kindNames(&reader).hasText(like: pattern) && !isNamedLater(&reader) {
      let near = proposalOfKind(pattern, &reader)
      reader.warn(Messages.unknownKind(pattern, nearest: near), call.arguments[0].value.range)
    }
    return pattern
  }

  /// Warns of the name of an item that none of the trace's work can have.
  mutating func warnOfUnknownItem(
    _ name: String, _ range: SourceRange, _ reader: inout OutlineReader
  ) {
    // What has no name of its own is called after the thread or the element that it is.
    if name == "main" || name.hasPrefix("Thread") || name.contains("[") { return }
    if kindNames(&reader).hasPattern(for: name) || isNamedLater(&reader) { return }
    let near = proposalOfKind(name, &reader)
    reader.warn(Messages.unknownKind(name, nearest: near), range)
  }

  /// Whether threads or operations get names when they have been made, which may be any.
  private mutating func isNamedLater(_ reader: inout OutlineReader) -> Bool {
    performs(.thread(.setName), &reader) || performs(.operation(.setName), &reader)
  }

  /// The nearest of the patterns of the kinds of work.
  private mutating func proposalOfKind(_ name: String, _ reader: inout OutlineReader)
    -> String?
  {
    let kinds = reader.kinds
    return reader.diagnosis.proposal(name) { kinds.map(\.pattern) }
  }

  /// The patterns of the kinds of work, to be asked about.
  private mutating func kindNames(_ reader: inout OutlineReader) -> KindNames {
    let kinds = reader.kinds
    if let known = knownKinds, known.count == kinds.count { return known }
    let fresh = KindNames(kinds.map(\.pattern), areAll: reader.hasAnyName)
    knownKinds = fresh
    return fresh
  }

  /// Whether the program does something anywhere; its instructions are looked through once.
  mutating func performs(_ primitive: Primitive, _ reader: inout OutlineReader) -> Bool {
    if let known = performed[primitive] { return known }
    let isDone = reader.performs(primitive)
    performed[primitive] = isDone
    return isDone
  }

  /// One or more names; only the first has the label.
  private mutating func names(
    _ call: Grammar.Call, label: Label?, _ name: String, _ reader: inout OutlineReader
  ) -> [String]? {
    var formals = [Formal(label: label, type: .string, isOptional: false, slot: 0)]
    for ordinal in 1..<max(1, call.arguments.count) {
      formals.append(Formal(label: nil, type: .string, isOptional: false, slot: ordinal))
    }
    guard reader.match(formals, call, name: name, call.callee.range) != nil else { return nil }
    var names: [String] = []
    for argument in call.arguments {
      guard let made = reader.constant(argument.value, .string)?.constant else { continue }
      names.append(reader.text(of: made))
      // `order` knows marks too, which may be called anything.
      if label != nil || !performs(.doing(.mark), &reader) {
        warnOfUnknownItem(reader.text(of: made), argument.value.range, &reader)
      }
    }
    return names.count == call.arguments.count ? names : nil
  }

  private mutating func object(
    _ call: Grammar.Call, label: Label?, _ name: String, _ reader: inout OutlineReader
  ) -> Measure.ObjectReference? {
    let formals = [Formal(label: label, type: .unknown, isOptional: false, slot: 0)]
    guard reader.match(formals, call, name: name, call.callee.range) != nil else { return nil }
    return reference(call.arguments[0].value, &reader)
  }

  /// Whether an object that an expectation names is an operation.
  private func isOperation(_ object: Measure.ObjectReference, _ reader: OutlineReader) -> Bool {
    let (global, isElement): (GlobalID, Bool)
    switch object {
    case .global(let known): (global, isElement) = (known, false)
    case .element(let known, _): (global, isElement) = (known, true)
    case .named: return false
    }
    guard let number = reader.names.find(global) else { return false }
    let operation = ValueType.handle(.operation)
    return reader.names[number].type == (isElement ? .array(operation) : operation)
  }

  /// The object that an expression means at the end of the run.
  mutating func reference(_ expression: Grammar.Expression, _ reader: inout OutlineReader)
    -> Measure.ObjectReference?
  {
    switch expression.kind {
    case .missing: return nil
    case .string:
      guard let made = reader.constant(expression, .string)?.constant else { return nil }
      return .named(reader.text(of: made))
    case .name(let name, _):
      guard let number = reader.find(name) else {
        _ = reader.unknownName(name, expression.range)
        return nil
      }
      reader.names.use(number)
      if let global = reader.names[number].global, reader.names[number].type.isHandle {
        return .global(global)
      }
      guard reader.names[number].type != .unknown else { return nil }
    case .subscripted(let base, let arguments):
      guard case .name(let name, _) = base.kind, let number = reader.find(name),
        let global = reader.names[number].global, arguments.count == 1,
        case .arrayOf(let type) = reader.names[number].type, type.type.isHandle
      else { break }
      reader.names.use(number)
      guard let position = reader.constant(arguments[0].value, .integer)?.constant else {
        return nil
      }
      return .element(global, index: position)
    default: break
    }
    reader.error(Messages.notATopValue(reader.source.text(in: expression.range)), expression.range)
    return nil
  }
}
