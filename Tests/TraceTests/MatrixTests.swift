import SpindleLanguage
import SpindleModel
import SpindleRun
import TestSupport
import Testing

/// Every combination of `Tests/Reviewed/matrix.txt`: taken unless Swift refuses it.
@Suite struct MatrixTests {
  /// A combination: the names of both sides, and the program.
  struct Cell {
    var row: String
    var column: String
    var text: String
  }

  /// The lines of each section, split at the bars.
  static func sections() throws -> [String: [[String]]] {
    var sections: [String: [[String]]] = [:]
    var current: String?
    for line in try Repository.lines("Tests/Reviewed/matrix.txt") {
      if line.hasPrefix("## ") {
        current = String(line.dropFirst(3))
      } else if let current, !line.isEmpty {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map { part in
          String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        sections[current, default: []].append(parts)
      }
    }
    return sections
  }

  /// Code in which some words are replaced.
  static func filled(_ code: String, _ words: [String: String]) -> String {
    code.replacing(/[A-Za-z_][A-Za-z0-9_]*/) { words[String($0.output)] ?? String($0.output) }
  }

  /// A program with declarations at the top and statements in `main`.
  static func program(_ top: [String], _ body: String) -> String {
    let top = top.map { Self.filled($0, ["FUNC": "func", "GLOBAL": ""]) }
    return top.joined(separator: "\n") + "\nmain(.tool) {\n  do { \(body) } catch { }\n}\n"
  }

  static func values(_ kind: [String], _ places: [[String]]) -> [Cell] {
    let (type, value, declared) = (kind[1], kind[2], kind[3])
    let isFunction = type.contains("->")
    let words = [
      "T": type, "V": value, "EE": isFunction ? "@escaping" : "",
      "TT": isFunction || type.hasPrefix("any ") ? "(\(type))" : type,
    ]
    return places.map { place in
      Cell(
        row: kind[0], column: place[0],
        text: program([declared, filled(place[1], words)], filled(place[2], words)))
    }
  }

  static func sequences(_ sequence: [String], _ operations: [[String]]) -> [Cell] {
    let isThrowing = sequence[0].hasPrefix("throwing")
    let isAsync = isThrowing || sequence[0].hasPrefix("async")
    let words = ["X": sequence[2], "AA": isThrowing ? "try await" : isAsync ? "await" : ""]
    return operations.map { operation in
      Cell(
        row: sequence[0], column: operation[0],
        text: program([], sequence[1] + "\n" + filled(operation[1], words)))
    }
  }

  static func changes(
    _ target: [String], _ changes: [[String]], _ declared: [[String]]
  ) -> [Cell] {
    let top = declared.map { $0.joined(separator: "|") }
    return changes.map { change in
      let code = filled(change[1], ["P": target[1]])
      // What is passed by reference is changed in a function.
      let isInout = target[1] == "q"
      let function = isInout ? "FUNC change(_ q: inout Part) { \(code) }" : ""
      let body =
        "var p = Part(); let w = Whole(); let all = [Whole()]; \(isInout ? "change(&p)" : code); _ = (w, all, p)"
      return Cell(row: target[0], column: change[0], text: program(top + [function], body))
    }
  }

  /// The combinations that a section lists.
  static func listed(_ name: String, _ sections: [String: [[String]]]) -> Set<String> {
    Set(
      sections[name, default: []].flatMap { line in
        line[1].split(separator: ",").map { line[0] + " / " + $0.drop { $0 == " " } }
      })
  }

  @Test(arguments: ["kinds", "sequences", "targets"])
  func isTakenUnlessSwiftRefusesIt(table: String) throws {
    let sections = try Self.sections()
    let refused = Self.listed("refused", sections).union(Self.listed("not known here", sections))
    for row in sections[table, default: []] {
      let cells: [Cell] =
        switch table {
        case "kinds": Self.values(row, sections["places", default: []])
        case "sequences": Self.sequences(row, sections["operations", default: []])
        default:
          Self.changes(
            row, sections["changes", default: []], sections["declarations of targets", default: []])
        }
      for cell in cells {
        let name = cell.row + " / " + cell.column
        let made = Compiler.standard.compile(SourceText(name: "cell", cell.text))
        let error = made.diagnostics.first { $0.severity == .error }
        #expect(
          (made.program == nil) == refused.contains(name),
          "\(name): \(error?.message ?? "taken")\n\(cell.text)")
      }
    }
  }

  @Test func allCombinationsAreThere() throws {
    let sections = try Self.sections()
    let count = { (name: String) in sections[name, default: []].count }
    #expect(count("kinds") * count("places") == 1_749)
    #expect(count("sequences") * count("operations") == 406)
    #expect(count("targets") * count("changes") == 336)
    #expect(Self.listed("refused", sections).count == 65)
    #expect(Self.listed("not known here", sections).isEmpty)
  }
}
