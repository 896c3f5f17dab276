import SpindleModel

/// What instances do when nothing retains them any more.
extension Emitter {
  /// The block that runs when an instance of a class dies; nil where no `deinit` is written.
  func endBlock(of type: SwiftType) -> BlockID? {
    guard !ends(of: type).isEmpty else { return nil }
    if let known = endBlocks[type] { return known }
    let block = code.reserveBlock()
    endBlocks[type] = block
    pendingEnds.append(type)
    endTypes.append(type)
    return block
  }

  /// The `deinit`s of a class and of those above it, in the order in which they run.
  private func ends(of type: SwiftType) -> [(symbol: FunctionSymbol, substitution: Substitution)] {
    var found: [(FunctionSymbol, Substitution)] = []
    var next = Optional(type)
    while case .nominal(let nominal, let arguments)? = next {
      let given = nominal.substitution(arguments)
      if let symbol = nominal.deinitializer { found.append((symbol, given)) }
      next = nominal.superclass?.substituting(given)
    }
    return found
  }

  /// Makes the block for a class that takes no types at once, where it is not made yet.
  func emitEndNow(of nominal: Nominal) {
    guard endBlock(of: nominal.selfType) != nil,
      let index = pendingEnds.firstIndex(of: nominal.selfType)
    else { return }
    pendingEnds.remove(at: index)
    emitEnd(of: nominal.selfType)
  }

  func emitPendingEnds() {
    while !pendingEnds.isEmpty, !table.hasErrors { emitEnd(of: pendingEnds.removeFirst()) }
  }

  /// The code of a `deinit` goes on with that of the class above, and ends with what the instance itself retains.
  ///
  /// A `return` in one of them ends that one. Source: swift:lib/SILGen/SILGenDestructor.cpp, emitDestroyingDestructor.
  private func emitEnd(of type: SwiftType) {
    guard let block = endBlocks[type] else { return }
    expansion = nil
    code.beginFrame(name: code.intern("\(type.nominal?.name ?? "").deinit"))
    let own = allocate()
    code.frame.parameterCount = 1
    functionName = "deinit"
    var end = SourceRange(0, 0)
    for (number, (symbol, given)) in ends(of: type).enumerated() {
      guard let body = bodies.body(of: symbol), let local = body.ownSelf else { continue }
      (storages, substitution) = ([:], given)
      storages[ObjectIdentifier(local)] = storage(own, of: local)
      if number == 0 {
        beginBody(body.scope, body.statements, symbol.bodyRange, isAsync: false)
        end = closingBrace(of: symbol)
      }
      let exit = code.frame.label()
      code.frame.enterReturn(Frame.Return(exit: exit, lives: lifeMark))
      emitStatements(body.statements)
      code.frame.leaveReturn()
      code.frame.mark(exit)
    }
    emit(.instanceEnd(own), end)
    code.frame.isReachable = false
    endFrame(block, end)
  }

  func closingBrace(of symbol: FunctionSymbol) -> SourceRange {
    let end = Int(symbol.bodyRange.upperBound)
    return SourceRange(end - 1, end)
  }

  /// Says where the `deinit`s of classes run that say `isolated`.
  ///
  /// Source: SE-0371.
  func placeEnds() {
    for type in endTypes {
      guard let symbol = ends(of: type).first?.symbol, let number = classes[type] else { continue }
      switch symbol.isolation {
      case .mainActor: program.classes[number].deinitHome = .mainActor
      case .ownActor: program.classes[number].deinitHome = .ownActor
      case .globalActor(let actor):
        guard let shared = shared(of: actor) else { continue }
        if globals[ObjectIdentifier(shared)] == nil { _ = staticPlace(shared, shared.range) }
        guard let global = globals[ObjectIdentifier(shared)] else { continue }
        program.classes[number].deinitHome = .globalActor(global)
      case .unspecified, .nonisolated, .nonsending, .concurrent: break
      }
    }
  }

  /// Whether a static is the instance of a global actor on which a `deinit` runs: it is there before the run.
  func isHome(_ variable: VariableSymbol) -> Bool {
    table.usedTypes.contains { nominal in
      guard case .globalActor(let actor)? = nominal.deinitializer?.isolation else { return false }
      return shared(of: actor) === variable
    }
  }

  private func shared(of actor: Nominal) -> VariableSymbol? {
    actor.members["shared"]?.compactMap { $0 as? VariableSymbol }.first
  }

  /// In which order an instance of a class releases what its fields have, and which of them have the next of a chain.
  ///
  /// The fields of the class above come first. A property whose type is the class itself as an optional is the last of
  /// its class where it is the only such one: Swift ends such a chain link by link.
  ///
  /// Source: swift:lib/SILGen/SILGenDestructor.cpp, findRecursiveLinks, emitRecursiveChainDestruction; run with 6.3.1.
  func releaseOrder(of nominal: Nominal) -> (order: [Int], links: [Int]) {
    var (order, links): ([Int], [Int]) = ([], [])
    if let parent = nominal.superclass?.nominal, parent.handle == nil {
      (order, links) = releaseOrder(of: parent)
    }
    if nominal.kind == .actor || nominal.superclass?.nominal?.handle != nil { order.append(0) }
    let own = nominal.stored.map { Int(fieldNumber($0, nominal)) }
    let chain = zip(own, nominal.stored).filter { _, variable in
      variable.strength == .strong && bodies.type(of: variable).wrapped == nominal.selfType
    }.map(\.0)
    guard chain.count == 1 else { return (order + own, links) }
    return (order + own.filter { $0 != chain[0] } + chain, links + chain)
  }
}
