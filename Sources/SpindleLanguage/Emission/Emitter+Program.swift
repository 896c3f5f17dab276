import SpindleModel

/// The sections of a program: the values at the top and `main`.
extension Emitter {
  func emit(_ typed: TypedProgram) {
    for nominal in table.ownTypes where nominal.superclass?.nominal?.isLibrary == true {
      unsupported("a subclass of a type of the library", nominal.place ?? SourceRange(0, 0))
    }
    let variables = typed.sections.contains { if case .variables = $0 { true } else { false } }
    let initializer = code.reserveBlock()
    code.beginFrame(.top, name: code.intern("top"))
    if variables {
      isMakingGlobals = true
      for section in typed.sections {
        guard case .variables(let symbols, let value, let isLet) = section else { continue }
        emitGlobals(symbols, value, isLet: isLet)
      }
      isMakingGlobals = false
    }
    code.endFrame(initializer, SourceRange(0, 0))
    for section in typed.sections {
      switch section {
      case .main(let body, let isTool, let range): emitMain(body, isTool: isTool, range)
      case .arrival(let value, _): unsupported("a call at the top", value.range)
      case .variables: break
      }
    }
    emitPending()
    let late = emitLate()
    emitPending()
    if variables || late != nil || !hiddenGlobals.isEmpty {
      program.initializer = join(initializer, variables, late)
    }
  }

  private func emitGlobals(
    _ symbols: [VariableSymbol], _ value: Typed.Expression, isLet: Bool
  ) {
    let range = value.range
    if symbols.count == 1, symbols[0].path.isEmpty {
      boundName = isMade(value) ? symbols[0].name : nil
      let register = emitOwned(value)
      boundName = nil
      storeGlobal(symbols[0], register, range)
    } else {
      let register = emitOwned(value)
      for symbol in symbols {
        let part = allocate()
        emit(.fieldLoad(part, of: register, Int32(symbol.path[0])), range)
        storeGlobal(symbol, part, range)
      }
    }
    code.frame.next = 0
  }

  /// What a variable at the top is called, a static one with its type in front.
  func fullName(of symbol: VariableSymbol) -> String {
    symbol.owner.map { "\($0.name).\(symbol.name)" } ?? symbol.name
  }

  func storeGlobal(
    _ symbol: VariableSymbol, _ register: Register, _ range: SourceRange
  ) {
    let type = bodies.type(of: symbol)
    let global = GlobalID(program.globals.count)
    program.globals.append(
      Global(
        name: fullName(of: symbol), format: format(of: type), isVariable: !symbol.isLet,
        place: symbol.range, handle: handle(of: type)))
    globals[ObjectIdentifier(symbol)] = global
    emit(.storeGlobal(global, from: register), range)
  }

  private func emitMain(_ body: BodyTable.Body, isTool: Bool, _ range: SourceRange) {
    (storages, substitution) = ([:], [:])
    let block = code.reserveBlock()
    code.beginFrame(.thread, name: WellKnownName.main.id)
    functionName = "main()"
    code.frame.asynchrony.suspending = isTool ? .yes : .no
    (code.frame.asynchrony.home, code.frame.asynchrony.isMain) = (.mainActor, true)
    emitStatements(body.statements)
    let end = Int(range.upperBound)
    code.endFrame(block, SourceRange(end - 1, end))
    program.main = block
    program.mainIsTool = isTool
  }

  /// One block for all values that are made before the run.
  func join(_ first: BlockID, _ hasFirst: Bool, _ late: BlockID?) -> BlockID {
    guard let late else { return first }
    let block = code.reserveBlock()
    code.beginFrame(.top, name: code.intern("top"))
    let base = allocate()
    emit(.call(late, base: base, code.site()), SourceRange(0, 0))
    if hasFirst { emit(.call(first, base: base, code.site()), SourceRange(0, 0)) }
    code.endFrame(block, SourceRange(0, 0))
    return block
  }
}
