/// Random traces of dispatch queues that are legal, end, and check for themselves that items which
/// exclude each other do.
struct RandomQueueTraces {
  private var state: UInt64
  private var names = 0

  /// Creates the generator for a seed.
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  private mutating func draw(_ below: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % below
  }

  /// How many queues a trace has: serial ones, and the last one concurrent.
  static let queues = 4

  /// A trace in which main hands over items that hand over others, and waits for all of them.
  mutating func trace(machine: String) -> String {
    let qualities = [".background", ".utility", ".default", ".userInitiated"]
    var text = "trace \"random queues\" { seed: \(draw(1_000)) }\n\(machine)\n"
    for queue in 0..<(Self.queues - 1) {
      let target = queue == 1 && draw(2) == 0 ? ", target: q0" : ""
      let quality = draw(2) == 0 ? "" : ", qos: \(qualities[draw(4)])"
      text += "let q\(queue) = DispatchQueue(label: \"q\(queue)\"\(quality)\(target))\n"
      text += "var busy\(queue) = 0\n"
    }
    let last = Self.queues - 1
    text += "let q\(last) = DispatchQueue(label: \"q\(last)\", attributes: .concurrent)\n"
    text += "var readers = 0\nvar writers = 0\nvar ran = 0\nlet all = DispatchGroup()\n"
    // What several items change at once is guarded: an update that is not may be lost.
    text += "let counts = NSLock()\n"
    text += "main {\n"
    for _ in 0..<(3 + draw(5)) { text += submission(from: -1, depth: 0) }
    if draw(2) == 0 {
      text +=
        "    q0.suspend()\n    q0.async(group: all) { counts.withLock { ran += 1 } }\n"
        + "    sleep(2ms)\n    q0.resume()\n"
      names += 1
    }
    text += "    all.wait()\n"
    text += "    DispatchQueue.concurrentPerform(iterations: 5) { i in work(100us) }\n"
    return text + "    record(\"ran\", ran)\n    mark(\"main done\")\n}\n"
  }

  /// How many items the last trace hands over.
  var itemCount: Int { names }

  /// One item on some queue; a `sync` goes to a queue of a higher number only, so no circle closes.
  private mutating func submission(from queue: Int, depth: Int) -> String {
    let indent = String(repeating: "    ", count: depth + 1)
    let target = draw(Self.queues)
    names += 1
    let isBarrier = target == Self.queues - 1 && draw(3) == 0
    let isSync = target > queue && queue != 0 && depth > 0 && draw(2) == 0
    let flags = isBarrier ? "flags: .barrier" : ""
    var text: String
    if isSync {
      text = "\(indent)q\(target).sync\(isBarrier ? "(\(flags))" : "") {\n"
    } else if draw(5) == 0 {
      text = "\(indent)all.enter()\n"
      text += "\(indent)q\(target).asyncAfter(deadline: .now() + \(draw(3_000))us) {\n"
      text += guarded(target, isBarrier: false, depth: depth)
      return text + "\(indent)    all.leave()\n\(indent)}\n"
    } else {
      text = "\(indent)q\(target).async(group: all\(isBarrier ? ", \(flags)" : "")) {\n"
    }
    text += guarded(target, isBarrier: isBarrier, depth: depth)
    return text + "\(indent)}\n"
  }

  /// The body of an item, with the check that it is alone where it must be.
  private mutating func guarded(_ queue: Int, isBarrier: Bool, depth: Int) -> String {
    let indent = String(repeating: "    ", count: depth + 2)
    var text = "\(indent)counts.withLock { ran += 1 }\n"
    let isLast = queue == Self.queues - 1
    let counter = !isLast ? "busy\(queue)" : isBarrier ? "writers" : "readers"
    func change(_ operation: String) -> String {
      isLast ? "counts.withLock { \(counter) \(operation) 1 }" : "\(counter) \(operation) 1"
    }
    text += "\(indent)\(change("+="))\n"
    if !isLast {
      text += "\(indent)if busy\(queue) != 1 { fatalError(\"two items of q\(queue) at once\") }\n"
    } else if isBarrier {
      text +=
        "\(indent)if readers != 0 || writers != 1 { fatalError(\"a barrier beside others\") }\n"
    } else {
      text += "\(indent)if writers != 0 { fatalError(\"an item beside a barrier\") }\n"
    }
    text += draw(2) == 0 ? "\(indent)work(\(1 + draw(900))us)\n" : "\(indent)io(\(draw(900))us)\n"
    if depth < 2 {
      for _ in 0..<draw(3) { text += submission(from: queue, depth: depth + 1) }
    }
    text += "\(indent)work(\(draw(50))us)\n"
    return text + "\(indent)\(change("-="))\n"
  }
}
