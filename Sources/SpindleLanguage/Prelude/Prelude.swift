import SpindleModel

/// The library of the language, as declarations in its own text.
///
/// A function that has a body is compiled like one of a trace; one that is `@inlined` is expanded where it is called,
/// with the closures that it is given. `@builtin(name)` has no body: emission knows what it comes to.
enum Prelude {
  /// The parts, each with the name that places in it have.
  static let parts: [(name: String, text: String)] = [
    ("values", values), ("numbers", numbers), ("texts", texts), ("unicode", unicode),
    ("sequences", sequences),
    ("protocols", collectionProtocols), ("lazy", lazySequences), ("ranges", ranges),
    ("optionSets", optionSets),
    ("arrays", arrays), ("collections", collections), ("times", times),
    ("concurrency", concurrency), ("clocks", clocks),
    ("atomics", atomics),
    ("streams", streams), ("asyncOperators", asyncOperators), ("foundation", foundation),
    ("chance", chance),
    ("notifications", notifications),
  ]

  /// The declarations of all parts, read once in a process.
  static let declarations: [(source: SourceText, declarations: [Grammar.Declaration])] =
    parts.map { part in
      let source = SourceText(name: "library/\(part.name)", part.text)
      let (declarations, found) = GrammarParser.parse(source, needsBodies: false)
      demand(
        found.isEmpty,
        "the library's \(part.name) can be read: \(found.first?.message ?? "") at \(found.first?.range.lowerBound ?? 0)"
      )
      return (source, declarations)
    }
}
