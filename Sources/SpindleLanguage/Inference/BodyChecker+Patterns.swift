import SpindleModel

/// Patterns, and whether those of a `switch` leave nothing out.
extension BodyChecker {
  /// A pattern for a value of a type; the names in it are declared.
  func checkPattern(_ syntax: Grammar.Pattern, _ type: SwiftType) -> Typed.Pattern {
    let type = solver.resolve(type)
    func made(_ kind: Typed.PatternKind) -> Typed.Pattern {
      Typed.Pattern(kind: kind, type: type, range: syntax.range)
    }
    switch syntax.kind {
    case .any, .missing: return made(.any)
    case .name(let name, let isVariable):
      if let shared = sharedNames?[name.text] {
        boundNames?.append(shared)
        if shared.type != type, !type.isError, !shared.type.isError {
          report(
            Messages.mismatch(expected: "\(shared.type)", found: "\(type)"), name.range)
        }
        return made(.local(shared))
      }
      let target = local(name.text, type, isVariable: isVariable, name.range)
      declare(target)
      boundNames?.append(target)
      return made(.local(target))
    case .tuple(let elements):
      guard case .tuple(let parts) = type, parts.count == elements.count else {
        if !type.isError { report("\(type) has not \(elements.count) parts", syntax.range) }
        return made(
          .tuple(elements.map { checkPattern($0.pattern, .error) }))
      }
      return made(.tuple(zip(elements, parts).map { checkPattern($0.pattern, $1.type) }))
    case .some(let inner):
      guard let wrapped = type.wrapped else {
        if !type.isError { report("\(type) is no optional", syntax.range) }
        return made(.some(checkPattern(inner, .error)))
      }
      return made(.some(checkPattern(inner, wrapped)))
    case .isType(let other): return made(.isType(resolveCast(to: other)))
    case .asType(let inner, let other):
      let target = resolveCast(to: other)
      return made(.asType(checkPattern(inner, target), target))
    case .enumCase(let owner, let name, let elements):
      return checkCase(owner, name, elements, type, syntax.range)
    case .value(let value): return checkValuePattern(value, type, syntax.range)
    }
  }

  private func checkCase(
    _ owner: Grammar.Expression?, _ name: Grammar.Name,
    _ elements: [(label: Grammar.Name?, pattern: Grammar.Pattern)]?, _ type: SwiftType,
    _ range: SourceRange
  ) -> Typed.Pattern {
    var subject = type
    if let owner {
      let value = complete { $0.infer(owner, nil) }
      guard case .metatype(let named) = value.type else {
        report("a case follows its type", range)
        return Typed.Pattern(kind: .any, type: type, range: range)
      }
      // The arguments of the type are those of the value.
      subject = named.nominal === type.nominal ? type : named
    }
    if type.isError { return Typed.Pattern(kind: .any, type: type, range: range) }
    if let wrapped = type.wrapped, owner == nil || subject.nominal !== type.nominal {
      if name.text == "none" { return Typed.Pattern(kind: .none, type: type, range: range) }
      if name.text == "some", elements == nil {
        let any = Typed.Pattern(kind: .any, type: wrapped, range: range)
        return Typed.Pattern(kind: .some(any), type: type, range: range)
      }
      if name.text == "some", let elements, elements.count == 1 {
        let inner = checkPattern(elements[0].pattern, wrapped)
        return Typed.Pattern(kind: .some(inner), type: type, range: range)
      }
      let inner = checkCase(owner, name, elements, wrapped, range)
      return Typed.Pattern(kind: .some(inner), type: type, range: range)
    }
    if subject.nominal !== type.nominal {
      // A case of a type that the value may be cast to: `catch NetworkError.offline`.
      let inner = checkCase(nil, name, elements, subject, range)
      return Typed.Pattern(kind: .asType(inner, subject), type: type, range: range)
    }
    if let family = type.nominal?.family, family.members.contains(family.ownName(name.text)) {
      return Typed.Pattern(
        kind: .symbol(family, family.ownName(name.text)), type: type, range: range)
    }
    guard let nominal = type.nominal,
      let one = nominal.cases.first(where: { $0.name == name.text })
    else {
      let value = Grammar.Expression(kind: .implicitMember(name), range: range)
      if let nominal = type.nominal, nominal.members[name.text] != nil {
        return test(value, type, range)
      }
      report(unknownCase(name.text, of: type), name.range)
      for element in elements ?? [] { _ = checkPattern(element.pattern, .error) }
      return Typed.Pattern(kind: .any, type: type, range: range)
    }
    return checkValues(of: one, elements, type, range)
  }

  /// The patterns of the values that a case has.
  private func checkValues(
    of one: CaseSymbol, _ elements: [(label: Grammar.Name?, pattern: Grammar.Pattern)]?,
    _ type: SwiftType, _ range: SourceRange
  ) -> Typed.Pattern {
    let name = one.name
    let substitution = one.owner?.substitution(type.arguments) ?? [:]
    guard let elements else {
      return Typed.Pattern(kind: .enumCase(one, nil), type: type, range: range)
    }
    let types = one.values.map { $0.type.substituting(substitution) }
    if elements.count == 1, types.count > 1 {
      // One name for all values, as a tuple.
      let whole = SwiftType.tuple(
        zip(one.values, types).map { SwiftType.TupleElement(label: $0.label, type: $1) })
      if case .tuple = elements[0].pattern.kind {
        return Typed.Pattern(
          kind: .enumCase(one, tupleParts(checkPattern(elements[0].pattern, whole))), type: type,
          range: range)
      }
      report("a case with several values has a pattern for each", range)
    }
    guard elements.count == types.count else {
      if elements.count != 1 { report("the case '\(name)' has \(types.count) values", range) }
      return Typed.Pattern(kind: .enumCase(one, nil), type: type, range: range)
    }
    for (element, value) in zip(elements, one.values) {
      guard let label = element.label, label.text != value.label else { continue }
      report(Messages.patternLabel(label.text, value.label), label.range)
    }
    let patterns = zip(elements, types).map { checkPattern($0.pattern, $1) }
    return Typed.Pattern(kind: .enumCase(one, patterns), type: type, range: range)
  }

  func tupleParts(_ pattern: Typed.Pattern) -> [Typed.Pattern]? {
    if case .tuple(let parts) = pattern.kind { return parts }
    return nil
  }

  private func checkValuePattern(
    _ value: Grammar.Expression, _ type: SwiftType, _ range: SourceRange
  ) -> Typed.Pattern {
    if case .nil = value.kind { return Typed.Pattern(kind: .none, type: type, range: range) }
    if case .implicitMember(let name) = value.kind {
      return checkCase(nil, name, nil, type, range)
    }
    if case .call(let call) = value.kind, case .implicitMember(let name) = call.callee.kind,
      let nominal = type.unwrappedFully.nominal,
      nominal.cases.contains(where: { $0.name == name.text })
    {
      let elements = call.arguments.map {
        (label: $0.label, pattern: Grammar.Pattern(kind: .value($0.value), range: $0.value.range))
      }
      return checkCase(nil, name, elements, type, range)
    }
    if case .member(let owner, let name, _) = value.kind, isTypeName(owner),
      let made = qualifiedCase(owner, name, type, range)
    {
      return made
    }
    return test(value, type, range)
  }

  func isTypeName(_ syntax: Grammar.Expression) -> Bool {
    switch syntax.kind {
    case .name(let name, _): name.first?.isUppercase ?? false
    case .member(let inner, let name, _):
      isTypeName(inner) && (name.text.first?.isUppercase ?? false)
    default: false
    }
  }

  private func qualifiedCase(
    _ owner: Grammar.Expression, _ name: Grammar.Name, _ type: SwiftType, _ range: SourceRange
  ) -> Typed.Pattern? {
    let value = complete { $0.infer(owner, nil) }
    guard case .metatype(let named) = value.type,
      let nominal = named.nominal, nominal.cases.contains(where: { $0.name == name.text })
    else { return nil }
    return checkCase(owner, name, nil, type, range)
  }

  /// A value that the subject is compared with: by `~=` where there is one, else by `==`.
  func test(
    _ value: Grammar.Expression, _ type: SwiftType, _ range: SourceRange
  ) -> Typed.Pattern {
    let subject = local("subject", type, isVariable: false, range)
    let made = complete { checker -> Typed.Expression in
      let own = checker.node(.local(subject), type, range)
      if case .range = value.kind {
        let pattern = checker.infer(value, nil)
        if let bound = checker.solver.shallow(pattern.type).arguments.first {
          _ = checker.solver.unify(bound, type)
        }
        return checker.applyOperator(
          Grammar.Name(text: "~=", range: range), pattern, own, range, nil)
      }
      let pattern = checker.infer(value, type)
      let sign = checker.hasOperator("~=", pattern, own) ? "~=" : "=="
      return checker.applyOperator(
        Grammar.Name(text: sign, range: range), pattern, own, range, nil)
    }
    return Typed.Pattern(kind: .test(made, subject: subject), type: type, range: range)
  }

  // MARK: Switch

  func checkSwitch(
    _ selection: Grammar.Selection, _ range: SourceRange, isBranch: Bool
  ) -> Typed.Statement {
    let subject = complete { $0.infer(selection.subject, nil) }
    let type = subject.type
    let value = local("subject", type, isVariable: false, selection.subject.range)
    if let late = selection.cases.dropLast().first(where: \.isDefault) {
      report(Messages.lateDefault, late.range)
    }
    let cases = selection.cases.map { one -> Typed.Selection.Case in
      inScope {
        let items = checkItems(one.items, type)
        if one.body.statements.isEmpty { report(SyntaxMessage.emptyCase, one.range) }
        let body =
          isBranch
          ? checkCaseBody(one.body) : checkStatements(one.body)
        return Typed.Selection.Case(
          items: items, body: body, range: one.range, isDefault: one.isDefault)
      }
    }
    let made = Typed.Selection(subject: subject, value: value, cases: cases)
    checkExhaustive(made, type, range)
    return Typed.Statement(kind: .switch(made, label: nil), range: range)
  }

  private func checkCaseBody(_ block: Grammar.Block) -> [Typed.Statement] {
    guard let last = block.statements.last else { return [] }
    return inScope {
      block.statements.dropLast().map { checkStatement($0, isBranch: false) }
        + [checkStatement(last, isBranch: true)]
    }
  }

  /// The patterns of one case, which bind the same names if there are several.
  func checkItems(
    _ items: [(pattern: Grammar.Pattern, filter: Grammar.Expression?)], _ type: SwiftType
  ) -> [(pattern: Typed.Pattern, filter: Typed.Expression?)] {
    let outer = (sharedNames, boundNames)
    (sharedNames, boundNames) = (nil, [])
    defer { (sharedNames, boundNames) = outer }
    var made: [(pattern: Typed.Pattern, filter: Typed.Expression?)] = []
    for item in items {
      boundNames = []
      let pattern = checkPattern(item.pattern, type)
      checkBound(boundNames ?? [], pattern.range)
      made.append(
        (pattern, item.filter.map { filter in complete { $0.check(filter, known.boolean) } }))
      if made.count == 1, items.count > 1 {
        sharedNames = Dictionary(
          (boundNames ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      }
    }
    return made
  }

  /// Reports a pattern that does not bind the names that the first one of its case does.
  private func checkBound(_ bound: [Typed.Local], _ range: SourceRange) {
    guard let sharedNames else { return }
    let own = Set(bound.map(\.name))
    let other = bound.first { sharedNames[$0.name] == nil }?.name
    let missing = sharedNames.keys.filter { !own.contains($0) }.min()
    if let name = other ?? missing { report(Messages.unevenPatterns(name), range) }
  }

  private func checkExhaustive(
    _ selection: Typed.Selection, _ type: SwiftType, _ range: SourceRange
  ) {
    if type.isError || selection.cases.contains(where: \.isDefault) { return }
    let rows = selection.cases.flatMap { one in
      one.items.filter { $0.filter == nil }.map(\.pattern)
    }
    if let missing = Exhaustiveness(checker: self).missing(rows, type) {
      report("this 'switch' does not handle \(missing)", range)
    }
  }
}

/// Which value no pattern of a list takes, found as in Maranget, "Warnings for pattern matching" (2007): column by column.
private struct Exhaustiveness {
  let checker: BodyChecker

  /// A value that no pattern matches; nil if they match all.
  func missing(_ rows: [Typed.Pattern], _ type: SwiftType) -> String? {
    missing(rows.map { [$0] }, [type], budget: 6)?.first
  }

  func missing(
    _ rows: [[Typed.Pattern]], _ types: [SwiftType], budget: Int
  ) -> [String]? {
    guard let first = types.first else { return rows.isEmpty ? [] : nil }
    let rest = Array(types.dropFirst())
    guard let heads = constructors(of: first), budget > 0 else {
      // A type with more values than can be named: only what takes all of them counts.
      let open = rows.filter { isIrrefutable($0[0]) }.map { Array($0.dropFirst()) }
      return missing(open, rest, budget: budget).map { ["other values of \(first)"] + $0 }
    }
    for head in heads {
      let specialised = rows.compactMap { specialise($0, head) }
      if let found = missing(specialised, head.parts + rest, budget: budget - 1) {
        let parts = found.prefix(head.parts.count).joined(separator: ", ")
        let shown = head.parts.isEmpty ? head.name : "\(head.name)(\(parts))"
        return [shown] + found.dropFirst(head.parts.count)
      }
    }
    return nil
  }

  struct Head {
    var name: String
    var parts: [SwiftType]
    var matches: (Typed.Pattern) -> [Typed.Pattern]?
  }

  func any(_ type: SwiftType) -> Typed.Pattern {
    Typed.Pattern(kind: .any, type: type, range: SourceRange(0, 0))
  }

  private func specialise(_ row: [Typed.Pattern], _ head: Head) -> [Typed.Pattern]? {
    if isIrrefutable(row[0]) { return head.parts.map(any) + row.dropFirst() }
    return head.matches(row[0]).map { $0 + row.dropFirst() }
  }

  private func isIrrefutable(_ pattern: Typed.Pattern) -> Bool {
    switch pattern.kind {
    case .any, .local: true
    case .tuple(let parts): parts.allSatisfy(isIrrefutable)
    case .isType(let type), .asType(_, let type): type == pattern.type
    case .enumCase, .some, .none, .test, .symbol: false
    }
  }

  private func constructors(of type: SwiftType) -> [Head]? {
    if let wrapped = type.wrapped {
      return [
        Head(name: "nil", parts: []) { if case .none = $0.kind { [] } else { nil } },
        Head(name: "a value", parts: [wrapped]) {
          if case .some(let inner) = $0.kind { [inner] } else { nil }
        },
      ]
    }
    switch type {
    case .tuple(let elements):
      return [
        Head(name: "", parts: elements.map(\.type)) {
          if case .tuple(let parts) = $0.kind { parts } else { nil }
        }
      ]
    case .nominal(let nominal, let arguments):
      if nominal.builtin == .boolean {
        return ["false", "true"].enumerated().map { value, name in
          Head(name: name, parts: []) { pattern in
            guard case .test(let test, _) = pattern.kind, case .call(let call) = test.kind,
              case .value(let argument)? = call.arguments.first,
              case .constant(let constant) = argument.kind
            else { return nil }
            return constant == Int64(value) ? [] : nil
          }
        }
      }
      if let family = nominal.family, nominal.builtin == .symbol {
        return family.members.map { member in
          Head(name: ".\(member)", parts: []) {
            if case .symbol(_, member) = $0.kind { [] } else { nil }
          }
        }
      }
      guard nominal.kind == .enum, !nominal.cases.isEmpty else { return nil }
      let substitution = nominal.substitution(arguments)
      return nominal.cases.map { one in
        let parts = one.values.map { $0.type.substituting(substitution) }
        return Head(name: ".\(one.name)", parts: parts) { pattern in
          guard case .enumCase(let other, let patterns) = pattern.kind, other === one else {
            return nil
          }
          return patterns ?? parts.map(any)
        }
      }
    default: return nil
    }
  }
}
