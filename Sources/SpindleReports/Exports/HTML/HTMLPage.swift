import SpindleModel

/// The parts of a report that are plain HTML: what went wrong, why it took as long as it did, numbers.
struct HTMLPage {
  private let report: HTMLReport
  private var html = HTMLText()
  var first: HTMLReport.Run { report.runs[0] }
  /// The runs whose findings and tables are shown: those of a comparison are in its table.
  private var isSingle: Bool { report.comparison == nil }

  init(_ report: HTMLReport) { self.report = report }

  /// The page before the data and behind it.
  mutating func parts() -> (before: String, after: String) {
    html = HTMLText()
    writeHead()
    html.add("<main>\n")
    if let comparison = report.comparison {
      html.add(ComparisonSection(comparison).markup)
      writePartings()
    }
    for run in report.runs { writeProblems(run) }
    html.add(OverviewPicture(report.runs).markup)
    html.add(HTMLPage.text(PackageResources.timeline_html))
    for told in report.partings where told.run < report.runs.count { writeItems(told) }
    for run in report.runs { writeCauses(run) }
    if isSingle {
      html.add(NumbersSection(first).markup)
    }
    html.add("</main>\n")
    let before = html.text
    html = HTMLText()
    writeFooter()
    html.add("<script>\n")
    for script in HTMLPage.scripts { html.add(HTMLPage.condensed(script)) }
    html.add("</script>\n</body>\n</html>\n")
    return (before, html.text)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// A script without its indentation and the lines that are comments: a third of its size.
  private static func condensed(_ script: [UInt8]) -> String {
    var result = ""
    for line in text(script).split(separator: "\n") {
      let code = line.drop { $0 == " " }
      if code.isEmpty || code.hasPrefix("//") || code.hasPrefix("/*") || code.hasPrefix("*") {
        continue
      }
      result += code + "\n"
    }
    return result
  }

  /// The scripts, each after what it uses.
  private static let scripts = [
    PackageResources.decode_js, PackageResources.run_js, PackageResources.words_js,
    PackageResources.colours_js, PackageResources.rows_js, PackageResources.charts_js,
    PackageResources.panes_js, PackageResources.view_js, PackageResources.select_js,
    PackageResources.app_js, PackageResources.input_js,
  ]

  private mutating func writeHead() {
    let title = HTMLText.escaped(first.program.title)
    html.add(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
      'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      \(HTMLPage.text(PackageResources.report_css))</style>
      </head>
      <body>
      <header>
      <h1>\(title)</h1>

      """)
    html.add("p", HTMLPage.machine(first), class: "dim")
    if isSingle { writeOutcome() }
    html.add("</header>\n")
  }

  /// What the run was of.
  private static func machine(_ run: HTMLReport.Run) -> String {
    let machine = run.machine
    var text = "\(run.program.source.name): \(machine.platform.rawValue), "
    text += "\(Int64(machine.cores.count).counted("core")), \(machine.memory.approximate), "
    text += "costs \(machine.costs), policy \(machine.policy), seed \(run.program.seed)"
    for parameter in run.program.parameters { text += ", \(parameter.name) = \(parameter.value)" }
    return text
  }

  private mutating func writeOutcome() {
    let outcome = first.metrics.outcome
    let (metrics, isFine) = (first.metrics, outcome.kind == .finished && first.cut == nil)
    let words =
      first.cut?.words(at: metrics.end)
      ?? FindingLines.outcome(outcome, at: metrics.end, first.program.source)
    let failed = first.verdicts.count { !$0.holds && !$0.isImplied }
    let stated = first.verdicts.count { !$0.isImplied }
    let unmet = failed > 0 ? "; \(failed) of \(Int64(stated).counted("expectation")) not met" : ""
    html.add("p", words + unmet, class: isFine && failed == 0 ? "good" : "bad")
    let (threads, switches) = (metrics.threadsPeak, metrics.switches)
    var facts: [(String, String)] = [
      ("makespan", Nanoseconds(metrics.makespan.nanoseconds).approximate),
      (
        metrics.cores.count == 1 ? "of the core used" : "of the cores used",
        "\(metrics.utilization)"
      ),
      (threads == 1 ? "thread at a time" : "threads at a time", threads.grouped),
      ("memory in use at most", metrics.memoryPeak.approximate),
      (switches == 1 ? "context switch" : "context switches", switches.grouped),
    ]
    if hasMain {
      facts.insert(("longest stall of main", metrics.mainLongestStall.approximate), at: 2)
    }
    html.add("<div class=\"facts\">")
    for (name, value) in facts {
      html.add("<div>")
      html.add("b", value)
      html.add("span", name)
      html.add("</div>")
    }
    html.add("</div>\n")
  }

  private var hasMain: Bool { first.program.main != nil && !first.program.mainIsTool }

  // MARK: What went wrong

  private mutating func writeProblems(_ run: HTMLReport.Run) {
    let failed = run.verdicts.filter { !$0.holds }
    let groups = FindingGroups(run.metrics.findings).groups
    let label = report.runs.count > 1 ? ": \(run.label)" : ""
    html.add("<section class=\"findings\">")
    html.add("h2", "What went wrong\(label)")
    if failed.isEmpty && groups.isEmpty {
      let stated = run.verdicts.filter { !$0.isImplied }.count
      let met =
        switch stated {
        case 0: "Nothing"
        case 1: "The expectation is met, and nothing"
        case 2: "Both expectations are met, and nothing"
        default: "All \(stated) expectations are met, and nothing"
        }
      html.add("p", "\(met) was found.", class: "good")
    }
    html.add("<ol class=\"list\">\n")
    for verdict in failed { write(verdict, run) }
    for group in groups { write(group, run) }
    html.add("</ol></section>\n")
  }

  private mutating func write(_ verdict: Verdict, _ run: HTMLReport.Run) {
    html.add("<li class=\"failed\">")
    html.add("b", "not met: ")
    html.add("code", verdict.text)
    if !verdict.isImplied {
      html.add("span", " line \(run.program.source.position(of: verdict.place))", class: "dim")
    }
    for line in verdict.seen.split(separator: "\n") { html.add("p", String(line)) }
    for cause in verdict.causes { write(cause, run) }
    html.add("</li>\n")
  }

  private mutating func write(_ cause: Cause, _ run: HTMLReport.Run) {
    let target = fragment(run, cause.from, cause.to, cause.threads.first)
    html.add("<p><a href=\"\(target)\">")
    html.add(HTMLText.escaped(String(cause.heading.dropLast())))
    html.add("</a></p><ol>")
    for part in cause.parts { html.add("li", part) }
    html.add("</ol>")
  }

  private mutating func write(_ group: FindingGroups.Group, _ run: HTMLReport.Run) {
    let finding = group.first
    let severity = finding.kind.severity.name
    let fields = HTMLText.escaped(JSONText.fields(finding.statement).text)
    html.add("<li class=\"\(severity)\" data-fields=\"\(fields)\">")
    let note = run.store.notes.first {
      $0.kind == .finding && $0.time == finding.time && Int($0.value) < run.metrics.findings.count
        && $0.value >= 0 && run.metrics.findings[Int($0.value)].kind == finding.kind
    }
    let reach = Nanoseconds(max(1, min(run.metrics.end.nanoseconds / 20, 50_000_000)))
    let from = max(Instant.start, finding.time + Nanoseconds(-reach.rawValue))
    let target = fragment(run, from, finding.time + reach, note?.thread, at: finding.time)
    html.add("<b>\(severity): ")
    html.add("<a href=\"\(target)\">\(finding.kind.rawValue) at \(finding.time)</a></b>")
    html.add("p", finding.explanation)
    let places = finding.places.map { run.program.source.position(of: $0) }
    if !places.isEmpty {
      let noun = places.count == 1 ? "line" : "lines"
      html.add("p", "\(noun) \(places.joined(separator: ", "))", class: "dim")
    }
    if let more = group.more { html.add("p", more) }
    if let page = FindingPage.page(finding.kind) {
      html.add("<details class=\"page\"><summary>What it means and what to do</summary>")
      html.add("p", page.means)
      html.add("p", page.remedy)
      html.add("</details>")
    }
    html.add("</li>\n")
  }

  /// A link that shows a stretch of time and selects what a thread did at its beginning, or `at` another
  /// moment.
  private func fragment(
    _ run: HTMLReport.Run, _ from: Instant, _ to: Instant, _ thread: ThreadIndex?,
    at moment: Instant? = nil
  ) -> String {
    let margin = max(1, (to.nanoseconds - from.nanoseconds) / 10)
    let end = to + Nanoseconds(margin)
    var text = "#w=\(max(0, from.nanoseconds - margin)),\(end.nanoseconds)"
    let index = report.runs.firstIndex { $0.label == run.label } ?? 0
    if let thread, !thread.isNone {
      text += "&amp;s=\(index).state.\(thread.raw)@\((moment ?? from).nanoseconds)"
    }
    if report.runs.count > 1 { text += "&amp;r=0,\(max(1, index))" }
    return text
  }

  // MARK: Why

  /// Stalls from this length on are explained: a frame at 60 Hz.
  private static let shortestStall = Nanoseconds(16_666_667)

  private mutating func writeCauses(_ run: HTMLReport.Run) {
    var told: [(title: String, cause: Cause)] = []
    // A finding has told of a stall that is a hang.
    let isTold = run.metrics.findings.contains { $0.kind == .mainThreadHang }
    if !isTold, let cause = run.store.causeOfStall(), cause.length >= HTMLPage.shortestStall,
      run.program.main != nil, !run.program.mainIsTool
    {
      told.append(("Longest stall of the main thread, \(cause.length.approximate)", cause))
    }
    if let cause = run.store.causeOfMakespan() {
      let makespan = Nanoseconds(run.metrics.makespan.nanoseconds).approximate
      told.append(("Critical path: why the run took \(makespan)", cause))
    }
    // An expectation that is not met has told of the same.
    let known = Set(run.verdicts.flatMap(\.causes))
    told.removeAll { known.contains($0.cause) }
    if told.isEmpty { return }
    let label = report.runs.count > 1 ? ": \(run.label)" : ""
    html.add("<section>")
    html.add("h2", "Why it took as long as it did\(label)")
    html.add("<ul class=\"list\">\n")
    for (title, cause) in told {
      html.add("<li>")
      html.add("b", title)
      write(cause, run)
      html.add("</li>\n")
    }
    html.add("</ul></section>\n")
  }

  // MARK: Comparisons

  private mutating func writePartings() {
    for told in report.partings where told.run < report.runs.count {
      let other = report.runs[told.run]
      html.add("<section>")
      html.add("h2", "\(first.label) and \(other.label)")
      html.add("<ul class=\"list\"><li><b>They part at ")
      let reach = Nanoseconds(max(1, first.metrics.end.nanoseconds / 20))
      let from = max(Instant.start, told.time + Nanoseconds(-reach.rawValue))
      let target = fragment(other, from, told.time + reach, nil)
      html.add("<a href=\"\(target)\">\(told.time)</a></b><ul>")
      for sentence in told.sentences { html.add("li", sentence) }
      html.add("</ul>")
      if !told.inputs.isEmpty {
        html.add("p", "What differs: \(told.inputs.joined(separator: "; "))", class: "dim")
      }
      html.add("</li></ul></section>\n")
    }
    if !report.leftOut.isEmpty {
      html.add("<section>")
      html.add("p", report.leftOut, class: "dim")
      html.add("</section>\n")
    }
  }

  /// The items of both runs whose times differ most.
  private mutating func writeItems(_ told: RunDifference.Told) {
    let (items, first, second) = (told.items, first.label, report.runs[told.run].label)
    html.add("<section>")
    defer { html.add("</section>\n") }
    html.add("h2", "Work that takes another time: \(first) and \(second)")
    if items.isEmpty { return html.add("p", "No item that is in both took another time.") }
    html.add("<div class=\"wide\"><table><tr>")
    for title in ["item", first, second, "difference"] { html.add("th", title) }
    html.add("</tr>\n")
    let limit = 10
    for item in items.prefix(limit) {
      let change = item.after - item.before
      html.add("<tr>")
      html.add("td", item.name)
      html.add("td", TimelineStore.short(item.before))
      html.add("td", TimelineStore.short(item.after))
      html.add("td", (change > 0 ? "+" : "") + TimelineStore.short(change))
      html.add("</tr>\n")
    }
    html.add("</table></div>\n")
    if items.count > limit {
      html.add("p", "and \(Int64(items.count - limit).counted("more item"))", class: "dim")
    }
  }

  // MARK: What is left out

  /// The text about the intervals that are not kept in full; empty where all is.
  func kept(_ windows: [[ClosedRange<Instant>]?]) -> String {
    var html = HTMLText()
    for (run, windows) in zip(report.runs, windows) {
      guard let windows else { continue }
      let whole = max(1, run.metrics.end.nanoseconds)
      let kept = windows.reduce(Int64(0)) {
        $0 + min($1.upperBound.nanoseconds, whole) - max(0, $1.lowerBound.nanoseconds)
      }
      let label = report.runs.count > 1 ? "Of \(run.label) this" : "This"
      var text = "\(label) file holds every step of \(Nanoseconds(kept).approximate) of "
      text += "\(Nanoseconds(whole).approximate), around what went wrong; of the rest, which is "
      text += "grey, only how the time was spent, in \(run.shares.count) parts. "
      text += "--window FROM...TO chooses what is kept, and --html-size 10MB keeps more."
      html.add("<section>")
      html.add("p", text, class: "warn")
      html.add("</section>\n")
    }
    return html.text
  }

  private mutating func writeFooter() {
    var text = "Made by Spindle in virtual time"
    let digests = report.runs.map(\.digest).filter { !$0.isEmpty }
    if !digests.isEmpty { text += "; digest \(digests.joined(separator: ", "))" }
    html.add("<footer>")
    html.add("p", text + ". The same trace gives the same file.")
    html.add("</footer>\n")
  }
}
