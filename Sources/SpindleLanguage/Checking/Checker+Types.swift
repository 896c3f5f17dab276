import SpindleModel

/// Types as they are written, and values that are wrong wherever they stand.
extension Checker {
  /// The names of all types that a trace can write.
  var typeNames: [String] {
    ["Int", "Bool", "Duration", "Instant", "Size", "String", "Decimal", "Void", "Executor"]
      + SymbolFamily.allCases.filter { $0.type != nil }.map(\.rawValue)
      + vocabulary.types.filter { $0.handle != nil }.map(\.name)
      + (0..<classes.count).map { classes[$0].name.text } + enums.names
  }

  /// The type that the trace declares by this name, which may stand behind that of a class around it.
  func declaredType(_ name: String) -> ValueType? {
    let last = name.contains("<") ? name : name.split(separator: ".").last.map(String.init) ?? name
    if let own = enums.index(of: last) { return enums[own].type }
    return (0..<classes.count).first { classes[$0].name.text == last }.map { classes[$0].type }
  }

  /// The `enum` that an expression names where that is no variable; nil for none.
  func enumIndex(_ expression: Expression) -> Int? {
    if enums.names.isEmpty { return nil }
    switch expression.kind {
    case .name(let name):
      if name == words.ownType, ownClass >= 0, case .choice(let own) = classes[ownClass].type {
        return enums.index(of: own)
      }
      return enums.index(of: name.text)
    case .member(let member):
      guard case .name(let owner) = member.base.kind, classes.index(of: owner) != nil else {
        return nil
      }
      return enums.index(of: member.name.text)
    default: return nil
    }
  }

  /// What Apple's interfaces call a dispatch source by what it tells of.
  private static let sourceTypes: Set<String> = [
    "DispatchSourceProtocol", "DispatchSourceTimer", "DispatchSourceRead", "DispatchSourceWrite",
    "DispatchSourceSignal", "DispatchSourceProcess", "DispatchSourceMachReceive",
    "DispatchSourceUserDataAdd", "DispatchSourceUserDataOr", "DispatchSourceUserDataReplace",
  ]

  /// The type of plain values with this name.
  func plainType(_ name: String) -> ValueType? {
    switch name {
    case "Int": .integer
    case "Bool": .boolean
    case "Duration", "TimeInterval", "DispatchTimeInterval", "CFTimeInterval": .duration
    case "ContinuousClock", "SuspendingClock": .symbol(.clock)
    case "Instant", "ContinuousClock.Instant", "SuspendingClock.Instant", "Date", "DispatchTime",
      "DispatchWallTime":
      .instant
    case "Size": .size
    // What is thrown is a text.
    case "String", "Error", "Swift.Error": .string
    case "Decimal", "Double", "Float", "CGFloat", "Float32", "Float64": .decimal
    case "Void": .void
    case HandleClass.executor.name: .handle(.executor)
    case "DispatchSerialQueue": .handle(.queue)
    default: classes.hiddenLists.contains(name) ? nil : SymbolFamily.named(name)?.type
    }
  }

  /// The type of a name, whether it is a plain one or the trace declares it; nil for neither.
  func namedType(_ name: String) -> ValueType? { plainType(name) ?? declaredType(name) }

  /// The type that is written in a class, which 'Self' is there; in the one at hand for -1.
  mutating func type(_ written: TypeName, of index: Int) -> ValueType {
    let own = ownClass
    if index >= 0 { ownClass = index }
    defer { ownClass = own }
    return type(written)
  }

  /// The type that is written; reports one that does not exist.
  mutating func type(_ written: TypeName) -> ValueType {
    switch written.kind {
    case .name(let name):
      if let plain = plainType(name.text) { return plain }
      if let handle = vocabulary.type(name)?.handle { return .handle(handle) }
      if let own = declaredType(name.text) { return own }
      if let type = otherName(name.text, written.range) { return type }
      if Checker.sourceTypes.contains(name.text) { return .handle(.dispatchSource) }
      if name == words.ownType, ownClass >= 0 { return classes[ownClass].type }
      if ForeignWord.concurrencyTypes.contains(name.text) {
        error(ForeignWord.concurrency(name.text), written.range)
        return .unknown
      }
      if let message = ForeignName.type(name.text) {
        error(message, written.range)
        return .unknown
      }
      let whole = ["Set": "Set<Int>", "Array": "[Int]", "Dictionary": "[String: Int]"][name.text]
      let near = whole ?? Checker.ownType(for: name.text) ?? proposal(name.text, typeNames)
      error(Messages.unknownType(name.text, nearest: near), written.range)
      return .unknown
    case .generic(let name, let arguments): return genericType(name, arguments)
    case .array(let element): return .array(type(element.value))
    case .dictionary(let key, let value):
      return dictionary(type(key.value), key.value.range, type(value.value), value.value.range)
    case .optional(let wrapped):
      let inner = type(wrapped.value)
      if case .optionalOf = inner { return inner }
      return .optional(inner)
    case .function(let parameters, let result, let traits):
      var types: [ValueType] = []
      for parameter in parameters { types.append(type(parameter)) }
      return .function(
        parameters: types, result: result.map { type($0.value) } ?? .void,
        traits: traits.map { self.traits($0.value) } ?? [])
    case .missing: return .unknown
    }
  }

  /// What is written of a closure's type, as the type has it.
  func traits(_ written: ClosureTraits) -> FunctionNode.Traits {
    var traits: FunctionNode.Traits = []
    if written.isAsync { traits.insert(.isAsync) }
    if written.isSendable { traits.insert(.isSendable) }
    switch written.isolation {
    case .mainActor: traits.insert(.isOnMain)
    case .nonisolated: traits.insert(.isInPool)
    case .nonsending: traits.insert(.isWithCaller)
    case .global(let actor): traits.formUnion(classes.index(of: actor.word).map { .isOn($0) } ?? [])
    case .unspecified, .own: break
    }
    return traits
  }

  /// What the type of a function says as a value: whether it may suspend, and the actor that it is on.
  func traits(of function: FunctionSignature) -> FunctionNode.Traits {
    switch function.isolation {
    case .mainActor, .global:
      traits(ClosureTraits(isAsync: function.isAsync, isolation: function.isolation))
    case .unspecified, .nonisolated, .nonsending, .own:
      traits(ClosureTraits(isAsync: function.isAsync))
    }
  }

  /// The type that a `typealias` or a protocol stands for; nil for any other name.
  ///
  /// A value has one class, known before the run, so a protocol is the only type that conforms to it.
  private mutating func otherName(_ name: String, _ range: SourceRange) -> ValueType? {
    if let aliased = aliases[name] {
      // One that leads back to itself is unknown on the way.
      aliases[name] = TypeName(kind: .missing, range: range)
      defer { aliases[name] = aliased }
      return type(aliased)
    }
    guard let types = conforming[name] else { return nil }
    if types.count == 1 { return declaredType(types[0].text) ?? .unknown }
    error(Messages.protocolAsType(name, types.map(\.text)), range)
    return .unknown
  }

  /// `Task<Int, Never>`: what it gives is the first of its types, and any may throw.
  mutating func genericType(_ name: Word, _ arguments: SyntaxList<TypeName>) -> ValueType {
    let given = arguments.isEmpty ? .void : type(arguments[0])
    switch name.text {
    case "Array": return given.isUnknown ? .unknown : .array(given)
    case "Optional": return given.isUnknown ? .unknown : .optional(given)
    case "Set": return set(of: given, arguments.first?.range)
    case "Dictionary" where arguments.count == 2:
      return dictionary(given, arguments[0].range, type(arguments[1]), arguments[1].range)
    default: break
    }
    let handle: HandleClass
    switch name.text {
    case "Task": handle = .task
    case "TaskGroup", "ThrowingTaskGroup": handle = .taskGroup
    case "CheckedContinuation", "UnsafeContinuation": handle = .continuation
    case "Result": handle = .taskResult
    case "Mutex", "OSAllocatedUnfairLock": handle = .unfair
    case "AsyncStream.Continuation": handle = .streamInput
    default: handle = .asyncStream
    }
    return given.isUnknown ? .unknown : .generic(handle, of: given)
  }

  /// Reports a value that is known to be refused or misunderstood where it stands.
  ///
  /// `earliest` is a moment before which nobody comes to that place.
  mutating func checkLiteral(
    _ expression: Expression, _ made: Operand, _ formal: Formal, earliest: Instant = .start
  ) {
    if case .none = formal.limit { return }
    guard let value = made.constant, value != noValue else { return }
    let range = expression.range
    switch formal.limit {
    case .none: break
    case .notNegative:
      if value < 0 && formal.type.unwrapped == made.type {
        error(Messages.negative(made.type), range)
      }
    case .positive:
      if value <= 0 { error(Messages.positive(formal.label?.text ?? "value"), range) }
    case .width:
      if value < 1 { error(Messages.poolWidth, range) }
    case .stackSize:
      guard case .size = expression.kind else { return }
      if value < 16 * 1_024 || value % (4 * 1_024) != 0 { error(Messages.stackSize, range) }
    case .priority:
      if made.type == .decimal && !(0...FixedDecimal.scale).contains(value) {
        error(Messages.priority, range)
      }
    case .probability:
      if !(0...FixedDecimal.scale).contains(value) { error(Messages.probability, range) }
    case .computation:
      guard case .duration = expression.kind else { return }
      if !(50_000...50_000_000).contains(value) { error(Messages.realtimeComputation, range) }
    case .oneMode:
      if case .implicitMember("common") = expression.kind { warn(Messages.commonModes, range) }
    case .timeout: warnOfMoment("a timeout is", made, earliest, range)
    case .deadline: warnOfMoment("a deadline is", made, earliest, range)
    case .date(let label): warnOfMoment("'\(label)' takes", made, earliest, range)
    }
  }

  /// Warns of a length that stands for a moment, counts from the start of the run and can't lie ahead there.
  ///
  /// No time at all means the same from the start and from now on: that nobody waits.
  private mutating func warnOfMoment(
    _ what: String, _ made: Operand, _ earliest: Instant, _ range: SourceRange
  ) {
    guard made.type == .duration, let length = made.constant, length != 0,
      length <= earliest.nanoseconds
    else { return }
    warn(Messages.isMoment(what, source.text(in: range), earliest), range)
  }

  /// Reports a real-time thread that is given less time than it says it computes, by literals.
  mutating func checkConstraint(_ call: CallSite) {
    func literal(_ label: StaticString) -> (value: Nanoseconds, range: SourceRange)? {
      guard let written = call.arguments.first(where: { $0.label == label })?.value,
        case .duration(let value) = written.kind
      else { return nil }
      return (value, written.range)
    }
    guard let computation = literal("computation"), let constraint = literal("constraint") else {
      return
    }
    if constraint.value < computation.value { error(Messages.realtimeConstraint, constraint.range) }
  }

  /// The types that have a value of that name: the trace's own first, then the lists of the vocabulary.
  func owners(of name: String) -> [String] {
    enums.names(having: name)
      + (0..<classes.count).filter { index in
        classes[index].cases.contains { $0.name.text == name }
      }.map { classes[$0].name.text }
      + SymbolFamily.allCases.filter { $0.type != nil && $0.members.contains(name) }.map(\.rawValue)
  }

  /// Reports a name that means nothing here as a value.
  mutating func unknownName(_ name: Word, _ range: SourceRange) -> Operand {
    if let type = vocabulary.type(name), type.handle == nil {
      return refuse(Messages.ownerAsValue(name.text), range)
    }
    if ForeignWord.concurrencyTypes.contains(name.text) {
      return refuse(ForeignWord.concurrency(name.text), range)
    }
    if name.text.hasPrefix("$"), ownClass >= 0,
      classes[ownClass].memberNames.contains(String(name.text.dropFirst()))
    {
      return refuse(Messages.publisher(name.text), range)
    }
    if laterFunctions.contains(name) { return refuse(Messages.laterFunction(name.text), range) }
    if name == "print" { return refuse(Messages.printAsValue, range) }
    if ["abs", "max", "min"].contains(name.text) {
      return refuse(Messages.numbersAsValue(name.text), range)
    }
    if let message = ForeignName.all[name.text] { return refuse(message, range) }
    if let aliased = aliases[name.text] {
      return refuse(Messages.aliasAsValue(name.text, source.text(in: aliased.range)), range)
    }
    switch Checker.ownType(for: name.text) {
    case nil: break
    case "Decimal": break
    case "Instant": return refuse(Messages.momentType(name.text), range)
    case "Duration": return refuse(Messages.lengthType(name.text), range)
    case let own?: return refuse(Messages.unknownName(name.text, nearest: own), range)
    }
    if plainType(name.text) != nil || vocabulary.type(name) != nil
      || declaredType(name.text) != nil
    {
      return refuse(Messages.typeAsValue(name.text), range)
    }
    if SymbolFamily.signalName.members.contains(name.text) {
      return refuse(Messages.unknownName(name.text, nearest: ".\(name)"), range)
    }
    let vocabulary = vocabulary
    let own = ownClass < 0 ? [] : classes[ownClass].memberNames
    let near = proposalOfName(name.text) {
      (own, vocabulary.free.names + vocabulary.types.map(\.name))
    }
    return refuse(Messages.unknownName(name.text, nearest: near), range)
  }
}
