import SpindleModel

/// What members and cases have to be, each by itself.
extension DeclarationCheck {
  func check(_ member: MemberSymbol, of nominal: Nominal?) {
    if let function = member as? FunctionSymbol { return checkIsolated(function) }
    guard let variable = member as? VariableSymbol, let nominal else { return }
    if variable.isTaskLocal, !variable.isStatic {
      table.report(Messages.taskLocalInstance, variable.range)
    }
    if variable.isStatic, variable.needsValue, variable.path.isEmpty,
      nominal.kind != .protocol
    {
      table.report(Messages.withoutValue(variable.name), variable.range)
    }
  }

  /// Reports a parameter on whose actor a function would run, and which is no actor.
  private func checkIsolated(_ function: FunctionSymbol) {
    for parameter in function.parameters where parameter.isIsolated {
      let type = parameter.type.unwrappedFully
      let fits: Bool =
        switch type {
        case .nominal(let nominal, _): nominal.isOfActors
        case .existential(let protocols): protocols.contains { isActor($0) }
        case .parameter(let generic): generic.bounds.contains { isActor($0) }
        case .error, .variable, .member: true
        case .tuple, .function, .metatype: false
        }
      if !fits { table.report(Messages.isolatedValue("\(type)"), parameter.range) }
    }
  }

  private func isActor(_ requirement: Nominal) -> Bool {
    requirement.isOfActors || requirement.name == Nominal.actorProtocol
      || requirement.allProtocols.contains { isActor($0) }
  }

  // MARK: Cases

  func checkCases(_ nominal: Nominal) {
    var first: [String: CaseSymbol] = [:]
    var raw: [CaseSymbol.RawValue: CaseSymbol] = [:]
    for one in nominal.cases {
      if let other = first[one.name] {
        let line = table.source.fileLine(at: other.range.lowerBound).line
        table.report(Messages.redeclared(one.name, line: line), one.range)
        continue
      }
      first[one.name] = one
      checkRaw(one, nominal)
      guard nominal.rawType != nil, let value = one.raw else { continue }
      if let other = raw[value] {
        table.report(
          Messages.rawTwice(one.name, other.name), one.writtenRaw?.range ?? one.range)
      } else {
        raw[value] = one
      }
    }
  }

  /// Reports a raw value that a case cannot have.
  private func checkRaw(_ one: CaseSymbol, _ nominal: Nominal) {
    guard let type = nominal.rawType else {
      if let written = one.writtenRaw {
        table.report(Messages.rawWithoutType(nominal.name), written.range)
      }
      return
    }
    if !one.values.isEmpty { return table.report(Messages.rawBesideValues, one.range) }
    guard let written = one.writtenRaw, !type.isError else { return }
    let fits: Bool? =
      switch (one.raw, type.nominal?.builtin) {
      case (.integer(let value)?, .fixedInteger):
        Prelude.bounds(of: type.nominal).map { $0.least <= value && value <= $0.most }
      case (.integer?, .integer), (.integer?, .double): true
      case (.decimal?, .double), (.text?, .string): true
      case (nil, _): false
      case (.decimal?, .integer), (.decimal?, .fixedInteger), (.decimal?, .string): false
      case (.text?, .integer), (.text?, .fixedInteger), (.text?, .double): false
      case (.integer?, .string): false
      default: nil
      }
    if fits == false { table.report(Messages.rawOfOtherType("\(type)"), written.range) }
  }
}
