import SpindleLanguage
import SpindleModel
import Testing

/// Whole traces to programs, and what the command line changes.
@Suite struct CompilerTests {
  static let pooled = """
    trace "Pooled" { seed: 7; until: 5s }
    param n = 3
    param kind = "warm" in ["warm", "cold"]
    param pause = 2ms
    machine { cores: 2; policy: .fifo; costs: .apple(contextSwitch: 3us) }
    let pool = ThreadPool(width: 4)
    let lock = NSLock()
    main(.tool) {
        for i in 0 ..< n { pool.async(name: "\\(kind)\\(i)") { lock.withLock { work(pause) } } }
    }
    every(1s, count: n) { i in mark("\\(i)") }
    at(2s) { mark("late") }
    """

  @Test func everySettingIsKept() throws {
    let program = try CompilerSupport.program(Self.pooled)
    #expect(program.title == "Pooled")
    #expect(program.seed == 7)
    #expect(program.until == Instant(5_000_000_000))
    #expect(program.mainIsTool)
    #expect(program.machine.cores?.count == 2)
    #expect(program.machine.policy == Configuration(name: "fifo"))
    #expect(program.machine.costs?["contextSwitch"] == 3_000)
    #expect(program.globals.map(\.name) == ["pool", "lock"])
    #expect(program.kinds == [WorkKind(pattern: "pool.async:9", isNamed: true)])
    #expect(program.parameters.map(\.value) == ["3", "\"warm\"", "2ms"])
    #expect(program.parameters[1].allowed == ["\"warm\"", "\"cold\""])
    #expect(program.arrivals.map(\.isOnce) == [false, true])
    #expect(program.arrivals.map(\.count) == [3, nil])
  }

  @Test func optionsTakeTheirPlaces() throws {
    var overrides = Overrides()
    overrides.parameters = [.init(name: "n", value: "5"), .init(name: "kind", value: "cold")]
    overrides.replacements = [.init(name: "pool", value: "ThreadPerTask")]
    overrides.policy = "roundRobin(quantum: 10ms)"
    overrides.costs = ".zero"
    overrides.platform = "linux"
    overrides.cores = "8"
    overrides.seed = "9"
    overrides.until = "1s"
    let program = try CompilerSupport.program(
      Self.pooled.replacing("at(2s)", with: "at(500ms)"), overrides)
    #expect(program.parameters.map(\.value) == ["5", "\"cold\"", "2ms"])
    #expect(program.machine.policy?["quantum"] == 10_000_000)
    #expect(program.machine.costs == Configuration(name: "zero"))
    #expect(program.machine.platform == .linux)
    #expect(program.machine.cores?.count == 8)
    #expect(program.seed == 9)
    #expect(program.until == Instant(1_000_000_000))
    #expect(program.arrivals[0].count == 5)
    let makesThreads = program.instructions.contains { instruction in
      if case .perform(.executor(.threadPerTaskMake), _, _) = instruction { return true }
      return false
    }
    #expect(makesThreads)
  }

  /// A trace that only the front end with types takes: its types have parameters.
  private static let generic = """
    final class Box<Value> {
        private let lock = NSLock()
        private var value: Value
        init(_ value: Value) { self.value = value }
        func get() -> Value { lock.withLock { value } }
    }
    final class Feed { let queue: DispatchQueue = DispatchQueue(label: "feed") }
    let pool = ThreadPool(width: 1)
    main {
        let (box, feed) = (Box(3), Feed())
        pool.async { work(1ms) }
        feed.queue.async { print(box.get()) }
    }
    """

  /// What `--replace` puts into a trace, and what of the program shows it, or what is refused.
  @Test(arguments: [
    ("pool", "ThreadPerTask", "threadPerTaskMake"),
    ("pool", "ThreadPool(width: 2)", "threadPoolMake"),
    ("Feed.queue", "ThreadPool(width: 2)", "threadPoolMake"),
    ("Box.lock", "OSAllocatedUnfairLock", "lock.make"),
    ("Box.lock", "inheritance", "inheritance"),
    ("pool", "NSLock()", "1:6: error: expected an executor, found NSLock"),
    ("pool", "ThreadPool(width: 2", "error: expected "),
    ("Box.lock", "NSCondition()", "1:10: error: expected NSLock, found NSCondition; "),
    ("Box.look", "NSLock()", "1:1: error: the trace has no 'let Box.look' whose value is"),
    ("Feed.queue", "NSLock()", "1:12: error: expected an executor, found NSLock"),
  ])
  func replacesWithTypes(name: String, value: String, sign: String) {
    var overrides = Overrides()
    overrides.replacements = [.init(name: name, value: value)]
    let (program, diagnostics) = CompilerSupport.compile(Self.generic, overrides)
    if let program {
      #expect(diagnostics.isEmpty)
      let plain = CompilerSupport.compile(Self.generic).program
      #expect(plain?.instructions != program.instructions)
      let shown = program.instructions.map { "\($0)" } + program.names
      #expect(shown.contains { $0.contains(sign) }, "\(name)")
    } else {
      let report = CompilerSupport.report(Self.generic, overrides)
      #expect(report.contains(sign), "\(report)")
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let overrides: Overrides
    let report: String

    init(_ claim: String, _ report: String, _ change: (inout Overrides) -> Void) {
      var overrides = Overrides()
      change(&overrides)
      (testDescription, self.overrides, self.report) = (claim, overrides, report)
    }
  }

  @Test(arguments: refused)
  func isRefused(row: Row) {
    #expect(CompilerSupport.report(Self.pooled, row.overrides) == row.report)
  }

  static let refused = [
    Row(
      "a parameter that is not there",
      "--set 1:1: error: the trace has no parameter 'pauze'; did you mean 'pause'?"
    ) {
      $0.parameters = [.init(name: "pauze", value: "1")]
    },
    Row("a value of another type", "--set 1:7: error: a duration needs a unit; did you mean '5ms'?")
    {
      $0.parameters = [.init(name: "pause", value: "5")]
    },
    Row("a value that is not listed", "--set 1:6: error: 'kind' is one of \"warm\", \"cold\"") {
      $0.parameters = [.init(name: "kind", value: "hot")]
    },
    Row(
      "an executor in place of a lock",
      "--replace 1:6: error: expected NSLock, found ThreadPool; a lock is replaced by one of its class, by "
        + "NSLock, NSRecursiveLock, OSAllocatedUnfairLock, or by a protocol: none, inheritance, immediateCeiling"
    ) {
      $0.replacements = [.init(name: "lock", value: "ThreadPool(width: 1)")]
    },
    Row(
      "another class of lock, with other members",
      "--replace 1:6: error: expected NSLock, found NSCondition; a lock is replaced by one of its class, by "
        + "NSLock, NSRecursiveLock, OSAllocatedUnfairLock, or by a protocol: none, inheritance, immediateCeiling"
    ) {
      $0.replacements = [.init(name: "lock", value: "NSCondition()")]
    },
    Row("another class of lock that does for it", "ok") {
      $0.replacements = [.init(name: "lock", value: "NSRecursiveLock()")]
    },
    Row("another class of lock by its name alone", "ok") {
      $0.replacements = [.init(name: "lock", value: "OSAllocatedUnfairLock")]
    },
    Row(
      "a protocol that is unknown",
      "--replace 1:6: error: unknown resource protocol 'inherit'; there are .none, .inheritance, "
        + ".immediateCeiling"
    ) {
      $0.replacements = [.init(name: "lock", value: "inherit")]
    },
    Row(
      "an executor that is not there",
      "--replace 1:1: error: the trace has no 'let pol' whose value is an executor or a lock; did you mean 'pool'?"
    ) {
      $0.replacements = [.init(name: "pol", value: "ThreadPool(width: 1)")]
    },
    Row(
      "a replacement that is not an executor",
      "--replace 1:6: error: expected an executor, found NSLock"
    ) {
      $0.replacements = [.init(name: "pool", value: "NSLock()")]
    },
    Row(
      "a replacement that is unknown",
      "--replace 1:6: error: unknown name 'ThreadPol'; did you mean 'ThreadPool'?"
    ) {
      $0.replacements = [.init(name: "pool", value: "ThreadPol(width: 1)")]
    },
    Row("an unknown policy", "--policy 1:1: error: unknown policy 'fofo'; did you mean '.fifo'?") {
      $0.policy = "fofo"
    },
    Row("an empty quantum", "--policy 1:21: error: 'quantum' must be at least 1ns") {
      $0.policy = "roundRobin(quantum: 0s)"
    },
    Row("no cores", "--cores 1:1: error: 'cores' must be more than zero") { $0.cores = "0" },
    Row(
      "an unknown platform",
      "--platform 1:1: error: unknown platform 'windows'; there are .iOS, .macOS, .linux, .ideal"
    ) {
      $0.platform = "windows"
    },
    Row(
      "a horizon without a unit", "--until 1:1: error: a duration needs a unit; did you mean '5ms'?"
    ) {
      $0.until = "5"
    },
  ]

  @Test func theSameTextGivesTheSameProgram() throws {
    let first = try CompilerSupport.program(Self.pooled)
    let second = try CompilerSupport.program(Self.pooled)
    #expect(first.instructions == second.instructions)
    #expect(first.names == second.names)
  }

  @Test func aProgramIsMissingExactlyWhenThereIsAnError() {
    #expect(CompilerSupport.compile("main { work(5) }").program == nil)
    let warned = CompilerSupport.compile("main { let a = 1 }")
    #expect(warned.program != nil)
    #expect(warned.diagnostics.map(\.severity) == [.warning])
  }

  @Test func whatIsCutOffIsNotJudged() {
    let deep = String(repeating: "p.async { ", count: 300) + String(repeating: "}", count: 300)
    let report = CompilerSupport.report("let p = ThreadPool(width: 1)\nmain { work(\n\(deep)\n}")
    #expect(report.hasSuffix("error: this is nested more than 256 levels deep"))
    #expect(!report.contains("async"))
  }

  @Test func aLineWhoseFormIsWrongIsToldOnce() {
    let report = CompilerSupport.report("main {\n  work(5 wrok(1ms)\n  work(5)\n}")
    #expect(report.split(separator: "\n").map { $0.prefix(2) } == ["2:"])
  }

  @Test func manyUnknownNamesAreToldInLinearTime() {
    let body = (0..<2_000).map { "let a\($0) = 1; record(\"\($0)\", b\($0) + a\($0))" }
    let report = CompilerSupport.compile("main {\n\(body.joined(separator: "\n"))\n}")
    #expect(report.diagnostics.filter { $0.severity == .error }.count == 2_000)
  }

  /// Whatever is cut out of a trace, the compiler neither crashes nor is silent about a missing main.
  @Test func mutilatedTracesAreRefusedOrRun() {
    let bytes = Array(Self.pooled.utf8)
    for start in stride(from: 0, to: bytes.count, by: 7) {
      for length in [1, 5, 40] {
        let end = min(bytes.count, start + length)
        let rest = Array(bytes[..<start] + bytes[end...])
        let compiler = Compiler(catalogue: CompilerSupport.catalogue)
        let (program, diagnostics) = compiler.compile(SourceText(name: "t", utf8: rest))
        #expect((program == nil) == diagnostics.contains { $0.severity == .error })
      }
    }
  }

  @Test func aTextThatIsBrokenOffIsToldOfAlone() {
    #expect(
      CompilerSupport.report(
        "main {\n    NotificationCenter.default.post(name: .init(\"x\"), object: nil)\n")
        == "1:6: error: this '{' is not closed before the end of the text")
  }

  @Test(
    "a program may have what the library has, under the same name",
    arguments: [
      "main { NotificationCenter.default.post(name: .init(\"x\"), object: nil) }",
      "var token: NSObjectProtocol?\nmain { print(token == nil) }",
      "struct Notification { }\nmain { let n = Notification(); print(n) }",
      "typealias Notification = Int\nmain { let n: Notification = 3; print(n) }",
    ])
  func ownNames(text: String) {
    #expect(CompilerSupport.report(text) == "ok")
  }

  /// Blocks that are made and thrown away outside of every body, where a value must be known: what is
  /// noted of their closures must be where it is looked for.
  @Test(
    "closures in values of the top",
    arguments: [
      ("machine { cores: f(g: { h(g: { work(1ms) }) }) }", "must be known before the run"),
      ("trace \"x\" { seed: f(g: { h(g: { work(1ms) }) }) }", "must be known before the run"),
      ("at(q, h { h { work(1ms) } })", "'at' needs a closure"),
      ("arrivals(q, { h(g: { h(g: { work(1ms) }) }) })", "needs its label 'every:'"),
      ("expect { makespan == f(g: { h(g: { work(1ms) }) }) }", "nothing that a run can be asked"),
      ("expect { makespan < (true ? 5ms : d(g: { h(g: { work(1ms) }) })) }", "ok"),
      ("expect { await withTaskGroup { t in work(1ms) } }", "must be known before the run"),
      (
        "expect { makespan == (try? withTaskGroup { t in throw E.a }) }",
        "must be known before the run"
      ),
    ])
  func closuresInValuesOfTheTop(last: String, message: String) {
    let report = CompilerSupport.report(
      """
      let q = DispatchQueue(label: "q")
      func h(g: @escaping () -> Void) { q.async { g() } }
      func f(g: () -> Void) -> Int { return 1 }
      func d(g: () -> Void) -> Duration { return 1ms }
      main { h { _ = f { _ = d { } } } }
      \(last)
      """)
    #expect(report.contains(message), "\(report)")
  }
}
