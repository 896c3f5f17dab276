import SpindleModel

/// `willSet` and `didSet`: functions that are called around what sets a `var`, as Swift calls them.
///
/// An `init` of the class sets without them, and so does their own code where it sets what it observes. What changes a
/// collection in place changes a copy of it, which is then set.
extension Lowering {
  /// Sets a field of an instance to what a register has, with its observers.
  mutating func setField(
    _ number: Int, ofClass index: Int, _ instance: Register, isOwn: Bool, from register: Register,
    _ range: SourceRange
  ) {
    let write = writeOf(number, of: instance, from: register, isOwn: isOwn)
    let field = checker.classes[index].fields[number]
    guard isObserved(field.name, ofClass: index, isOwn: isOwn) else { return emit(write, range) }
    let type = fieldType(index, number)
    let next = frame.next
    let object = Operand.register(instance, checker.classes[index].type)
    let value = Operand.register(register, type)
    callObserver(.before, of: field.name, object, index, isOwn: isOwn, value, range)
    var former: Operand?
    if let ordinal = observer(.behind, of: field.name, index), !functions[ordinal].formals.isEmpty {
      former = instanceMember(object, index, field.name.word, range, target: nil, range)
    }
    emit(write, range)
    callObserver(.behind, of: field.name, object, index, isOwn: isOwn, former, range)
    frame.next = next
  }

  /// Sets a `var` at the top to what a register has, with its observers.
  mutating func setGlobal(
    _ global: GlobalID, _ name: Word, _ type: ValueType, from register: Register,
    _ range: SourceRange
  ) {
    guard isObserved(name) else { return emit(.writeShared(global, from: register), range) }
    let next = frame.next
    callObserver(.before, of: name, .register(register, type), range)
    var former: Operand?
    if let ordinal = observer(.behind, of: name), !functions[ordinal].formals.isEmpty {
      let old = frame.allocate()
      emit(.readShared(old, global), range)
      former = shared(.register(old, type), range)
    }
    emit(.writeShared(global, from: register), range)
    callObserver(.behind, of: name, former, range)
    frame.next = next
  }

  /// A register whose collection may be changed without a change of the variable that it comes from.
  mutating func unobserved(
    _ register: Register, _ type: ValueType, _ isObserved: Bool, _ range: SourceRange
  ) -> Register {
    guard isObserved else { return register }
    let copy = frame.allocate()
    emit(.arrayCopy(copy, from: register), range)
    return self.register(of: held(.register(copy, type), range), range)
  }

  /// Whether something is done where code like the present one sets a field.
  func isObserved(_ name: Name, ofClass index: Int, isOwn: Bool) -> Bool {
    guard checker.classes[index].hasObservers, !isInitializing(isOwn),
      observer(.before, of: name, index) != nil || observer(.behind, of: name, index) != nil
    else { return false }
    if unobserved.contains(where: { $0.index == index && $0.name == name.word && $0.depth == depth }
    ) {
      return false
    }
    guard isOwn, case .function(let ordinal) = frame.context else { return true }
    return Observer.allCases.allSatisfy { observer($0, of: name, index) != ordinal }
  }

  /// Whether something is done where code like the present one sets a `var` at the top.
  func isObserved(_ name: Word) -> Bool {
    guard !statics.observers.isEmpty,
      observer(.before, of: name) != nil || observer(.behind, of: name) != nil
    else { return false }
    if unobserved.contains(where: { $0.index < 0 && $0.name == name && $0.depth == depth }) {
      return false
    }
    guard case .function(let ordinal) = frame.context else { return true }
    return Observer.allCases.allSatisfy { observer($0, of: name) != ordinal }
  }

  /// Whether a part of an observed field is changed where it is: nobody is told the value before or after.
  func changesInPlace(_ name: Name, ofClass index: Int) -> Bool {
    guard observer(.before, of: name, index) == nil, let after = observer(.behind, of: name, index)
    else { return false }
    return functions[after].formals.isEmpty
  }

  /// The same of a `var` at the top.
  func changesInPlace(_ name: Word) -> Bool {
    guard observer(.before, of: name) == nil, let after = observer(.behind, of: name) else {
      return false
    }
    return functions[after].formals.isEmpty
  }

  /// Calls the `didSet` of what was changed where it is.
  mutating func callDidSet(of passage: Passage, _ owner: Expression?, _ range: SourceRange) {
    guard case .inPlace(let index) = passage.kind else { return }
    guard let owner else { return callObserver(.behind, of: passage.name, nil, range) }
    let wanted = "\(Observer.behind.rawValue) \(passage.name.text)"
    guard let method = checker.classes[index].methods.first(where: { $0.name.text == wanted })
    else { return }
    call(arena.member(method.name, of: owner, range), method.ordinal, nil, range)
  }

  /// Notes a method of a class that is an observer: it is given what the field has, whose type it leaves open.
  mutating func noteObserver(_ method: TypeDeclaration.Method, _ ordinal: Int, of index: Int) {
    if method.isSetter { checker.classes[index].hasSetters = true }
    if method.function.name.text.contains(" ") { statics.hasPassages = true }
    guard method.isObserver else { return }
    if method.isStatic {
      noteStaticObserver(method.function.name, ordinal, of: index)
    } else {
      checker.classes[index].hasObservers = true
    }
  }

  /// Notes a function at the top that is an observer, which its name says.
  mutating func noteObserver(_ function: Declaration.Function, _ ordinal: Int) {
    guard function.name.text.contains(" "), function.role == .plain else { return }
    statics.observers[function.name.text] = (ordinal, function.name.word)
    statics.hasPassages = true
  }

  /// Notes one of a `static var`, which is called by the name that this has at the top.
  private mutating func noteStaticObserver(_ name: Name, _ ordinal: Int, of index: Int) {
    let parts = name.text.split(separator: " ")
    guard parts.count == 2 else { return }
    let observed = "\(checker.classes[index].name.text).\(parts[1])"
    statics.observers["\(parts[0]) \(observed)"] = (ordinal, qualified(name.word, index))
  }

  /// In front of the code of an observer: the type of what it is given.
  mutating func typeObserver(_ ordinal: Int, _ method: TypeDeclaration.Method, of index: Int) {
    guard method.isObserver, !method.isStatic, !functions[ordinal].formals.isEmpty else { return }
    let name = method.function.name.text.split(separator: " ").last
    let fields = checker.classes[index].fields
    guard let number = fields.firstIndex(where: { $0.name.text == name ?? "" }) else { return }
    functions[ordinal].formals[0].type = fieldType(index, number)
  }

  // MARK: Calls

  /// When an observer is called.
  private enum Observer: String, CaseIterable {
    case before = "willSet"
    case behind = "didSet"
  }

  /// The function of an observer of a field; nil where there is none.
  private func observer(_ kind: Observer, of name: Name, _ index: Int) -> Int? {
    let wanted = "\(kind.rawValue) \(name.text)"
    return checker.classes[index].methods.first { $0.name.text == wanted }?.ordinal
  }

  /// The function of an observer of a `var` at the top; nil where there is none.
  private func observer(_ kind: Observer, of name: Word) -> Int? {
    statics.observers["\(kind.rawValue) \(name.text)"]?.ordinal
  }

  private mutating func callObserver(
    _ kind: Observer, of name: Name, _ object: Operand, _ index: Int, isOwn: Bool,
    _ value: Operand?, _ range: SourceRange
  ) {
    let wanted = "\(kind.rawValue) \(name.text)"
    guard let method = checker.classes[index].methods.first(where: { $0.name.text == wanted })
    else { return }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    if !isOwn { declareLocal(Name(word: words.changed, range: range), object) }
    let base = arena.named(isOwn ? words.own : words.changed, range)
    call(arena.member(method.name, of: base, range), method.ordinal, value, range)
  }

  private mutating func callObserver(
    _ kind: Observer, of name: Word, _ value: Operand?, _ range: SourceRange
  ) {
    guard let observer = statics.observers["\(kind.rawValue) \(name.text)"] else { return }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    call(arena.named(observer.name, range), observer.ordinal, value, range)
  }

  private mutating func call(
    _ callee: Expression, _ ordinal: Int, _ value: Operand?, _ range: SourceRange
  ) {
    var arguments: [Expression.Argument] = []
    if let value, !functions[ordinal].formals.isEmpty {
      if functions[ordinal].formals[0].type.isUnknown {
        functions[ordinal].formals[0].type = value.type
      }
      declareLocal(Name(word: words.observed, range: range), value)
      let given = arena.named(words.observed, range)
      arguments.append(Expression.Argument(label: nil, labelRange: range, value: given))
    }
    let call = Expression.Call(
      callee: callee, arguments: arena.list(arguments), closures: SyntaxList(), range: range)
    _ = lowerCall(arena.node(call), isUsed: false, expecting: nil, target: nil)
  }

  private mutating func declareLocal(_ name: Name, _ value: Operand) {
    guard case .register(let register) = value.location else { return }
    scope.declare(
      Symbol(
        name: name.word, meaning: .register(register), type: value.type, place: name.range,
        frame: Int32(depth)))
  }
}
