import SpindleModel

/// All that a program and the library declare: types with their members, functions and variables at the top.
///
/// It is made before any body is looked at.
final class DeclarationTable {
  /// What is wrong with the declarations, in the order in which it was found.
  var diagnostics: [Diagnostic] = []
  /// The text of the program.
  let source: SourceText
  /// The text that is declared at the moment: the program's or a part of the library.
  var current: SourceText
  let vocabulary: Vocabulary
  /// Stands for the text of the library while one of its bodies is checked.
  let librarySource = SourceText(name: "library", "")

  /// Types at the top, by name.
  private(set) var types: [String: Nominal] = [:]
  /// SwiftType aliases at the top, by name.
  var aliases: [String: Alias] = [:]
  /// Functions and variables at the top, by name, in the order of the text.
  private(set) var globals: [String: [MemberSymbol]] = [:]
  /// The types that the library's text declares, in its order.
  private(set) var libraryTypes: [Nominal] = []
  /// All types that the program declares, in the order of the text.
  private(set) var ownTypes: [Nominal] = []
  /// What the program has at the top and in `main`, in the order of the text.
  var sections: [Section] = []
  /// The schedules of arrivals, by where their calls begin.
  var schedules: [Int32: RateSchedule] = [:]
  /// The classes of library objects, by their handles.
  var handles: [HandleClass: Nominal] = [:]
  var families: [SymbolFamily: Nominal] = [:]
  /// The types that checking has to know by itself, once the library has been declared.
  var knownTypes: KnownTypes?
  var known: KnownTypes {
    guard let knownTypes else { preconditionFailure("the library is declared first") }
    return knownTypes
  }

  /// The types of the program that conform to all of these protocols, in the order of the text.
  func conformers(to protocols: [Nominal]) -> [Nominal] {
    ownTypes.filter { nominal in
      nominal.kind != .protocol && protocols.allSatisfy { nominal.conforms(to: $0) }
    }
  }
  /// Makes a type variable for a type argument that is not written; nil where nothing infers types.
  var openArgument: (() -> SwiftType)?
  /// How many aliases of types are looked through at the moment.
  var aliasDepth = 0

  /// `typealias Name<T> = Type`.
  struct Alias {
    var generics: [Grammar.TypeParameter]
    var type: Grammar.TypeSyntax
    var context: TypeContext
  }

  /// A part of a program that has code.
  enum Section {
    case main(Grammar.Block, isTool: Bool, SourceRange)
    /// A variable at the top with its first value: several share one where a pattern binds them.
    case variables([VariableSymbol], Grammar.Variable.Entry, isLet: Bool)
    case statement(Grammar.Statement)
  }

  init(source: SourceText, vocabulary: Vocabulary) {
    (self.source, current, self.vocabulary) = (source, source, vocabulary)
  }

  func report(_ message: String, _ range: SourceRange) {
    diagnostics.append(
      Diagnostic(severity: .error, message: message, range: range, source: current))
  }

  // MARK: Names

  func add(_ type: Nominal) {
    if types[type.name] != nil, !type.isLibrary, types[type.name]?.isLibrary == false {
      report("'\(type.name)' is declared twice", type.place ?? SourceRange(0, 0))
    }
    // A type of the program takes the place of one of the library that has its name.
    types[type.name] = type
    note(type)
  }

  /// Notes a type that the program declares, at the top or in another one.
  func note(_ type: Nominal) {
    if type.isLibrary { libraryTypes.append(type) } else { ownTypes.append(type) }
  }

  func add(_ symbol: MemberSymbol) { globals[symbol.name, default: []].append(symbol) }

  /// The declaration of a type of the library that has to exist.
  func library(_ name: String) -> Nominal {
    guard let type = types[name] else { preconditionFailure("the library declares '\(name)'") }
    return type
  }
}

/// The types that checking has to know by itself: those of literals and of the language's own signs.
struct KnownTypes {
  let integer, double, boolean, string, duration, size, instant: SwiftType
  let error: SwiftType
  let optional, array, dictionary, set: Nominal
  let range, closedRange, partialFrom, partialUpTo, partialThrough: Nominal
  let sequence, equatable, hashable, comparable, errorProtocol, anyObject, customText: Nominal

  init(_ table: DeclarationTable) {
    func type(_ name: String) -> SwiftType { .nominal(table.library(name), []) }
    (integer, double, boolean) = (type("Int"), type("Double"), type("Bool"))
    (string, duration, size) = (type("String"), type("Duration"), type("Size"))
    instant = type("DispatchTime")
    errorProtocol = table.library("Error")
    error = .existential([errorProtocol])
    (optional, array) = (table.library("Optional"), table.library("Array"))
    (dictionary, set) = (table.library("Dictionary"), table.library("Set"))
    (range, closedRange) = (table.library("Range"), table.library("ClosedRange"))
    partialFrom = table.library("PartialRangeFrom")
    partialUpTo = table.library("PartialRangeUpTo")
    partialThrough = table.library("PartialRangeThrough")
    (sequence, equatable) = (table.library("Sequence"), table.library("Equatable"))
    (hashable, comparable) = (table.library("Hashable"), table.library("Comparable"))
    anyObject = table.library("AnyObject")
    customText = table.library("CustomStringConvertible")
  }

  func optional(_ type: SwiftType) -> SwiftType { .nominal(optional, [type]) }
  func array(_ type: SwiftType) -> SwiftType { .nominal(array, [type]) }
}

extension SwiftType {
  /// What an optional holds; nil for any other type.
  var wrapped: SwiftType? {
    if case .nominal(let nominal, let arguments) = self, nominal.builtin == .optional {
      return arguments.first
    }
    return nil
  }

  /// The type without any `?`.
  var unwrappedFully: SwiftType { wrapped?.unwrappedFully ?? self }
}

/// What names of types mean at a place.
struct TypeContext {
  /// The type parameters that are in scope.
  var parameters: [String: SwiftType] = [:]
  /// The type whose declaration or extension is around.
  var nominal: Nominal?
  /// What `Self` means.
  var selfType: SwiftType?
  /// Types that are declared in a body around the place.
  var locals: [String: Nominal] = [:]

  /// The context with type parameters added.
  func adding(_ generics: [GenericParameter]) -> TypeContext {
    var made = self
    for generic in generics { made.parameters[generic.name] = .parameter(generic) }
    return made
  }
}
