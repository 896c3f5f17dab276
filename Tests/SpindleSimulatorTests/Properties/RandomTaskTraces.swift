import TestSupport

/// Traces of tasks, groups and `async let`s inside one another, made of a seed.
///
/// Each child marks its begin and its end, and each scope its end; a child's number begins with that of its
/// scope. Whatever a child does takes some of: a sleep, input and output with and without a thread, a yield,
/// work, the main actor, an actor, one that calls another, one on a queue, a global one, what is asked of an
/// actor from a task that it makes itself.
struct RandomTaskTraces {
  private var random: SmallRandom
  private var lines: [String] = []
  private var next = 0
  private(set) var childrenOf: [Int: [Int]] = [:]

  init(seed: UInt64) { random = SmallRandom(seed: seed) }

  /// The trace of the seed.
  mutating func text() -> String {
    let platform = ["linux", "iOS", "ideal"][random.below(3)]
    let costs = random.below(2) == 0 ? "costs: .zero; " : ""
    lines = [
      "machine { platform: .\(platform); \(costs)cores: \(1 + random.below(3)) }",
      "var inside = 0", "var most = 0",
      "actor Vault {",
      "    var inside = 0", "    var most = 0", "    var visits = 0",
      "    func enter() { inside += 1; if inside > most { most = inside }; io(1ms); inside -= 1 }",
      "    func visit(_ other: Vault) async { enter(); await other.enter(); await io(1ms); enter() }",
      "    func later() { Task { enter(); await Task.yield(); enter() } }",
      "}",
      "actor OnQueue {",
      "    nonisolated let queue = DispatchSerialQueue(label: \"own\")",
      "    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }",
      "    var inside = 0", "    var most = 0",
      "    func enter() { inside += 1; if inside > most { most = inside }; io(1ms); inside -= 1 }",
      "}",
      "@globalActor actor Store { }", "var stored = 0", "var mostStored = 0",
      "@Store func store() { stored += 1; if stored > mostStored { mostStored = stored }; io(1ms); stored -= 1 }",
      "let vault = Vault()", "let cellar = Vault()", "let onQueue = OnQueue()",
      "func borrow(_ vault: isolated Vault) { vault.enter() }",
      "@MainActor func onMain() { inside += 1; if inside > most { most = inside }; io(1ms); inside -= 1 }",
      "main(.tool) {",
    ]
    scope(depth: 0, indent: "    ")
    lines += [
      "    onMain()", "    await vault.enter()", "    await cellar.enter()",
      "    await onQueue.enter()", "    await store()",
      "    record(\"most\", most)",
      "    let a = await vault.most", "    let b = await cellar.most",
      "    let c = await onQueue.most",
      "    record(\"most in actors\", a * b * c * mostStored)", "    mark(\"done\")", "}",
    ]
    return lines.joined(separator: "\n")
  }

  private mutating func scope(depth: Int, indent: String) {
    let number = next
    next += 1
    childrenOf[number] = []
    if random.below(3) == 0 && depth < 3 {
      lets(number, depth: depth, indent: indent)
    } else {
      group(number, depth: depth, indent: indent)
    }
    lines.append("\(indent)mark(\"scope \(number)\")")
  }

  private mutating func group(_ number: Int, depth: Int, indent: String) {
    let kind = ["withTaskGroup", "withDiscardingTaskGroup"][random.below(2)]
    lines.append("\(indent)do { await \(kind) { group in")
    for _ in 0...random.below(4) {
      lines.append("\(indent)    group.addTask {")
      child(of: number, depth: depth, indent: indent + "        ")
      lines.append("\(indent)    }")
    }
    switch random.below(4) {
    case 0: lines.append("\(indent)    group.cancelAll()")
    case 1 where kind == "withTaskGroup": lines.append("\(indent)    await group.next()")
    case 2: lines.append("\(indent)    throw \"away\"")
    default: lines.append("\(indent)    await io(1ms)")
    }
    lines.append("\(indent)} } catch { }")
  }

  private mutating func lets(_ number: Int, depth: Int, indent: String) {
    lines.append("\(indent)do {")
    var names: [String] = []
    for _ in 0...random.below(2) {
      let name = "v\(next)"
      names.append(name)
      lines.append("\(indent)    @Sendable func f\(name)() async {")
      child(of: number, depth: depth, indent: indent + "        ")
      lines.append("\(indent)    }")
      lines.append("\(indent)    async let \(name): Void = f\(name)()")
    }
    if random.below(2) == 0 { lines.append("\(indent)    await \(names[0])") }
    lines.append("\(indent)    await Task.yield()")
    lines.append("\(indent)} catch { }")
  }

  private mutating func child(of scope: Int, depth: Int, indent: String) {
    let number = next
    next += 1
    childrenOf[scope, default: []].append(number)
    lines.append("\(indent)mark(\"begin \(number)\")")
    lines.append("\(indent)do {")
    for _ in 0...random.below(3) {
      let step =
        [
          "try await Task.sleep(for: \(1 + random.below(5))ms)", "await io(\(random.below(4))ms)",
          "io(2ms)", "await Task.yield()", "work(1ms)", "await onMain()",
          "await MainActor.run { onMain() }", "await vault.enter()", "await vault.visit(cellar)",
          "await cellar.visit(vault)", "await vault.later()", "await onQueue.enter()",
          "await store()", "await borrow(cellar)",
          "await withTaskExecutorPreference(onQueue.queue) { await vault.enter(); await io(1ms) }",
        ][random.below(15)]
      lines.append("\(indent)    \(step)")
    }
    if depth < 2 && random.below(3) == 0 { self.scope(depth: depth + 1, indent: indent + "    ") }
    lines.append("\(indent)} catch { }")
    lines.append("\(indent)mark(\"end \(number)\")")
    if random.below(5) == 0 { lines.append("\(indent)throw \"oops\"") }
  }
}

/// Numbers that follow from a seed alone.
struct SmallRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % limit
  }
}
