import SpindleLanguage
import SpindleModel
import Testing

/// What is refused in calls of the vocabulary's rows, and how it is told.
@Suite struct RowCheckTests {
  typealias Row = CheckingTests.Row

  @Test(arguments: closures + values)
  func isTold(row: Row) {
    let report = RowSupport.compile(row.text).diagnostics.map { diagnostic in
      let position = diagnostic.source.position(of: diagnostic.range)
      return "\(position): \(diagnostic.severity.rawValue): \(diagnostic.message)"
    }.joined(separator: "\n")
    #expect(report == row.report, sourceLocation: row.location)
  }

  static let closures = [
    Row(
      "more parameters than there are", "main { _ = Clock { a, b, c in mark(\"x\") } }",
      """
      1:26: error: this closure takes at most 2 parameters
      """),
    Row(
      "a parameter where there is none", "main { let b = Belt(); b.send { i in mark(\"x\") } }",
      """
      1:33: error: this closure takes no parameters
      """),
    Row(
      "an element's closure has its index besides",
      "let a = [Clock](count: 2) { i, c, n, x in mark(\"x\") }\nmain { record(\"n\", a.count) }",
      """
      1:38: error: this closure takes at most 3 parameters
      """),
    Row(
      "a function that takes something else",
      "func g(_ n: Int) { }\nlet b = Belt()\nmain { _ = Clock(block: g); b.send(execute: g); b.inside(execute: g) }",
      """
      3:25: error: expected ((Clock, Int) -> Void)?, found (Int) -> Void
      3:45: error: expected () -> Void, found (Int) -> Void
      3:67: error: expected () throws -> _, found (Int) -> Void
      """),
    Row(
      "what is no closure",
      "let b = Belt()\nmain { _ = Clock(block: 3); b.inside(execute: 3); b.completion = 3; b.send(execute: nil) }",
      """
      2:25: error: expected ((Clock, Int) -> Void)?, found Int
      2:47: error: expected () throws -> _, found Int
      2:66: error: expected (() -> Void)?, found Int
      2:85: error: expected () -> Void, found nil
      """),
    Row(
      "no closure where one is needed",
      "let b = Belt()\nmain { b.send(); b.inside(flags: .barrier) }",
      """
      2:10: error: 'send' needs a closure
      2:20: error: 'inside' needs a closure
      """),
    Row(
      "a closure behind the label of none", "main { _ = Clock { } tearDown: { } }",
      """
      1:22: error: unknown argument 'tearDown' of 'Clock'; did you mean 'teardown'?
      """),
    Row(
      "a property that is a closure is set, and no more",
      "let b = Belt()\nmain { _ = b.completion }",
      """
      2:12: error: 'completion' can only be set
      """),
    Row(
      "closures are not added", "let b = Belt()\nmain { b.completion += { } }",
      """
      2:21: error: '+=' can't be applied to (() -> Void)? and () -> Void
      """),
    Row(
      "a closure that may be skipped gives no value",
      "let b = Belt()\nmain { first(b) { return 3 } }",
      """
      2:26: error: a value is returned where none is expected
      """),
  ]

  static let values = [
    Row(
      "an unknown option", "main { _ = Belt(flags: .barier); _ = Belt(flags: [.barrier, .nix]) }",
      """
      1:24: error: unknown member 'barier' of DispatchWorkItemFlags; did you mean 'barrier'?
      1:61: error: unknown member 'nix' of DispatchWorkItemFlags; there are .barrier, .detached, .assignCurrentContext, .noQoS, .inheritQoS, .enforceQoS
      """),
    Row(
      "options are no number",
      "func f(_ x: DispatchWorkItemFlags) { _ = Belt(flags: x) }\nmain { f(3); f(.barrier) }",
      """
      2:10: error: expected DispatchWorkItemFlags, found Int
      """),
    Row(
      "an unknown member of the type that is wanted",
      "main { _ = Belt(next: .mian); _ = Belt(next: .globle()); _ = Belt(next: .global) }",
      """
      1:23: error: unknown member 'mian' of Belt; did you mean 'main'?
      1:46: error: unknown member 'globle' of Belt; did you mean 'global'?
      1:73: error: 'global' is a function; call it with '()'
      """),
    Row(
      "a member of another type", "main { _ = Belt(next: .level) }",
      """
      1:23: error: expected Belt, found Int
      """),
    Row(
      "what is no mode",
      "let b = Belt()\nmain { b.turn(inModes: [.defualt]); b.turn(inModes: [RunLoop.Mode(3), RunLoop.Mode(), 4]) }",
      """
      2:25: error: unknown member 'defualt' of RunLoop.Mode; did you mean 'default'?
      2:67: error: expected String, found Int
      2:71: error: 'RunLoop.Mode' needs a value: String
      2:87: error: expected RunLoop.Mode, found Int
      """),
    Row(
      "a closed list makes no names of one's own",
      "main { let b = QualityOfService(\"x\"); mark(\"\\(b)\"); let c = QualityOfService.utility(); mark(\"\\(c)\") }",
      """
      1:16: error: 'QualityOfService' has no initialiser
      1:61: error: 'utility' can't be called
      """),
    Row(
      "a list's members are known",
      "main { let b = QualityOfService.utilty; mark(\"\\(b)\") }",
      """
      1:33: error: unknown member 'utilty' of QualityOfService; did you mean 'utility'?
      """),
    Row(
      "an object of none of the classes that will do",
      "let l = NSLock()\nlet b = Belt()\nmain { b.add(l, forMode: .common); b.add(b, forMode: .common) }",
      """
      3:14: error: expected Timer, Source or Port, found NSLock
      3:42: error: expected Timer, Source or Port, found Belt
      """),
    Row(
      "what can't be set",
      "main { Thread.isMainThread = true; isCancelled = true; isDone = 3; now = 1s }",
      """
      1:15: error: 'isMainThread' can only be read
      1:36: error: 'isCancelled' can only be read
      1:65: error: expected Bool, found Int
      1:68: error: 'now' can only be read
      """),
    Row(
      "the world outside has no thread", "main { }\nat(1s) { station.rest(for: 1s) }",
      """
      2:18: error: 'rest' needs a thread, and the world outside has none; hand it to one: DispatchQueue.main.async { … }
      """),
    Row(
      "a name without objects",
      "main { _ = station(); station.rst(for: 1s); _ = [station](count: 2) }",
      """
      1:12: error: 'station' has no initialiser
      1:31: error: unknown member 'rst' of station; did you mean 'rest'?
      1:49: error: [station.Type] is not a function
      """),
    Row(
      "weak names of objects",
      "weak var x = 1\nmain { weak var y: Belt? = nil; weak var z: Belt = 3; y?.send { }; z.send { } }",
      """
      1:14: error: 'weak' goes with an object, not with Int
      2:52: error: expected Belt, found Int
      2:70: error: 'send' is a member of Belt, and this is an optional: unwrap it with '?' or '!'
      """),
    Row(
      "an object is released as it is", "main { let b = Belt(); b.release(3); b.relase() }",
      """
      1:34: error: 'release' takes no argument here
      1:40: error: unknown member 'relase' of Belt; did you mean 'release'?
      """),
  ]
}
