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
      Array("hello\nworld\n".utf8),
      "f, line 1: no event of a recording stands in the first 12 bytes"
    ),
    ([1, 0, 2, 0], "f, byte 0: this is no recording that can be read"),
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
    try Pieces().forEachLine { line, number, isCut in
      lines.append("\(number) \(String(decoding: line, as: UTF8.self)) \(isCut)")
    }
    #expect(lines == ["1 ab false", "2  false", "3 cdefghij false", "4 k true"])
  }
}
