import TestSupport
import Testing

/// Where a run is made, read or judged nobody walks through a dictionary or a set: the order would be the
/// hash's, which differs from process to process.
///
/// Properties that are dictionaries or sets are found by their declarations, and every use of one of that
/// name must be one of those that do not depend on the order.
@Suite struct WalkTests {
  static let modules = ["SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports"]

  /// Uses of a dictionary or a set in which the order shows, each with the reason why it does not here.
  static let exceptions: [String: String] = [
    "Sources/SpindleLanguage/Prelude/Prelude+Collections.swift: made":
      "it is the library's own text, where a dictionary keeps the order of its entries",
    "Sources/SpindleLanguage/Declarations/DeclarationTable.swift: handles": "all are released",
    "Sources/SpindleLanguage/Declarations/DeclarationTable.swift: families": "all are released",
    "Sources/SpindleLanguage/Declarations/DeclarationTable.swift: globals": "it is sorted at once",
    "Sources/SpindleLanguage/Inference/BodyChecker.swift: locals": "it is sorted at once",
    "Sources/SpindleLanguage/Declarations/DeclarationTable.swift: privateGlobals":
      "it is sorted at once",
    "Sources/SpindleLanguage/Declarations/DeclarationTable.swift: types":
      "its keys are sorted at once",
    "Sources/SpindleLanguage/Declarations/DeclarationTable.swift: aliases":
      "its keys are sorted at once",
    "Sources/SpindleLanguage/Inference/BodyTable.swift: parameters": "its keys are sorted at once",
    "Sources/SpindleReports/Metrics/ActivityTable.swift: slots": "its keys are sorted at once",
    "Sources/SpindleReports/Timeline/TaskPiece.swift: open": "it is sorted at once",
    "Sources/SpindleReports/Timeline/TaskPiece.swift: pieces": "its keys are sorted at once",
  ]

  /// What may follow the name of a dictionary or set after a point.
  static let allowed: Set<String> = [
    "count", "isEmpty", "contains", "insert", "remove", "removeValue", "removeAll", "updateValue",
    "reserveCapacity", "formUnion", "subtract", "isSubset", "isSuperset", "isDisjoint", "index",
    "subtracting", "intersection", "union", "formIntersection", "update", "merge",
  ]

  /// A walk through a hashed property.
  struct Walk: Equatable {
    let line: Int
    let name: String
  }

  @Test("nothing depends on the order of a hash", arguments: modules)
  func nothingIsWalked(module: String) throws {
    let paths = Repository.files(below: "Sources/\(module)", suffix: ".swift")
    var lines: [String: [String]] = [:]
    for path in paths {
      lines[path] = try Repository.lines(path).map { SourceTests.withoutTexts($0) }
    }
    let shared = Set(paths.flatMap { Self.declared(in: lines[$0] ?? [], local: false) })
    let others = try Self.otherwiseDeclared(
      in: Repository.files(below: "Sources/SpindleModel", suffix: ".swift").flatMap {
        try Repository.lines($0).map { SourceTests.withoutTexts($0) }
      } + lines.values.joined())
    for path in paths {
      let code = lines[path] ?? []
      // What something else is called too is known where it is declared, and only there.
      let own = Self.declared(in: code, local: true)
      let walks =
        Self.walks(in: code, of: shared.union(own).subtracting(others), members: true)
        + Self.walks(in: code, of: own.intersection(others), members: false)
      for walk in walks where Self.exceptions["\(path): \(walk.name)"] == nil {
        Issue.record("\(path):\(walk.line): walks through '\(walk.name)', which is hashed")
      }
    }
  }

  /// The names of properties and variables that are declared as a dictionary or a set; of variables inside
  /// functions only when `local`.
  static func declared(in code: [String], local: Bool) -> Set<String> {
    var names: Set<String> = []
    for line in code {
      let isLocal = line.prefix { $0 == " " }.count > 2
      guard local || !isLocal, let (name, type) = declaration(line), isHashed(type) else {
        continue
      }
      names.insert(name)
    }
    return names
  }

  /// The names that are declared as something else, or as what can't be told.
  static func otherwiseDeclared(in code: [String]) -> Set<String> {
    Set(code.compactMap { declaration($0) }.filter { !isHashed($0.type) }.map(\.name))
  }

  /// What a line declares by `let` or `var`, and what follows the name.
  private static func declaration(_ line: String) -> (name: String, type: String)? {
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    guard let keyword = words.firstIndex(where: { $0 == "let" || $0 == "var" }),
      keyword + 1 < words.count
    else { return nil }
    let name = words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard !name.isEmpty, let place = line.firstRange(of: " \(name)") else { return nil }
    return (String(name), String(line[place.upperBound...]))
  }

  /// Whether what follows a declared name makes it a dictionary or a set.
  private static func isHashed(_ rest: String) -> Bool {
    let text = rest.drop { $0 == ":" || $0 == "=" || $0 == " " }
    if text.hasPrefix("Set<") || text.hasPrefix("Set(") || text.hasPrefix("Dictionary") {
      return true
    }
    guard text.hasPrefix("[") else { return false }
    var depth = 0
    for character in text {
      if character == "[" || character == "(" { depth += 1 }
      if character == "]" || character == ")" { depth -= 1 }
      if depth == 1 && character == ":" { return true }
      if depth == 0 { return false }
    }
    return false
  }

  /// Where something of these names is walked through; with `members`, also as a member of another value.
  static func walks(in code: [String], of names: Set<String>, members: Bool) -> [Walk] {
    var found: [Walk] = []
    for (index, line) in code.enumerated() {
      for name in names where line.contains(name) {
        if isWalked(name, in: line, members) { found.append(Walk(line: index + 1, name: name)) }
      }
    }
    return found.sorted { ($0.line, $0.name) < ($1.line, $1.name) }
  }

  private static func isWalked(_ name: String, in line: String, _ members: Bool) -> Bool {
    var start = line.startIndex
    while let place = line[start...].firstRange(of: name) {
      start = place.upperBound
      let isWord = { (character: Character?) in
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
      }
      if isWord(line[..<place.lowerBound].last) || isWord(line[place.upperBound...].first) {
        continue
      }
      let before = line[..<place.lowerBound]
      if !members && before.hasSuffix(".") && !before.hasSuffix("self.") { continue }
      let path = before.reversed().prefix { isWord($0) || $0 == "." || $0 == "?" }
      if before.dropLast(path.count).hasSuffix(" in ") && line.contains("for ") {
        let rest = line[place.upperBound...]
        if rest.hasPrefix(" ") || rest.isEmpty || walks(rest) { return true }
        continue
      }
      if walks(line[place.upperBound...]) { return true }
    }
    return false
  }

  /// Whether what follows a name goes through its elements.
  private static func walks(_ rest: Substring) -> Bool {
    let rest = rest.hasPrefix("?") ? rest.dropFirst() : rest
    guard rest.hasPrefix(".") else { return false }
    let member = rest.dropFirst().prefix { $0.isLetter || $0.isNumber }
    return !allowed.contains(String(member))
  }

  @Test func aWalkIsFound() {
    let code = [
      "  var seen: Set<Int32> = []", "  private(set) var byName: [String: [Int]] = [:]",
      "  let list: [(key: Int, value: Int)] = []", "  let plain = [1, 2]",
      "    for item in self.seen { use(item) }", "    let first = byName.first",
      "    for (a, b) in byName { use(a, b) }", "    use(byName.keys.sorted())",
      "    use(seen.contains(1), byName[\"x\"]?.first, seen.count)",
      "    for item in byName[\"x\"] ?? [] { use(item) }", "    return seen.map { $0 }",
      "    for item in list where seen.insert(item).inserted { use(item) }",
    ]
    let names = Self.declared(in: code, local: false)
    #expect(names == ["seen", "byName"])
    #expect(Self.walks(in: code, of: names, members: true).map(\.line) == [5, 6, 7, 8, 11])
    #expect(Self.walks(in: ["for x in other.seen { }"], of: names, members: false) == [])
    #expect(Self.walks(in: ["for x in self.seen { }"], of: names, members: false).count == 1)
  }
}
