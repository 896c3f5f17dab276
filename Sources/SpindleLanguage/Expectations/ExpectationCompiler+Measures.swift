import SpindleModel

/// What is asked of a run: names and calls in `expect` to measures.
extension ExpectationCompiler {
  mutating func measure(
    named name: String, _ range: SourceRange, _ reader: inout some ProgramReader
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
      ?? reader.checker.proposalOfName(name) { (Vocabulary.measureWords, []) }
    let isAsked = near == nil && reader.source.name.hasPrefix("--")
    reader.error(
      isAsked
        ? Messages.unknownMeasure(name, Vocabulary.measureSpellings)
        : Messages.unknownName(name, nearest: near), range)
    return nil
  }

  /// `threads.peak`, `latency("a*").p95`, `threads(of: "a").count`.
  mutating func memberMeasure(
    _ base: Expression, _ name: String, _ nameRange: SourceRange, _ reader: inout some ProgramReader
  ) -> TypedTerm? {
    switch base.kind {
    case .name(let owner):
      if let row = Vocabulary.measure("\(owner).\(name)") {
        return TypedTerm(term: .measure(row.measure), type: row.type)
      }
      let known = Vocabulary.measures.filter { $0.path.hasPrefix(owner.text + ".") }
        .map { String($0.path.dropFirst(owner.text.utf8.count + 1)) }
      guard known.isEmpty else {
        refuseStatistic(name, of: owner.text, known, nameRange, &reader)
        return nil
      }
      if reader.find(owner) == nil {
        guard let made = measure(named: owner.text, base.range, &reader) else { return nil }
        refuseMember(name, of: base, made.type, nameRange, &reader)
      } else {
        reader.error(Messages.notMeasurable(owner.text), base.range)
      }
      return nil
    case .call(let call):
      guard case .name(let owner) = call.callee.kind else { break }
      return statistic(owner.text, call, name, nameRange, &reader)
    case .member, .element, .unwrap:
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
    _ reader: inout some ProgramReader
  ) {
    reader.error(
      Messages.unknownMember(name, of: owner, nearest: reader.proposal(name, known), known), range)
  }

  /// Reports a member of a measure that has none, and says how the measure is compared.
  mutating func refuseMember(
    _ name: String, of measure: Expression, _ type: Vocabulary.MeasureType, _ range: SourceRange,
    _ reader: inout some ProgramReader
  ) {
    let text = reader.source.text(in: measure.range)
    reader.error(Messages.measureMember(name, of: text, type.comparisons), range)
  }

  private mutating func statistic(
    _ owner: String, _ call: CallSite, _ name: String, _ nameRange: SourceRange,
    _ reader: inout some ProgramReader
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
      let measure = reader.checker.arena.expression(kind: .call(call), range: call.range)
      refuseMember(name, of: measure, made.type, nameRange, &reader)
      return nil
    }
  }

  // MARK: Calls

  mutating func callMeasure(_ call: CallSite, _ reader: inout some ProgramReader) -> TypedTerm? {
    if case .member(let member) = call.callee.kind, member.name == "created",
      case .name("threads") = member.base.kind
    {
      guard let object = object(call, label: "by", "created", &reader) else { return nil }
      return TypedTerm(term: .measure(.threadsCreatedBy(object)), type: .plain(.integer))
    }
    guard case .name(let name) = call.callee.kind else {
      if case .member(let member) = call.callee.kind {
        return memberCall(member.value, call, &reader)
      } else {
        reader.error(
          Messages.notMeasurable(reader.source.text(in: call.callee.range)), call.callee.range)
      }
      return nil
    }
    switch name {
    case "started", "ended", "thread":
      guard let item = string(call, label: nil, name.text, &reader) else { return nil }
      warnOfUnknownItem(item, call.arguments[0].value.range, &reader)
      switch name {
      case "started": return TypedTerm(term: .measure(.started(item)), type: .plain(.duration))
      case "ended": return TypedTerm(term: .measure(.ended(item)), type: .plain(.duration))
      default: return TypedTerm(term: .measure(.threadOf(item)), type: .plain(.string))
      }
    case "cpu":
      guard let object = object(call, label: "of", name.text, &reader) else { return nil }
      return TypedTerm(term: .measure(.cpu(of: object)), type: .plain(.duration))
    case "state":
      guard let object = object(call, label: "of", name.text, &reader) else { return nil }
      guard isOperation(object, reader) else {
        let text = reader.source.text(in: call.arguments[0].value.range)
        reader.error(Messages.noState(text), call.arguments[0].value.range)
        return nil
      }
      return TypedTerm(
        term: .measure(.state(of: object)), type: .plain(.symbol(.operationState)))
    case "count":
      guard let pattern = kindPattern(call, label: "of", name.text, &reader) else { return nil }
      return TypedTerm(term: .measure(.count(of: pattern)), type: .plain(.integer))
    case "rate":
      guard let pattern = kindPattern(call, label: "of", name.text, &reader) else { return nil }
      return TypedTerm(term: .measure(.rate(of: pattern)), type: .plain(.decimal))
    case "order":
      guard let names = names(call, label: nil, name.text, &reader) else { return nil }
      if names.count < 2 { reader.error(Messages.orderOfOne, call.range) }
      return TypedTerm(term: .measure(.order(names)), type: .plain(.boolean))
    case "value": return finalValue(call, &reader)
    case "timeline": return timelineMeasure(call, &reader)
    case _ where name.text == Vocabulary.best && reader.find(name) == nil:
      reader.error(Messages.bestAlone, call.range)
      return nil
    case "latency", "wait", "waiting", "span", "samples", "running", "threads":
      reader.error(Messages.incompleteMeasure(name.text), call.callee.range)
      return nil
    default: return refuseMeasure(name, call, &reader)
    }
  }

  private mutating func refuseMeasure(
    _ word: Word, _ call: CallSite, _ reader: inout some ProgramReader
  ) -> TypedTerm? {
    let name = word.text
    if Vocabulary.measure(name) != nil {
      reader.error(Messages.calledMeasure(name), call.callee.range)
    } else if Vocabulary.measureWords.contains(name) || reader.find(word) != nil {
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

  private mutating func finalValue(_ call: CallSite, _ reader: inout some ProgramReader)
    -> TypedTerm?
  {
    let formals = [Formal(label: nil, type: .unknown, isOptional: false, slot: 0)]
    guard reader.match(formals, call, name: "value", call.callee.range) != nil else { return nil }
    let expression = call.arguments[0].value
    guard case .name(let name) = expression.kind, let index = reader.scope.findAtTop(name) else {
      switch expression.kind {
      case .missing: break
      case .text, .string:
        let key = reader.source.text(in: expression.range)
        reader.error(Messages.valueOfText(key), expression.range)
      case .name(let name):
        reader.error(Messages.notATopValue(name.text), expression.range)
      default:
        guard let (global, type) = reader.finalValue(of: expression) else { return nil }
        let text = reader.source.text(in: expression.range)
        if refusesCollection(text, type, expression.range, &reader) { return nil }
        return TypedTerm(term: .measure(.finalValue(global)), type: .plain(type))
      }
      return nil
    }
    reader.scope[index].isUsed = true
    guard let global = reader.globals.global(of: index) else {
      reader.error(Messages.notATopValue(name.text), expression.range)
      return nil
    }
    let type = reader.scope[index].type
    if type == .unknown || refusesCollection(name.text, type, expression.range, &reader) {
      return nil
    }
    return TypedTerm(term: .measure(.finalValue(global)), type: .plain(type))
  }

  // MARK: Arguments

  mutating func string(
    _ call: CallSite, label: Label?, _ name: String, also others: [Formal] = [],
    _ reader: inout some ProgramReader
  ) -> String? {
    let formals = [Formal(label: label, type: .string, isOptional: false, slot: 0)] + others
    guard reader.match(formals, call, name: name, call.callee.range) != nil,
      let made = reader.constant(call.arguments[0].value, .string)?.constant
    else { return nil }
    return reader.text(of: made)
  }

  /// The pattern of a kind of work; one that no work of the trace has is worth a warning.
  mutating func kindPattern(
    _ call: CallSite, label: Label?, _ name: String, also others: [Formal] = [],
    _ reader: inout some ProgramReader
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
    _ name: String, _ range: SourceRange, _ reader: inout some ProgramReader
  ) {
    // What has no name of its own is called after the thread or the element that it is.
    if name == "main" || name.hasPrefix("Thread") || name.contains("[") { return }
    if kindNames(&reader).hasPattern(for: name) || isNamedLater(&reader) { return }
    let near = proposalOfKind(name, &reader)
    reader.warn(Messages.unknownKind(name, nearest: near), range)
  }

  /// Whether threads or operations get names when they have been made, which may be any.
  private mutating func isNamedLater(_ reader: inout some ProgramReader) -> Bool {
    performs(.thread(.setName), &reader) || performs(.operation(.setName), &reader)
  }

  /// The nearest of the patterns of the kinds of work.
  private mutating func proposalOfKind(_ name: String, _ reader: inout some ProgramReader)
    -> String?
  {
    let kinds = reader.kinds
    return reader.checker.diagnosis.proposal(name) { kinds.map(\.pattern) }
  }

  /// The patterns of the kinds of work, to be asked about.
  private mutating func kindNames(_ reader: inout some ProgramReader) -> KindNames {
    let kinds = reader.kinds
    if let known = knownKinds, known.count == kinds.count { return known }
    let fresh = KindNames(kinds.map(\.pattern), areAll: reader.hasAnyName)
    knownKinds = fresh
    return fresh
  }

  /// Whether the program does something anywhere; its instructions are looked through once.
  mutating func performs(_ primitive: Primitive, _ reader: inout some ProgramReader) -> Bool {
    if let known = performed[primitive] { return known }
    let isDone = reader.performs(primitive)
    performed[primitive] = isDone
    return isDone
  }

  /// One or more names; only the first has the label.
  private mutating func names(
    _ call: CallSite, label: Label?, _ name: String, _ reader: inout some ProgramReader
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
    _ call: CallSite, label: Label?, _ name: String, _ reader: inout some ProgramReader
  ) -> Measure.ObjectReference? {
    let formals = [Formal(label: label, type: .unknown, isOptional: false, slot: 0)]
    guard reader.match(formals, call, name: name, call.callee.range) != nil else { return nil }
    return reference(call.arguments[0].value, &reader)
  }

  /// Whether an object that an expectation names is an operation.
  private func isOperation(_ object: Measure.ObjectReference, _ reader: some ProgramReader) -> Bool
  {
    let (global, isElement): (GlobalID, Bool)
    switch object {
    case .global(let known): (global, isElement) = (known, false)
    case .element(let known, _): (global, isElement) = (known, true)
    case .named: return false
    }
    guard let symbol = reader.globals.symbol(of: global) else { return false }
    let operation = ValueType.handle(.operation)
    return reader.scope[symbol].type == (isElement ? .array(operation) : operation)
  }

  /// The object that an expression means at the end of the run.
  mutating func reference(_ expression: Expression, _ reader: inout some ProgramReader)
    -> Measure.ObjectReference?
  {
    switch expression.kind {
    case .missing: return nil
    case .text, .string:
      guard let made = reader.constant(expression, .string)?.constant else { return nil }
      return .named(reader.text(of: made))
    case .name(let name):
      guard let index = reader.scope.findAtTop(name) else {
        _ = reader.checker.unknownName(name, expression.range)
        return nil
      }
      reader.scope[index].isUsed = true
      if let global = reader.globals.global(of: index), reader.scope[index].type.isHandle {
        return .global(global)
      }
      guard reader.scope[index].type != .unknown else { return nil }
    case .element(let element):
      guard case .name(let name) = element.base.kind, let symbol = reader.scope.findAtTop(name),
        let global = reader.globals.global(of: symbol),
        case .arrayOf(let type) = reader.scope[symbol].type,
        type.type.isHandle
      else { break }
      reader.scope[symbol].isUsed = true
      guard let position = reader.constant(element.index, .integer)?.constant else { return nil }
      return .element(global, index: position)
    default: break
    }
    reader.error(Messages.notATopValue(reader.source.text(in: expression.range)), expression.range)
    return nil
  }
}
