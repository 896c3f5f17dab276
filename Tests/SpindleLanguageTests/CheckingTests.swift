import SpindleLanguage
import SpindleModel
import Testing

/// What is refused, and how it is told: a text, and all of its diagnostics.
@Suite struct CheckingTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let report: String
    let location: SourceLocation

    init(
      _ claim: String, _ text: String, _ report: String,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.text, self.report, self.location) = (claim, text, report, location)
    }
  }

  @Test(arguments: names + types + calls)
  func isTold(row: Row) {
    #expect(CompilerSupport.report(row.text) == row.report, sourceLocation: row.location)
  }

  @Test(arguments: flow + places + warnings)
  func isToldOnce(row: Row) {
    #expect(CompilerSupport.report(row.text) == row.report, sourceLocation: row.location)
  }

  static let names = [
    Row("the least trace", "main { }", "ok"),
    Row(
      "an empty text",
      "",
      """
      1:1: error: a trace needs a 'main { }'
      """),
    Row(
      "an unknown name has the nearest",
      "main { wrok(1ms) }",
      """
      1:8: error: unknown name 'wrok'; did you mean 'work'?
      """),
    Row(
      "a name of a later part is unknown",
      "main { let e = TaskExecutor(); e.async { } }",
      """
      1:16: error: unknown name 'TaskExecutor'; did you mean 'Executor'?
      """),
    Row(
      "an unknown member",
      "let l = NSLock()\nmain { l.unlok(); l.lock() }",
      """
      2:10: error: unknown member 'unlok' of NSLock; did you mean 'unlock'?
      """),
    Row(
      "what is unknown is told once",
      "let x = nothing\nmain { print(\"\\(x)\"); work(x); x.f() }",
      """
      1:9: error: unknown name 'nothing'
      """),
    Row(
      "each use of an unknown name",
      "main { a(1); b.c() }",
      """
      1:8: error: unknown name 'a'
      1:14: error: unknown name 'b'
      """),
    Row(
      "arguments of an unknown call are checked",
      "main { nix(1ms + 1KB) { work(1ms) } }",
      """
      1:8: error: unknown name 'nix'
      1:16: error: '+' can't be applied to Duration and Size
      """),
    Row(
      "a name is declared once",
      "let a = 1\nlet a = 2\nmain { record(\"a\", a) }",
      """
      2:5: error: 'a' is already declared in line 1
      """),
    Row(
      "a local name is declared once",
      "main { let a = 1; let a = 2; record(\"a\", a) }",
      """
      1:23: error: 'a' is already declared in line 1
      """),
    Row(
      "an inner name hides an outer one",
      "let a = 1\nfunc f() -> Int { a }\n"
        + "main { let a = 2; if now > 0s { let a = 3; record(\"a\", a) }; record(\"b\", a + f()) }",
      "ok"),
    Row(
      "main is there once",
      "main { }\nmain { }",
      """
      2:1: error: 'main' is given twice, first in line 1 already
      """),
    Row(
      "a value at the top is used after its line",
      "let a = b\nlet b = 1\nmain { record(\"a\", a) }",
      """
      1:9: error: 'b' is used before its own line
      """),
    Row(
      "a closure at the top may use later values",
      "let t = Thread { l.lock(); l.unlock() }\nlet l = NSLock()\nmain { t.start() }", "ok"),
    Row(
      "a function may use what comes later",
      "func f() { work(d) }\nmain { f() }\nlet d = exponential(1ms)", "ok"),
    Row(
      "functions may call each other",
      "func f(_ n: Int) { if n > 0 { g(n) } }\nfunc g(_ n: Int) { f(n - 1) }\nmain { f(3) }", "ok"),
    Row(
      "a local name is unknown before its line",
      "main { print(\"\\(a)\"); let a = 1; record(\"a\", a) }",
      """
      1:17: error: unknown name 'a'
      """),
    Row(
      "a defer does not see what comes later",
      "main { defer { record(\"a\", a) }; let a = 1; record(\"b\", a) }",
      """
      1:28: error: unknown name 'a'
      """),
    Row(
      "an unknown type",
      "func f(_ a: Itn, _ b: [Widget]) { }\nmain { f(1, 2) }",
      """
      1:13: error: unknown type 'Itn'; did you mean 'Int'?
      1:24: error: unknown type 'Widget'
      """),
  ]

  static let types = [
    Row(
      "a duration has a unit",
      "main { work(5); sleep(2.5); io(1 + 1) }",
      """
      1:13: error: a duration needs a unit; did you mean '5ms'?
      1:23: error: a duration needs a unit; did you mean '2.5s'?
      1:32: error: a duration needs a unit; did you mean '1ms * (1 + 1)'?
      """),
    Row(
      "a size has a unit",
      "main { allocate(4096) }",
      """
      1:17: error: a size needs a unit; did you mean '4096B'?
      """),
    Row(
      "a bare number beside a duration",
      "main { work(1ms + 1); if now > 3 { yield() } }",
      """
      1:19: error: a duration needs a unit; did you mean '1ms'?
      1:32: error: a duration needs a unit; did you mean '3ms'?
      """),
    Row(
      "whole numbers become decimals",
      "func f(_ x: Decimal) { work(1ms * x) }\nmain { f(2); f(1 + 1); f(0.5 - 1) }", "ok"),
    Row(
      "a moment may be a length since the start",
      "main { sleep(until: 3s); let s = DispatchSemaphore(value: 1); _ = s.wait(timeout: .now() + 1s) }",
      "ok"),
    Row(
      "a timeout of a bare length that has passed is a warning",
      "let g = DispatchGroup()\nmain { sleep(1s); _ = g.wait(timeout: 1s) }",
      """
      2:39: warning: a timeout is a moment: 1s after the run began, which has passed, since this runs from 1s on; did you mean '.now() + 1s', or 'Instant(1s)'?
      """),
    Row(
      "conditions are truths",
      "main { if 1 { yield() }; while \"x\" { }; guard 1ms else { return } }",
      """
      1:11: error: expected Bool, found Int
      1:32: error: expected Bool, found String
      1:47: error: expected Bool, found Duration
      """),
    Row(
      "operators need a rule",
      "main { record(\"a\", 1ms + 1KB); record(\"b\", \"a\" - \"b\"); record(\"c\", 1ms * 1ms) }",
      """
      1:24: error: '+' can't be applied to Duration and Size
      1:48: error: '-' can't be applied to String and String
      1:72: error: '*' can't be applied to Duration and Duration
      """),
    Row(
      "texts are joined and compared",
      "main { let a = \"x\" + \"\\(now)\"; if a == \"y\" { yield() } }", "ok"),
    Row(
      "truths have no order",
      "main { let a = now > 1s; if a < a { yield() } }",
      """
      1:31: error: '<' can't be applied to Bool and Bool
      """),
    Row(
      "objects are compared by identity",
      "let a = NSLock()\nmain { if Thread.current === Thread.current { a.lock(); a.unlock() }; if a === 1 { yield() } }",
      """
      2:76: error: '===' is for objects, and Int is a value
      """),
    Row(
      "a variable keeps its type",
      "var n = 0\nmain { n = \"x\"; n += 1ms; var d = 1ms; d = 2; d *= 2 }",
      """
      2:12: error: expected Int, found String
      2:19: error: '+=' can't be applied to Int and Duration
      2:44: error: a duration needs a unit; did you mean '2ms'?
      """),
    Row(
      "what is a let stays",
      "let a = 1\nparam p = 2\nfunc f(_ x: Int) { x = 1 }\nmain { a = 2; p = 3; f(1); for i in 0 ..< 2 { i += 1 } }",
      """
      3:20: error: 'x' can't be changed: it is not a 'var'
      4:8: error: 'a' can't be changed: it is not a 'var'
      4:15: error: 'p' can't be changed: it is not a 'var'
      4:47: error: 'i' can't be changed: it is not a 'var'
      """),
    Row(
      "nil needs a type",
      "main { let a = nil; let t: Thread? = nil; if t == nil { yield() } }",
      """
      1:16: error: the type of this 'nil' is unknown; write it, as in 'let x: Int? = nil'
      """),
    Row(
      "an empty array needs a type",
      "main { let a = []; var b: [Int] = []; b.append(1); let c = [Int](); record(\"n\", b.count + c.count) }",
      """
      1:16: error: the type of this empty array is unknown; write it, as in [Int]()
      """),
    Row(
      "the elements of an array are alike",
      "main { let a = [1, 2ms]; record(\"a\", a.count) }",
      """
      1:20: error: expected Int, found Duration
      """),
    Row(
      "a let's array does not change",
      "main { let a = [1]; a.append(2); a[0] = 3 }",
      """
      1:21: error: 'a' can't be changed: it is not a 'var'
      1:34: error: 'a' can't be changed: it is not a 'var'
      """),
    Row(
      "a name after a point needs a type",
      "main { let a = .success; work(.quick) }",
      """
      1:16: error: it is not known what '.success' belongs to here; write its type in front: 'DispatchTimeoutResult.success' or 'Result.success'
      1:31: error: unknown member 'quick' of Duration
      """),
    Row(
      "a closure has one type",
      "main { var f = { work(1ms) }; f = { (n: Int) in work(1ms) }; f() }",
      """
      1:38: error: this closure takes no parameters
      """),
    Row(
      "choices are of one type",
      "main { work(now > 1s ? 1ms : \"x\") }",
      """
      1:30: error: expected Duration, found String
      """),
    Row(
      "dictionary values keep their first type",
      "main { Thread.current.threadDictionary[\"a\"] = 1; Thread.current.threadDictionary[\"a\"] = \"x\"; Thread.current.threadDictionary[\"a\"] = nil }",
      """
      1:89: error: expected Int?, found String
      """),
    Row(
      "a dictionary may be read first",
      "main { if Thread.current.threadDictionary[\"a\"] == nil { Thread.current.threadDictionary[\"a\"] = \"x\" }; print(\"\\(Thread.current.threadDictionary[\"a\"])\") }",
      "ok"),
    Row(
      "for goes through sequences",
      "main { for i in 5 { record(\"i\", i) } }",
      """
      1:17: error: Int is not a sequence
      """),
  ]
}
