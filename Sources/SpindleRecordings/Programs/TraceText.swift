import SpindleModel

/// A recorded program as a trace of the language.
package struct TraceText {
  let program: RecordedProgram
  private let classes: NiceClasses
  private let recording: String
  var names: TraceNames
  var lines: [String] = []
  private var isTool = false
  /// What its queues, groups, semaphores and kinds of items are called.
  var dispatch = DispatchNames()
  /// By thread: the name of the semaphore on which it waits; empty where it never does.
  private var semaphores: [String] = []

  /// The trace of a program, from the recording that is called `recording`.
  ///
  /// With `endsWithMain` its process ends when the main thread's does, where that was recorded; else
  /// when all that was recorded is done.
  package static func text(
    _ program: RecordedProgram, recording: String, endsWithMain: Bool = true
  ) -> String {
    var text = TraceText(program, recording)
    text.isTool = endsWithMain && program.hasEnded
    text.write()
    return text.lines.joined(separator: "\n") + "\n"
  }

  private init(_ program: RecordedProgram, _ recording: String) {
    (self.program, self.recording, names) = (program, recording, program.names)
    classes = NiceClasses(program)
  }

  private mutating func write() {
    lines += TraceNotes.lines(program, recording: recording)
    lines.append("trace \"\(title)\"")
    lines += machine
    writeSemaphores()
    writeQueues()
    writeMain()
    for place in program.threads.indices where place != program.main && !isWorker(place) {
      writeThread(place)
    }
    writeItems()
  }

  /// Whether a thread is of a pool that the trace has of itself.
  private func isWorker(_ place: Int) -> Bool { program.threads[place].dispatch.isWorker }

  /// The machine, and the parameters for its cores.
  private var machine: [String] {
    guard program.survey.format == .instruments else {
      let policy = "policy: .fairShare(slice: \(slice))"
      // The pool's monitor looks for the first time when the pool is used, and not before.
      let costs = program.kinds.kinds.isEmpty ? ".zero" : ".zero(monitorStart: 120us)"
      return [
        "", "param cores = \(program.cores)", "",
        "machine { platform: .linux; cores: cores; costs: \(costs); \(policy) }",
      ]
    }
    let (slow, fast) = (program.efficiencyCores, program.cores - program.efficiencyCores)
    guard slow > 0, fast > 0 else {
      return [
        "", "param cores = \(program.cores)", "",
        "machine { platform: .macOS; cores: cores; costs: .zero }",
      ]
    }
    return [
      "", "param performanceCores = \(fast)", "param efficiencyCores = \(slow)", "", "machine {",
      "    platform: .macOS",
      "    cores: [.performance(performanceCores), .efficiency(efficiencyCores)]",
      "    costs: .zero", "}",
    ]
  }

  /// The slice of a machine with as many cores as the recorded one: 0.7 ms, and as much again for each
  /// doubling of the cores up to eight.
  ///
  /// Source: Linux, kernel/sched/fair.c, `sysctl_sched_base_slice` and `get_update_sysctl_factor`.
  private var slice: Nanoseconds {
    let counts = program.survey.counts
    let cores = min(8, max(1, counts.statedCores, counts.cores.count))
    return .microseconds(Int64(700 * (cores.bitWidth - cores.leadingZeroBitCount)))
  }

  private var title: String {
    let file = recording.split(separator: "/").last.map(String.init) ?? recording
    return "\(TraceNames.printable(program.choice.name)), as \(TraceNames.printable(file)) has it"
  }

  private mutating func writeSemaphores() {
    let waits = program.threads.map { thread in
      thread.operations.contains { $0.kind == .wait }
    }
    semaphores = waits.indices.map { place in
      waits[place] ? names.unique(names.functions[place] + "Wakes") : ""
    }
    guard waits.contains(true) else { return }
    lines += ["", "// Each thread waits on a semaphore of its own for the others."]
    for name in semaphores where !name.isEmpty {
      lines.append("let \(name) = DispatchSemaphore(value: 0)")
    }
  }

  private mutating func writeMain() {
    let main = program.main
    lines += ["", isTool ? "main(.tool) {" : "main {"]
    if let main, let quality = classes.quality(main) {
      lines.append("    Thread.current.qualityOfService = \(quality)")
    }
    lines += program.queues.enteredFirst.map { "    \(dispatch.groups[Int($0)]).enter()" }
    let there = program.threads.indices.filter {
      $0 != main && program.threads[$0].parent == nil && !isWorker($0)
    }
    let waiting = there.filter { program.threads[$0].operations.first?.kind != .work }
    lines += waiting.map { "    " + start($0) }
    if !waiting.isEmpty { lines.append("    yield()  // until they wait, as they did before") }
    lines += there.filter { !waiting.contains($0) }.map { "    " + start($0) }
    if let main { lines += body(main).map { "    " + $0 } }
    lines.append("}")
  }

  private mutating func writeThread(_ place: Int) {
    lines += ["", "func \(names.functions[place])() {"]
    lines += body(place).map { "    " + $0 }
    lines.append("}")
  }

  private func body(_ place: Int) -> [String] {
    let operations = FoldedOperation.folded(program.threads[place].operations)
    let isOther = !program.threads[place].isProgram
    return (isOther ? [Self.urgent] : [])
      + FunctionText(operations) { kind, target, length in
        kind == .wait
          ? "\(semaphores[place]).wait()" : statement(kind, Int(target), length)
      }.lines
  }

  /// A statement that does not depend on its thread.
  func statement(
    _ kind: ThreadOperation.Kind, _ target: Int, _ length: String
  ) -> String {
    switch kind {
    case .work: "work(\(length))"
    case .io: "io(\(length))"
    case .sleep: "sleep(until: Instant(\(length)))"
    case .signal: "\(semaphores[target]).signal()"
    case .start: start(target)
    case .submit, .sync: call(target, length)
    case .waitSemaphore: "\(dispatch.semaphores[target]).wait()"
    case .signalSemaphore: "\(dispatch.semaphores[target]).signal()"
    case .waitGroup: "\(dispatch.groups[target]).wait()"
    case .enter: "\(dispatch.groups[target]).enter()"
    case .leave: "\(dispatch.groups[target]).leave()"
    case .wait, .poke: preconditionFailure("a thread's own, or resolved before: \(kind)")
    }
  }

  /// The first statement of a thread of another program: it had the core, whatever else was runnable.
  private static let urgent =
    "Thread.current.realtime(period: 1h, computation: 50ms, constraint: 1h)"

  private func start(_ place: Int) -> String {
    let (name, function) = (names.shown[place], names.functions[place])
    guard let quality = classes.quality(place) else {
      return "Thread.detachNewThread(name: \"\(name)\") { \(function)() }"
    }
    return "Thread(name: \"\(name)\", qualityOfService: \(quality)) { \(function)() }.start()"
  }
}

/// The classes of service for the nice values of a recording.
///
/// Five values can be distinguished: -4, -2, 0, 2 and 10, as the fair share weighs classes. Others are moved,
/// all by as much, and then become the nearest.
private struct NiceClasses {
  private static let classes: [(nice: Int32, quality: String)] = [
    (-4, ".userInteractive"), (-2, ".userInitiated"), (0, ".default"), (2, ".utility"),
    (10, ".background"),
  ]
  private let nices: [Int32]
  private let isOther: [Bool]
  private let shift: Int32
  /// Whether all threads are of one class.
  let areAlike: Bool
  private let isMac: Bool
  private let main: Int?

  init(_ program: RecordedProgram) {
    // A real-time thread comes before all others.
    nices = program.threads.map { thread in
      thread.isProgram ? program.survey.threads[thread.thread].nice ?? -20 : 0
    }
    let own = program.threads.indices.filter {
      program.threads[$0].isProgram && !program.threads[$0].dispatch.isWorker
    }.map { [nices] in nices[$0] }
    let least = own.min() ?? 0
    // On a Mac the class determines on which cores a thread may run.
    isMac = program.survey.format == .instruments
    areAlike = own.allSatisfy { $0 == least } && !isMac
    main = program.main
    isOther = program.threads.map { !$0.isProgram }
    shift = least < -4 ? -4 - least : 0
  }

  /// The class of a thread; nil where all are of one.
  func quality(_ place: Int) -> String? {
    if areAlike || isOther[place] { return nil }
    let wanted = nices[place] + shift
    let quality = Self.classes.min { abs($0.nice - wanted) < abs($1.nice - wanted) }?.quality
    // The default class of a thread: that of a Mac's main thread is higher.
    return isMac && quality == ".default" && place != main ? nil : quality
  }
}
