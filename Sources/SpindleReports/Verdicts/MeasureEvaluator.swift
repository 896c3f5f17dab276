package import SpindleModel

/// Evaluates the measures that the command line requests.
///
/// It collects only what they need, as `ExpectationEvaluator` does. A class, since the simulator gets it and
/// the caller reads it.
package final class MeasureEvaluator: LogConsumer {
  private let program: Program
  private var observer: RunObserver

  /// Creates an evaluator for one run of `program`.
  package init(_ program: Program) {
    self.program = program
    observer = RunObserver(program, Inquiry(program, asked: program.measures.map(\.term)))
  }

  package var needsEveryEntry: Bool { observer.observations.inquiry.needsWaiting }

  package func begin(_ run: RunDescription) { observer.begin(run) }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) { observer.receive(entries) }

  package func end(_ record: RunRecord) {}

  /// What each measure of the program came to, in order.
  package func values(_ metrics: RunMetrics, _ record: RunRecord) -> [MeasuredValue] {
    let evaluation = observer.evaluation(metrics, record)
    return program.measures.map { MeasureEvaluator.value($0.term, evaluation) }
  }

  private static func value(_ term: ExpectationTerm, _ evaluation: Evaluation) -> MeasuredValue {
    do {
      return MeasuredValue(try evaluation.value(term))
    } catch {
      return .missing(error.explanation)
    }
  }
}

/// What a measure came to in one run.
package enum MeasuredValue: Hashable, Sendable {
  /// A number in the unit of its measure: nanoseconds, bytes, billionths.
  case number(Int64)
  /// Something that nothing is computed with.
  case text(String)
  /// Nothing, and why: one sentence without a full stop.
  case missing(String)

  /// The value of a term.
  init(_ value: ExpectationValue) {
    self =
      switch value {
      case .integer(let number): .number(number)
      case .boolean(let truth): .number(truth ? 1 : 0)
      case .duration(let length): .number(length.rawValue)
      case .size(let size): .number(size.rawValue)
      case .decimal(let decimal): .number(decimal.billionths)
      case .string(let text): .text(text)
      case .symbol(let name): .text(name)
      case .list, .table, .timeline: .text(ValueText.text(value))
      case .none: .missing("it is nil")
      }
  }

  /// The number; nil for anything else.
  package var number: Int64? {
    if case .number(let number) = self { number } else { nil }
  }
}
