/// Random traces that are legal, end, and do the same work under every policy.
struct RandomTraces {
  private var state: UInt64

  /// Creates the generator for a seed.
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  private mutating func draw(_ below: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % below
  }

  /// A trace of some threads that work, wait, lock in order, signal and use pools.
  mutating func trace(machine: String) -> String {
    let (locks, threads) = (1 + draw(4), 1 + draw(6))
    var text = "trace \"random\" { seed: \(draw(1_000)) }\n\(machine)\n"
    for lock in 0..<locks { text += "let lock\(lock) = NSLock()\n" }
    text += """
      let recursive = NSRecursiveLock()
      let gate = DispatchSemaphore(value: \(1 + draw(3)))
      let group = DispatchGroup()
      let pool = ThreadPool(width: \(1 + draw(3)))
      let loose = ThreadPerTask(stackSize: 64KB)

      """
    for thread in 0..<threads {
      text += "let t\(thread) = Thread(name: \"t\(thread)\", threadPriority: 0.\(1 + draw(8))) {\n"
      text += body(locks: locks, depth: 0)
      text += "}\n"
    }
    text += "main {\n"
    for thread in 0..<threads { text += "    t\(thread).start()\n" }
    text += body(locks: locks, depth: 0, isMain: true)
    for thread in 0..<threads { text += "    t\(thread).join()\n" }
    return text + "    group.wait()\n    mark(\"main done\")\n}\n"
  }

  /// Some statements.
  ///
  /// Locks are taken in the order of their numbers, so no circle can close.
  private mutating func body(locks: Int, depth: Int, isMain: Bool = false) -> String {
    let indent = String(repeating: "    ", count: depth + 1)
    var text = ""
    for _ in 0..<(1 + draw(4)) {
      switch draw(depth > 1 ? 5 : 11) {
      case 0: text += "\(indent)work(\(1 + draw(5_000))us)\n"
      case 1: text += "\(indent)work(exponential(\(1 + draw(3))ms))\n"
      case 2: text += "\(indent)io(uniform(0ms, \(1 + draw(20))ms))\n"
      case 3: text += "\(indent)sleep(\(draw(3_000))us)\n"
      case 4: text += "\(indent)yield()\n"
      case 5:
        let lock = draw(locks)
        text += "\(indent)lock\(lock).withLock {\n"
        text += "\(indent)    work(\(1 + draw(900))us)\n"
        if lock + 1 < locks && draw(2) == 0 {
          text += "\(indent)    lock\(lock + 1).withLock { work(50us) }\n"
        }
        text += "\(indent)}\n"
      case 6:
        text += "\(indent)gate.wait()\n\(indent)work(\(1 + draw(700))us)\n\(indent)gate.signal()\n"
      case 7:
        let executor = draw(2) == 0 ? "pool" : "loose"
        text += "\(indent)\(executor).async(name: \"item\(draw(3))\", group: group) {\n"
        text += body(locks: 1, depth: depth + 2)
        text += "\(indent)}\n"
      case 8, 9: text += turns(of: indent, isMain: isMain)
      default:
        text += "\(indent)for i in 0 ..< \(1 + draw(3)) {\n"
        text += body(locks: locks, depth: depth + 1, isMain: isMain)
        text += "\(indent)}\n"
      }
    }
    return text
  }

  /// Turns of the thread's run loop, for things that are all done in the end.
  ///
  /// The main loop never runs out of sources, so that only its own run at the end does the rest. A
  /// block alone would leave a loop asleep, so there is always something that wakes it.
  private mutating func turns(of indent: String, isMain: Bool) -> String {
    var text = "\(indent)perform(afterDelay: \(draw(2_000))us) { work(10us) }\n"
    for _ in 0..<(1 + draw(3)) {
      let time = "\(draw(3_000))us"
      switch draw(4) {
      case 0:
        text += "\(indent)Timer.scheduledTimer(withTimeInterval: \(time), repeats: false) { "
        text += "work(\(1 + draw(800))us) }\n"
      case 1: text += "\(indent)perform(afterDelay: \(time)) { work(\(1 + draw(300))us) }\n"
      case 2: text += "\(indent)RunLoop.current.perform { work(\(1 + draw(200))us) }\n"
      default: text += "\(indent)io(\(time), runLoop: RunLoop.current) { work(20us) }\n"
      }
    }
    return text
      + (isMain
        ? "\(indent)RunLoop.current.run(until: .now() + \(draw(3_000))us)\n"
        : "\(indent)CFRunLoopRun()\n")
  }
}
