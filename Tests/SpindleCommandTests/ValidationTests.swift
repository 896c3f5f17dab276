import Foundation
import SpindleLanguage
import SpindleModel
import SpindleRun
import SpindleSystem
import Testing

@testable import SpindleCommand

/// What `spindle validate` makes of real runs, and that what it runs is a trace.
@Suite struct ValidationTests {
  private static let list = """
    before: warmUp(2ms)
    case pools: wait(4, 1ms)
    question: one or the other?
    design a: first($)
    design b: second(3, $)
    values: 1ms 4ms 16ms
    """

  private static func result(_ predicted: Int64, _ measured: [Int64]) throws -> ValidatedCall {
    var result = ValidatedCall()
    result.predicted = .microseconds(predicted)
    for time in measured {
      result.add(try #require(ValidationRun("took \(time * 1_000)\nothers 20\n")))
    }
    return result
  }

  @Test func aPlanSaysWhatIsRun() throws {
    let plan = try #require(ValidationPlan(ValidationTests.list))
    #expect(plan.cases == [ValidationPlan.Case(kind: "pools", call: "wait(4, 1ms)")])
    #expect(plan.questions[0].designs.map(\.name) == ["a", "b"])
    // A value stands wherever '$' does.
    #expect(
      plan.calls == [
        "wait(4, 1ms)", "first(1ms)", "second(3, 1ms)", "first(4ms)", "second(3, 4ms)",
        "first(16ms)", "second(3, 16ms)",
      ])
  }

  /// A program runs behind what warms the libraries up, unless it is to be their first use; what is measured stands
  /// between two marks.
  @Test func whatIsRunBeforeIsNotMeasured() throws {
    let plan = try #require(ValidationPlan("before: warmUp(2ms)\ncase a: f(1), at first use"))
    let (warm, cold) = (plan.program("f(1)"), plan.program(plan.cases[0].call))
    #expect(warm.call == "f(1)" && warm.before == "warmUp(2ms)")
    #expect(cold.call == "f(1)" && cold.before == nil)
    #expect(
      ValidateCommand.main(of: "f(1)", plan)
        == "\nmain(.tool) {\n    warmUp(2ms)\n    mark(\"begin\")\n    f(1)\n    mark(\"end\")\n}\n"
    )
    #expect(
      ValidateCommand.main(of: "f(1), at first use", plan)
        == "\nmain(.tool) {\n    mark(\"begin\")\n    f(1)\n    mark(\"end\")\n}\n")
  }

  /// Of three measurements each field has its middle one, whichever measurement that is of.
  @Test func costsAreTheMiddleOfSeveralMeasurements() throws {
    let all = try [(10, 5, 1), (30, 7, 9), (20, 6, 40)].map { noise, wake, lock in
      try #require(
        Calibration("noise \(noise)\nfield wake \(wake) 1 9\nfield lock \(lock) 1 50\n"))
    }
    let middle = try #require(Calibration(middleOf: all))
    #expect(middle.noise == 20 && middle.costs.map(\.field) == ["wake", "lock"])
    #expect(middle.costs.map(\.median) == [Nanoseconds(6), Nanoseconds(9)])
    #expect(Calibration(middleOf: []) == nil)
    let other = try #require(Calibration("noise 1\nfield wake 1 1 1\n"))
    #expect(Calibration(middleOf: all + [other]) == nil)
  }

  @Test(
    arguments: [
      "", "before: w()", "case a: f()", "before: w()\ncase pools", "before: w()\ncase pools: ",
      "hello: you", "before: w()\ndesign a: f($)", "before: w()\nvalues: 1",
      "before: w()\ncase a: f()\nquestion: which?\ndesign a: f($)\nvalues: 1",
      "before: w()\ncase a: f()\nquestion: which?\ndesign a: f($)\ndesign b: g($)",
    ])
  func whatIsNoPlanIsRefused(text: String) { #expect(ValidationPlan(text) == nil) }

  @Test(arguments: [
    "", "threads 3", "took 1\nhello", "took x", "took -1", "there is no such program",
  ])
  func whatIsNoRunIsRefused(text: String) { #expect(ValidationRun(text) == nil) }

  @Test func disturbedRunsDoNotCount() throws {
    var result = ValidatedCall()
    result.predicted = .microseconds(110)
    for (time, others) in [(100, 0), (900, 500), (90, 120), (120, 10), (800, 121)] {
      let text = "took \(time * 1_000)\nthreads 4\nothers \(others)\n"
      result.add(try #require(ValidationRun(text)))
    }
    #expect(result.quietCount == 3 && result.isQuiet)
    #expect(result.median == .microseconds(100))
    #expect(result.least == .microseconds(90) && result.most == .microseconds(120))
    #expect(result.error == 0.1 && result.threads == 4)
  }

  /// Of four times the middle is between the second and the third.
  @Test func middleOfAnEvenNumberIsTheMeanOfTwo() throws {
    #expect(try Self.result(1, [400, 100, 210, 200]).median == .microseconds(205))
    #expect(try Self.result(1, [300, 100]).median == .microseconds(200))
    #expect(try Self.result(1, [300]).median == .microseconds(300))
  }

  /// `first` takes as long as it says, `second` always 4 ms; measured, `first` takes twice as long.
  ///
  /// So the two are equal at 4 ms, measured at 2. At 1 ms `first` is better by both; at 4 ms they are equal by what was
  /// predicted, and measured `second` is better, which is so at 16 ms too.
  @Test func rankingsAndCrossoversAreThoseOfTheTimes() throws {
    let plan = try #require(ValidationPlan(ValidationTests.list))
    var results = ["wait(4, 1ms)": try ValidationTests.result(1_000, [1_000, 1_250, 1_250])]
    for value: Int64 in [1, 4, 16] {
      results["first(\(value)ms)"] = try ValidationTests.result(
        value * 1_000 + 1, [value * 2_000, value * 2_000])
      results["second(3, \(value)ms)"] = try ValidationTests.result(4_000, [4_000, 4_000])
    }
    let report = ValidationReport(plan, results)
    #expect(report.rankings.right == 3 && report.rankings.all == 3)
    let text = report.text(width: 100)
    #expect(text.contains("a and b are equal at 4ms, measured at 2ms"), "\(text)")
    #expect(text.contains("predicted in 3 of 3 settings"), "\(text)")
    // 1 ms instead of 1.25 is a fifth too short.
    #expect(text.contains("-20.0%"), "\(text)")
  }

  @Test func whatWasDisturbedIsMarked() throws {
    let plan = try #require(ValidationPlan(ValidationTests.list))
    var result = ValidatedCall()
    (result.predicted, result.predictedThreads) = (.milliseconds(1), 4)
    for others in [0, 300, 400] {
      result.add(try #require(ValidationRun("took 2000000\nthreads 5\nothers \(others)\n")))
    }
    let text = ValidationReport(plan, ["wait(4, 1ms)": result]).text(width: 100)
    #expect(text.contains("  3*\n") && text.contains("*: other processes disturbed"), "\(text)")
    #expect(
      text.contains("as predicted in 0 of 1; wait(4, 1ms): 4 predicted, 5 measured"), "\(text)")
  }

  @Test func aWrongRankingIsCounted() throws {
    let plan = try #require(ValidationPlan(ValidationTests.list))
    var results: [String: ValidatedCall] = [:]
    for value: Int64 in [1, 4, 16] {
      results["first(\(value)ms)"] = try ValidationTests.result(
        3_000, [value * 1_000, value * 1_000])
      results["second(3, \(value)ms)"] = try ValidationTests.result(4_000, [4_200, 4_200])
    }
    // At 4 ms they differ by 5%, which is nothing; at 16 ms the first is taken for the better one.
    let (right, all) = ValidationReport(plan, results).rankings
    #expect(right == 1 && all == 2)
  }

  /// What is wrong with the costs is said at once, and not after minutes.
  @Test func costsAreLookedAtFirst() throws {
    let folder = TemporaryFolder()
    let process = try RunningTool(["validate", "--costs", folder["none.costs"]])
    #expect(process.wait() == .exit(ExitStatus.usage.rawValue))
  }

  // MARK: The programs

  private static let programs = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/SpindleValidator")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: programs.appending(path: path), encoding: .utf8)
  }

  /// What is compiled and what is simulated are one text.
  @Test(arguments: ["Threads", "Pools", "Waits", "WarmUp"])
  func theTextOfAProgramIsTheProgram(name: String) throws {
    let text = try ValidationTests.text("Texts/\(name).txt")
    #expect(try text == ValidationTests.text("Programs/\(name).swift"))
    let main = try ValidationTests.text("main.swift")
    #expect(main.contains("PackageResources.\(name)_txt"), "\(name) is not handed out")
  }

  @Test func everyCallIsATrace() throws {
    let file = try ValidationTests.text("Cases.swift")
    let list = file.split(separator: "\"\"\"").dropFirst().first.map(String.init) ?? ""
    let lines = list.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    let plan = try #require(ValidationPlan(lines.joined(separator: "\n")))
    #expect(plan.cases.count >= 30 && plan.questions.count >= 4)
    let programs = try ["Threads", "Pools", "Waits", "WarmUp"].map {
      try ValidationTests.text("Programs/\($0).swift")
    }
    let known = try ValidationTests.text("Calls.swift")
    for call in plan.calls {
      let text = programs.joined() + ValidateCommand.main(of: call, plan)
      let source = SourceText(name: call, utf8: Array(text.utf8))
      let (program, diagnostics) = Compiler.standard.compile(source)
      #expect(program != nil, "\(call): \(diagnostics.map(\.message))")
      let name = call.prefix { $0 != "(" }
      #expect(known.contains("case \"\(name)\": return { \(name)("), "\(name) can't be run")
    }
  }
}
