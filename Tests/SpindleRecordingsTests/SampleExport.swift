import SpindleRecordings

/// Writes tables in the form in which Instruments exports them: a value is given once, with an id, and
/// named by it from then on.
struct SampleExport {
  /// A thread: its name and number, and those of its process.
  struct Thread: Hashable, Sendable {
    var name: String
    var number: Int
    var process = "App"
    var processNumber = 700
    var label: String {
      "\(name) (0x\(String(number, radix: 16))) (\(process), pid: \(processNumber))"
    }
  }

  static let main = Thread(name: "Main Thread", number: 0x1E9000)
  static let worker = Thread(name: "Worker &amp; Co", number: 0x1E9001)
  static let kernel = Thread(name: "thread_call", number: 112, process: "kernel", processNumber: 0)

  private var ids: [String: Int] = [:]
  let schema: String
  let columns: [String]
  var rows: [String] = []

  init(_ schema: String, _ columns: [String]) { (self.schema, self.columns) = (schema, columns) }

  /// The whole of it.
  var text: String {
    let head = columns.map { "<col><mnemonic>\($0)</mnemonic><name>\($0)</name></col>" }.joined()
    return """
      <?xml version="1.0"?>
      <trace-query-result>
      <node xpath='//trace-toc[1]/run[1]/data[1]/table[5]'><schema name="\(schema)">\(head)</schema>\
      \(rows.joined(separator: "\n"))
      </node></trace-query-result>

      """
  }

  var bytes: RecordingInMemory { RecordingInMemory(Array(text.utf8)) }

  static let nothing = "<sentinel/>"

  /// A value, or the name of one that was given before.
  mutating func value(_ tag: String, _ shown: String, _ inner: String? = nil) -> String {
    let key = tag + " " + shown
    if let id = ids[key] { return "<\(tag) ref=\"\(id)\"/>" }
    ids[key] = ids.count + 1
    return "<\(tag) id=\"\(ids.count)\" fmt=\"\(shown)\">\(inner ?? shown)</\(tag)>"
  }

  mutating func process(_ thread: Thread) -> String {
    let number = value("pid", "\(thread.processNumber)")
    return value("process", "\(thread.process) (\(thread.processNumber))", number)
  }

  mutating func thread(_ thread: Thread) -> String {
    let inner =
      value("tid", "0x\(String(thread.number, radix: 16))", "\(thread.number)") + process(thread)
    return value("thread", thread.label, inner)
  }

  mutating func time(_ time: Int) -> String { value("start-time", "00:0\(time)", "\(time)") }

  mutating func duration(_ length: Int) -> String { value("duration", "\(length) ns", "\(length)") }

  // MARK: Threads

  /// What a thread did for some microseconds, on core 4 or 5, which are fast, or 0, which is not.
  struct State: Sendable {
    var start: Int
    var length: Int
    var thread: Thread
    var state: String
    var core: Int?
    var priority = 31
    var waker: Thread?
    var isInterrupt = false
  }

  static let threadColumns = [
    "start", "thread", "state", "duration", "process", "core", "priority", "note",
    "made-runnable-by-thread",
  ]

  /// A table of states; the older one names a waker in the note alone.
  static func threads(_ states: [State], isOld: Bool = false) -> SampleExport {
    var export = SampleExport("thread-state", isOld ? threadColumns.dropLast() : threadColumns)
    for state in states {
      var note = nothing
      if let waker = state.waker {
        let by = state.isInterrupt ? "the interrupt handler of " : " "
        note = export.value(
          "narrative", "made runnable by \(by)\(waker.label)  running on  CPU 1", "")
      }
      let kind = state.core == 0 ? "E" : "P"
      var cells = [
        export.time(state.start * 1_000), export.thread(state.thread),
        export.value("thread-state", state.state), export.duration(state.length * 1_000),
        export.process(state.thread),
        state.core.map { export.value("core", "CPU \($0) (\(kind) Core)", "\($0)") } ?? nothing,
        export.value("sched-priority", "\(state.priority)"), note,
      ]
      if !isOld { cells.append(state.waker.map { export.thread($0) } ?? nothing) }
      export.rows.append("<row>" + cells.joined() + "</row>")
    }
    return export
  }

  /// Two threads of a program, and one of the kernel's that is interrupted.
  ///
  /// Main works 1 ms, wakes the worker, works 1 ms more and waits. The worker works 3 ms, is parked for 5 ms
  /// until an interrupt wakes it, works 1 ms on a slow core, wakes main and works 2 ms more; main works its
  /// last 3 ms, and both end.
  static let states = [
    State(start: 0, length: 1_000, thread: main, state: "Running", core: 4, priority: 46),
    State(start: 0, length: 1_000, thread: worker, state: "Blocked"),
    State(start: 1_000, length: 1_000, thread: main, state: "Running", core: 4, priority: 47),
    State(start: 1_000, length: 10, thread: worker, state: "Runnable", waker: main),
    State(start: 1_010, length: 3_000, thread: worker, state: "Running", core: 5),
    State(start: 2_000, length: 7_020, thread: main, state: "Blocked", priority: 46),
    State(start: 4_010, length: 5_000, thread: worker, state: "Idle"),
    State(
      start: 9_010, length: 10, thread: worker, state: "Runnable", waker: kernel, isInterrupt: true),
    State(start: 9_020, length: 400, thread: worker, state: "Running", core: 0),
    State(start: 9_420, length: 100, thread: worker, state: "Interrupted", core: 0),
    State(start: 9_520, length: 500, thread: worker, state: "Running", core: 0),
    State(start: 9_020, length: 1_000, thread: main, state: "Idle", priority: 46),
    State(start: 10_020, length: 2_000, thread: worker, state: "Running", core: 0, priority: 20),
    State(start: 10_020, length: 10, thread: main, state: "Runnable", priority: 46, waker: worker),
    State(start: 10_030, length: 3_000, thread: main, state: "Running", core: 4, priority: 46),
    State(start: 12_020, length: 1_000, thread: worker, state: "Terminated"),
    State(start: 13_030, length: 1_000, thread: main, state: "Terminated"),
  ]

  /// What a trace of it does, without its comments.
  static let trace = """
    machine {
        platform: .macOS
        cores: [.performance(performanceCores), .efficiency(efficiencyCores)]
        costs: .zero
    }

    // Each thread waits on a semaphore of its own for the others.
    let mainThreadWakes = DispatchSemaphore(value: 0)
    let workerCoWakes = DispatchSemaphore(value: 0)

    main(.tool) {
        Thread.current.qualityOfService = .userInteractive
        Thread.detachNewThread(name: "Worker & Co") { workerCo() }
        yield()  // until they wait, as they did before
        work(1ms)
        workerCoWakes.signal()
        work(1ms)
        mainThreadWakes.wait()
        work(3ms)
    }

    func workerCo() {
        workerCoWakes.wait()
        work(3ms)
        io(5ms)
        work(1ms)
        mainThreadWakes.signal()
        work(2ms)
    }

    """
}
