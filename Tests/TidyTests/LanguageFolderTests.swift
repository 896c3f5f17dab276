import TestSupport
import Testing

/// The order of the language's folders, which imports can't fence inside one module.
@Suite struct LanguageFolderTests {
  /// Lowest first; a folder uses the ones before it.
  static let order = [
    ["Core"], ["Vocabulary"], ["Lexing"], ["Diagnostics"], ["Grammar"], ["Formatting"],
    ["Reduction"], ["Library"], ["Code"], ["Settings"], ["Expectations"], ["Types"], ["Prelude"],
    ["AppFiles"], ["Declarations"], ["TypedTree"], ["Inference"], ["Analysis"], ["Emission"],
    ["Trace"],
  ]

  static let root = "Sources/SpindleLanguage"

  struct Declared: Sendable {
    let name: String
    let rank: Int
  }

  @Test func everyFolderHasItsPlace() {
    let known = Set(Self.order.joined())
    for path in Repository.files(below: Self.root, suffix: ".swift") {
      let folder = path.dropFirst(Self.root.count + 1).split(separator: "/").first.map(String.init)
      #expect(known.contains(folder ?? ""), "\(path)")
    }
    for folder in known {
      #expect(
        !Repository.files(below: "\(Self.root)/\(folder)", suffix: ".swift").isEmpty, "\(folder)")
    }
  }

  @Test func lowerFoldersDoNotKnowHigherOnes() throws {
    let declared = try Self.declaredTypes()
    #expect(
      declared.contains { $0.name == "Emitter" } && declared.contains { $0.name == "BodyChecker" })
    for rank in Self.order.indices {
      let higher = declared.filter { $0.rank > rank }
      for path in Self.files(rank) {
        for (number, line) in try Repository.lines(path).enumerated() {
          let words = Set(
            SourceTests.withoutTexts(line).split { !$0.isLetter && !$0.isNumber && $0 != "_" }
              .map(String.init))
          for type in higher where words.contains(type.name) {
            let use = "\(Self.order[rank][0]) uses \(type.name)"
            Issue.record("\(path):\(number + 1): \(use) of \(Self.order[type.rank][0])")
          }
        }
      }
    }
  }

  /// The files of a type stand together.
  @Test func typesAreExtendedWhereTheyStand() throws {
    let declared = try Self.declaredTypes()
    for rank in Self.order.indices {
      for path in Self.files(rank) {
        for line in try Repository.lines(path) where line.hasPrefix("extension ") {
          let name = line.dropFirst(10).prefix { $0.isLetter || $0.isNumber }
          guard let type = declared.first(where: { $0.name == name }) else { continue }
          #expect(
            type.rank == rank || Self.openTypes.contains(type.name), "\(path) extends \(name)")
        }
      }
    }
  }

  /// Types that other folders give something of their own to.
  static let openTypes: Set<String> = [
    "Grammar", "Vocabulary", "MemberTable", "Token", "Nominal", "SwiftType", "DeclarationTable",
  ]

  @Test func noFolderIsAboveAThird() throws {
    let lines = try Self.order.joined().map { folder in
      try Repository.files(below: "\(Self.root)/\(folder)", suffix: ".swift").reduce(0) {
        try $0 + Repository.lines($1).count
      }
    }
    #expect((lines.max() ?? 0) * 3 < lines.reduce(0, +), "\(lines)")
  }

  private static func files(_ rank: Int) -> [String] {
    order[rank].flatMap { Repository.files(below: "\(root)/\($0)", suffix: ".swift") }
  }

  private static func declaredTypes() throws -> [Declared] {
    var declared: [Declared] = []
    for rank in order.indices {
      for path in files(rank) {
        for line in try Repository.lines(path) where !line.hasPrefix(" ") {
          let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
          let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias"]
          guard let at = words.firstIndex(where: { kinds.contains($0) }), at + 1 < words.count,
            words[..<at].allSatisfy({ ["public", "package", "final"].contains($0) })
          else { continue }
          declared.append(Declared(name: String(words[at + 1]), rank: rank))
        }
      }
    }
    return declared
  }
}
