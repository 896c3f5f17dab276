import SpindleModel
import Testing

/// The text of schedules.
@Suite struct ScheduleTextTests {
  /// What is printed is read back, whatever names there are.
  @Test func printedSchedulesAreReadBack() throws {
    var numbers = Numbers(1)
    for _ in 0..<1_000 {
      let schedule = Schedule((0..<numbers.below(5) + 1).map { _ in line(&numbers) })
      let read = try Schedule(parsing: schedule.text)
      #expect(read == schedule, "\(schedule.text)")
      let oneLine = schedule.lines.map { "\($0)" }.joined(separator: "; ")
      let readOfOne = try Schedule(parsing: oneLine)
      #expect(readOfOne == schedule, "\(oneLine)")
    }
  }

  private func line(_ numbers: inout Numbers) -> Schedule.Line {
    let first = step(&numbers)
    if numbers.below(3) == 0 {
      return .late(first, by: Nanoseconds(Int64(numbers.below(1_000_000_000)) + 1))
    }
    var second = step(&numbers)
    while second.actor == first.actor { second = step(&numbers) }
    return .order(first, before: second)
  }

  private func step(_ numbers: inout Numbers) -> Schedule.Step {
    Schedule.Step(
      subject(&numbers), StepVerb.allCases[numbers.below(StepVerb.allCases.count)],
      subject(&numbers), time: numbers.below(3) + 1)
  }

  private func subject(_ numbers: inout Numbers) -> Schedule.Subject {
    let names = [
      "main", "table[1]", "com.apple.main-thread", "global(qos: .utility).async", "a b", "x#2",
      "#1",
      "it says \"no\"", "back\\slash", "two\nlines", "Käse", "before", "time", "late", "a;b", "//",
      "x#02", "tail#",
    ]
    return Schedule.Subject(names[numbers.below(names.count)], ordinal: numbers.below(3) + 1)
  }

  @Test func commentsAndEmptyLinesSayNothing() throws {
    let text = """
      // A comment
      "a" locks x before "b" locks x // behind a line

        "c" signals done time 2 late 1500us;
      """
    let schedule = try Schedule(parsing: text)
    #expect(schedule.lines.count == 2)
    #expect(schedule.text.contains("late 1500us"))
  }

  @Test(arguments: [
    ("\"a\" locks", 1, 10, "the name of what is used is missing"),
    ("\"a\" grabs x late 1ms", 1, 5, "'grabs' is no step"),
    ("\"a\" locks x", 1, 12, "'before' or 'late' is missing"),
    ("\"a\" locks x after \"b\" locks x", 1, 13, "'before' or 'late' is missing"),
    ("\"a\" locks x before \"a\" locks y", 1, 1, "the two steps are of one thread"),
    ("\n\"a\" locks x late soon", 2, 18, "how late is a length of time"),
    ("\"a\" locks x late 0ms", 1, 18, "how late is a length of time"),
    ("\"a locks x late 1ms", 1, 1, "the quote does not end"),
    ("\"a\" locks x time 0 late 1ms", 1, 18, "which time is a number from 1 on"),
    ("\"a\" locks x late 1ms \"b\"", 1, 22, "the line should end here"),
  ])
  func mistakesHavePlaces(text: String, line: Int, column: Int, message: String) {
    do {
      let read = try Schedule(parsing: text)
      Issue.record("'\(text)' is read as \(read)")
    } catch {
      #expect(error.line == line && error.column == column, "\(text): \(error)")
      #expect(error.message.hasPrefix(message), "\(text): \(error.message)")
    }
  }
}

/// Numbers that are the same in every run of the tests.
struct Numbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state.multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }
}
