import SpindleModel

/// `withTaskExecutorPreference(queue) { }`: code of no actor runs on a queue.
extension Lowering {
  mutating func preference(_ call: CallSite, isUsed: Bool, target: Register?) -> Operand {
    let name = "withTaskExecutorPreference"
    noteSuspension(name, call.callee.range)
    guard let body = scopeBody(call, ["operation"]), let written = call.arguments.first?.value
    else {
      walkStray(call)
      return refuse(Messages.missingClosure(name), call.callee.range)
    }
    let result = target ?? frame.allocate()
    let before = frame.allocate()
    let formal = Formal(label: nil, type: .handle(.queue), isOptional: true, slot: 0)
    argument(written, formal, into: before)
    emit(.perform(.task(.prefer), base: before, noSite), call.place)
    let own = goInto(body)
    let open = beginScope(own)
    let type = lowerScopeBody(body, argument: nil, asynchrony: own, result: result, isUsed: isUsed)
    let place = closingBrace(body.body)
    func end(_ lowering: inout Lowering) {
      let next = lowering.frame.next
      let base = lowering.frame.allocate()
      lowering.emit(.copy(base, from: before), place)
      lowering.emit(.perform(.task(.prefer), base: base, noSite), place)
      lowering.frame.next = next
      lowering.comeBack(from: own, place)
    }
    self.end(open, place) {
      end(&$0)
    } thrown: {
      end(&$0)
    }
    return held(Operand(type: type, location: .register(result)), call.place)
  }
}
