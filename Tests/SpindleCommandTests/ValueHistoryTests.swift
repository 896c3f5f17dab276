import SpindleSystem
import Testing

@testable import SpindleCommand

/// Explanations say who wrote a value: when, where, and called by whom.
@Suite struct ValueHistoryTests {
  private static let search = """
    final class Model { var results = "none"; var list: [Int] = [] }
    let model = Model()
    var n = 0
    let q = DispatchQueue(label: "q")
    func load(_ s: String) { model.results = s; model.list.append(3); n += 1 }
    func show() { record("shown", model.results) }
    main {
        load("a")
        q.asyncAfter(deadline: .now() + 2ms, name: "job") { load("b") }
        show()
        sleep(5ms)
    }

    """

  private func call(_ trace: String, _ command: String, _ arguments: String...) -> Invocation {
    let text = "machine { platform: .macOS; cores: 2; costs: .zero }\n" + trace
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array(text.utf8))
    return Invocation([command, "-"] + arguments, environment: environment)
  }

  @Test func writesOfAPropertyAreListed() {
    let told = call(Self.search, "explain", "--value", "model.results").flat
    #expect(
      told == """
        'model.results', written 2 times, read once \
        0s: "a", by 'main', load at 6:26, called by main at 9:5 \
        2ms: "b", by 'worker-1' in 'job', load at 6:26, called by closure at 10:57
        """, "\(told)")
  }

  @Test func patternsNameEachValue() {
    let told = call(Self.search, "explain", "--value", "model.*").flat
    #expect(told.contains("0s: 'model.list' set to 1 element, by 'main', load at 6:45"), "\(told)")
    #expect(told.contains("'model.*', written 4 times, read 3 times"), "\(told)")
  }

  @Test func recordsAreWritesToo() {
    let told = call(Self.search, "explain", "--value", "shown").flat
    #expect(
      told == """
        'shown', written once, never read \
        0s: recorded "a", by 'main', show at 7:15, called by main at 11:5
        """, "\(told)")
  }

  /// The code of the world outside has no name of its own.
  @Test func writesOfTheWorldAreItsCodes() {
    let told = call("var n = 0\nmain { }\nat(3ms) { n = 4 }\n", "explain", "--value", "n").flat
    #expect(told.hasSuffix("3ms: 4, by 'world', the code of 'at' at 4:11"), "\(told)")
  }

  /// The log leaves out most rounds of a busy wait; the writes in them are counted, and those behind them keep their calls.
  @Test func writesOfSkippedRoundsAreCounted() throws {
    let trace = """
      var asked = 0
      func ask() -> Bool { asked += 1; work(100ns); return asked >= 500_000 }
      main {
          while !ask() { }
          asked = 7
          record("end", asked)
      }

      """
    let told = call(trace, "explain", "--value", "asked").flat
    #expect(told.contains("'asked', written 500,001 times, read 1,000,001 times"), "\(told)")
    let log = call(trace, "simulate", "--log", "-").output
    #expect(log.contains("repeats, steps 3, times 49"), "\(log.suffix(600))")
    #expect(log.contains("writes \"asked\" = 500000\n"), "\(log.suffix(600))")
    let failed = call(trace + "expect { values == [\"end\": 8] }\n", "simulate").flat
    #expect(
      failed.contains("'asked' was last set to 7 at 50ms by 'main', main at 6:5"), "\(failed)")
    #expect(told.hasSuffix("50ms: 7, by 'main', main at 6:5"), "\(told.suffix(600))")
    #expect(!told.contains("at 3:22 "), "\(told.suffix(600))")
    #expect(told.contains("500000, by 'main', ask at 3:22, called by main at 5:12"))
  }

  @Test func unknownNamesGetAProposal() {
    let failed = call(Self.search, "explain", "--value", "model.result")
    #expect(failed.status == .usage)
    #expect(
      failed.error.contains("no variable or record of the run is called 'model.result'"),
      "\(failed.error)")
    #expect(failed.error.contains("did you mean 'model.results'?"), "\(failed.error)")
  }

  @Test func logsHaveWritersWithoutPlaces() throws {
    let log = call(Self.search, "simulate", "--log", "-").output
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array(log.utf8))
    let told = Invocation(
      ["explain", "-", "--value", "model.results"], environment: environment
    ).flat
    #expect(told.contains("2ms: \"b\", by 'worker-1' in 'job'"), "\(told)")
  }

  @Test func theLastWriterStandsBelowAWrongValue() {
    let recorded = call(Self.search + "expect { values == [\"shown\": \"b\"] }\n", "simulate").flat
    #expect(
      recorded.contains(
        """
        'shown' was recorded as "a" at 0s by 'main', show at 7:15, called by main at 11:5 \
        'model.results' was last set to "a" at 0s by 'main', load at 6:26, called by main at 9:5
        """), "\(recorded)")
    let final = call(Self.search + "expect { value(n) == 1 }\n", "simulate").flat
    let writer = "'n' was last set to 2 at 2ms by 'worker-1' in 'job', load at 6:67"
    #expect(final.contains(writer), "\(final)")
    // Of what is computed, the value that it is computed from.
    let computed = call(Self.search + "expect { value(model.list.count) == 1 }\n", "simulate").flat
    #expect(computed.contains("'model.list' was last set to 2 elements at 2ms"), "\(computed)")
  }

  @Test func rightValuesHaveNoWriters() {
    let trace = Self.search + "expect { values == [\"shown\": \"a\"]; makespan == 1s }\n"
    let told = call(trace, "simulate").flat
    #expect(!told.contains("was recorded as"), "\(told)")
  }
}
