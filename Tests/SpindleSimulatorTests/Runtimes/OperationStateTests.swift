import SpindleModel
import TestSupport
import Testing

/// The life of an operation: which observers are told what, in which order.
///
/// Expected: swift-corelibs-foundation:Sources/Foundation/Operation.swift, start, cancel and
/// observeValue; Apple, Operation, for the keys.
@Suite struct OperationStateTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let body: String
    let steps: [String]
    let location: SourceLocation

    init(
      _ claim: String, _ body: String, _ steps: [String],
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.body, self.steps, self.location) = (claim, body, steps, location)
    }
  }

  static let rows = [
    Row(
      "one that runs is executing, then neither executing nor unfinished",
      "let a = Operation(name: \"a\") { mark(\"runs\") }\nmain { a.start() }",
      [
        "submits a", "a isExecuting = true", "starts a", "mark runs", "a isExecuting = false",
        "a isFinished = true", "ends a",
      ]),
    Row(
      "one that is cancelled before its start only says that it is finished",
      "let a = Operation(name: \"a\") { mark(\"never\") }\nmain { a.cancel(); a.start() }",
      [
        "a isCancelled = true", "a isReady = true", "submits a", "a isFinished = true", "skips a",
      ]),
    Row(
      "one that is cancelled while it runs says so and goes on",
      "let a = Operation(name: \"a\") { a.cancel(); mark(\"runs on\") }\nmain { a.start() }",
      [
        "submits a", "a isExecuting = true", "starts a", "a isCancelled = true", "mark runs on",
        "a isExecuting = false", "a isFinished = true", "ends a",
      ]),
    Row(
      "a dependent gets ready when the last it waits for has finished, before anybody else is told",
      """
      let a = Operation(name: "a") { }
      let b = Operation(name: "b") { }
      main {
          a.completionBlock = { mark("completed") }
          b.addDependency(a)
          a.start()
          mark("start returned")
          b.start()
      }
      """,
      [
        "b isReady = false", "submits a", "a isExecuting = true", "starts a",
        "a isExecuting = false", "a isFinished = true", "ends a", "b isReady = true",
        "submits a completion", "mark start returned", "submits b", "b isExecuting = true",
        "starts b", "b isExecuting = false", "b isFinished = true", "ends b",
        "starts a completion", "mark completed", "ends a completion",
      ]),
    Row(
      "an asynchronous one says itself what it is, and finish() says both",
      """
      let a = Operation(name: "a", isAsynchronous: true) {
          willChangeValue(forKey: "isExecuting")
          isExecuting = true
          didChangeValue(forKey: "isExecuting")
          finish()
          mark("start goes on")
      }
      main { a.start() }
      """,
      [
        "submits a", "starts a", "a isExecuting = true", "a isExecuting = false",
        "a isFinished = true", "ends a", "mark start goes on",
      ]),
    Row(
      "an asynchronous one starts even when cancelled",
      """
      let a = Operation(name: "a", isAsynchronous: true) { mark("cancelled: \\(isCancelled)"); finish() }
      main { a.cancel(); a.start() }
      """,
      [
        "a isCancelled = true", "a isReady = true", "submits a", "starts a",
        "mark cancelled: true", "a isExecuting = false", "a isFinished = true", "ends a",
      ]),
    Row(
      "an end that is said twice is told once",
      "let a = Operation(name: \"a\", isAsynchronous: true) { finish(); finish() }\nmain { a.start() }",
      ["submits a", "starts a", "a isExecuting = false", "a isFinished = true", "ends a"]),
    Row(
      "the teardown comes when everybody has been told",
      """
      let a = Operation(name: "a") { mark("main") } teardown: { mark("teardown") }
      main { a.start() }
      """,
      [
        "submits a", "a isExecuting = true", "starts a", "mark main", "a isExecuting = false",
        "a isFinished = true", "ends a", "mark teardown",
      ]),
    Row(
      "on Linux a cancelled one announces its readiness only",
      """
      machine { platform: .linux; costs: .zero; cores: 2 }
      let a = Operation(name: "a") { }
      main { a.cancel() }
      """,
      ["a isReady = true"]),
  ]

  @Test("observers are told in the library's order", arguments: rows)
  func announcements(row: Row) {
    let machine = "machine { platform: .iOS; cores: 1; costs: .zero }\n"
    let run = TestRun(row.body.contains("machine {") ? row.body : machine + row.body)
    #expect(run.messages.isEmpty, sourceLocation: row.location)
    #expect(steps(run.log) == row.steps, sourceLocation: row.location)
  }

  /// What the log says of items, marks and observed values, without times and threads.
  private func steps(_ log: String) -> [String] {
    log.split(separator: "\n").compactMap { line in
      guard !line.hasPrefix("#") else { return nil }
      let words = line.split(separator: " ").drop { !OperationStateTests.verbs.contains($0) }
      guard let verb = words.first else { return nil }
      let text = words.dropFirst().joined(separator: " ").replacing("\"", with: "")
        .replacing(#/( to |, ).*/#, with: "")
      return verb == "announces" ? text : "\(verb) \(text)"
    }
  }

  private static let verbs: Set<Substring> = [
    "announces", "submits", "starts", "ends", "skips", "mark",
  ]
}
