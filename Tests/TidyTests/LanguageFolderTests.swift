import TestSupport
import Testing

/// The order of the language's folders, which imports can't fence inside one module.
@Suite struct LanguageFolderTests {
  /// Lowest first; a folder uses the ones before it.
  ///
  /// What lowers a text stands in four that know each other: calls, classes, tasks, and the rest.
  static let order = [
    ["Core"], ["Syntax"], ["Vocabulary"], ["Lexing"], ["Diagnostics"], ["Parsing"], ["Grammar"],
    ["Formatting"], ["Reduction"], ["Library"],
    ["Code"], ["Checking"], ["UsageChecks"], ["Settings"], ["Expectations"],
    ["Lowering", "Calls", "Classes", "Async"],
    ["LongTexts"],
    ["Types"], ["Prelude"], ["AppFiles"], ["Declarations"], ["TypedTree"], ["Inference"],
    ["Analysis"], ["Emission"],
    ["Trace"],
  ]

  /// Names of a higher folder that a lower one may use, each with its reason.
  static let exceptions = [
    "Lowering uses CallForms": "calls are known by their form also when nothing is read in pieces",
    "Lowering uses CallMeaning": "what a form means is what a call means",
    "LongTexts uses TraceCompiler": "the long way takes the same steps, one by one",
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
      declared.contains { $0.name == "Lowering" } && declared.contains { $0.name == "Checker" })
    for rank in Self.order.indices {
      let higher = declared.filter { $0.rank > rank }
      for path in Self.files(rank) {
        for (number, line) in try Repository.lines(path).enumerated() {
          let words = Set(
            SourceTests.withoutTexts(line).split { !$0.isLetter && !$0.isNumber && $0 != "_" }
              .map(String.init))
          for type in higher where words.contains(type.name) {
            let use = "\(Self.order[rank][0]) uses \(type.name)"
            if Self.exceptions[use] != nil { continue }
            Issue.record("\(path):\(number + 1): \(use) of \(Self.order[type.rank][0])")
          }
        }
      }
    }
  }

  /// The lowering is the one type with many files; they stand together.
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
    "Expression", "Node", "Checker", "Vocabulary", "MemberTable", "Token", "Nominal", "SwiftType",
    "DeclarationTable",
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
