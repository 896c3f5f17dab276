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
      "modes are compared by name, whatever they come from",
      "let b = Belt()\nlet m: RunLoop.Mode = \"common\"\nmain { if m == RunLoop.Mode.common { mark(\"x\") }; if b.turn() == \"y\" { mark(\"z\") } }",
      """
      0 r0 = load m
      1 r1 = "common"
      2 r0 = equal r0 r1
      3 jumpUnless r0 7
      4 r0 = "x"
      5 doing.mark r0
      6 jump 7
      7 r0 = load b
      8 r1 = none
      9 group.wait r0
      10 r1 = "y"
      11 r0 = equal r0 r1
      12 jumpUnless r0 16
      13 r0 = "z"
      14 doing.mark r0
      15 jump 16
      16 finish
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
      "one that belongs to nothing is set with its value alone",
      "main { level = 3; level += 1; Belt.level = 4 }",
      """
      0 r0 = 3
      1 r1 = r0
      2 semaphore.wait r1
      3 r0 = 1
      4 semaphore.signal r1
      5 r2 = r1
      6 r3 = add r2 r0
      7 r2 = r3
      8 r3 = r2
      9 semaphore.wait r3
      10 r0 = 4
      11 r1 = r0
      12 semaphore.wait r1
      13 finish
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
      1 r1 = r0
      2 thread.name r1
      3 r0 = r1
      4 call f r0 @1
      5 r0 = array r0+0
      6 r1 = load b
      7 append r0 r1
      8 thread.current r1
      9 append r0 r1
      10 call f r0 @2
      11 finish
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
      1 r4 = r0
      2 r1 = \(HandleClass.semaphore.rawValue)
      3 r2 = r0
      4 r3 = r1
      5 object.isAlive r2
      6 jumpIf r2 8
      7 r4 = none
      8 r1 = none
      9 r2 = equal r4 r1
      10 jumpUnless r2 13
      11 doing.yield r1
      12 jump 13
      13 r1 = load l
      14 r0 = r1
      15 finish
      """),
    Row(
      "a weak name at the top is shared: its reads and writes are events",
      "let l = DispatchSemaphore(value: 0)\nweak var w = l\nmain { w = nil; w!.signal() }",
      """
      0 r0 = none
      1 write w r0
      2 r0 = read w
      3 r4 = r0
      4 r1 = \(HandleClass.semaphore.rawValue)
      5 r2 = r0
      6 r3 = r1
      7 object.isAlive r2
      8 jumpIf r2 10
      9 r4 = none
      10 r1 = none
      11 r1 = equal r1 r4
      12 jumpUnless r1 15
      13 r1 = "Fatal error: Unexpectedly found nil while unwrapping an Optional value"
      14 doing.trap r1
      15 r0 = r4
      16 semaphore.signal r0
      17 finish
      """),
  ]
}
