import SpindleModel

/// What is legal but surely wrong, and what can be judged only at the end of the text.
extension Lowering {
  /// Reports calls, by code without a thread, of functions that need one.
  mutating func judgeThreadlessCalls() {
    guard !threadlessCalls.isEmpty else { return }
    spreadNeeds()
    for call in threadlessCalls {
      let function = functions[call.function]
      guard let need = function.need else { continue }
      let message =
        call.isTop
        ? Messages.functionNeedsThreadAtTop(function.name, need)
        : Messages.functionNeedsThread(function.name, need)
      diagnostics.append(
        Diagnostic(severity: .error, message: message, range: call.place, source: call.source))
    }
  }

  /// A function needs a thread when one that it calls does.
  private mutating func spreadNeeds() {
    var open = functions.indices.filter { functions[$0].need != nil }
    while let function = open.popLast() {
      for caller in functions[function].callers where functions[caller].need == nil {
        functions[caller].need = functions[function].need
        open.append(caller)
      }
    }
  }

  /// Keeps the closures alive that functions let outlive their calls.
  mutating func settleClosureFrees() {
    frames.code.withComplete { instructions in
      for free in closureFrees where functions[free.function].escapes[free.parameter] {
        if case .freeClosure(let register) = instructions[free.instruction] {
          instructions[free.instruction] = .copy(register, from: register)
        }
      }
    }
  }

  /// Warns of a condition that literals alone decide; `while true` is meant so.
  mutating func warnOfConstant(_ condition: Expression, isLoop: Bool = false) {
    guard isLiteral(condition), let truth = constantCondition(condition) else { return }
    if truth && isLoop { return }
    warn(Messages.constantCondition(truth), condition.range)
  }

  private func isLiteral(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .integer, .decimal, .duration, .size, .boolean, .none: true
    case .prefix(_, let inner): isLiteral(inner)
    case .infix(_, let sides): isLiteral(sides.left) && isLiteral(sides.right)
    default: false
    }
  }

  /// Warns of what the whole text shows.
  mutating func warnAtTheEnd() {
    for index in parameterSymbols where !scope[index].isUsed && scope[index].type != .unknown {
      warn(Messages.unusedParameter(scope[index].name.text), scope[index].place)
    }
    if let until = program.until {
      for (moment, place) in arrivalMoments where moment > until {
        warn(Messages.pastTheEnd("\(until)"), place)
      }
    }
    for (index, symbol) in scope.symbols.enumerated() where symbol.type == .handle(.thread) {
      guard !symbol.isUsed, globals[Int32(index)] != nil else { continue }
      warn(Messages.neverStarted(symbol.name.text), symbol.place)
    }
    warnOfIdleObjects()
    for index in scope.symbols.indices {
      guard let use = lockUses[Int32(index)], use.locks > 0, use.others == 0 else { continue }
      warn(Messages.neverUnlocked(scope[Int32(index)].name.text), use.firstLock)
    }
  }
}
