import SpindleExplore
import SpindleModel
import TestSupport
import Testing

/// What no thread decides is a choice, too, where no contract orders it: each program fails under another order, and its
/// near miss can't.
@Suite struct ChoicePointTests {
  /// A program, and how the one line of its schedule begins; nil for one that fails under no schedule.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let line: String?

    var testDescription: String { name }
  }

  @Test(arguments: arrivals + timers + inputs + starts) func choicesAreTried(program: Case) throws {
    let text = "trace \"\(program.name)\"\nmachine { platform: .macOS; cores: 4 }\n\(program.text)"
    let found = try SmallPrograms.explored(text, runs: 300)
    #expect(found.normal.failure == nil, "the normal run fails\n\(text)")
    #expect(found.isExhausted, "\(text)")
    #expect(found.unwritten == 0, "\(text)")
    let schedules = found.failures.map(\.trial.schedule)
    guard let line = program.line else {
      #expect(schedules.isEmpty, "\(schedules.map(\.text))\n\(text)")
      return
    }
    let printed = schedules.map { $0.lines.map { "\($0)" } }
    #expect(printed.contains([line]), "\(printed)\n\(text)")
  }

  private static let arrivals = [
    Case(
      name: "an answer that comes behind a tap",
      text: tapAndAnswer(after: "20ms"),
      line:
        "\"arrival\" submits \"com.apple.main-thread\" before \"load\" submits \"com.apple.main-thread\""
    ),
    Case(
      name: "a tap that comes behind an answer",
      text: tapAndAnswer(after: "60ms"),
      line:
        "\"load\" submits \"com.apple.main-thread\" before \"arrival\" submits \"com.apple.main-thread\""
    ),
    Case(
      name: "two taps keep their order",
      text: """
        var taps = 0
        main { }
        at(10ms) { DispatchQueue.main.async(name: "one") { taps = taps * 10 + 1 } }
        at(20ms) { DispatchQueue.main.async(name: "two") { taps = taps * 10 + 2 } }
        expect { value(taps) == 12 }
        """,
      line: nil),
  ]

  private static func tapAndAnswer(after time: String) -> String {
    """
    var loaded = 0
    var seen = 0
    main {
        DispatchQueue.global().async(name: "load") {
            io(\(time))
            DispatchQueue.main.async(name: "store") { loaded = 1 }
        }
    }
    at(50ms) { DispatchQueue.main.async(name: "tap") { seen = loaded } }
    expect { value(seen) == \(time == "20ms" ? 1 : 0) }
    """
  }

  private static let timers = [
    Case(
      name: "a time limit that comes before a reply",
      text: limitAndReply(after: "8ms"), line: "\"timeout\" fires q before \"request\" submits q"),
    Case(
      name: "a time limit that comes behind a reply",
      text: limitAndReply(after: "12ms"), line: "\"request\" submits q before \"timeout\" fires q"),
    Case(
      name: "timers expire in the order of their deadlines",
      text: twoOnQueue(
        "q.asyncAfter(deadline: .now() + 10ms, name: \"one\")",
        "q.asyncAfter(deadline: .now() + 11ms, name: \"two\")"),
      line: nil),
  ]

  private static let inputs = [
    Case(
      name: "input that ends behind a longer one",
      text: twoOnQueue(
        "io(5ms, queue: q, name: \"short\")", "io(50ms, queue: q, name: \"long\")"),
      line: "\"long\" fires q before \"short\" fires q")
  ]

  /// Two closures come to one queue by the calls `first` and `second`, and the first is the one that comes first.
  private static func twoOnQueue(_ first: String, _ second: String) -> String {
    """
    var log = 0
    main(.tool) {
        let q = DispatchQueue(label: "q")
        let g = DispatchGroup()
        g.enter()
        g.enter()
        \(first) { log = log * 10 + 1; g.leave() }
        \(second) { log = log * 10 + 2; g.leave() }
        g.wait()
    }
    expect { value(log) == 12 }
    """
  }

  private static func limitAndReply(after time: String) -> String {
    """
    var first = 0
    main(.tool) {
        let q = DispatchQueue(label: "q")
        let g = DispatchGroup()
        g.enter()
        g.enter()
        q.asyncAfter(deadline: .now() + 10ms, name: "timeout") { if first == 0 { first = 1 }; g.leave() }
        DispatchQueue.global().async(name: "request") {
            io(\(time))
            q.async(name: "reply") { if first == 0 { first = 2 }; g.leave() }
        }
        g.wait()
    }
    expect { value(first) == \(time == "8ms" ? 2 : 1) }
    """
  }

  private static let starts = [
    Case(
      name: "an operation that is cancelled before it begins",
      text: operation("sleep(5ms); a.cancel()", "operations.waitUntilAllOperationsAreFinished()"),
      line: "\"main\" cancels a before \"a\" begins a"),
    Case(
      name: "an operation that is cancelled when it is over",
      text: operation("operations.waitUntilAllOperationsAreFinished()", "a.cancel()"),
      line: nil),
    Case(
      name: "a work item that is cancelled before it begins",
      text: workItem("sleep(5ms); w.cancel()", "g.wait()"),
      line: "\"main\" cancels w before \"w\" begins w"),
    Case(
      name: "a work item that is cancelled when it is over",
      text: workItem("g.wait()", "w.cancel()"),
      line: nil),
  ]

  /// An operation is added to a queue, and then main does two things.
  private static func operation(_ first: String, _ second: String) -> String {
    """
    var ran = 0
    main(.tool) {
        let operations = OperationQueue()
        let a = BlockOperation(name: "a") { ran += 1 }
        operations.addOperation(a)
        \(first)
        \(second)
    }
    expect { value(ran) == 1 }
    """
  }

  /// A work item is submitted to a global queue, and then main does two things.
  private static func workItem(_ first: String, _ second: String) -> String {
    """
    var ran = 0
    main(.tool) {
        let g = DispatchGroup()
        let w = DispatchWorkItem(name: "w") { ran += 1 }
        DispatchQueue.global().async(group: g, execute: w)
        \(first)
        \(second)
    }
    expect { value(ran) == 1 }
    """
  }
}
