import Testing

@testable import SpindleRecordings

/// Recordings that can't be read, or not all of them.
@Suite struct DamageTests {
  /// What is wrong, and what is said.
  static let refused: [(bytes: [UInt8], sentence: String)] = [
    ([], "f: the recording is empty"),
    ([0x1F, 0x8B, 8, 0], "f: it is compressed: unpack it with 'gunzip' first"),
    (Array("PERFILE2abc".utf8), "f: it is perf's own file: print it with 'perf script --ns' first"),
    (
      Array("capturing trace... done\nTRACE:\n".utf8) + [0x78, 0x9C, 0xC5, 0x5D],
      "f: \(KernelText.compressed)"
    ),
    (
      Array("<!DOCTYPE html><html>\nTRACE:\neJzVXUuT3DhyvvtX\n</html>\n".utf8),
      "f, line 3: \(KernelText.compressed)"
    ),
    (
      Array("<!DOCTYPE html><html>\nTRACE:\n".utf8)
        + [UInt8](repeating: 0x41, count: 70_000),
      "f, line 3: \(KernelText.compressed)"
    ),
    (
      Array("hello\nworld\n".utf8),
      "f, line 1: no event of a recording is in the first 12 bytes"
    ),
    ([1, 0, 2, 0], "f, byte 0: this is not a readable recording"),
    (
      Array("  app-1 [000] 1.000000: tracing_mark_write: B|1|x\n".utf8),
      "f: no switch between threads is in it: record 'sched_switch' and 'sched_waking'"
    ),
    (
      Array("  app-1 [000] 1.000000: sched_switch: prev_comm=app prev_pid=x\n".utf8),
      "f, line 1: the fields of sched_switch can't be read"
    ),
  ]

  @Test("it is said why a file is no recording", arguments: refused.indices)
  func refusalIsSaid(index: Int) throws {
    let (bytes, sentence) = Self.refused[index]
    let mistake = try #require(throws: RecordingMistake.self) {
      try RecordingSurvey(RecordingInMemory(bytes))
    }
    #expect(mistake.sentence(of: "f") == sentence)
  }

  @Test func lineThatIsDamagedIsPassedOver() throws {
    var lines = SampleRecording.whole.text(.kernel).split(separator: "\n").map(String.init)
    lines.insert(lines[4].replacing("pid=", with: "p=d="), at: 5)
    let text = lines.joined(separator: "\n") + "\n"
    let survey = try RecordingSurvey(RecordingInMemory(Array(text.utf8)))
    #expect(survey.counts.unread == 1)
    #expect(survey.counts.firstUnread?.place == .line(6))
    #expect(survey.counts.switches == 8)
  }

  /// What a line of a recording becomes, and what is said of it.
  static let impossible:
    [(dialect: SampleRecording.Dialect, old: String, new: String, said: String)] = [
      (.kernel, "[001]", "[70000]", "the core's number is more than 65,535"),
      (.perf, "[001]", "[99999999999999999999999]", "the core's number is more than 65,535"),
      (.traceCommandLatency, "1d", "99999d", "the core's number is more than 65,535"),
      (.kernel, " 70.", " 900070.", "the time is more than two days from that of the first event"),
      (.kernel, " 70.", " 99999999999999999999.", RecordedMoments.mistake),
      (.traceCommandLatency, " 70.", " 9999999999.", RecordedMoments.mistake),
      (.babeltrace, "[23:59:56.", "[8999999999.", RecordedMoments.mistake),
      (.kernel, "w [1]", String(repeating: "w", count: 300_000), "the line is longer than 64 KB"),
      (.kernel, "w [1]", String(repeating: "w", count: 65_537), "the line is longer than 64 KB"),
      (
        .babeltrace, "w [1]", String(repeating: "w", count: 300_000),
        "the line is longer than 64 KB"
      ),
    ]

  /// Of one line, the last of the worker's switches, everything else is read: nothing vanishes unsaid.
  @Test("what can't be is counted, and the first is told", arguments: impossible.indices)
  func whatCanNotBeIsTold(index: Int) throws {
    let (dialect, old, new, said) = Self.impossible[index]
    var lines = SampleRecording.whole.text(dialect).split(separator: "\n").map(String.init)
    let place = lines.count - 3
    #expect(lines[place].contains(old))
    lines[place].replace(old, with: new, maxReplacements: 1)
    for end in ["\n", ""] {
      let text = lines.joined(separator: "\n") + end
      let survey = try RecordingSurvey(RecordingInMemory(Array(text.utf8)))
      #expect(survey.counts.unread == 1)
      #expect(survey.counts.firstUnread == RecordingMistake(.line(place + 1), said))
      #expect(survey.counts.switches == 7)
    }
  }

  /// As the last one of all, without an end.
  @Test func lastLineMayBeTooLong() throws {
    let text = SampleRecording.whole.text(.kernel) + String(repeating: "x", count: 600_000)
    let survey = try RecordingSurvey(RecordingInMemory(Array(text.utf8)))
    #expect(
      survey.counts.firstUnread == RecordingMistake(.line(17), "the line is longer than 64 KB"))
    #expect(survey.counts.unread == 1)
  }

  /// Scripts of a page stand on one line each, and are no part of the recording.
  @Test func longLinesOfAPageAreNoDamage() throws {
    let script = String(repeating: "x", count: 100_000)
    let text = SampleRecording.whole.text(.page).replacing(
      "<html>", with: "<html>\n\(script)\n")
    let survey = try RecordingSurvey(RecordingInMemory(Array(text.utf8)))
    #expect([survey.counts.unread, survey.counts.switches] == [0, 8])
  }

  /// Wherever a recording is cut, what is left of it is read, or it is said why not.
  @Test("a recording may be cut anywhere", arguments: SampleRecording.Dialect.allCases)
  func recordingMayBeCut(dialect: SampleRecording.Dialect) throws {
    let all = Array(SampleRecording.whole.text(dialect).utf8)
    var read = 0
    for count in stride(from: 0, to: all.count, by: 7) {
      let bytes = RecordingInMemory(Array(all[..<count]))
      do {
        let program = try RecordedProgram(RecordingSurvey(bytes), of: bytes, .init())
        read += TraceText.text(program, recording: "f").isEmpty ? 0 : 1
      } catch let mistake as RecordingMistake {
        #expect(!mistake.reason.isEmpty)
      }
    }
    #expect(read > 50)
  }

  /// A line's end may fall on any place of what is read at a time.
  @Test func linesAreFoundAcrossPieces() throws {
    final class Pieces: RecordingBytes {
      let all = Array("ab\n\ncdefghij\nk".utf8)
      var count: Int { all.count }
      func read(at offset: Int, count: Int) -> [UInt8] { Array(all.dropFirst(offset).prefix(2)) }
    }
    var lines: [String] = []
    try Pieces().forEachLine { line in
      lines.append("\(line.number) \(String(decoding: line.bytes, as: UTF8.self)) \(line.extent)")
    }
    #expect(lines == ["1 ab whole", "2  whole", "3 cdefghij whole", "4 k cut"])
  }
}
