import SpindleExplore
import SpindleModel
import Testing

/// An operation on an `Atomic` is one step: others come before or behind it, and never into its midst.
@Suite struct AtomicChoiceTests {
  @Test(arguments: programs) func operationsAreSteps(program: ChoicePointTests.Case) throws {
    let text = """
      trace "\(program.name)"
      machine { platform: .macOS; cores: 4 }
      let count = Atomic(0)
      func change() { \(program.text) }
      main {
          let one = Thread(name: "one") { change() }
          let two = Thread(name: "two") { change() }
          one.start()
          two.start()
          one.join()
          two.join()
          precondition(count.load(ordering: .relaxed) == 2, "lost")
      }
      """
    let found = try SmallPrograms.explored(text, runs: 300)
    #expect(found.normal.failure == nil, "the normal run fails\n\(text)")
    #expect(found.isExhausted, "\(text)")
    let printed = found.failures.map { $0.trial.schedule.lines.map { "\($0)" } }
    #expect(printed == (program.line.map { [[$0]] } ?? []), "\(printed)\n\(text)")
  }

  private static let programs = [
    ChoicePointTests.Case(
      name: "a load and a store",
      text: "let n = count.load(ordering: .relaxed); count.store(n + 1, ordering: .relaxed)",
      line: "\"two\" reads count before \"one\" changes count"),
    ChoicePointTests.Case(name: "an addition", text: "count.add(1, ordering: .relaxed)", line: nil),
    ChoicePointTests.Case(
      name: "an exchange that is tried again",
      text: """
        while true {
            let n = count.load(ordering: .relaxed)
            if count.compareExchange(expected: n, desired: n + 1, ordering: .relaxed).exchanged { break }
        }
        """,
      line: nil),
  ]
}
