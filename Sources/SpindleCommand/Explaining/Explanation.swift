import SpindleModel
import SpindleReports

/// What `spindle explain` says of a run: a paragraph, and a picture of the time that it is about.
struct Explanation {
  private let made: ExplainedRun
  private var store: TimelineStore { made.store }
  private var style: TextStyle { made.style }

  init(_ made: ExplainedRun) { self.made = made }

  /// The longest stall of the main thread, and before it the one that has no end.
  func stall() -> [String] {
    let endless = store.causeOfEndlessStall()
    let lines =
      endless.map { cause in
        told("The main thread does not respond from \(cause.from) on", cause)
      } ?? []
    if let endless, let longest = store.longestStall, longest.from >= endless.from { return lines }
    return lines + (lines.isEmpty ? [] : [""]) + longestStall()
  }

  private func longestStall() -> [String] {
    guard let cause = store.causeOfStall() else {
      return ["The main thread always responded."]
    }
    return told("Longest stall of the main thread, \(cause.length.approximate)", cause)
  }

  /// The critical path, and by how much it would be shorter if something on it were otherwise.
  func criticalPath() -> [String] {
    guard let cause = store.causeOfMakespan() else { return ["No thread did any work."] }
    let makespan = Nanoseconds(made.record.makespan.nanoseconds)
    let remedies = made.again?.lines(store, made.record, style: style) ?? []
    return told("Critical path, makespan \(makespan.approximate)", cause) + remedies
  }

  /// An item, or all of a pattern by the slowest.
  func item(_ name: String) throws(CommandFailure) -> [String] {
    if let cause = store.cause(ofItems: name, .latency, .max) {
      return told("\(cause.length.approximate) from submission to the end", cause)
    }
    if let cause = store.cause(ofMoment: name, isStart: false) { return told("", cause) }
    throw .usage(UsageText.itemUnknown(name, near: Spelling.proposal(name, in: store.itemNames)))
  }

  /// Who wrote a value, or all of a pattern.
  func value(_ name: String) throws(CommandFailure) -> [String] {
    guard let history = made.history else { return [] }
    guard history.writeCount + history.readCount > 0 else {
      throw .usage(
        UsageText.itemUnknown(
          name, near: Spelling.proposal(name, in: history.names), sort: "variable or record"))
    }
    return [style.bold("'\(name)', \(HistoryText.counts(history))")]
      + HistoryText.lines(history, made.program.source).flatMap { style.item($0) }
  }

  /// What went on at a moment.
  func moment(_ time: Instant, thread name: String?) throws(CommandFailure) -> [String] {
    guard let states = store.statesInWords(at: time, thread: name) else {
      throw .usage(
        UsageText.itemUnknown(
          name ?? "", near: Spelling.proposal(name ?? "", in: store.threadNames), sort: "thread"))
    }
    let length = max(1, min(made.record.end.nanoseconds / 20, 50_000_000))
    let from = Instant(max(0, time.nanoseconds - length))
    var picture = LanePicture(
      store, from: from, to: min(made.record.end, time + Nanoseconds(length)), style: style)
    let lines = [style.bold("At \(time)")] + states.flatMap { style.paragraph($0) }
    return lines + below(picture.lines(by: .thread, only: name.map { [$0] } ?? []))
  }

  /// A finding of the summary.
  func finding(_ number: Int64) throws(CommandFailure) -> [String] {
    let groups = FindingGroups(made.record.findings).groups
    guard number <= groups.count else { throw .usage(UsageText.findingNumber(groups.count)) }
    let group = groups[Int(number) - 1]
    let finding = group.first
    let head = "Finding \(number): \(finding.kind.rawValue) at \(finding.time)"
    var lines = [style.bold(head)] + style.paragraph(finding.explanation)
    let places = finding.places.map { "\(made.program.source.position(of: $0))" }
    if !places.isEmpty { lines += style.paragraph("at \(places.joined(separator: ", "))") }
    if let more = group.more { lines += style.paragraph(more) }
    // The crash comes last.
    if group.last == made.record.findings.last { lines += crashLines() }
    lines.append("")
    for state in store.statesInWords(at: finding.time, thread: nil) ?? [] {
      lines += style.item(state)
    }
    let length = min(finding.time.nanoseconds, 500_000_000)
    var picture = LanePicture(
      store, from: Instant(finding.time.nanoseconds - length), to: finding.time, style: style)
    return lines + below(picture.lines(by: .thread))
  }

  /// The crash that ended the run.
  func crash() -> [String] {
    let outcome = FindingLines.outcome(
      made.record.outcome, at: made.record.end, made.program.source)
    return style.fitted(style.bold("At \(made.record.end), \(outcome)")) + crashLines()
  }

  /// The calls that led to the crash, and what was done with the object that it is about.
  private func crashLines() -> [String] {
    guard let crash = made.record.crash else { return [] }
    return CrashText.lines(crash, made.program.source, style)
  }

  private func told(_ title: String, _ cause: Cause) -> [String] {
    var picture = LanePicture(store, window: cause, style: style)
    let head = title.isEmpty ? [] : [style.bold(title)]
    return head + style.paragraph(cause.heading) + cause.parts.flatMap { style.item($0) }
      + below(picture.lines(of: Array(cause.threads.prefix(8))))
  }

  /// A picture below a text; nothing where there is no time to draw.
  private func below(_ picture: [String]) -> [String] { picture.isEmpty ? [] : [""] + picture }
}
