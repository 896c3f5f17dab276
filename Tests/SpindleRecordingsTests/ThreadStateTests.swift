import Foundation
import SpindleModel
import Testing

@testable import SpindleRecordings

/// What threads did, where a recording is not complete.
@Suite struct ThreadStateTests {
  private func program(
    _ sample: SampleRecording, _ choice: RecordingChoice = .init()
  ) throws -> RecordedProgram {
    try RecordedProgram(RecordingSurvey(sample.bytes), of: sample.bytes, choice)
  }

  private func body(_ program: RecordedProgram) -> String {
    let text = TraceText.text(program, recording: "sample")
    return String(text[(text.range(of: "main")?.lowerBound ?? text.startIndex)...])
  }

  /// The worker is on core 1 from when it was woken, which says the same.
  @Test func switchThatIsMissingIsPutIn() throws {
    var sample = SampleRecording.whole
    sample.events.remove(at: 7)
    let program = try program(sample)
    #expect(body(program) == SampleRecording.trace)
    #expect(program.survey.counts.inferred == 1)
  }

  /// A preemption is the machine's, and not the program's: 3 ms of main's work stay one.
  @Test func workIsOneOverPreemptions() throws {
    var sample = SampleRecording.whole
    let other = ("other", 50)
    sample.events.insert(
      contentsOf: [
        SampleRecording.switched(11_000, 0, SampleRecording.app, "R", other),
        SampleRecording.switched(11_500, 0, other, "S", SampleRecording.app),
      ], at: 10)
    let program = try program(sample)
    #expect(
      body(program) == SampleRecording.trace.replacing("work(3ms)\n}", with: "work(2.5ms)\n}"))
    #expect(program.rows[0].activity.waited == 500_000)
    var choice = RecordingChoice()
    choice.takesOthers = true
    let both = body(try self.program(sample, choice))
    #expect(both.contains("sleep(until: Instant(11ms))\n    work(500us)"))
  }

  /// An interrupt has the name of whom it interrupted, and wakes nobody in that name.
  @Test func interruptsAreNoThreads() throws {
    var sample = SampleRecording.whole
    // The timer comes while main runs, which goes on to 10 ms.
    sample.events.remove(at: 4)
    sample.events[5] = SampleRecording.woken(
      9_000, 0, by: SampleRecording.app, SampleRecording.worker, flags: "d.h3.")
    let text = body(try program(sample))
    #expect(text.contains("io(5ms)"))
    #expect(!text.contains("appW178Wakes"))
  }

  /// From 3 ms on the worker's work is 1 of its 3 ms, and main waits all the time.
  @Test func windowIsCut() throws {
    var choice = RecordingChoice()
    (choice.from, choice.to) = (Nanoseconds(3_000_000), Nanoseconds(11_000_000))
    let program = try program(SampleRecording.whole, choice)
    #expect(program.span == Nanoseconds(8_000_000))
    let text = body(program)
    #expect(text.contains("    appThreadWakes.wait()\n    work(1ms)\n}"))
    #expect(
      text.contains(
        "    work(1ms)\n    io(5ms)\n    work(1ms)\n    appThreadWakes.signal()\n    work(1ms)"))
  }

  @Test func processesAreFoundByNumberAndName() throws {
    for name in ["100", "app", "all"] {
      var choice = RecordingChoice()
      choice.process = name
      #expect(try program(SampleRecording.whole, choice).rows.count == 2)
    }
    var choice = RecordingChoice()
    choice.process = "web"
    #expect(throws: RecordingMistake.self) { try program(SampleRecording.whole, choice) }
  }

  /// Both cores idle from 4 to 9 ms; then a thread that is ready at 9 and comes at 10 was held for 1 ms.
  @Test func threadIsHeldWhileACoreIsIdle() {
    var held = HeldThreads()
    held.core(0, isIdle: true, at: 4_000_000)
    held.waits(7, at: 9_000_000)
    #expect(held.runs(7, at: 10_000_000) == 1_000_000)
    // What is short is how long a core takes to wake up.
    held.waits(7, at: 11_000_000)
    #expect(held.runs(7, at: 11_020_000) == 0)
    held.core(0, isIdle: false, at: 12_000_000)
    held.waits(7, at: 12_000_000)
    #expect(held.runs(7, at: 13_000_000) == 0)
  }
}
