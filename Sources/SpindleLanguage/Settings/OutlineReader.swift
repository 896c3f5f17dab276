import SpindleModel

/// What settings and expectations are read with: the names and the mistakes of a trace, and the code and the program
/// that the front end has made of it.
///
/// Settings are read before there is code; expectations, which ask what the program does, when all of it is there.
struct OutlineReader {
  var checker: Checker
  var code: CodeBuilder
  /// What stands beside the code: arrivals, main, the names of threads.
  var program = Program()
  /// The values at the top that the program keeps.
  var globals = Globals()
  /// What expectations compute when the run is over, by its place.
  var finalValues: [SourceRange: (global: GlobalID, type: ValueType)] = [:]
  /// Reads the files that the trace names; nil if the caller reads no files.
  let files: Overrides.FileReader?

  /// Creates the reader of a trace whose settings have their words in `words`.
  init(
    source: SourceText, words: WordTable, vocabulary: Vocabulary, files: Overrides.FileReader?
  ) {
    self.files = files
    checker = Checker(source: source, words: words, vocabulary: vocabulary)
    code = CodeBuilder(length: source.utf8.count, known: program.names)
    program.source = source
    // Without its folders, so that a log does not depend on where the trace is.
    program.title = source.name.split(separator: "/").last.map(String.init) ?? ""
  }

  /// The names at the top that settings and expectations use.
  var namesInUse: Set<String> {
    Set(checker.scope.symbols.lazy.filter(\.isUsed).map(\.name.text))
  }

  /// The parameters of the trace with their values.
  var parameters: [(name: String, value: Int64, type: ValueType)] {
    checker.scope.symbols.compactMap { symbol in
      guard case .constant(let value) = symbol.meaning else { return nil }
      return (symbol.name.text, value, symbol.type)
    }
  }
}

extension OutlineReader: ProgramReader {
  var kinds: [WorkKind] { code.kinds }

  var hasAnyName: Bool { code.hasAnyName }

  var samples: [CodeBuilder.SampleUse] { code.samples }

  func performs(_ primitive: Primitive) -> Bool { code.performs(primitive) }

  func text(of value: Int64) -> String { code.names[Int(value)] }

  mutating func intern(_ text: String) -> NameID { code.intern(text) }

  mutating func intern(_ word: Word) -> NameID { code.intern(word) }

  mutating func finalValue(of expression: Expression) -> (global: GlobalID, type: ValueType)? {
    if let known = finalValues[expression.range] { return known }
    error(Messages.notATopValue(source.text(in: expression.range)), expression.range)
    return nil
  }

  mutating func unrun(_ expression: Expression, expecting type: ValueType?) -> Operand {
    value(expression, type) ?? .register(Register(0), type ?? .integer)
  }

  mutating func constant(
    _ expression: Expression, _ type: ValueType?, formal: Formal?
  ) -> Operand? {
    let count = checker.diagnosis.count
    guard var made = value(expression, type) else {
      if checker.diagnosis.count == count { error(Messages.notConstant, expression.range) }
      return nil
    }
    if let type { made = converted(made, to: type, expression.range) }
    guard made.type != .unknown else { return nil }
    if let formal { checker.checkLiteral(expression, made, formal) }
    return made
  }
}
