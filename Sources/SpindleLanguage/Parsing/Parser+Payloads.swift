import SpindleModel

/// Cases with values: an `enum` that has any is a class of the trace, whose instances never change, and so is
/// `Result<Int, Error>` for each pair of types.
///
/// What is in them has names that no trace can write; a case is made by what the class itself has with its name.
extension Parser {
  /// The class that a `Result` of these types is; it is declared with the first of them.
  mutating func resultType(_ types: SyntaxList<TypeName>, _ range: SourceRange) -> TypeName {
    let given = types[0]
    var failure = types.count > 1 ? text(of: types[1]) : "Error"
    if ["Error", "Swift.Error", "Never"].contains(failure) { failure = "Error" }
    let isText = failure == "Error"
    let word = arena.words.word("Result<\(text(of: given)), \(failure)>")
    let type = TypeName(kind: .name(word), range: range)
    guard resultTypes.insert(word).inserted else { return type }
    let thrown = isText ? TypeName(kind: .name(arena.words.word("String")), range: range) : types[1]
    var declaration = TypeDeclaration(keyword: .enum, name: Name(word: word, range: range))
    let isVoid = text(of: given) == "Void"
    declaration.cases = [("success", isVoid ? [] : [given]), ("failure", [thrown])].map {
      name, values in
      var one = TypeDeclaration.Case(name: Name(word: arena.words.word(name), range: range))
      one.values = values.map { TypeDeclaration.Case.Value(label: nil, type: $0) }
      one.isCalled = true
      return one
    }
    makePayloads(&declaration)
    let builder = PayloadBuilder(arena: arena, place: range, type: type, cases: declaration.cases)
    declaration.methods.append(builder.getter(of: isVoid ? nil : given))
    pendingDeclarations.append(Declaration(kind: .type(declaration), range: range))
    return type
  }

  /// A type as it is written, with the spaces that a description has.
  private func text(of type: TypeName) -> String {
    source.text(in: type.range).filter { !$0.isWhitespace }
      .replacing(",", with: ", ").replacing(":", with: ": ").replacing("->", with: " -> ")
  }

  /// Makes an `enum` whose cases have values into the class that it is here.
  func makePayloads(_ type: inout TypeDeclaration) {
    let place = type.name.range
    let builder = PayloadBuilder(
      arena: arena, place: place, type: TypeName(kind: .name(type.name.word), range: place),
      cases: type.cases)
    type.keyword = .class
    type.fields += builder.fields
    type.initializers = [builder.initializer]
    for one in type.cases {
      if one.isCalled {
        type.methods.append(builder.maker(one))
      } else {
        type.fields.append(builder.constant(one))
      }
    }
  }

  /// The values of a case: `(Int)`, `(code: Int, reason: String = "")`.
  mutating func parseCaseValues() -> [TypeDeclaration.Case.Value] {
    let opening = current
    advance()
    var values: [TypeDeclaration.Case.Value] = []
    while current.kind != .rightParenthesis && current.kind != .endOfFile {
      let start = current.start
      var label: Word?
      if current.kind.isWord || current.kind == .underscore {
        var ahead = lexer
        var next = ahead.next()
        if next.kind == .identifier { next = ahead.next() }
        if next.kind == .colon {
          label = current.kind == .underscore ? nil : word(current)
          while current.kind != .colon { advance() }
          advance()
        }
      }
      var value = TypeDeclaration.Case.Value(label: label, type: parseType())
      if consume(.assign) { value.standard = parseExpression() }
      values.append(value)
      if !consume(.comma) || current.start == start { break }
    }
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    return values
  }
}

/// Puts the class together.
private struct PayloadBuilder {
  let arena: SyntaxArena
  let place: SourceRange
  let type: TypeName
  let cases: [TypeDeclaration.Case]

  private func word(_ text: String) -> Word { arena.words.word(text) }

  private func name(_ text: String) -> Name { Name(word: word(text), range: place) }

  private func expression(_ kind: Expression.Kind) -> Expression {
    arena.expression(kind: kind, range: place)
  }

  private func own(_ field: String) -> Expression {
    arena.member(word(field), of: arena.named(word("self"), place), place)
  }

  private func block(_ statements: [Statement]) -> CodeBlock {
    arena.block(statements, place)
  }

  /// What an instance holds: the name of its case, and all values of all cases, of which only its own are there.
  private var parts: [(name: String, type: TypeName)] {
    var parts = [(Payload.caseName, TypeName(kind: .name(word("String")), range: place))]
    for one in cases {
      for (index, value) in one.values.enumerated() {
        var type = value.type
        if case .optional = type.kind {
        } else {
          type = TypeName(kind: .optional(arena.node(type)), range: place)
        }
        parts.append((Payload.field(one.name.text, index), type))
      }
    }
    return parts
  }

  var fields: [TypeDeclaration.Field] {
    parts.map {
      TypeDeclaration.Field(isStatic: false, isVariable: false, name: name($0.name), type: $0.type)
    }
  }

  var initializer: TypeDeclaration.Initializer {
    let parameters = parts.map {
      Declaration.Function.Parameter(label: nil, name: name($0.name), type: $0.type)
    }
    let statements = parts.map { part in
      arena.assignment(to: own(part.name), arena.named(word(part.name), place), place)
    }
    return TypeDeclaration.Initializer(
      isConvenience: false, parameters: parameters, body: block(statements), range: place)
  }

  /// `static func loading(_ value: T)`.
  func maker(_ one: TypeDeclaration.Case) -> TypeDeclaration.Method {
    let parameters = one.values.enumerated().map { index, value in
      Declaration.Function.Parameter(
        label: value.label, name: name(Payload.field(one.name.text, index)), type: value.type,
        standard: value.standard)
    }
    return TypeDeclaration.Method(
      isStatic: true,
      function: Declaration.Function(
        name: one.name, isolation: .unspecified, isAsync: false, parameters: parameters,
        result: type, body: making(one)))
  }

  /// `static var idle`, of a case without values.
  func constant(_ one: TypeDeclaration.Case) -> TypeDeclaration.Field {
    TypeDeclaration.Field(
      isStatic: true, isVariable: true, name: one.name, type: type, getter: making(one))
  }

  /// `return State("loading", nil, value, …)`.
  private func making(_ one: TypeDeclaration.Case) -> CodeBlock {
    let given = one.values.indices.map { Payload.field(one.name.text, $0) }
    let arguments = parts.map { part -> Expression.Argument in
      let value: Expression
      if part.name == Payload.caseName {
        value = expression(.text(one.name.word))
      } else if given.contains(part.name) {
        value = arena.named(word(part.name), place)
      } else {
        value = expression(.none)
      }
      return Expression.Argument(label: nil, labelRange: place, value: value)
    }
    guard case .name(let own) = type.kind else { preconditionFailure("an enum has a name") }
    let call = arena.call(arena.named(own, place), arguments, at: place)
    return block([Statement(kind: .return(call), range: place)])
  }

  /// `func get() throws -> T` of a `Result`.
  func getter(of given: TypeName?) -> TypeDeclaration.Method {
    let value = given.map { _ in own(Payload.field("success", 0)) }
    let isSuccess = Expression.Sides(
      left: own(Payload.caseName), right: expression(.text(word("success"))), operatorRange: place)
    let taken = Statement.Branch(
      condition: expression(.infix(.equal, arena.node(isSuccess))),
      body: block([Statement(kind: .return(value), range: place)]))
    let choice = Statement.Choice(branches: arena.list([taken]), otherwise: nil)
    let thrown = expression(.unwrap(own(Payload.field("failure", 0))))
    let statements = [
      Statement(kind: .if(arena.node(choice)), range: place),
      Statement(kind: .throw(thrown), range: place),
    ]
    return TypeDeclaration.Method(
      isStatic: false,
      function: Declaration.Function(
        name: name("get"), isolation: .unspecified, isAsync: false, parameters: [], result: given,
        body: block(statements)))
  }
}

/// The names of what a case with values holds.
enum Payload {
  static let caseName = "its case"
  /// The number of the field that this is.
  static let caseField: Int32 = 0

  /// The field of a value of a case, from 0.
  static func field(_ name: String, _ index: Int) -> String { "\(name) \(index)" }
}
