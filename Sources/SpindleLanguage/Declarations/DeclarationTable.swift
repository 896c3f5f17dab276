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
  /// The declarations of the library, as long as the program uses them.
  private var library: LibraryDeclarations?
  /// Whether other programs use them before and after this one.
  private var sharesLibrary = false
  /// How the files behind the trace are compiled, by the offset of their first byte.
  var fileOptions: [Int32: FileOptions] = [:]
  /// Stands for the text of the library while one of its bodies is checked.
  let librarySource = SourceText(name: "library", "")

  /// The names of closures at the top that are called when the run is over, when nobody else uses anything.
  var asked: Set<String> = []

  /// Types at the top, by name.
  private(set) var types: [String: Nominal] = [:]
  /// Types and other declarations at the top that belong to one of several files, by that and their names.
  private var privateTypes: [FileName: Nominal] = [:]
  private var privateGlobals: [FileName: [MemberSymbol]] = [:]
  /// SwiftType aliases at the top, by name.
  var aliases: [String: TypeAlias] = [:]
  /// Functions and variables at the top, by name, in the order of the text.
  private(set) var globals: [String: [MemberSymbol]] = [:]
  /// The types that the library's text declares, in its order.
  private(set) var libraryTypes: [Nominal] = []
  /// All types that the program declares, in the order of the text.
  private(set) var ownTypes: [Nominal] = []
  /// The types of the library that the program extends, in the order of the text.
  private(set) var extendedTypes: [Nominal] = []
  /// The properties with wrappers that are not complete yet.
  var wrapped: [WrappedProperty] = []
  /// The types of the program that its code reaches.
  var usedTypes: [Nominal] { ownTypes.filter { !$0.isUnreached } }
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
    let isClock = protocols.contains { $0.isLibrary && ($0.constraint?.base ?? $0).name == "Clock" }
    let clocks = isClock ? KnownNumbers.clocks.sorted().map(library) : []
    return (usedTypes + clocks).filter { nominal in
      nominal.kind != .protocol && protocols.allSatisfy { nominal.conforms(to: $0) }
    }
  }
  /// Makes a type variable for a type argument that is not written; nil where nothing infers types.
  var openArgument: (() -> SwiftType)?
  /// The function of the library's text that gives the characters of a text.
  private(set) lazy var characters =
    (library("String").members["_characters"]?.first as? VariableSymbol)?.getter
  /// How many aliases of types are looked through at the moment.
  var aliasDepth = 0
  /// The type arguments that the program writes for parameters with bounds, with their places.
  var writtenArguments: [(place: SourceRange, nominal: Nominal, given: [SwiftType])] = []
  /// The names of all aliases, in alphabetical order.
  var aliasNames: [String] { aliases.keys.sorted() }
  /// Whether an alias that refers to itself was reported.
  var hasAliasCycle = false

  /// A name that only one file sees.
  private struct FileName: Hashable {
    let start: Int32
    let name: String
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

  /// Whether a place is in the file whose statements at the top are the program.
  func isInScript(_ range: SourceRange) -> Bool {
    guard let scriptFile, source.isSwift(at: range.lowerBound) else { return false }
    return source.fileLine(at: range.lowerBound).file == scriptFile
  }

  /// The file whose statements at the top are the program, once all is declared; nil where no file has any.
  private lazy var scriptFile: String? = sections.lazy.compactMap { [source] section in
    guard case .main(_, isTool: true, let place) = section, source.isSwift(at: place.lowerBound)
    else { return nil }
    return source.fileLine(at: place.lowerBound).file
  }.first

  /// Takes away the diagnostics from a number on that are not wanted.
  func removeDiagnostics(from first: Int, where isUnwanted: (Diagnostic) -> Bool) {
    diagnostics[first...].removeAll(where: isUnwanted)
  }

  func report(_ message: String, _ range: SourceRange, belongsInMain: Bool = false) {
    diagnostics.append(
      Diagnostic(
        severity: .error, message: message, range: range, source: current,
        belongsInMain: belongsInMain))
  }

  /// Takes what the library declares, for a program that may add to it.
  func use(_ library: LibraryDeclarations, isShared: Bool) {
    (types, aliases, globals) = (library.types, library.aliases, library.globals)
    (libraryTypes, handles, families) = (library.libraryTypes, library.handles, library.families)
    knownTypes = library.known
    (self.library, sharesLibrary) = (library, isShared)
  }

  /// Releases the declarations of the program when it is made, since they refer to each other in cycles, and gives
  /// those of the library back.
  func dissolve() {
    for nominal in ownTypes { nominal.dissolve() }
    library?.giveBack(vocabulary, isShared: sharesLibrary)
    library = nil
  }

  /// How the file is compiled that a place of the program is in.
  func options(at place: SourceRange) -> FileOptions {
    guard !fileOptions.isEmpty, let part = source.part(at: place.lowerBound) else {
      return FileOptions()
    }
    return fileOptions[part.start] ?? FileOptions()
  }

  /// Whether the program has Swift files, which may name what Spindle does not have.
  private(set) lazy var hasFiles = source.hasSwift

  /// Whether a place is in a file of the tool's own: what the program declares itself goes in front of that.
  func isBuiltIn(_ range: SourceRange) -> Bool {
    hasFiles && source.part(at: range.lowerBound)?.name.hasPrefix(AppFiles.folder) == true
  }

  /// A type that a Swift file names and nothing declares: it has no members but those that the trace gives it.
  func opaque(_ name: String) -> Nominal {
    let made = Nominal(name, .class)
    made.isOpaque = true
    add(made)
    Synthesis.complete(made, in: self)
    return made
  }

  /// Whether a Swift file declares a symbol, of which only what is reached is checked.
  func isInFile(_ range: SourceRange) -> Bool { source.isSwift(at: range.lowerBound) }

  // MARK: Names

  /// The names of the types at the top, in alphabetical order.
  var typeNames: [String] { (Array(types.keys) + aliases.keys).sorted() }

  func add(_ type: Nominal) {
    defer { note(type) }
    if !type.isLibrary, let first = types[type.name], !first.isLibrary {
      let line = first.place.map { source.lineNumber(at: $0.lowerBound) } ?? 1
      return report(Messages.redeclared(type.name, line: line), type.place ?? SourceRange(0, 0))
    }
    // A type of the program takes the place of one of the library that has its name.
    types[type.name] = type
  }

  /// Notes a type that the program declares, at the top or in another one.
  func note(_ type: Nominal) {
    if type.isLibrary { libraryTypes.append(type) } else { ownTypes.append(type) }
  }

  /// Notes that the program extends a type.
  func noteExtended(_ type: Nominal) {
    if type.isLibrary, !extendedTypes.contains(type) { extendedTypes.append(type) }
  }

  func add(_ symbol: MemberSymbol, isPrivate: Bool = false) {
    if isPrivate, let key = fileName(symbol.name, at: symbol.range) {
      privateGlobals[key, default: []].append(symbol)
    } else {
      globals[symbol.name, default: []].append(symbol)
    }
  }

  /// Adds a type that only its file sees.
  func addPrivate(_ type: Nominal) {
    guard let place = type.place, let key = fileName(type.name, at: place) else { return add(type) }
    if let first = privateTypes[key]?.place {
      let line = source.fileLine(at: first.lowerBound).line
      report(Messages.redeclared(type.name, line: line), place)
    }
    privateTypes[key] = type
    note(type)
  }

  /// The name as the file knows it that a place is in; nil outside of included files.
  private func fileName(_ name: String, at range: SourceRange) -> FileName? {
    guard hasFiles, current.name == source.name, let part = source.part(at: range.lowerBound) else {
      return nil
    }
    return FileName(start: part.start, name: name)
  }

  /// The library, while its text is read: the program's names mean nothing there.
  private var ownLibrary: LibraryDeclarations? {
    current.name == librarySource.name ? library : nil
  }

  /// The type at the top that a name means at a place.
  func type(named name: String, at range: SourceRange) -> Nominal? {
    if let type = ownLibrary?.types[name] { return type }
    if !privateTypes.isEmpty, let key = fileName(name, at: range), let type = privateTypes[key] {
      return type
    }
    return types[name]
  }

  /// The modules whose names may qualify the library's names.
  static let modules: Set = [
    "Swift", "Foundation", "Dispatch", "_Concurrency", "Synchronization",
  ]

  /// The library's type of this name, whatever the program declares.
  func libraryType(_ name: String) -> Nominal? { library?.types[name] }

  /// The functions and variables at the top that a name means at a place.
  func globals(named name: String, at range: SourceRange) -> [MemberSymbol]? {
    if let found = ownLibrary?.globals[name] { return found }
    if !privateGlobals.isEmpty, let key = fileName(name, at: range),
      let found = privateGlobals[key]
    {
      return found + (globals[name] ?? [])
    }
    return globals[name]
  }

  /// The functions and variables of each name that are seen together.
  var globalsByFile: [[MemberSymbol]] {
    globals.sorted { $0.key < $1.key }.map(\.value)
      + privateGlobals.sorted { ($0.key.start, $0.key.name) < ($1.key.start, $1.key.name) }
      .map(\.value)
  }

  /// All functions and variables at the top, by name, in the order of the text.
  var allGlobals: [String: [MemberSymbol]] {
    privateGlobals.isEmpty
      ? globals
      : globals.merging(
        privateGlobals.sorted { $0.key.start < $1.key.start }.map { ($0.key.name, $0.value) },
        uniquingKeysWith: +)
  }

  /// The declaration of a type of the library that has to exist.
  func library(_ name: String) -> Nominal {
    guard let type = types[name] else { preconditionFailure("the library declares '\(name)'") }
    return type
  }
}

/// The types that checking has to know by itself: those of literals and of the language's own signs.
struct KnownTypes {
  let integer, double, boolean, string, duration, size, instant: SwiftType
  let error, never: SwiftType
  let optional, array, dictionary: Nominal
  let range, closedRange, partialFrom, partialUpTo, partialThrough, unbounded: Nominal
  let sequence, equatable, hashable, comparable: Nominal
  let errorProtocol, anyObject, customText, keyPath: Nominal

  init(_ table: DeclarationTable) {
    func type(_ name: String) -> SwiftType { .nominal(table.library(name), []) }
    (integer, double, boolean) = (type("Int"), type("Double"), type("Bool"))
    (string, duration, size) = (type("String"), type("Duration"), type("Size"))
    (instant, never) = (type("DispatchTime"), type("Never"))
    errorProtocol = table.library("Error")
    error = .existential([errorProtocol])
    (optional, array) = (table.library("Optional"), table.library("Array"))
    dictionary = table.library("Dictionary")
    (range, closedRange) = (table.library("Range"), table.library("ClosedRange"))
    partialFrom = table.library("PartialRangeFrom")
    partialUpTo = table.library("PartialRangeUpTo")
    partialThrough = table.library("PartialRangeThrough")
    unbounded = table.library("UnboundedRange")
    (sequence, equatable) = (table.library("Sequence"), table.library("Equatable"))
    (hashable, comparable) = (table.library("Hashable"), table.library("Comparable"))
    (anyObject, keyPath) = (table.library("AnyObject"), table.library("KeyPath"))
    customText = table.library("CustomStringConvertible")
  }

  /// Whether a type is a collection of the library, which code goes through without an iterator.
  func isCollection(_ type: SwiftType) -> Bool {
    guard let nominal = type.nominal else { return false }
    switch nominal.builtin {
    case .array, .dictionary, .set, .string: return true
    default:
      // Of ranges it counts those of whole numbers; others are gone through step by step.
      return (nominal === range || nominal === closedRange)
        && Prelude.bounds(of: type.arguments.first?.nominal) != nil
    }
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
