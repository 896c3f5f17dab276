import SpindleModel
import Synchronization

/// The declarations of the library, which are the same for all programs.
///
/// Declaring them takes ten times as long as checking a short trace. A process therefore declares them once for each
/// thread that compiles, and lends them to one program after the other. A program may extend a type of the library;
/// `restore()` takes back what it added.
final class LibraryDeclarations {
  private(set) var types: [String: Nominal]
  let aliases: [String: TypeAlias]
  let globals: [String: [MemberSymbol]]
  let libraryTypes: [Nominal]
  let handles: [HandleClass: Nominal]
  let families: [SymbolFamily: Nominal]
  let known: KnownTypes
  private let marks: [Nominal.Mark]
  /// The variables whose types are found when a body asks for them.
  private let unresolved: [VariableSymbol]
  /// The initialisers that have parameters of such types, with these parameters.
  private let incomplete: [(symbol: FunctionSymbol, parameters: [FunctionSymbol.Parameter])]

  /// Declares the library with the rows of a vocabulary.
  init(_ vocabulary: Vocabulary) {
    let table = DeclarationTable(source: SourceText(name: "library", ""), vocabulary: vocabulary)
    Declarer.declareLibrary(in: table)
    (types, aliases, globals) = (table.types, table.aliases, table.globals)
    (libraryTypes, handles, families) = (table.libraryTypes, table.handles, table.families)
    known = table.known
    marks = libraryTypes.map(\.mark)
    let members = libraryTypes.flatMap { type in
      type.members.keys.sorted().flatMap { type.members[$0] ?? [] }
    }
    let variables = members + table.globalsByFile.joined()
    unresolved = variables.compactMap { $0 as? VariableSymbol }.filter { $0.state != .resolved }
    incomplete = members.compactMap { $0 as? FunctionSymbol }
      .filter { $0.parameters.contains { $0.type.isError } }.map { ($0, $0.parameters) }
  }

  /// Takes back all that a program added to the library or found out about it.
  func restore() {
    for (nominal, mark) in zip(libraryTypes, marks) { nominal.restore(mark) }
    for variable in unresolved { (variable.type, variable.state) = (.error, .unresolved) }
    for (symbol, parameters) in incomplete { symbol.parameters = parameters }
  }

  /// Releases all declarations, which refer to each other in cycles.
  func dissolve() {
    for nominal in libraryTypes { nominal.dissolve() }
    types = [:]
  }

  // MARK: Lending

  /// Passes declarations between threads: only the thread that takes them out uses them.
  private struct Lent: @unchecked Sendable {
    let declarations: LibraryDeclarations
  }

  /// Declarations that no program uses at the moment.
  private static let idle = Mutex<[Lent]>([])

  /// The declarations for one program; with `isShared` those that an earlier one has given back, where there are any.
  static func take(_ vocabulary: Vocabulary, isShared: Bool) -> LibraryDeclarations {
    guard isShared, vocabulary === Vocabulary.standard else {
      return LibraryDeclarations(vocabulary)
    }
    let lent = idle.withLock { $0.popLast() }
    return lent?.declarations ?? LibraryDeclarations(vocabulary)
  }

  /// Gives the declarations back when the program is made.
  func giveBack(_ vocabulary: Vocabulary, isShared: Bool) {
    guard isShared, vocabulary === Vocabulary.standard else { return dissolve() }
    restore()
    let lent = Lent(declarations: self)
    LibraryDeclarations.idle.withLock { $0.append(lent) }
  }
}
