import Testing

@testable import SpindleRecordings

/// Lines of a recording of a program, whose main thread is 100 and whose workers are from 101 on.
struct ProbedRecording {
  private var lines = ["# entries-in-buffer/entries-written: 1/1   #P:2"]
  private var running = [0, 0]

  private func name(_ thread: Int) -> String {
    thread == 0 ? "swapper/0" : thread == 100 ? "app" : thread < 110 ? "oot.default-qos" : "web"
  }

  /// Something happens on a core; microseconds.
  mutating func at(_ time: Int, _ core: Int, _ event: String, flags: String = "d..2.") {
    let digits = String(1_000_000 + time).dropFirst()
    let thread = running[core]
    let process = thread == 0 ? "-------" : "100"
    lines.append(
      " \(name(thread))-\(thread) (\(process)) [00\(core)] \(flags) 7.\(digits): \(event)")
  }

  /// A core goes to a thread, or to nobody.
  mutating func runs(_ time: Int, _ core: Int, _ next: Int, left state: String = "S") {
    let last = running[core]
    at(
      time, core,
      "sched_switch: prev_comm=\(name(last)) prev_pid=\(last) prev_prio=120 prev_state=\(state) "
        + "==> next_comm=\(name(next)) next_pid=\(next) next_prio=120")
    running[core] = next
  }

  /// Whoever has a core makes a thread, or wakes it.
  mutating func makes(_ time: Int, _ core: Int, _ thread: Int) {
    at(
      time, core,
      "sched_process_fork: comm=app pid=\(running[core]) child_comm=\(name(thread)) "
        + "child_pid=\(thread)")
    at(
      time, core, "sched_wakeup_new: comm=\(name(thread)) pid=\(thread) prio=120 target_cpu=000")
  }

  mutating func wakes(_ time: Int, _ core: Int, _ thread: Int, flags: String = "d..2.") {
    at(
      time, core, "sched_waking: comm=\(name(thread)) pid=\(thread) prio=120 target_cpu=000",
      flags: flags)
  }

  /// An item runs, from a moment to another.
  mutating func item(_ context: Int, _ core: Int, _ start: Int, _ end: Int) {
    at(start, core, "q_call: (0x7f) ctxt=0x\(context)")
    at(end, core, "q_return: (0x7f <- 0x7f)")
  }

  func program(_ choice: RecordingChoice = .init()) throws -> RecordedProgram {
    let bytes = RecordingInMemory(Array((lines.joined(separator: "\n") + "\n").utf8))
    return try RecordedProgram(RecordingSurvey(bytes), of: bytes, choice)
  }

  /// What a trace of it says from its machine on.
  func trace(_ choice: RecordingChoice = .init()) throws -> String {
    let text = TraceText.text(try program(choice), recording: "sample")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("machine") })
    return lines[(start + 2)...].joined(separator: "\n")
  }
}
