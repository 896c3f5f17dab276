import SpindleModel
import Testing

@testable import SpindleRecordings

/// The lines of a recording, in each of their spellings.
@Suite struct KernelTextTests {
  /// A head, and what stands in it.
  struct Head: Sendable, CustomTestStringConvertible {
    let line: String
    let name: String
    let thread: Int32
    let process: Int32
    let core: Int32
    let time: Int64
    let event: String
    let context: RecordedEvent.Context
    var testDescription: String { line }

    init(
      _ line: String, _ name: String, _ thread: Int32, _ process: Int32, _ core: Int32,
      _ time: Int64,
      _ event: String, _ context: RecordedEvent.Context
    ) {
      (self.line, self.name, self.thread, self.process) = (line, name, thread, process)
      (self.core, self.time, self.event, self.context) = (core, time, event, context)
    }
  }

  static let heads = [
    Head(
      "   app-12 (   7) [001] d.h3.  2008.704475: sched_waking: comm=a pid=1", "app", 12, 7, 1,
      2_008_704_475_000, "sched_waking", .interrupt),
    Head(
      "   app-12 (-----) [001] dNs3.  5.000001: sched_waking: x", "app", 12, -1, 1, 5_000_001_000,
      "sched_waking", .interrupt),
    Head("<idle>-0  [000] d..2 5.000001: a: x", "<idle>", 0, -1, 0, 5_000_001_000, "a", .thread),
    Head("a b-c: 3-4  [010] 5.5: x_y: z", "a b-c: 3", 4, -1, 10, 5_500_000_000, "x_y", .unknown),
    Head(
      " my app 12 [001]  2796.696207739:       sched:sched_switch: x", "my app", 12, -1, 1,
      2_796_696_207_739, "sched_switch", .unknown),
    Head(" app 7/12 [001] 2.1:   1 g-x:ev_1: x", "app", 12, 7, 1, 2_100_000_000, "ev_1", .unknown),
    Head(
      "  <idle>-0       1d.h3  2008.706161: sched_waking: comm=a pid=1", "", 0, -1, 1,
      2_008_706_161_000, "sched_waking", .interrupt),
    Head("a b-c 5d-77  0..... 5.5: x_y: z", "", 77, -1, 0, 5_500_000_000, "x_y", .thread),
    Head(
      "web [1] 3-9 [002] .... 1.000000: e: f", "web [1] 3", 9, -1, 2, 1_000_000_000, "e", .thread),
  ]

  @Test("a head is read", arguments: heads)
  func headIsRead(_ head: Head) throws {
    try Array(head.line.utf8).withUnsafeBufferPointer { bytes in
      let read = try #require(LineHead(bytes))
      let cursor = TextCursor(bytes)
      #expect(cursor.text(read.name) == head.name)
      #expect(read.thread == head.thread)
      #expect(read.process == head.process)
      #expect(read.core == head.core)
      #expect(read.time == head.time)
      #expect(cursor.text(read.event) == head.event)
      #expect(read.context == head.context)
    }
  }

  @Test(
    "what is no head is none",
    arguments: [
      "", "[", "app-12 [001]", "app-12 [001] 5.1", "app-12 [001] 5.1: ", "app-x [001] 5.1: e: f",
      "app-12 [x] 5.1: e: f", "app-12 [001] 5: e: f", "-[0] 1.1: e: f",
      "12 [001] 99999999999.1: e: f", "app-12 1 5.1: e: f", "app-12 1d. 5.1: e: f",
      "app 1d..2. 5.1: e: f",
      "app-99999999999 [001] 5.1: e: f", "        7f12 main+0x1 (/bin/app)",
    ])
  func otherLinesHaveNoHead(line: String) {
    Array(line.utf8).withUnsafeBufferPointer { #expect(LineHead($0) == nil) }
  }

  /// Linux, include/linux/sched.h: 1 and 2 sleep, 4 and 8 are stopped, 16 and 32 have ended; the bit above
  /// the last state is a preemption.
  @Test(
    "a state is read as letters and as a number",
    arguments: [
      ("S", RecordedEvent.Leaving.waiting), ("D", .waiting), ("D|K", .waiting), ("I", .waiting),
      ("T", .waiting), ("R", .ready), ("R+", .ready), ("Z", .ended), ("X", .ended),
      ("0", .ready), ("1", .waiting), ("2", .waiting), ("0x2", .waiting), ("16", .ended),
      ("32", .ended), ("128", .waiting), ("256", .ready), ("1024", .ready), ("4096", .ready),
    ])
  func stateIsRead(text: String, left: RecordedEvent.Leaving) throws {
    for line in [
      "prev_comm=a prev_pid=1 prev_prio=120 prev_state=\(text) ==> next_comm=b next_pid=2 next_prio=9",
      "prev_comm=a prev_pid=1 prev_prio=120 prev_state=\(text) next_comm=b next_pid=2 next_prio=9",
      "a:1 [120] \(text) ==> b:2 [9]",
    ] {
      try Array(line.utf8).withUnsafeBufferPointer { bytes in
        let read = try #require(EventFields(bytes, from: 0).switched(), "\(line)")
        #expect(read.left == left)
        #expect([read.from.thread, read.from.priority] == [1, 120])
        #expect([read.to.thread, read.to.priority] == [2, 9])
      }
    }
  }

  @Test("a sample is the same trace in each dialect", arguments: SampleRecording.Dialect.allCases)
  func dialectsAgree(dialect: SampleRecording.Dialect) throws {
    let text = SampleRecording.whole.text(dialect)
    let bytes = RecordingInMemory(Array(text.utf8))
    let survey = try RecordingSurvey(bytes)
    #expect(survey.counts.switches == 8)
    #expect(survey.counts.wakes == 2)
    #expect(survey.counts.unread == 0)
    #expect(survey.counts.length == 13_000_000)
    let program = try RecordedProgram(survey, of: bytes, .init())
    #expect(program.cores == 2)
    #expect(TraceText.text(program, recording: "sample").hasSuffix(SampleRecording.trace))
    // Work and span as the sample says; main waits from 2 to 10 ms, the worker from 4 to 9 ms.
    let rows = program.rows
    #expect(rows.map(\.activity.ran) == [5_000_000, 6_000_000])
    #expect(rows.map(\.activity.span) == [13_000_000, 11_000_000])
    #expect(rows.map(\.activity.waited) == [0, 0])
    #expect(rows.map(\.activity.switches) == [2, 2])
    #expect(rows.map(\.activity.wakes) == [1, 1])
  }
}

/// The lines that babeltrace prints.
@Suite struct BabeltraceTests {
  private func line(_ text: String) throws -> (BabeltraceLine, String)? {
    try Array(text.utf8).withUnsafeBufferPointer { bytes in
      guard let line = BabeltraceLine(bytes) else { return nil }
      let fields = try #require(line.fields.position < line.fields.end ? line.fields : nil)
      return (line, fields.text(fields.position..<fields.end))
    }
  }

  /// 21:41:12.5 is 78,072.5 s.
  @Test(
    "a time is one of the day, also with a date, or seconds",
    arguments: [
      ("21:41:12.5", Int64(78_072_500_000_000)), ("2014-03-15 00:00:01.25", 1_250_000_000),
      ("1394919672.000000001", 1_394_919_672_000_000_001),
    ])
  func timeIsRead(text: String, time: Int64) throws {
    let (line, fields) = try #require(
      try line("[\(text)] (+0.1) h: sched_x: { cpu_id = 3 }, { a = 1 }"))
    #expect(line.time == time && line.core == 3 && line.thread == -1)
    #expect(fields == "{ a = 1 }")
  }

  @Test func contextSaysWhoHadTheCore() throws {
    let (line, fields) = try #require(
      try line(
        "[1.0] (+0.1) x: { cpu_id = 0 }, { pid = 7, tid = 9, procname = \"a\" }, { tid = 5 }"))
    #expect(line.thread == 9 && line.process == 7)
    #expect(fields == "{ tid = 5 }")
  }

  @Test(
    "what is no event is none",
    arguments: [
      "", "[", "[x] (+0) a: { cpu_id = 0 }, { }", "[1.0] a: { }", "[1.0] a: { cpu_id = x }, { }",
      "[25] (+0) a: { cpu_id = 0 }, { }", "[1.0] a: { cpu_id = 0 }",
    ])
  func otherLinesAreNoEvents(text: String) throws { #expect(try line(text) == nil) }

  /// Midnight lies between two lines.
  @Test func aDayEnds() throws {
    var text = SampleRecording.whole.text(.babeltrace)
    text = text.replacing("[23:59:56.013", with: "[00:00:01.013")
    let survey = try RecordingSurvey(RecordingInMemory(Array(text.utf8)))
    // From 23:59:56 to 00:00:01.013.
    #expect(survey.counts.length == 5_013_000_000)
  }
}
