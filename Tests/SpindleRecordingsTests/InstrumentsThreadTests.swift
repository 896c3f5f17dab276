import Testing

@testable import SpindleRecordings

/// The table 'thread-state' of Instruments.
@Suite struct InstrumentsThreadTests {
  private func program(_ bytes: RecordingInMemory) throws -> RecordedProgram {
    #expect(try RecordingFormat.of(bytes) == .instruments)
    return try RecordedProgram(RecordingSurvey(bytes), of: bytes, .init())
  }

  private func trace(_ states: [SampleExport.State], isOld: Bool = false) throws -> String {
    let bytes = SampleExport.threads(states, isOld: isOld).bytes
    return TraceText.text(try program(bytes), recording: "a.xml")
  }

  /// What is behind the parameters.
  private func program(of text: String) -> String {
    text.firstRange(of: "machine {").map { String(text[$0.lowerBound...]) } ?? text
  }

  @Test func stateOfThreadsBecomesAProgram() throws {
    let text = try trace(SampleExport.states)
    #expect(program(of: text) == SampleExport.trace, "\(text)")
    #expect(text.contains("param performanceCores = 2\nparam efficiencyCores = 1\n"))
    #expect(text.contains("App (700), 2 threads on 3 cores, 11ms of work in 13.03ms"))
    #expect(text.contains("3 wakes, 1 of them in interrupts"))
    #expect(text.contains("2 performance cores and 1 efficiency core, all of speed 1"))
  }

  /// Before there was a column for it, a note alone named who woke a thread.
  @Test func wakerIsReadFromTheNote() throws {
    let text = try trace(SampleExport.states, isOld: true)
    #expect(program(of: text) == SampleExport.trace, "\(text)")
  }

  /// Rows stand in the order of time but for a few; no order of them changes what is made of them.
  @Test("rows may come in any order", arguments: 1...7)
  func rowsMayComeInAnyOrder(step: Int) throws {
    let all = SampleExport.states
    let mixed = all.indices.map { all[($0 * step * 2 + $0 + step) % all.count] }
    #expect(Set(mixed.map { "\($0)" }).count == all.count)
    #expect(program(of: try trace(mixed)) == SampleExport.trace)
    #expect(program(of: try trace(all.reversed())) == SampleExport.trace)
  }

  /// What each thread did is as long as the table says, to the nanosecond.
  @Test func activityIsWhatTheTableSays() throws {
    let rows = try program(SampleExport.threads(SampleExport.states).bytes).rows
    #expect(rows.map(\.isMain) == [true, false])
    #expect(rows.map(\.activity.ran) == [5_000_000, 6_000_000])
    // Main is ready for 10 us, the worker twice so; a row that goes on on the same core is no switch.
    #expect(rows.map(\.activity.waited) == [10_000, 20_000])
    #expect(rows.map(\.activity.switches) == [2, 2])
  }

  /// A thread whose interval ends and of whom nothing is said until later has waited.
  @Test func gapIsAWait() throws {
    let text = try trace([
      .init(start: 0, length: 1_000, thread: SampleExport.main, state: "Running", core: 4),
      .init(start: 3_000, length: 1_000, thread: SampleExport.main, state: "Running", core: 4),
    ])
    #expect(text.contains("    work(1ms)\n    io(2ms)\n    work(1ms)\n}"), "\(text)")
    #expect(text.contains("1 wait without a recorded end"))
  }

  /// Preempted and moved: one piece of work.
  @Test func preemptionAndMigrationAreTheMachines() throws {
    let other = SampleExport.Thread(name: "o", number: 9, process: "Other", processNumber: 9)
    let text = try trace([
      .init(start: 0, length: 1_000, thread: SampleExport.main, state: "Running", core: 4),
      .init(start: 0, length: 500, thread: other, state: "Blocked"),
      .init(start: 1_000, length: 500, thread: SampleExport.main, state: "Preempted"),
      .init(start: 1_000, length: 500, thread: other, state: "Running", core: 4),
      .init(start: 1_500, length: 700, thread: SampleExport.main, state: "Running", core: 5),
      .init(start: 2_200, length: 300, thread: SampleExport.main, state: "Running", core: 4),
      .init(start: 2_500, length: 300, thread: SampleExport.main, state: "Blocked"),
    ])
    #expect(
      text.contains("main {\n    Thread.current.qualityOfService = .default\n    work(2ms)\n}"))
    #expect(text.contains("param cores = 2\n"))
  }

  /// The class in which a thread ran longest is its own, whatever its priority was at last.
  @Test(
    "a priority tells the class",
    arguments: [
      (47, ".userInteractive"), (97, ".userInteractive"), (37, ".userInitiated"),
      (20, ".utility"), (4, ".background"), (0, ".background"),
    ])
  func priorityTellsTheClass(priority: Int, quality: String) throws {
    let text = try trace([
      .init(
        start: 0, length: 2_000, thread: SampleExport.main, state: "Running", core: 4,
        priority: priority),
      .init(start: 2_000, length: 1_000, thread: SampleExport.main, state: "Running", core: 4),
    ])
    #expect(text.contains("Thread.current.qualityOfService = \(quality)\n"), "\(text)")
  }

  @Test(
    "the name of a thread is taken apart",
    arguments: [
      ("Main Thread (0x2732bb) (App, pid: 12)", "Main Thread", 0x2732BB, 12, "App"),
      ("Main Thread 0x1 (My (App), pid: 3)", "Main Thread", 1, 3, "My (App)"),
      ("a, pid: b 0x (0x1f) (q, pid: 7)", "a, pid: b 0x", 31, 7, "q"),
      ("plain", "plain", -1, -1, ""), ("", "", -1, -1, ""),
    ])
  func threadLabelIsTakenApart(
    text: String, name: String, number: Int64, process: Int64, processName: String
  ) {
    let label = ExportedThread(text)
    #expect(label.name == name)
    #expect(label.number ?? -1 == number)
    #expect(label.process ?? -1 == process)
    #expect(label.processName == processName)
  }

  /// Its start is referred to by rows of the same time only, all else by any.
  @Test func oldTimesAreForgottenAndNothingElse() {
    var values = ExportValues()
    values.keep(ExportValue(number: 5), 7, .time)
    values.keep(ExportValue(number: 6), 8, .number)
    #expect(values.value(7, .time)?.number == 5)
    values.keep(ExportValue(number: 9), 7 + 1 << 20, .time)
    #expect(values.value(7, .time) == nil)
    #expect(values.value(7 + 1 << 20, .time)?.number == 9)
    #expect(values.value(8, .number)?.number == 6)
    #expect(values.value(1 << 40, .time) == nil)
  }
}
