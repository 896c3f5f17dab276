import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// Every finding has a page, and the page's trace has the finding.
@Suite struct FindingPageTests {
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
