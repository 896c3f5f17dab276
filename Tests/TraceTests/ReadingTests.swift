import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

@testable import SpindleLanguage

/// A trace comes to the same in the ways that are good for long texts, and without them: its `main`
/// lowered while it is read, perhaps by another thread, and calls known by their form.
@Suite struct ReadingTests {
  static let traces = Repository.files(below: "Traces", suffix: ".trace")

  @Test("in pieces as at once", arguments: traces)
  func inPiecesAsAtOnce(path: String) throws {
    check(try Repository.text(path), path)
  }

  /// With a line missing most traces have mistakes, of form or of meaning.
  @Test(
    "in pieces as at once, without a line", arguments: Effort.sample(traces, oneIn: 12, from: 5))
  func withoutALine(path: String) throws {
    let lines = try Repository.lines(path)
    for missing in stride(from: 1, to: lines.count, by: max(1, lines.count / 8)) {
      var rest = lines
      rest.remove(at: missing)
      check(rest.joined(separator: "\n"), "\(path) without line \(missing + 1)")
    }
  }

  @Test func mostTracesAreReadInPieces() throws {
    let count = try Self.traces.filter { path in
      let source = SourceText(name: path, try Repository.text(path))
      return compiler.compileLong(source, Overrides()) != nil
    }.count
    #expect(count * 2 > Self.traces.count, "\(count) of \(Self.traces.count)")
  }

  private let compiler = Self.compiler { _ in }
  private let plainCompiler = Self.compiler { $0.takesShortcuts = false }
  private let compilerAhead = Self.compiler { $0.readsAheadFrom = 0 }

  /// A compiler with the front end that lowers `main` while it is read, which takes long texts.
  private static func compiler(_ change: (inout Compiler) -> Void) -> Compiler {
    var compiler = Compiler(catalogue: MachineCatalog.catalogue)
    compiler.frontEnds = .untyped
    change(&compiler)
    return compiler
  }

  /// The declarations of the library serve one trace after the other, and come back from each as they were.
  @Test func theLibraryIsDeclaredOnce() throws {
    var shared = Self.compiler { $0.frontEnds = .typed }
    for path in Effort.sample(Self.traces, oneIn: 9, from: 4) {
      let source = SourceText(name: path, try Repository.text(path))
      shared.takesShortcuts = true
      let one = shared.compile(source)
      shared.takesShortcuts = false
      same(one, shared.compile(source), path)
    }
  }

  /// Statements of every kind that what is read later may need something of, and mistakes.
  private static let statements = [
    "pool.async(name: \"task\") { work(1ms) }", "pool.async(name: \"task#\") { work(#us) }",
    "let x# = # + 1", "var y# = [#, 2]", "defer { work(#us) }", "defer { print(\"end \\(#)\") }",
    "for i in 0 ..< # { pool.async(name: \"a\\(i)\") { work(2ms) } }",
    "do { throw \"no #\" } catch { print(error) }", "if # > 3 { work(1ms) } else { sleep(1ms) }",
    "print(\"text number # of many, which is longer than most\")",
    "DispatchWorkItem { work(#us) }.perform()",
    "queue.async { let z# = #; work(1ms); print(z#) }",
    "let operation# = BlockOperation { work(1ms) }",
    "Thread.current.threadDictionary[\"key#\"] = #", "late(#)", "lock.withLock { work(#us) }",
  ]
  private static let mistakes = [
    "pool.async(name: \"task\") { work(1ms)", "let = 3", "unknown(#)", "work(#)", "let x = )",
    "print(Thread.current.threadDictionary[\"later\"])", "queue.getSpecific(key: \"k\")",
  ]

  /// Hundreds of statements, so that the one thread is many batches ahead of the other.
  @Test("a long main, read ahead", arguments: 0..<Effort.count(15, whole: 60))
  func aLongMain(seed: UInt64) {
    var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func draw(_ count: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(count))
    }
    var text = "machine { cores: 2 }\nlet pool = ThreadPool(width: 2)\n"
    text += "let lock = NSLock()\nlet queue = DispatchQueue(label: \"q\")\n"
    text += "func late(_ n: Int) { work(1ms) }\nmain {\n"
    let count = 300 + draw(900)
    let mistake = seed % 3 == 0 ? draw(count) : -1
    for index in 0..<count {
      let list = index == mistake ? Self.mistakes : Self.statements
      text += "  \(list[draw(list.count)].replacing("#", with: "\(index)"))\n"
    }
    text += seed % 5 == 4 ? "}\nlet behind = 1\n" : "}\nexpect { outcome == .finished }\n"
    let whole = plainCompiler.compile(SourceText(name: "long", text))
    let isRight = seed % 3 != 0 && seed % 5 != 4
    #expect(!isRight || whole.diagnostics.allSatisfy { $0.severity != .error })
    #expect(check(text, "long") || !isRight, "it is read in pieces")
  }

  /// Whether the text is read in pieces, as it is on one thread and on two or on neither.
  @discardableResult
  private func check(_ text: String, _ name: String) -> Bool {
    let isRead = check(text, name, compiler)
    #expect(check(text, "\(name), read ahead", compilerAhead) == isRead, "\(name)")
    return isRead
  }

  private func check(_ text: String, _ name: String, _ compiler: Compiler) -> Bool {
    let source = SourceText(name: name, text)
    // What can't be read in pieces is compiled as a whole, and its calls by their form all the same.
    let isRead = compiler.compileLong(source, Overrides()) != nil
    same(compiler.compile(source), plainCompiler.compile(source), name)
    return isRead
  }

  private typealias Compiled = (program: Program?, diagnostics: [Diagnostic])

  /// Checks that two ways to compile a text come to the same.
  private func same(_ pieces: Compiled, _ whole: Compiled, _ name: String) {
    #expect((pieces.program == nil) == (whole.program == nil), "\(name)")
    #expect(pieces.diagnostics == whole.diagnostics, "\(name)")
    let (one, other) = (pieces.program, whole.program)
    #expect(one?.title == other?.title && one?.main == other?.main, "\(name)")
    #expect(one?.initializer == other?.initializer, "\(name)")
    #expect(one?.machine == other?.machine && one?.until == other?.until, "\(name)")
    #expect(one?.seed == other?.seed && one?.threadNames == other?.threadNames, "\(name)")
    #expect(one?.instructions == other?.instructions, "\(name)")
    #expect(one?.places == other?.places, "\(name)")
    #expect(one?.blocks == other?.blocks, "\(name)")
    #expect(one?.sites == other?.sites, "\(name)")
    #expect(one?.names == other?.names && one?.kinds == other?.kinds, "\(name)")
    #expect(one?.globals == other?.globals && one?.arrivals == other?.arrivals, "\(name)")
    #expect(one?.parameters == other?.parameters, "\(name)")
    #expect("\(one?.expectations ?? [])" == "\(other?.expectations ?? [])", "\(name)")
  }
}
