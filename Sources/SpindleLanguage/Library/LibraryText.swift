import SpindleModel

/// Types that a trace has without declaring them, written in the language of traces itself.
///
/// The text is put behind that of a trace which uses one of its names and declares none of them: what it says is
/// compiled and run as if it stood there. A further one is a file beside this and a line in `all`.
struct LibraryText {
  /// What places in it are called.
  let name: String
  /// Which names of a trace ask for it.
  let words: [String]
  /// Which types it declares: a trace that has one of its own has to have all.
  let types: [String]
  /// The declarations.
  let text: String

  /// All that there are.
  static let all = [notifications]

  /// The first text that a trace needs, as its words tell, which may stand in its texts too.
  static func needed(by words: WordTable) -> LibraryText? {
    all.first { library in library.words.contains(where: words.contains) }
  }

  /// The tree with the declarations behind it that it needs and does not have itself.
  static func completing(_ tree: SyntaxTree) -> SyntaxTree {
    guard let library = needed(by: tree.arena.words), !library.isDeclared(in: tree) else {
      return tree
    }
    var whole = tree
    whole.source = tree.source.adding(library.text, named: library.name)
    let (declarations, found) = Parser.parse(
      whole.source, from: whole.source.ownCount, in: tree.arena)
    demand(found.isEmpty, "\(library.name) is written in the language of traces")
    whole.declarations += declarations
    return whole
  }

  /// Whether a trace declares a type of its own by one of the names.
  private func isDeclared(in tree: SyntaxTree) -> Bool {
    tree.declarations.contains { declaration in
      guard case .type(let type) = declaration.kind, type.keyword != .extension else {
        return false
      }
      return types.contains(type.name.word.text)
    }
  }
}
