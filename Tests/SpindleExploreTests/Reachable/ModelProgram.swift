/// A small program that stands twice: as steps, which the model runs, and as the text of a trace.
struct ModelProgram {
  /// What the threads do, and behind them the items.
  private(set) var code: [[ModelStep]] = []
  private(set) var text: String
  private let threads: Int

  /// The locks are `p`, `q`, and that of the condition `c`.
  static let conditionLock = 2
  private static let variables = 2
  private static let registers = 2
  private static let locks = ["p", "q", "c"]
  private static let queues = ["serial", "concurrent", "lower"]
  private let flavour: Flavour

  /// What a program has beside variables, locks, semaphores, groups, conditions and two queues.
  enum Flavour: CaseIterable, Sendable {
    case plain
    /// Groups with items, what follows a group, and a queue with a target.
    case queues
    /// Three threads at a condition, of which those that wait differ in what they do behind that.
    case conditions
  }

  /// Makes two or three threads that do a few things each.
  init(seed: UInt64, _ flavour: Flavour = .plain) {
    self.flavour = flavour
    let isRich = flavour == .queues
    var numbers = Numbers(seed &+ 1_000)
    threads = flavour == .conditions || numbers.below(3) == 0 ? 3 : 2
    text = """
      trace "model \(seed)"
      machine { platform: .ideal; cores: 8 }
      let p = NSLock()
      let q = NSLock()
      let c = NSCondition()
      let s = DispatchSemaphore(value: 1)
      let t = DispatchSemaphore(value: 0)
      let g = DispatchGroup()
      let all = DispatchGroup()
      let serial = DispatchQueue(label: "serial")
      let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
      \(isRich ? "let lower = DispatchQueue(label: \"lower\", target: serial)" : "")
      var x = 0
      var y = 0
      main(.tool) {

      """
    code = Array(repeating: [], count: threads)
    for thread in 0..<threads {
      text += "    let t\(thread) = Thread(name: \"t\(thread)\") {\n"
      for _ in 0..<(threads == 2 ? numbers.below(2) + 1 : 1) {
        let (line, steps) = statement(&numbers)
        text += "        \(line)\n"
        code[thread] += steps
      }
      text += "    }\n"
    }
    for thread in 0..<threads { text += "    t\(thread).start()\n" }
    for thread in 0..<threads { text += "    t\(thread).join()\n" }
    text += "    \(isRich ? "g.wait(); " : "")all.wait()\n}\n"
  }

  /// The state before the first step.
  var start: ModelState {
    ModelState(
      next: code.indices.map { $0 < threads ? 0 : nil },
      registers: Array(repeating: Array(repeating: 0, count: Self.registers), count: code.count),
      variables: Array(repeating: 0, count: Self.variables),
      locks: Array(repeating: [], count: Self.locks.count), semaphores: [1, 0],
      queues: [
        ModelQueue(isConcurrent: false), ModelQueue(isConcurrent: true),
        ModelQueue(isConcurrent: false),
      ])
  }

  // MARK: Statements

  private typealias Written = (String, [ModelStep])

  /// A statement of any kind.
  private mutating func statement(_ numbers: inout Numbers) -> Written {
    let lock = numbers.below(2)
    if flavour == .queues && numbers.below(2) == 0 { return enqueued(&numbers) }
    if flavour == .conditions && numbers.below(8) > 0 { return waitOrSignal(&numbers) }
    switch numbers.below(12) {
    case 0, 1: return access(&numbers)
    case 2, 3: return locked(lock, access(&numbers))
    case 4: return locked(lock, locked(1 - lock, access(&numbers)))
    case 5:
      let (line, steps) = access(&numbers)
      return (
        "if \(Self.locks[lock]).try() { \(line); \(Self.locks[lock]).unlock() }",
        [.tryLock(lock, skips: steps.count + 2)] + steps + [.unlock(lock)]
      )
    case 6:
      let (line, steps) = access(&numbers)
      return (
        "s.wait(); \(line); s.signal()",
        [.wait(semaphore: 0)] + steps + [.signal(semaphore: 0)]
      )
    case 7: return numbers.below(2) == 0 ? handOver(&numbers) : group(&numbers)
    case 8: return condition(&numbers)
    default: return item(&numbers)
    }
  }

  /// Reads and writes of variables.
  private func access(_ numbers: inout Numbers) -> Written {
    let (variable, number) = (numbers.below(2), numbers.below(9) + 1)
    let (name, other) = (variable == 0 ? "x" : "y", variable == 0 ? "y" : "x")
    switch numbers.below(4) {
    case 0: return ("\(name) = \(number)", [.write(variable, number, adds: false)])
    case 1:
      return (
        "\(name) += \(number)", [.read(variable, into: 0), .write(variable, number, adds: true)]
      )
    case 2:
      return (
        "\(name) = \(other) + \(number)",
        [.read(1 - variable, into: 0), .write(variable, number, adds: true)]
      )
    default:
      return (
        "if \(name) > \(other) { \(other) += \(number) }",
        [
          .read(variable, into: 0), .read(1 - variable, into: 1), .jumpUnlessAbove(3),
          .read(1 - variable, into: 0), .write(1 - variable, number, adds: true),
        ]
      )
    }
  }

  private func locked(_ lock: Int, _ body: Written) -> Written {
    (
      "\(Self.locks[lock]).lock(); \(body.0); \(Self.locks[lock]).unlock()",
      [.lock(lock)] + body.1 + [.unlock(lock)]
    )
  }

  /// One waits for what another one signals, or not.
  private func handOver(_ numbers: inout Numbers) -> Written {
    let (line, steps) = access(&numbers)
    return numbers.below(3) == 0
      ? ("t.wait(); \(line)", [.wait(semaphore: 1)] + steps)
      : ("\(line); t.signal()", steps + [.signal(semaphore: 1)])
  }

  private func group(_ numbers: inout Numbers) -> Written {
    let (line, steps) = access(&numbers)
    return numbers.below(2) == 0
      ? ("g.enter(); \(line); g.leave()", [.enter] + steps + [.leave])
      : ("g.wait(); \(line)", [.waitForGroup] + steps)
  }

  private func condition(_ numbers: inout Numbers) -> Written {
    switch numbers.below(5) {
    case 0: return ("c.lock(); c.wait(); c.unlock()", [.lock(2), .sleep, .unlock(2)])
    case 1:
      return (
        "c.lock(); while x == 0 { c.wait() }; c.unlock()",
        [.lock(2), .read(0, into: 0), .jumpUnlessZero(3), .sleep, .jump(-3), .unlock(2)]
      )
    case 2: return ("c.signal()", [.wake(all: false)])
    case 3:
      return (
        "c.lock(); x = 1; c.signal(); c.unlock()",
        [.lock(2), .write(0, 1, adds: false), .wake(all: false), .unlock(2)]
      )
    default:
      return (
        "c.lock(); x += 1; c.broadcast(); c.unlock()",
        [.lock(2), .read(0, into: 0), .write(0, 1, adds: true), .wake(all: true), .unlock(2)]
      )
    }
  }

  /// A wait for a signal with something behind it, or a signal.
  private func waitOrSignal(_ numbers: inout Numbers) -> Written {
    let (line, steps) = access(&numbers)
    switch numbers.below(6) {
    case 0: return condition(&numbers)
    case 1:
      return (
        "c.lock(); \(line); c.signal(); c.unlock()",
        [.lock(2)] + steps + [.wake(all: false), .unlock(2)]
      )
    case 2:
      return ("c.signal(); \(line); c.signal()", [.wake(all: false)] + steps + [.wake(all: false)])
    default:
      return (
        "c.lock(); c.wait(); \(line); c.unlock()", [.lock(2), .sleep] + steps + [.unlock(2)]
      )
    }
  }

  /// Something that a queue runs, in the group, behind it, or on a queue with a target.
  private mutating func enqueued(_ numbers: inout Numbers) -> Written {
    let (line, steps) = access(&numbers)
    let kind = numbers.below(5)
    let queue = kind == 4 ? ModelQueue.lower : numbers.below(3)
    let name = Self.queues[queue]
    switch kind {
    case 0, 1:
      code.append([.begin(queue: queue)] + steps + [.end(queue: queue, leaves: true)])
      return (
        "\(name).async(group: g) { \(line) }",
        [.enqueueInGroup(queue: queue, thread: code.count - 1)]
      )
    case 2:
      code.append([.begin(queue: queue)] + steps + [.end(queue: queue)])
      return (
        "all.enter(); g.notify(queue: \(name)) { \(line); all.leave() }",
        [.follow(queue: queue, thread: code.count - 1)]
      )
    case 3: return ("g.wait(); \(line)", [.waitForGroup] + steps)
    default:
      code.append([.begin(queue: queue)] + steps + [.end(queue: queue)])
      return (
        "\(name).async(group: all) { \(line) }",
        [.enqueue(queue: queue, thread: code.count - 1, isBarrier: false)]
      )
    }
  }

  /// Something that a queue runs.
  private mutating func item(_ numbers: inout Numbers) -> Written {
    let queue = numbers.below(2)
    let isBarrier = queue == 1 && numbers.below(3) == 0
    let (line, steps) = access(&numbers)
    let body = [.begin(queue: queue)] + steps + [.end(queue: queue)]
    if numbers.below(3) == 0 {
      return (
        "\(Self.queues[queue]).sync\(isBarrier ? "(flags: .barrier)" : "") { \(line) }",
        [.enqueue(queue: queue, thread: nil, isBarrier: isBarrier)] + body
      )
    }
    code.append(body)
    return (
      "\(Self.queues[queue]).async(group: all\(isBarrier ? ", flags: .barrier" : "")) { \(line) }",
      [.enqueue(queue: queue, thread: code.count - 1, isBarrier: isBarrier)]
    )
  }
}

/// All that a model program can come to, by every order of its steps.
struct ModelOutcomes {
  private let program: ModelProgram
  private var seen: Set<ModelState> = []
  /// How it ends, and the values of the variables.
  private(set) var all: Set<String> = []

  init(_ program: ModelProgram) {
    self.program = program
    visit(program.start)
  }

  var states: Int { seen.count }

  private mutating func visit(_ state: ModelState) {
    if !seen.insert(state).inserted { return }
    var (isOver, isStuck) = (true, true)
    for (thread, code) in program.code.enumerated() {
      guard let next = state.next[thread], next < code.count else { continue }
      isOver = false
      for after in state.after(code[next], of: thread) {
        isStuck = false
        visit(after)
      }
    }
    if isOver || isStuck { all.insert("\(isOver ? "finished" : "deadlock") \(state.variables)") }
  }
}
