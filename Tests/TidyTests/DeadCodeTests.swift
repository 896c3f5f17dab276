import TestSupport
import Testing

/// What nothing uses goes: types, functions, properties and files, told by their names.
///
/// A name that something else has too hides what is dead; what is found is dead.
@Suite struct DeadCodeTests {
  /// Names that stand nowhere but where they are declared, each with its reason.
  static let exceptions: [String: String] = [
    "NSString": "Swift files of apps name it",
    "Trait": "gets a member that tests of other packages write",
    "appendInterpolation": "is called by the language for what a string interpolates",
    "attachingRuns": "is what tests of other packages write",
    "isRecursive": "is asked by the testing library",
    "scopeProvider": "is asked by the testing library",
    "testDescription": "is asked by the testing library",
  ]

  /// The words of a file that are no comments, and what it declares.
  struct File: Sendable {
    let path: String
    let words: [String: Int]
    let declared: [Declared]
    /// Whether it adds to others what is reached without a name: a conformance, an initialiser.
    let isReachedUnnamed: Bool

    /// What it is there for: its types, functions and properties, and what it adds to others.
    var shown: [Declared] { declared.filter { !$0.isExtension && $0.indent <= 2 } }
  }

  struct Declared: Sendable, Equatable {
    let name: String
    let line: Int
    let indent: Int
    /// Whether other files can see it.
    let isVisible: Bool
    /// Whether the line only adds to what has the name.
    let isExtension: Bool
  }

  static let files: [File] = SourceTests.sources.compactMap { path in
    (try? Repository.lines(path)).map { file(path, $0.map(String.init)) }
  }

  /// How often each word stands anywhere in the sources, and how often it is declared.
  private static let uses = files.reduce(into: [String: Int]()) { uses, file in
    for (word, count) in file.words { uses[word, default: 0] += count }
  }
  private static let declarations = files.reduce(into: [String: Int]()) { counts, file in
    for declared in file.declared { counts[declared.name, default: 0] += 1 }
  }

  @Test func everyNameIsUsed() {
    #expect(Self.files.count == SourceTests.sources.count)
    // What the library's texts declare is for traces.
    let texts = ["/Prelude/", "/AppFiles/"]
    for file in Self.files where !texts.contains(where: file.path.contains) {
      for declared in file.declared where Self.exceptions[declared.name] == nil {
        let (uses, count) = (Self.uses[declared.name], Self.declarations[declared.name])
        #expect(uses != count, "\(file.path):\(declared.line): nothing uses '\(declared.name)'")
      }
    }
  }

  @Test func everyFileIsUsed() {
    for file in Self.files where !file.path.hasSuffix("/main.swift") && !file.isReachedUnnamed {
      let isUsed = file.shown.contains { declared in
        declared.isVisible && (Self.uses[declared.name] ?? 0) > (file.words[declared.name] ?? 0)
      }
      #expect(isUsed, "\(file.path): no other file uses what it declares")
    }
  }

  @Test func everyExceptionIsOne() {
    for name in Self.exceptions.keys.sorted() {
      #expect(Self.uses[name] == Self.declarations[name], "'\(name)' is no exception any more")
    }
  }

  static func file(_ path: String, _ lines: [String]) -> File {
    var words: [String: Int] = [:]
    var declared: [Declared] = []
    var (isReachedUnnamed, isExtension) = (false, false)
    for (index, line) in lines.enumerated() {
      let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
      let code = line.utf8.dropFirst(indent)
      if code.starts(with: "//".utf8) { continue }
      let found = code.split { !isPartOfAWord($0) }.map { String(decoding: $0, as: UTF8.self) }
      for word in found { words[word, default: 0] += 1 }
      if indent == 0 {
        isExtension = found.contains("extension")
        if isExtension && line.contains(": ") { isReachedUnnamed = true }
      }
      if isExtension && indent == 2 && found.contains("init") { isReachedUnnamed = true }
      if let name = declaredName(found, line), indent <= 4 {
        let isVisible = !found.contains("private") && !found.contains("fileprivate")
        declared.append(
          Declared(
            name: name, line: index + 1, indent: indent, isVisible: isVisible,
            isExtension: found.contains("extension")))
      }
    }
    return File(
      path: path, words: words, declared: declared, isReachedUnnamed: isReachedUnnamed)
  }

  private static func isPartOfAWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  /// The name behind the first word that declares one, or that an extension is of.
  private static func declaredName(_ words: [String], _ line: String) -> String? {
    let keywords: Set = [
      "struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "extension",
    ]
    let modifiers: Set = [
      "public", "package", "private", "fileprivate", "final", "static", "mutating", "nonmutating",
      "indirect", "lazy", "weak", "unowned", "set", "inline", "__always", "never", "always",
      "discardableResult", "inlinable", "usableFromInline", "frozen", "consuming", "borrowing",
      "prefix", "infix",
    ]
    guard let place = words.firstIndex(where: { keywords.contains($0) }),
      words[..<place].allSatisfy({ modifiers.contains($0) }), place + 1 < words.count
    else { return nil }
    let name = words[place + 1]
    // Operators have no name, several constants have none of their own, and a class may be a requirement.
    if line.contains("\(words[place]) \(name)") && !keywords.contains(name) && name != "_" {
      return name
    }
    return nil
  }

  @Test func whatIsDeadIsFound() {
    let used = Self.file(
      "Used.swift", ["struct Used {", "  let a = 1", "  func b() { a + c }", "}", "// lost"])
    #expect(used.declared.map(\.name) == ["Used", "a", "b"])
    #expect(used.words["lost"] == nil && used.words["a"] == 2 && used.words["b"] == 1)
    #expect(!used.isReachedUnnamed && used.shown.map(\.name) == ["Used", "a", "b"])
    let adding = Self.file("B.swift", ["extension Used {", "  func b() {}", "}"])
    #expect(adding.shown.map(\.name) == ["b"])
    let conforming = Self.file("A.swift", ["extension Used: Equatable {", "}"])
    #expect(conforming.isReachedUnnamed && conforming.declared.map(\.name) == ["Used"])
  }
}
