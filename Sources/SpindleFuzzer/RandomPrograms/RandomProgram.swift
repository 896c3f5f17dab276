import SpindleGenerator
import SpindleModel

/// A program that is made from a seed of everything that the language has, that is right, and that ends.
///
/// What it counts, it counts several times: under a lock, in a `Mutex`, in a dictionary and in an array, in an actor and
/// by each handover; in the end all must agree, or the program crashes. No two can wait for each other: who holds a lock
/// only works, who calls `sync` calls it on a queue that calls none, who waits for an end waits for what it has made itself.
/// Everything that is handed over is in one group, behind which the program ends.
struct RandomProgram {
  /// Where a statement stands.
  enum Place {
    /// The body of `main`.
    case main
    /// A thread of its own, which may wait for anything.
    case thread
    /// An item or operation, which may wait for what needs no worker.
    case item
    /// A task.
    case task
  }

  private(set) var text = ""
  private var random: Randomness
  private var names = 0

  /// Makes the program of a seed.
  init(seed: Int) {
    random = Randomness(seed: seed)
    text = "trace \"random\" { seed: \(random.below(1_000)) }\n\(machine())\n" + top()
    for _ in 0...random.below(4) { text += statement(.main, depth: 0, indent: "    ") }
    text += Self.ending
  }

  // MARK: The machine

  /// Policies whose rules need no more than any program tells.
  static let policies = [
    "fifo", "roundRobin(quantum: 1ms)", "roundRobin(quantum: 50us)", "fixedPriority",
    "fixedPriority(preemptive: false)", "timeshare", "fairShare", "eevdf",
    "multilevelFeedback(quantum: 2ms, boost: 50ms)", "lottery(quantum: 1ms)",
    "stride(quantum: 1ms)",
    "priorityAging(interval: 5ms)", "multilevelQueue", "workStealing",
    "shortestRemainingTime(predicted: true)", "highestResponseRatioNext(predicted: true)",
    "shortestJobFirst(predicted: true)", "clutch", "edge",
    "edge(separateGroups: true, utilityOnPerformance: true)",
  ]

  private mutating func machine() -> String {
    let platform = random.pick(Platform.allCases).rawValue
    let (fast, slow, speed) = (1 + random.below(2), 1 + random.below(2), 3 + random.below(6))
    let cores =
      random.isOne(in: 4)
      ? "[.performance(\(fast)), .efficiency(\(slow), speed: 0.\(speed))]"
      : "\(1 + random.below(4))"
    let policy = random.isOne(in: 4) ? "" : "; policy: .\(random.pick(Self.policies))"
    let costs = random.pick(["", "; costs: .zero", "; costs: .apple", "; costs: .linux"])
    let inheritance = random.pick(["", "", "; resourceProtocol: .none"])
    return "machine { platform: .\(platform); cores: \(cores)\(policy)\(costs)\(inheritance) }"
  }

  // MARK: The top

  private mutating func top() -> String {
    let quality = random.pick([".background", ".utility", ".default", ".userInitiated"])
    return Self.objects.replacing("#target", with: random.isOne(in: 2) ? ", target: q0" : "")
      .replacing("#quality", with: quality)
      .replacing("#width", with: "\(1 + random.below(3))")
  }

  /// What all programs have, with three signs for what differs.
  private static let objects = """
    let all = DispatchGroup()
    let locks = [NSLock(), NSLock(), NSLock()]
    let counts = NSLock()
    let recursive = NSRecursiveLock()
    let unfair = OSAllocatedUnfairLock()
    let table = ReadWriteLock()
    let stage = NSConditionLock(condition: 0)
    let condition = NSCondition()
    let total = Mutex(0)
    let gate = DispatchSemaphore(value: #width)
    let q0 = DispatchQueue(label: "q0", qos: #quality)
    let q1 = DispatchQueue(label: "q1"#target)
    let leaf = DispatchQueue(label: "leaf")
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let operations = OperationQueue(maxConcurrentOperationCount: #width)
    let pool = ThreadPool(width: #width)
    let stealing = WorkStealingPool(width: #width)
    let cached = CachedThreadPool(keepAlive: 3ms)
    let each = ThreadPerTask(stackSize: 64KB)
    let token = DispatchOnce()
    let tasks = TaskGroup(limit: 2)
    var opened = false
    let gpu = Accelerator(width: 1, launch: 10us, bandwidth: 8GB)
    var counted = 0
    var byKey: [Int: Int] = [:]
    var seen: [Int] = []
    var kinds: Set<Int> = []
    var handed = 0
    var arrived = 0
    enum Kind { case small, large, none }
    struct Pair { var a = 0; var b = 0; mutating func swap() { let c = a; a = b; b = c } }
    class Node {
        let number: Int
        weak var other: Node?
        init(number: Int) { self.number = number }
        deinit { count(number) }
    }
    actor Ledger {
        var entries = 0
        func enter() { entries += 1 }
        func later(_ d: Duration) async { entries += 1; await io(d); entries += 0 }
    }
    let ledger = Ledger()
    actor Posted {
        nonisolated let queue = DispatchSerialQueue(label: "own")
        nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
        var entries = 0
        func enter() { entries += 1 }
    }
    let posted = Posted()
    struct Config {
        static let shared = Node(number: 5)
        static let limit = 3
    }
    enum Context { @TaskLocal static var id = 0 }
    func count(_ key: Int) {
        counts.withLock {
            counted += 1
            byKey[key, default: 0] += 1
            seen.append(key)
            kinds.insert(key)
        }
        total.withLock { $0 += 1 }
    }
    func begin() { all.enter(); counts.withLock { handed += 1 } }
    func end() { counts.withLock { arrived += 1 }; all.leave() }
    func length(_ n: Int) -> Duration { n % 2 == 0 ? 20us * n : 7us * n }
    at(1ms) { mark("outside") }
    every(2ms, count: 3) { leaf.async { work(30us) } }
    main {
        all.enter()
        Thread.detachNewThread { condition.withLock { opened = true; condition.broadcast() } }

    """

  // MARK: Statements

  /// A statement, of one or more lines.
  private mutating func statement(_ place: Place, depth: Int, indent: String) -> String {
    let template = random.pick(templates(place, depth))
    names += 1
    let name = "x\(names)"
    var lines = ""
    for line in template.split(separator: "\n") {
      let inner = indent + line.prefix { $0 == " " }
      switch line.drop(while: { $0 == " " }) {
      case "#S": lines += body(place, depth: depth, indent: inner)
      case "#I": lines += body(.item, depth: depth, indent: inner)
      case "#T": lines += body(.thread, depth: depth, indent: inner)
      case "#A": lines += body(.task, depth: depth, indent: inner)
      default: lines += indent + filled(line, name) + "\n"
      }
    }
    return lines
  }

  private mutating func body(_ place: Place, depth: Int, indent: String) -> String {
    (0...random.below(depth > 1 ? 2 : 4)).map { _ in
      statement(place, depth: depth + 1, indent: indent)
    }.joined()
  }

  /// A line with something for each of its signs.
  private mutating func filled(_ line: Substring, _ name: String) -> String {
    var text = ""
    var rest = line
    while let sign = rest.firstIndex(of: "#") {
      text += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      switch rest.popFirst() {
      case "n": text += name
      case "k": text += "\(random.below(7))"
      case "t": text += "\(1 + random.below(900))us"
      case "b": text += "\(random.below(2))"
      case "l": text += "\(random.below(3))"
      default: fatalError("an unknown sign in '\(line)'")
      }
    }
    return text + rest
  }

  /// The kinds of statements that may stand somewhere, one of which is drawn.
  private mutating func templates(_ place: Place, _ depth: Int) -> [String] {
    let isTask = place == .task
    let mayWait = place == .thread || place == .main
    // What has others in itself comes to an end.
    switch random.below(depth > 2 ? 5 : 11) {
    case 0: return Self.doing + (isTask ? Self.doingInTask : Self.doingOnThread)
    case 1: return Self.values
    case 2: return Self.guarded
    case 3: return isTask ? Self.awaits : Self.waits + (mayWait ? Self.waitsOfThreads : [])
    case 4:
      if isTask { return Self.membersInTasks }
      let main = place == .main ? Self.membersOfMain : []
      return Self.members + (mayWait ? Self.membersOfThreads : []) + main
    case 5, 6: return Self.handovers
    case 7: return Self.control
    case 8: return isTask ? Self.children : Self.control
    default: return Self.handlers
    }
  }

  // MARK: The end

  /// All has come that was handed over: what was counted in different ways must agree.
  private static let ending = """
        all.notify(queue: .main) { @Sendable in
            counts.withLock {
                precondition(handed == arrived, "handed over is not what came")
                precondition(counted == seen.count, "an array lost a value")
                precondition(byKey.values.reduce(0, +) == counted, "a dictionary lost a value")
                precondition(byKey.count == kinds.count, "keys and a set differ")
                precondition(total.withLock { $0 } == counted, "a mutex lost a value")
            }
            record("counted", counted)
            mark("done")
            exit()
        }
        all.leave()
    }
    expect {
        outcome == .finished
        value(handed) == value(arrived)
    }

    """
}
