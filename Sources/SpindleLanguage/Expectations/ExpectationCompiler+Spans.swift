import SpindleModel

/// Times between two points of a run, and the share of times above a limit.
extension ExpectationCompiler {
  /// The two points of `span("tap*", "shown*")`.
  mutating func span(_ call: Grammar.Call, _ reader: inout OutlineReader) -> Measure.Span? {
    let formals = (0..<2).map {
      Formal(label: nil, type: .string, isOptional: false, slot: $0)
    }
    guard reader.match(formals, call, name: "span", call.callee.range) != nil else { return nil }
    var names: [String] = []
    for argument in call.arguments {
      guard let made = reader.constant(argument.value, .string)?.constant else { return nil }
      names.append(reader.text(of: made))
      // Marks may be called anything.
      if !performs(.doing(.mark), &reader) {
        warnOfUnknownItem(names[names.count - 1], argument.value.range, &reader)
      }
    }
    return Measure.Span(from: names[0], to: names[1])
  }

  /// Which time of which work `wait("frame*")` or `latency("request*", from: .arrival)` is; nil when it was refused.
  mutating func itemTime(_ owner: String, _ call: Grammar.Call, _ reader: inout OutlineReader)
    -> (time: Measure.ItemTime, pattern: String)?
  {
    let isLatency = owner == Measure.ItemTime.latency.rawValue
    let origin = Formal(label: "from", type: .unknown, isOptional: true, slot: 1)
    guard let time = Measure.ItemTime(rawValue: owner),
      let pattern = kindPattern(call, label: nil, owner, also: isLatency ? [origin] : [], &reader)
    else { return nil }
    guard isLatency, call.arguments.count > 1 else { return (time, pattern) }
    let given = call.arguments[1].value
    guard case .implicitMember(let name) = given.kind, name.text == "arrival" else {
      reader.error(Messages.latencyOrigin(reader.source.text(in: given.range)), given.range)
      return nil
    }
    return (.sinceArrival, pattern)
  }

  /// `latency("frame*").share(above: 16.7ms)`; nil when it was refused.
  mutating func share(
    of base: Grammar.Call, _ call: Grammar.Call, _ range: SourceRange, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    guard case .name(let owner, _) = base.callee.kind else { return nil }
    let quantities: Measure.Quantities
    var type = ValueType.duration
    if Measure.ItemTime(rawValue: owner) != nil {
      guard let (time, pattern) = itemTime(owner, base, &reader) else { return nil }
      quantities = .items(time, pattern)
    } else if owner == "samples" {
      guard let samples = samples(base, &reader) else { return nil }
      (quantities, type) = (.samples(samples), Self.type(of: samples.format))
    } else {
      guard let span = span(base, &reader) else { return nil }
      quantities = .span(span)
    }
    let formal = Formal(
      label: "above", type: type, isOptional: false, slot: 0,
      limit: type == .duration ? .notNegative : .none)
    guard reader.match([formal], call, name: "share", range) != nil,
      let limit = reader.constant(call.arguments[0].value, type, formal: formal)?.constant
    else { return nil }
    return TypedTerm(
      term: .measure(.share(above: .init(of: quantities, limit))),
      type: .plain(.decimal))
  }

  /// A call whose times can be asked for their share above a limit; nil for anything else.
  func sampled(_ expression: Grammar.Expression) -> Grammar.Call? {
    guard case .call(let call) = expression.kind, case .name(let owner, _) = call.callee.kind,
      owner == "span" || owner == "samples"
        || Measure.ItemTime(rawValue: owner) != nil
    else { return nil }
    return call
  }

  /// The hundredths that a share is compared with, as in `<= 1%`; nil for anything else.
  func percentage(_ expression: Grammar.Expression, comparedWith type: ValueType) -> TypedTerm? {
    guard type == .decimal, case .percent(let billionths) = expression.kind else { return nil }
    return TypedTerm(
      term: .value(.decimal(FixedDecimal(billionths: billionths / 100))),
      type: .plain(.decimal), isLiteral: true)
  }
}
