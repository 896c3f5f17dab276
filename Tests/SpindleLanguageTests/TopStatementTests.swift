import SpindleLanguage
import Testing

/// Statements at the top of a trace: each is told with where it belongs, and a program without a `main` one thing.
@Suite struct TopStatementTests {
  typealias Row = CheckingTests.Row

  private static let script =
    "error: put the statements of a program into 'main(.tool) { … }', where 'await' is allowed, and those of an app "
    + "into 'main { … }'; the top is for declarations"

  static let rows = [
    Row("a call", "let p = ThreadPool(width: 1)\np.async { work(1ms) }", "2:1: \(script)"),
    Row("a loop", "let n = 1\nfor i in 0 ..< n { print(i) }", "2:1: \(script)"),
    Row("several", "let n = 1\nx = n\nif n > 1 { print(n) }\nprint(n)", "2:3: \(script)"),
    Row(
      "beside a 'main'",
      "func go() { }\ngo()\nTask { }\n_ = try await go()\nfor i in 0 ..< 3 { }\nmain { }",
      """
      4:3: error: '=' is not allowed at the top of a trace; it belongs in 'main { … }' or a function
      5:1: error: 'for' is not allowed at the top of a trace; it belongs in 'main { … }' or a function
      """),
    Row(
      "calls beside a 'main'",
      "func go() { }\ngo()\nTask { }\ntry await go()\nat(1s) { go() }\nmain { }",
      """
      2:1: error: 'go' can't be called at the top of a trace; move it into 'main'
      3:1: error: 'Task' can't be called at the top of a trace; move it into 'main'
      4:1: error: only declarations, 'at', 'every' and 'arrivals' are allowed at the top; move this into 'main'
      4:5: error: the top of a trace can't wait; move this into a 'Task { }' in 'main'
      """),
    Row(
      "a function that is meant to be 'main'", "func main() { work(1ms) }",
      "1:6: error: the main thread's code is not a function: write 'main { … }'"),
    Row("nothing that runs", "func go() { work(1ms) }\n", "2:1: error: a trace needs a 'main { }'"),
  ]

  @Test(arguments: rows)
  func isTold(row: Row) {
    let report = CompilerSupport.report(row.text)
    #expect(report == row.report, sourceLocation: row.location)
  }
}
