import SpindleModel
import Testing

@testable import SpindleLanguage

/// What a trace has of the library's text: when, and where it says that it is.
@Suite struct LibraryTests {
  @Test("each text is in the canonical form and declares just the types that it says")
  func texts() {
    for library in LibraryText.all {
      let source = SourceText(name: "library", library.text)
      let text = formatted(source).text
      #expect(text == library.text)
      let tree = Parser.parse(source).tree
      // Its words go with it.
      let declared = withExtendedLifetime(tree) {
        tree.declarations.compactMap { declaration in
          if case .type(let type) = declaration.kind { type.name.word.text } else { nil }
        }
      }
      #expect(declared.sorted() == library.types.sorted())
    }
  }

  @Test(
    "it is added for a name that the trace uses and does not declare",
    arguments: [
      ("main { NotificationCenter.default.post(name: .init(\"x\"), object: nil) }", true),
      ("var token: NSObjectProtocol?\nmain { print(token == nil) }", true),
      ("struct Notification { }\nmain { let n = Notification() }", false),
      ("typealias Notification = Int\nmain { let n: Notification = 3 }", false),
      ("main { work(1ms) }", false),
    ])
  func need(text: String, isAdded: Bool) {
    // Whether it is read at once or piece by piece.
    for readsAheadFrom in [0, 1 << 20] {
      var compiler = Compiler(catalogue: CompilerSupport.catalogue)
      (compiler.readsAheadFrom, compiler.frontEnds) = (readsAheadFrom, .untyped)
      let (made, diagnostics) = compiler.compile(SourceText(name: "t", text))
      #expect(diagnostics.map(\.message).filter { !$0.contains("never used") } == [])
      guard let program = made else { return }
      #expect(program.source.parts.map(\.name) == (isAdded ? ["NotificationCenter"] : []))
      #expect(program.source.ownCount == text.utf8.count)
    }
  }

  @Test("places in it have its name, and those of the file stay")
  func places() throws {
    let program = try CompilerSupport.program(
      "main {\n    NotificationCenter.default.post(name: .init(\"x\"), object: nil)\n}\n",
      frontEnds: .untyped)
    let places = Set(program.places.map { program.source.position(of: $0) })
    #expect(places.contains("NotificationCenter"))
    #expect(places.contains("2:5"))
    #expect(
      places.allSatisfy {
        $0 == "NotificationCenter" || $0.hasPrefix("2:") || $0.hasPrefix("1:") || $0.hasPrefix("3:")
      })
  }

  @Test("a text that is broken off is told of alone, and not the names that the library has")
  func broken() {
    #expect(
      CompilerSupport.report(
        "main {\n    NotificationCenter.default.post(name: .init(\"x\"), object: nil)\n")
        == "1:6: error: this '{' is not closed before the end of the text")
  }
}
