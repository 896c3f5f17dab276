import SpindleModel

/// What a trace says of a type elsewhere: in an extension, in the class above it, in a protocol.
///
/// It is put where it belongs before types are declared, so that nothing behind this knows of it.
extension Lowering {
  /// The declarations of a trace without extensions, protocols and other names of types.
  mutating func merged(_ declarations: [Declaration]) -> [Declaration] {
    var types: [(place: Int, type: TypeDeclaration)] = []
    for (place, declaration) in declarations.enumerated() {
      if case .type(let type) = declaration.kind { types.append((place, type)) }
    }
    guard types.contains(where: { $0.type.keyword.isAddition || !$0.type.bases.isEmpty }) else {
      return declarations
    }
    var merge = Merge(types: types.filter { !$0.type.keyword.isAddition })
    for (_, type) in types where type.keyword == .typealias { declareAlias(type) }
    let protocols = types.map(\.type).filter { $0.keyword == .protocol }
    let known = ProtocolsAbove(protocols)
    inheritIsolation(known, &merge)
    var extensions = types.map(\.type).filter { $0.keyword == .extension }
    for index in extensions.indices { inheritIsolation(known, &extensions[index]) }
    for type in extensions where !known.has(type.name.word) { extend(type, &merge) }
    conform(protocols, known, extensions, &merge)
    inherit(&merge)
    for index in merge.types.indices { adaptOperation(&merge.types[index].type) }
    var result = declarations
    for (place, type) in merge.types { result[place].kind = .type(type) }
    return result.filter { declaration in
      guard case .type(let type) = declaration.kind else { return true }
      return !type.keyword.isAddition
    }
  }

  /// The types that stay, with their places among the declarations.
  struct Merge {
    var types: [(place: Int, type: TypeDeclaration)]

    func index(of name: Word) -> Int? { types.firstIndex { $0.type.name.word == name } }
  }

  private mutating func declareAlias(_ type: TypeDeclaration) {
    guard let aliased = type.aliased else { return }
    if let earlier = checker.aliases[type.name.text] {
      let line = checker.line(earlier.range)
      return error(Messages.redeclared(type.name.text, line: line), type.name.range)
    }
    if vocabulary.type(type.name.word) != nil || checker.plainType(type.name.text) != nil {
      return error(Messages.takenType(type.name.text), type.name.range)
    }
    checker.aliases[type.name.text] = aliased
  }

  // MARK: Extensions

  /// What an extension of a type that the trace does not declare comes to: functions, and values at the top.
  private func extensionOfLibrary(_ type: TypeDeclaration) -> String {
    let isStatic =
      type.methods.allSatisfy(\.isStatic) && type.fields.allSatisfy(\.isStatic)
      && !(type.methods.isEmpty && type.fields.isEmpty)
    return Messages.extensionOfLibrary(
      type.name.text, static: isStatic ? type.methods.first?.function.name.text ?? "" : nil)
  }

  private mutating func extend(_ type: TypeDeclaration, _ merge: inout Merge) {
    guard let index = merge.index(of: type.name.word) else {
      let owner = Messages.refusedOwner(type.name.text)
      for name in type.methods.map(\.function.name.text) + type.fields.map(\.name.text) {
        checker.refusedMembers.insert("\(owner).\(name)")
      }
      let isForNames = type.methods.isEmpty && type.fields.allSatisfy(\.isStatic)
      if isForNames, let field = type.fields.first?.name.text {
        let name = source.text(in: type.name.range)
        return error(Messages.extensionOfNames(name, field), type.name.range)
      }
      return error(extensionOfLibrary(type), type.name.range)
    }
    for field in type.fields where !field.isStatic && field.getter == nil {
      error(Messages.extensionWithStored, field.name.range)
    }
    var target = merge.types[index].type
    if target.keyword == .enum, target.cases.isEmpty { target.keyword = .class }
    target.bases += type.bases
    let isolation = type.isolation.isUnspecified ? target.isolation : type.isolation
    func home(_ own: Isolation, isStatic: Bool) -> Isolation {
      if !own.isUnspecified { return own }
      if target.keyword == .actor, type.isolation.isUnspecified {
        return isStatic ? .unspecified : .own
      }
      return isolation
    }
    for var field in type.fields where field.isStatic || field.getter != nil {
      field.isolation = home(field.isolation, isStatic: field.isStatic)
      target.fields.append(field)
    }
    for var method in type.methods {
      method.function.isolation = home(method.function.isolation, isStatic: method.isStatic)
      target.methods.append(method)
    }
    target.initializers += type.initializers
    merge.types[index].type = target
  }

  // MARK: Protocols

  /// Notes who conforms to what, and gives those what an extension of the protocol has for all.
  private mutating func conform(
    _ protocols: [TypeDeclaration], _ known: ProtocolsAbove, _ extensions: [TypeDeclaration],
    _ merge: inout Merge
  ) {
    var above: [Word: Set<Word>] = [:]
    let required = Set(protocols.flatMap { $0.required.map(\.name) })
    for one in protocols {
      above[one.name.word, default: []].formUnion(one.bases.map(\.word))
      checker.conforming[one.name.text] = []
    }
    for index in merge.types.indices {
      var (open, found) = (merge.types[index].type.bases.map(\.word), Set<Word>())
      while let name = open.popLast() {
        guard let further = above[name], found.insert(name).inserted else { continue }
        open += further.sorted { $0.index < $1.index }
      }
      let name = merge.types[index].type.name
      for one in found { checker.conforming[one.text]?.append(name) }
      merge.types[index].type.bases.removeAll { above[$0.word] != nil }
      // What a protocol of the library asks for is not known here.
      let isKnown = found.allSatisfy { above[$0]?.allSatisfy { above[$0] != nil } == true }
      for type in extensions where found.contains(type.name.word) {
        let declared = Set(merge.types[index].type.fields.map(\.name.word))
        if isKnown {
          refuseShadowing(type, in: merge.types[index].type, required)
        }
        takeMissing(
          of: type, into: &merge.types[index].type, declared: declared,
          isolation: known.areOfActors([type.name]) ? .own : .unspecified)
      }
    }
  }

  /// Reports members that a type has and an extension of its protocol too, without the protocol asking for them.
  ///
  /// Which of both Swift takes depends on where the call stands; a trace has the type's only.
  private mutating func refuseShadowing(
    _ other: TypeDeclaration, in type: TypeDeclaration, _ required: Set<Word>
  ) {
    for method in type.methods
    where !method.isSetter && !required.contains(method.function.name.word) {
      guard other.methods.contains(where: { isSame($0, method) }) else { continue }
      error(
        Messages.shadowedMember(method.function.name.text, type.name.text, other.name.text),
        method.function.name.range)
    }
    for field in type.fields where !field.isStatic && !required.contains(field.name.word) {
      guard other.fields.contains(where: { $0.name.word == field.name.word }) else { continue }
      error(
        Messages.shadowedMember(field.name.text, type.name.text, other.name.text), field.name.range)
    }
  }

  /// Members that a type has not of its own are those of what it conforms to or stands below.
  ///
  /// `declared` are the names of the fields that it declares itself. What says nothing runs where it is declared, not
  /// where this type does: in `isolation`. Source: SE-0316.
  private func takeMissing(
    of other: TypeDeclaration, into type: inout TypeDeclaration, declared fields: Set<Word>,
    isolation home: Isolation = .unspecified
  ) {
    let methods = type.methods
    for var field in other.fields where !fields.contains(field.name.word) {
      if field.isolation.isUnspecified, !field.isStatic { field.isolation = home }
      type.fields.append(field)
    }
    for var method in other.methods {
      let isOwn =
        methods.contains { isSame($0, method) }
        || method.isSetter
          && fields.contains(where: { "set \($0.text)" == method.function.name.text })
      if isOwn { continue }
      if method.function.isolation.isUnspecified, !method.isStatic {
        method.function.isolation = home
      }
      type.methods.append(method)
    }
  }

  private func isSame(_ a: TypeDeclaration.Method, _ b: TypeDeclaration.Method) -> Bool {
    a.function.name.word == b.function.name.word
      && a.function.parameters.map(\.label) == b.function.parameters.map(\.label)
  }

  // MARK: Classes above classes

  /// How many classes may stand above one.
  private static let highestClass = 64

  /// A class below another one has all that the other has and what it says itself.
  ///
  /// Its instances are no instances of the other class: a value has one class.
  private mutating func inherit(_ merge: inout Merge) {
    var isDone = Set<Int>()
    for index in merge.types.indices { inherit(index, &merge, &isDone, depth: 0) }
  }

  private mutating func inherit(
    _ index: Int, _ merge: inout Merge, _ isDone: inout Set<Int>, depth: Int
  ) {
    guard isDone.insert(index).inserted, depth < Self.highestClass,
      merge.types[index].type.keyword == .class
    else { return }
    let bases = merge.types[index].type.bases
    guard let base = bases.first, let above = merge.index(of: base.word), above != index,
      merge.types[above].type.keyword == .class, !merge.types[above].type.isValue
    else { return }
    inherit(above, &merge, &isDone, depth: depth + 1)
    var type = merge.types[index].type
    let other = apart(merge.types[above].type, from: type)
    let addsInit = type.initializers.contains { !$0.isConvenience }
    if !other.initializers.isEmpty, addsInit {
      error(Messages.baseWithInit(other.name.text), base.range)
      type.isBroken = true
    }
    checker.parents[type.name.text] = other.name.text
    checker.diagnosis.saysOnce = true
    type.bases = other.bases + bases.dropFirst()
    var own = type
    own.fields = other.fields.filter { field in
      !field.isStatic && !type.fields.contains { $0.name.word == field.name.word }
    }
    for index in own.fields.indices { own.fields[index].height += 1 }
    refuseObserved(&type, other)
    own.fields += type.fields
    let declared = Set(type.fields.map(\.name.word))
    takeMissing(of: withoutStored(other), into: &own, declared: declared)
    keepOverridden(other, type, &own)
    keepComputed(other, type, &own)
    if !addsInit { own.initializers += initializers(of: other) }
    if own.isolation.isUnspecified { own.isolation = other.isolation }
    own.deinitializers += other.deinitializers
    if other.endsIsolated { own.endsIsolated = true }
    merge.types[index].type = own
  }

  /// Reports `override var x: Int { didSet { } }`, which declares no `var` of its own.
  private mutating func refuseObserved(_ type: inout TypeDeclaration, _ other: TypeDeclaration) {
    for (index, field) in type.fields.enumerated() where !field.isStatic && field.value == nil {
      guard field.getter == nil,
        let observed = other.fields.first(where: { $0.name.word == field.name.word })
      else { continue }
      error(Messages.observesInherited(field.name.text), field.name.range)
      type.fields[index].value = observed.value
    }
  }

  /// What the class above does where this one does something else keeps a name that no trace can write: that of
  /// `super.f()`.
  private mutating func keepOverridden(
    _ other: TypeDeclaration, _ type: TypeDeclaration, _ own: inout TypeDeclaration
  ) {
    for var method in other.methods
    where !method.isSetter && !(method.isStatic && method.isObserver) {
      guard type.methods.contains(where: { isSame($0, method) }) else { continue }
      let upper = nameAbove(method.function.name)
      if method.isStatic, own.methods.contains(where: { $0.function.name.word == upper.word }) {
        // Only a use of what is above would be wrong: there is none then.
        own.methods.removeAll { $0.function.name.word == upper.word }
        continue
      }
      moveUp(method, in: &own)
      method.function.name = upper
      method.height += 1
      own.methods.append(method)
    }
  }

  /// The name that keeps what the next class above does: no trace can write it.
  private func nameAbove(_ name: Name) -> Name {
    Name(word: arena.words.word("super \(name.text)"), range: name.range)
  }

  /// What a class two above does, by the name that is `super.f()` in the class between, is `super.super.f()` so to speak.
  private func moveUp(_ method: TypeDeclaration.Method, in own: inout TypeDeclaration) {
    let labels = method.function.parameters.map(\.label)
    for index in own.methods.indices {
      let kept = own.methods[index].function
      guard kept.name.word.isAbove(method.function.name.word),
        kept.parameters.map(\.label) == labels
      else { continue }
      own.methods[index].function.name = nameAbove(kept.name)
    }
  }

  /// What the class above computes where this one computes something else keeps such a name, too.
  private func keepComputed(
    _ other: TypeDeclaration, _ type: TypeDeclaration, _ own: inout TypeDeclaration
  ) {
    for var field in other.fields where field.getter != nil && !field.isStatic {
      let name = field.name
      guard type.fields.contains(where: { $0.getter != nil && $0.name.word == name.word })
      else { continue }
      for index in own.fields.indices where own.fields[index].name.word.isAbove(name.word) {
        own.fields[index].name = nameAbove(own.fields[index].name)
      }
      field.name = nameAbove(name)
      field.height += 1
      own.fields.append(field)
    }
  }

  /// Those that a class below takes over, which run where they are declared.
  private func initializers(of type: TypeDeclaration) -> [TypeDeclaration.Initializer] {
    type.initializers.map { initializer in
      var inherited = initializer
      if inherited.isolation.isUnspecified {
        inherited.isolation = type.isolation.isUnspecified ? .nonisolated : type.isolation
      }
      return inherited
    }
  }

  /// What a class below has of its own of a class, apart from its fields: it stores nothing of what is `static`.
  private func withoutStored(_ type: TypeDeclaration) -> TypeDeclaration {
    var result = type
    result.fields.removeAll { !$0.isStatic || $0.getter == nil }
    result.methods.removeAll { $0.isStatic && $0.isObserver }
    for index in result.methods.indices { result.methods[index].height += 1 }
    return result
  }

  /// Gives each class below another one what that one itself stores, which is the same by both names.
  ///
  /// When all members are declared. What computes and what is called a class below has of its own.
  mutating func shareStored() {
    guard !checker.parents.isEmpty, checker.classes.hasStatics else { return }
    for index in 0..<checker.classes.count {
      var name = checker.classes[index].name.text
      for _ in 0..<Self.highestClass {
        guard let above = checker.parents[name],
          let other = checker.classes.index(of: arena.words.word(above))
        else { break }
        for (own, symbol) in checker.classes[other].statics
        where checker.classes[index].symbol(own) == nil {
          checker.classes[index].statics.append((own, symbol))
        }
        name = above
      }
      shareHidden(of: index)
    }
  }
}
