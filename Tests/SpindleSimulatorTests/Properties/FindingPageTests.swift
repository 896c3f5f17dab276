import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// Every finding has a page, and the page's trace has the finding.
@Suite struct FindingPageTests {
  /// There is one copy of each trace; that of a livelock takes too long to be one of the project's traces.
  @Test(arguments: Finding.Kind.allCases.filter { $0 != .livelock })
  func traceIsTheOneOfTheProject(_ kind: Finding.Kind) throws {
    let page = try #require(FindingPage.page(kind))
    #expect(try page.trace + "\n" == Repository.text("Traces/findings/\(kind.rawValue).trace"))
    let link = "Sources/SpindleReports/FindingPages/Texts/\(kind.rawValue).trace"
    #expect(Repository.isLink(link), "\(link) is a copy")
  }

  @Test("a page's trace has its finding", arguments: Finding.Kind.allCases)
  func traceHasTheFinding(_ kind: Finding.Kind) throws {
    let page = try #require(FindingPage.page(kind))
    #expect(!page.means.isEmpty && !page.remedy.isEmpty)
    var limits = RunLimits()
    limits.steps = 5_000_000
    let run = TestRun(page.trace, limits: limits)
    let findings = try #require(run.record, "\(run.diagnostics)").findings
    #expect(findings.contains { $0.kind == kind }, "\(findings.map(\.kind))")
  }
}
