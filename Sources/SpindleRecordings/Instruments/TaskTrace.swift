import SpindleModel

/// Swift tasks as a trace: each runs for as long as it did, on the actor on which it did.
struct TaskTrace {
  private let tasks: [RecordedTask]
  private let states: TaskStates
  private let recording: String
  private var names: TraceNames
  private var actors: [String] = []
  /// By task: what it does.
  private var steps: [[ThreadOperation]] = []
  /// By task: when it could first run, from the first moment of all; nil where another one starts it.
  private var starts: [Int64?] = []
  /// Tasks that others wait for, and that they have not made.
  private var shared: Set<Int> = []
  private let process: Int64
  private let first: Int64

  /// The trace of the tasks in an export.
  static func text(
    _ bytes: any RecordingBytes, recording: String, _ choice: RecordingChoice
  ) throws -> String {
    let trace = try TaskTrace(TaskStates(bytes), recording, choice)
    return trace.lines().joined(separator: "\n") + "\n"
  }

  private init(
    _ states: TaskStates, _ recording: String, _ choice: RecordingChoice
  ) throws {
    (self.states, self.recording) = (states, recording)
    let process = try Self.process(states, choice.process)
    self.process = process
    let begin = states.tasks.flatMap(\.spans).map(\.start).min() ?? 0
    let from = choice.from.map { begin.addingReportingOverflow($0.rawValue).partialValue } ?? begin
    let to = choice.to.map { begin.addingReportingOverflow($0.rawValue) }
    let end = to.map { $0.overflow ? .max : $0.partialValue } ?? .max
    // Places stay what they are: others name them.
    tasks = states.tasks.map { task in
      var task = task
      let isOne = process < 0 || task.process == process
      task.spans = isOne ? task.spans.compactMap { Self.within($0, from, end) } : []
      return task
    }
    guard tasks.contains(where: { $0.ran > 0 }) else {
      throw RecordingMistake(
        .whole, states.firstUnread?.reason ?? "no task of a program runs in it")
    }
    first = tasks.flatMap(\.spans).map(\.start).min() ?? 0
    names = TraceNames(
      tasks.map { ($0.name.isEmpty ? "task" : $0.name, Int32(truncatingIfNeeded: $0.number)) })
    for actor in states.actors {
      actors.append(names.unique(TraceNames.identifier(TraceNames.printable(actor))))
    }
    for place in tasks.indices { add(place) }
    settleAwaits()
  }

  /// A span as far as it lies in the time that is asked for.
  private static func within(
    _ span: RecordedTask.Span, _ from: Int64, _ to: Int64
  ) -> RecordedTask.Span? {
    var span = span
    (span.start, span.end) = (max(span.start, from), min(span.end, to))
    return span.start < span.end ? span : nil
  }

  /// The process that is asked for, or the one whose tasks ran longest; -1 for all.
  private static func process(_ states: TaskStates, _ wanted: String?) throws -> Int64 {
    var all = ExportedProcesses(names: states.processes)
    for task in states.tasks { all.ran(task.process, for: task.ran) }
    return try all.chosen(wanted, of: "tasks") ?? -1
  }

  // MARK: Steps

  /// Makes steps of the spans of a task.
  private mutating func add(_ place: Int) {
    let spans = tasks[place].spans
    var steps: [ThreadOperation] = []
    // After the last run comes its end, or a wait that continues.
    let last = spans.lastIndex { $0.kind == .running } ?? -1
    var wasAwait = false
    for (index, span) in spans.enumerated() where index <= last {
      let length = span.end - span.start
      switch span.kind {
      case .making, .enqueued: continue
      case .running:
        if let end = steps.last, end.kind == .work, end.target == span.actor, index > 0,
          spans[index - 1].kind == .running
        {
          steps[steps.count - 1].length += length
        } else {
          steps.append(ThreadOperation(kind: .work, target: span.actor, length: length))
        }
      case .awaiting where isAwaited(span.other, by: place):
        steps.append(ThreadOperation(kind: .wait, target: span.other, length: length))
        wasAwait = true
        continue
      case .awaiting, .suspended:
        // After a task for which it waited, it is about to continue.
        if wasAwait { break }
        if let end = steps.last, end.kind == .io {
          steps[steps.count - 1].length += length
        } else {
          steps.append(ThreadOperation(kind: .io, length: length))
        }
      }
      wasAwait = false
    }
    self.steps.append(steps)
    let start = spans.first { $0.kind != .making && $0.kind != .suspended }?.start
    starts.append(last >= 0 ? start.map { $0 - first } ?? 0 : nil)
  }

  /// Whether there is a task to wait for.
  private func isAwaited(_ other: Int32, by place: Int) -> Bool {
    other >= 0 && Int(other) != place && tasks[Int(other)].ran > 0
  }

  /// A task that waits for one that was created while it ran created it; any other is at the top.
  private mutating func settleAwaits() {
    var waiters: [Int: Set<Int>] = [:]
    for place in steps.indices {
      for step in steps[place] where step.kind == .wait {
        waiters[Int(step.target), default: []].insert(place)
      }
    }
    for target in waiters.keys.sorted() {
      guard let all = waiters[target], all.count == 1, let waiter = all.first,
        reaches(target, waiter) == false, start(target, in: waiter)
      else {
        shared.insert(target)
        continue
      }
      starts[target] = nil
    }
    // Tasks that wait for each other would never continue.
    for target in shared.sorted() {
      for waiter in (waiters[target] ?? []).sorted() where reaches(target, waiter) {
        for index in steps[waiter].indices where steps[waiter][index].target == Int32(target) {
          if steps[waiter][index].kind == .wait { steps[waiter][index].kind = .io }
        }
      }
    }
  }

  /// Whether a task waits for another one, itself or through others.
  private func reaches(_ from: Int, _ to: Int) -> Bool {
    var (open, seen) = ([from], Set([from]))
    while let place = open.popLast() {
      for step in steps[place] where step.kind == .wait {
        if Int(step.target) == to { return true }
        if seen.insert(Int(step.target)).inserted { open.append(Int(step.target)) }
      }
    }
    return false
  }

  /// Puts the start of a task into the run of the task that created it.
  ///
  /// Returns false if the creator did not run at that time.
  private mutating func start(_ target: Int, in waiter: Int) -> Bool {
    guard let moment = tasks[target].spans.first?.start else { return false }
    // The runs of the waiter one by one, as its steps have them.
    var place = -1
    var offset: Int64 = 0
    var wasRunning = false
    let spans = tasks[waiter].spans
    var runs = steps[waiter].indices.filter { steps[waiter][$0].kind == .work }.makeIterator()
    var actor: Int32 = -2
    for span in spans {
      guard span.kind == .running else {
        wasRunning = false
        continue
      }
      if !wasRunning || span.actor != actor {
        // Starts of others have cut the work into parts, so that places are found by counting lengths.
        guard let next = runs.next() else { return false }
        (place, offset) = (next, 0)
      }
      (wasRunning, actor) = (true, span.actor)
      if moment >= span.start && moment < span.end {
        return cut(waiter, place, offset + moment - span.start, target)
      }
      offset += span.end - span.start
    }
    return false
  }

  private mutating func cut(_ waiter: Int, _ place: Int, _ offset: Int64, _ target: Int) -> Bool {
    let work = steps[waiter][place]
    let wait = steps[waiter].firstIndex { $0.kind == .wait && $0.target == Int32(target) }
    guard work.kind == .work, let wait, wait > place, offset <= work.length else { return false }
    let start = ThreadOperation(kind: .start, target: Int32(target))
    var parts = [start]
    if offset > 0 {
      parts.insert(ThreadOperation(kind: .work, target: work.target, length: offset), at: 0)
    }
    if offset < work.length {
      parts.append(
        ThreadOperation(kind: .work, target: work.target, length: work.length - offset))
    }
    steps[waiter].replaceSubrange(place...place, with: parts)
    return true
  }
}

// MARK: Text

extension TaskTrace {
  private func lines() -> [String] {
    let own = tasks.indices.filter { starts[$0] != nil }
    let file = recording.split(separator: "/").last.map(String.init) ?? recording
    let program = TraceNames.printable(states.processes[process] ?? "all tasks")
    var lines = TraceNotes.text(notes(file, program))
    lines += ["trace \"\(program), as \(TraceNames.printable(file)) has it\"", ""]
    lines += ["param cores = \(cores)", ""]
    lines.append("machine { platform: .macOS; cores: cores; costs: .zero }")
    lines += actorLines
    if !shared.isEmpty { lines.append("") }
    lines += shared.sorted().map { "var \(handle($0)): Task<Void, Never>? = nil" }
    let order = own.sorted { (starts[$0] ?? 0, $0) < (starts[$1] ?? 0, $1) }
    lines += ["", "main {"]
    for place in order where starts[place] == 0 { lines.append("    " + begin(place)) }
    lines.append("}")
    if order.contains(where: { starts[$0] != 0 }) { lines.append("") }
    for place in order {
      guard let start = starts[place], start > 0 else { continue }
      lines.append("at(\(Nanoseconds(start))) { \(begin(place)) }")
    }
    for place in tasks.indices where !steps[place].isEmpty {
      lines += ["", "func \(names.functions[place])() async {"]
      lines += body(place).map { "    " + $0 } + ["}"]
    }
    return lines
  }

  private func handle(_ place: Int) -> String { names.functions[place] + "Task" }

  private func make(_ place: Int) -> String {
    let name = "name: \"\(names.shown[place])\""
    let priority: String? =
      switch tasks[place].priority {
      case 0: nil
      case 25...: ".high"
      case 18...: ".medium"
      case 10...: ".low"
      default: ".background"
      }
    return "Task(\(name)\(priority.map { ", priority: \($0)" } ?? ""))"
  }

  private func spawn(_ place: Int) -> String {
    "\(make(place)) { await \(names.functions[place])() }"
  }

  /// What starts a task that no other one does.
  private func begin(_ place: Int) -> String {
    (shared.contains(place) ? "\(handle(place)) = " : "") + spawn(place)
  }

  private var actorLines: [String] {
    let used = Set(steps.joined().filter { $0.kind == .work }.map(\.target))
    let own = used.filter { $0 > TaskStates.mainActor }.sorted()
    guard !own.isEmpty else { return [] }
    let type = [
      "", "actor RecordedActor {", "    func run(_ time: Duration) { work(time) }", "}", "",
    ]
    return type + own.map { "let \(actors[Int($0)]) = RecordedActor()" }
  }

  private func body(_ place: Int) -> [String] {
    FunctionText(FoldedOperation.folded(steps[place])) { kind, target, length in
      switch kind {
      case .work where target == TaskStates.mainActor:
        "await MainActor.run { work(\(length)) }"
      case .work where target > 0: "await \(actors[Int(target)]).run(\(length))"
      case .work: "work(\(length))"
      case .wait: "await \(handle(Int(target)))\(shared.contains(Int(target)) ? "?" : "").value"
      case .start: "let \(handle(Int(target))) = \(spawn(Int(target)))"
      case .io: "await io(\(length))"
      case .signal, .sleep, .submit, .sync, .waitSemaphore, .signalSemaphore, .waitGroup, .enter,
        .leave, .poke:
        preconditionFailure("a task was not seen to \(kind)")
      }
    }.lines
  }

  /// As many tasks as ran at the same time on threads of their own.
  private var cores: Int {
    var changes: [(time: Int64, by: Int)] = []
    for task in tasks {
      for span in task.spans where span.kind == .running {
        changes += [(span.start, 1), (span.end, -1)]
      }
    }
    var (now, most) = (0, 1)
    for change in changes.sorted(by: { ($0.time, $0.by) < ($1.time, $1.by) }) {
      now += change.by
      most = max(most, now)
    }
    return min(most, 64)
  }

  private func notes(_ file: String, _ program: String) -> [(String, String)] {
    let spans = tasks.flatMap(\.spans)
    let ran = tasks.reduce(0) { $0 + $1.ran }
    let length = (spans.map(\.end).max() ?? first) - first
    let tasks = tasks.count { $0.ran > 0 }
    var notes = [
      ("imported", "from \(TraceNames.printable(file)), \(RecordingFormat.swiftTasks.name)"),
      (
        "program",
        "\(program)\(process >= 0 ? " (\(process))" : ""), \(tasks) tasks that ran, "
          + "\(TraceNotes.length(ran)) in \(TraceNotes.length(length))"
          + (states.isCut ? "; the rest is too much for a trace" : "")
      ),
    ]
    if let mistake = states.firstUnread {
      notes.append(
        ("repaired", "\(states.unread) rows skipped: \(mistake.sentence(of: "in it"))"))
    }
    notes.append(
      (
        "not in it",
        "cores and threads: as many cores as tasks ran at once; who made a task, but for those that "
          + "their maker waits for; who resumed a continuation: io; what else a thread did while a "
          + "task had it, which is part of its work"
      ))
    return notes
  }
}
