import SpindleModel

/// What an initialiser has to do before its code may use `self`, and before it ends.
///
/// Source: The Swift Programming Language, "Two-Phase Initialization".
extension FlowCheck {
  struct Initializer {
    let symbol: FunctionSymbol
    let nominal: Nominal
    /// What another initialiser gives the properties their values, in the words of the text; nil where its own code does.
    let delegate: String?
    /// Whether the initialiser of the class above is called before `self` may be used.
    let hasSuper: Bool

    /// How an initialiser makes its value; nil for any other function, and where the library does it.
    init?(_ symbol: FunctionSymbol) {
      guard symbol.isInitializer, let owner = symbol.owner, owner.builtin == nil,
        !symbol.isInLibraryText
      else { return nil }
      (self.symbol, nominal) = (symbol, owner)
      let delegates = symbol.delegates || symbol.isConvenience
      delegate = delegates ? "self.init(…)" : owner.kind == .enum ? "self = …" : nil
      hasSuper = delegate == nil && owner.superclass != nil && !owner.hasUnknownParent
    }

    /// That the other initialiser was called, or `self` assigned.
    var call: ObjectIdentifier { ObjectIdentifier(symbol) }
  }

  /// Reports what an initialiser leaves undone.
  func checkInitialized(_ symbol: FunctionSymbol) {
    guard let initializer else { return }
    var ends = atReturns
    if state.isReachable { ends.append(state) }
    if let delegate = initializer.delegate {
      if ends.contains(where: { !$0.certain.contains(initializer.call) }) {
        report(Messages.notDelegated(delegate), symbol.range)
      }
      return
    }
    for variable in initializer.nominal.stored where variable.needsValue {
      let isMissing = ends.contains { !$0.certain.contains(ObjectIdentifier(variable)) }
      if isMissing { report(Messages.uninitialized(variable.name), symbol.range) }
    }
    if initializer.symbol.callsSuper,
      ends.contains(where: { !$0.certain.contains(initializer.call) })
    {
      report(Messages.notDelegated("super.init(…)"), symbol.range)
    }
  }

  // MARK: Uses of self

  /// Reports code that uses `self` as a whole, or what is above it, too early.
  mutating func useSelf(_ range: SourceRange) {
    guard let initializer, state.isReachable, !state.certain.contains(initializer.call) else {
      return
    }
    let missing: String
    if let delegate = initializer.delegate {
      missing = "'\(delegate)' comes first"
    } else if let variable = firstMissing(initializer) {
      missing = "'\(variable.name)' has no value yet"
    } else if initializer.hasSuper {
      missing = "'super.init(…)' comes first"
    } else {
      return
    }
    report(Messages.unpreparedSelf(missing), range)
    state.certain.insert(initializer.call)
    assignWhole()
  }

  private func firstMissing(_ initializer: Initializer) -> VariableSymbol? {
    initializer.nominal.stored.first {
      $0.needsValue && !state.certain.contains(ObjectIdentifier($0))
    }
  }

  /// Reads a property of `self`.
  mutating func readOwn(_ variable: VariableSymbol, _ range: SourceRange) {
    guard let initializer, initializer.delegate == nil, variable.owner === initializer.nominal,
      !variable.isLazy
    else { return useSelf(range) }
    let key = ObjectIdentifier(variable)
    guard variable.needsValue, state.isReachable, !state.certain.contains(key) else { return }
    report(Messages.noValueYet(variable.name), range)
    state.certain.insert(key)
  }

  mutating func assignOwn(_ variable: VariableSymbol, _ range: SourceRange) {
    guard let initializer, initializer.delegate == nil, variable.owner === initializer.nominal
    else { return useSelf(range) }
    let key = ObjectIdentifier(variable)
    if variable.isLet, state.isReachable, state.possible.contains(key) {
      report(Messages.secondValue(variable.name), range)
    }
    state.certain.insert(key)
    state.possible.insert(key)
  }

  /// All stored properties have a value: `self` was assigned as a whole.
  mutating func assignWhole() {
    guard let initializer else { return }
    for variable in initializer.nominal.stored {
      state.certain.insert(ObjectIdentifier(variable))
    }
    if !initializer.nominal.isReference { state.certain.insert(initializer.call) }
  }

  /// Whether a call is one of another initialiser on `self`.
  func delegates(_ call: Typed.Call) -> Bool {
    guard initializer != nil, case .function(let symbol) = call.callee else { return false }
    return symbol.isInitializer && call.isDirect && call.receiver?.isSelf == true
  }

  /// Another initialiser was called on `self`.
  mutating func delegate(by call: Typed.Call) {
    guard let initializer else { return }
    if initializer.delegate == nil, state.isReachable {
      for variable in initializer.nominal.stored
      where variable.needsValue && !state.certain.contains(ObjectIdentifier(variable)) {
        report(Messages.noValueYet(variable.name), call.place)
        state.certain.insert(ObjectIdentifier(variable))
      }
    }
    state.certain.insert(initializer.call)
  }
}
