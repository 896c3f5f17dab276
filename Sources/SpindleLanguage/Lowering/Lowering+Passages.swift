import SpindleModel

/// Where the way to what is changed passes something that is computed or observed: the `frame` of `model.frame.width = 3`.
struct Passage {
  /// How the change gets there.
  enum Kind {
    /// It is read once, a copy is changed, and it is set once.
    case copied
    /// It is changed where it is, and its `didSet` is called then; the class is -1 for a `var` at the top.
    case inPlace(ofClass: Int)
  }

  var kind: Kind
  /// What it belongs to; nil for what stands at the top.
  var owner: Expression?
  var name: Word
  var range: SourceRange
  /// How many steps lead on from there to what is changed.
  var depth = 0
}

/// What is passed on the way to what is changed.
///
/// Source: SE-0268, "Refine `didSet` Semantics"; swift:lib/SILGen/SILGenLValue.cpp, where each such step is one of a formal
/// access.
extension Lowering {
  /// The first such step on the way to a place, from its beginning; nil where there is none.
  mutating func passage(in place: Expression) -> Passage? {
    guard statics.hasPassages else { return nil }
    let place = plain(place)
    switch place.kind {
    case .name(let name):
      if let index = find(name) { return passage(at: index, place.range) }
      guard let own = ownMember(name, place.range) else { return nil }
      return passage(in: own)
    case .member(let member):
      guard let type = placeType(member.base)?.unwrapped else { return nil }
      // An object is only read, and changed itself.
      if isValue(type), let outer = passage(in: member.base) { return outer.deeper }
      guard let index = type.className.map({ checker.classes.index(of: $0) }),
        let kind = passageKind(of: member.name, in: index, isOwn: isOwn(member.base))
      else { return nil }
      return Passage(kind: kind, owner: member.base, name: member.name, range: place.range)
    case .element(let access): return passage(in: access.base)?.deeper
    case .bind(let inner), .unwrap(let inner), .chain(let inner):
      return passage(in: inner)?.deeper
    default: return nil
    }
  }

  private mutating func passage(at index: Int32, _ range: SourceRange) -> Passage? {
    let symbol = scope[index]
    switch symbol.meaning {
    case .function(let ordinal):
      guard statics.getters.contains(ordinal), setter(of: symbol) != nil else { return nil }
      return Passage(kind: .copied, name: symbol.name, range: range)
    case .shared:
      guard isObserved(symbol.name) else { return nil }
      return Passage(
        kind: changesInPlace(symbol.name) ? .inPlace(ofClass: -1) : .copied, name: symbol.name,
        range: range)
    case .constant, .register, .variable, .cell, .global, .pending: return nil
    }
  }

  private func passageKind(of name: Word, in index: Int, isOwn: Bool) -> Passage.Kind? {
    let info = checker.classes[index]
    if info.hasSetters, info.computed.contains(where: { $0.name == name }) {
      return info.methods.contains { $0.name.text == "set \(name.text)" } ? .copied : nil
    }
    guard info.hasObservers, let number = info.field(name) else { return nil }
    let field = info.fields[number].name
    guard isObserved(field, ofClass: index, isOwn: isOwn) else { return nil }
    return changesInPlace(field, ofClass: index) ? .inPlace(ofClass: index) : .copied
  }

  /// The type of what a place has, without any code; nil where the text does not say it.
  mutating func placeType(_ place: Expression) -> ValueType? {
    let place = plain(place)
    switch place.kind {
    case .name(let name):
      if let index = find(name) {
        guard case .function(let ordinal) = scope[index].meaning else { return scope[index].type }
        return statics.getters.contains(ordinal) ? functions[ordinal].result : nil
      }
      return ownMember(name, place.range).flatMap { placeType($0) }
    case .member(let member):
      guard let index = placeType(member.base)?.className.map({ checker.classes.index(of: $0) })
      else { return nil }
      let info = checker.classes[index]
      if let number = info.field(member.name) { return fieldType(index, number) }
      return info.computed.first { $0.name == member.name }.map { functions[$0.ordinal].result }
    case .element(let access):
      switch placeType(access.base) {
      case .arrayOf(let element): return element.type
      case .dictionaryOf(let types):
        return access.fallback == nil ? .optional(types.result) : types.result
      default: return nil
      }
    case .bind(let inner), .unwrap(let inner): return placeType(inner)?.unwrapped
    case .chain(let inner): return placeType(inner)
    case .call(let call): return resultType(call.callee)
    default: return nil
    }
  }

  /// The type of what a call gives that a place begins with.
  private mutating func resultType(_ callee: Expression) -> ValueType? {
    switch plain(callee).kind {
    case .name(let name):
      if let index = find(name) {
        if case .function(let ordinal) = scope[index].meaning { return functions[ordinal].result }
        guard case .functionOf(let function) = scope[index].type else { return nil }
        return function.result
      }
      if let own = ownMember(name, callee.range) { return resultType(own) }
      return checker.classes.index(of: name).map { checker.classes[$0].type }
    case .member(let member):
      guard let index = placeType(member.base)?.className.map({ checker.classes.index(of: $0) })
      else { return nil }
      return checker.classes[index].methods.first { $0.name == member.name }
        .map { functions[$0.ordinal].result }
    default: return nil
    }
  }

  /// A place with something else in front of its last steps.
  func replaced(_ place: Expression, _ depth: Int, by start: Expression) -> Expression {
    if depth == 0 { return start }
    guard let base = stepBase(of: place) else { return place }
    return step(place, from: replaced(base, depth - 1, by: start))
  }

  /// What the last step of a place leads on from; nil for what is no step.
  func stepBase(of place: Expression) -> Expression? {
    switch place.kind {
    case .member(let member): member.base
    case .element(let access): access.base
    case .bind(let inner), .unwrap(let inner), .chain(let inner): inner
    default: nil
    }
  }

  /// The last step of a place from another base, and with another index where one is given.
  func step(_ place: Expression, from base: Expression, index: Expression? = nil) -> Expression {
    let kind: Expression.Kind
    switch place.kind {
    case .member(let member):
      kind = .member(
        arena.node(
          Expression.MemberAccess(base: base, name: member.name, nameRange: member.nameRange)))
    case .element(let access):
      var changed = access.value
      changed.base = base
      if let index { changed.index = index }
      kind = .element(arena.node(changed))
    case .bind: kind = .bind(base)
    case .unwrap: kind = .unwrap(base)
    case .chain: kind = .chain(base)
    default: return place
    }
    return arena.expression(kind: kind, range: place.range)
  }

  /// Whether one of the last steps of a place ends the chain around where something is nil.
  func endsEarly(_ place: Expression, _ depth: Int) -> Bool {
    guard depth > 0, let base = stepBase(of: place) else { return false }
    if case .bind = place.kind { return true }
    return endsEarly(base, depth - 1)
  }
}

extension Passage {
  /// The same of a place that is one step further on.
  fileprivate var deeper: Passage {
    var changed = self
    changed.depth += 1
    return changed
  }
}
