import SpindleModel

/// `Result<Int, Error>`: a class of the trace for each pair of types, which holds what was given or thrown.
///
/// What is in it has names that no trace can write; `success`, `failure` and `get` are those of Swift.
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
    let builder = ResultBuilder(
      arena: arena, place: range, type: type, given: text(of: given) == "Void" ? nil : given,
      thrown: thrown)
    let declaration = builder.declaration(Name(word: word, range: range))
    pendingDeclarations.append(Declaration(kind: .type(declaration), range: range))
    return type
  }

  /// A type as it is written, with the spaces that a description has.
  private func text(of type: TypeName) -> String {
    source.text(in: type.range).filter { !$0.isWhitespace }
      .replacing(",", with: ", ").replacing(":", with: ": ").replacing("->", with: " -> ")
  }
}

/// Puts the class together.
private struct ResultBuilder {
  let arena: SyntaxArena
  let place: SourceRange
  let type: TypeName
  /// The type of what was given; nil for `Void`.
  let given: TypeName?
  let thrown: TypeName

  private func word(_ text: String) -> Word { arena.words.word(text) }

  private func name(_ text: String) -> Name { Name(word: word(text), range: place) }

  private func expression(_ kind: Expression.Kind) -> Expression {
    arena.expression(kind: kind, range: place)
  }

  private func own(_ field: String) -> Expression {
    arena.member(word(field), of: arena.named(word("self"), place), place)
  }

  private func optional(_ type: TypeName) -> TypeName {
    TypeName(kind: .optional(arena.node(type)), range: place)
  }

  private func block(_ statements: [Statement]) -> CodeBlock {
    arena.block(statements, place)
  }

  /// What an instance holds: whether it is a success, and what was given or thrown.
  private var parts: [(name: String, type: TypeName)] {
    let truth = TypeName(kind: .name(word("Bool")), range: place)
    var parts = [(ResultPart.isSuccess, truth)]
    if let given { parts.append((ResultPart.given, optional(given))) }
    parts.append((ResultPart.thrown, optional(thrown)))
    return parts
  }

  func declaration(_ name: Name) -> TypeDeclaration {
    var declaration = TypeDeclaration(keyword: .class, name: name)
    declaration.fields = parts.map {
      TypeDeclaration.Field(
        isStatic: false, isVariable: false, name: self.name($0.name), type: $0.type)
    }
    declaration.initializers = [initializer]
    let values = given.map { [(ResultPart.given, $0)] } ?? []
    declaration.methods = [
      maker("success", values), maker("failure", [(ResultPart.thrown, thrown)]), getter,
    ]
    return declaration
  }

  private var initializer: TypeDeclaration.Initializer {
    let parameters = parts.map {
      Declaration.Function.Parameter(label: nil, name: name($0.name), type: $0.type)
    }
    let statements = parts.map { part in
      arena.assignment(to: own(part.name), arena.named(word(part.name), place), place)
    }
    return TypeDeclaration.Initializer(
      isConvenience: false, parameters: parameters, body: block(statements), range: place)
  }

  /// `static func success(_ value: T)`.
  private func maker(_ function: String, _ values: [(String, TypeName)]) -> TypeDeclaration.Method {
    let arguments = parts.map { part -> Expression.Argument in
      let value: Expression
      if part.name == ResultPart.isSuccess {
        value = expression(.boolean(function == "success"))
      } else if values.contains(where: { $0.0 == part.name }) {
        value = arena.named(word(part.name), place)
      } else {
        value = expression(.none)
      }
      return Expression.Argument(label: nil, labelRange: place, value: value)
    }
    let call = arena.call(arena.named(typeWord, place), arguments, at: place)
    let parameters = values.map {
      Declaration.Function.Parameter(label: nil, name: name($0.0), type: $0.1)
    }
    return TypeDeclaration.Method(
      isStatic: true,
      function: Declaration.Function(
        name: name(function), isolation: .unspecified, isAsync: false, parameters: parameters,
        result: type,
        body: block([
          Statement(kind: .return(call), range: place)
        ])))
  }

  private var typeWord: Word {
    guard case .name(let word) = type.kind else { preconditionFailure("a Result has a name") }
    return word
  }

  /// `func get() throws -> T`.
  private var getter: TypeDeclaration.Method {
    let value = given.map { _ in own(ResultPart.given) }
    let taken = Statement.Branch(
      condition: own(ResultPart.isSuccess),
      body: block([Statement(kind: .return(value), range: place)]))
    let choice = Statement.Choice(branches: arena.list([taken]), otherwise: nil)
    let statements = [
      Statement(kind: .if(arena.node(choice)), range: place),
      Statement(kind: .throw(expression(.unwrap(own(ResultPart.thrown)))), range: place),
    ]
    return TypeDeclaration.Method(
      isStatic: false,
      function: Declaration.Function(
        name: name("get"), isolation: .unspecified, isAsync: false, parameters: [], result: given,
        body: block(statements)))
  }
}

/// The names of what a `Result` holds.
enum ResultPart {
  static let isSuccess = "is success"
  static let given = "what is given"
  static let thrown = "what is thrown"
}
