/// Random traces of threads that lend each other priorities.
///
/// They do so through locks, serial queues, a once and work items, with limits, and with priorities that
/// change meanwhile. Some end in a deadlock.
struct RandomPriorityTraces {
  private var state: UInt64
  private var threads = 0
  /// Whether locks and queues are taken in their order only, so that no circle can close.
  private var isOrdered = false

  private static let locks = 4
  private static let queues = 3
  private static let qualities = [
    ".background", ".utility", ".default", ".userInitiated", ".userInteractive",
  ]

  /// Creates the generator for a seed.
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  private mutating func draw(_ below: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % below
  }

  /// A trace of three to seven threads.
  mutating func trace() -> String {
    let inherits = "; priorityInheritance: true"
    let platform = ["macOS", "iOS", "ideal\(inherits)", "linux\(inherits)"][draw(4)]
    let policy = ["fixedPriority", "timeshare", "fixedPriority(quantum: 1ms)"][draw(3)]
    (threads, isOrdered) = (3 + draw(5), draw(5) < 3)
    var text = "trace \"random priorities\" { until: 1s }\nmachine { platform: .\(platform); "
    text += "cores: \(1 + draw(3)); costs: .zero; policy: .\(policy) }\n"
    for lock in 0..<Self.locks {
      let kinds = ["NSLock()", "NSRecursiveLock()", "NSConditionLock(condition: 0)"]
      text += "let l\(lock) = \(kinds[draw(3)])\n"
    }
    for queue in 0..<Self.queues {
      let target = queue > 0 && draw(2) == 0 ? ", target: q\(queue - 1)" : ""
      text += "let q\(queue) = DispatchQueue(label: \"q\(queue)\", qos: \(quality())\(target))\n"
    }
    text += "let token = DispatchOnce()\n"
    for thread in 0..<threads {
      let priority = draw(3) > 0 ? "threadPriority: \(decimal())" : "qualityOfService: \(quality())"
      text += "let t\(thread) = Thread(name: \"t\(thread)\", \(priority)) {\n"
      text += body(2 + draw(3), depth: 1, lock: 0, queue: 0) + "}\n"
    }
    text += "main {\n"
    for thread in 0..<threads where thread % 2 == 0 { text += "    t\(thread).start()\n" }
    text += "}\n"
    for thread in 0..<threads where thread % 2 == 1 { text += at("t\(thread).start()") }
    for _ in 0..<draw(5) { text += at("t\(draw(threads)).threadPriority = \(decimal())") }
    return text
  }

  private mutating func quality() -> String { Self.qualities[draw(Self.qualities.count)] }
  private mutating func decimal() -> String { "0.\(1 + draw(9))" }
  private mutating func amount() -> String { "\(100 * (1 + draw(30)))us" }
  private mutating func at(_ statement: String) -> String {
    "at(\(100 * (1 + draw(100)))us) { \(statement) }\n"
  }

  /// Some statements, which take locks from `lock` on and queues from `queue` on where order counts.
  private mutating func body(_ count: Int, depth: Int, lock: Int, queue: Int) -> String {
    var text = ""
    for _ in 0..<count { text += statement(depth: depth, lock: lock, queue: queue) }
    return text
  }

  private mutating func statement(depth: Int, lock: Int, queue: Int) -> String {
    let indent = String(repeating: "    ", count: depth)
    let kind = draw(12)
    if depth > 4 || kind < 2 { return "\(indent)work(\(amount()))\n" }
    if kind < 4 { return "\(indent)io(\(amount()))\n" }
    if kind == 4 { return "\(indent)t\(draw(threads)).threadPriority = \(decimal())\n" }
    if kind < 9 { return locked(indent, depth: depth, lock: isOrdered ? lock : 0, queue: queue) }
    if kind == 9 {
      // What runs in the block takes no lock and no queue that could wait for the token.
      return "\(indent)once(token) {\n\(indent)    io(\(amount()))\n\(indent)}\n"
    }
    let first = isOrdered ? queue : 0
    if first >= Self.queues { return "\(indent)work(\(amount()))\n" }
    let chosen = first + draw(Self.queues - first)
    // The targets of a queue are taken with it, so only the next ones are free of circles.
    let inner = body(1 + draw(2), depth: depth + 1, lock: lock, queue: Self.queues)
    if kind == 10 { return "\(indent)q\(chosen).sync {\n\(inner)\(indent)}\n" }
    let item = "item\(draw(1_000_000))"
    if draw(2) == 0 {
      return "\(indent)q\(chosen).async(qos: \(quality())) {\n\(inner)\(indent)}\n"
    }
    return "\(indent)let \(item) = DispatchWorkItem(qos: \(quality())) {\n\(inner)\(indent)}\n"
      + "\(indent)q\(chosen).async(execute: \(item))\n"
      + "\(indent)_ = \(item).wait(timeout: .now() + \(amount()))\n"
  }

  /// Some statements under a lock, that is waited for without or with a limit, or not at all.
  private mutating func locked(_ indent: String, depth: Int, lock: Int, queue: Int) -> String {
    if lock >= Self.locks { return "\(indent)work(\(amount()))\n" }
    let chosen = lock + draw(Self.locks - lock)
    let inner = body(1 + draw(3), depth: depth + 1, lock: chosen + 1, queue: queue)
    let end = "\(indent)    l\(chosen).unlock()\n\(indent)}\n"
    switch draw(6) {
    case 0: return "\(indent)if l\(chosen).try() {\n\(inner)\(end)"
    case 1, 2:
      return "\(indent)if l\(chosen).lock(before: .now() + \(amount())) {\n\(inner)\(end)"
    default: return "\(indent)l\(chosen).withLock {\n\(inner)\(indent)}\n"
    }
  }
}
