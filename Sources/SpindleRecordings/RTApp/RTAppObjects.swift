/// What a member of a task does; its name may have more behind that word, as in `run1`.
enum RTAppEvent: String, CaseIterable, Sendable {
  case run, runtime, sleep, timer, lock, unlock, wait, sync, signal, broad, barrier, suspend, resume
  case mem, iorun, yield, fork

  /// Members that are not events.
  static let settings: Set<String> = [
    "loop", "priority", "cpus", "nodes_membind", "instance", "delay", "policy", "phases",
    "dl-runtime", "dl-period", "dl-deadline", "util_min", "util_max", "taskgroup",
  ]

  /// The event that a member is: that with the longest word that the name begins with.
  static func of(_ name: String) -> RTAppEvent? {
    if settings.contains(name) { return nil }
    let found = allCases.filter { name.hasPrefix($0.rawValue) }
    return found.max { $0.rawValue.utf8.count < $1.rawValue.utf8.count }
  }
}

/// The locks, conditions, barriers and timers of a workload, under the names that they have in a trace.
struct RTAppObjects: Sendable {
  /// By mutex: the conditions that are waited for with it.
  private var conditions: [String: Set<String>] = [:]
  private var mutexes: Set<String> = []
  /// By barrier: the tasks that meet there, and their number of threads.
  private var barriers: [String: [String: Int]] = [:]
  private var gates: Set<String> = []
  private var timerNames: [String: [String]] = [:]
  private var named: [String: String] = [:]

  // MARK: Finding them

  /// Notes what a task uses.
  mutating func find(in value: LooseJSON, by task: String, threads: Int) {
    for member in value.members {
      let kind = RTAppEvent.of(member.name)
      let text = member.value?.text ?? ""
      switch kind {
      case .lock, .unlock: mutexes.insert(text)
      case .wait, .sync:
        let (ref, mutex) = (member.value?["ref"]?.text ?? "", member.value?["mutex"]?.text ?? "")
        mutexes.insert(mutex)
        conditions[mutex, default: []].insert(ref)
      case .barrier: barriers[text, default: [:]][task] = threads
      case .suspend: gates.insert(text.isEmpty ? task : text)
      case .resume: gates.insert(text)
      case .timer:
        let name = Self.timerName(member)
        if timerNames[task]?.contains(name) != true { timerNames[task, default: []].append(name) }
      case .run, .runtime, .sleep, .signal, .broad, .mem, .iorun, .yield, .fork, nil: break
      }
      if kind == nil, let inner = member.value { find(in: inner, by: task, threads: threads) }
    }
  }

  private static func timerName(_ member: LooseJSON.Member) -> String {
    TraceNames.identifier("next " + (member.value?["ref"]?.text ?? "unique"))
  }

  /// Gives all of them names that nothing else has.
  mutating func name(_ unique: (String) -> String) {
    for mutex in mutexes.sorted() { named["m" + mutex] = unique(TraceNames.identifier(mutex)) }
    for barrier in barriers.keys.sorted() {
      named["b" + barrier] = unique(TraceNames.identifier("barrier " + barrier))
      named["c" + barrier] = unique(TraceNames.identifier("arrived " + barrier))
      named["p" + barrier] = unique(TraceNames.identifier("pass " + barrier))
    }
    for gate in gates.sorted() {
      named["g" + gate] = unique(TraceNames.identifier("gate " + gate))
      named["s" + gate] = unique(TraceNames.identifier("suspend " + gate))
      named["r" + gate] = unique(TraceNames.identifier("resume " + gate))
    }
  }

  /// The variables of a task's timers.
  func timers(of task: String) -> [String] { timerNames[task] ?? [] }

  /// The variable of a timer.
  func timer(_ member: LooseJSON.Member, of task: String) -> String { Self.timerName(member) }

  // MARK: Writing them

  /// The declarations at the top of the trace, and the functions for barriers and gates.
  var declarations: [String] {
    var lines: [String] = [""]
    for mutex in mutexes.sorted() {
      let type = conditions[mutex] == nil ? "NSLock" : "NSCondition"
      lines.append("let \(get("m", mutex)) = \(type)()")
    }
    for barrier in barriers.keys.sorted() {
      lines.append("let \(get("b", barrier)) = NSCondition()")
      lines.append("var \(get("c", barrier)) = 0")
    }
    for gate in gates.sorted() { lines.append("let \(get("g", gate)) = NSCondition()") }
    for barrier in barriers.keys.sorted() {
      let (name, count) = (get("b", barrier), get("c", barrier))
      lines += [
        "", "func \(get("p", barrier))() {", "    \(name).lock()", "    \(count) += 1",
        "    if \(count) == \(barriers[barrier]?.values.reduce(0, +) ?? 1) {",
        "        \(count) = 0",
        "        \(name).broadcast()", "    } else {", "        \(name).wait()", "    }",
        "    \(name).unlock()", "}",
      ]
    }
    for gate in gates.sorted() {
      let name = get("g", gate)
      for (word, act) in [("s", "wait"), ("r", "broadcast")] {
        lines += [
          "", "func \(get(word, gate))() {", "    \(name).lock()", "    \(name).\(act)()",
          "    \(name).unlock()", "}",
        ]
      }
    }
    return lines.count == 1 ? [] : lines
  }

  /// What an event does with one of them.
  func statements(
    _ kind: RTAppEvent, _ member: LooseJSON.Member, _ task: String
  ) throws -> [String] {
    let text = member.value?.text ?? ""
    switch kind {
    case .lock: return ["\(get("m", text)).lock()"]
    case .unlock: return ["\(get("m", text)).unlock()"]
    case .wait: return ["\(try mutex(member)).wait()"]
    case .sync:
      let name = try mutex(member)
      return ["\(name).\(signal(member.value?["mutex"]?.text ?? ""))()", "\(name).wait()"]
    case .signal, .broad:
      let mutex = conditions.keys.sorted().first { conditions[$0]?.contains(text) == true }
      // Nothing ever waits for it.
      guard let mutex else { return [] }
      return ["\(get("m", mutex)).\(kind == .broad ? "broadcast" : signal(mutex))()"]
    case .barrier: return ["\(get("p", text))()"]
    case .suspend: return ["\(get("s", text.isEmpty ? task : text))()"]
    case .resume: return ["\(get("r", text))()"]
    case .run, .runtime, .sleep, .timer, .mem, .iorun, .yield, .fork: return []
    }
  }

  /// Conditions that share a mutex are one in a trace: then all that wait are woken.
  private func signal(_ mutex: String) -> String {
    (conditions[mutex]?.count ?? 1) > 1 ? "broadcast" : "signal"
  }

  private func mutex(_ member: LooseJSON.Member) throws -> String {
    guard let mutex = member.value?["mutex"]?.text else {
      throw RecordingMistake(.line(member.line), "'\(member.name)' needs a 'ref' and a 'mutex'")
    }
    return get("m", mutex)
  }

  private func get(_ kind: String, _ name: String) -> String { named[kind + name] ?? "unnamed" }
}
