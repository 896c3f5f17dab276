import SpindleModel

/// Members of the vocabulary: the window of each primitive, slot by slot.
extension Emitter {
  func emitRow(_ row: Member, _ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let range = value.range
    prepareRow(row, call)
    switch row.action {
    case .draw(let distribution): return draw(distribution, call, range)
    case .claim, .store, .load, .now:
      unsupported("'\(row.name)'", range)
      return allocate()
    case .perform, .record, .sample, .inPlace, .inPlaceIf: break
    }
    if row.isNote { return note(row, call, range) }
    let (naming, element) = (boundName, boundElement)
    (boundName, boundElement) = (nil, nil)
    var context = SlotContext(naming: naming)
    context.element = element
    let base = fillWindow(row.steps.count, range) { index in
      fill(row.steps[index], index, row, call, &context, range)
    }
    let site = row.traits.contains(.creates) ? code.site() : noSite
    switch row.action {
    case .perform(let primitive):
      completeTask(primitive, row, base, call, concrete(value.type))
      handOver(primitive, base, call)
      performRow(primitive, row, base, site, call, value)
    case .record: emit(.perform(.doing(.record), base: base, site), call.place)
    case .sample: emit(.perform(.doing(.sample), base: base, site), call.place)
    case .inPlace(let enter, let leave):
      return inPlace(row, enter, leave, base, site, call, value)
    case .inPlaceIf(let enter, let leave):
      return inPlaceIf(enter, leave, base, site, call, value)
    case .draw, .claim, .store, .load, .now: unsupported("'\(row.name)'", range)
    }
    if row.traits.contains(.neverReturns) { code.frame.isReachable = false }
    free(from: Int(base.index) + 1)
    return given(base, by: row, concrete(value.type), range)
  }

  /// What the slots of one window know of each other.
  struct SlotContext {
    var naming: String?
    /// The index behind the name.
    var element: Register?
    var handle: HandleClass?
    /// The name that the call gives, with a `*` for each value in it.
    var pattern: String?
    var hasName = false
    var lastFormat = ValueFormat.integer
  }

  /// The value of one slot, most often in the first free register, where the slot is.
  func fill(
    _ step: Member.Step, _ index: Int, _ row: Member, _ call: Typed.Call,
    _ context: inout SlotContext, _ range: SourceRange
  ) -> Register {
    var given: Typed.Expression?
    if step.formal >= 0, step.formal < call.arguments.count,
      case .value(let value) = call.arguments[step.formal]
    {
      given = value
    }
    switch step.kind {
    case .receiver: return call.receiver.map { emit($0) } ?? allocate()
    case .owner(let primitive):
      let register = allocate()
      emit(.perform(primitive, base: register, noSite), range)
      return register
    case .handleClass: return constant(Int64(context.handle?.rawValue ?? 0), range)
    case .argument(let standard):
      guard let given else { return constant(standard, range) }
      let type = concrete(given.type)
      let value = emitOwned(given)
      context.lastFormat = format(of: type)
      var word: Register?
      if case .record = row.action { word = recorded(value, type, &context.lastFormat, range) }
      context.handle = type.nominal?.handle ?? context.handle
      if case .conversion(let inner) = given.kind {
        context.handle = concrete(inner.type).nominal?.handle ?? context.handle
      }
      return word ?? value
    case .name:
      if let given, !isNil(given) {
        context.hasName = true
        var plain = given
        if case .wrapped(let inner) = given.kind { plain = inner }
        context.pattern = pattern(of: plain)
        return emit(given)
      }
      guard let name = context.naming else { return constant(noValue, range) }
      guard let index = context.element else { return constant(intern(name), range) }
      let register = allocate()
      nameElement(of: name, index, register, range)
      return register
    case .kind: return constant(kind(row, index, call, context), range)
    case .closure:
      guard let given, !isNil(given) else { return constant(noValue, range) }
      return row.makesTask ? emitTaskClosure(given, isAdded: row.addsToGroup) : emitKept(given)
    case .constant(let constant): return self.constant(constant, range)
    case .format:
      if case .sample = row.action { noteSample(call, context.lastFormat, range) }
      return constant(Int64(context.lastFormat.rawValue), range)
    case .text: return allocate()
    }
  }

  /// What is recorded of a value of several parts: of one of the library's enums its case, of any other its text; nil for
  /// a value that is one word.
  private func recorded(
    _ value: Register, _ type: SwiftType, _ format: inout ValueFormat, _ range: SourceRange
  ) -> Register? {
    guard isInstance(type), type.nominal?.isReference != true else { return nil }
    guard type.nominal?.kind == .enum, type.nominal?.isLibrary == true else {
      format = .string
      return printed(value, type, range)
    }
    format = .symbol
    let name = allocate()
    emit(.fieldLoad(name, of: value, 0), range)
    return name
  }

  /// Notes what is sampled under a key.
  private func noteSample(_ call: Typed.Call, _ format: ValueFormat, _ range: SourceRange) {
    guard case .value(let key)? = call.arguments.first, format.isMeasured else {
      return table.report(Messages.notSampled, range)
    }
    code.noteSample(CodeBuilder.SampleUse(key: pattern(of: key), format: format))
  }

  func isNil(_ value: Typed.Expression) -> Bool {
    if case .nil = value.kind { return true }
    return false
  }

  /// What a name's kind is called: its literal, with a `*` for each value in it.
  private func pattern(of value: Typed.Expression) -> String {
    switch value.kind {
    case .text(let text): return text
    case .interpolation(let segments):
      return segments.map { segment in
        switch segment {
        case .text(let text): text
        case .value: "*"
        }
      }.joined()
    case .call(let call):
      guard case .function(let symbol) = call.callee,
        case .builtin("concatenate") = symbol.implementation,
        case .value(let one)? = call.arguments.first, case .value(let other)? = call.arguments.last
      else { return "*" }
      return pattern(of: one) + pattern(of: other)
    case .constant(let number) where concrete(value.type).nominal?.builtin == .string:
      return code.names[Int(number)]
    default: return "*"
    }
  }

  /// The kind of work that a call makes: by its name, or by the place of the call.
  func kind(
    _ row: Member, _ slot: Int, _ call: Typed.Call, _ context: SlotContext
  ) -> Int64 {
    // "*" is all work, and no kind of it.
    if let pattern = context.pattern, !pattern.allSatisfy({ $0 == "*" }) {
      return code.kind(pattern: code.intern(pattern))
    }
    if !context.hasName, let name = context.naming {
      return code.kind(pattern: code.intern(context.element == nil ? name : name + "[*]"))
    }
    guard case .kind(let submitter) = row.slots[slot] else { return 0 }
    let place = expansion ?? call.place
    var full = submitter
    if row.name == submitter, let owner = call.owner {
      full = CodeBuilder.submitter(submitter, of: source.text(in: owner))
    }
    let (file, line) = source.fileLine(at: place.lowerBound)
    if source.part(at: place.lowerBound) != nil {
      full += ":" + (file.split(separator: "/").last.map(String.init) ?? file)
    }
    return code.kind(of: full, line: line, at: place, isNamed: context.hasName)
  }

  /// `mark`: all arguments in one text.
  func note(_ row: Member, _ call: Typed.Call, _ range: SourceRange) -> Register {
    let base = inNext(range) {
      if case .value(let value)? = call.arguments.first { emit(value) } else { allocate() }
    }
    if case .perform(let primitive) = row.action {
      emit(.perform(primitive, base: base, noSite), call.place)
    }
    code.frame.next = Int(base.index) + 1
    return base
  }

  func draw(
    _ distribution: Distribution, _ call: Typed.Call, _ range: SourceRange
  ) -> Register {
    let base = fillWindow(call.arguments.count, range) { index in
      if case .value(let value) = call.arguments[index] { emit(value) } else { allocate() }
    }
    emit(
      .draw(base: base, code.site(), count: UInt16(clamping: call.arguments.count), distribution),
      call.place)
    code.frame.next = Int(base.index) + 1
    return base
  }

  /// A closure between two primitives; an error that it throws passes the second on its way out.
  func inPlace(
    _ row: Member, _ enter: Primitive, _ leave: Primitive, _ base: Register, _ site: SiteID,
    _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    let range = call.place
    guard case .value(let closure)? = call.arguments.last else { return base }
    // The window stays until the second primitive, where there is one.
    let object = row.steps.isEmpty ? nil : code.frame.pinned()
    if let object { emit(.copy(object, from: base), range) }
    formClosures(call)
    emit(.perform(enter, base: base, site), range)
    let (start, throwing) = (code.frame.code.count, code.frame.throwing)
    let result = code.frame.pinned()
    let made = emitInPlace(closure, value)
    if !concrete(value.type).isVoid { emit(.copy(result, from: made), range) }
    let end = code.frame.code.count
    func finish() {
      let window = allocate()
      if let object { emit(.copy(window, from: object), range) }
      emit(.perform(leave, base: window, noSite), range)
    }
    finish()
    if code.frame.throwing > throwing { onThrow(from: start, to: end, range, finish) }
    return result
  }

  /// The same where the first primitive gives true, else nothing.
  private func inPlaceIf(
    _ enter: Primitive, _ leave: Primitive, _ base: Register, _ site: SiteID, _ call: Typed.Call,
    _ value: Typed.Expression
  ) -> Register {
    let range = call.place
    guard case .value(let closure)? = call.arguments.last else { return base }
    let (object, end) = (code.frame.pinned(), code.frame.label())
    emit(.copy(object, from: base), range)
    formClosures(call)
    emit(.perform(enter, base: base, site), range)
    emit(.jumpUnless(base, code.frame.target(end)), range)
    let (start, throwing) = (code.frame.code.count, code.frame.throwing)
    _ = emitInPlace(closure, value)
    let last = code.frame.code.count
    func finish() {
      let window = allocate()
      emit(.copy(window, from: object), range)
      emit(.perform(leave, base: window, noSite), range)
    }
    finish()
    if code.frame.throwing > throwing { onThrow(from: start, to: last, range, finish) }
    code.frame.mark(end)
    return base
  }

  // MARK: Properties

  func read(
    _ row: Property, _ receiver: Typed.Expression?, _ value: Typed.Expression
  ) -> Register {
    read(row, receiver.map { emit($0) }, value)
  }

  func read(_ row: Property, _ receiver: Register?, _ value: Typed.Expression) -> Register {
    let range = value.range
    if asksReadiness, row.name == "isReady" { return constant(1, range) }
    let base = allocate()
    if let receiver {
      emit(.copy(base, from: receiver), range)
    } else if let owner = row.owner {
      emit(.perform(owner, base: base, noSite), range)
    }
    if row.leavesActor, code.frame.asynchrony.home != .pool { hop(to: .pool, range) }
    switch row.get {
    case .perform(let primitive): emit(.perform(primitive, base: base, noSite), range)
    case .now: emit(.now(base), range)
    case .constant(let constant): emit(.constant(constant, to: base), range)
    case .dictionary: unsupported("'\(row.name)'", range)
    case .none: table.report(Messages.setOnly(row.name), range)
    }
    return finishRead(row, base, value.type, range)
  }

  func set(
    _ row: Property, _ receiver: Register?, _ register: Register, _ value: Typed.Expression
  ) {
    let range = value.range
    let base = allocate()
    if let receiver {
      emit(.copy(base, from: receiver), range)
      emit(.copy(allocate(), from: register), range)
    } else if let owner = row.owner {
      emit(.perform(owner, base: base, noSite), range)
      emit(.copy(allocate(), from: register), range)
    } else {
      emit(.copy(base, from: register), range)
    }
    if let primitive = row.set {
      emit(.perform(primitive, base: base, noSite), range)
    } else if let primitive = row.setClosure {
      emit(.perform(primitive, base: base, code.site()), range)
    } else {
      unsupported("an assignment to '\(row.name)'", range)
    }
  }
}
