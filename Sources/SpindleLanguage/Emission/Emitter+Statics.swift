import SpindleModel

/// Statics: those whose making nothing can observe get their values before the run, the others when they are first used.
///
/// Swift makes each of them under `swift_once` (the lazy initialisers of globals in the runtime's `Once.cpp`).
extension Emitter {
  /// A static that gets its value when it is first used.
  struct LazyStatic {
    /// What tells whether it has its value.
    var token: GlobalID
    /// The block that makes it.
    var block: BlockID
  }

  /// A `static` that no section of the program has made yet.
  func staticPlace(_ variable: VariableSymbol, _ range: SourceRange) -> Place {
    let value = bodies.initialValue(of: variable)
    if variable.isLet, let value, variable.owner?.isLibrary == true,
      value.type.nominal?.isReference != true
    {
      // A constant of the library is evaluated where it is used.
      return .value(emit(value))
    }
    if value.map({ isPlain($0) }) == false, !isHome(variable) {
      let token = GlobalID(program.globals.count)
      program.globals.append(
        Global(
          name: "\(variable.name).once", format: .object, isVariable: false,
          place: variable.range, handle: .onceToken))
      lazyStatics[ObjectIdentifier(variable)] = LazyStatic(
        token: token, block: code.reserveBlock())
      pendingStatics.append(variable)
    }
    let global = makeGlobal(variable)
    lateStatics.append(variable)
    makeLazy(variable, range)
    return globalPlace(global, variable)
  }

  /// A variable of a script that a statement of `main` gives its value: code that reads one of a type without nil before
  /// that ends the process.
  func scriptPlace(_ variable: VariableSymbol, _ value: Typed.Expression) -> Place {
    let global = scriptGlobal(variable)
    if concrete(value.type).wrapped == nil {
      let (test, isSet) = (allocate(), code.frame.label())
      emit(.loadGlobal(test, global), value.range)
      jump(ifNil: false, test, to: isSet, value.range)
      crash(Messages.runTimeEarlyRead(variable.name), value.range)
      code.frame.mark(isSet)
      (code.frame.next, code.frame.isReachable) = (Int(test.index), true)
    }
    return globalPlace(global, variable)
  }

  private func scriptGlobal(_ variable: VariableSymbol) -> GlobalID {
    globals[ObjectIdentifier(variable)] ?? makeGlobal(variable)
  }

  /// Gives a variable of a script a value: observers do not see the first one.
  func emitTopValue(
    _ variable: VariableSymbol, _ value: Typed.Expression, _ place: Typed.Expression,
    _ range: SourceRange
  ) {
    let isFirst = variable.isLet || value === bodies.initialValue(of: variable)
    if isFirst, isMade(value) { boundName = variable.name }
    let register = emitOwned(value, isVariable: !variable.isLet)
    boundName = nil
    let global = scriptGlobal(variable)
    if isFirst {
      emit(.storeGlobal(global, from: register), range)
    } else {
      store(register, in: globalPlace(global, variable), place)
    }
  }

  /// In front of the use of a static: makes it, or waits for who does.
  func makeLazy(_ variable: VariableSymbol, _ range: SourceRange) {
    guard let known = lazyStatics[ObjectIdentifier(variable)] else { return }
    let next = code.frame.next
    let (register, done) = (allocate(), code.frame.label())
    emit(.loadGlobal(register, known.token), range)
    emit(.perform(.once(.see), base: register, noSite), range)
    emit(.jumpIf(register, code.frame.target(done)), range)
    emit(.call(known.block, base: register, code.site()), range)
    code.frame.mark(done)
    code.frame.next = next
  }

  /// Whether nothing can observe when a value is made.
  private func isPlain(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .constant, .integer, .decimal, .text, .nil, .symbol, .options, .metatype, .closure: true
    case .wrapped(let inner), .conversion(let inner): isPlain(inner)
    case .tuple(let parts), .instance(let parts), .array(let parts): parts.allSatisfy(isPlain)
    case .dictionary(let entries): entries.allSatisfy { isPlain($0.key) && isPlain($0.value) }
    case .call(let call): isPlain(call)
    default: false
    }
  }

  private func isPlain(_ call: Typed.Call) -> Bool {
    guard case .function(let symbol) = call.callee, call.receiver == nil else { return false }
    let isMade: Bool =
      switch symbol.implementation {
      // What may be dropped does something by itself, such as a task.
      case .row(let row): row.traits.contains(.creates) && !row.traits.contains(.ignorable)
      case .enumCase: true
      case .memberwise: symbol.owner?.isValue == true
      case .builtin(let name): name == "emptyCollection"
      case .none, .body, .inlined: false
      }
    return isMade
      && call.arguments.allSatisfy { argument in
        switch argument {
        case .value(let value), .standard(let value): isPlain(value)
        case .variadic(let values): values.allSatisfy(isPlain)
        case .absent: true
        }
      }
  }

  /// Makes the blocks of the statics that bodies use.
  func emitPendingStatics() {
    while !pendingStatics.isEmpty, !table.hasErrors {
      let variable = pendingStatics.removeFirst()
      guard let known = lazyStatics[ObjectIdentifier(variable)],
        let value = bodies.initialValue(of: variable),
        let global = globals[ObjectIdentifier(variable)]
      else { continue }
      (storages, substitution, expansion) = ([:], [:], nil)
      let range = value.range
      code.beginFrame(name: code.intern(variable.name))
      let (base, object, skip) = (allocate(), allocate(), code.frame.label())
      emit(.loadGlobal(object, known.token), range)
      emit(.copy(base, from: object), range)
      emit(.perform(.once(.enterStatic), base: base, noSite), range)
      emit(.jumpUnless(base, code.frame.target(skip)), range)
      boundName = isMade(value) ? fullName(of: variable) : nil
      let register = emitOwned(value, isVariable: !variable.isLet)
      boundName = nil
      emit(.storeGlobal(global, from: register), range)
      emit(.copy(base, from: object), range)
      emit(.perform(.once(.leave), base: base, noSite), range)
      code.frame.mark(skip)
      endFrame(known.block, range)
    }
  }

  /// The values of statics that bodies use.
  func emitLate() -> BlockID? {
    guard !lateStatics.isEmpty else { return nil }
    let block = code.reserveBlock()
    code.beginFrame(name: code.intern("top"))
    var index = 0
    while index < lateStatics.count {
      emitLate(lateStatics[index])
      index += 1
    }
    lateStatics = []
    endFrame(block, SourceRange(0, 0))
    return block
  }

  private func emitLate(_ variable: VariableSymbol) {
    if let known = lazyStatics[ObjectIdentifier(variable)] {
      let register = constant(intern(fullName(of: variable)), variable.range)
      emit(.perform(.once(.makeStatic), base: register, noSite), variable.range)
      emit(.storeGlobal(known.token, from: register), variable.range)
    } else if let value = bodies.initialValue(of: variable),
      let global = globals[ObjectIdentifier(variable)]
    {
      boundName = isMade(value) ? fullName(of: variable) : nil
      let register = emitOwned(value, isVariable: !variable.isLet)
      boundName = nil
      emit(.storeGlobal(global, from: register), value.range)
      endTemporaries(from: 0, value.range)
    }
    code.frame.next = 0
  }
}
