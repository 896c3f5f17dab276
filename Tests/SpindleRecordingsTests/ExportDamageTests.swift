import Testing

@testable import SpindleRecordings

/// Exports of Instruments that can't be read, or not all of them.
@Suite struct ExportDamageTests {
  private static let export =
    "xctrace export --input X.trace --xpath '/trace-toc/run[@number=\"1\"]"
  private static func command(_ table: String) -> String {
    "\(export)/data/table[@schema=\"\(table)\"]'"
  }

  private static func table(_ name: String) -> String { SampleExport(name, ["time"]).text }

  static let refused: [(text: String, sentence: String)] = [
    (
      table("time-sample"),
      "f: the table 'time-sample' has samples, without the times of dispatches and "
        + "wake-ups: record with 'System Trace' and export 'thread-state' with "
        + command("thread-state")
    ),
    (
      table("potential-hangs"),
      "f: no trace can be made of the table 'potential-hangs': export 'thread-state' with "
        + command("thread-state")
        + ", or 'SwiftTaskStateTable', 'runloop-intervals' or 'runloop-events'"
    ),
    (
      table("SwiftTaskLifetime"),
      "f: the table 'SwiftTaskLifetime' lists Swift tasks without their "
        + "states: export 'SwiftTaskStateTable' with " + command("SwiftTaskStateTable")
    ),
    (
      "<trace-toc><run number=\"1\"><data><table schema=\"tick\"/>"
        + "<table schema=\"runloop-intervals\"/></data></run></trace-toc>",
      "f: it is Instruments' table of contents: export a table with "
        + command("runloop-intervals")
    ),
    (
      "<trace-toc><run><data><table schema=\"tick\"/></data></run></trace-toc>",
      "f: it is Instruments' table of contents, and has no table that is read: record with 'System "
        + "Trace', then export a table with " + command("thread-state")
    ),
    (
      "<?xml version=\"1.0\"?><trace-query-result/>",
      "f: the export holds no table: export one with " + command("thread-state")
    ),
    (
      "<trace-query-result><node><row a=\"b\"/></node></trace-query-result>",
      "f: the export has rows and no table, as those of a track's details have: export one with "
        + command("thread-state")
    ),
    (
      "<?xml version=\"1.0\"?>\n<trace-query-result>\n<node xpath='//tr",
      "f: the export ends before its table begins: export one with " + command("thread-state")
    ),
    (
      "<?xml version=\"1.0\"?>\n<svg><g/></svg>",
      "f, line 2: it is markup, but no export of xctrace: it begins with <svg>"
    ),
    ("<?xml version=\"1.0\"?>\n", "f, line 1: it begins as markup does, and has no element"),
    (
      table("thread-state"),
      "f: no thread runs in the table 'thread-state': record all processes with 'System Trace'"
    ),
    (
      SampleExport.threads(SampleExport.states).text
        .replacing("<mnemonic>duration</mnemonic>", with: "<mnemonic>length</mnemonic>"),
      "f, line 3: the table 'thread-state' has no column 'duration'"
    ),
    (
      SampleExport.threads([
        .init(start: 0, length: 5, thread: SampleExport.main, state: "Thinking", core: 1)
      ]).text, "f, line 3: row 1: the state 'Thinking' is not known"
    ),
  ]

  @Test("it is said why an export can't be read", arguments: refused.indices)
  func refusalIsSaid(index: Int) throws {
    let (text, sentence) = Self.refused[index]
    let mistake = try #require(throws: RecordingMistake.self) {
      try RecordingSurvey(RecordingInMemory(Array(text.utf8)))
    }
    #expect(mistake.sentence(of: "f") == sentence)
  }

  @Test func tablesWithoutCoresAreNotReplayed() throws {
    for name in ["SwiftTaskStateTable", "runloop-intervals"] {
      let mistake = try #require(throws: RecordingMistake.self) {
        try RecordingSurvey(SampleExport(name, ["start"]).bytes)
      }
      #expect(mistake.reason.contains("says nothing of cores"))
    }
  }

  /// What is done to a row, and what is said of it; the others are read.
  static let damaged: [(old: String, new: String, sentence: String)] = [
    (
      "<thread ref=\"5\"/>", "<thread ref=\"999\"/>", "line 5: row 3: its value 999 was never given"
    ),
    (
      "<sentinel/></row>\n<row>", "</row>\n<row>",
      "line 3: row 1: it has 8 cells, and the table 9 columns"
    ),
    ("</row>\n<row>", "\n<row>", "line 4: row 1: the next begins within it"),
    (
      "<start-time id=\"1\" fmt=\"00:00\">0<", "<start-time id=\"1\" fmt=\"00:00\">x<",
      "line 3: row 1: its start or duration is not a time"
    ),
    (
      "<start-time id=\"1\" fmt", "<start-time id=\"1<\" fmt",
      "line 3: row 1: a tag in it can't be read"
    ),
  ]

  @Test("a row that is damaged is passed over", arguments: damaged.indices)
  func rowIsPassedOver(index: Int) throws {
    let (old, new, sentence) = Self.damaged[index]
    let whole = SampleExport.threads(SampleExport.states).text
    let text = whole.replacing(old, with: new, maxReplacements: 1)
    #expect(text != whole)
    let survey = try RecordingSurvey(RecordingInMemory(Array(text.utf8)))
    let mistake = try #require(survey.counts.firstUnread)
    #expect(mistake.sentence(of: "f") == "f, " + sentence)
    #expect(survey.threads.count >= 2 && survey.counts.switches >= 4)
  }

  /// Wherever an export is cut, what is left of it is read, or it is said why not.
  @Test func exportMayBeCutAnywhere() throws {
    let all = Array(SampleExport.threads(SampleExport.states).text.utf8)
    var read = 0
    for count in stride(from: 0, to: all.count - 30, by: 11) {
      let bytes = RecordingInMemory(Array(all[..<count]))
      do {
        let survey = try RecordingSurvey(bytes)
        let program = try RecordedProgram(survey, of: bytes, .init())
        read += TraceText.text(program, recording: "f").isEmpty ? 0 : 1
        #expect(survey.counts.firstUnread?.reason.contains("the recording ends") == true)
      } catch let mistake as RecordingMistake {
        #expect(!mistake.reason.isEmpty)
      }
    }
    #expect(read > 50)
  }

  /// A piece of markup may end anywhere in what is read at a time, and be cut into.
  @Test func markupIsFoundAcrossPieces() throws {
    final class Pieces: RecordingBytes {
      let all: [UInt8]
      let step: Int
      init(_ text: String, _ step: Int) { (all, self.step) = (Array(text.utf8), step) }
      var count: Int { all.count }
      func read(at offset: Int, count: Int) -> [UInt8] { Array(all.dropFirst(offset).prefix(step)) }
    }
    let text = "<!-- <a> --><?b?><c d='<e>x&lt;\n<f g=\"1>\" h='i'/><j k='2'></c ><l"
    for step in 1...9 {
      var found: [String] = []
      let isCut = try Pieces(text, step).forEachMark { mark, line in
        switch mark {
        case .damaged: found.append("\(line) damaged")
        case .text(let text): found.append("\(line) \(MarkupText.plain(text))")
        case .tag(let tag):
          let name = String(decoding: tag.name, as: UTF8.self)
          found.append("\(line) \(name) \(tag.opens) \(tag.closes) \(tag.number("k") ?? -1)")
        }
        return true
      }
      #expect(
        found == [
          "1 damaged", "1 e true false -1", "2 x<\n", "2 f true true -1", "2 j true false 2",
          "2 c false true -1",
        ], "\(step)")
      #expect(isCut)
    }
  }

  @Test func charactersHaveNames() {
    #expect(MarkupText.plain("a&amp;b&lt;&gt;&quot;&apos;&#65;&#x42;".utf8) == "a&b<>\"'AB")
    #expect(
      MarkupText.plain("&none; & &#xD800; &#99999999999;".utf8)
        == "&none; & &#xD800; &#99999999999;")
  }
}
