import SpindleModel

/// What is called while a closure runs: `withTaskCancellationHandler`, `withTaskPriorityEscalationHandler`.
extension Lowering {
  /// A closure that runs in place, and one that is called meanwhile when its task is cancelled, or raised.
  mutating func handled(
    _ name: String, _ label: String, _ push: TaskPrimitive, _ call: CallSite,
    _ expecting: ValueType?, isUsed: Bool, target: Register?
  ) -> Operand {
    noteSuspension(name, call.callee.range)
    let handler =
      call.closures.first { $0.label?.text == label }?.closure ?? scopeArgument(call, label)
    guard let body = scopeBody(call, ["operation"]), let handler else {
      walkStray(call)
      return refuse(Messages.missingArgument(label, of: name), call.callee.range)
    }
    let result = target ?? frame.allocate()
    let closure = frame.allocate()
    let priority = ValueType.symbol(.taskPriority)
    makeClosure(
      handler, context: .thread,
      parameters: push == .pushEscalation ? [priority, priority] : [], target: closure,
      place: call.place)
    emit(.perform(.task(push), base: closure, site()), call.place)
    let own = goInto(body)
    let open = beginScope(own)
    let type = lowerScopeBody(
      body, argument: nil, asynchrony: own, result: result,
      wanted: expecting?.isUnknown == true ? nil : expecting, isUsed: isUsed)
    let place = closingBrace(body.body)
    func end(_ lowering: inout Lowering) {
      lowering.emit(.perform(.task(.popHandler), base: closure, noSite), place)
      lowering.comeBack(from: own, place)
    }
    self.end(open, place) {
      end(&$0)
    } thrown: {
      end(&$0)
    }
    return held(Operand(type: type, location: .register(result)), call.place)
  }

  private func scopeArgument(_ call: CallSite, _ label: String) -> Expression.Closure? {
    for argument in call.arguments where argument.label?.text == label {
      if case .closure(let closure) = argument.value.kind { return closure.value }
    }
    return nil
  }
}
