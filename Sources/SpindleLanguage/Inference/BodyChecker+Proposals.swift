import SpindleModel

/// What is said of names and members that nothing declares, with the nearest that is declared.
extension BodyChecker {
  // MARK: Names

  /// What to say of a name that means nothing at a place, which `call` calls.
  ///
  /// A Swift file names what its app has: there, a stub in the trace is proposed.
  func unknown(_ name: String, _ range: SourceRange, _ call: Grammar.Call? = nil) -> String {
    if let call, let message = foreignCall(name, call) { return message }
    if !table.isInFile(range) {
      if let message = ForeignName.all[name] { return message }
      if let near = proposal(for: name, among: knownNames) {
        return Messages.unknownName(name, nearest: near)
      }
    }
    let message = Messages.unknownName(name, nearest: nil)
    return call.map { withStub(message, function: name, $0) } ?? message
  }

  /// What to say of a call of a C function whose number has another unit here; nil for any other.
  private func foreignCall(_ name: String, _ call: Grammar.Call) -> String? {
    guard call.arguments.count == 1, let number = call.arguments.first?.value else { return nil }
    let text = BareNumber.withoutCasts(table.current.text(in: number.range))
    switch name {
    case "usleep", "nanosleep":
      if case .duration = number.kind { return Messages.sleepForm(name, text) }
      let unit = name == "usleep" ? "us" : "ns"
      let isWhole = BareNumber.isWritten(text) && !text.contains(".")
      return Messages.sleepForm(
        name, isWhole ? text + unit : BareNumber.product("1\(unit)", text))
    case "arc4random_uniform": return Messages.randomBelow(name, text)
    default: return nil
    }
  }

  /// The nearest of the names that `known` gives; nil after many, since putting them together takes long.
  private func proposal(for name: String, among known: () -> [String]) -> String? {
    bodies.proposals += 1
    return bodies.proposals > 64 ? nil : nearest(name, in: known())
  }

  /// The names that mean something at the place, innermost first.
  private func knownNames() -> [String] {
    var known = names.innermostFirst
    if case .local(let own)? = find("self") {
      known += memberNames(of: own.type, isStatic: false)
    }
    var around = context.nominal
    while let one = around {
      known += memberNames(of: one.selfType, isStatic: false)
      known += memberNames(of: one.selfType, isStatic: true) + one.types.keys.sorted()
      around = one.outer
    }
    return known + context.parameters.keys.sorted() + bodies.topNames
  }

  // MARK: Members

  /// The names of the members that a type's values have, or that it has itself.
  private func memberNames(of type: SwiftType, isStatic: Bool) -> [String] {
    var found: [String] = []
    func add(_ nominal: Nominal) {
      found += nominal.members.keys.filter { name in
        nominal.members[name]?.contains { $0.isStatic == isStatic } == true
      }
    }
    switch solver.shallow(type) {
    case .nominal(let nominal, _):
      var current = Optional(nominal)
      while let one = current {
        add(one)
        current = one.superclass?.nominal
      }
      nominal.allProtocols.forEach(add)
    case .parameter(let parameter): parameter.bounds.forEach(add)
    case .existential(let protocols): protocols.forEach(add)
    case .member, .tuple, .function, .metatype, .variable, .error: break
    }
    return found.filter { $0.first?.isLetter == true }.sorted()
  }

  /// What to say of a member that a type, or with `isStatic` the type itself, does not have.
  func unknownMember(
    _ name: String, of type: SwiftType, isStatic: Bool, _ range: SourceRange,
    _ call: Grammar.Call? = nil, _ expected: SwiftType? = nil
  ) -> String {
    let owner = "\(solver.shown(type))"
    let plain = Messages.unknownMember(name, of: owner, nearest: nil)
    if table.isInFile(range),
      solver.resolve(type).unwrappedFully.nominal.map({ isUndeclared($0) }) == true
    {
      return withStub(plain, member: name, of: type, isStatic: isStatic, call, expected)
    }
    if let family = solver.shallow(type).nominal?.family {
      let near = nearest(name, in: family.members) ?? family.longer(name)
      return Messages.unknownMember(name, of: owner, nearest: near, family.members)
    }
    let other = members(name, of: type).contains { $0.symbol.isStatic != isStatic }
    if other {
      return isStatic
        ? Messages.memberOfObjects(name, of: owner)
        : Messages.unknownMember(name, of: owner, nearest: "\(owner).\(name)")
    }
    if let message = foreignMember(name, of: type) { return message }
    let near = proposal(for: name) { memberNames(of: type, isStatic: isStatic) }
    return near.map { Messages.unknownMember(name, of: owner, nearest: $0) }
      ?? withStub(plain, member: name, of: type, isStatic: isStatic, call, expected)
  }

  /// What to say of a case that a type does not have.
  func unknownCase(_ name: String, of type: SwiftType) -> String {
    guard let nominal = solver.shallow(type).nominal, nominal.kind == .enum else {
      return "\(solver.shown(type)) has no case '\(name)'"
    }
    let known = nominal.cases.map(\.name)
    return Messages.unknownMember(name, of: nominal.name, nearest: nearest(name, in: known), known)
  }

  private func foreignMember(_ name: String, of type: SwiftType) -> String? {
    guard let nominal = solver.shallow(type).nominal else { return nil }
    let owner =
      switch nominal.builtin {
      case .double: "Decimal"
      case .instant: "Instant"
      default: nominal.name
      }
    return ForeignMember.member(name, of: owner)
  }

  /// What to say of `.name` where nothing tells the type that has it.
  func untypedMember(_ name: String) -> String {
    let owners = table.types.filter { _, nominal in
      nominal.family?.members.contains(name) == true
        || nominal.members[name]?.contains(where: \.isStatic) == true
    }
    return Messages.untypedMember(name, of: owners.keys.sorted())
  }
}
