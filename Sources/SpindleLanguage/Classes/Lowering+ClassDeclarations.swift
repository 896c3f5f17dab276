import SpindleModel

/// Classes at the top of a trace: their names first, then what they have, then the code of that.
extension Lowering {
  /// A class whose members are declared and not lowered yet.
  struct OpenClass {
    fileprivate let declaration: TypeDeclaration
    let index: Int
    /// The functions of the members with code, in the order of the text: what is computed, methods.
    fileprivate var computed: [(ordinal: Int, field: TypeDeclaration.Field, body: CodeBlock)] = []
    fileprivate var methods: [(ordinal: Int, method: TypeDeclaration.Method)] = []
    fileprivate var deinitializer: Int?
    /// What is `static` and gets its value when it is first used.
    var lazies: [Int32] = []
  }

  /// Declares the name of a class, so that whatever stands in front of it may use it.
  mutating func declareClass(_ declaration: TypeDeclaration) {
    let name = declaration.name
    if let earlier = checker.classes.index(of: name.word) {
      let place = checker.classes[earlier].name.range
      return error(Messages.redeclared(name.text, line: checker.line(place)), name.range)
    }
    if SymbolFamily.named(name.text)?.type != nil { checker.classes.hiddenLists.insert(name.text) }
    guard vocabulary.type(name.word) == nil, checker.plainType(name.text) == nil else {
      return error(Messages.takenType(name.text), name.range)
    }
    if let earlier = checker.enums.index(of: name.text) {
      let line = checker.line(checker.enums[earlier].name.range)
      return error(Messages.redeclared(name.text, line: line), name.range)
    }
    if declaration.keyword == .enum { return declareEnum(declaration) }
    checker.classes.add(name, isActor: declaration.keyword == .actor)
  }

  /// Declares the members of a class; nil when the class was refused.
  ///
  /// Gives what the class itself has, as values at the top, and what is left to lower.
  mutating func declareMembers(
    _ declaration: TypeDeclaration
  ) -> (statics: [Binding], rest: OpenClass)? {
    if declaration.keyword == .enum { return declareEnumMembers(declaration) }
    guard let index = checker.classes.index(of: declaration.name.word),
      checker.classes[index].name.range == declaration.name.range
    else { return nil }
    for base in declaration.bases { declareBase(base, of: index, declaration) }
    if declaration.keyword == .actor { makeActor(index, declaration) }
    noteValues(declaration, of: index)
    var (open, statics) = (OpenClass(declaration: declaration, index: index), [Binding]())
    var known: [Int: SourceRange] = [:]
    func isNew(_ name: Name, _ lowering: inout Lowering) -> Bool {
      if let place = known[name.word.index] {
        let line = lowering.checker.line(place)
        lowering.error(Messages.redeclared(name.text, line: line), name.range)
        return false
      }
      known[name.word.index] = name.range
      return true
    }
    for field in declaration.fields where isNew(field.name, &self) {
      if refuseOverride(field.name, field.getter, of: index) || takeExecutor(field, of: index) {
        continue
      }
      if field.isTaskLocal && !field.isStatic {
        error(Messages.taskLocalOfInstance(field.name.text), field.name.range)
      }
      if let getter = field.getter {
        if saysAsynchrony(field.name, of: index) { continue }
        open.computed.append((declareGetter(field, getter, of: index), field, getter))
      } else if field.isStatic {
        if let binding = declareStatic(field, of: index, declaration) { statics.append(binding) }
      } else {
        checker.classes[index].fields.append(ClassInfo.Field(field))
      }
    }
    declareCases(declaration, of: index)
    checkOverloads(declaration)
    for method in declaration.methods where !refuseOverride(method.function.name, of: index) {
      open.methods.append((declareMethod(method, of: index), method))
      noteObserver(method, functions.count - 1, of: index)
    }
    if !declaration.deinitializers.isEmpty {
      let name = "\(checker.classes[index].name.text).deinit"
      open.deinitializer = declareFunction(name, [], .void, isMethod: true)
      if declaration.keyword == .actor { functions[functions.count - 1].isolation = .own }
      checker.classes[index].deinitializer = open.deinitializer
      if declaration.endsIsolated { placeDeinit(declaration, of: index) }
    }
    declareShared(declaration, of: index, &statics)
    declareInitializers(declaration, of: index)
    // What a class has from the start comes before what is made with it.
    open.lazies = lazies(among: statics)
    let simple = statics.filter { isSimple($0.value) }
    return (simple + statics.filter { !isSimple($0.value) }, open)
  }

  /// Notes what the values of a `struct` or of an `enum` with values can do without a member of their own.
  private mutating func noteValues(_ declaration: TypeDeclaration, of index: Int) {
    let bases = declaration.bases.map(\.text)
    checker.classes[index].isValue = declaration.isValue || declaration.changesCases
    checker.classes[index].isStruct = declaration.isStruct
    if declaration.isBroken { checker.classes[index].isBroken = true }
    checker.classes[index].isEquatable = bases.contains { ["Equatable", "Hashable"].contains($0) }
    checker.classes[index].isError =
      (declaration.isStruct || !declaration.cases.isEmpty)
      && bases.contains { ["Error", "LocalizedError"].contains($0) }
    noteDescription(declaration, of: index)
  }

  /// Declares what the cases of an `enum` can do; nil where that is nothing.
  private mutating func declareEnumMembers(
    _ declaration: TypeDeclaration
  ) -> (statics: [Binding], rest: OpenClass)? {
    guard !declaration.fields.isEmpty || !declaration.methods.isEmpty,
      let number = checker.enums.index(of: declaration.name.text),
      checker.enums[number].name.range == declaration.name.range,
      case .choice(let className) = checker.enums[number].type
    else { return nil }
    let index = checker.classes.addMembers(ofEnum: declaration.name, className)
    noteDescription(declaration, of: index)
    var (open, statics) = (OpenClass(declaration: declaration, index: index), [Binding]())
    for field in declaration.fields {
      if let getter = field.getter {
        open.computed.append((declareGetter(field, getter, of: index), field, getter))
      } else if let binding = declareStatic(field, of: index, declaration) {
        statics.append(binding)
      }
    }
    for method in declaration.methods {
      open.methods.append((declareMethod(method, of: index), method))
    }
    open.lazies = lazies(among: statics)
    return (statics, open)
  }

  private mutating func declareGetter(
    _ field: TypeDeclaration.Field, _ getter: CodeBlock, of index: Int
  ) -> Int {
    let ordinal = declareFunction(
      "\(checker.classes[index].name.text).\((field.written ?? field.name.word).text)", [],
      field.type.map { checker.type($0, of: index) } ?? .unknown, isMethod: !field.isStatic)
    if field.type == nil {
      error(Messages.untypedGetter(field.name.text), field.name.range)
    }
    (functions[ordinal].isolation, functions[ordinal].height) = (field.isolation, field.height)
    functions[ordinal].isAsync = field.isAsync
    if field.isStatic {
      declareStaticFunction(field.name, ordinal, of: index)
      statics.getters.insert(ordinal)
    } else {
      checker.classes.addComputed(field.name.word, ordinal, to: index)
    }
    return ordinal
  }

  private mutating func declareMethod(_ method: TypeDeclaration.Method, of index: Int) -> Int {
    let function = method.function
    let result = function.result.map { checker.type($0, of: index) } ?? .void
    let ordinal = declareFunction(
      "\(checker.classes[index].name.text).\((method.written ?? function.name.word).text)",
      function.parameters, result,
      isMethod: !method.isStatic, of: index)
    (functions[ordinal].isAsync, functions[ordinal].isDiscardable) =
      (function.isAsync, function.isDiscardable)
    (functions[ordinal].isolation, functions[ordinal].height) = (function.isolation, method.height)
    functions[ordinal].isolatedParameter = function.parameters.firstIndex(where: \.isIsolated)
    checkIsolated(function.parameters, functions[ordinal].formals)
    if method.isMutating { checker.mutating.insert(ordinal) }
    if method.isStatic {
      declareStaticFunction(function.name, ordinal, of: index)
    } else {
      checker.classes[index].methods.append(.init(name: function.name.word, ordinal: ordinal))
    }
    return ordinal
  }

  private mutating func declareInitializers(_ declaration: TypeDeclaration, of index: Int) {
    let info = checker.classes[index]
    let name = "\(info.name.text).init"
    if !info.isActor { checker.classes[index].home = home(of: declaration.isolation) }
    for initializer in declaration.initializers {
      let ordinal = declareFunction(name, initializer.parameters, .void, isMethod: true)
      functions[ordinal].isAsync = initializer.isAsync
      functions[ordinal].isolation = isolation(of: initializer, in: declaration, info)
      checker.classes[index].initializers.append(ordinal)
    }
    guard !declaration.initializers.contains(where: { !$0.isConvenience }) else { return }
    if let open = info.fields.first(where: { $0.value == nil && $0.name.word != words.executor }) {
      error(Messages.needsInitializer(info.name.text, open.name.text), info.name.range)
    }
    checker.classes[index].initializers.append(declareFunction(name, [], .void, isMethod: true))
  }

  /// Declares a function of a class; gives its ordinal.
  mutating func declareFunction(
    _ name: String, _ parameters: [Declaration.Function.Parameter], _ result: ValueType,
    isMethod: Bool, of index: Int = -1
  ) -> Int {
    let formals = parameters.enumerated().map { ordinal, parameter in
      Formal(parameter, checker.type(parameter.type, of: index), slot: ordinal)
    }
    let own = isMethod ? [true] : []
    functions.append(
      FunctionSignature(
        name: name, formals: formals, standards: parameters.map(\.standard), result: result,
        block: reserveBlock(), escapes: own + formals.map { _ in false }))
    needs.addFunction()
    return functions.count - 1
  }

  // MARK: Code

  /// Lowers the code of a class's members.
  mutating func lower(_ open: OpenClass) {
    checker.ownClass = open.index
    defer { checker.ownClass = -1 }
    let declaration = open.declaration
    for (ordinal, field, body) in open.computed {
      checker.isStaticMember = field.isStatic
      lowerMember(ordinal, [], body, isMethod: !field.isStatic, place: body.range)
    }
    checker.isStaticMember = true
    for symbol in open.lazies { lowerLazy(symbol) }
    checker.isStaticMember = false
    for (ordinal, method) in open.methods {
      let function = method.function
      checker.isStaticMember = method.isStatic
      checkStandards(function.parameters, functions[ordinal])
      typeObserver(ordinal, method, of: open.index)
      lowerMember(
        ordinal, function.parameters, function.body, isMethod: !method.isStatic,
        place: function.name.range)
      checker.isStaticMember = false
    }
    if let ordinal = open.deinitializer {
      lowerDeinitializers(ordinal, declaration.deinitializers)
    }
    let made = checker.classes[open.index].initializers
    for (ordinal, initializer) in zip(made, declaration.initializers) {
      checkStandards(initializer.parameters, functions[ordinal])
      lowerInitializer(ordinal, initializer, of: open.index)
    }
    if made.count > declaration.initializers.count, let last = made.last {
      let place = declaration.name.range
      let body = CodeBlock(statements: SyntaxList(), range: place)
      lowerInitializer(
        last,
        TypeDeclaration.Initializer(
          isConvenience: false, parameters: [], body: body, range: place),
        of: open.index)
    }
  }

  /// Lowers a function of the class around, whose instance is `self`, with what comes before its body.
  private mutating func lowerMember(
    _ ordinal: Int, _ parameters: [Declaration.Function.Parameter], _ body: CodeBlock,
    isMethod: Bool = true, makes: Bool = false, place: SourceRange,
    before: (inout Lowering) -> Void = { _ in },
    behind: (inout Lowering) -> Void = { _ in }
  ) {
    let signature = functions[ordinal]
    beginFrame(.function(ordinal), name: intern(signature.name), result: signature.result)
    let mark = scope.count
    blockStart = mark
    if isMethod {
      let own = Name(word: words.own, range: place)
      declareLocal(own, .register(frame.allocate()), checker.classes[checker.ownClass].type)
    }
    for (formal, parameter) in zip(signature.formals, parameters) {
      declareLocal(parameter.name, .register(frame.allocate()), formal.type)
    }
    frame.parameterCount = signature.formals.count + (isMethod ? 1 : 0)
    let own = homeSymbol(signature, parameters, isMethod: isMethod)
    if makes, own != nil {
      // A new actor has no executor yet, and is gone to when it has all that it holds.
      frame.asynchrony = asynchrony(of: signature, own: own)
    } else {
      beginAsync(signature, body, own: own)
    }
    before(&self)
    beginMutation(ordinal, body.range)
    lowerBody(Expression.Closure(parameters: SyntaxList(), body: body), parameters: [])
    endMutation(ordinal, closingBrace(body))
    behind(&self)
    endFrame(signature.block, closingBrace(body))
    scope.close(downTo: mark)
  }

  /// The code of a `deinit` goes on with that of the class above, and ends with what the instance itself holds.
  ///
  /// A `return` in one of them ends that one.
  private mutating func lowerDeinitializers(_ ordinal: Int, _ bodies: [CodeBlock]) {
    let (own, place) = (bodies[0], closingBrace(bodies[0]))
    lowerMember(ordinal, [], own, place: own.range) { lowering in
      lowering.beginDeinitializer()
    } behind: { lowering in
      lowering.endDeinitializer()
      for body in bodies.dropFirst() {
        lowering.beginDeinitializer()
        lowering.lowerBody(
          Expression.Closure(parameters: SyntaxList(), body: body), parameters: [])
        lowering.endDeinitializer()
      }
      lowering.emit(.instanceEnd(Register(0)), place)
      lowering.frame.isReachable = false
    }
  }

  private mutating func beginDeinitializer() {
    let exit = frame.label()
    frame.enterReturn(Frame.Return(type: .void, exit: exit, lives: lifeMark))
  }

  private mutating func endDeinitializer() {
    if let exit = frame.leaveReturn().exit { frame.mark(exit) }
  }

  /// The code of an `init` gives the instance that it is given, so that a call makes one and has it.
  private mutating func lowerInitializer(
    _ ordinal: Int, _ initializer: TypeDeclaration.Initializer, of index: Int
  ) {
    let place = initializer.range
    // What a struct is given by itself stands at its name.
    let isOwn = place != checker.classes[index].name.range
    let outer = initialization
    lowerMember(
      ordinal, initializer.parameters, initializer.body, makes: true, place: place
    ) { lowering in
      lowering.frame.innermost.register = Register(0)
      if lowering.functions[ordinal].isolation.isUnspecified {
        let home = lowering.checker.classes[index].home
        lowering.frame.asynchrony.home = home ?? lowering.frame.asynchrony.home
      }
      lowering.initialization = Initialization(depth: lowering.depth)
      if !initializer.isConvenience {
        lowering.storeInitialValues(
          of: index, but: isOwn ? [] : initializer.parameters.map(\.name.word))
      }
      lowering.goToNewActor(index, place)
      let start = lowering.frame.code.count
      lowering.initialization?.start = start
    } behind: { lowering in
      if isOwn {
        lowering.checkInitialization(of: index, initializer)
      }
      if !initializer.isConvenience { lowering.setExecutor(of: index) }
      lowering.emit(.releaseOwned, closingBrace(initializer.body))
      lowering.emit(.finishWith(Register(0)), closingBrace(initializer.body))
      lowering.frame.isReachable = false
    }
    initialization = outer
  }

  // MARK: The whole

  /// Puts the classes into the program, when all code is there.
  mutating func finishClasses() {
    for index in 0..<checker.classes.count {
      let (order, links) = releaseOrder(of: index)
      let fields = checker.classes[index].fields.indices.map { number in
        let type = fieldType(index, number)
        let field = checker.classes[index].fields[number]
        return ProgramClass.Field(
          name: checker.classes[index].isCell ? "" : field.shownName, format: type.format,
          handle: type.handle, life: field.hold == .strong ? lifeKind(type) : nil,
          isNeeded: field.value == nil && type == type.unwrapped, isLink: links.contains(number),
          isClosure: type.isFunction)
      }
      program.classes.append(
        ProgramClass(
          name: checker.classes[index].name.text, fields: fields,
          releaseOrder: order,
          deinitializer: checker.classes[index].deinitializer.map { functions[$0].block },
          deinitHome: deinitHome(of: index),
          isActor: checker.classes[index].isActor, isValue: checker.classes[index].isValue))
    }
    if !checker.diagnosis.hasErrors {
      for name in statics.untyped { error(Messages.untypedField(name.text), name.range) }
    }
  }
}

/// An `init` while its code is lowered: in it, `self` is known to nothing else.
struct Initialization {
  /// How many blocks are around its code.
  let depth: Int
  /// The numbers of the fields that it has given a value.
  var assigned: Set<Int> = []
  /// Where the code begins that follows the values that fields have without it.
  var start = 0
}
