import SpindleModel

/// Calls of what is not there.
extension Lowering {
  /// Whether something of a type was refused, of which nothing else is to be told.
  func isBroken(_ type: ValueType) -> Bool {
    type.className.map { checker.classes[checker.classes.index(of: $0)].isBroken } ?? false
  }

  /// Whether an expression begins with a name of Apple's or of the C library that a trace has not.
  func isForeign(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .name(let name): ForeignName.all[name.text] != nil && find(name) == nil
    case .member(let member): isForeign(member.base)
    case .call(let call): isForeign(call.callee)
    default: false
    }
  }

  /// What a call gives of a function that is there twice, which has been told.
  mutating func overloadedCall(_ call: CallSite) -> Operand {
    let mark = checker.diagnosis.count
    walkStray(call)
    checker.diagnosis.retract(to: mark)
    return .unknown
  }

  /// Reports a call of a name that means nothing that can be called.
  mutating func refuseCall(of name: Word, _ call: CallSite) -> Operand {
    if let made = enumOfRaw(name, call) { return made }
    let mark = checker.diagnosis.count
    walkStray(call)
    if ForeignName.callsOfC.contains(name.text) {
      // What such a call is given is as foreign as its name.
      checker.diagnosis.retract(to: mark)
    }
    if vocabulary.free.property(name) != nil || vocabulary.type(name) != nil {
      return refuse(Messages.notAFunction(name.text), call.callee.range)
    }
    if ["at", "every", "arrivals"].contains(name.text) {
      return refuse(Messages.arrivalInBody(name.text), call.callee.range)
    }
    if let message = checker.foreignCall(name.text, call) {
      return refuse(message, call.callee.range)
    }
    return checker.unknownName(name, call.callee.range)
  }

  mutating func refuseMember(
    _ name: String, of owner: String, _ members: MemberTable, _ range: SourceRange
  ) -> Operand {
    if checker.refusedMembers.contains("\(owner).\(name)") { return .unknown }
    if members.property(name) != nil { return refuse(Messages.notAFunction(name), range) }
    if let message = misplaced(name, of: owner, members) { return refuse(message, range) }
    if let message = ForeignMember.member(name, of: owner) { return refuse(message, range) }
    let near = proposal(name, members.names)
    return refuse(Messages.unknownMember(name, of: owner, nearest: near), range)
  }
}
