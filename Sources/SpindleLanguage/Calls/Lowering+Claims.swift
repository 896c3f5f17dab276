import SpindleModel

/// Claims that the program makes of itself: `dispatchPrecondition(condition: .onQueue(q))`.
extension Lowering {
  /// A call whose argument is a call of one of the claims' names, and whose object that one has.
  mutating func claim(
    _ claims: [Member.Claim], _ member: Member, _ call: CallSite
  ) -> Operand {
    let written = call.arguments[0].value
    guard case .call(let inner) = written.kind, case .implicitMember(let name) = inner.callee.kind
    else {
      let made = value(written, expecting: .unknown)
      let found = made.type.isUnknown ? source.text(in: written.range) : "\(made.type)"
      let forms = claims.map { ".\($0.name)(…)" }.joined(separator: " or ")
      return refuse(Messages.mismatch(expected: forms, found: found), written.range)
    }
    guard let claim = claims.first(where: { name.text == $0.name }) else {
      walkStray(inner)
      let known = claims.map(\.name)
      let near = proposal(name.text, known)
      let message = Messages.unknownMember(name.text, of: member.name, nearest: near, known)
      return refuse(message, inner.callee.range)
    }
    let formals = [Formal(label: nil, type: claim.object, isOptional: false, slot: 0)]
    guard checker.match(formals, inner, name: name.text, inner.callee.range) != nil else {
      walkStray(inner)
      return .void
    }
    let base = frame.allocate()
    argument(inner.arguments[0].value, formals[0], into: base)
    emit(.perform(claim.primitive, base: base, noSite), call.place)
    return .void
  }
}
