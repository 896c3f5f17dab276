import SpindleModel

/// Private members of a class above: what a class below has by the same name is another member.
///
/// The class below takes the code of the one above over, in which the name means what is declared there: both get a
/// name that no trace can write. `fileprivate` is taken as `private` unless the class below says `override`, as in an app
/// whose classes are in files of their own.
///
/// Source: *The Swift Programming Language*, "Access Control"; run with Swift 6.3.1.
extension Lowering {
  /// A class above as the class `below` takes it over: what is private in it and has a name that `below` declares itself
  /// has another name.
  mutating func apart(
    _ above: TypeDeclaration, from below: TypeDeclaration
  ) -> TypeDeclaration {
    checker.classes.hiddenStatics[below.name.text] = checker.classes.hiddenStatics[above.name.text]
    var renaming = PrivateNames()
    for isStatic in [false, true] {
      for name in PrivateNames.hidden(in: above, isStatic, by: below) {
        renaming.hide(name, isStatic, in: above, arena.words)
        let hidden = renaming.hidden(name, isStatic) ?? name
        guard isStatic else { continue }
        checker.classes.hiddenStatics[below.name.text, default: []].append(
          ClassTable.HiddenStatic(owner: above.name.word, name: name, hidden: hidden))
      }
    }
    if renaming.isEmpty { return above }
    checker.diagnosis.leaveOut(PrivateNames.sign + above.name.text)
    return renaming.renamed(above, in: arena, freeWords(own: words.own))
  }

  /// Gives a class below the stored `static`s that it knows by other names.
  mutating func shareHidden(of index: Int) {
    for one in checker.classes.hiddenStatics[checker.classes[index].name.text] ?? [] {
      guard let owner = checker.classes.index(of: one.owner),
        let symbol = checker.classes[owner].symbol(one.name),
        checker.classes[index].symbol(one.hidden) == nil
      else { continue }
      checker.classes[index].statics.append((one.hidden, symbol))
    }
  }
}

/// The other names of private members.
private struct PrivateNames {
  /// Behind the name of the member, in front of the class that has it: no name of a trace has it.
  static let sign = "@"

  private var members: [Word: Word] = [:]
  private var statics: [Word: Word] = [:]

  var isEmpty: Bool { members.isEmpty && statics.isEmpty }

  /// The names by which `type` declares private members only, and `below` members that override none.
  static func hidden(
    in type: TypeDeclaration, _ isStatic: Bool, by below: TypeDeclaration
  ) -> [Word] {
    var (found, open): ([Word], Set<Word>) = ([], [])
    for member in members(of: type, isStatic) {
      if !member.isPrivate {
        open.insert(member.name)
      } else if !found.contains(member.name) {
        found.append(member.name)
      }
    }
    let others = members(of: below, isStatic).filter { !$0.isOverride }.map(\.name)
    return found.filter { !open.contains($0) && others.contains($0) }
  }

  private static func members(
    of type: TypeDeclaration, _ isStatic: Bool
  ) -> [(name: Word, isPrivate: Bool, isOverride: Bool)] {
    type.fields.filter { $0.isStatic == isStatic }
      .map { ($0.name.word, $0.isPrivate, $0.isOverride) }
      + type.methods.filter { $0.isStatic == isStatic && !$0.isSetter && !$0.isObserver }
      .map { ($0.function.name.word, $0.isPrivate, $0.isOverride) }
  }

  func hidden(_ name: Word, _ isStatic: Bool) -> Word? {
    isStatic ? statics[name] : members[name]
  }

  /// Gives a member another name, and so what sets, observes or stores it: `set x`, `didSet x`, `lazy x`.
  mutating func hide(
    _ name: Word, _ isStatic: Bool, in type: TypeDeclaration, _ words: WordTable
  ) {
    let all = type.fields.map(\.name.word) + type.methods.map(\.function.name.word)
    for word in all where word == name || word.text.hasSuffix(" \(name.text)") {
      let other = words.word(word.text + Self.sign + type.name.text)
      if isStatic { statics[word] = other } else { members[word] = other }
    }
  }

  /// A class whose members have these names, in its code too.
  func renamed(
    _ type: TypeDeclaration, in arena: SyntaxArena, _ words: FreeNames.Words
  ) -> TypeDeclaration {
    func names(_ isStatic: Bool) -> FreeNames {
      FreeNames(in: arena, words) { name, use in
        switch use {
        case .alone, .ofOwn: hidden(name, isStatic)
        case .ofOwnType: statics[name]
        }
      }
    }
    var (ofInstance, ofType) = (names(false), names(true))
    var result = type
    for index in type.fields.indices {
      let field = type.fields[index]
      if let other = hidden(field.name.word, field.isStatic) {
        result.fields[index].name.word = other
        result.fields[index].written = field.written ?? Self.shown(field.name.word, arena.words)
      }
      result.fields[index].value = field.value.map { ofType.expression($0) }
      result.fields[index].getter = field.getter.map {
        field.isStatic ? ofType.block($0) : ofInstance.block($0)
      }
    }
    for index in type.methods.indices {
      let method = type.methods[index]
      if let other = hidden(method.function.name.word, method.isStatic) {
        result.methods[index].function.name.word = other
        result.methods[index].written = method.written ?? method.function.name.word
      }
      let parameters = method.function.parameters
      result.methods[index].function.parameters = parameters.map { ofType.parameter($0) }
      let (body, given) = (method.function.body, parameters.map(\.name.word))
      result.methods[index].function.body =
        method.isStatic
        ? ofType.body(body, parameters: given) : ofInstance.body(body, parameters: given)
    }
    for index in type.initializers.indices {
      let parameters = type.initializers[index].parameters
      result.initializers[index].parameters = parameters.map { ofType.parameter($0) }
      result.initializers[index].body = ofInstance.body(
        type.initializers[index].body, parameters: parameters.map(\.name.word))
    }
    result.deinitializers = type.deinitializers.map { ofInstance.block($0) }
    return result
  }

  /// What the trace calls a field, which of a `lazy var` has another name already.
  private static func shown(_ name: Word, _ words: WordTable) -> Word {
    name.text.hasPrefix("lazy ") ? words.word(String(name.text.dropFirst("lazy ".count))) : name
  }
}
