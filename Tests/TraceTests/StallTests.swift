import Foundation
import SpindleLanguage
import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// There is one definition of a stall: the measure and the finding tell the same.
@Suite struct StallTests {
  static let bodies = [
    "main { work(250ms) }",
    "main { work(100ms); DispatchQueue.main.async { work(150ms) } }",
    "main { }\nat(0ms) { DispatchQueue.main.async { work(150ms) } }\n"
      + "at(100ms) { DispatchQueue.main.async { work(150ms) } }",
    "let cache = DispatchQueue(label: \"cache\", qos: .utility)\n"
      + "every(16ms) { DispatchQueue.main.async { cache.sync { work(1ms) }; work(4ms) } }\n"
      + "every(400ms) { cache.async { work(300ms) } }\nmain { }",
    "main { Timer.scheduledTimer(withTimeInterval: 100ms, repeats: true) { _ in work(120ms) } }",
    "main { }\nat(1s) { DispatchQueue.main.async { work(10ms); io(400ms); work(10ms) } }",
    "main { Task { @MainActor in work(200ms); await io(10ms); work(240ms) } }",
    "main { RunLoop.main.run(until: .now() + 1s); work(300ms) }",
    "main { RunLoop.main.track(for: 100ms); sleep(200ms) }",
    "main { Thread.exit() }",
  ]

  @Test(arguments: bodies, ["zero", "apple"])
  func theFindingIsTheMeasure(body: String, costs: String) throws {
    let run = TestRun(
      "trace \"stalls\" { until: 1s }\nmachine { platform: .iOS; cores: 1; costs: .\(costs) }\n"
        + body)
    #expect(run.diagnostics.filter { $0.severity == .error }.isEmpty, "\(run.diagnostics)")
    let metrics = try #require(run.metrics)
    let hangs = metrics.findings.filter { $0.kind == .mainThreadHang }
    let longest = hangs.compactMap { Self.length(in: $0.explanation) }.max()
    let stall = metrics.mainLongestStall
    #expect(longest == (stall.rawValue >= 250_000_000 ? stall.description : nil))
  }

  /// The length that a finding tells: `… could not respond for 250ms: …`.
  private static func length(in text: String) -> String? {
    guard let range = text.range(of: "could not respond for ") else { return nil }
    return String(text[range.upperBound...].prefix { $0 != ":" })
  }
}
