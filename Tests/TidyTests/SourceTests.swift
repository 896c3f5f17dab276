import Foundation
import TestSupport
import Testing

/// The repository's own rules about its sources.
@Suite struct SourceTests {
  static let sources = Repository.files(below: "Sources", suffix: ".swift")
  static let tests = Repository.files(below: "Tests", suffix: ".swift")

  /// Functions that may be longer than a screen, each with its reason.
  static let longFunctions: [String: String] = [
    "Sources/SpindleSimulator/Execution/Interpreter+Instructions.swift: run":
      "one switch over every instruction: splitting it costs a call for each",
    "Sources/SpindleLanguage/Inference/BodyChecker+Expressions.swift: infer":
      "one switch over every kind of expression",
    "Sources/SpindleLanguage/Emission/Emitter+Expressions.swift: emit":
      "one switch over every kind of expression",
    "Sources/SpindleLanguage/Emission/Emitter+Statements.swift: emitStatement":
      "one switch over every kind of statement",
    "Sources/SpindleLanguage/Emission/Emitter+Builtins.swift: emitBuiltin":
      "one row for each function of the library without a body",
    "Sources/SpindleLanguage/Emission/Emitter+Builtins.swift: emitArithmetic":
      "one row for each function of the library without a body",
    "Sources/SpindleLanguage/Emission/Emitter+Builtins.swift: emitCollection":
      "one row for each function of the library without a body",
    "Sources/SpindleLanguage/Prelude/Prelude+Numbers.swift: integer":
      "one text: the declaration of a type",
  ]

  @Test("a file is one noun: at most 400 lines", arguments: sources + tests)
  func fileIsShort(path: String) throws {
    let count = try Repository.lines(path).count - 1
    #expect(count <= 400, "\(path) has \(count) lines")
  }

  @Test("a function is one screen: at most 60 lines", arguments: sources + tests)
  func functionIsShort(path: String) throws {
    for function in LongFunction.all(in: try Repository.lines(path), over: 60) {
      let name = "\(path): \(function.name)"
      if SourceTests.longFunctions[name] != nil { continue }
      Issue.record("\(name) has \(function.count) lines, from line \(function.line)")
    }
  }

  @Test("nothing is left to do, and nothing is forced", arguments: sources)
  func nothingIsForced(path: String) throws {
    // Its programs are texts of several lines.
    if path.hasPrefix("Sources/SpindleGenerator/") { return }
    let forbidden = ["TO" + "DO", "FIX" + "ME", " try" + "! ", " try" + "? ", " as" + "! "]
    for (number, line) in try Repository.lines(path).enumerated() {
      // A text may name what the code may not have: the language explains Swift's own words.
      let code = SourceTests.withoutTexts(line)
      for word in forbidden where code.contains(word) {
        Issue.record("\(path):\(number + 1): '\(word)'")
      }
    }
  }

  /// What each module may import, beside its own conditions on platforms.
  static let imports: [String: Set<String>] = [
    "SpindleModel": [],
    "SpindleHost": ["Glibc", "Musl", "Darwin", "Synchronization"],
    "SpindleLanguage": ["SpindleModel", "SpindleHost", "Synchronization"],
    "SpindleSimulator": ["SpindleModel", "SpindleHost"],
    "SpindleReports": ["SpindleModel", "SpindleHost"],
    "SpindleExplore": ["SpindleModel", "SpindleHost", "SpindleSimulator", "SpindleReports"],
    "SpindleRecordings": ["SpindleModel"],
    "SpindleSystem": ["SpindleHost", "Glibc", "Musl", "Darwin", "Synchronization"],
    "SpindleRun": [
      "SpindleModel", "SpindleSystem", "SpindleLanguage", "SpindleSimulator", "SpindleReports",
      "SpindleExplore",
    ],
    "SpindleCommand": [
      "SpindleModel", "SpindleHost", "SpindleLanguage", "SpindleSimulator", "SpindleReports",
      "SpindleRecordings", "SpindleSystem", "SpindleRun", "SpindleExplore",
      "Glibc", "Musl", "Darwin", "Synchronization", "Dispatch",
    ],
    "spindle": ["SpindleCommand"],
    "SpindleTesting": [
      "SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports", "SpindleRun",
      "SpindleExplore", "Foundation", "Synchronization", "Testing",
    ],
  ]

  @Test("a module imports what lies below it", arguments: sources)
  func importsPointDown(path: String) throws {
    let module = String(path.split(separator: "/")[1])
    guard let allowed = SourceTests.imports[module] else { return }
    for line in try Repository.lines(path) {
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "import"), words.count > index + 1 else { continue }
      guard
        words[..<index].allSatisfy({ ["public", "package", "private", "internal"].contains($0) })
      else {
        continue
      }
      #expect(allowed.contains(String(words[index + 1])), "\(path): \(line)")
    }
  }

  /// What the two lower floors never touch, since it differs from run to run.
  static let impure = [
    "SystemRandomNumberGenerator", ".hashValue", "Hasher()", "ContinuousClock", "SuspendingClock",
    ".random(", ".shuffled()", "getenv", "nonisolated(unsafe)", " Task {", "Thread.sleep",
  ]

  @Test("a run depends on the program alone", arguments: sources)
  func runDependsOnTheProgramAlone(path: String) throws {
    let module = path.split(separator: "/")[1]
    let impureModules = [
      "SpindleSystem", "SpindleCommand", "spindle", "SpindleBenchmarks", "SpindleCalibrator",
      "SpindleValidator",
    ]
    // Statements of programs, which are texts.
    if path.hasPrefix("Sources/SpindleFuzzer/RandomPrograms/RandomProgram+")
      || path.hasPrefix("Sources/SpindleGenerator/")
      || path.hasPrefix("Sources/SpindleLanguage/AppFiles/")
      || path.hasPrefix("Sources/SpindleLanguage/Prelude/")
    {
      return
    }
    guard !impureModules.contains(String(module)) else { return }
    for (number, line) in try Repository.lines(path).enumerated() {
      let code = SourceTests.withoutTexts(line)
      for word in SourceTests.impure where " \(code)".contains(word) {
        Issue.record("\(path):\(number + 1): '\(word)'")
      }
      let isStored = code.contains("static var ") && code.contains(" = ") && !code.contains("{")
      #expect(!isStored, "\(path):\(number + 1): a global variable")
    }
  }

  /// A line of code without what stands in quotes or behind `//`.
  static func withoutTexts(_ line: Substring) -> String {
    var (code, isText, isEscaped) = ("", false, false)
    for character in line {
      if isText {
        if !isEscaped && character == "\"" { isText = false }
        isEscaped = !isEscaped && character == "\\"
        continue
      }
      if character == "\"" {
        isText = true
        continue
      }
      code.append(character)
      if code.hasSuffix("//") { return String(code.dropLast(2)) }
    }
    return code
  }
}

/// A function that is longer than a screen.
struct LongFunction {
  let name: String
  let line: Int
  let count: Int

  /// The functions of a formatted file that have more than `limit` lines.
  ///
  /// A function begins with a line that declares it and ends with the first `}` at the same indent.
  static func all(in lines: [Substring], over limit: Int) -> [LongFunction] {
    var found: [LongFunction] = []
    for (index, line) in lines.enumerated() where declaresFunction(line) {
      let indent = line.prefix { $0 == " " }
      // A declaration that is closed on its own line is short.
      if line.hasSuffix("}") { continue }
      guard
        let end = lines[(index + 1)...].firstIndex(where: {
          $0.hasPrefix(indent + "}") && !$0.hasPrefix(indent + "} ")
        })
      else { continue }
      // A requirement of a protocol has no body: what follows it is not its own.
      let body = lines[index...end].first { $0.hasSuffix("{") }
      if body == nil || end - index + 1 <= limit { continue }
      found.append(
        LongFunction(
          name: name(of: line), line: index + 1, count: end - index + 1))
    }
    return found
  }

  private static func declaresFunction(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    guard let first = words.firstIndex(where: { $0 == "func" || isInitializer($0) }) else {
      return false
    }
    let modifiers: Set<Substring> = [
      "public", "private", "fileprivate", "internal", "static", "mutating", "nonmutating",
      "override", "convenience", "package", "@discardableResult", "@inline(__always)",
      "@inline(never)", "@Test",
    ]
    return words[..<first].allSatisfy { modifiers.contains($0) }
      && (line.hasSuffix("{") || line.hasSuffix("("))
  }

  /// The name of the function that a line declares.
  private static func name(of line: Substring) -> String {
    let words = line.split(separator: " ")
    let word = words.firstIndex(of: "func").map { words[$0 + 1] } ?? "init"
    return String(word.prefix { $0.isLetter || $0.isNumber })
  }

  private static func isInitializer(_ word: Substring) -> Bool {
    word.hasPrefix("init(") || word.hasPrefix("init?(")
  }
}
