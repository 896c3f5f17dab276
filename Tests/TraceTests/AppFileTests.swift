import SpindleLanguage
import SpindleModel
import TestSupport
import Testing

/// Swift files that run as they stand, and traces that include them.
@Suite struct AppFileTests {
  /// A trace or a Swift file with the files beside it, and what it prints or what is wrong with it.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String: String] = [:]
    var text: String
    var isSwift = false
    /// The lines that are printed, or the diagnostics.
    var expected: [String]

    var testDescription: String { name }
  }

  static func lines(of row: Row) -> [String] {
    var overrides = Overrides()
    let files = row.files
    overrides.fileReader = Overrides.FileReader(
      matches: { pattern, _ in
        let end = String(pattern.drop { $0 != "*" }.dropFirst())
        return .success(files.keys.filter { $0.hasSuffix(end) }.sorted())
      },
      { file, _ in
        if let text = files[file] { return .success(SourceText(name: file, text)) }
        return .failure(.init(message: "no such file: '\(file)'"))
      })
    let run = TestRun(
      row.text, name: row.isSwift ? "App.swift" : "test.trace", overrides: overrides)
    if !run.diagnostics.isEmpty { return run.messages }
    var lines = run.log.split(separator: "\n").compactMap { line -> String? in
      let parts = line.split(separator: " print \"")
      return parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : nil
    }
    if let outcome = run.record?.outcome, outcome.kind != .finished {
      lines.append("\(outcome.kind.name)")
    }
    return lines
  }

  @Test(arguments: included + nested + options + wholeFiles + stubs + failing + undeclared)
  func comesTo(row: Row) {
    #expect(Self.lines(of: row) == row.expected)
  }

  // MARK: Included files

  private static let counter = """
    import Foundation

    final class Counter {
        private(set) var value = 0
        func up() { value += 1 }
        func broken() { value = Unknown.thing(1) }
        func other() { helper() }
    }
    private func helper() { print("helper") }
    """

  static let included: [Row] = [
    Row(
      name: "a file is driven", files: ["Counter.swift": counter],
      text: """
        include "Counter.swift"
        main { let c = Counter(); c.up(); c.up(); print(c.value); c.other() }
        """, expected: ["2", "helper"]),
    Row(
      name: "what is reached is checked, at its place in its file",
      files: ["Counter.swift": counter],
      text: """
        include "Counter.swift"
        main { Counter().broken() }
        """,
      expected: [
        "Counter.swift:6:37: error: unknown member 'thing' of Unknown; a stub in the trace gives it a "
          + "meaning and a cost: extension Unknown { static func thing(_ a: Int) -> Int { … } }"
      ]),
    Row(
      name: "a pattern, and a file that two lines name",
      files: ["a/One.swift": "let one = 1", "a/Two.swift": "func two() -> Int { one + 1 }"],
      text: """
        include "a/*.swift"
        include "a/One.swift"
        main { print(two()) }
        """, expected: ["2"]),
    Row(
      name: "a variable of a file has its value when it is first used",
      files: [
        "V.swift": """
        let made: Int = { print("made"); return 3 }()
        var count: Int?
        """
      ],
      text: """
        include "V.swift"
        main { print("begin", count == nil); count = made; print(count!, made) }
        """, expected: ["begin true", "made", "3 3"]),
    Row(
      name: "an override is reached through the class above",
      files: [
        "Shapes.swift": """
        class Shape { func name() -> String { "shape" } }
        final class Round: Shape { override func name() -> String { "round" } }
        final class Never: Shape { override func name() -> String { Unknown.name } }
        func show(_ shape: Shape) { print(shape.name()) }
        """
      ],
      text: """
        include "Shapes.swift"
        main { show(Round()); show(Shape()) }
        """, expected: ["round", "shape"]),
    Row(
      name: "a kind of work has the name of its file",
      files: [
        "W.swift": "import Dispatch\nfunc go() { DispatchQueue.main.async { print(\"x\") } }"
      ],
      text: """
        include "W.swift"
        main { go() }
        expect { latency("main.async:W.swift:2").max >= 0s }
        """, expected: ["x"]),
    Row(
      name: "types that no file declares, in signatures and above types",
      files: [
        "View.swift": """
        import UIKit
        final class Cell: ReusableView { var style: CellStyle?; let n: Int; init(n: Int) { self.n = n } }
        struct Screen: View { var body: some View { List { Text("x") } } }
        """
      ],
      text: """
        include "View.swift"
        main { print(Cell(n: 4).n, Cell(n: 5).style == nil) }
        """, expected: ["4 true"]),
    Row(
      name: "an initialiser that may fail",
      files: [
        "F.swift": """
        struct Even { let n: Int; init?(_ n: Int) { if n % 2 == 1 { return nil }; self.n = n } }
        final class Odd {
            let n: Int
            init?(_ n: Int) { guard n % 2 == 1 else { return nil }; self.n = n }
            deinit { print("end of \\(n)") }
        }
        """
      ],
      text: """
        include "F.swift"
        main {
            print(Even(3) == nil, Even(4)!.n, Odd(4) == nil)
            if let odd = Odd(5) { print(odd.n) }
        }
        """, expected: ["true 4 true", "5", "end of 5"]),
  ]

  // MARK: Values within values of their own type

  static let nested: [Row] = [
    Row(
      name: "a struct with an array of its own type",
      text: """
        struct Node { var n: Int; var kids: [Node] = [] }
        main {
            let tree = Node(n: 1, kids: [Node(n: 2, kids: [Node(n: 3)])])
            print(tree)
            let all: [Any] = [tree.kids[0], 1]
            print(all[0], all)
        }
        """,
      // As swiftc 6.3 prints it for a module called 'main'.
      expected: [
        "Node(n: 1, kids: [main.Node(n: 2, kids: [main.Node(n: 3, kids: [])])])",
        "Node(n: 2, kids: [main.Node(n: 3, kids: [])]) "
          + "[main.Node(n: 2, kids: [main.Node(n: 3, kids: [])]), 1]",
      ])
  ]

  // MARK: How files are compiled

  private static let model = """
    import Foundation
    final class Model {
        func load() async { print(Thread.isMainThread) }
        nonisolated func free() async { print(Thread.isMainThread) }
    }
    """

  /// Source: SE-0466 and SE-0461; swiftc 6.3 prints the same for these files with the flags of their names.
  static let options: [Row] = [
    Row(
      name: "without isolation, async functions leave the main actor",
      files: ["M.swift": model],
      text: """
        include "M.swift"
        main(.tool) { let m = Model(); await m.load(); await m.free() }
        """, expected: ["false", "false"]),
    Row(
      name: "what says nothing belongs to the main actor", files: ["M.swift": model],
      text: """
        include "M.swift" { defaultIsolation: .mainActor }
        main(.tool) { let m = Model(); await m.load(); await m.free() }
        """, expected: ["true", "false"]),
    Row(
      name: "async functions stay with their callers", files: ["M.swift": model],
      text: """
        include "M.swift" { nonisolatedNonsendingByDefault: true }
        main(.tool) { let m = Model(); await m.load(); await m.free() }
        """, expected: ["true", "true"]),
    Row(
      name: "a file has its own options",
      files: [
        "M.swift": model,
        "N.swift": "import Foundation\nfunc n() async { print(Thread.isMainThread) }",
      ],
      text: """
        include "M.swift" { defaultIsolation: .mainActor }
        include "N.swift"
        main(.tool) { await Model().load(); await n() }
        """, expected: ["true", "false"]),
  ]

  // MARK: Whole files

  static let wholeFiles: [Row] = [
    Row(
      name: "statements at the top run in order",
      text: """
        import Foundation
        print("begin"); try await Task.sleep(for: .milliseconds(1)); print("awake")
        let task = Task { print("task") }
        await task.value
        let queue = DispatchQueue(label: "q")
        var total = 0
        func add(_ n: Int) { queue.sync { total += n } }
        let answer = await Task { 40 + total }.value
        for i in 0..<2 { add(i) }; print(total, answer)
        """, isSwift: true, expected: ["begin", "awake", "task", "1 40"]),
    Row(
      name: "a type with '@main'",
      text: """
        @main
        struct Tool {
            static func main() async throws {
                try await Task.sleep(for: .milliseconds(1))
                print("done")
            }
        }
        """, isSwift: true, expected: ["done"]),
    Row(
      name: "'@main' that cannot wait",
      text: """
        @main enum Tool { static func main() { print("plain") } }
        """, isSwift: true, expected: ["plain"]),
    Row(
      name: "a trace that drives the statements of a file",
      files: ["Script.swift": "print(\"script\")"],
      text: """
        include "Script.swift"
        machine { cores: 1 }
        """, expected: ["script"]),
  ]

  // MARK: Stubs

  private static let loader = """
    import Foundation
    final class Loader {
        func load() async throws -> Int {
            let (data, response) = try await URLSession.shared.data(from: URL(string: "https://a.b")!)
            guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            return data.count + http.statusCode
        }
    }
    """

  static let stubs: [Row] = [
    Row(
      name: "the tool's stubs, with costs of one's own", files: ["L.swift": loader],
      text: """
        include "L.swift", "spindle/Stubs.swift"
        machine { costs: .zero }
        main(.tool) {
            (StubCosts.request, StubCosts.answer) = (70ms, 1_000)
            print(try await Loader().load())
        }
        expect { makespan == 70ms }
        """, expected: ["1200"]),
    Row(
      name: "a stub of the trace is meant in front of the tool's", files: ["L.swift": loader],
      text: """
        include "L.swift", "spindle/Stubs.swift"
        machine { costs: .zero }
        extension URLSession {
            func data(from url: URL) async throws -> (Data, URLResponse) {
                try await io(10ms)
                return (Data(count: 1), HTTPURLResponse(url: url, statusCode: 404))
            }
        }
        main(.tool) { print(try await Loader().load()) }
        expect { makespan == 10ms }
        """, expected: ["405"]),
    Row(
      name: "a cancelled request ends at once, with the error that the app expects",
      files: ["L.swift": loader],
      text: """
        include "L.swift", "spindle/Stubs.swift"
        machine { costs: .zero }
        main(.tool) {
            let task = Task { try await Loader().load() }
            try await Task.sleep(for: 20ms)
            task.cancel()
            do { _ = try await task.value } catch let error as URLError {
                print(error.code == .cancelled)
            }
        }
        expect { makespan == 20ms }
        """, expected: ["true"]),
    Row(
      name: "a stub whose wait is cancelled throws what that throws", files: ["L.swift": loader],
      text: """
        include "L.swift"
        extension URLSession {
            static let shared = URLSession()
            func data(from url: URL) async throws -> (Data, URLResponse) {
                try await io(1s)
                return (Data(), URLResponse(url: url))
            }
        }
        main(.tool) {
            let task = Task { try await Loader().load() }
            task.cancel()
            do { _ = try await task.value } catch { print(error is CancellationError) }
        }
        """, expected: ["true"]),
    Row(
      name: "what a call needs is in the message", files: ["L.swift": loader],
      text: """
        include "L.swift"
        extension URLSession { static let shared = URLSession() }
        main(.tool) { print(try await Loader().load()) }
        """,
      expected: [
        "L.swift:4:60: error: unknown member 'data' of URLSession; a stub in the trace gives it a "
          + "meaning and a cost: extension URLSession { func data(from: URL) async throws -> … { … } }"
      ]),
  ]

  // MARK: What has no meaning

  static let failing: [Row] = [
    Row(
      name: "a file that is not there",
      text: """
        include "None.swift"
        main { }
        """, expected: ["1:9: error: no such file: 'None.swift'"]),
    Row(
      name: "a file that is no Swift file", files: ["a.trace": "main { }"],
      text: """
        include "a.trace"
        main { }
        """,
      expected: ["1:9: error: 'include' takes Swift files, whose names end in '.swift'"]),
    Row(
      name: "an option that does not exist", files: ["a.swift": ""],
      text: """
        include "a.swift" { defaultIsolation: .global }
        main { }
        """,
      expected: [
        "1:21: error: an included file has 'defaultIsolation: .mainActor' or '.nonisolated', and "
          + "'nonisolatedNonsendingByDefault: true' or 'false'"
      ]),
    Row(
      name: "statements in a file of a trace that has a main",
      files: ["Script.swift": "let a = 1\nprint(a)"],
      text: """
        include "Script.swift"
        main { }
        """,
      expected: [
        "Script.swift:2:1: error: the trace has a 'main', and a file has one that has statements at its top"
      ]),
    Row(
      name: "a file that does nothing", text: "func f() { }\n", isSwift: true,
      expected: [
        "2:1: error: this file has no statements at its top and no type with '@main'"
      ]),
    Row(
      name: "the form of an included file is wrong", files: ["a.swift": "struct A {\n  let = 3\n}"],
      text: """
        include "a.swift"
        main { }
        """, expected: ["a.swift:2:7: error: expected a name for 'let', not '='"]),
  ]
}
