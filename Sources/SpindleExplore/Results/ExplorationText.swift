package import SpindleModel
package import SpindleReports
import SpindleSimulator

/// What is said of a search.
package struct ExplorationText {
  private let program: Program
  private let exploration: Exploration
  private let style: TextStyle
  /// How the trace is called on the command line.
  private let path: String

  /// Creates the text of a search in a program.
  package init(_ program: Program, _ exploration: Exploration, path: String, style: TextStyle) {
    (self.program, self.exploration, self.path, self.style) = (program, exploration, path, style)
  }

  /// All of it, in lines.
  package var lines: [String] {
    var lines = [program.title.isEmpty ? path : program.title]
    lines += row("explored", covered)
    if let notes = notCounted { lines += row("", notes) }
    if let notes = notVaried { lines += row("", notes) }
    let count = exploration.failures.count
    if count == 0 && exploration.unwritten > 0 {
      let what =
        "\(Self.grouped(exploration.failing)) of \(Self.grouped(exploration.runs)) runs, in \(Self.count(exploration.unwritten, "way")) that could not be written as a schedule"
      lines += row("fails", style.paint(what, .red))
    } else if count == 0 {
      lines += row("fails", style.paint("no schedule that was run", .green))
    } else {
      let what =
        "\(Self.grouped(exploration.failing)) of \(Self.grouped(exploration.runs)) runs, in \(Self.count(count, "way"))"
      lines += row("fails", style.paint(what, .red))
    }
    for (index, failure) in exploration.failures.enumerated() {
      lines.append("")
      lines += self.lines(of: failure, number: index + 1)
    }
    return lines
  }

  private func row(_ name: String, _ text: String) -> [String] {
    style.wrapped(
      text, indent: name.padded(to: 12), hanging: String(repeating: " ", count: 12))
  }

  // MARK: What was covered

  /// What may be said of all schedules, and no more than that.
  package var covered: String {
    let runs = Self.count(exploration.runs, "run")
    let orders = "\(runs), \(Self.count(exploration.orders, "order")) of dependent steps"
    switch exploration.strategy {
    case .standard, .reversals:
      if exploration.isExhausted {
        if exploration.bounds.lines < ExploreBounds().lines {
          return
            "\(orders): all schedules with at most \(Self.count(exploration.bounds.lines, "reversal"))"
        }
        if exploration.tooLate > 0 {
          return "\(orders): every order in which no thread is held longer"
        }
        return exploration.readsClock
          ? "\(orders): every order of dependent steps that holds bring about"
          : "\(orders): every order of dependent steps"
      }
      if exploration.waiting == 0 && exploration.cut > 0 {
        return
          "\(orders); not complete: \(Self.count(exploration.cut, "run")) had more steps than the search follows"
      }
      let least = (exploration.leastWaiting ?? 1) - 1
      let level = least > 0 ? ", all with at most \(Self.count(least, "reversal"))" : ""
      return
        "\(orders)\(level); not complete: at least \(Self.grouped(exploration.waiting)) more are known"
    case .delays, .preemptions:
      let holds = exploration.strategy == .delays ? "delay" : "preemption"
      let level = exploration.leastWaiting ?? 1
      if exploration.isExhausted {
        return "\(orders): all schedules with at most \(Self.count(level, holds))"
      }
      return level > 1
        ? "\(orders): all schedules with at most \(Self.count(level - 1, holds)); not complete"
        : "\(orders); not complete"
    case .drawn(.urw) where exploration.failures.isEmpty && exploration.runs > 3:
      // Source: Hanley and Lippman-Hand 1983, If Nothing Goes Wrong, Is Everything All Right?
      return
        "\(orders); by 95%, less than 3 in \(Self.grouped(exploration.runs)) of the schedules that it draws fail"
    case .drawn(.pct(let depth)):
      return "\(orders); \(missed(depth))"
    case .drawn: return "\(orders); not complete: each run was drawn"
    }
  }

  /// How likely a failure of a depth was missed.
  ///
  /// Source: Burckhardt and others 2010.
  private func missed(_ depth: Int) -> String {
    let steps = max(1, exploration.normal.steps.count)
    let threads = max(1, Set(exploration.normal.steps.map(\.key.actor)).count)
    return
      "a run finds a failure of depth \(depth) with at least 1 in \(threads) * \(steps)^\(depth - 1)"
  }

  private var notCounted: String? {
    var parts: [String] = []
    if exploration.unkept > 0 {
      parts.append("\(Self.grouped(exploration.unkept)) asked for an impossible order")
    }
    if exploration.tooLate > 0 {
      parts.append(
        "\(Self.grouped(exploration.tooLate)) held a thread for longer than '--late' allows")
    }
    if exploration.tired > 0 {
      parts.append("\(Self.grouped(exploration.tired)) took too many steps")
    }
    if exploration.unwritten > 0 && !exploration.failures.isEmpty {
      parts.append(
        "\(Self.count(exploration.unwritten, "way")) to fail could not be written as a schedule")
    }
    if parts.isEmpty { return nil }
    return "not counted: \(parts.joined(separator: ", "))"
  }

  /// What may come in another order than the schedules bring about, whatever was covered.
  private var notVaried: String? {
    let orders = exploration.textsOfUnvaried
    return orders.isEmpty ? nil : "not varied: \(orders.joined(separator: ", "))"
  }

  // MARK: A failure

  /// What is said of one way to fail.
  package func lines(of failure: Exploration.Failure, number: Int) -> [String] {
    var lines = style.wrapped(headline(failure), indent: "\(number)  ", hanging: "   ")
    lines += style.wrapped(history(failure), indent: "   ")
    // What a run that did not come to its end has not done is no more than that.
    let unmet = failure.trial.outcome.kind == .finished ? failure.trial.unmet : []
    for unmet in unmet where !unmet.isImplied {
      lines += style.wrapped(
        "not met: \(unmet.text) (\(position(unmet.place)))", indent: "   ", hanging: "     ")
      for line in unmet.seen.split(separator: "\n") {
        lines += style.wrapped("\(line)", indent: "     ")
      }
    }
    let schedule = failure.trial.schedule
    if !schedule.isEmpty {
      lines.append("")
      for line in schedule.lines { lines.append("     \(line)") }
      lines.append("")
      for line in schedule.lines.prefix(Self.explainedLines) {
        lines += style.wrapped(explained(line, failure), indent: "   ")
      }
      lines += style.wrapped(lateness(failure), indent: "   ")
    }
    for finding in new(failure).prefix(Self.shownFindings) {
      let place = finding.places.first.map { " (\(position($0)))" } ?? ""
      let kind = "\(finding.kind.severity.name) \(finding.kind.rawValue)\(place)"
      lines += style.wrapped(
        "\(kind): \(finding.explanation)", indent: "   ", hanging: "     ")
    }
    if !schedule.isEmpty {
      lines += replay(schedule, number: number)
    }
    return lines
  }

  private static let explainedLines = 8
  private static let shownFindings = 3

  /// How one runs a schedule again: by its text where that fits, else by a file.
  private func replay(_ schedule: Schedule, number: Int) -> [String] {
    let text = schedule.lines.map { "\($0)" }.joined(separator: "; ")
    let quoted = "'\(text.replacing("'", with: "'\\''"))'"
    let line = "   replay    spindle simulate \(path) --schedule \(quoted)"
    if line.count <= style.width { return [line] }
    return ["   replay    with --save fails: simulate --schedule fails-\(number).schedule"]
  }

  /// What goes wrong, in a few words.
  package func headline(_ failure: Exploration.Failure) -> String {
    let trial = failure.trial
    if trial.outcome.kind != .finished {
      let message = trial.outcome.message.isEmpty ? "" : ": \(trial.outcome.message)"
      let place = trial.outcome.place.map { " (\(position($0)))" } ?? ""
      return "\(trial.outcome.kind.name)\(message)\(place)"
    }
    let stated = trial.unmet.filter { !$0.isImplied }
    if let first = stated.first {
      let more = stated.count > 1 ? ", and \(stated.count - 1) more" : ""
      return "expectation not met\(more): \(first.text)"
    }
    return failure.kind.findings.first.map { "\($0.kind.rawValue)" } ?? "the run fails"
  }

  private func history(_ failure: Exploration.Failure) -> String {
    if failure.run == 0 { return "in the normal run" }
    let size = Self.count(failure.trial.schedule.lines.count, "line")
    let drawn = failure.drawn.map { ", drawn by \($0.name)" } ?? ""
    let needed =
      failure.trial.schedule.lines.count == 1
      ? "without it this does not happen"
      : "without any one of them this does not happen"
    return "first in run \(Self.grouped(failure.run + 1))\(drawn); \(size); \(needed)"
  }

  /// What a line changes, and what the normal run does there.
  private func explained(_ line: Schedule.Line, _ failure: Exploration.Failure) -> String {
    switch line {
    case .order(let first, before: let second):
      let (one, other) = (found(first, failure.trial), found(second, failure.trial))
      let (was, wasOther) = (found(first, exploration.normal), found(second, exploration.normal))
      var text =
        "here \(who(first)) \(first.verb.rawValue) '\(shown(first.object))' first\(place(one)), "
        + "and then \(who(second)) \(second.verb.rawValue) \(object(second, behind: first))\(place(other))"
      if other == nil {
        text =
          "here \(who(first)) \(first.verb.rawValue) '\(shown(first.object))'\(place(one)), "
          + "and \(who(second)) never \(second.verb.rawValue) \(object(second, behind: first))"
      }
      if let was, let wasOther {
        text +=
          was.instant == wasOther.instant
          ? "; normally it is the other way round, both at \(Instant(was.instant))"
          : "; normally \(who(second)) does so at \(Instant(wasOther.instant)), and \(who(first)) at \(Instant(was.instant))"
      }
      return text
    case .late(let step, by: let delay):
      return
        "here \(who(step)) \(step.verb.rawValue) '\(shown(step.object))' \(delay) later\(place(found(step, failure.trial)))"
    }
  }

  /// What a step is done to, when that of another one has been named.
  private func object(_ step: Schedule.Step, behind first: Schedule.Step) -> String {
    step.object == first.object ? "it" : "'\(shown(step.object))'"
  }

  private func lateness(_ failure: Exploration.Failure) -> String {
    let longest = failure.trial.longestHold
    if longest == .zero {
      return "no thread has to be late for that: only the order matters"
    }
    if let least = failure.leastDelay, let line = failure.trial.schedule.lines.first {
      return
        "it also fails when only \(who(line.held)) is late there, by \(least.approximate) or more"
    }
    return "a thread is held for \(longest.approximate)"
  }

  /// Findings that the normal run does not have, errors first.
  private func new(_ failure: Exploration.Failure) -> [Finding] {
    let usual = Set(exploration.normal.findings.map(\.kind))
    let found = failure.trial.findings.filter {
      ($0.kind.severity > .note) && (!usual.contains($0.kind) || failure.run == 0)
    }
    return found.filter { $0.kind.severity == .error } + found.filter { $0.kind.severity != .error }
  }

  private func found(_ step: Schedule.Step, _ trial: Trial) -> (place: Int32, instant: Int64)? {
    trial.steps.first { trial.words(of: $0) == step }.map { ($0.place, $0.instant) }
  }

  private func place(_ found: (place: Int32, instant: Int64)?) -> String {
    guard let found, found.place >= 0 else { return "" }
    return " (\(position(program.places[Int(found.place)])))"
  }

  private func who(_ step: Schedule.Step) -> String { "'\(shown(step.actor))'" }

  private func shown(_ subject: Schedule.Subject) -> String {
    subject.name + (subject.ordinal == 1 ? "" : "#\(subject.ordinal)")
  }

  private func position(_ range: SourceRange) -> String { "\(program.source.position(of: range))" }

  private static func count(_ count: Int, _ noun: String) -> String {
    Int64(count).counted(noun)
  }

  private static func grouped(_ count: Int) -> String { Int64(count).grouped }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    count >= width ? self : self + String(repeating: " ", count: width - count)
  }
}
