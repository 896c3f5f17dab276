import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// Run loops that are used in every way at once: the state never contradicts itself, and runs repeat.
@Suite struct RandomRunLoopTests {
  @Test("invariants hold and runs repeat", arguments: 0..<Effort.count(24, whole: 60))
  func everyProgram(seed: Int) {
    var generator = RandomRunLoopTraces(seed: UInt64(seed))
    let text = generator.trace(platform: ["iOS", "linux", "macOS", "ideal"][seed % 4])
    var limits = RunLimits()
    limits.steps = Effort.count(40_000, whole: 100_000)
    limits.checksInvariants = true
    let first = TestRun(text, limits: limits, writesLog: false)
    #expect(first.messages == [], "seed \(seed):\n\(text)")
    limits.checksInvariants = false
    let second = TestRun(
      text, limits: limits, sizes: StructureSizes(smallBy: UInt64(seed)), writesLog: false)
    #expect(first.record != nil && first.digest == second.digest, "seed \(seed):\n\(text)")
    let nesting = RunLoopNesting()
    if let program = first.program {
      _ = Simulation(program, limits: limits).run(consumers: [nesting])
    }
    #expect(nesting.count > 0, "seed \(seed)")
    #expect(nesting.faults == [], "seed \(seed):\n\(text)")
  }
}

/// Whether each thread leaves the runs of its loop that it entered, the innermost first, before it ends.
private final class RunLoopNesting: LogConsumer {
  /// The modes of the runs that each thread is in, the innermost last.
  private var modes: [Int32: [Int32]] = [:]
  /// How many runs there were.
  private(set) var count = 0
  private(set) var faults: [String] = []

  func begin(_ run: RunDescription) {}

  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      switch entry.event {
      case .runLoopEntered:
        modes[entry.thread, default: []].append(entry.object)
        count += 1
      // With result 0 it did not begin.
      case .runLoopLeft where entry.detail != 0:
        if modes[entry.thread]?.popLast() != entry.object { note(entry, "leaves another run") }
      case .threadEnded where modes.removeValue(forKey: entry.thread)?.isEmpty == false:
        note(entry, "ends in a run")
      default: break
      }
    }
  }

  func end(_ record: RunRecord) {}

  private func note(_ entry: LogEntry, _ fault: String) {
    faults.append("\(Instant(entry.time)): thread \(entry.thread) \(fault)")
  }
}

/// Random traces of threads that run their loops and meddle with each other's.
struct RandomRunLoopTraces {
  private var state: UInt64

  /// Creates the generator for a seed.
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  private mutating func draw(_ below: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % below
  }

  private mutating func pick(_ words: [String]) -> String { words[draw(words.count)] }

  /// A trace of some threads, and of a world that disturbs them.
  mutating func trace(platform: String) -> String {
    var text = """
      trace "random" { until: 100ms }
      machine { platform: .\(platform); cores: \(1 + draw(3)) }
      let own = RunLoop.Mode("own")

      """
    for item in 0..<3 {
      text += "let s\(item) = Source(order: \(draw(5) - 2)) {\n\(statements(depth: 1))}\n"
      text += "let p\(item) = Port { message in\n\(statements(depth: 1))}\n"
      text +=
        "let c\(item) = Timer(timeInterval: \(time()), repeats: \(pick(["true", "false"]))) {\n"
      text += "\(statements(depth: 1))}\n"
    }
    for thread in 0..<3 {
      text += "let t\(thread) = Thread(name: \"t\(thread)\") {\n"
      text += "    RunLoop.current.add(Port { }, forMode: own)\n"
      text += "    RunLoop.current.add(Port { }, forMode: .default)\n"
      text += "    for i in 0 ..< 5 {\n\(statements(depth: 0))    }\n"
      text += "    RunLoop.current.run(until: 80ms)\n}\n"
    }
    text += "main {\n    t0.start()\n    t1.start()\n    t2.start()\n\(statements(depth: 0))}\n"
    for _ in 0..<30 {
      text += "at(\(1 + draw(90))ms) {\n    \(disturbance())\n    \(disturbance())\n}\n"
    }
    return text
  }

  private mutating func time() -> String { "\(draw(9_000))us" }
  private mutating func thread() -> String { "t\(draw(3))" }
  private mutating func mode() -> String { pick([".default", ".default", "own"]) }
  private mutating func anyMode() -> String { pick([".default", ".common", "own", ".tracking"]) }

  private mutating func statements(depth: Int) -> String {
    var text = ""
    for _ in 0..<(1 + draw(depth == 0 ? 8 : 3)) {
      text += "    \(draw(3) == 0 ? disturbance() : own(depth: depth))\n"
    }
    return text
  }

  /// What may leave something among the common items that must not come back: it is taken out of the
  /// default mode, ends or goes to another loop, and then a mode joins.
  private mutating func haunting(_ loop: String) -> String {
    let item = "\(pick(["s", "p", "c", "c"]))\(draw(3))"
    let end = [
      "\(item).invalidate()", "\(thread()).runLoop.add(\(item), forMode: \(mode()))",
      "\(loop).add(\(item), forMode: .common)",
    ][draw(3)]
    return "\(loop).add(\(item), forMode: .common); \(loop).remove(\(item), forMode: .default)\n"
      + "    \(end)\n    CFRunLoopAddCommonMode(\(loop), own); RunLoop.main.track(for: 1ms)"
  }

  /// What anybody may do to anybody's loop.
  private mutating func disturbance() -> String {
    let loop = draw(6) == 0 ? "RunLoop.main" : "\(thread()).runLoop"
    if draw(20) == 0 { return haunting(loop) }
    switch draw(14) {
    case 0: return "s\(draw(3)).signal()"
    case 1, 2: return "s\(draw(3)).signal(); CFRunLoopWakeUp(\(loop))"
    case 3: return "CFRunLoopStop(\(loop))"
    case 4, 5: return "p\(draw(3)).send(\"x\")"
    case 6: return "perform(on: \(thread())) { mark(\"performed\") }"
    case 7: return "\(loop).perform(inModes: [\(anyMode())]) { mark(\"block\") }"
    case 8: return "\(loop).add(\(pick(["s", "p", "c"]))\(draw(3)), forMode: \(anyMode()))"
    case 9: return "\(loop).remove(\(pick(["s", "p", "c"]))\(draw(3)), forMode: \(anyMode()))"
    case 10: return "c\(draw(3)).fireDate = .now() + \(time())"
    case 11: return "CFRunLoopAddCommonMode(\(loop), own)"
    case 12: return draw(4) == 0 ? "c\(draw(3)).invalidate()" : "c\(draw(3)).tolerance = \(time())"
    default: return draw(8) == 0 ? "s\(draw(3)).invalidate()" : "RunLoop.main.track(for: \(time()))"
    }
  }

  /// What a thread does with its own loop.
  private mutating func own(depth: Int) -> String {
    if depth > 2 { return "work(\(draw(300))us)" }
    switch draw(11) {
    case 0: return "work(\(draw(900))us)"
    case 1: return "sleep(\(time()))"
    case 2, 3: return "_ = CFRunLoopRunInMode(\(mode()), \(time()), \(pick(["true", "false"])))"
    case 4: return "_ = RunLoop.current.run(mode: \(mode()), before: .now() + \(time()))"
    case 5: return "perform(afterDelay: \(time())) {\n\(statements(depth: depth + 1))}"
    case 6: return "perform(on: Thread.current, waitUntilDone: true) { mark(\"at once\") }"
    case 7:
      return "io(\(time()), runLoop: RunLoop.current, mode: \(anyMode())) {\n"
        + "\(statements(depth: depth + 1))}"
    case 8:
      return "Timer.scheduledTimer(withTimeInterval: \(time()), repeats: false) {\n"
        + "\(statements(depth: depth + 1))}"
    case 9:
      let activity = pick([".entry", ".beforeTimers", ".afterWaiting", ".exit", ".allActivities"])
      return "RunLoop.current.observe(\(activity), repeats: \(pick(["true", "false"])), "
        + "order: \(draw(3)), forMode: \(anyMode())) { work(10us) }"
    default: return draw(6) == 0 ? "c\(draw(3)).fire()" : "cancelPreviousPerforms()"
    }
  }
}
