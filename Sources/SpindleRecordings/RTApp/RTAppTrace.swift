import SpindleModel

/// A workload of rt-app as a trace: it describes what each thread does.
///
/// Source: scheduler-tools/rt-app:doc/tutorial.txt.
package struct RTAppTrace {
  private let tasks: [LooseJSON.Member]
  private let global: LooseJSON
  private let recording: String
  private var names = TraceNames([])
  /// By task: its function.
  private var functions: [String: String] = [:]
  private var lines: [String] = []
  private var objects = RTAppObjects()
  private var runsForEver = false
  private var unknown: Set<String> = []

  /// The trace of a workload that is called `recording`.
  package static func text(_ bytes: any RecordingBytes, recording: String) throws -> String {
    guard bytes.count <= 1 << 26 else {
      throw RecordingMistake(.whole, "the workload exceeds 64 MB")
    }
    let json = try LooseJSON.parse(try bytes.read(at: 0, count: bytes.count))
    guard let tasks = json["tasks"], !tasks.members.isEmpty else {
      throw RecordingMistake(.whole, "it is JSON, but no workload of rt-app: it has no 'tasks'")
    }
    var trace = RTAppTrace(tasks.members, json["global"] ?? .object([]), recording)
    try trace.write()
    return trace.lines.joined(separator: "\n") + "\n"
  }

  private init(_ tasks: [LooseJSON.Member], _ global: LooseJSON, _ recording: String) {
    (self.tasks, self.global, self.recording) = (tasks, global, recording)
  }

  private mutating func write() throws {
    for task in tasks {
      let threads = Self.instances(task)
      guard threads <= Self.mostInstances else {
        throw RecordingMistake(
          .line(task.line), "the task '\(task.name)' has more than 10,000 for an 'instance'")
      }
      objects.find(in: task.value ?? .object([]), by: task.name, threads: threads)
    }
    var taken = names
    objects.name { taken.unique($0) }
    var own: [String] = []
    for task in tasks {
      own.append(taken.unique(TraceNames.identifier(task.name)))
      functions[task.name] = own.last
    }
    names = taken
    var bodies: [[String]] = []
    for (task, function) in zip(tasks, own) { bodies.append(try body(task, function)) }
    let file = recording.split(separator: "/").last.map(String.init) ?? recording
    lines = ["// imported   from \(TraceNames.printable(file)), a workload of rt-app"]
    lines.append(
      "// not in it  which cores a thread may use; 'mem' and 'iorun', whose length depends on")
    lines.append(
      "//            the machine; 'run' and 'runtime' are work of that length at speed 1")
    for name in unknown.sorted() { lines.append("//            '\(name)', which is not known") }
    let duration = global["duration"]?.number ?? -1
    let limit = duration > 0 ? duration : runsForEver ? 10 : 0
    let until = limit > 0 ? " { until: \(min(limit, 300_000_000))s }" : ""
    lines += [
      "", "trace \"\(TraceNames.printable(file))\"\(until)", "", "param cores = \(cores)", "",
    ]
    lines.append("machine { platform: .linux; cores: cores; costs: .zero; policy: .fairShare }")
    lines += objects.declarations
    lines += ["", "main {"]
    for (task, function) in zip(tasks, own) { lines += starts(task, function) }
    lines.append("}")
    for body in bodies { lines += [""] + body }
  }

  /// As many cores as the highest that a task names, and two at least.
  private var cores: Int64 {
    var most: Int64 = 2
    func look(_ value: LooseJSON) {
      for member in value.members {
        if member.name == "cpus", case .list(let cores)? = member.value {
          for core in cores { most = max(most, min(64, (core.number ?? 0) + 1)) }
        } else if let value = member.value {
          look(value)
        }
      }
    }
    look(.object(tasks))
    return most
  }

  /// The statements that start a task: as often as its `instance` states, with the class of its priority.
  private func starts(_ task: LooseJSON.Member, _ function: String) -> [String] {
    let count = Self.instances(task)
    let nice = task.value?["priority"]?.number ?? 0
    let quality = nice == 0 || isRealtime(task) ? "" : ", qualityOfService: \(Self.quality(nice))"
    let name = TraceNames.printable(task.name)
    if count <= 1 {
      return count == 0
        ? [] : ["    Thread(name: \"\(name)\"\(quality)) { \(function)() }.start()"]
    }
    return [
      "    for i in 0 ..< \(count) {",
      "        Thread(name: \"\(name) \\(i)\"\(quality)) { \(function)() }.start()", "    }",
    ]
  }

  /// As how many threads a task runs.
  private static func instances(_ task: LooseJSON.Member) -> Int {
    Int(max(0, task.value?["instance"]?.number ?? 1))
  }

  /// As how many threads it may.
  private static var mostInstances: Int { 10_000 }

  private static func quality(_ nice: Int64) -> String {
    let known: [(Int64, String)] = [
      (-4, ".userInteractive"), (-2, ".userInitiated"), (0, ".default"), (2, ".utility"),
      (10, ".background"),
    ]
    let nice = min(max(nice, -20), 20)
    return known.min { abs($0.0 - nice) < abs($1.0 - nice) }?.1 ?? ".default"
  }

  private func isRealtime(_ task: LooseJSON.Member) -> Bool {
    let policy = task.value?["policy"]?.text ?? global["default_policy"]?.text ?? ""
    return policy == "SCHED_FIFO" || policy == "SCHED_RR" || policy == "SCHED_DEADLINE"
  }

  // MARK: What a task does

  private mutating func body(_ task: LooseJSON.Member, _ function: String) throws -> [String] {
    guard let value = task.value, case .object(let members) = value else {
      throw RecordingMistake(.line(task.line), "the task '\(task.name)' is not an object")
    }
    var inner: [String] = []
    if isRealtime(task) {
      inner.append("Thread.current.realtime(period: 1h, computation: 50ms, constraint: 1h)")
    }
    if let delay = value["delay"]?.number { inner.append("sleep(\(Self.time(delay)))") }
    for timer in objects.timers(of: task.name) { inner.append("var \(timer) = now") }
    var work: [String] = []
    if let phases = value["phases"] {
      for phase in phases.members {
        let lines = try events(phase.value?.members ?? [], task.name)
        work += loop(lines, phase.value?["loop"]?.number ?? 1)
      }
    } else {
      work = try events(members, task.name)
    }
    inner += loop(work, value["loop"]?.number ?? -1)
    return ["func \(function)() {"] + inner.map { "    " + $0 } + ["}"]
  }

  private mutating func loop(_ lines: [String], _ count: Int64) -> [String] {
    if lines.isEmpty || count == 0 { return [] }
    if count == 1 { return lines }
    if count < 0 { runsForEver = true }
    let head = count < 0 ? "while true {" : "for _ in 0 ..< \(count) {"
    return [head] + lines.map { "    " + $0 } + ["}"]
  }

  private mutating func events(_ members: [LooseJSON.Member], _ task: String) throws -> [String] {
    try members.flatMap { try event($0, task) }
  }

  /// What one member of a task or phase does.
  private mutating func event(_ member: LooseJSON.Member, _ task: String) throws -> [String] {
    guard let kind = RTAppEvent.of(member.name) else {
      if !RTAppEvent.settings.contains(member.name) { unknown.insert(member.name) }
      return []
    }
    switch kind {
    case .run, .runtime: return ["work(\(Self.time(try number(member))))"]
    case .sleep: return ["sleep(\(Self.time(try number(member))))"]
    case .mem, .iorun: return []
    case .yield: return ["yield()"]
    case .timer:
      guard let value = member.value, let period = value["period"]?.number else {
        throw RecordingMistake(.line(member.line), "a timer needs a 'period'")
      }
      let timer = objects.timer(member, of: task)
      return [
        "\(timer) += \(Self.time(period))",
        value["mode"]?.text == "absolute"
          ? "sleep(until: \(timer))"
          : "if now < \(timer) { sleep(until: \(timer)) } else { \(timer) = now }",
      ]
    case .fork:
      let name = try text(member)
      guard let function = functions[name] else {
        throw RecordingMistake(.line(member.line), "no task is called '\(name)'")
      }
      return ["Thread.detachNewThread(name: \"\(TraceNames.printable(name))\") { \(function)() }"]
    case .lock, .unlock, .wait, .sync, .signal, .broad, .barrier, .suspend, .resume:
      return try objects.statements(kind, member, task)
    }
  }

  private func number(_ member: LooseJSON.Member) throws -> Int64 {
    guard let number = member.value?.number, number >= 0 else {
      throw RecordingMistake(.line(member.line), "'\(member.name)' needs a number of microseconds")
    }
    return number
  }

  private func text(_ member: LooseJSON.Member) throws -> String {
    guard let text = member.value?.text else {
      throw RecordingMistake(.line(member.line), "'\(member.name)' needs a name")
    }
    return text
  }

  private static func time(_ microseconds: Int64) -> String {
    Nanoseconds(min(max(0, microseconds), 300_000_000_000_000) * 1_000).description
  }
}
