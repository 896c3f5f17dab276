import SpindleModel

/// Values as `Any`, or as a protocol of the program: an instance is itself there, and any other value in a box, which is
/// an instance of a class for its type.
extension Emitter {
  /// The type of the boxes for values of a type; no program can write it.
  private func box(for type: SwiftType) -> SwiftType {
    .tuple([SwiftType.TupleElement(label: nil, type: type)])
  }

  /// The type whose class tells that a value is of a type where that is not its static type: the type itself, or that
  /// of the boxes for its values.
  func boxed(_ type: SwiftType) -> SwiftType { isInstance(type) ? type : box(for: type) }

  /// A value as `Any`, or as a protocol.
  func emitAny(_ inner: Typed.Expression, _ from: SwiftType, _ range: SourceRange) -> Register {
    if isInstance(from) { return emitOwned(inner) }
    let value = emitOwned(inner)
    let made = makeEmpty(box(for: from), range)
    emit(.fieldStore(made, 0, from: value), range)
    return made
  }

  /// Goes on at `missing` where a value that is `Any` is not of a type that boxes hold; gives what is in the box.
  func emitUnboxed(
    _ value: Register, as type: SwiftType, missing: Frame.Label, _ range: SourceRange
  ) -> Register {
    let (result, found) = (code.frame.pinned(), code.frame.label())
    let optional = known.optional(type)
    for (held, isLast) in [(type, false), (optional, true)] {
      let (test, next) = (allocate(), isLast ? missing : code.frame.label())
      emit(.instanceIs(test, of: value, ClassID(classNumber(of: box(for: held)))), range)
      emit(.jumpUnless(test, code.frame.target(next)), range)
      emit(.fieldLoad(result, of: value, 0), range)
      if isLast {
        jump(ifNil: true, result, to: missing, range)
        emit(.copy(result, from: unwrap(result, type, range)), range)
      } else {
        code.frame.jump(found, expansion ?? range)
        code.frame.mark(next)
      }
    }
    code.frame.mark(found)
    return result
  }

  /// `value as? Int`, `value as! Int`, `value is Int` of a value that is `Any`.
  func emitCast(
    fromAny inner: Typed.Expression, _ cast: Grammar.Cast, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let value = emit(inner)
    let result = code.frame.pinned()
    let (missing, end) = (code.frame.label(), code.frame.label())
    let found = emitUnboxed(value, as: type, missing: missing, range)
    emit(cast == .test ? .constant(1, to: result) : .copy(result, from: found), range)
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(missing)
    if cast == .forced {
      crash("Could not cast value to '\(type)'", range)
    } else {
      emit(.constant(cast == .test ? 0 : noValue, to: result), range)
    }
    code.frame.mark(end)
    return cast == .test ? result : retained(result, type, range)
  }

  // MARK: Texts

  /// What a value prints as whose type only the run knows.
  func describeAny(_ value: Register, isPart: Bool, _ range: SourceRange) -> Register {
    let block = anyDescription ?? code.reserveBlock()
    anyDescription = block
    let base = window([value, constant(isPart ? 1 : 0, range)], range)
    emit(.call(block, base: base, code.site()), range)
    return base
  }

  /// The block that describes such values, when all classes of the program are known.
  func emitAnyDescription() {
    guard let block = anyDescription else { return }
    emitByClass(
      block, called: "describe", tested: 1, where: { canDescribe($0) }, otherwise: intern("(value)")
    ) { type, values, result in
      describe(values[0], type, isPart: values[1], into: result)
    }
  }

  /// A block with two parameters that has code of its own for each class of the program.
  ///
  /// - Parameters:
  ///   - block: The block, which was reserved.
  ///   - name: Its name in the log and in call stacks.
  ///   - tested: How many of the parameters have to be instances of the class, from the first on.
  ///   - isWanted: Whether there is code for a class.
  ///   - otherwise: The result for instances of any other class.
  ///   - emitBody: Emits the code for a class, given the parameters and the register of the result.
  func emitByClass(
    _ block: BlockID, called name: String, tested: Int, where isWanted: (SwiftType) -> Bool,
    otherwise: @autoclosure () -> Int64, _ emitBody: (SwiftType, [Register], Register) -> Void
  ) {
    let range = SourceRange(0, 0)
    (storages, substitution, expansion) = ([:], [:], nil)
    code.beginFrame(name: code.intern(name))
    let parameters = [allocate(), allocate()]
    code.frame.parameterCount = parameters.count
    let (result, end) = (code.frame.pinned(), code.frame.label())
    // What a class emits can make further classes known.
    var done: Set<SwiftType> = []
    while let (type, number) = classes.filter({ !done.contains($0.key) }).min(by: {
      $0.value < $1.value
    }) {
      done.insert(type)
      guard isWanted(type) else { continue }
      let (next, test, other) = (code.frame.next, allocate(), code.frame.label())
      for value in parameters.prefix(tested) {
        emit(.instanceIs(test, of: value, ClassID(number)), range)
        emit(.jumpUnless(test, code.frame.target(other)), range)
      }
      emitBody(type, parameters, result)
      code.frame.jump(end, range)
      code.frame.mark(other)
      code.frame.next = next
    }
    emit(.constant(otherwise(), to: result), range)
    code.frame.mark(end)
    emit(.finishWith(result), range)
    code.frame.isReachable = false
    code.endFrame(block, range)
  }

  private func describe(
    _ value: Register, _ type: SwiftType, isPart: Register, into result: Register
  ) {
    let range = SourceRange(0, 0)
    var (held, own) = (value, type)
    if case .tuple(let parts) = type, parts.count == 1 {
      held = allocate()
      emit(.fieldLoad(held, of: value, 0), range)
      own = parts[0].type
    }
    // Within something else a text is in quotation marks, and a type has its module in front.
    let (whole, end) = (code.frame.label(), code.frame.label())
    emit(.jumpUnless(isPart, code.frame.target(whole)), range)
    text([(nil, describe(held, own, isPart: true, range))], into: result, range)
    code.frame.jump(end, range)
    code.frame.mark(whole)
    text([(nil, describe(held, own, isPart: false, range))], into: result, range)
    code.frame.mark(end)
  }

  /// Whether values of a type have a text, apart from parts of the types `around` it.
  private func canDescribe(_ type: SwiftType, around: Set<SwiftType> = []) -> Bool {
    if around.contains(type) { return true }
    let inner = around.union([type])
    switch type {
    case .tuple(let elements):
      return elements.allSatisfy { canDescribe($0.type, around: inner) }
    case .nominal(let nominal, let arguments):
      if nominal.isReference, nominal.builtin == nil { return true }
      let parts =
        nominal.builtin == nil
        ? nominal.stored.map { bodies.type(of: $0) }
          + nominal.cases.flatMap { $0.values.map(\.type) }
        : arguments
      let substitution = nominal.substitution(arguments)
      return nominal.builtin != .handle
        && parts.allSatisfy { canDescribe($0.substituting(substitution), around: inner) }
    case .function, .existential, .metatype: return true
    case .parameter, .member, .variable, .error: return false
    }
  }
}
