extension SmallProgram {
  /// The program as a trace.
  var text: String {
    var lines = ["trace \"small\"", "", machine.text, ""]
    for lock in 0..<Self.locks { lines.append("let lock\(lock) = NSLock()") }
    for condition in 0..<Self.conditions {
      lines.append("let condition\(condition) = NSCondition()")
    }
    for group in 0..<Self.groups { lines.append("let group\(group) = DispatchGroup()") }
    for (index, value) in semaphores.enumerated() {
      lines.append("let semaphore\(index) = DispatchSemaphore(value: \(value))")
    }
    for (index, width) in pools.enumerated() {
      lines.append("let pool\(index) = ThreadPool(width: \(width))")
    }
    for (index, queue) in queues.enumerated() {
      let attributes = queue.isConcurrent ? ", attributes: .concurrent" : ""
      lines.append(
        "let queue\(index) = DispatchQueue(label: \"queue\(index)\", "
          + "qos: .\(queue.quality.name)\(attributes))")
    }
    for (index, thread) in threads.enumerated() {
      lines.append(
        "let t\(index) = Thread(name: \"t\(index)\", threadPriority: 0.\(thread.priority)) {")
      lines += Self.text(of: thread.body)
      lines.append("}")
    }
    lines.append("main {")
    lines += Self.text(of: main)
    lines.append("}")
    for arrival in world {
      lines.append("at(\(arrival.time)ms) {")
      lines += Self.text(of: arrival.body)
      lines.append("}")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Statements, one step further in.
  static func text(of body: [SmallStatement]) -> [String] {
    body.flatMap { $0.lines }.map { "    " + $0 }
  }
}

extension SmallMachine {
  var text: String {
    let policy =
      switch self.policy {
      case .fifo: ".fifo"
      case .roundRobin: ".roundRobin(quantum: \(quantum)ms)"
      case .fixedPriority: ".fixedPriority(quantum: \(quantum)ms)"
      case .multilevelQueue: ".multilevelQueue(quantum: \(quantum)ms)"
      case .multilevelFeedback:
        ".multilevelFeedback(levels: \(levels), quantum: \(quantum)ms, growth: \(growth), "
          + "allotment: \(allotment), boost: 0s)"
      case .priorityAging: ".priorityAging(interval: \(interval)ms, quantum: \(quantum)ms)"
      case .priorityAgingCooperative:
        ".priorityAging(interval: \(interval)ms, quantum: \(quantum)ms, preemptive: false)"
      case .shortestJobFirst: ".shortestJobFirst"
      case .shortestRemainingTime: ".shortestRemainingTime"
      case .highestResponseRatioNext: ".highestResponseRatioNext"
      case .fixedPriorityCooperative: ".fixedPriority(quantum: \(quantum)ms, preemptive: false)"
      }
    var costs = ".zero"
    if contextSwitch + migration + clusterMigration + coldCache > 0 {
      costs =
        ".zero(contextSwitch: \(contextSwitch)ms, migration: \(migration)ms, "
        + "clusterMigration: \(clusterMigration)ms, coldCache: \(coldCache)ms, "
        + "cacheWarmth: \(cacheWarmth)ms)"
    }
    return "machine { platform: .ideal; cores: \(coreText); policy: \(policy); costs: \(costs); "
      + "priorityInheritance: \(inherits) }"
  }

  private var coreText: String {
    if clusterSize >= cores { return "\(cores)" }
    let clusters = stride(from: 0, to: cores, by: clusterSize).map {
      ".performance(\(min(clusterSize, cores - $0)))"
    }
    return "[\(clusters.joined(separator: ", "))]"
  }
}

extension SmallLimit {
  /// The argument with its label, nil when there is no limit.
  func argument(_ label: String) -> String? {
    switch self {
    case .never: nil
    case .after(let time): "\(label): .now() + \(time)ms"
    case .at(let time): "\(label): \(time)ms"
    }
  }
}

extension SmallExecutor {
  var text: String {
    switch self {
    case .pool(let pool): "pool\(pool)"
    case .queue(let queue), .barrier(let queue): "queue\(queue)"
    case .global(let quality): "DispatchQueue.global(qos: .\(quality.name))"
    }
  }

  var flags: String {
    if case .barrier = self { ", flags: .barrier" } else { "" }
  }
}

extension SmallStatement {
  /// The statement's lines.
  var lines: [String] {
    switch self {
    case .work(let time): ["work(\(time)ms)"]
    case .io(let time): ["io(\(time)ms)"]
    case .sleep(let time): ["sleep(\(time)ms)"]
    case .yield: ["yield()"]
    case .mark(let name): ["mark(\"\(name)\")"]
    case .signal(let semaphore): ["semaphore\(semaphore).signal()"]
    case .start(let thread): ["t\(thread).start()"]
    case .join(let thread): ["t\(thread).join()"]
    case .setPriority(let thread, let priority): ["t\(thread).threadPriority = 0.\(priority)"]
    case .wait(let semaphore, let limit, let refused):
      Self.wait("semaphore\(semaphore)", limit, refused)
    case .groupWait(let group, let limit, let refused): Self.wait("group\(group)", limit, refused)
    case .conditionSignal(let condition, let all, let locked):
      Self.signal("condition\(condition)", all ? "broadcast" : "signal", locked)
    default: blockLines
    }
  }

  private static func wait(_ name: String, _ limit: SmallLimit, _ refused: String) -> [String] {
    guard let argument = limit.argument("timeout") else { return ["\(name).wait()"] }
    return ["if \(name).wait(\(argument)) == .timedOut { mark(\"\(refused)\") }"]
  }

  private static func signal(_ name: String, _ call: String, _ locked: Bool) -> [String] {
    locked ? ["\(name).lock()", "\(name).\(call)()", "\(name).unlock()"] : ["\(name).\(call)()"]
  }

  /// The lines of a statement that has others in it.
  private var blockLines: [String] {
    let body = SmallProgram.text(of: children)
    switch self {
    case .locked(let lock, let limit, _, let refused):
      guard let argument = limit.argument("before") else {
        return ["lock\(lock).lock()"] + body + ["lock\(lock).unlock()"]
      }
      return ["if lock\(lock).lock(\(argument)) {"] + body
        + ["    lock\(lock).unlock()", "} else { mark(\"\(refused)\") }"]
    case .entered(let group, _):
      return ["group\(group).enter()"] + body + ["group\(group).leave()"]
    case .notify(let group, let executor, let name, _):
      let opening =
        "group\(group).notify(name: \"\(name)\"\(executor.flags), queue: \(executor.text)) {"
      return [opening] + body + ["}"]
    case .conditionWait(let condition, let limit, _):
      let argument = limit.argument("until").map { "wait(\($0))" } ?? "wait()"
      let name = "condition\(condition)"
      return ["\(name).lock()", "\(name).\(argument)"] + body + ["\(name).unlock()"]
    case .submit(let executor, let name, let group, _):
      let grouped = group.map { ", group: group\($0)" } ?? ""
      return ["\(executor.text).async(name: \"\(name)\"\(grouped)\(executor.flags)) {"] + body + [
        "}"
      ]
    case .sync(let queue, let barrier, _):
      return ["queue\(queue).sync\(barrier ? "(flags: .barrier)" : "") {"] + body + ["}"]
    case .detach(let name, _):
      return ["Thread.detachNewThread(name: \"\(name)\") {"] + body + ["}"]
    default: return []
    }
  }
}
