import Testing

@testable import SpindleRecordings

/// The tables of Instruments about Swift tasks and run loops, which say nothing of cores.
@Suite struct InstrumentsTaskTests {
  /// A row of the table of tasks, in microseconds.
  struct Span: Sendable {
    var start: Int
    var length: Int
    var task: Int
    var state: String
    var actor: String?
    var isEnqueued = false
    var priority = "High/User Initiated (25)"
    var waitsFor: Int?
    var process = 700
  }

  static let everyone = "Global Concurrent Executor"
  static let mainActor = "Main Actor (0x75550177c0)"
  static let store = "App.Store (0x7552f2db80)"

  private func table(_ spans: [Span]) -> RecordingInMemory {
    let columns = [
      "start", "duration", "task", "enqueued-actor", "actor", "state", "priority", "waiting-for",
      "process", "thread",
    ]
    var export = SampleExport("SwiftTaskStateTable", columns)
    func task(_ number: Int, _ process: Int) -> String {
      let owner = SampleExport.Thread(name: "", number: 0, processNumber: process)
      let inner = export.value("swift-task-id", "\(number)") + export.process(owner)
      let name =
        number < 10 ? "0x\(process) (\(number))" : "View.task @ A.swift:\(number) (\(number))"
      return export.value("analysis-core-swift-task", name, inner)
    }
    func actor(_ name: String) -> String {
      let id = name == Self.everyone ? "0" : "\(name.utf8.count)"
      return export.value("swift-actor", name, export.value("swift-actor-id", id))
    }
    for span in spans {
      let thread = SampleExport.Thread(
        name: "App", number: 100 + span.task, processNumber: span.process)
      let value = String(span.priority.split(separator: "(").last?.dropLast() ?? "0")
      let cells = [
        export.time(span.start * 1_000), export.duration(span.length * 1_000),
        task(span.task, span.process), span.isEnqueued ? actor(Self.everyone) : "<sentinel/>",
        span.actor.map { actor($0) } ?? "<sentinel/>",
        export.value("swift-task-state", span.state),
        export.value("swift-task-priority", span.priority, export.value("uint32", value)),
        span.waitsFor.map { task($0, span.process) } ?? "<sentinel/>", export.process(thread),
        span.state == "Running" ? export.thread(thread) : "<sentinel/>",
      ]
      export.rows.append("<row>" + cells.joined() + "</row>")
    }
    return export.bytes
  }

  private func trace(
    _ spans: [Span], _ choice: RecordingChoice = .init()
  ) throws -> String {
    let bytes = table(spans)
    #expect(try RecordingFormat.of(bytes) == .swiftTasks)
    return try #require(try ExportedTrace.text(bytes, recording: "a.xml", choice))
  }

  /// What is behind the machine.
  private func program(_ text: String) -> String {
    text.firstRange(of: "zero }\n\n").map { String(text[$0.upperBound...]) } ?? text
  }

  /// One task hops between the pool, the main actor and an actor of its own, and waits for input; another
  /// one begins later and has not ended.
  @Test func tasksRunWhereTheyDid() throws {
    let text = try trace([
      Span(start: 1_000, length: 20, task: 1, state: "Creating", priority: "Unknown (0)"),
      Span(start: 1_020, length: 10, task: 1, state: "Suspended", isEnqueued: true),
      Span(start: 1_030, length: 100, task: 1, state: "Running", actor: Self.everyone),
      Span(start: 1_130, length: 50, task: 1, state: "Running", actor: Self.everyone),
      Span(start: 1_180, length: 5_000, task: 1, state: "Continuation"),
      Span(start: 6_180, length: 20, task: 1, state: "Suspended"),
      Span(start: 6_200, length: 20, task: 1, state: "Enqueued", isEnqueued: true),
      Span(start: 6_220, length: 300, task: 1, state: "Running", actor: Self.mainActor),
      Span(start: 6_520, length: 40, task: 1, state: "Running", actor: Self.store),
      Span(start: 6_560, length: 40, task: 1, state: "Suspended"),
      Span(
        start: 6_400, length: 200, task: 20, state: "Running", actor: Self.everyone,
        priority: "Low/Utility (17)"),
      Span(start: 6_600, length: 9_000, task: 20, state: "Continuation"),
    ])
    #expect(
      program(text) == """
        actor RecordedActor {
            func run(_ time: Duration) { work(time) }
        }

        let appStore = RecordedActor()

        main {
        }

        at(20us) { Task(name: "task", priority: .high) { await task() } }
        at(5.4ms) { Task(name: "View.task @ A.swift:20", priority: .low) { await viewTaskASwift20() } }

        func task() async {
            work(150us)
            await io(5.02ms)
            await MainActor.run { work(300us) }
            await appStore.run(40us)
        }

        func viewTaskASwift20() async {
            work(200us)
        }

        """, "\(text)")
    // Both ran at once, but no third.
    #expect(text.contains("param cores = 2\n"))
    #expect(text.contains("App (700), 2 tasks that ran, 690us in 14.6ms"))
  }

  /// Who waits for a task that began while it ran made it; one that began elsewhere stands at the top.
  @Test func tasksWaitForTasks() throws {
    let text = try trace([
      Span(start: 0, length: 100, task: 1, state: "Running", actor: Self.everyone),
      Span(start: 30, length: 10, task: 2, state: "Creating", priority: "Unknown (0)"),
      Span(start: 40, length: 500, task: 2, state: "Running", actor: Self.everyone),
      Span(start: 50, length: 450, task: 3, state: "Running", priority: "Medium (21)"),
      Span(start: 100, length: 440, task: 1, state: "Waiting", waitsFor: 2),
      Span(start: 540, length: 5, task: 1, state: "Suspended"),
      Span(start: 545, length: 5, task: 1, state: "Running", actor: Self.everyone),
      Span(start: 550, length: 10, task: 1, state: "Waiting", waitsFor: 3),
      Span(start: 560, length: 10, task: 1, state: "Running", actor: Self.everyone),
      Span(start: 300, length: 10, task: 4, state: "Running"),
      Span(start: 310, length: 190, task: 4, state: "Waiting", waitsFor: 3),
      Span(start: 500, length: 10, task: 4, state: "Running"),
    ])
    #expect(text.contains("\nvar task3Task: Task<Void, Never>? = nil\n"), "\(text)")
    #expect(
      text.contains(
        "at(50us) { task3Task = Task(name: \"task 3\", priority: .medium) { await task3() } }\n"))
    #expect(
      text.contains("main {\n    Task(name: \"task 1\", priority: .high) { await task1() }\n}"))
    #expect(
      text.contains(
        """
        func task1() async {
            work(30us)
            let task2Task = Task(name: "task 2", priority: .high) { await task2() }
            work(70us)
            await task2Task.value
            work(5us)
            await task3Task?.value
            work(10us)
        }
        """), "\(text)")
  }

  /// Tasks that wait for each other, or for one that never ran, wait for a time instead.
  @Test func circlesOfTasksAreCut() throws {
    let text = try trace([
      Span(start: 0, length: 10, task: 1, state: "Running"),
      Span(start: 10, length: 20, task: 1, state: "Waiting", waitsFor: 2),
      Span(start: 30, length: 10, task: 1, state: "Running"),
      Span(start: 0, length: 10, task: 2, state: "Running"),
      Span(start: 10, length: 20, task: 2, state: "Waiting", waitsFor: 1),
      Span(start: 30, length: 10, task: 2, state: "Running"),
      Span(start: 0, length: 10, task: 3, state: "Running"),
      Span(start: 10, length: 20, task: 3, state: "Waiting", waitsFor: 9),
      Span(start: 30, length: 10, task: 3, state: "Running"),
    ])
    #expect(text.contains("func task3() async {\n    work(10us)\n    await io(20us)\n"))
    #expect(text.count { $0 == "\n" } > 10)
    let awaits = text.split(separator: "\n").count { $0.hasSuffix(".value") }
    #expect(awaits == 1, "\(text)")
  }

  /// Without a choice it is the process whose tasks ran longest.
  @Test func processIsChosen() throws {
    let spans = [
      Span(start: 0, length: 10, task: 1, state: "Running"),
      Span(start: 0, length: 90, task: 1, state: "Running", process: 800),
    ]
    #expect(try trace(spans).contains("App (800), 1 tasks that ran, 90us"))
    var choice = RecordingChoice()
    choice.process = "700"
    #expect(try trace(spans, choice).contains("App (700), 1 tasks that ran, 10us"))
    choice.process = "none"
    let mistake = try #require(throws: RecordingMistake.self) { try trace(spans, choice) }
    #expect(mistake.reason.contains("those whose tasks ran most are App (800), App (700)"))
  }

  // MARK: Run loops

  static let loopColumns = [
    "start", "duration", "interval-type", "nesting-level", "mode", "is-main", "thread",
  ]

  private func interval(
    _ export: inout SampleExport, _ kind: String, _ start: Int, _ length: Int,
    _ thread: SampleExport.Thread
  ) {
    let isMain = thread == SampleExport.main
    let cells = [
      export.time(start * 1_000), export.duration(length * 1_000),
      export.value("short-string", kind),
      export.value("uint64", "1"), export.value("medium-length-string", "kCFRunLoopDefaultMode"),
      isMain ? export.value("boolean", "Yes", "1") : export.value("boolean", "No", "0"),
      export.thread(thread),
    ]
    export.rows.append("<row>" + cells.joined() + "</row>")
  }

  /// Main is busy for 10 us, waits for 90, is busy for 50 and, in a loop within, waits for 30 of 70 more;
  /// another thread's loop is busy once.
  static let passes: [(kind: String, start: Int, length: Int, thread: SampleExport.Thread)] = [
    ("Runloop Run", 1_000, 500, SampleExport.main),
    ("Individual Iteration", 1_000, 220, SampleExport.main),
    ("Waiting For Events", 1_010, 90, SampleExport.main),
    ("Busy", 1_000, 10, SampleExport.main),
    ("Individual Iteration", 1_150, 70, SampleExport.main),
    ("Waiting For Events", 1_160, 30, SampleExport.main),
    ("Individual Iteration", 1_200, 7, SampleExport.worker),
  ]

  static let loopTrace = """
    main {
        Thread.detachNewThread(name: "Worker & Co") { workerCo() }
        let lengths = [
            0s, 100us, 190us,
        ]
        let lengths2 = [
            10us, 60us, 30us,
        ]
        for i in 0 ..< 3 {
            let moment = lengths[i]
            perform(afterDelay: moment) { work(lengths2[i]) }
        }
    }

    func workerCo() {
        let moment = 200us
        perform(afterDelay: moment) { work(7us) }
        RunLoop.current.run()
    }

    """

  @Test func passesBecomeItemsOfTheLoop() throws {
    var export = SampleExport("runloop-intervals", Self.loopColumns)
    for pass in Self.passes { interval(&export, pass.kind, pass.start, pass.length, pass.thread) }
    let text = try #require(try ExportedTrace.text(export.bytes, recording: "a.xml"))
    #expect(program(text) == Self.loopTrace, "\(text)")
    #expect(text.contains("App (700), 2 run loops, busy 4 times for 107us"))
    #expect(text.contains("// passes     3 in kCFRunLoopDefaultMode"))
  }

  /// The table of events has the same as beginnings and ends.
  @Test func eventsOfLoopsAreTheSame() throws {
    let columns = ["timestamp", "interval-type", "event-type", "mode", "is-main", "thread"]
    var export = SampleExport("runloop-events", columns)
    var events: [(time: Int, row: String)] = []
    for pass in Self.passes where pass.kind != "Busy" {
      let kind =
        pass.kind == "Runloop Run"
        ? "runloop_run" : pass.kind.lowercased().replacing(" ", with: "_")
      for (time, word, value) in [
        (pass.start, "START", "1"), (pass.start + pass.length, "END", "2"),
      ] {
        let isMain = pass.thread == SampleExport.main
        let cells = [
          "<event-time>\(time * 1_000)</event-time>", export.value("short-string", kind),
          export.value("kdebug-func", word, value),
          export.value("medium-length-string", "kCFRunLoopDefaultMode"),
          isMain ? export.value("boolean", "Yes", "1") : export.value("boolean", "No", "0"),
          export.thread(pass.thread),
        ]
        events.append((time, "<row>" + cells.joined() + "</row>"))
      }
    }
    export.rows = events.map(\.row)
    let text = try #require(try ExportedTrace.text(export.bytes, recording: "a.xml"))
    #expect(program(text) == Self.loopTrace, "\(text)")
  }

  @Test func loopsThatDoNotTurnAreRefused() throws {
    var export = SampleExport("runloop-intervals", Self.loopColumns)
    interval(&export, "Runloop Run", 0, 5, SampleExport.main)
    let mistake = try #require(throws: RecordingMistake.self) {
      try ExportedTrace.text(export.bytes, recording: "a.xml")
    }
    #expect(mistake.sentence(of: "f") == "f: no run loop turns in it")
  }
}
