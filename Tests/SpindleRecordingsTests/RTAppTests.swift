import Testing

@testable import SpindleRecordings

/// Workloads of rt-app.
@Suite struct RTAppTests {
  private func trace(_ text: String) throws -> String {
    let bytes = RecordingInMemory(Array(text.utf8))
    #expect(try RecordingFormat.of(bytes) == .rtApp)
    return try RTAppTrace.text(bytes, recording: "load.json")
  }

  /// Members come again, have none or another end, and comments are everywhere.
  @Test func looseJSONIsRead() throws {
    let text = try trace(
      """
      { /* two
           lines */ "tasks" : { "t 1" : { "loop" : 2, "run" : 1000, "run" : 500, "yield", // here
        "sleep9" : 2000, }, }, "global" : { "duration" : 3 } }
      """)
    #expect(
      text.hasSuffix(
        """
        trace "load.json" { until: 3s }

        param cores = 2

        machine { platform: .linux; cores: cores; costs: .zero; policy: .fairShare }

        main {
            Thread(name: "t 1") { t1() }.start()
        }

        func t1() {
            for _ in 0 ..< 2 {
                work(1ms)
                work(500us)
                yield()
                sleep(2ms)
            }
        }

        """), "\(text)")
  }

  @Test func phasesTimersAndGates() throws {
    let text = try trace(
      """
      { "tasks" : { "a" : { "priority" : -19, "cpus" : [3], "loop" : -1, "phases" : {
          "p" : { "loop" : 4, "resume" : "b", "timer" : { "ref" : "tick", "period" : 6000 } } } },
        "b" : { "instance" : 2, "loop" : -1, "suspend", "runtime1" : 300 } } }
      """)
    #expect(text.contains("trace \"load.json\" { until: 10s }"))
    #expect(text.contains("param cores = 4"))
    #expect(
      text.contains("Thread(name: \"a\", qualityOfService: .userInteractive) { a() }.start()"))
    #expect(text.contains("for i in 0 ..< 2 {\n        Thread(name: \"b \\(i)\") { b() }.start()"))
    #expect(
      text.contains(
        """
        func a() {
            var nextTick = now
            while true {
                for _ in 0 ..< 4 {
                    resumeB()
                    nextTick += 6ms
                    if now < nextTick { sleep(until: nextTick) } else { nextTick = now }
                }
            }
        }
        """), "\(text)")
    #expect(text.contains("while true {\n        suspendB()\n        work(300us)\n    }"))
  }

  static let refused: [(text: String, sentence: String)] = [
    ("{ \"jobs\" : [] }", "f: it is JSON, but no workload of rt-app: it has no 'tasks'"),
    ("{ \"tasks\" : {\n \"a\" : 1 } }", "f, line 2: the task 'a' is not an object"),
    ("{\n\"tasks\" : {", "f, line 2: the workload ends before it is complete"),
    ("{\n\"tasks\" [", "f, line 2: a comma or '}' is expected here"),
    (
      "{ \"tasks\" : { \"a\" : {\n \"run\" : \"x\" } } }",
      "f, line 2: 'run' needs a number of microseconds"
    ),
    (
      "{ \"tasks\" : { \"a\" : { \"wait\" : 1 } } }",
      "f, line 1: 'wait' needs a 'ref' and a 'mutex'"
    ),
    ("{ \"tasks\" : { \"a\" : { \"fork\" : \"b\" } } }", "f, line 1: no task is called 'b'"),
    (
      "{ \"tasks\" : {\n\"a\" : { \"instance\" : 10001, \"run\" : 1 } } }",
      "f, line 2: the task 'a' has more than 10,000 for an 'instance'"
    ),
    (String(repeating: "{\"a\":", count: 100), "f, line 1: objects are nested too deeply"),
  ]

  @Test("it is said what is wrong with a workload", arguments: refused.indices)
  func mistakeIsSaid(index: Int) throws {
    let (text, sentence) = Self.refused[index]
    let mistake = try #require(throws: RecordingMistake.self) { try trace(text) }
    #expect(mistake.sentence(of: "f") == sentence)
  }
}
