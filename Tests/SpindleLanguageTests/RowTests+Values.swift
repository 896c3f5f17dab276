import SpindleModel
import Testing

/// Values in calls of the vocabulary's rows, and what follows from them.
extension RowTests {
  static let options = [
    Row(
      "an option is a bit, the place of its name in the list",
      "main { _ = Belt(flags: .barrier); _ = Belt(flags: DispatchWorkItemFlags.noQoS) }",
      """
      0 r0 = none
      1 r1 = 1
      2 r2 = none
      3 group.make r0
      4 r0 = none
      5 r1 = 8
      6 r2 = none
      7 group.make r0
      8 finish
      """),
    Row(
      "several are all their bits, and none is 0",
      "main { _ = Belt(flags: [.barrier, .enforceQoS]); _ = Belt(flags: []) }",
      """
      0 r0 = none
      1 r1 = 33
      2 r2 = none
      3 group.make r0
      4 r0 = none
      5 r1 = 0
      6 r2 = none
      7 group.make r0
      8 finish
      """),
    Row(
      "a function's parameter may be options, and all activities are the six",
      "func f(_ x: CFRunLoopActivity) { }\nmain { f([.entry, .exit]); f(.allActivities) }",
      """
      0 r0 = 33
      1 call f r0 @1
      2 r0 = 63
      3 call f r0 @2
      4 finish
      """),
  ]

  static let members = [
    Row(
      "a member without its type is one of the type that is wanted",
      "main { _ = Belt(next: .main); later(on: .global(qos: .default)) { } }",
      """
      0 r0 = none
      1 r1 = 0
      2 thread.current r2
      3 group.make r0
      4 r0 = \(WellKnownName.default.id.index)
      5 executor.threadPoolMake r0
      6 r1 = closure 
      7 executor.async r0
      8 finish
      """),
    Row(
      "a mode is a name: of the list, of one's own, or a text",
      "let b = Belt()\nmain { b.turn(inModes: [.default, RunLoop.Mode(\"x\"), \"y\"]) }",
      """
      0 r0 = load b
      1 r2 = \(WellKnownName.default.id.index)
      2 r3 = "x"
      3 r4 = "y"
      4 r1 = array r2+3
      5 group.wait r0
      6 finish
      """),
    Row(
      "modes are compared by name, whatever they come from",
      "let b = Belt()\nlet m: RunLoop.Mode = \"common\"\nmain { if m == RunLoop.Mode.common { mark(\"x\") }; if b.turn() == \"y\" { mark(\"z\") } }",
      """
      0 r0 = "x"
      1 doing.mark r0
      2 r0 = load b
      3 r1 = none
      4 group.wait r0
      5 r1 = "y"
      6 r2 = equal r0 r1
      7 jumpUnless r2 10
      8 r0 = "z"
      9 doing.mark r0
      10 finish
      """),
    Row(
      "the class of an object follows it where several classes will do",
      "let b = Belt()\nlet c = Clock()\nmain { b.add(c, forMode: .default) }",
      """
      0 r0 = load b
      1 r1 = load c
      2 r2 = \(HandleClass.timer.rawValue)
      3 r3 = \(WellKnownName.default.id.index)
      4 group.wait r0
      5 finish
      """),
    Row(
      "a bare name that belongs to an object asks for it first",
      "main { isDone = true; if isDone { resign() } }",
      """
      0 thread.current r0
      1 r1 = 1
      2 thread.start r0
      3 thread.current r0
      4 thread.isFinished r0
      5 jumpUnless r0 8
      6 thread.current r0
      7 thread.cancel r0
      8 finish
      """),
    Row(
      "one that belongs to nothing is set with its value alone",
      "main { level = 3; level += 1; Belt.level = 4 }",
      """
      0 r0 = 3
      1 semaphore.wait r0
      2 semaphore.signal r1
      3 r2 = 1
      4 r0 = add r1 r2
      5 semaphore.wait r0
      6 r0 = 4
      7 semaphore.wait r0
      8 finish
      """),
    Row(
      "a name without objects has functions", "main { station.rest(for: 5s) }",
      """
      0 r0 = 5000000000
      1 doing.sleep r0
      2 finish
      """),
    Row(
      "objects come in arrays, and a property that may be none takes nil",
      "let b = Belt()\nfunc f(_ all: [Belt]) { for x in all { x.next = nil } }\nmain { f(b.all); f([b, .main]) }",
      """
      0 r0 = load b
      1 thread.name r0
      2 call f r0 @1
      3 r1 = load b
      4 thread.current r2
      5 r0 = array r1+2
      6 call f r0 @2
      7 finish
      """),
  ]

  static let kept = [
    Row(
      "what is kept under a key has the type of the first value, wherever that stands",
      "let b = Belt()\nfunc f() { let d = keep(key: \"k\"); if d != nil { work(d) } }\nmain { f(); b.keep(key: \"k\", value: 5ms); b.keep(key: \"k\", value: nil) }",
      block: "f",
      """
      0 r0 = "k"
      1 thread.dictionaryGet r0
      2 r1 = none
      3 r2 = notEqual r0 r1
      4 jumpUnless r2 12
      5 r2 = none
      6 r2 = notEqual r0 r2
      7 jumpIf r2 10
      8 r3 = "Unexpectedly found nil while unwrapping an Optional value"
      9 doing.fatalError r3
      10 r1 = r0
      11 doing.work r1
      12 finish
      """),
    Row(
      "a value is kept behind object and key",
      "let b = Belt()\nmain { b.keep(key: \"k\", value: 5ms); b.keep(key: \"k\", value: nil) }",
      """
      0 r0 = load b
      1 r1 = "k"
      2 r2 = 5000000
      3 thread.dictionarySet r0
      4 r0 = load b
      5 r1 = "k"
      6 r2 = none
      7 thread.dictionarySet r0
      8 finish
      """),
  ]

  static let lifetime = [
    Row(
      "an object is released with its class",
      "let l = NSLock()\nlet r = ReadWriteLock()\nmain { l.release(); r.release() }",
      """
      0 r0 = load l
      1 r1 = \(HandleClass.mutex.rawValue)
      2 object.release r0
      3 r0 = load r
      4 r1 = \(HandleClass.readWrite.rawValue)
      5 object.release r0
      6 finish
      """),
    Row(
      "reading a weak name asks whether its object is still there, each time",
      "let l = DispatchSemaphore(value: 0)\nmain { weak var w = l; if w == nil { yield() }; w = l }",
      """
      0 r0 = load l
      1 r1 = r0
      2 r2 = r1
      3 r3 = \(HandleClass.semaphore.rawValue)
      4 object.isAlive r2
      5 jumpIf r2 7
      6 r1 = none
      7 r2 = none
      8 r3 = equal r1 r2
      9 jumpUnless r3 11
      10 doing.yield r1
      11 r1 = load l
      12 r0 = r1
      13 finish
      """),
    Row(
      "a weak name at the top is shared: its reads and writes are events",
      "let l = DispatchSemaphore(value: 0)\nweak var w = l\nmain { w = nil; w.signal() }",
      """
      0 r0 = none
      1 write w r0
      2 r0 = read w
      3 r1 = r0
      4 r2 = \(HandleClass.semaphore.rawValue)
      5 object.isAlive r1
      6 jumpIf r1 8
      7 r0 = none
      8 r1 = none
      9 r1 = notEqual r0 r1
      10 jumpIf r1 13
      11 r2 = "Unexpectedly found nil while unwrapping an Optional value"
      12 doing.fatalError r2
      13 semaphore.signal r0
      14 finish
      """),
  ]
}
