import Foundation
import SpindleSystem
import TestSupport
import Testing

@testable import SpindleCommand

/// An HTML report in a real browser: it draws, has no error, and says why when it is clicked.
@Suite struct BrowserTests {
  /// The first program of these names on the path.
  private static func program(_ names: String...) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for name in names {
      for folder in folders {
        let path = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: path) { return path }
      }
    }
    return nil
  }

  private static let node = program("node")
  private static let chromium = program("chromium", "chromium-browser", "google-chrome")
  static let hasBrowser = node != nil && chromium != nil

  /// Does what a reader does; what the browser said, and how that ended: 0 if it had nothing to complain
  /// of, 77 if it does not start.
  private func look(_ actions: [String]) throws -> (said: String, status: Int32) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: try #require(BrowserTests.node))
    process.arguments =
      ["\(Repository.root)/.ci/html-browser.js", try #require(BrowserTests.chromium)] + actions
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (said, process.terminationStatus)
  }

  /// 'late' wants the lock that main has from 0 to 5 ms: a click on its wait says so, the key c leads to
  /// main, and the data of the page are those of the run.
  @Test(
    "a click tells the cause",
    .enabled(if: hasBrowser, "skipped: there is no Chromium or no Node here to open a report with"))
  func clickTellsTheCause() throws {
    let folder = TemporaryFolder()
    let trace = folder.write(
      "a.trace",
      """
      trace "Held"
      machine { cores: 2; costs: .zero }
      let lock = NSLock()
      main {
        lock.lock()
        Thread.detachNewThread(name: "late") { lock.lock(); work(1ms); lock.unlock() }
        work(5ms)
        lock.unlock()
      }
      """)
    #expect(Invocation("simulate", trace, "--html", folder["a.html"]).status == .held)
    // Row 1 of the threads is 'late'; 2 ms is within its wait.
    let point = """
      point:(() => { document.getElementById('timeline').scrollIntoView();
      const pane = view.panes[1], box = pane.canvas.getBoundingClientRect();
      return [box.left + pane.stage().x(2e6), box.top + pane.tops[1] + 8]; })()
      """
    func says(_ sentence: String) -> String {
      "expect:document.getElementById('cause').textContent.includes(`\(sentence)`)"
    }
    let (said, status) = try look([
      "open:\(folder["a.html"])", point, says("'late' waited for 5ms for lock 'lock' at line 6:42"),
      says("held by 'main', taken at line 5:3"), "key:c", says("'main' ran for 5ms on core 0"),
      "expect:view.cached(view.all[0], 'cores', () => []).reduce((sum, row) => sum + row.busyBy(1e12), 0) === 6e6",
    ])
    guard status != 77 else {
      Issue.record("skipped: \(said)", severity: .warning)
      return
    }
    #expect(status == 0, "\(said)")
  }

  /// Each mark keeps its text, also where many share a line, and those of the world outside have a row.
  @Test(
    "marks have their texts",
    .enabled(if: hasBrowser, "skipped: there is no Chromium or no Node here to open a report with"))
  func marksHaveTheirTexts() throws {
    let folder = TemporaryFolder()
    let trace = folder.write(
      "a.trace",
      """
      machine { cores: 1; costs: .zero }
      main { for i in 0 ..< 6 { mark("shown \\(i)"); work(1ms) } }
      at(2ms) { mark("tap") }
      """)
    #expect(Invocation("simulate", trace, "--html", folder["a.html"]).status == .held)
    let (said, status) = try look([
      "open:\(folder["a.html"])",
      "expect:view.all[0].marks[0].length === 1 && view.all[0].marks[0][0].texts.join() === "
        + "'shown 0,shown 1,shown 2,shown 3,shown 4,shown 5'",
      "expect:view.all[0].worldMarks[0].text === 'tap' && view.panes[1].rows[0].title === 'world outside'",
    ])
    guard status != 77 else {
      Issue.record("skipped: \(said)", severity: .warning)
      return
    }
    #expect(status == 0, "\(said)")
  }
}
