extension ValueProgram {
  /// All declarations, in an order in which each uses only those before it.
  mutating func declare() {
    declarations += "enum Oops\(seed): Error { case bad(Int), worse }\n"
    declareStack()
    for _ in 0...random.below(2) { declareProtocol() }
    for _ in 0...random.below(2) { random.isOne(in: 3) ? declareChoice() : declareStructure() }
    declareChoice()
    for _ in 0...random.below(2) { declareClass() }
    for index in protocols.indices where conformers(index).isEmpty { declareStructure(index) }
    declareGlobals()
    callsFunctions = true
    for _ in 0...(1 + random.below(3)) { declareFunction() }
    callsFunctions = false
  }

  mutating func declareStack() {
    declarations += """
      struct Stack\(seed)<Item> {
        var items: [Item]
        var count: Int { items.count }
        var top: Item? { items.last }
        mutating func push(_ item: Item) { if items.count < 5 { items.append(item) } }
        mutating func pop() -> Item? { items.popLast() }
        func mapped<Other>(_ change: (Item) -> Other) -> Stack\(seed)<Other> {
          Stack\(seed)<Other>(items: items.map(change))
        }
      }

      """
  }

  private mutating func declareProtocol() {
    let name = "Shape\(protocols.count)n\(seed)"
    let title = "title\(protocols.count)"
    let score = ProgramFunction(
      name: "score\(protocols.count)", parameters: [("", .int, false)], result: .int)
    let twice = ProgramFunction(
      name: "twice\(protocols.count)", parameters: [("", .int, false)], result: .int)
    declarations += """
      protocol \(name) {
        var \(title): String { get }
        func \(score.name)(_ by: Int) -> Int
      }
      extension \(name) {
        func \(twice.name)(_ by: Int) -> Int { (\(score.name)(by) + \(score.name)(by + \(random.below(5)))) % 1000 }
      \(random.isOne(in: 2) ? "  var \(title): String { \"no title\" }\n" : "")}

      """
    protocols.append(
      ProgramNominal(
        name: name, fields: [ProgramField(name: title, type: .text, isVariable: false)],
        methods: [score, twice]))
  }

  private mutating func fields(_ stem: String) -> [ProgramField] {
    (0...random.below(3)).map { at in
      var drawn = at == 0 ? random.pick([.int, .text]) : type(1)
      if case .function = drawn { drawn = .int }
      return ProgramField(name: "\(stem)\(at)", type: drawn, isVariable: random.below(4) > 0)
    }
  }

  /// The members that a conformance needs.
  private mutating func requirements(_ list: [Int], _ own: [ProgramVariable]) -> String {
    list.map { index in
      let title = within(own) { $0.stored(.text, 2) }
      let by = ProgramVariable(name: "by", type: .int)
      let score = within(own + [by]) { $0.stored(.int, 2) }
      return "  var title\(index): String { \(title) }\n"
        + "  func score\(index)(_ by: Int) -> Int { \(score) }\n"
    }.joined()
  }

  private mutating func drawnProtocols() -> [Int] {
    protocols.indices.filter { _ in random.isOne(in: 2) }
  }

  private mutating func declareStructure(_ conforming: Int? = nil) {
    let stem = "s\(structures.count)"
    var nominal = ProgramNominal(name: "Value\(structures.count)n\(seed)", fields: fields(stem))
    nominal.protocols = conforming.map { [$0] } ?? drawnProtocols()
    nominal.isHashable = nominal.fields.allSatisfy { $0.type.isPlain }
    var text = ""
    for field in nominal.fields {
      text += "  \(field.isVariable ? "var" : "let") \(field.name): \(spelled(field.type))"
      let observes = field.isVariable && field.type.isPlain && random.isOne(in: 4)
      text +=
        observes ? " { didSet { print(\"\(field.name)\", oldValue, \(field.name)) } }\n" : "\n"
    }
    let own = nominal.fields.map { ProgramVariable(name: $0.name, type: $0.type, staysLocal: true) }
    text += requirements(nominal.protocols, own)
    nominal.methods += nominal.protocols.flatMap { protocols[$0].methods }
    nominal.computed += nominal.protocols.flatMap { protocols[$0].fields }
    text += member(stem, own, &nominal)
    let changeable = own.enumerated().map { at, one in
      ProgramVariable(
        name: one.name, type: one.type, isVariable: nominal.fields[at].isVariable, staysLocal: true)
    }
    text += mutation(stem, changeable, &nominal)
    if let field = nominal.fields.first(where: { $0.isVariable && $0.type == .int }),
      random.isOne(in: 2)
    {
      let name = "\(stem)half"
      text +=
        "  var \(name): Int {\n    get { \(field.name) / 2 }\n    set { \(field.name) = newValue * 2 }\n  }\n"
      nominal.computed.append(ProgramField(name: name, type: .int))
    }
    var conformances = nominal.protocols.map { protocols[$0].name }
    if nominal.isHashable { conformances.append("Hashable") }
    declarations += "struct \(nominal.name)\(inheritance(conformances)) {\n\(text)}\n"
    structures.append(nominal)
  }

  private func inheritance(_ names: [String]) -> String {
    names.isEmpty ? "" : ": " + names.joined(separator: ", ")
  }

  /// A method that changes nothing.
  private mutating func member(
    _ stem: String, _ own: [ProgramVariable], _ nominal: inout ProgramNominal
  ) -> String {
    let (parameter, result) = (type(1), type(1))
    let function = ProgramFunction(
      name: "\(stem)method", parameters: [("with", parameter, false)], result: result)
    let body = functionBody(own + [ProgramVariable(name: "a", type: parameter)], result, "    ")
    nominal.methods.append(function)
    return
      "  func \(function.name)(with a: \(spelledParameter(parameter))) -> \(spelled(result)) {\n\(body)  }\n"
  }

  private mutating func mutation(
    _ stem: String, _ own: [ProgramVariable], _ nominal: inout ProgramNominal
  ) -> String {
    let parameter = type(1)
    let function = ProgramFunction(
      name: "\(stem)change", parameters: [("by", parameter, false)], result: .int, isMutating: true)
    let body = functionBody(own + [ProgramVariable(name: "a", type: parameter)], .int, "    ")
    nominal.methods.append(function)
    return
      "  mutating func \(function.name)(by a: \(spelledParameter(parameter))) -> Int {\n\(body)  }\n"
  }

  /// Statements and a `return`.
  private mutating func functionBody(
    _ added: [ProgramVariable], _ result: ProgramType, _ indent: String
  ) -> String {
    let outer = (returned, scope)
    returned = result
    defer { (returned, scope) = outer }
    return within(added) { program in
      let lines = (0..<program.random.below(3)).map { _ in program.statement(indent) }
      return lines.joined() + "\(indent)return \(program.stored(result, 2))\n"
    }
  }

  private mutating func declareChoice() {
    let stem = "e\(choices.count)"
    var nominal = ProgramNominal(name: "Kind\(choices.count)n\(seed)")
    for at in 0...(1 + random.below(3)) {
      var values: [ProgramField] = []
      for value in 0..<random.below(3) {
        var drawn = type(1)
        if case .function = drawn { drawn = .text }
        values.append(ProgramField(name: "x\(value)", type: drawn))
      }
      nominal.cases.append(("\(stem)\(["one", "two", "three", "four", "five"][at])", values))
    }
    nominal.computed.append(ProgramField(name: "weight", type: .int, isVariable: false))
    let lines = nominal.cases.enumerated().map { at, one in "    case .\(one.name): \(at + 1)\n" }
    let listed = nominal.cases.map { one in
      let values = one.values.map { "\($0.name): \(spelled($0.type))" }.joined(separator: ", ")
      return "  case \(one.name)\(values.isEmpty ? "" : "(\(values))")\n"
    }
    declarations +=
      "\(random.isOne(in: 3) ? "indirect " : "")enum \(nominal.name) {\n\(listed.joined())"
    declarations += "  var weight: Int {\n    switch self {\n\(lines.joined())    }\n  }\n}\n"
    choices.append(nominal)
  }

  private mutating func declareClass() {
    let stem = "o\(objects.count)"
    var nominal = ProgramNominal(name: "Object\(objects.count)n\(seed)", fields: fields(stem))
    nominal.base = objects.isEmpty || random.isOne(in: 3) ? nil : random.below(objects.count)
    if nominal.base == nil { nominal.protocols = drawnProtocols() }
    let above = nominal.base.map(allFields) ?? []
    var text = nominal.fields.map {
      "  \($0.isVariable ? "var" : "let") \($0.name): \(spelled($0.type))\n"
    }.joined()
    let parameters = (above + nominal.fields).map { "\($0.name): \(spelled($0.type))" }
    text += "  init(\(parameters.joined(separator: ", "))) {\n"
    text += nominal.fields.map { "    self.\($0.name) = \($0.name)\n" }.joined()
    if nominal.base != nil {
      text += "    super.init(\(above.map { "\($0.name): \($0.name)" }.joined(separator: ", ")))\n"
    }
    text += "  }\n"
    let own = (above + nominal.fields).map {
      ProgramVariable(name: $0.name, type: $0.type, isVariable: $0.isVariable, staysLocal: true)
    }
    text += requirements(nominal.protocols, own)
    nominal.methods += nominal.protocols.flatMap { protocols[$0].methods }
    nominal.computed += nominal.protocols.flatMap { protocols[$0].fields }
    text += member(stem, own, &nominal)
    if let base = nominal.base, let method = methods(of: .object(base)).last,
      let result = method.result
    {
      let parameter = method.parameters[0]
      let body = functionBody(
        own + [ProgramVariable(name: "a", type: parameter.type)], result, "    ")
      let label = parameter.label.isEmpty ? "_" : parameter.label
      text +=
        "  override func \(method.name)(\(label) a: \(spelledParameter(parameter.type))) -> \(spelled(result)) {\n"
      text += "    let above = super.\(method.name)(\(label == "_" ? "" : label + ": ")a)\n"
      text += "    if \(condition(1)) { return above }\n\(body)  }\n"
    }
    var names = nominal.protocols.map { protocols[$0].name }
    if let base = nominal.base { names.insert(objects[base].name, at: 0) }
    declarations += "class \(nominal.name)\(inheritance(names)) {\n\(text)}\n"
    objects.append(nominal)
  }

  private mutating func declareGlobals() {
    for at in 0..<random.below(3) {
      var drawn = type(1)
      if case .function = drawn { drawn = .int }
      let name = "shared\(at)n\(seed)"
      declarations += "nonisolated(unsafe) var \(name): \(spelled(drawn)) = \(stored(drawn, 1))\n"
      scope.append(ProgramVariable(name: name, type: drawn, isVariable: true))
    }
  }

  private mutating func declareFunction() {
    let name = "f\(functions.count)n\(seed)"
    let isInout = random.isOne(in: 3)
    let isThrowing = !isInout && random.isOne(in: 3)
    var result: ProgramType? = isInout ? nil : type(2)
    if case .function = result { result = .int }
    var parameters: [(label: String, type: ProgramType, isInout: Bool)] = []
    var names: [ProgramVariable] = []
    for at in 0...random.below(2) {
      let changes = isInout && at == 0
      let drawn = changes ? random.pick([.int, .text, .array(.int)]) : type(2)
      parameters.append((random.isOne(in: 2) || changes ? "" : "p\(at)", drawn, changes))
      names.append(
        ProgramVariable(name: "a\(at)", type: drawn, isVariable: changes, staysLocal: changes))
    }
    let listed = parameters.enumerated().map { at, one in
      let spelling = one.isInout ? "inout \(spelled(one.type))" : spelledParameter(one.type)
      return "\(one.label.isEmpty ? "_" : one.label) a\(at): \(spelling)"
    }
    let outer = (returned, mayThrow, scope)
    (returned, mayThrow) = (result, isThrowing)
    let body = within(names) { program in
      var lines: [String] = []
      if isThrowing {
        let test = program.condition(1)
        lines.append("  if \(test) { throw Oops\(program.seed).bad(\(program.value(.int, 1))) }\n")
      }
      for _ in 0...(1 + program.random.below(3)) { lines.append(program.statement("  ")) }
      if let result { lines.append("  return \(program.stored(result, 2))\n") }
      return lines.joined()
    }
    (returned, mayThrow, scope) = outer
    let arrow = result.map { " -> \(spelled($0))" } ?? ""
    declarations +=
      "func \(name)(\(listed.joined(separator: ", ")))\(isThrowing ? " throws" : "")\(arrow) {\n\(body)}\n"
    functions.append(
      ProgramFunction(name: name, parameters: parameters, result: result, isThrowing: isThrowing))
  }
}
