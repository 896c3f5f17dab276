import SpindleModel

/// The sections of a program: the values at the top and `main`.
extension Emitter {
  func emit(_ typed: TypedProgram) {
    counted = LibraryObjects.counted(typed)
    let variables = typed.sections.contains { if case .variables = $0 { true } else { false } }
    let initializer = code.reserveBlock()
    code.beginFrame(name: code.intern("top"))
    if variables {
      isMakingGlobals = true
      for section in typed.sections {
        guard case .variables(let symbols, let value, let isLet) = section else { continue }
        emitGlobals(symbols, value, isLet: isLet)
      }
      isMakingGlobals = false
    }
    endFrame(initializer, SourceRange(0, 0))
    emitBodies(of: typed)
    emitPending()
    // What is only in the values of statics has a class too, which equality and description have to know.
    let early = emitLate()
    emitPending()
    emitAnyEquality()
    emitPending()
    emitAnyDescription()
    emitPending()
    emitReflection()
    placeEnds()
    let late = emitLate()
    emitPending()
    let top = variables ? initializer : nil
    let inTurn = [emitHiddenTables(), early, late, top].compactMap(\.self)
    program.initializer = inTurn.count > 1 ? join(inTurn) : inTurn.first
  }

  /// The bodies of the program in the order of the text, which is that of the kinds of work in it.
  private func emitBodies(of typed: TypedProgram) {
    enum Part {
      case section(TypedProgram.Section)
      case function(FunctionSymbol)
    }
    var parts: [(start: Int32, part: Part)] = plainFunctions.map {
      ($0.range.lowerBound, .function($0))
    }
    for section in typed.sections {
      switch section {
      case .main(_, _, let range): parts.append((range.lowerBound, .section(section)))
      case .arrival(let value, _): parts.append((value.range.lowerBound, .section(section)))
      case .variables: break
      }
    }
    for (_, part) in parts.enumerated().sorted(by: {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }).map(\.element) {
      switch part {
      case .section(.main(let body, let isTool, let range)):
        emitMain(body, isTool: isTool, range)
      case .section(.arrival(let value, _)): emitArrival(value)
      case .section(.variables): break
      case .function(let symbol):
        if let owner = symbol.owner, owner.deinitializer === symbol {
          emitEndNow(of: owner)
        } else {
          emitNow(symbol)
        }
      }
    }
  }

  /// The functions with a body that have no type parameters, and are made whether they are called or not.
  private var plainFunctions: [FunctionSymbol] {
    var found: [FunctionSymbol] = []
    func add(_ symbol: FunctionSymbol?) {
      guard let symbol, symbol.generics.isEmpty, symbol.conditions.isEmpty,
        !symbol.isProtocolExtension, !symbol.isInLibraryText,
        !table.isInFile(symbol.range) || bodies.bodies[ObjectIdentifier(symbol)] != nil,
        case .body = symbol.implementation
      else { return }
      found.append(symbol)
    }
    func add(_ members: [String: [MemberSymbol]]) {
      for name in members.keys.sorted() {
        for member in members[name] ?? [] {
          switch member {
          case let function as FunctionSymbol: add(function)
          case let variable as VariableSymbol:
            add(variable.getter)
            add(variable.setter)
          case let one as SubscriptSymbol:
            add(one.getter)
            add(one.setter)
          default: break
          }
        }
      }
    }
    add(table.allGlobals)
    for nominal in table.usedTypes where nominal.kind != .protocol && !isGeneric(nominal) {
      add(nominal.members)
      add(nominal.deinitializer)
    }
    return found
  }

  private func isGeneric(_ nominal: Nominal) -> Bool {
    !nominal.generics.isEmpty || nominal.outer.map(isGeneric) == true
  }

  private func emitGlobals(
    _ symbols: [VariableSymbol], _ value: Typed.Expression, isLet: Bool
  ) {
    let range = value.range
    if symbols.count == 1, symbols[0].path.isEmpty {
      boundName = isMade(value) ? symbols[0].name : nil
      let register = emitOwned(value, isVariable: !isLet)
      boundName = nil
      storeGlobal(symbols[0], register, range)
    } else {
      for symbol in symbols where symbol.path.count == 1 {
        let index = symbol.path[0]
        while boundParts.count <= index { boundParts.append(nil) }
        boundParts[index] = symbol.name
      }
      let register = emitOwned(value)
      boundParts = []
      for symbol in symbols {
        let part = allocate()
        emit(.fieldLoad(part, of: register, Int32(symbol.path[0])), range)
        storeGlobal(symbol, part, range)
      }
    }
    endTemporaries(from: 0, range)
    code.frame.next = 0
  }

  /// What a variable at the top is called, a static one with its type in front.
  func fullName(of symbol: VariableSymbol) -> String {
    symbol.owner.map { "\($0.name).\(symbol.name)" } ?? symbol.name
  }

  func storeGlobal(
    _ symbol: VariableSymbol, _ register: Register, _ range: SourceRange
  ) {
    emit(
      .storeGlobal(globals[ObjectIdentifier(symbol)] ?? makeGlobal(symbol), from: register), range)
  }

  /// Makes room for a variable at the top or a static one.
  func makeGlobal(_ symbol: VariableSymbol) -> GlobalID {
    let type = bodies.type(of: symbol)
    let asked = valueType(of: type)
    let global = GlobalID(program.globals.count)
    program.globals.append(
      Global(
        name: fullName(of: symbol), format: format(of: type),
        told: asked == .unknown ? nil : asked.toldFormat, isVariable: !symbol.isLet,
        place: symbol.range, handle: handle(of: type), life: lifeKind(of: symbol, type),
        isClosure: isClosure(type)))
    globals[ObjectIdentifier(symbol)] = global
    return global
  }

  private func emitMain(_ body: BodyTable.Body, isTool: Bool, _ range: SourceRange) {
    (storages, substitution) = ([:], [:])
    let block = code.reserveBlock()
    code.beginFrame(name: WellKnownName.main.id)
    functionName = "main()"
    code.frame.asynchrony.suspending = isTool ? .yes : .no
    (code.frame.asynchrony.home, code.frame.asynchrony.isMain) = (.mainActor, true)
    program.mainIsTool = isTool
    openBlocks = 0
    emitStatements(body.statements)
    let end = Int(range.upperBound)
    releaseOwned(SourceRange(end - 1, end))
    if isTool { endUncaught(SourceRange(end - 1, end)) }
    endFrame(block, SourceRange(end - 1, end))
    program.main = block
  }

  /// One block for all values that are made before the run.
  private func join(_ inTurn: [BlockID]) -> BlockID {
    let joined = code.reserveBlock()
    code.beginFrame(name: code.intern("top"))
    let base = allocate()
    for block in inTurn { emit(.call(block, base: base, code.site()), SourceRange(0, 0)) }
    endFrame(joined, SourceRange(0, 0))
    return joined
  }
}
