import SpindleRecordings

/// A recording that was made up: 13 ms of a program with two threads on two cores.
///
/// Main works 1 ms, makes a worker, works 1 ms more and waits for it. The worker works 3 ms, sleeps 5 ms
/// until a timer wakes it, works 1 ms, wakes main and works 2 ms more; main works its last 3 ms.
struct SampleRecording: Sendable {
  /// The spellings of one event.
  enum Dialect: String, CaseIterable, Sendable {
    case kernel, kernelWithoutProcesses, traceCommand, traceCommandRaw, traceCommandLatency, perf
    case perfWithProcesses, page, script, babeltrace
  }

  struct Event: Sendable {
    /// Microseconds.
    var time: Int
    var core: Int
    var name: String
    var thread: Int
    var flags: String
    var kind: Kind
  }

  enum Kind: Sendable {
    case switched(from: (String, Int), state: String, to: (String, Int))
    case woken(String, Int, word: String)
    case forked(child: Int)
    case exited
  }

  var events: [Event]

  static let app = ("app", 100)
  /// A name with what separates fields elsewhere.
  static let worker = ("app: w [1] 7-8", 101)

  static func idle(_ core: Int) -> (String, Int) { ("swapper/\(core)", 0) }

  static func switched(
    _ time: Int, _ core: Int, _ from: (String, Int), _ state: String, _ to: (String, Int)
  ) -> Event {
    Event(
      time: time, core: core, name: from.1 == 0 ? "<idle>" : from.0, thread: from.1, flags: "d..2.",
      kind: .switched(from: from, state: state, to: to))
  }

  static func woken(
    _ time: Int, _ core: Int, by waker: (String, Int), _ woken: (String, Int),
    flags: String = "d..2.",
    word: String = "waking"
  ) -> Event {
    Event(
      time: time, core: core, name: waker.1 == 0 ? "<idle>" : waker.0, thread: waker.1,
      flags: flags,
      kind: .woken(woken.0, woken.1, word: word))
  }

  /// The whole of it.
  static let whole = SampleRecording(events: [
    switched(0, 0, idle(0), "R", app),
    Event(
      time: 1_000, core: 0, name: app.0, thread: 100, flags: ".....", kind: .forked(child: 101)),
    woken(1_000, 0, by: app, worker, word: "wakeup_new"),
    switched(1_000, 1, idle(1), "R", worker),
    switched(2_000, 0, app, "S", idle(0)),
    switched(4_000, 1, worker, "S", idle(1)),
    woken(9_000, 1, by: idle(1), worker, flags: "d.h3."),
    switched(9_000, 1, idle(1), "R", worker),
    woken(10_000, 1, by: worker, app),
    switched(10_000, 0, idle(0), "R", app),
    Event(time: 12_000, core: 1, name: worker.0, thread: 101, flags: ".....", kind: .exited),
    switched(12_000, 1, worker, "Z", idle(1)),
    Event(time: 13_000, core: 0, name: app.0, thread: 100, flags: ".....", kind: .exited),
    switched(13_000, 0, app, "Z", idle(0)),
  ])

  /// What a trace of it does, without its comments.
  static let trace = """
    main(.tool) {
        work(1ms)
        Thread.detachNewThread(name: "app: w [1] 7-8") { appW178() }
        work(1ms)
        appThreadWakes.wait()
        work(3ms)
    }

    func appW178() {
        work(3ms)
        io(5ms)
        work(1ms)
        appThreadWakes.signal()
        work(2ms)
    }

    """

  /// The text in a dialect.
  func text(_ dialect: Dialect) -> String {
    let lines = events.map { line($0, dialect) }
    switch dialect {
    case .kernel, .kernelWithoutProcesses:
      return (["# tracer: nop", "# entries-in-buffer/entries-written: 14/14   #P:2"] + lines)
        .joined(separator: "\n") + "\n"
    case .traceCommand, .traceCommandRaw, .traceCommandLatency:
      return (["cpus=2"] + lines).joined(separator: "\n") + "\n"
    case .perf, .perfWithProcesses, .babeltrace: return lines.joined(separator: "\n") + "\n"
    case .page:
      let page = ["<!DOCTYPE html>", "<html><script class=\"trace-data\">", "# tracer: nop"]
      return (page + lines + ["</script></html>"]).joined(separator: "\n") + "\n"
    case .script: return lines.map { $0 + "\\n\\\n" }.joined()
    }
  }

  var bytes: RecordingInMemory { RecordingInMemory(Array(text(.kernel).utf8)) }

  private func line(_ event: Event, _ dialect: Dialect) -> String {
    let seconds = 70 + event.time / 1_000_000
    let digits = String(1_000_000 + event.time % 1_000_000).dropFirst()
    let process = event.thread == 0 ? "-----" : event.thread < 100 ? "\(event.thread)" : "100"
    let (name, thread, core) = (event.name, event.thread, "[00\(event.core)]")
    let head =
      switch dialect {
      case .kernel: "  \(name)-\(thread) (\(process)) \(core) \(event.flags) \(seconds).\(digits): "
      case .kernelWithoutProcesses, .page, .script:
        "  \(name)-\(thread)  \(core) \(event.flags) \(seconds).\(digits): "
      case .traceCommand, .traceCommandRaw: "  \(name)-\(thread)  \(core) \(seconds).\(digits): "
      case .traceCommandLatency:
        "\(name.prefix(8))-\(thread)   \(event.core)\(event.flags)  \(seconds).\(digits): "
      case .babeltrace:
        "[23:59:\(seconds - 14).\(digits)000] (+0.000000001) host "
      case .perf: "  \(name) \(thread) \(core) \(seconds).\(digits)000:  sched:"
      case .perfWithProcesses:
        "  \(name) \(thread == 0 ? 0 : 100)/\(thread) \(core) \(seconds).\(digits)000:  1 sched:"
      }
    return head + (dialect == .babeltrace ? groups(event) : fields(event, dialect))
  }

  /// The groups of fields that babeltrace prints.
  private func groups(_ event: Event) -> String {
    func text(_ name: String, _ fields: String) -> String {
      "\(name): { cpu_id = \(event.core) }, { \(fields) }"
    }
    switch event.kind {
    case .switched(let from, let state, let to):
      let left = ["R": "0", "S": "1", "Z": "32"][state] ?? state
      return text(
        "sched_switch",
        "prev_comm = \"\(from.0)\", prev_tid = \(from.1), prev_prio = 20, prev_state = \(left), "
          + "next_comm = \"\(to.0)\", next_tid = \(to.1), next_prio = 20")
    case .woken(let name, let thread, let word):
      return text("sched_\(word)", "comm = \"\(name)\", tid = \(thread), prio = 20, target_cpu = 1")
    case .forked(let child):
      return text(
        "sched_process_fork",
        "parent_comm = \"app\", parent_tid = \(event.thread), parent_pid = 100, "
          + "child_comm = \"app\", child_tid = \(child), child_pid = 100")
    case .exited:
      return text(
        "sched_process_exit", "comm = \"\(event.name)\", tid = \(event.thread), prio = 20")
    }
  }

  private func fields(_ event: Event, _ dialect: Dialect) -> String {
    let isShort = dialect == .traceCommand
    switch event.kind {
    case .switched(let from, let state, let to):
      if isShort {
        return "sched_switch:         \(from.0):\(from.1) [120] \(state) ==> \(to.0):\(to.1) [120]"
      }
      let numbers = ["R": "0", "S": "1", "Z": "32"]
      let isRaw = dialect == .traceCommandRaw
      let left = isRaw ? numbers[state] ?? state : state
      return
        "sched_switch: prev_comm=\(from.0) prev_pid=\(from.1) prev_prio=120 prev_state=\(left) "
        + "\(isRaw ? "" : "==> ")next_comm=\(to.0) next_pid=\(to.1) next_prio=120"
    case .woken(let name, let thread, let word):
      if isShort { return "sched_\(word):   \(name):\(thread) [120] success=1 CPU:001" }
      return "sched_\(word): comm=\(name) pid=\(thread) prio=120 target_cpu=001"
    case .forked(let child):
      return "sched_process_fork: comm=app pid=\(event.thread) child_comm=app child_pid=\(child)"
    case .exited: return "sched_process_exit: comm=\(event.name) pid=\(event.thread) prio=120"
    }
  }
}
