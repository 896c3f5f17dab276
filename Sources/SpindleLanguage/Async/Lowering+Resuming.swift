import SpindleModel

/// `continuation.resume(with: result)`.
extension Lowering {
  /// Whether a call of a continuation hands it a result.
  func isResumedWith(_ name: Word, _ call: CallSite) -> Bool {
    name == "resume" && call.arguments.first?.label == "with"
  }

  /// Warns of a closure that does nothing with its continuation.
  mutating func warnOfForgotten(_ body: Expression.Closure, _ range: SourceRange) {
    if let name = body.parameters.first, !name.word.isUnderscore,
      let (first, last) = body.body.statements.first.flatMap({ first in
        body.body.statements.last.map { (first.range, $0.range) }
      }), isNamed(name, in: first.union(last))
    {
      return
    }
    warn(Messages.forgottenContinuation, range)
  }

  /// Behind a resume that says whether there was one before: then the process ends, by a text with the value.
  mutating func trapIfResumed(
    _ continuation: Operand, _ isAgain: Register, with value: Operand, _ call: CallSite
  ) {
    let (next, goesOn) = (frame.next, frame.label())
    emit(.jumpUnless(isAgain, frame.target(goesOn)), call.place)
    let window = frame.allocate(2)
    let text = Register(Int(window.index) + 1)
    let written: TextPiece =
      switch value.type {
      case .void, .unknown: .literal("()")
      case .functionOf: .literal("(Function)")
      default: piece(value, call.place)
      }
    let made = join([written], text, call.place)
    place(made, in: text, call.place)
    place(continuation, in: window, call.place)
    emit(.perform(.continuation(.resumedTwice), base: window, noSite), call.place)
    frame.next = next
    frame.mark(goesOn)
  }

  /// The value of `#function` here: the enclosing function with its labels, through any closures; outside of functions
  /// the name of the module.
  var functionAround: String {
    for level in stride(from: code.depth, through: 0, by: -1) {
      let around = code.frame(at: level)
      if case .function(let ordinal) = around.context {
        let signature = functions[ordinal]
        // A member's signature has its type in front.
        let name = signature.name.split(separator: ".").last.map(String.init) ?? signature.name
        let isComputed =
          statics.getters.contains(ordinal)
          || checker.ownClass >= 0
            && checker.classes[checker.ownClass].computed.contains { $0.ordinal == ordinal }
        if isComputed { return name }
        return "\(name)(\(signature.labels.map { "\($0 ?? "_"):" }.joined()))"
      }
      if around.name == WellKnownName.main.id { return "main()" }
    }
    return "main"
  }

  /// What an object hands over; of a continuation of which that is not said, what was found out so far.
  func handedElement(of object: ValueType) -> ValueType {
    guard case .generic(.continuation, let node) = object, node.type.isUnknown else {
      return object.element
    }
    return foundHandover ?? .unknown
  }

  /// Notes what a continuation of which that is not said is resumed with.
  mutating func noteHandover(_ found: ValueType, to object: ValueType) {
    guard foundHandover == nil, !found.isUnknown, found != .null,
      case .generic(.continuation, let node) = object, node.type.isUnknown
    else { return }
    foundHandover = found
  }

  /// Notes what a continuation of which that is not said hands over where one of a known type is wanted: `load($0)`,
  /// `waiting.append($0)`.
  mutating func noteHandover(asked type: ValueType, of given: ValueType) {
    switch type.unwrapped {
    case .generic(.continuation, let node): noteHandover(node.type, to: given)
    case .handle(.continuation): noteHandover(.void, to: given)
    default: break
    }
  }

  /// Resumes with what a result has: what is written as one is taken apart where it stands, any other when it runs.
  mutating func resume(_ continuation: Operand, with call: CallSite) -> Operand {
    if isWithoutWords { return .unknown }
    guard call.arguments.count == 1, call.closures.isEmpty else {
      walkStray(call)
      return refuse(Messages.tooManyArguments("resume"), nameRange(of: call.callee))
    }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    let given = call.arguments[0].value
    let own = hidden("? resumed", continuation, call.place)
    if let (isSuccess, part) = writtenResult(given) {
      return value(resuming(own, isSuccess, part, call))
    }
    let made = value(given)
    guard !made.type.isUnknown else { return .unknown }
    guard made.type.isResult || made.type.isOutcome else {
      return refuse(Messages.mismatch(expected: "a Result", found: "\(made.type)"), given.range)
    }
    let result = hidden("? result", made, given.range)
    let part = arena.named(arena.words.word("? part"), given.range)
    let isVoid = continuation.type.element.isVoid
    let cases = [true, false].map { isSuccess in
      let bound = isSuccess && isVoid ? nil : part
      let next = resuming(own, isSuccess, bound, call)
      let body = arena.block([Statement(kind: .expression(next), range: call.range)], call.range)
      return Statement.Case(
        patterns: arena.list([pattern(isSuccess, bound, given.range)]), body: body,
        range: given.range)
    }
    lowerSwitch(
      Statement.Selection(value: result, cases: arena.list(cases), range: call.range), label: nil)
    return .void
  }

  /// `.success(x)`, `Result.failure(e)` as it is written; nil for anything else.
  private func writtenResult(_ given: Expression) -> (isSuccess: Bool, part: Expression?)? {
    guard case .call(let call) = given.kind, call.arguments.count < 2, call.closures.isEmpty
    else { return nil }
    let name: Word
    switch call.callee.kind {
    case .implicitMember(let own): name = own
    case .member(let member):
      guard case .name(let type) = member.base.kind, type.text == "Result" else { return nil }
      name = member.name
    default: return nil
    }
    guard name == words.success || name == words.failure else { return nil }
    return (name == words.success, call.arguments.first?.value)
  }

  /// `continuation.resume(returning: x)`, `continuation.resume(throwing: e)`, `continuation.resume()`.
  private func resuming(
    _ continuation: Expression, _ isSuccess: Bool, _ part: Expression?, _ call: CallSite
  ) -> Expression {
    let label = arena.words.word(isSuccess ? "returning" : "throwing")
    let arguments = part.map {
      [Expression.Argument(label: label, labelRange: $0.range, value: $0)]
    }
    let callee = arena.member(
      arena.words.word("resume"), of: continuation, nameRange(of: call.callee))
    return arena.call(callee, arguments ?? [], at: call.range)
  }

  /// `.success(let x)`, or `.success` where nothing is bound.
  private func pattern(_ isSuccess: Bool, _ bound: Expression?, _ range: SourceRange) -> Pattern {
    let name = Name(word: isSuccess ? words.success : words.failure, range: range)
    var elements: [CasePattern.Element] = []
    guard case .name(let word)? = bound?.kind else {
      return Pattern(
        kind: .value(arena.expression(kind: .implicitMember(name.word), range: range)),
        range: range)
    }
    let taken = Pattern(
      kind: .name(Name(word: word, range: range), isVariable: false), range: range)
    elements = [CasePattern.Element(pattern: taken)]
    let whole = CasePattern(name: name, elements: arena.list(elements))
    return Pattern(kind: .payload(arena.node(whole)), range: range)
  }

  /// A name that no text can have for a value that stays what it is; the caller closes its scope.
  private mutating func hidden(
    _ name: String, _ value: Operand, _ range: SourceRange
  ) -> Expression {
    let register = frame.pinned()
    place(value, in: register, range)
    let word = arena.words.word(name)
    scope.declare(
      Symbol(
        name: word, meaning: .register(register), type: value.type, place: range,
        frame: Int32(depth)))
    return arena.named(word, range)
  }
}
