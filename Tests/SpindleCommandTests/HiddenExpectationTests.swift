import SpindleSystem
import Testing

@testable import SpindleCommand

/// With `--hide-expected` a run says where it does not do what is expected, and not what that is.
@Suite struct HiddenExpectationTests {
  private static let exercise = """
    var answer = 41
    main { record("key", answer); work(5ms) }
    expect {
        value(answer) == 42
        makespan <= 4ms
        makespan >= 1ms
    }

    """

  private func call(_ arguments: String...) -> Invocation {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array(Self.exercise.utf8))
    return Invocation(["simulate", "-"] + arguments, environment: environment)
  }

  @Test(arguments: [[], ["--quiet"], ["--json"]])
  func nothingOfTheAnswerIsPrinted(options: [String]) {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array(Self.exercise.utf8))
    let made = Invocation(
      ["simulate", "-", "--hide-expected"] + options, environment: environment)
    #expect(made.status == .notHeld)
    for answer in ["42", "4ms", "value(answer)", "1ms"] {
      #expect(!made.output.contains(answer), "\(answer) in \(made.output)")
    }
    // Where it is not met is said still.
    #expect(made.output.contains("4:5") && made.output.contains("5:5"), "\(made.output)")
  }

  @Test func withoutItTheAnswerIsShown() {
    let made = call()
    #expect(made.flat.contains("not met: value(answer) == 42"), "\(made.flat)")
  }

  @Test func itTakesOneRun() {
    let made = call("--hide-expected", "--seeds", "3")
    #expect(made.status == .usage)
    #expect(made.error.contains("'--hide-expected' takes one run"), "\(made.error)")
  }
}
