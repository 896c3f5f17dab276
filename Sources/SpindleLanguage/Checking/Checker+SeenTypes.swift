import SpindleModel

/// Types of expressions as the declarations around them tell them, with no code made for them.
///
/// What a call means is settled before its arguments are: `async(execute: w)` takes an object or a closure.
extension Checker {
  /// Whether what an argument gives is a closure; nil when that can't be seen.
  func givesClosure(_ argument: Expression) -> Bool? {
    if case .member(let member) = argument.kind, objectMethods(member.value) != nil {
      return true
    }
    guard let type = seenType(argument), !type.isUnknown else { return nil }
    return type.isFunction
  }

  /// The methods of a library's object that a member names, where that is no property; nil where that can't be seen.
  func objectMethods(_ member: Expression.MemberAccess) -> [Member]? {
    guard let members = objects(member.base), members.property(member.name) == nil
    else { return nil }
    return members.overloads(member.name)
  }

  /// Whether a member may be the name of a method of a library's object, or of an `init`.
  func mayBeSpelledOut(_ member: Expression.MemberAccess) -> Bool {
    member.name == words.initializer || objectMethods(member) != nil
  }

  /// Whether what an expression gives is seen to be a dictionary.
  func isDictionary(_ expression: Expression) -> Bool {
    if case .dictionary = expression.kind { return true }
    if case .dictionaryOf? = seenType(expression)?.unwrapped { return true }
    return false
  }

  /// What the objects have that an expression gives; nil where that can't be seen.
  func objects(_ expression: Expression) -> MemberTable? {
    let type = seenType(expression)?.unwrapped
    let parent = type?.className.flatMap { classes[classes.index(of: $0)].parent }
    return (type?.handle ?? parent).map { vocabulary.instances[Int($0.rawValue)] }
  }

  /// The type of what an expression gives; nil when that can't be seen.
  private func seenType(_ expression: Expression) -> ValueType? {
    switch expression.kind {
    case .closure: return Formal.plainClosure
    case .name(let name):
      guard let index = find(name) else {
        return ownClass < 0 ? nil : memberType(name, ofClass: ownClass)
      }
      if case .function(let ordinal) = scope[index].meaning { return closureType(ordinal) }
      return scope[index].type
    case .member(let member): return seenMember(member.value)
    case .call(let call): return seenResult(call.callee)
    case .element(let access):
      switch seenType(access.base)?.unwrapped {
      case .arrayOf(let element)?: return element.type
      case .dictionaryOf(let entries)?:
        return access.fallback == nil ? .optional(entries.result) : entries.result
      default: return nil
      }
    case .conditional(let parts): return seenType(parts.first) ?? seenType(parts.second)
    case .coalesce(let sides): return seenType(sides.left)?.unwrapped ?? seenType(sides.right)
    case .unwrap(let inner), .bind(let inner): return seenType(inner)?.unwrapped
    case .chain(let inner), .await(let inner, _), .attempt(_, let inner): return seenType(inner)
    case .integer, .decimal, .duration, .size, .percent, .text, .string, .boolean, .none,
      .implicitMember, .array, .dictionary, .prefix, .infix, .range, .specialized, .condition,
      .match, .missing:
      return nil
    }
  }

  /// The type of a function of the trace, as a value.
  private func closureType(_ ordinal: Int) -> ValueType {
    .function(parameters: functions[ordinal].formals.map(\.type), result: functions[ordinal].result)
  }

  private func seenMember(_ member: Expression.MemberAccess) -> ValueType? {
    if let index = staticMember(member) {
      if case .function(let ordinal) = scope[index].meaning { return closureType(ordinal) }
      return scope[index].type
    }
    if case .name(let type) = member.base.kind, find(type) == nil,
      let property = vocabulary.type(type)?.statics.property(member.name)
    {
      return property.type
    }
    switch seenType(member.base)?.unwrapped {
    case .instance(let name)?: return memberType(member.name, ofClass: classes.index(of: name))
    case .choice(let name)?:
      return classes.members(ofEnum: name).flatMap { memberType(member.name, ofClass: $0) }
    case .handle(let handle)?, .generic(let handle, _)?:
      return vocabulary.instances[Int(handle.rawValue)].property(member.name)?.type
    case .arrayOf(let element)?:
      return member.name == "first" || member.name == "last" ? .optional(element.type) : nil
    default: return nil
    }
  }

  /// The symbol of what a class itself has: `Store.handler`; nil for any other member.
  private func staticMember(_ member: Expression.MemberAccess) -> Int32? {
    guard case .name(let type) = member.base.kind, find(type) == nil,
      let owner = classIndex(of: type), let symbol = classes[owner].symbol(member.name)
    else { return nil }
    return scope.findAtTop(symbol)
  }

  /// The type of what each instance of a class, or the class itself, has by a name; nil where it has nothing.
  private func memberType(_ name: Word, ofClass index: Int) -> ValueType? {
    let info = classes[index]
    if let number = info.field(name) {
      let field = info.fields[number]
      if let known = field.type { return known }
      if let written = field.written { return plainType(written) }
      return field.value.flatMap { plainType(ofValue: $0) }
    }
    if let getter = info.computed.first(where: { $0.name == name }) {
      return functions[getter.ordinal].result
    }
    if let method = info.methods.first(where: { $0.name == name }) {
      return closureType(method.ordinal)
    }
    if let symbol = info.symbol(name), let found = scope.findAtTop(symbol) {
      if case .function(let ordinal) = scope[found].meaning { return closureType(ordinal) }
      return scope[found].type
    }
    return info.parent.flatMap { vocabulary.instances[Int($0.rawValue)].property(name)?.type }
  }

  /// The type of what a call of an expression gives.
  private func seenResult(_ callee: Expression) -> ValueType? {
    switch callee.kind {
    case .name(let name) where find(name) == nil:
      if ownClass >= 0, case .functionOf(let function)? = memberType(name, ofClass: ownClass) {
        return function.result
      }
      return namedType(name)
    case .member(let member):
      if case .arrayOf(let element)? = seenType(member.base)?.unwrapped {
        return Checker.givesElement.contains(member.name.text) ? element.type : nil
      }
    case .closure(let closure): return closure.header?.result.flatMap { plainType($0) }
    default: break
    }
    guard case .functionOf(let function)? = seenType(callee)?.unwrapped else { return nil }
    return function.result
  }

  /// Functions of an array that give one of its elements, or nil.
  private static let givesElement: Set<String> = [
    "removeFirst", "removeLast", "remove", "popLast", "first", "last", "randomElement",
  ]

  /// The type of the value that a property has from its declaration, as far as that is plain to see.
  private func plainType(ofValue value: Expression) -> ValueType? {
    switch value.kind {
    case .closure: return Formal.plainClosure
    case .call(let call):
      guard case .name(let name) = call.callee.kind else { return nil }
      return namedType(name)
    default: return nil
    }
  }

  private func namedType(_ name: Word) -> ValueType? {
    namedType(name.text) ?? vocabulary.type(name)?.handle.map { .handle($0) }
  }

  /// The type that is written, as far as it tells closures and collections of them; nothing is reported.
  private func plainType(_ written: TypeName, isAliased: Bool = false) -> ValueType? {
    switch written.kind {
    case .function(_, let result, let traits):
      let given = result.flatMap { plainType($0.value, isAliased: isAliased) }
      return .function(
        parameters: [], result: given ?? .unknown,
        traits: traits.map { self.traits($0.value) } ?? [])
    case .optional(let wrapped): return plainType(wrapped.value, isAliased: isAliased)
    case .array(let element):
      return plainType(element.value, isAliased: isAliased).map { .array($0) }
    case .dictionary(_, let value):
      return plainType(value.value, isAliased: isAliased).map { .dictionary(.unknown, $0) }
    case .name(let name):
      // One alias may lead to the next, and back.
      if !isAliased, let alias = aliases[name.text] { return plainType(alias, isAliased: true) }
      return namedType(name)
    case .generic, .missing: return nil
    }
  }
}
