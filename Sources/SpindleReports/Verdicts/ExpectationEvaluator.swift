public import SpindleModel

/// Decides whether the expectations of a program were met in a run.
///
/// It collects only what they need. The numbers of kinds of work and of the machine come from the metrics.
///
/// A class, since the simulator gets it and the caller reads it.
public final class ExpectationEvaluator: RunConsumer, LogConsumer {
  private let expected: ExpectedOfProgram
  private var observer: RunObserver

  /// Creates an evaluator for one run of `program`.
  public convenience init(_ program: Program) { self.init(ExpectedOfProgram(program)) }

  /// Creates an evaluator for one run of a program that others run, too.
  package init(_ expected: ExpectedOfProgram) {
    self.expected = expected
    observer = RunObserver(expected.program, expected.inquiry)
  }

  @usableFromInline package var needsEveryEntry: Bool { observer.observations.inquiry.needsWaiting }

  /// Whether the verdicts need the numbers of the run; else its record suffices.
  package var needsMetrics: Bool { observer.observations.inquiry.needsMetrics }

  /// The verdicts of a run of whose numbers nothing is asked.
  package func verdicts(_ record: RunRecord) -> [Verdict] {
    var metrics = RunMetrics(outcome: record.outcome, end: record.end, makespan: record.makespan)
    (metrics.findings, metrics.findingCounts) = (record.findings, record.findingCounts)
    return verdicts(metrics, record)
  }

  @usableFromInline package func begin(_ run: RunDescription) { observer.begin(run) }

  @usableFromInline package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    observer.receive(entries)
  }

  @usableFromInline package func end(_ record: RunRecord) {}

  /// One verdict for each expectation, in the order of the text.
  ///
  /// A program whose expectations do not speak of the outcome expects `.finished`; that verdict's place
  /// is empty.
  public func verdicts(_ metrics: RunMetrics, _ record: RunRecord) -> [Verdict] {
    let evaluation = observer.evaluation(metrics, record)
    var verdicts: [Verdict] = []
    if !observer.observations.inquiry.mentionsOutcome {
      verdicts.append(impliedVerdict(evaluation))
    }
    for (expectation, text) in zip(expected.program.expectations, expected.texts) {
      verdicts.append(
        text.map { verdict(expectation, text: $0, evaluation) } ?? impliedVerdict(evaluation))
    }
    return record.scheduleFaults.map { Verdict($0) } + verdicts
  }

  /// What a trace expects that does not speak of its outcome; the compiler adds it with the place of a
  /// whole block.
  fileprivate static let isFinished = ExpectationTerm.compare(
    .equal, .measure(.outcome), .value(.symbol(Outcome.Kind.finished.name)), nil)

  private func impliedVerdict(_ evaluation: Evaluation) -> Verdict {
    let implied = Expectation(
      condition: ExpectationEvaluator.isFinished, place: SourceRange(0, 0))
    return verdict(implied, text: "outcome == .finished", evaluation)
  }

  private func verdict(
    _ expectation: Expectation, text: String, _ evaluation: Evaluation
  ) -> Verdict {
    let holds: Bool
    do {
      holds = try evaluation.holds(expectation.condition)
    } catch {
      var verdict = Verdict(
        text: text, place: expectation.place, holds: false, seen: error.explanation)
      verdict.way = FailureWay(expectation.condition, evaluation)
      return verdict
    }
    let seen = holds ? "" : evaluation.seen(expectation.condition).joined(separator: "\n")
    var verdict = Verdict(text: text, place: expectation.place, holds: holds, seen: seen)
    if !holds {
      verdict.way = FailureWay(expectation.condition, evaluation)
      verdict.findings = evaluation.unexpected(expectation.condition)
    }
    verdict.ratchet = Ratchet(expectation.condition, text: text, evaluation)
    return verdict
  }
}

/// What a program expects, read once for all of its runs.
package struct ExpectedOfProgram: Sendable {
  let program: Program
  let inquiry: Inquiry
  /// The text of each expectation in one line; nil for one that the trace only implies.
  let texts: [String?]

  /// Whether an expectation speaks of the findings, the predicted ones included.
  package var mentionsFindings: Bool { inquiry.mentionsFindings }

  /// Reads the expectations of `program`.
  package init(_ program: Program) {
    self.program = program
    inquiry = Inquiry(program)
    texts = program.expectations.map { expectation in
      let text = program.source.text(in: expectation.place).oneLine
      let isImplied =
        expectation.condition == ExpectationEvaluator.isFinished && !text.hasPrefix("outcome")
        && !text.hasPrefix("(")
      return isImplied ? nil : text
    }
  }
}

extension String {
  /// The text in one line, with one space where there are several, but within quotes.
  fileprivate var oneLine: String {
    var line = ""
    var (isQuoted, isEscaped, hasSpace) = (false, false, false)
    for character in self {
      if !isQuoted && character.isWhitespace {
        hasSpace = true
        continue
      }
      if hasSpace && !line.isEmpty { line.append(" ") }
      hasSpace = false
      line.append(character)
      if character == "\"" && !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
    }
    return line
  }
}

extension Verdict {
  /// A line of a schedule that was not kept, as something that was expected.
  package init(_ fault: ScheduleFault) {
    self.init(
      text: "schedule: \(fault.line)", place: fault.place ?? SourceRange(0, 0), holds: false,
      seen: fault.reason)
  }
}
