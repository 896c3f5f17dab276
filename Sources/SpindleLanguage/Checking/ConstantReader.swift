import SpindleModel

/// What reads values that are known before the run.
///
/// What compiles settings is handed one: it can reach names, mistakes and constants, and no code.
protocol ConstantReader {
  /// The names that are known, and what has been said.
  var checker: Checker { get set }

  /// The value of an expression that must be known before the run; reports when it is not.
  mutating func constant(
    _ expression: Expression, _ type: ValueType?, formal: Formal?
  ) -> Operand?

  /// What an expression comes to, known or not, without any code.
  mutating func unrun(_ expression: Expression, expecting type: ValueType?) -> Operand

  /// The text that a constant stands for.
  func text(of value: Int64) -> String

  /// The number of a text.
  mutating func intern(_ text: String) -> NameID

  /// The number of a word of the trace.
  mutating func intern(_ word: Word) -> NameID
}

/// A reader who also knows what the program does, for what is asked of its runs.
protocol ProgramReader: ConstantReader {
  /// The program as far as it is made.
  var program: Program { get set }

  /// The kinds of work, by number.
  var kinds: [WorkKind] { get }
  /// Whether work of some kind may have any name.
  var hasAnyName: Bool { get }

  /// Whether the program does something anywhere; looks through all its code.
  func performs(_ primitive: Primitive) -> Bool

  /// What the program samples, each once.
  var samples: [CodeBuilder.SampleUse] { get }

  /// The values at the top that the program keeps.
  var globals: Globals { get }

  /// What an expression comes to when the run is over; nil when it was refused.
  mutating func finalValue(of expression: Expression) -> (global: GlobalID, type: ValueType)?
}

extension ConstantReader {
  var scope: Scope {
    get { checker.scope }
    _modify { yield &checker.scope }
  }

  var source: SourceText { checker.source }

  mutating func constant(_ expression: Expression, _ type: ValueType?) -> Operand? {
    constant(expression, type, formal: nil)
  }

  func find(_ name: Word) -> Int32? { checker.find(name) }

  mutating func error(_ message: String, _ range: SourceRange) { checker.error(message, range) }

  mutating func warn(_ message: String, _ range: SourceRange) { checker.warn(message, range) }

  mutating func proposal(_ name: String, _ known: [String]) -> String? {
    checker.proposal(name, known)
  }

  mutating func match(
    _ formals: [Formal], _ call: CallSite, name: String, _ nameRange: SourceRange
  ) -> Actuals? {
    checker.match(formals, call, name: name, nameRange)
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

/// The values at the top that the program keeps, and the names that mean them.
struct Globals {
  private var ofSymbol: [Int32: GlobalID] = [:]
  /// By the global's number.
  private var symbols: [Int32: Int32] = [:]

  /// Notes that a symbol at the top means a global.
  mutating func note(_ symbol: Int32, _ global: GlobalID) {
    demand(ofSymbol[symbol] == nil && symbols[global.index] == nil, "a name means one global")
    ofSymbol[symbol] = global
    symbols[global.index] = symbol
  }

  /// The global that a symbol means, nil when the program keeps none.
  func global(of symbol: Int32) -> GlobalID? { ofSymbol[symbol] }

  /// The symbol that means a global, nil when none does.
  func symbol(of global: GlobalID) -> Int32? { symbols[global.index] }
}
