import SpindleModel

/// What settings and expectations are read with: the names and the mistakes of a trace, and the code and the program
/// that the front end has made of it.
///
/// Settings are read before there is code; expectations, which ask what the program does, when all of it is there.
struct OutlineReader {
  var diagnosis: Diagnosis
  var names = OutlineNames()
  let vocabulary: Vocabulary
  var code: CodeBuilder
  /// What stands beside the code: arrivals, main, the names of threads.
  var program = Program()
  /// What expectations compute when the run is over, by its place.
  var finalValues: [SourceRange: (global: GlobalID, type: ValueType)] = [:]
  /// What options compute when the run is over, by its text.
  var askedValues: [String: (global: GlobalID, type: ValueType)] = [:]
  /// The names of what is computed for options.
  var askedNames: Set<String> = []
  /// Reads the files that the trace names; nil if the caller reads no files.
  let files: Overrides.FileReader?

  /// Creates the reader of a trace.
  init(source: SourceText, vocabulary: Vocabulary, files: Overrides.FileReader?) {
    (diagnosis, self.vocabulary, self.files) = (Diagnosis(of: source), vocabulary, files)
    code = CodeBuilder(length: source.utf8.count, known: program.names)
    program.source = source
    // Without its folders, so that a log does not depend on where the trace is.
    program.title = source.name.split(separator: "/").last.map(String.init) ?? ""
  }

  // MARK: Names

  /// The number of a name; nil where it means nothing.
  func find(_ name: String) -> Int? { names.find(name) }

  /// The names that settings and expectations use.
  var namesInUse: Set<String> {
    askedNames.union(names.all.lazy.filter(\.isUsed).map(\.name))
  }

  /// The parameters of the trace with their values.
  var parameters: [(name: String, value: Int64, type: ValueType)] {
    names.all.compactMap { name in name.constant.map { (name.name, $0, name.type) } }
  }

  /// Declares a name; nil, and a mistake, where there is an earlier one.
  @discardableResult
  mutating func declare(
    _ name: Grammar.Name, constant: Int64? = nil, global: GlobalID? = nil, _ type: ValueType
  ) -> Int? {
    if let earlier = names.find(name.text) {
      let line = diagnosis.line(names[earlier].place)
      error(Messages.redeclared(name.text, line: line, isFunction: false), name.range)
      return nil
    }
    return names.declare(
      OutlineName(
        name: name.text, constant: constant, global: global, type: type, place: name.range))
  }

  // MARK: Mistakes

  /// The text that is read.
  var source: SourceText { diagnosis.source }

  mutating func error(_ message: String, _ range: SourceRange) { diagnosis.error(message, range) }

  mutating func warn(_ message: String, _ range: SourceRange) { diagnosis.warn(message, range) }

  /// Reports a mistake; returns the operand of a mistake.
  mutating func refuse(_ message: String, _ range: SourceRange) -> Operand {
    error(message, range)
    return .unknown
  }

  /// The nearest of the known names; nil after many searches.
  mutating func proposal(_ name: String, _ known: [String]) -> String? {
    diagnosis.proposal(name) { known }
  }

  /// Reports a name that means nothing here.
  mutating func unknownName(_ name: String, _ range: SourceRange) -> Operand {
    if let message = ForeignName.all[name] { return refuse(message, range) }
    let near = proposal(name, names.all.map(\.name))
    return refuse(Messages.unknownName(name, nearest: near), range)
  }

  // MARK: The program

  /// The text that a constant stands for.
  func text(of value: Int64) -> String { code.names[Int(value)] }

  /// The number of a text.
  mutating func intern(_ text: String) -> NameID { code.intern(text) }

  /// The kinds of work, by number.
  var kinds: [WorkKind] { code.kinds }

  /// Whether work of some kind may have any name.
  var hasAnyName: Bool { code.hasAnyName }

  /// What the program samples, each once.
  var samples: [CodeBuilder.SampleUse] { code.samples }

  /// Whether the program does something anywhere; looks through all its code.
  func performs(_ primitive: Primitive) -> Bool { code.performs(primitive) }

  /// What an expression comes to when the run is over; nil when it was refused.
  mutating func finalValue(
    of expression: Grammar.Expression
  ) -> (global: GlobalID, type: ValueType)? {
    if source.name.hasPrefix("--"), let known = askedValues[source.text(in: expression.range)] {
      return known
    }
    if let known = finalValues[expression.range] { return known }
    error(Messages.notATopValue(source.text(in: expression.range)), expression.range)
    return nil
  }

  // MARK: Constants

  /// What an expression comes to, known before the run or not.
  mutating func unrun(
    _ expression: Grammar.Expression, expecting type: ValueType?
  ) -> Operand {
    value(expression, type) ?? .register(Register(0), type ?? .integer)
  }

  /// The value of an expression that must be known before the run; reports when it is not.
  mutating func constant(
    _ expression: Grammar.Expression, _ type: ValueType?, formal: Formal? = nil
  ) -> Operand? {
    let count = diagnosis.count
    guard var made = value(expression, type) else {
      if diagnosis.count == count { error(Messages.notConstant, expression.range) }
      return nil
    }
    if let type { made = converted(made, to: type, expression.range) }
    guard made.type != .unknown else { return nil }
    if case .notNegative? = formal?.limit, let value = made.constant, value < 0, value != noValue {
      error(Messages.negative(made.type), expression.range)
    }
    return made
  }

  /// A value that is known before the run, as the run would write it.
  func written(_ value: Int64, _ type: ValueType) -> String {
    if value == noValue { return "nil" }
    return switch type.format {
    case .boolean: value == 0 ? "false" : "true"
    case .duration: Nanoseconds(value).description
    case .instant: Instant(value).description
    case .size: ByteCount(value).description
    case .decimal: FixedDecimal(billionths: value).printed
    case .string, .quoted: text(of: value)
    case .symbol: ".\(text(of: value))"
    case .integer, .thread, .object, .array: "\(value)"
    }
  }
}
